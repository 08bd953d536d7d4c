"""An appliance on an emulated machine with a panel: switched on, touched, typed on, pressed, photographed.

How to write a test here:

- Take a machine: the fixtures ``clock`` and ``kiosk``, or ``with ready(Appliance("tileclock", debs, PORTRAIT), album) as machine`` for another panel. Its first
  picture stands. It is booted once for each panel and set of packages; then its whole state is kept in the cache (``savevm``) and loaded in some seconds. It
  is a copy: do with it what you like. What the start itself has to show takes ``switched_on``, which gives a machine that has not run an instruction yet;
  ``machine.go()`` starts it.
- Photograph by waiting: ``machine.shows(expected, "the verdict")`` takes pictures until one is among those that are expected, and fails with both pictures and
  their difference. What is expected comes from ``machine.painted``, the program's own painter in the installed root; ``stations`` makes it of a clock's
  script (``running_clock``) and of the pure station that hears the same touches (``twin_of``, ``station``). Whatever changes by itself (a clock, a countdown) is a
  choice of pictures, one for each second that may be shown. Never sleep and then look: a screen that takes 20 ms on a Pi lags seconds here.
- Players: ``machine.fingers`` touches (several at a time), ``machine.keys`` types, ``machine.press`` and ``machine.pull`` work the pins by their names on
  the board. ``machine.unplug(TOUCH)`` and ``machine.plug(TOUCH)`` are the cable. A key sequence such as Ctrl+Alt+F2 is ``machine.keys.press("ctrl", "alt", "f2")``.
- Inside: ``machine.run("systemctl", "kill", "--signal=KILL", "tileclock")`` runs as root; ``machine.read`` and ``machine.write`` are files; ``machine.configure``
  adds to the settings and starts the program again. ``machine.now()`` is CLOCK_MONOTONIC there. Time inside counts instructions (250 million a second) while
  the processor is busy, and goes by as here while it is idle: limits inside hold however busy this machine is, and CPU seconds can be compared with each other.
- All pictures of a test lie in ``build/glass/<its name>/``. Look at them.
"""

import base64
import contextlib
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from msgspec import Struct

from hardware.boards.board import CLOCK, load_board
from tests.glass.fingers import Fingers, Keys
from tests.glass.installed import Program, root
from tests.glass.painted import Painted
from tests.glass.panels import DEVICES, HEAD, MACHINE, Panel
from tests.glass.pictures import Album, Picture
from tests.kernel.inside.framed import Said
from tests.machine.guest import Guest
from tests.packaged.packages import Suite

BOOT_S: Final = 900
"""A boot takes 60 to 180 s here: a limit for machines four times slower."""
SHOWN_S: Final = 900
LOOK_S: Final = 0.5
"""Between two pictures: taking them slows down what is waited for."""
ANSWER_S: Final = 300
HELD_NS: Final = 100_000_000
SETTINGS: Final[dict[Program, str]] = {"tileclock": "/etc/tileclock/clock.toml", "tilekiosk": "/etc/tileclock/station.toml"}
PROCESSOR: Final[dict[Suite, tuple[str, ...]]] = {"bookworm": ("-cpu", "Nehalem")}
"""Bookworm's LLVM 15, by which Mesa paints, takes QEMU's own processor for one of 32 bits (family 6 of AMD), and ends the program."""


class Appliance(Struct, frozen=True):
    program: Program
    debs: Path
    panel: Panel
    plugged: tuple[str, ...] = tuple(DEVICES)
    others: tuple[Program, ...] = ()
    """Programs that are installed beside it, and so enabled."""
    suite: Suite = "trixie"
    memory: int = 768
    """In MiB."""

    @property
    def programs(self) -> tuple[Program, ...]:
        return (self.program, *self.others)

    def painter(self) -> Painted:
        return Painted(root(self.programs, self.debs, self.suite), self.panel)

    def arguments(self) -> list[str]:
        devices = [word for name in self.plugged for word in ("-device", f"{DEVICES[name]},id={name}")]
        return [*MACHINE, *PROCESSOR.get(self.suite, ()), *self.panel.arguments, *devices]


class Machine:
    """A running machine; leaving it as a context manager with an error keeps the evidence."""

    def __init__(self, guest: Guest, appliance: Appliance, painted: Painted, album: Album) -> None:
        self.guest, self.appliance, self.painted, self.album = guest, appliance, painted, album
        self.monitor = guest.monitor
        self.fingers = Fingers(self.monitor, appliance.panel)
        self.keys = Keys(self.monitor)
        self._buttons = {name: spec.gpio for name, spec in load_board("full", CLOCK).buttons.items()}

    def go(self) -> None:
        self.monitor.execute("cont")

    def answered(self, seconds: float = BOOT_S) -> None:
        self.ask("lit", lines=[], limit_s=seconds)

    def ask(self, do: str, *, limit_s: float = ANSWER_S, **how: Any) -> Said:
        answer = self.guest.ask({"do": do, **how}, limit_s)
        assert "failed" not in answer, f"{do} {how}: {answer['failed']}"
        return answer

    def run(self, *command: str, seconds: float = ANSWER_S / 2, fails: bool = False) -> str:
        done = self.ask("run", command=command, seconds=seconds)
        assert fails or done["code"] == 0, f"{' '.join(command)} ended with {done['code']}: {done['out']}{done['err']}"
        return str(done["out"])

    def now(self) -> int:
        """Return CLOCK_MONOTONIC inside, ns."""
        return int(self.ask("lit", lines=[])["now"])

    def read(self, path: str) -> bytes:
        return base64.b64decode(self.ask("read", path=path)["raw"])

    def write(self, path: str, text: str) -> None:
        self.ask("write", path=path, raw=base64.b64encode(text.encode()).decode())

    def configure(self, more: str) -> None:
        path = SETTINGS[self.appliance.program]
        self.write(path, f"{self.read(path).decode()}{more}")
        self.run("systemctl", "restart", "--no-block", self.appliance.program)

    def pull(self, moves: Sequence[tuple[str, bool, int]]) -> list[int]:
        """Close and open contacts, one after the other: (button, down, ns until the next). Return the instants (ns) at which each was done at the latest."""
        pulled = self.ask("pull", moves=[(self._buttons[button], down, pause) for button, down, pause in moves])["pulls"]
        return [after for _, after in pulled]

    def press(self, button: str) -> int:
        return self.pull([(button, True, HELD_NS), (button, False, 0)])[0]

    def unplug(self, name: str) -> None:
        """Pull touch or keyboard out, and wait until it is: the machine inside lets go of it when it comes to it."""
        self.monitor.execute("device_del", id=name)
        self.waits(
            lambda: name not in (each["name"] for each in self.monitor.execute("qom-list", path="/machine/peripheral")), f"{name} unplugged"
        )

    def plug(self, name: str) -> None:
        self.monitor.execute("device_add", driver=DEVICES[name], id=name)

    def waits(self, done: Callable[[], bool], what: str) -> None:
        limit = time.monotonic() + SHOWN_S
        while not done():
            assert time.monotonic() < limit, f"expected {what} within {SHOWN_S} s"
            time.sleep(LOOK_S)

    def shot(self, name: str = "") -> Picture:
        file = self.album.folder / ".shot.png"
        self.monitor.execute("screendump", filename=str(file), device=HEAD, format="png")
        picture = Picture.load(file)
        file.unlink()
        self.album.add(picture, name)
        return picture

    def until(self, wanted: Callable[[Picture], bool], what: str, ceiling_s: float = SHOWN_S) -> Picture:
        limit = time.monotonic() + ceiling_s
        while not wanted(picture := self.shot()):
            assert self.guest.runs, f"the machine ended before it showed {what}: {self.guest.console[-2000:]}"
            assert time.monotonic() < limit, f"expected {what} within {ceiling_s:.0f} s, found another picture: look at {self.album.folder}"
            time.sleep(LOOK_S)
        return picture

    def shows(self, expected: Callable[[int], Iterable[Picture]], what: str, ceiling_s: float = SHOWN_S) -> Picture:
        """Take pictures until one is among those that are ``expected`` at that instant (ns), and return it, kept by the name ``what``."""
        limit, before = time.monotonic() + ceiling_s, None
        while True:
            found, late = self.shot(), time.monotonic() > limit
            # The machine is asked for the time only where there is something new to see: answering takes a part of its processor.
            if found != before or late:
                pictures = list(expected(self.now()))
                if found in pictures:
                    self.album.add(found, what.replace(" ", "-"))
                    return found
                if late:
                    said = self.album.keep_difference(found, pictures[-1], what.replace(" ", "-"))
                    raise AssertionError(f"expected {what} within {ceiling_s:.0f} s: {said}")
            before = found
            time.sleep(LOOK_S)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if kind is not None:
            self.keep_evidence()

    def keep_evidence(self) -> None:
        if self.guest.runs:
            with contextlib.suppress(Exception):
                self.shot("at-the-failure")
                (self.album.folder / "journal.txt").write_text(
                    self.run("journalctl", "--boot", "--output=short-monotonic"), encoding="utf-8"
                )
        (self.album.folder / "console.txt").write_text(self.guest.console, encoding="utf-8")
