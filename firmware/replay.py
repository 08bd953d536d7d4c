"""``tileclock replay``: a script through the same table as the live clock, and what it showed.

Nothing is drawn or stored here. A script of events folds them; a script of edges goes through the gestures; both end in ``show``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from firmware.core.event_json import Malformed, word_event
from firmware.core.events import NewGame
from firmware.core.not_allowed import EventNotAllowed
from firmware.core.record import begin
from firmware.core.script import Edge, Line, Show
from firmware.core.show_json import shown
from firmware.gestures.clock_state import ClockState, say
from firmware.gestures.press_detection import edge, tick
from firmware.menu.setup import Setup


@dataclass(frozen=True, slots=True)
class RefusedLine:
    """An event of the script that the game refused."""

    line: int
    what: str
    """The event's name."""
    why: str


def replay(lines: Iterable[Line], setup: Setup) -> Iterator[str | RefusedLine]:
    """Yield what each ``show`` printed, and each refusal, in order.

    Raises:
        Malformed: from reading the lines.
    """
    table: ClockState | None = None
    for line in lines:
        if table is None:
            table = _first(line, setup)
            continue
        if table.hands.contacts:
            table = tick(table, line.at)
        if isinstance(line.said, Show):
            yield shown(table.game_at(line.at), line.at, line.t)
        elif isinstance(line.said, Edge):
            table = edge(table, line.said.button, line.at, down=line.said.down)
        else:
            try:
                table = say(table, line.said, line.at)
            except EventNotAllowed as refused:
                yield RefusedLine(line.number, str(word_event(line.said)["do"]), refused.why)


def _first(line: Line, setup: Setup) -> ClockState:
    if not isinstance(line.said, NewGame):
        raise Malformed(where=f"line {line.number}", expected="a new_game in the first line", found="another event")
    return ClockState(begin(line.said, line.at), setup)
