"""What the next program makes of a clock that was killed, compared with the presses that its players noted.

- The **end** of the program is when the kernel closes what it held. It lies between the kill and the return of ``waitpid``: that is known here to the ns.
- **True** time used: what the noted presses make of each side's time, by the rule that every button starts the other player's clock, up to the end.
- **Missing** (or too much): the difference of the time used that the next program knows to the true one, at the worse of both sides.
- **Stated**: the time that may be missing, as the screen says. It has to be at least as much as is missing, each time. Exact means that nothing is missing,
  nothing is stated, and the instant up to which the player is charged lies in the end's interval.
- A press of the last 4 s (``UNSEEN_NS``) may not have come to the program at all. It is counted by itself; the screen speaks of it.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from appliance.clocks import Clocks, boot_id
from appliance.crash.record import read_record
from firmware.journal.memory import UNSEEN_NS, parse_memory, record_path
from firmware.journal.recovery import recover
from firmware.journal.writer import JournalWriter, stamped
from firmware.settings.places import merge
from firmware.shell.assemble import setup_of
from firmware.shell.resume import Start, start
from game import events as ev
from game.journal.reading import reading, verify
from game.journal.row import GameStamp
from game.record import Record
from rules.rulebooks import load_rulebook
from rules.side import BySide, Side


@dataclass(frozen=True, slots=True)
class Killed:
    """What came of one kill; durations in ns."""

    exact: bool
    ran: bool
    missing: int
    stated: int
    charged: int
    """From the kill to the instant up to which the player is charged."""
    took: int
    """From the kill to the return of ``waitpid``."""
    presses: int
    unheard: int
    """Presses of the last moment that never came to the program."""
    from_memory: int
    """Rows that were in memory only."""
    on_disk: int | None
    """The running time that is on no disk: what a power cut would have taken; None: on the disk no clock ran."""
    disk_says: int | None
    """What the next program would have stated after a power cut."""


def settings_for(folder: Path) -> dict[str, object]:
    """Return the settings of a clock whose files are in ``folder``."""
    return {"journal.path": str(folder / "journal.db"), "board.pins": "mock", "screen.kind": "none"}


def examined(folder: Path, presses: Sequence[tuple[str, int]], killed: int, gone: int) -> Killed:
    """Start the next program in ``folder``, and return what came of the kill between the instants ``killed`` and ``gone`` (ns).

    Raises:
        AssertionError: less was stated than was missing, or a row was lost.
    """
    path = folder / "journal.db"
    # As the next program does, in its order.
    memory = parse_memory(read_record(record_path(folder, path, boot_id())), boot_id())
    assert memory is not None, "nothing was left in memory"
    now = time.monotonic_ns()
    setup = setup_of(merge([("test", settings_for(folder))]).settings)
    new_game = ev.NewGame(load_rulebook("naspa-2017"), "naspa-2017", BySide(None, None))
    begun = start(path, setup, new_game, stamped(Clocks(), now, now), memory)
    disk = recover(path, load_rulebook)
    _whole(path, begun)

    heard = [] if begun.recorded is None else list(_heard(begun.recorded))
    assert heard == presses[: len(heard)], f"heard {heard}, pressed {presses}"
    unheard = presses[len(heard) :]
    game, at, stated = begun.tables[-1].game_at(now), begun.tables[-1].frozen, begun.uncertain_ns or 0
    if not heard:
        at = gone
    # The game began in this program, so its timeline is CLOCK_MONOTONIC itself.
    assert at is not None, "the game did not come back stopped"
    assert at <= gone, "time was charged after the end"
    # What the next program speaks of has to reach to the end: it lies in the interval that is known here.
    reached = at + stated
    assert reached >= killed, f"charged and stated up to {killed - reached} ns before the kill"
    end = min(reached, gone)
    true = _used(heard, end)
    missing = max(abs(true[side] - game.used_at(side, at)) for side in Side)
    assert stated >= missing, f"stated {stated}, missing {missing}"
    last_moment = [killed - pressed for _, pressed in unheard]
    assert all(ago <= max(UNSEEN_NS, stated) for ago in last_moment), f"not heard {last_moment} ns before the kill, stated {stated}"
    cut = disk is not None and disk.clock_ran
    return Killed(
        exact=killed <= at <= gone and stated == 0,
        ran=begun.recorded is not None and begun.recorded.game_at(at).running is not None,
        missing=missing,
        stated=stated,
        charged=at - killed,
        took=gone - killed,
        presses=len(presses),
        unheard=len(unheard),
        from_memory=sum(map(len, begun.unwritten)),
        on_disk=end - disk.last.mono if disk is not None and cut else None,
        disk_says=disk.uncertain_ns(GameStamp(0, 0, "another boot", "")) if disk is not None and cut else None,
    )


def _heard(record: Record) -> Iterator[tuple[str, int]]:
    """Yield what the clock knows of what was pressed, oldest first."""
    for link in record.oldest_first():
        if isinstance(link.event, ev.Press):
            yield link.event.side.value, link.at
        elif isinstance(link.event, ev.Neutralise):
            yield "centre", link.at
        else:
            assert isinstance(link.event, ev.NewGame), link.event


def _used(presses: Sequence[tuple[str, int]], end: int) -> dict[Side, int]:
    """Return what each side has used at ``end``, by the rule that every button starts the other player's clock, and by nothing else of the project."""
    used, runs, since = dict.fromkeys(Side, 0), None, 0
    for button, at in (*presses, ("centre", end)):
        if runs is not None:
            used[runs] += at - since
        runs, since = (None if button == "centre" else Side(button).other), at
    return used


def _whole(path: Path, begun: Start) -> None:
    """Write what was in memory only, as the next program does, and check the whole journal."""
    writer = JournalWriter(path, lambda _: None)
    for rows in begun.unwritten:
        writer.put(rows)
    assert writer.close(60), "the rows that were in memory could not be written"
    with reading(path) as connection:
        found = verify(connection)
    assert found.fault is None, found.fault
