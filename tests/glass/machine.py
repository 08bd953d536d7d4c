"""An appliance on an emulated machine with a panel: switched on, touched, typed on, pressed, photographed.

How to write a test here:

- Take a machine: ``with ready("tileclock", LANDSCAPE, album) as machine`` gives one whose first picture has stood for a while. It is booted once for each panel and
  set of packages; then its whole state is kept in the cache (``savevm``) and loaded in some seconds. It is a copy: do with it what you like. What the start
  itself has to show takes ``switched_on``, which gives a machine that has not run an instruction yet; ``machine.go()`` starts it.
- Photograph by waiting: ``machine.shows(lambda now: (picture, ...), "the verdict")`` takes pictures until one is among those that are expected, and fails with
  both pictures and their difference. What is expected comes from ``painted``: the program's own painter, in the installed root. Whatever changes by
  itself (a clock, a countdown) is a choice of pictures: one for each second that may be shown. ``now`` is the machine's CLOCK_MONOTONIC, ns, at which the picture
  stood at the latest. Never sleep and then look: a screen that takes 20 ms on a Pi lags seconds here.
- Players: ``machine.fingers`` touches (several at a time), ``machine.keys`` types, ``machine.press`` and ``machine.pull`` work the pins by their names on
  the board. ``machine.unplug(TOUCH)`` and ``machine.plug(TOUCH)`` are the cable. A key sequence such as Ctrl+Alt+F2 is ``machine.keys.press("ctrl", "alt", "f2")``.
- Inside: ``machine.run("systemctl", "kill", "-s", "KILL", "tileclock")`` runs as root; ``machine.read`` and ``machine.write`` are files, written before the
  program is restarted for other settings. ``machine.now()`` is CLOCK_MONOTONIC there. Time inside is slow and uneven: compare with another figure of
  the same machine, never with a limit in seconds.
- All pictures of a test lie in ``build/glass/<its name>/``. Look at them.
"""

from __future__ import annotations

import base64
import contextlib
import json
import shutil
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from hardware.board import load_board
from hardware.kinds import CLOCK
from tests.glass.fingers import Fingers, Keys
from tests.glass.installed import Program, image
from tests.glass.panels import DEVICES, HEAD, MACHINE, Panel
from tests.glass.pictures import Album, Picture
from tests.machine.cache import checksum, made, of_files, scratch
from tests.machine.guest import Disk, Guest
from tests.machine.initramfs import initramfs
from tests.machine.kernel import backports_kernel
from tests.machine.python import ROOT
from tests.machine.qemu import trixie

BOOT_S: Final = 900
"""A boot takes 60 to 180 s here: a limit for machines four times slower."""
SHOWN_S: Final = 900
LOOK_S: Final = 0.5
"""Between two pictures: taking them slows down what is waited for."""
ANSWER_S: Final = 300
HELD_NS: Final = 100_000_000
QUIET: Final = (ROOT / "systemd/boot/cmdline.txt").read_text(encoding="utf-8").strip()
"""What the shipped guide appends to a Pi's kernel command line."""
_SAVED: Final = "ready"


@dataclass(frozen=True, slots=True)
class Appliance:
    """What a machine is made of."""

    programs: tuple[Program, ...]
    debs: Path
    """The folder with the packages."""
    panel: Panel
    plugged: tuple[str, ...] = tuple(DEVICES)
    """Touch and keyboard."""

    def arguments(self) -> list[str]:
        """Return QEMU's arguments for what is plugged in."""
        devices = [word for name in self.plugged for word in ("-device", f"{DEVICES[name]},id={name}")]
        return [*MACHINE, *self.panel.arguments, *devices]


class Machine:
    """A running machine; leaving it as a context manager pulls its plug."""

    def __init__(self, guest: Guest, panel: Panel, album: Album) -> None:
        self.guest, self.panel, self.album = guest, panel, album
        self.monitor = guest.monitor
        self.fingers = Fingers(self.monitor, panel)
        self.keys = Keys(self.monitor)
        self._buttons = {name: spec.gpio for name, spec in load_board("full", CLOCK).buttons.items()}

    def go(self) -> None:
        """Let it run: from its first instruction, or on from where it was saved."""
        self.monitor.execute("cont")

    def answered(self) -> None:
        """Wait until the agent inside is there."""
        self.guest.until("ready", BOOT_S)

    def ask(self, do: str, **how: Any) -> dict[str, Any]:
        """Have the agent inside do something, and return its answer.

        Raises:
            AssertionError: it failed.
        """
        self.guest.say(json.dumps({"do": do, **how}))
        answer: dict[str, Any] = json.loads(self.guest.line(ANSWER_S))
        assert "failed" not in answer, f"{do} {how}: {answer['failed']}"
        return answer

    def run(self, *command: str, seconds: float = ANSWER_S / 2, fails: bool = False) -> str:
        """Run a command as root and return what it said on standard output; it must succeed, unless it may fail."""
        done = self.ask("run", command=command, seconds=seconds)
        assert fails or done["code"] == 0, f"{' '.join(command)} ended with {done['code']}: {done['out']}{done['err']}"
        return str(done["out"])

    def now(self) -> int:
        """Return CLOCK_MONOTONIC inside, ns."""
        return int(self.ask("lit", lines=[])["now"])

    def read(self, path: str) -> bytes:
        """Return a file's bytes."""
        return base64.b64decode(self.ask("read", path=path)["raw"])

    def write(self, path: str, text: str) -> None:
        """Write a text file."""
        self.ask("write", path=path, raw=base64.b64encode(text.encode()).decode())

    def pull(self, moves: Sequence[tuple[str, bool, int]]) -> list[int]:
        """Close and open contacts, one after the other: (button, down, ns until the next). Return the instants (ns) at which each was done at the latest."""
        pulled = self.ask("pull", moves=[(self._buttons[button], down, pause) for button, down, pause in moves])["pulls"]
        return [after for _, after in pulled]

    def press(self, button: str) -> int:
        """Press a button for a moment, and return the instant (ns) of its edge."""
        return self.pull([(button, True, HELD_NS), (button, False, 0)])[0]

    def unplug(self, name: str) -> None:
        """Pull touch or keyboard out."""
        self.monitor.execute("device_del", id=name)

    def plug(self, name: str) -> None:
        """Plug it in again."""
        self.monitor.execute("device_add", driver=DEVICES[name], id=name)

    def shot(self, name: str = "") -> Picture:
        """Take a picture of the panel, and keep it."""
        file = self.album.folder / ".shot.png"
        self.monitor.execute("screendump", filename=str(file), device=HEAD, format="png")
        picture = Picture.load(file)
        file.unlink()
        self.album.add(picture, name)
        return picture

    def until(self, wanted: Callable[[Picture], bool], what: str, ceiling_s: float = SHOWN_S) -> Picture:
        """Take pictures until one is ``wanted``, and return it.

        Raises:
            AssertionError: none is, in time: the sentence says ``what`` was expected, and where the pictures lie.
        """
        limit = time.monotonic() + ceiling_s
        while not wanted(picture := self.shot()):
            assert self.guest.runs, f"the machine ended before it showed {what}: {self.guest.console[-2000:]}"
            assert time.monotonic() < limit, f"expected {what} within {ceiling_s:.0f} s, found another picture: look at {self.album.folder}"
            time.sleep(LOOK_S)
        return picture

    def shows(self, expected: Callable[[int], Iterable[Picture]], what: str, ceiling_s: float = SHOWN_S) -> Picture:
        """Take pictures until one is among those that are ``expected`` at that instant (ns), and return it, kept by the name ``what``.

        Raises:
            AssertionError: none is, in time. Found, expected and difference are kept.
        """
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
        if kind is not None and self.guest.runs:
            with contextlib.suppress(Exception):
                self.shot("at-the-failure")
                (self.album.folder / "journal.txt").write_text(
                    self.run("journalctl", "--boot", "--output=short-monotonic"), encoding="utf-8"
                )
            (self.album.folder / "console.txt").write_text(self.guest.console, encoding="utf-8")


@contextlib.contextmanager
def switched_on(appliance: Appliance, album: Album) -> Iterator[Machine]:
    """Give a machine that has not run yet. What it writes is forgotten with it."""
    with (
        _guest(appliance, Disk(image(appliance.programs, appliance.debs)), "-S") as guest,
        Machine(guest, appliance.panel, album) as machine,
    ):
        yield machine


@contextlib.contextmanager
def ready(appliance: Appliance, album: Album, stands: Callable[[Machine], object]) -> Iterator[Machine]:
    """Give a machine that has been booted, and runs on from where it was saved.

    Args:
        appliance: what it is made of.
        album: where its pictures go.
        stands: waits, at the one boot, until the picture stands that the machine is to be saved with.
    """
    saved = _saved(appliance, stands)
    with scratch() as work:
        # A copy: the kernel's state and the disk belong together, and both change.
        shutil.copyfile(saved, work / "disk")
        with (
            _guest(appliance, Disk(work / "disk", kept=True, format="qcow2"), "-loadvm", _SAVED, "-S") as guest,
            Machine(guest, appliance.panel, album) as machine,
        ):
            machine.go()
            yield machine


def _saved(appliance: Appliance, stands: Callable[[Machine], object]) -> Path:
    base = image(appliance.programs, appliance.debs)

    def make(file: Path) -> None:
        trixie().overlay(base, file)
        album = Album(f"booted-{'-'.join(appliance.programs)}-{appliance.panel.name}")
        with _guest(appliance, Disk(file, kept=True, format="qcow2"), "-S") as guest, Machine(guest, appliance.panel, album) as machine:
            machine.go()
            machine.answered()
            stands(machine)
            # Nothing of the boot goes on in the background of every test.
            machine.run("systemctl", "is-system-running", "--wait", fails=True)
            machine.monitor.execute("stop")
            said = machine.monitor.human(f"savevm {_SAVED}")
            assert not said, said
            machine.monitor.execute("quit")
            guest.wait(BOOT_S)

    inputs = [base.name, checksum(appliance.arguments()), trixie().command[0], QUIET, of_files([ROOT / "tests/machine"])]
    return made("glass-booted", ".qcow2", inputs, make)


def _guest(appliance: Appliance, disk: Disk, *more: str) -> Guest:
    kernel = backports_kernel()
    return Guest(
        kernel.image,
        initramfs(kernel, ["gpio-sim"]),
        [disk],
        append=f"rw {QUIET}",
        qemu=trixie(),
        devices=[*appliance.arguments(), *more],
        # systemd's limits inside (60 s for a start, 10 s between two heartbeats) must not run out because this machine is busy.
        steady=True,
        warps=False,
        cores=1,
    )
