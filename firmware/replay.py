"""``tileclock replay``: run a script through the same state as the live clock, and return its output.

Nothing is drawn or stored. Events are applied; edges pass through the gestures first; both end in ``show``.
"""

import os
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path

from msgspec import Struct

from faults.small_file import is_path
from firmware.gestures.clock_state import ClockState, apply_event
from firmware.gestures.hands import Hands
from firmware.menu.setup import Setup
from game.event_table import Rulebooks, format_event
from game.events import NewGame
from game.exact_json import Malformed
from game.forms import EDITION
from game.game import EventNotAllowed
from game.history import begin
from game.script import ScriptEdge, ScriptLine, Show, show_line
from rules.rulebooks import Rulebook, load_rulebook


class Remark(Struct, frozen=True):
    line: int
    text: str
    refused: bool = False
    """The game has refused its event."""


def replay(lines: Iterable[ScriptLine], setup: Setup) -> Iterator[str | Remark]:
    """Yield the output of each ``show``, and each refusal, in order; first of all, that the script names no edition. Raises Malformed: a line cannot be read."""
    state: ClockState | None = None
    hands: Hands | None = None
    for line in lines:
        if state is None:
            state = _first(line, setup)
            if not line.edition:
                yield Remark(line.number, f"new_game names no edition of the events: read as edition {EDITION}")
            continue
        # Most scripts have no edges, and do without hands.
        if hands is not None:
            state = hands.tick(line.at).shown
        command = line.command
        if isinstance(command, Show):
            yield show_line(state.game_at(line.at), line.at, line.t)
        elif isinstance(command, ScriptEdge):
            # In order, so none comes late.
            hands = (
                (hands or Hands(state, line.at, now=line.at, late=0))
                .tick(line.at)
                .advanced.edge(command.button, line.at, down=command.down)
            )
        else:
            try:
                state = apply_event(state, command, line.at, line.by)
            except EventNotAllowed as refused:
                yield Remark(line.number, f"{format_event(command)['do']}, {refused.why}", refused=True)
                continue
            if hands is not None:
                hands = hands.tick(line.at).change(partial(apply_event, event=command, at=line.at, by=line.by), line.at)


def _first(line: ScriptLine, setup: Setup) -> ClockState:
    if not isinstance(line.command, NewGame):
        raise Malformed(where=f"line {line.number}", expected="a new_game in the first line", found="another event")
    return ClockState(begin(line.command, line.at), setup)


def beside(folder: Path) -> Rulebooks:
    """Return a loader for the rulebooks of a script in ``folder``: a file there first, else as ``load_rulebook`` does."""

    def load(named: str) -> Rulebook:
        there = os.path.join(folder, named)  # noqa: PTH118 - Path raises for an impossible path; load_rulebook reports it
        return load_rulebook(there if is_path(named) and os.path.isfile(there) else named)  # noqa: PTH113 - likewise

    return load
