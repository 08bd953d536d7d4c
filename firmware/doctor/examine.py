"""All checks in order, on this machine or on one that a test describes."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Final

from appliance.checks import voltage as power
from appliance.checks import wall_time
from appliance.checks.finding import Finding
from appliance.checks.language import check_texts
from appliance.clocks import boot_id
from appliance.display.probe import Display, probe_display
from appliance.errors import Diagnosis
from appliance.settings.last_good import check_settings
from firmware.doctor.crash import check_crash_folder
from firmware.doctor.data import check_board, texts_and_reasons
from firmware.doctor.disk import check_disk, check_journal
from firmware.doctor.led import Parade, check_led
from firmware.doctor.pins import check_pins
from firmware.doctor.screen import check_screen, terminal_size
from firmware.doctor.timesource import ClockInfo, check_boot, check_monotonic
from firmware.doctor.weak_power import check_weak_power
from firmware.settings import Layered
from firmware.shell.displays import led_lines
from hardware.boards.pis import Pi, this_pi
from hardware.buttons.interview import Interview
from hardware.electrics import check_wiring
from hardware.pins.opening import Opener, open_factory
from rules.rulebooks.check import check_rulebooks


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
