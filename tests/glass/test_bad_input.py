"""What a panel, its settings or its touch device get wrong: a sentence where people see it, and the picture again after the repair, without a login."""

from pathlib import Path
from typing import Final

import pytest
from msgspec import Struct

from records.journal import Kind, reading, rows_from
from rules.rulebooks import DEFAULT_RULEBOOK
from tests.firmware.screens.faces import SETUP, look
from tests.glass.clocks import await_pins, keep, kept
from tests.glass.installed import OURS
from tests.glass.machine import SETTINGS, Machine
from tests.glass.pictures import Picture
from tests.glass.stations import ready_clock, running_clock, station, twin_of
from tests.machine.cache import scratch

pytestmark = pytest.mark.timeout(5400)
LIBRARIES: Final = "/usr/lib/x86_64-linux-gnu"
DRIVER: Final = "/sys/bus/virtio/drivers/virtio_gpu"
GREY: Final = b"\xaa\xaa\xaa"
"""What the kernel writes a console's text in."""
WRITTEN: Final = 500
"""Pixels of a short sentence, at the least."""
ASLEEP_TICKS: Final = 10
"""In 1/100 s."""


HOLDER: Final = (
    'import glob, os, signal, socket; os.open(glob.glob("/dev/dri/card*")[0], os.O_RDWR); '
    'socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(b"READY=1", os.environ["NOTIFY_SOCKET"]); signal.pause()'
)
"""Has the card before the clock does. It draws nothing."""


class Fault(Struct, frozen=True):
    name: str
    break_it: str
    """For the shell inside."""
    mend_it: str
    words: tuple[str, ...]
    drawn: bool = True


FAULTS: Final = (
    Fault(
        "no permission",
        "chmod 0600 /dev/dri/card*",
        "chmod 0660 /dev/dri/card*",
        ("no permission to open /dev/dri/card", "groups video, render and input"),
    ),
    Fault(
        "no EGL",
        f"mv {LIBRARIES}/libEGL.so.1 {LIBRARIES}/away-libEGL",
        f"mv {LIBRARIES}/away-libEGL {LIBRARIES}/libEGL.so.1",
        ("libegl1 not installed", "sudo apt install libegl1"),
    ),
    Fault(
        "no driver for EGL",
        f"mkdir {LIBRARIES}/away; mv {LIBRARIES}/libgallium-* {LIBRARIES}/away",
        f"mv {LIBRARIES}/away/* {LIBRARIES}; rmdir {LIBRARIES}/away",
        ("the card's driver offers no OpenGL ES by EGL", "libgl1-mesa-dri"),
    ),
    Fault(
        "another program",
        f"systemd-run --unit=holder --service-type=notify /usr/bin/python3 -c '{HOLDER}'",
        "systemctl stop holder",
        ("another program drawing on /dev/dri/card", "fuser"),
    ),
    Fault(
        "no card",
        f"cd {DRIVER}; ls -d virtio* > /run/card; cat /run/card > unbind",
        f"cat /run/card > {DRIVER}/bind",
        ("no graphics card in /dev/dri", "dtoverlay=vc4-kms-v3d"),
        drawn=False,
    ),
)


def test_a_panel_that_cannot_be_drawn_on_says_why_and_comes_back_once_it_can(clock: Machine) -> None:
    for fault in FAULTS:
        clock.run("systemctl", "stop", "tileclock")
        clock.run("sh", "-c", fault.break_it)
        is_told(clock, fault)
        clock.run("sh", "-c", fault.mend_it)
        # No further action.
        clock.shows(lambda _: [ready_clock(clock.painted)], f"ready after {fault.name}")


def test_settings_that_cannot_be_leave_the_last_good_ones_in_force_and_say_so(clock: Machine) -> None:
    path = SETTINGS["tileclock"]
    good = clock.read(path).decode()
    why = f"{path}: screen.rotate: expected 0, 90, 180 or 270, found 45. Correct it."
    clock.configure("[screen]\nrotate = 45\n")
    refused = look(DEFAULT_RULEBOOK, "0", notices=(SETUP.texts.say("notice.settings_kept", why=why),))
    clock.shows(lambda _: [clock.painted.clock(refused)], "what is wrong with the settings")
    await_pins(clock)
    began = clock.press("left")
    clock.shows(running_clock(clock.painted, began, "0 press left"), "the game goes on")
    # There is no setting of a mode: the size is a window's, and a bare panel has its own.
    clock.run("systemctl", "stop", "tileclock")
    clock.run("rm", "/var/lib/tileclock/journal.db")
    clock.write(path, f"{good}[screen]\nrotate = 180\nwidth = 640\nheight = 480\nfullscreen = false\n")
    clock.run("systemctl", "start", "--no-block", "tileclock")
    clock.shows(lambda _: [ready_clock(clock.painted).turned(180)], "the panel's own size, turned")


def test_a_touch_device_that_reports_nonsense_harms_neither_the_clock_nor_its_pins(clock: Machine, tmp_path: Path) -> None:
    before = nonsense(clock)
    # With a renderer SDL moves what lies beyond the panel to its edge: those fingers press there, and are never lifted.
    clock.waits(lambda: "press" in clock.run("tileclock", "journal", "show"), "presses at the panel's edge")
    # Whoever's clock runs, this player's press takes effect: at the latest after the other's.
    clock.press("left")
    earliest = clock.now()
    latest = clock.press("right")
    clock.waits(lambda: any(earliest <= at <= latest for at in presses(clock, tmp_path)), "the press of a pin, at its instant")
    assert process(clock) == before


def test_a_touch_device_that_reports_nonsense_does_not_keep_the_station_from_the_good_one(kiosk: Machine) -> None:
    twin = twin_of(kiosk.painted, kiosk.now)
    before = nonsense(kiosk)
    # The program reopens the panel for each device that udev announces, and a finger that is down meanwhile is released.
    kiosk.run("udevadm", "settle")
    kiosk.waits(lambda: sleeps(kiosk, before.split()[0]), "all new devices found")
    kiosk.shows(station(kiosk.painted, twin), "idle")
    kiosk.fingers.tap(*twin.middle("tile.1"))
    twin.tap("tile.1")
    kiosk.shows(station(kiosk.painted, twin), "begun")
    assert process(kiosk) == before


def test_a_login_prompt_in_the_programs_place_has_panel_and_keyboard(clock: Machine) -> None:
    clock.run("systemctl", "start", "getty@tty1")
    clock.waits(lambda: "login:" in console(clock), "a prompt")
    clock.keys.type("nobody")
    clock.waits(lambda: "login: nobody" in console(clock), "what was typed")
    clock.until(is_text, "a prompt")
    clock.shot("prompt")
    clock.run("systemctl", "start", "--no-block", "tileclock")
    clock.shows(lambda _: [ready_clock(clock.painted)], "ready again")


def is_told(machine: Machine, fault: Fault) -> None:
    before = len(machine.guest.console)
    machine.run("systemctl", "start", "--no-block", "tileclock")
    machine.waits(lambda: sentence_in(machine.guest.console[before:], fault), f"{fault.name} on the machine's console")
    assert sentence_in(machine.run("journalctl", "--boot", "--unit=tileclock", "--output=cat"), fault), f"{fault.name} in the journal"
    if fault.drawn:
        machine.waits(lambda: sentence_in(console(machine), fault), f"{fault.name} on the text console")
        machine.until(is_text, f"{fault.name} on the panel")
        machine.shot(fault.name.replace(" ", "-"))


def sentence_in(text: str, fault: Fault) -> bool:
    return any(all(word in line for word in fault.words) for line in text.splitlines())


def console(machine: Machine) -> str:
    """Return what stands on the panel's text console, its lines joined: they are as long as the panel is wide."""
    return machine.read("/dev/vcs1").decode("cp437")


def is_text(picture: Picture) -> bool:
    pixels = [picture.rgb[start : start + 3] for start in range(0, len(picture.rgb), 3)]
    return set(pixels) == {GREY, b"\0\0\0"} and pixels.count(GREY) > WRITTEN


def nonsense(machine: Machine) -> str:
    """Plug touch panels in that report nonsense, and return which process has heard it."""
    which = process(machine)
    pid = which.split()[0]
    script = f"/{OURS}/tests/glass/inside/odd_touch.py"
    machine.run(
        "systemd-run", "--unit=odd-touch", "--service-type=notify", "--property=TimeoutStartSec=600", "/usr/bin/python3", "-P", script, pid
    )
    return which


def sleeps(machine: Machine, pid: str) -> bool:
    """Return whether a process needs next to nothing of the processor for 2 s: to reopen a panel takes more than 1 s here."""
    cpu = f"cut -d' ' -f14,15 /proc/{pid}/stat"
    user, system, user_later, system_later = map(int, machine.run("sh", "-c", f"{cpu}; sleep 2; {cpu}").split())
    return user_later + system_later - user - system < ASLEEP_TICKS


def presses(machine: Machine, folder: Path) -> list[int]:
    keep(machine)
    with scratch(folder) as work, reading(kept(machine, work / "kept")) as connection:
        return [each.row.mono for each in rows_from(connection, 1) if each.row.kind == Kind.EVENT and '"do": "press"' in each.row.body]


def process(machine: Machine) -> str:
    return machine.run("systemctl", "show", machine.appliance.program, "--property=MainPID", "--property=NRestarts", "--value").replace(
        "\n", " "
    )
