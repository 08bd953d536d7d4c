"""All checks in order, on this machine or on one that a test describes; and the small ones: the clock's own data, and its sources of time.

The monotonic clock counts everything, and its instants belong to the boot whose id is checked.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Final, Protocol

from appliance import voltage as power
from appliance import wall_time
from appliance.clocks import boot_id
from appliance.display.probe import Display, probe_display
from appliance.errors import BoardError, Diagnosis
from appliance.finding import Finding, counted, error_finding, fail, note, ok
from appliance.settings.last_good import check_settings
from appliance.texts import Texts, check_texts
from firmware.doctor.devices import Parade, check_led, check_pins, check_screen, terminal_size
from firmware.doctor.storage import check_crash_folder, check_disk, check_journal, check_weak_power
from firmware.settings import Layered
from firmware.shell.displays import led_lines
from firmware.texts import load_reasons, load_texts
from hardware.boards.board import Board, load_board
from hardware.boards.kinds import CLOCK
from hardware.boards.pis import Pi, this_pi
from hardware.buttons.self_test import Interview
from hardware.electrics import check_wiring
from hardware.pins.opening import Opener, open_factory
from rules.contact import MS
from rules.duration import NS
from rules.rulebooks.load import check_rulebooks

NEEDED: Final = "CLOCK_MONOTONIC"
"""The kernel's clock for edges (linux/gpio.h, v2 lines)."""
FINE_NS: Final = 1_000
COARSE_NS: Final = MS


class ClockInfo(Protocol):
    """Python's information about a clock."""

    @property
    def implementation(self) -> str:
        """The underlying system call."""
        ...

    @property
    def resolution(self) -> float:
        """In s."""
        ...


def check_monotonic(info: ClockInfo) -> Iterator[Finding]:
    """Yield a finding about ``time.get_clock_info("monotonic")``."""
    resolution_ns = round(info.resolution * NS)
    found = f"{info.implementation}, resolution {resolution_ns} ns"
    if NEEDED not in info.implementation:
        yield fail("time source", found, f"Run the clock on Linux, where Python and the kernel's edges share {NEEDED}.")
    elif resolution_ns > COARSE_NS:
        yield fail("time source", found, "Take a kernel with high-resolution timers: milliseconds matter in presses.")
    else:
        yield (ok if resolution_ns <= FINE_NS else note)("time source", found)


def check_boot(boot: Callable[[], str]) -> Iterator[Finding]:
    """Yield whether the boot's id is readable: it tells time before a power cut from time after it."""
    try:
        found = boot()
    except OSError as error:
        yield fail("boot id", str(error), "Mount /proc for the clock; in a service, leave out ProcSubset=pid.")
        return
    yield ok("boot id", f"{found[:8]}...")


def texts_and_reasons(language: str) -> Texts:
    """Return the texts of ``language``, with the director's reasons checked too.

    Raises:
        TileclockError: either is unusable.
    """
    load_reasons()
    return load_texts(language)


def check_board(file: str) -> tuple[Board | None, Finding]:
    """Return the board (None if its file is unusable) and the finding."""
    try:
        board = load_board(file, CLOCK)
    except BoardError as error:
        return None, error_finding("board file", error)
    parts = [counted(len(board.buttons), "button"), counted(len(board.lamps), "lamp"), "a buzzer" if board.buzzer else "no buzzer"]
    return board, ok("board file", f"{board.id}: {board.title}; {', '.join(parts)}")


@dataclass(frozen=True, slots=True)
class Machine:
    """What the checks examine besides files; a test replaces what it wants broken."""

    opener: Opener = open_factory
    clock_info: Callable[[], ClockInfo] = lambda: time.get_clock_info("monotonic")
    now: Callable[[], int] = time.monotonic_ns
    boot: Callable[[], str] = boot_id
    wall: Callable[[], datetime] = wall_time.now
    synchronised: Callable[[], bool | None] = wall_time.synchronised
    kept: Callable[[], wall_time.Timekeeper] = wall_time.find_timekeeper
    system: Path = power.SYSTEM
    pi: Callable[[], Pi | None] = this_pi
    probe: Callable[[], Display | Diagnosis] = probe_display
    terminal: Callable[[], tuple[int, int] | None] = terminal_size
    environment: Mapping[str, str] = field(default_factory=lambda: os.environ)


THIS_MACHINE: Final = Machine()


def examine(
    layered: Layered, interview: Interview | None = None, machine: Machine = THIS_MACHINE, parade: Parade | None = None
) -> Iterator[Finding]:
    """Yield the findings in the order in which a person would look: settings, buttons, time, disk, screen.

    Args:
        layered: the settings; they select pins, journal and screen.
        interview: asks for a press of each button; None: no presses.
        machine: the machine to examine.
        parade: lights the LED displays for the builder to see; None: no lights.
    """
    settings = layered.settings
    yield check_settings(layered)
    yield from check_rulebooks(settings.rulebook, settings.own_rulebooks)
    yield check_texts(settings.language, texts_and_reasons)
    board, finding = check_board(settings.board.file)
    yield finding
    yield from check_pins(board, settings.board, machine.opener, interview, buzzer=settings.buzzer.enabled)
    if board is not None:
        pi = machine.pi()
        if settings.board.pins != "none":
            yield from check_wiring(board, pi)
        yield from check_led(led_lines(settings.led, board, pi), parade)
    yield from check_monotonic(machine.clock_info())
    yield from check_boot(machine.boot)
    yield from wall_time.check_wall(machine.wall(), machine.synchronised(), "the journal's dates")
    yield from wall_time.check_timekeeper(machine.kept())
    yield from power.check_power(machine.system)
    yield from check_weak_power(Path(settings.journal.path), machine.wall())
    yield from check_disk(Path(settings.journal.path), machine.now)
    yield from check_journal(Path(settings.journal.path))
    yield from check_crash_folder(machine.environment)
    yield from check_screen(settings.screen, machine.probe, machine.terminal, machine.environment)
