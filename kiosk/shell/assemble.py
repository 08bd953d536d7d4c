"""Build and close the objects of a live station. Nothing else builds them from the settings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace

from appliance.clocks import Clocks
from appliance.display.screen import BlankScreen
from appliance.lock import matches
from appliance.log import get_logger as logbook
from appliance.process import exit_on_signals
from appliance.program import Inbox
from appliance.records.sqlite import merge_wal
from appliance.settings.layers import RejectedSettings
from appliance.texts import Texts
from appliance.version import VERSION
from appliance.voltage import watch_power
from hardware.boards.board import load_board
from hardware.boards.kinds import STATION
from hardware.buttons.board_pins import BoardPins
from hardware.pins.contract import PinFactory
from hardware.pins.opening import RetryingPins, open_or_retry, opener_of
from kiosk.context import AdviceTopic, Division, StationContext
from kiosk.face.view import PageMaker
from kiosk.facts import SelfTestResult
from kiosk.lexicons.loading import Expected, LexiconLoader, Loaded, expected
from kiosk.lexicons.proof import LONGEST_S
from kiosk.log import Log, LogRecorder
from kiosk.settings import BoardSettings, Layered, ScreenSettings, Settings
from kiosk.shell.choices import Choices
from kiosk.shell.conditions import StationConditions, refused_settings
from kiosk.shell.effect_handler import MINUTES, Catalogue, EffectHandler, JudgeDeskWork, Places, Slips, printer_of, wall_time_text
from kiosk.shell.judging import OpenLexicons
from kiosk.shell.loop import ButtonPanel, Front, Loop, Screen, StationMachine
from kiosk.shell.startup import before, choices_of, context_of, divisions_of, lock_of, rulebook_of, tries_of
from kiosk.shell.threads import Errands, Input, Reported, watched
from kiosk.slip import Imprint
from kiosk.station import Station, begin
from kiosk.texts import load_texts
from records.entry import Entry, Kind

if TYPE_CHECKING:
    from kiosk.screens.window import KioskWindow
    from kiosk.shell.hall import HallStation


class Overrides(Struct, frozen=True):
    """Objects supplied by a test or a demo; None: build them from the settings."""

    screen: Screen | None = None
    factory: PinFactory | None = None
    inbox: Inbox[Input] | None = None


NO_OVERRIDES = Overrides()
_MORE_S: Final = 60
"""The most that startup takes besides reading the list."""


@contextmanager
def assembled(layered: Layered, machine: StationMachine, overrides: Overrides = NO_OVERRIDES) -> Iterator[Loop]:
    """Yield the loop of a live station, which draws in its first turn; close everything after. Raises TileclockError, LexiconError: a setting is unusable."""
    settings, inbox = layered.settings, overrides.inbox or Inbox[Input]()
    wanted = expected(settings.lexicon.alphabet or None, settings.lexicon.sha256 or None)
    choices = choices_of(settings)
    rulebook = rulebook_of(choices)
    with ExitStack() as stack:
        # The screen first, so that it is closed last: another thread may still wake it.
        screen = stack.enter_context(closing(overrides.screen or open_screen(settings)))
        # Without a screen, a station without pins is useless and must not wait for them.
        notifier = None if isinstance(screen, BlankScreen) else machine.supervisor.notifier
        opener = _opener(settings.board, inbox, overrides.factory)
        pins, retrying_pins = stack.enter_context(open_or_retry(opener, machine.clocks.now(), notifier))
        panel = None if pins is None else ButtonPanel(pins, machine.clocks.now())
        hall = _hall(settings, machine, inbox)
        log = stack.enter_context(_log(Path(settings.log.path), machine.clocks, hall))
        loader = _loader(Path(choices.in_force["lexicon"]), wanted, inbox, machine)
        open_lexicons = stack.enter_context(closing(OpenLexicons()))
        context = context_of(settings, choices.in_force, (rulebook, loader.first), tuple(_kept(divisions_of(layered), open_lexicons)))
        conditions = StationConditions(replace(context, power_off=machine.supervisor.power_off is not None))
        conditions.advise(log.news)
        conditions.advise(refused_settings(layered.refused), AdviceTopic.SETTINGS)
        context = conditions.advised()
        record = LogRecorder(log, machine.clocks, context.name, judges_on=settings.flow.judge_unlogged)
        catalogue = Catalogue((settings.rulebook, *settings.own_rulebooks, *(division.rulebook for division in settings.divisions)))
        parts = _Parts(record, conditions, choices, catalogue, loader, open_lexicons, inbox, machine, retrying_pins)
        handler = _effect_handler(layered, parts, stack)
        handler = handler if hall is None else replace(handler, line=hall.line)
        # Before the loop, whose first event may be a key switch that is on; this also shows whether the log can be written.
        record.write(_started(context, layered.refused))
        station = _begun(context, settings, log, machine.clocks, catalogue)
        front = Front(screen, PageMaker(settings.keyboard), panel, retrying_pins)
        loop = Loop(station, handler, front, inbox, machine, hall=hall)
        if log.news is not None:
            logbook().warning("log", found=log.news)
        stack.callback(loop.end)
        stack.enter_context(watch_power(inbox.put))
        yield loop


@contextmanager
def _log(path: Path, clocks: Clocks, hall: HallStation | None) -> Iterator[Log]:
    """Yield the log; close it, and then the hall's side, whose link still gets the last rows."""
    with ExitStack() as stack:
        if hall is not None:
            stack.enter_context(closing(hall))
        log = stack.enter_context(Log(path, clocks, None if hall is None else hall.committed))
        if hall is not None:
            hall.watch(log)
        yield log
    if hall is not None and log.trouble is None:
        # The hall may have read the file while the log closed it.
        merge_wal(path)


def _hall(settings: Settings, machine: StationMachine, inbox: Inbox[Input]) -> HallStation | None:
    """Return the station's side of the hall; None: this station reports to none."""
    if not settings.hall.enabled:
        return None
    from kiosk.shell.hall import HallStation  # noqa: PLC0415 - most stations have no hall, and these imports would slow their start

    return HallStation(settings, machine.clocks, inbox.put)


class _Parts(Struct, frozen=True):
    record: LogRecorder
    conditions: StationConditions
    choices: Choices
    catalogue: Catalogue
    loader: LexiconLoader
    open_lexicons: OpenLexicons
    inbox: Inbox[Input]
    machine: StationMachine
    retrying_pins: RetryingPins[BoardPins] | None


def _effect_handler(layered: Layered, parts: _Parts, stack: ExitStack) -> EffectHandler:
    settings, conditions = layered.settings, parts.conditions
    open_lexicons = parts.open_lexicons
    if isinstance(parts.loader.first, Loaded):
        open_lexicons.add(parts.loader.first)
    printer = stack.enter_context(printer_of(settings.printer))
    slips = Slips(printer, settings.printer.width, lambda texts: _imprint(conditions.newest(), parts.machine, texts))
    crashes = stack.enter_context(watched())

    def examine() -> tuple[SelfTestResult, ...]:
        from kiosk.doctor import Live, examine_live  # noqa: PLC0415 - the judge desk needs it long after the first page

        live = Live(
            lexicon=lambda: conditions.newest().trouble,
            log=lambda: parts.record.trouble,
            printer=lambda: slips.trouble,
            threads=lambda: crashes.summary,
            pins=lambda: None if parts.retrying_pins is None else parts.retrying_pins.why,
        )
        return examine_live(layered, live)

    judge_desk = JudgeDeskWork(
        places=Places(Path(settings.log.path), Path(settings.log.export), Path(settings.lexicon.folder)),
        texts=load_texts(settings.language),
        record=parts.record,
        open_lexicons=open_lexicons,
        conditions=conditions,
        catalogue=parts.catalogue,
        choices=parts.choices,
        loader=stack.enter_context(parts.loader),
        errands=stack.enter_context(Errands[Reported](parts.inbox.put)),
        examine=examine,
        power_off=parts.machine.supervisor.power_off,
    )
    return EffectHandler(
        parts.record, open_lexicons, judge_desk, slips.hand_over, lambda pin: bool(settings.door.pin) and matches(pin, settings.door.pin)
    )


def _kept(found: Iterable[tuple[Division, Loaded]], open_lexicons: OpenLexicons) -> Iterator[Division]:
    for division, loaded in found:
        open_lexicons.add(loaded)
        yield division


def _imprint(context: StationContext, machine: StationMachine, texts: Texts) -> Imprint:
    return Imprint(context.name, wall_time_text(machine.clocks.wall(), texts, MINUTES))


def _started(context: StationContext, refused: RejectedSettings | None) -> Entry:
    why = f"version {VERSION}" + ("" if refused is None else f"; settings not taken: {refused.why.problem}")
    return Entry(Kind.STARTED, rulebook=context.rulebook.id, lexicon=context.lexicon, why=why)


def _begun(context: StationContext, settings: Settings, log: Log, clocks: Clocks, catalogue: Catalogue) -> Station:
    now = clocks.now()
    return begin(context, lock_of(settings), now, tries_of(log), before(log, context, clocks, now, catalogue.find))


def _loader(path: Path, wanted: Expected, inbox: Inbox[Input], machine: StationMachine) -> LexiconLoader:
    """Return the loader after reading the first list; systemd gets a longer timeout, and a signal ends the program at once meanwhile."""
    if machine.supervisor.heartbeat is not None:
        machine.supervisor.heartbeat.extend_startup(LONGEST_S + _MORE_S)
    with exit_on_signals():
        return LexiconLoader(path, wanted, inbox.put)


def _opener(settings: BoardSettings, inbox: Inbox[Input], factory: PinFactory | None) -> Callable[[], BoardPins] | None:
    """Return a function that opens the pins; None if no pins are used."""
    # Load the board even without pins, so that a wrong name is reported now.
    board = None if settings.file == "none" else load_board(settings.file, STATION)
    library = opener_of(settings.pins, settings.chip, factory)
    if library is None or board is None:
        return None
    return lambda: BoardPins(board, library(), inbox.put)


def open_screen(settings: Settings) -> Screen:
    """Return the screen of the settings. Raises ScreenError: it is unavailable."""
    if settings.screen.kind == "none":
        return BlankScreen()
    return open_kiosk(settings)


def open_kiosk(settings: Settings) -> KioskWindow:
    """Return a window, or the whole panel in kiosk mode. Raises ScreenError: there is no display."""
    from kiosk.layout.placed import Options  # noqa: PLC0415 - pygame is not needed for no screen
    from kiosk.screens.window import KioskWindow  # noqa: PLC0415 - as above

    screen = settings.screen
    # The default is that of a panel on its side: one that stands upright has another.
    measured = None if screen.millimetres == ScreenSettings().millimetres else screen.millimetres
    options = Options(large_text=screen.large_text, left_handed=screen.left_handed, millimetres_wide=measured)
    size = (screen.width, screen.height)
    return KioskWindow(size, "Tilekiosk", fullscreen=screen.fullscreen, rotate=screen.rotate, options=options, locked=screen.fullscreen)
