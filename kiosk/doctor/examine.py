"""All checks in order: on a machine whose station is stopped, or within a running one, which uses log, pins and printer itself."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Final

from appliance import voltage as power
from appliance import wall_time
from appliance.display.probe import Display, probe_display
from appliance.errors import Diagnosis
from appliance.finding import Finding, State, error_finding, fail, note, ok
from appliance.settings.last_good import check_settings
from appliance.texts import check_texts
from faults.errors import Phrase, as_phrase
from hardware.boards.pis import Pi, this_pi
from hardware.buttons.self_test import Interview
from hardware.pins.opening import Opener, open_factory
from kiosk import facts
from kiosk.challenge.context import Trouble
from kiosk.doctor.data import check_choices, check_divisions, check_door, check_lexicon, check_log
from kiosk.doctor.parts import check_pins, check_printer, check_screen
from kiosk.settings import Layered, Settings
from kiosk.shell.startup import choices_of
from kiosk.texts import load_texts
from rules.rulebooks.load import check_rulebooks


@dataclass(frozen=True, slots=True)
class Bench:
    """What the checks examine besides files; a test replaces what it wants broken."""

    opener: Opener = open_factory
    probe: Callable[[], Display | Diagnosis] = probe_display
    environment: Mapping[str, str] = field(default_factory=lambda: os.environ)
    wall: Callable[[], datetime] = wall_time.now
    synchronised: Callable[[], bool | None] = wall_time.synchronised
    kept: Callable[[], wall_time.Timekeeper] = wall_time.find_timekeeper
    system: Path = power.SYSTEM
    pi: Callable[[], Pi | None] = this_pi


THIS_MACHINE: Final = Bench()


@dataclass(frozen=True, slots=True)
class Live:
    """What a running station knows about itself."""

    lexicon: Callable[[], Trouble | None]
    log: Callable[[], Trouble | None]
    printer: Callable[[], Diagnosis | None]
    threads: Callable[[], str | None] = lambda: None
    """The crashed threads of the program, as text; None: there are none."""
    pins: Callable[[], Diagnosis | None] = lambda: None
    """Why the pins of the settings are unavailable; None: they are available, or none are named."""


def examine(layered: Layered, bench: Bench = THIS_MACHINE, interview: Interview | None = None) -> Iterator[Finding]:
    """Yield the findings on a machine whose station is stopped, in the order in which a person would look.

    Args:
        layered: the settings; they select pins, printer, log and screen.
        bench: the machine to examine.
        interview: asks for a press of the button and a turn of the key switch; None: no presses.
    """
    settings = layered.settings
    yield from _data(layered)
    yield from check_lexicon(_lexicon(settings), settings.lexicon)
    yield from check_divisions(settings.divisions)
    yield from check_log(Path(settings.log.path))
    yield from check_door(settings)
    yield from _machine(bench)
    yield from check_screen(settings.screen, bench.probe, bench.environment.get("SDL_VIDEODRIVER"))
    yield from check_pins(settings.board, bench.opener, bench.pi(), interview)
    yield from check_printer(settings.printer)


def examine_live(layered: Layered, live: Live, bench: Bench = THIS_MACHINE) -> tuple[facts.SelfTestResult, ...]:
    """Return a running station's findings for the desk: the list read completely again, the log's chain, the state of its parts."""
    settings = layered.settings
    findings = (
        *check_lexicon(_lexicon(settings), settings.lexicon),
        *check_divisions(settings.divisions),
        *_known("judging", live.lexicon(), "nothing prevents it"),
        *check_log(Path(settings.log.path)),
        *_known("writing the log", live.log(), "the last row was written"),
        *_pins(settings, live.pins()),
        *_printer(settings, live.printer()),
        *check_door(settings),
        *_data(layered),
        *_machine(bench),
        *_threads(live.threads()),
    )
    return tuple(facts.SelfTestResult(_line(finding), fine=finding.state is not State.FAIL) for finding in findings)


def _data(layered: Layered) -> Iterator[Finding]:
    settings = layered.settings
    yield check_settings(layered)
    yield from check_choices(settings)
    yield from check_rulebooks(settings.rulebook, settings.own_rulebooks)
    yield check_texts(settings.language, load_texts)


def _machine(bench: Bench) -> Iterator[Finding]:
    yield from wall_time.check_wall(bench.wall(), bench.synchronised(), "dates in the log and on slips")
    yield from wall_time.check_timekeeper(bench.kept())
    yield from power.check_power(bench.system)


def _lexicon(settings: Settings) -> Path:
    return Path(choices_of(settings).in_force["lexicon"])


def _known(name: str, ailing: Trouble | None, well: str) -> Iterator[Finding]:
    yield ok(name, well) if ailing is None else error_finding(name, ailing.what, "See the screen")


def _pins(settings: Settings, ailing: Diagnosis | None) -> Iterator[Finding]:
    if ailing is not None:
        yield error_finding("pins", ailing)
    elif "none" not in {settings.board.file, settings.board.pins}:
        yield ok("pins", Phrase("{library}: all pins of the station are open", library=settings.board.pins))


def _printer(settings: Settings, ailing: Diagnosis | None) -> Iterator[Finding]:
    if not settings.printer.port:
        yield note("printer", "there is none")
    elif ailing is None:
        yield ok("printer", Phrase("{port}: no fault is known", port=settings.printer.port))
    else:
        yield error_finding("printer", ailing)


def _threads(dead: str | None) -> Iterator[Finding]:
    if dead is None:
        yield ok("program", "all of it runs")
    else:
        remedy = "Players may go on. Between two challenges end the program, here at the desk: systemd starts it again. Keep the machine's journal."
        yield fail("program", Phrase("ended by an error that it did not expect: {threads}.", threads=dead), remedy)


def _line(finding: Finding) -> Phrase:
    found = Diagnosis(finding.found, finding.fix).sentences if finding.fix else as_phrase(finding.found)
    return Phrase("{name}: {found}", name=as_phrase(finding.name), found=found)
