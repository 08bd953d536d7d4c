"""Machines as a test takes them: switched on and not yet running, or booted once, saved, and loaded for each test."""

import contextlib
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

from tests.glass.installed import image
from tests.glass.machine import BOOT_S, Appliance, Machine
from tests.glass.pictures import Album, Picture
from tests.glass.stations import first_picture, ready_clock, splash
from tests.machine.cache import checksum, made, of_files, scratch
from tests.machine.guest import Disk, Guest
from tests.machine.initramfs import initramfs
from tests.machine.kernel import backports_kernel
from tests.machine.python import ROOT
from tests.machine.qemu import trixie

QUIET: Final = (ROOT / "hardware/boot/cmdline.txt").read_text(encoding="utf-8").strip()
"""What the shipped guide appends to a Pi's kernel command line."""
_SAVED: Final = "ready"
_TIME: Final[dict[str, Any]] = {"steady": True, "warps": False, "cores": 1}
"""systemd's limits inside (60 s for a start, 10 s between two heartbeats) must not run out because this machine is busy."""


@contextlib.contextmanager
def switched_on(appliance: Appliance, album: Album) -> Iterator[Machine]:
    """Give a machine that has not run yet. What it writes is forgotten with it."""
    with _machine(appliance, album, Disk(image(appliance.programs, appliance.debs, appliance.suite))) as machine:
        yield machine


@contextlib.contextmanager
def ready(appliance: Appliance, album: Album) -> Iterator[Machine]:
    """Give a machine that has been booted, shows its first picture, and runs on from where it was saved."""
    saved = _saved(appliance)
    with scratch() as work:
        # A copy: the kernel's state and the disk belong together, and both change.
        shutil.copyfile(saved, work / "disk")
        with _machine(appliance, album, Disk(work / "disk", kept=True, format="qcow2"), "-loadvm", _SAVED) as machine:
            machine.go()
            yield machine


def comes_up(machine: Machine, *, black_again: bool = False, meanwhile: Callable[[], object] = lambda: None) -> list[Picture]:
    """Photograph a clock's machine from power on to its first picture; return what stood there: black (perhaps again), the name, that picture."""
    name, first = splash("tileclock", machine.appliance.panel), ready_clock(machine.painted)
    seen: list[Picture] = []

    def is_first(picture: Picture) -> bool:
        accounted_for = picture in (name, first) or (picture.black and (black_again or name not in seen))
        assert accounted_for, f"expected black, then the name, then the first picture: look at {machine.album.folder}"
        seen.append(picture)
        meanwhile()
        return picture == first

    machine.go()
    machine.until(is_first, "the first picture", BOOT_S)
    machine.answered()
    return seen


def _saved(appliance: Appliance) -> Path:
    base = image(appliance.programs, appliance.debs, appliance.suite)

    def make(file: Path) -> None:
        trixie().overlay(base, file)
        album = Album(f"booted-{'-'.join(appliance.programs)}-{appliance.panel.name}")
        with _machine(appliance, album, Disk(file, kept=True, format="qcow2")) as machine:
            machine.go()
            machine.answered()
            if appliance.panel.rotate:
                machine.configure(f"screen.rotate = {appliance.panel.rotate}\n")
            if appliance.others:
                # Which one of several has come up is systemd's choice.
                machine.run("systemctl", "start", "--no-block", appliance.program)
            machine.shows(first_picture(appliance.program, machine.painted, machine.now), "first picture")
            # Nothing of the boot goes on in the background of every test.
            machine.run("systemctl", "is-system-running", "--wait", fails=True)
            machine.monitor.execute("stop")
            said = machine.monitor.human(f"savevm {_SAVED}")
            assert not said, said
            machine.monitor.execute("quit")
            machine.guest.wait(BOOT_S)

    inputs = [
        base.name,
        checksum(appliance.arguments()),
        str(appliance.panel.rotate),
        str(appliance.memory),
        trixie().command[0],
        QUIET,
        str(_TIME),
        of_files([ROOT / "tests/machine"]),
    ]
    return made("glass-booted", ".qcow2", inputs, make)


@contextlib.contextmanager
def _machine(appliance: Appliance, album: Album, disk: Disk, *more: str) -> Iterator[Machine]:
    kernel = backports_kernel()
    guest = Guest(
        kernel.image,
        initramfs(kernel, ["gpio-sim"]),
        [disk],
        append=f"rw {QUIET}",
        memory=appliance.memory,
        qemu=trixie(),
        devices=[*appliance.arguments(), *more, "-S"],
        **_TIME,
    )
    with guest, appliance.painter() as painted, Machine(guest, appliance, painted, album) as machine:
        yield machine
