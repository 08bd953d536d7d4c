"""The pure clock beside the real one: begun as that begins, fed with the same contacts, it says what must stand on the real one's panel."""

import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Literal
from unittest.mock import patch

from appliance.clocks import Clocks
from appliance.display.screen import BlankScreen
from appliance.program import PowerOff, Supervisor
from firmware.face import schedule
from firmware.face.value import Face
from firmware.gestures.contacts import CHORD_NS
from firmware.journal.recovery import record_path
from firmware.settings import merge
from firmware.shell import assemble
from firmware.shell.assemble import assembled
from firmware.shell.clock import TableClock
from records.journal import Kind, reading, rows_from
from rules.duration import NS
from rules.side import Side
from tests.glass.machine import HELD_NS, LOOK_S, SHOWN_S, Machine
from tests.glass.pictures import Picture
from tests.glass.stations import LATE_S
from tests.machine.cache import scratch

JOURNAL: Final = Path("/var/lib/tileclock/journal.db")
KEPT: Final = "/run/kept"
_CRASH: Final = "crash"
"""How the crash record is named in what is kept aside."""
_KEEP: Final = f"""
rm --recursive --force {KEPT}
cp --archive {JOURNAL.parent} {KEPT}
for record in /run/tileclock/crash/*.crash; do [ ! -e $record ] || cp $record {KEPT}/{_CRASH}; done
"""
_ENDED: Final = "flock --shared /run/tileclock/crash/*.crash true"
"""The program and its sentinel hold that lock until both have ended."""
LONG_NS: Final = 1_200_000_000
"""What holding a button means is taken after 1 s."""
APART_NS: Final = 2 * CHORD_NS
"""Between two presses of players."""
STEP_NS: Final = 200_000_000
"""Between two presses of the director."""


@dataclass
class ClockTwin:
    machine: Machine
    clock: TableClock
    since: int = 0
    """The last contact's instant in the machine (ns): what stood on the panel before that is no answer to it."""

    def press(self, button: str, held: int = HELD_NS) -> int:
        return self.pull((button, True, held), (button, False, APART_NS))

    def pull(self, *moves: tuple[str, bool, int]) -> int:
        """Close and open contacts as ``Machine.pull`` does, on both, and return the first one's instant."""
        instants = self.machine.pull(moves)
        for (button, down, _), at in zip(moves, instants, strict=True):
            self.clock.edge(button, at, down=down)
        self.since = instants[-1]
        return instants[0]

    def key(self, *, on: bool) -> None:
        self.pull(("key", on, 0))

    def take(self, *rows: str) -> None:
        for row in rows:
            # Where the machine was held up, a press lasted so long that it moved on by itself.
            while downs := self._downs_to(row):
                self._press_keys(*["down"] * downs)
            self._press_keys("ok")

    def _downs_to(self, row: str) -> int:
        menu = self.face().menu
        assert menu is not None
        assert menu.chosen is not None
        assert row in menu.rows, f"expected the row {row!r}, found {menu.rows}"
        return (menu.rows.index(row) - menu.chosen) % len(menu.rows)

    def _press_keys(self, *buttons: str) -> None:
        self.pull(*(move for button in buttons for move in ((button, True, HELD_NS), (button, False, STEP_NS))))

    def left_at(self, now: int) -> int:
        """Return the time (ns) that both sides together have left at an instant (ns)."""
        table = self.clock.table
        return sum(table.game_at(now).remaining(side, table.instant(now)) for side in Side)

    def face(self) -> Face:
        now = self.machine.now()
        self.clock.tick(now)
        return self.clock.face(now)

    def shows(self, what: str, when: Callable[[Face], bool] = lambda _: True) -> Picture:
        """Wait until the panel must show a face such as ``when`` wants, and then until it does."""
        limit = time.monotonic() + SHOWN_S
        while not when(face := self.face()):
            assert time.monotonic() < limit, f"expected that the pure clock comes to {what}, found {face}"
            time.sleep(LOOK_S)
        return self.machine.shows(lambda now: self.pictures(now, when), what)

    def pictures(self, now: int, when: Callable[[Face], bool] = lambda _: True) -> Iterator[Picture]:
        """Yield what the panel may show at an instant (ns): all such faces that it had to show since the last contact, but for what is too long ago."""
        self.clock.tick(now)
        at: int | None = max(self.since, now - LATE_S * NS)
        while at is not None and at <= now:
            face = self.clock.face(at)
            if when(face):
                yield self.machine.painted.clock(face)
            at = schedule.next_due(self.clock.table, at)


@contextmanager
def clock_twin(machine: Machine, journal: Path | None = None, began: int | None = None, **settings: Any) -> Iterator[ClockTwin]:
    """Give the twin of a clock that has just started.

    ``journal`` is what it found, as ``kept``. ``began``: when it came to its journal (ns in the machine); None: now. ``settings``: ``__`` for the dot.
    """
    up = False

    def now() -> int:
        return machine.now() if up or began is None else began

    boot = machine.read("/proc/sys/kernel/random/boot_id").decode().strip()
    # Its date is that of the state that was loaded.
    date, dated = float(machine.run("date", "+%s.%N")), machine.now()

    def wall() -> str:
        return datetime.fromtimestamp(date + (machine.now() - dated) / NS, UTC).isoformat(timespec="milliseconds")

    with scratch() as work:
        for file in () if journal is None else journal.parent.iterdir():
            shutil.copy(file, work)
        own = {"journal.path": str(work / JOURNAL.name), "board.pins": "none"}
        chosen = {key.replace("__", "."): value for key, value in settings.items()}
        # It draws nothing itself, and is a clock with a screen all the same: only such a one has the players' menu.
        with (
            patch.object(assemble, "open_screen", lambda _: BlankScreen()),
            assembled(
                merge([("test", {**own, **chosen})]).settings,
                Clocks(now, wall, lambda: boot),
                supervisor=Supervisor(power_off=PowerOff(work / "poweroff")),
                crash=_crash_folder(work, boot),
            ) as loop,
        ):
            up = True
            await_pins(machine)
            yield ClockTwin(machine, loop._clock, machine.now())


def await_pins(machine: Machine) -> None:
    """Wait until the clock that was started last is ready: it opens its pins after its first picture, and a press before that is lost.

    A job is under way until then. Without it the clock before may still run, with its own pins open.
    """
    state = ("systemctl", "show", "--property=ActiveState,Job", "--value", "tileclock")
    machine.waits(lambda: machine.run(*state).split() == ["active"], "the pins")


def interrupt(machine: Machine, signal: Literal["KILL", "STOP"]) -> None:
    """Kill or halt the clock, and have its journal kept aside once it has ended: the next one comes to its journal seconds later."""
    machine.run("systemctl", "kill", "--kill-whom=main", f"--signal={signal}", "tileclock")
    machine.run("systemd-run", "--quiet", "sh", "-ec", f"{_ENDED}; {_KEEP}")


def keep(machine: Machine) -> None:
    machine.run("sh", "-ec", _KEEP)


def kept(machine: Machine, folder: Path) -> Path:
    """Return the journal that was kept aside, copied into a new folder with what lay beside it and in memory."""
    folder.mkdir()
    for file in machine.run("ls", KEPT).split():
        if file in (JOURNAL.name, f"{JOURNAL.name}-wal", _CRASH):
            (folder / file).write_bytes(machine.read(f"{KEPT}/{file}"))
    return folder / JOURNAL.name


def started(machine: Machine, folder: Path) -> int:
    """Return when the program that runs came to its journal (ns in the machine); that is copied into a new folder here."""
    keep(machine)
    with reading(kept(machine, folder)) as connection:
        return [each.row.mono for each in rows_from(connection, 1) if each.row.kind == Kind.BOOT][-1]


def _crash_folder(work: Path, boot: str) -> Path | None:
    """Return the folder with the crash record that lies in ``work``, as a clock here looks for it; None: there is none."""
    if not (work / _CRASH).exists():
        return None
    folder = work / "memory"
    folder.mkdir(0o700)
    record = (work / _CRASH).rename(record_path(folder, work / JOURNAL.name, boot))
    record.chmod(0o600)
    return folder
