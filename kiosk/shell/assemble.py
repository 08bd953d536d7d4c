"""Where the objects of a live station are built from the settings, and taken apart again: the only such place."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from appliance.checks.voltage import watch_power
from appliance.clocks import Clocks, is_dated
from appliance.inbox import Inbox
from appliance.log import get_logger as logbook
from appliance.service.heartbeat import Notifier
from appliance.service.signals import exit_on_signals
from appliance.settings.layers import Refused
from appliance.texts import Texts
from appliance.version import VERSION
from hardware.pins.contract import PinFactory
from hardware.pins.retrying import RetryingPins, open_or_retry
from kiosk.challenge.context import Matter, StationContext
from kiosk.challenge.entry import Entry, Kind
from kiosk.director.facts import Finding
from kiosk.lexicons.librarian import Librarian
from kiosk.lexicons.proof import LONGEST_S
from kiosk.lexicons.shelf import Expected, Loaded, expected
from kiosk.log.log import open_log
from kiosk.settings import Layered, Settings
from kiosk.settings.director_pin import matches
from kiosk.shell.books import Books
from kiosk.shell.catalogue import Catalogue
from kiosk.shell.choices import Choices
from kiosk.shell.conditions import StationConditions
from kiosk.shell.deskwork import DeskWork, Places
from kiosk.shell.effect_handler import EffectHandler
from kiosk.shell.errands import Errands
from kiosk.shell.face import Face
from kiosk.shell.front import Front
from kiosk.shell.inputs import Input, Reported
from kiosk.shell.loop import Loop, Machine
from kiosk.shell.machine import refused_settings
from kiosk.shell.no_screen import NoScreen
from kiosk.shell.panel import ButtonPanel
from kiosk.shell.pins import StationPins, opener_of
from kiosk.shell.record import Record
from kiosk.shell.screen import Screen
from kiosk.shell.slips import Slips, printer_of
from kiosk.shell.startup import before, choices_of, lock_of, rulebook_of, standing_of, tries_of
from kiosk.shell.thread_crashes import watched
from kiosk.shell.wall_time import MINUTES, wall_time_text
from kiosk.slip.compose import Imprint
from kiosk.station.apply import begin
from kiosk.texts import load_texts

if TYPE_CHECKING:
    from kiosk.screens.window import KioskWindow


@dataclass(frozen=True, slots=True)
class Given:
    """What a test or a demonstration brings along; None: as the settings have it."""

    screen: Screen | None = None
    factory: PinFactory | None = None
    inbox: Inbox[Input] | None = None


GIVEN_NOTHING = Given()
_MORE_S: Final = 60
"""What all else at the start takes at most, beside the reading of the list."""


@contextmanager
def assembled(layered: Layered, machine: Machine, given: Given = GIVEN_NOTHING) -> Iterator[Loop]:
    """Give the loop of a live station, its first page drawn by its first turn; close everything after it.

    Raises:
        TileclockError, LexiconError: something the settings name cannot be used.
    """
    settings, inbox = layered.settings, given.inbox or Inbox[Input]()
    wanted = expected(settings.lexicon.alphabet or None, settings.lexicon.sha256 or None)
    choices = choices_of(settings)
    rulebook = rulebook_of(choices)
    with ExitStack() as stack:
        # The screen first, so that it is closed last: another thread may still wake it.
        screen = stack.enter_context(closing(given.screen or open_screen(settings)))
        # A station that nobody sees and nobody can press is none.
        notifier = None if isinstance(screen, NoScreen) else machine.supervisor.notifier
        panel, awaited = _wired(opener_of(settings.board, inbox.put, given.factory), machine.clocks, notifier, stack)
        log = stack.enter_context(open_log(Path(settings.log.path), machine.clocks))
        force = choices.in_force
        librarian = _librarian(Path(force["lexicon"]), wanted, inbox, machine)
        power_off = machine.supervisor.power_off is not None
        ground = StationConditions(replace(standing_of(settings, force, rulebook, librarian.first), power_off=power_off))
        ground.advise(log.told)
        ground.advise(refused_settings(layered.refused), Matter.SETTINGS)
        standing = ground.standing
        record = Record(log, machine.clocks, standing.name, judges_on=settings.flow.judge_unlogged)
        doing = _doing(layered, _Held(record, ground, choices, librarian, inbox, machine, awaited), stack)
        face = Face(settings.keyboard)
        # Before the loop is made, which hears of a key switch that is on; and then it is known whether the log can be written.
        record.keep(_started(standing, layered.refused))
        now = machine.clocks.now()
        station = begin(standing, lock_of(settings), now, tries_of(log), before(log, standing, machine.clocks, now))
        loop = Loop(station, doing, Front(screen, face, panel, awaited), inbox, machine)
        if log.told is not None:
            logbook().warning("log", found=log.told)
        stack.callback(loop.end)
        stack.enter_context(watch_power(inbox.put))
        yield loop


@dataclass(frozen=True, slots=True)
class _Held:
    record: Record
    ground: StationConditions
    choices: Choices
    librarian: Librarian
    inbox: Inbox[Input]
    machine: Machine
    awaited: RetryingPins[StationPins] | None


def _doing(layered: Layered, held: _Held, stack: ExitStack) -> EffectHandler:
    settings, ground = layered.settings, held.ground
    books = stack.enter_context(closing(Books()))
    if isinstance(held.librarian.first, Loaded):
        books.add(held.librarian.first)
    printer = stack.enter_context(printer_of(settings.printer))
    slips = Slips(printer, settings.printer.width, lambda texts: _imprint(ground.standing, held.machine, texts))
    deaths = stack.enter_context(watched())

    def examine() -> tuple[Finding, ...]:
        from kiosk.doctor.examine import Live, examine_live  # noqa: PLC0415 - asked for at the desk, long after the first page

        live = Live(
            lexicon=lambda: ground.standing.trouble,
            log=lambda: held.record.trouble,
            printer=lambda: slips.trouble,
            threads=lambda: deaths.told,
            pins=lambda: None if held.awaited is None else held.awaited.why,
        )
        return examine_live(layered, live)

    desk = DeskWork(
        places=Places(Path(settings.log.path), Path(settings.log.export), Path(settings.lexicon.folder)),
        texts=load_texts(settings.language),
        record=held.record,
        books=books,
        ground=ground,
        catalogue=Catalogue((settings.rulebook, *settings.own_rulebooks)),
        choices=held.choices,
        librarian=stack.enter_context(held.librarian),
        errands=stack.enter_context(Errands[Reported](held.inbox.put)),
        examine=examine,
        power_off=held.machine.supervisor.power_off,
    )
    return EffectHandler(held.record, books, desk, slips.hand_over, lambda pin: bool(settings.door.pin) and matches(pin, settings.door.pin))


def _imprint(standing: StationContext, machine: Machine, texts: Texts) -> Imprint:
    wall = machine.clocks.wall()
    return Imprint(standing.name, f"{wall_time_text(wall, texts, MINUTES)} UTC" if is_dated(wall) else wall_time_text(wall, texts))


def _started(standing: StationContext, refused: Refused | None) -> Entry:
    why = f"version {VERSION}" + ("" if refused is None else f"; settings not taken: {refused.why.problem}")
    return Entry(Kind.STARTED, rulebook=standing.rulebook.id, lexicon=standing.lexicon, why=why)


def _librarian(path: Path, wanted: Expected, inbox: Inbox[Input], machine: Machine) -> Librarian:
    """Return the librarian, who reads the first list whole: systemd is asked for the time, and a signal to end does not wait for it."""
    if machine.supervisor.heartbeat is not None:
        machine.supervisor.heartbeat.extend_startup(LONGEST_S + _MORE_S)
    with exit_on_signals():
        return Librarian(path, wanted, inbox.put)


def _wired(
    opener: Callable[[], StationPins] | None, clocks: Clocks, notifier: Notifier | None, stack: ExitStack
) -> tuple[ButtonPanel | None, RetryingPins[StationPins] | None]:
    """Return the board, or what it is awaited by; neither where none is used."""
    if opener is None:
        return None, None
    found = stack.enter_context(closing(open_or_retry(opener, clocks.now(), notifier)))
    return (ButtonPanel(found, clocks.now()), None) if isinstance(found, StationPins) else (None, found)


def open_screen(settings: Settings) -> Screen:
    """Return the screen that the settings name.

    Raises:
        ScreenError: there is none to be had.
    """
    if settings.screen.kind == "none":
        return NoScreen()
    return open_kiosk(settings)


def open_kiosk(settings: Settings) -> KioskWindow:
    """Return a window, or the whole panel, locked.

    Raises:
        ScreenError: there is no display.
    """
    from kiosk.layout.options import Options  # noqa: PLC0415 - pygame is not needed for no screen
    from kiosk.screens.window import KioskWindow  # noqa: PLC0415 - as above

    screen = settings.screen
    options = Options(large_text=screen.large_text, left_handed=screen.left_handed, millimetres_wide=screen.millimetres)
    size = (screen.width, screen.height)
    return KioskWindow(size, "Tilekiosk", fullscreen=screen.fullscreen, rotate=screen.rotate, options=options, locked=screen.fullscreen)
