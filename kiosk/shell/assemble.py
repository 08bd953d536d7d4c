"""Build and close the objects of a live station, and its initial state: its context with the divisions, and what its log knows of door, challenges and word judges.

Nothing else builds them from the settings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager, suppress
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from appliance.clocks import Clocks, Stamp, is_dated
from appliance.display.screen import BlankScreen
from appliance.errors import RecordError, SettingsError
from appliance.lock import FREE_TRIES
from appliance.log import get_logger as logbook
from appliance.power import watch_power
from appliance.process import exit_on_signals
from appliance.program import NO_SUPERVISOR, Inbox, Supervisor
from appliance.records import files
from appliance.settings import RejectedSettings
from appliance.texts import language_names
from appliance.version import VERSION
from faults.errors import Phrase
from hardware.boards.board import STATION, load_board
from hardware.buttons.board_pins import BoardPins
from hardware.pins.contract import PinFactory
from hardware.pins.opening import RetryingPins, open_or_retry, opener_of
from hardware.printer.spooler import SlipPrinter
from hardware.settings import PrinterSettings
from kiosk.challenge import timeouts
from kiosk.context import AdviceTopic, Division, JudgedBy, SelfTestResult, StationContext, Trouble
from kiosk.director import word_judge
from kiosk.director.door import Lock
from kiosk.face.view import PageMaker
from kiosk.lexicons.loading import Expected, LexiconLoader, Loaded, Proven, expected, load
from kiosk.lexicons.proof import LONGEST_S
from kiosk.log import Log, LogRecorder
from kiosk.settings import BoardSettings, Layered, ScreenSettings, Settings, SpeechSettings
from kiosk.shell.choices import Choices
from kiosk.shell.effect_handler import EffectHandler, StationConditions, Usable, refused_settings, usable
from kiosk.shell.judging import OpenLexicons
from kiosk.shell.loop import ButtonPanel, Loop, Screen
from kiosk.shell.threads import Errands, Input, Reported, watched
from kiosk.station import begin
from kiosk.texts import load_texts
from records.entry import Entry, Kind
from records.log import PROVEN, NotLogged, entry_of, is_used, reading, rows
from rules.rulebooks import Rulebook, RulebookError, load_rulebook
from rules.tables import tables_of

if TYPE_CHECKING:
    from kiosk.shell.hall import HallStation
    from kiosk.shell.speech import Speech


_CLOSES_S: Final = 4.0
_MORE_S: Final = 60
"""The most that startup takes besides reading the list."""


@contextmanager
def assembled(  # noqa: PLR0913 - the machine, and what a test or a demo supplies
    layered: Layered,
    clocks: Clocks,
    supervisor: Supervisor = NO_SUPERVISOR,
    *,
    screen: Screen | None = None,
    factory: PinFactory | None = None,
    inbox: Inbox[Input] | None = None,
) -> Iterator[Loop]:
    """Yield the loop of a live station, which draws in its first turn; close everything after. Raises TileclockError, LexiconError: a setting is unusable.

    ``screen``, ``factory`` and ``inbox`` are built from the settings unless given.
    """
    settings, inbox, path = layered.settings, inbox or Inbox[Input](), Path(layered.settings.log.path)
    wanted = expected(settings.lexicon.alphabet or None, settings.lexicon.sha256 or None)
    choices = Choices(settings)
    rulebook = rulebook_of(choices)
    with ExitStack() as stack:
        # The screen first, so that it is closed last: another thread may still wake it.
        screen = stack.enter_context(closing(screen or open_screen(settings)))
        # Without a screen, a station without pins is useless and must not wait for them.
        notifier = None if isinstance(screen, BlankScreen) else supervisor.notifier
        pins, retrying_pins = stack.enter_context(open_or_retry(_opener(settings.board, inbox, factory), notifier))
        panel = None if pins is None else ButtonPanel(pins, clocks.now())
        # Before the log, so that it is closed after it.
        hall = _hall(settings, clocks, inbox, stack)
        log = stack.enter_context(Log(path, clocks, None if hall is None else hall.committed))
        if hall is not None:
            hall.watch(log)
        proven = Proven(files.beside(path, PROVEN))
        loader = _loader(Path(choices.in_force["lexicon"]), wanted, inbox, supervisor, proven)
        open_lexicons = OpenLexicons()
        divisions = tuple(_open_divisions(layered, loader.first, open_lexicons, proven))
        context = context_of(settings, choices.in_force, (rulebook, loader.first), divisions)
        advice = {AdviceTopic.LOG: log.news, AdviceTopic.SETTINGS: refused_settings(layered.refused)}
        conditions = StationConditions(context.replace(power_off=supervisor.power_off is not None), advice)
        context = conditions.newest()
        record = LogRecorder(log, clocks, context.name, judges_on=settings.flow.judge_unlogged)
        rulebooks = partial(usable, (settings.rulebook, *settings.own_rulebooks, *(division.rulebook for division in settings.divisions)))
        printer = _slip_printer(settings.printer, stack)
        crashes = stack.enter_context(watched())
        handler = EffectHandler(
            settings=settings,
            clocks=clocks,
            texts=load_texts(settings.language),
            record=record,
            open_lexicons=open_lexicons,
            conditions=conditions,
            rulebooks=rulebooks,
            choices=choices,
            loader=stack.enter_context(loader),
            errands=stack.enter_context(closing(Errands[Reported](inbox.put))),
            printer=printer,
            examine=partial(_self_test, layered, conditions, record, printer, crashes, retrying_pins),
            power_off=supervisor.power_off,
            line=None if hall is None else hall.line,
        )
        # Before the loop, whose first event may be a key switch that is on; this also shows whether the log can be written.
        record.write(_started(context, layered.refused))
        now = clocks.now()
        loop = Loop(
            begin(
                context,
                lock_of(settings),
                now,
                tries_of(log),
                **before(log, context, clocks, now, rulebooks),
                first_test=settings.door.first_test and is_new(log),
            ),
            handler,
            screen,
            PageMaker(settings.keyboard),
            inbox,
            clocks,
            panel=panel,
            retrying_pins=retrying_pins,
            hall=hall,
            speech=_speech(settings.speech, stack),
            heartbeat=supervisor.heartbeat,
        )
        if log.news is not None:
            logbook().warning("the log has a problem", found=str(log.news))
        stack.callback(loop.end)
        stack.enter_context(watch_power(inbox.put))
        yield loop


def _open_divisions(layered: Layered, first: Loaded | Trouble, open_lexicons: OpenLexicons, proven: Proven) -> Iterator[Division]:
    for division, loaded in divisions_of(layered, proven):
        open_lexicons.add(loaded)
        yield division
    if isinstance(first, Loaded):
        open_lexicons.add(first)


def _started(context: StationContext, refused: RejectedSettings | None) -> Entry:
    rejected = "" if refused is None else f"; settings not taken: {refused.why.problem}"
    return Entry(Kind.STARTED, rulebook=context.rulebook.id, lexicon=context.lexicon, why=f"version {VERSION}{rejected}")


def _slip_printer(slips: PrinterSettings, stack: ExitStack) -> SlipPrinter | None:
    if not slips.port:
        return None
    printer = SlipPrinter(slips)
    stack.callback(printer.close, _CLOSES_S)
    return printer


def _hall(settings: Settings, clocks: Clocks, inbox: Inbox[Input], stack: ExitStack) -> HallStation | None:
    if not settings.hall.enabled:
        return None
    from kiosk.shell.hall import HallStation  # noqa: PLC0415 - most stations have no hall, and these imports would slow their start

    return stack.enter_context(closing(HallStation(settings, clocks, inbox.put)))


def _speech(settings: SpeechSettings, stack: ExitStack) -> Speech | None:
    if not settings.enabled:
        return None
    from hardware.tones import Tones  # noqa: PLC0415 - most stations are silent, and these imports would slow their start
    from hardware.voice import Voice  # noqa: PLC0415 - as above
    from kiosk.shell.speech import Speech  # noqa: PLC0415 - as above

    tones = stack.enter_context(closing(Tones({}, settings.device, settings.volume)))
    return Speech(tones, stack.enter_context(closing(Voice(settings.volume))), verdict=settings.verdict)


def _self_test(  # noqa: PLR0913, PLR0917 - what a running station knows about itself
    layered: Layered,
    conditions: StationConditions,
    record: LogRecorder,
    printer: SlipPrinter | None,
    crashes: list[str],
    retrying_pins: RetryingPins[BoardPins] | None,
) -> tuple[SelfTestResult, ...]:
    from kiosk.doctor import Live, examine_live  # noqa: PLC0415 - the judge desk needs it long after the first page

    ailing = None if printer is None else printer.trouble
    missing = None if retrying_pins is None else retrying_pins.why
    return examine_live(layered, Live(conditions.newest().trouble, record.trouble, ailing, "; ".join(crashes) or None, missing))


def _loader(path: Path, wanted: Expected, inbox: Inbox[Input], supervisor: Supervisor, proven: Proven) -> LexiconLoader:
    """Return the loader after reading the first list; systemd gets a longer timeout, and a signal ends the program at once meanwhile."""
    if supervisor.heartbeat is not None:
        supervisor.heartbeat.extend_startup(LONGEST_S + _MORE_S)
    with exit_on_signals():
        return LexiconLoader(path, wanted, inbox.put, proven=proven)


def _opener(settings: BoardSettings, inbox: Inbox[Input], factory: PinFactory | None) -> Callable[[], BoardPins] | None:
    # Load the board even without pins, so that a wrong name is reported now.
    board = None if settings.file == "none" else load_board(settings.file, STATION)
    library = opener_of(settings.pins, settings.chip, factory)
    return None if library is None or board is None else lambda: BoardPins(board, library(), inbox.put)


def open_screen(settings: Settings) -> Screen:
    """Return a window, or the whole panel in kiosk mode; or no screen. Raises ScreenError: there is no display."""
    if settings.screen.kind == "none":
        return BlankScreen()
    from kiosk.layout.placed import Options  # noqa: PLC0415 - pygame is not needed for no screen
    from kiosk.screens.window import KioskWindow  # noqa: PLC0415 - as above

    screen = settings.screen
    # The default is that of a panel on its side: one that stands upright has another.
    measured = None if screen.millimetres == ScreenSettings().millimetres else screen.millimetres
    options = Options(large_text=screen.large_text, left_handed=screen.left_handed, millimetres_wide=measured)
    size = (screen.width, screen.height)
    return KioskWindow(size, "Tilekiosk", fullscreen=screen.fullscreen, rotate=screen.rotate, options=options, locked=screen.fullscreen)


def divisions_of(layered: Layered, proven: Proven | None = None) -> Iterator[tuple[Division, Loaded]]:
    """Yield each division with its list. Raises RulebookError or SettingsError, which names settings, tables and list."""
    lists: dict[str, Loaded] = {}
    for division in layered.settings.divisions:
        if division.lexicon not in lists:
            found = load(division.lexicon, proven=proven)
            if isinstance(found, Trouble):
                origin = layered.origins.get("divisions", "")
                raise SettingsError(
                    where=f"{origin}: divisions" if origin else "divisions",
                    expected=Phrase("the list of {division}, tables {tables}", division=division.name, tables=division.tables),
                    found=found.what.problem,
                    remedy=found.what.remedy,
                )
            lists[division.lexicon] = found
        loaded = lists[division.lexicon]
        by = JudgedBy(load_rulebook(division.rulebook), loaded.name, loaded.spelling)
        yield Division(tables_of(division.tables), by), loaded


def rulebook_of(choices: Choices) -> Rulebook:
    """Return the rulebook in force: the chosen one, or the settings' if the chosen one is unusable. Raises RulebookError: neither is usable."""
    chosen = choices.in_force["rulebook"]
    try:
        return load_rulebook(chosen)
    except RulebookError as error:
        choices.forget("rulebook")
        if (named := choices.in_force["rulebook"]) == chosen:
            raise
        logbook().warning("the chosen rulebook is unusable; that of the settings counts", why=str(error))
        return load_rulebook(named)


def context_of(
    settings: Settings, force: Mapping[str, str], own: tuple[Rulebook, Loaded | Trouble], divisions: tuple[Division, ...]
) -> StationContext:
    load_texts(settings.language)
    rulebook, found = own
    loaded = found if isinstance(found, Loaded) else None
    return StationContext(
        name=force["name"],
        rulebook=rulebook,
        lexicon=None if loaded is None else loaded.name,
        spelling=None if loaded is None else loaded.spelling,
        trouble=found if isinstance(found, Trouble) else None,
        limits=settings.flow,
        language=settings.language,
        languages=language_names(),
        divisions=divisions,
    )


def lock_of(settings: Settings) -> Lock:
    return Lock(settings.door.pin, key=settings.door.key_switch and settings.board.pins != "none")


def tries_of(log: Log) -> int:
    """Return the number of wrong PINs since the door was last opened. Call it after an attempt to write a row.

    A log that was renamed, or cannot be read or written, does not tell. Then return enough to shut the door, and each further one shuts it longer:
    otherwise filling the disk would allow a few guesses after each restart.
    """
    try:
        known = log.door_refusals()
    except NotLogged:
        known = 0
    return known if log.news is None and log.trouble is None else max(known, FREE_TRIES + 1)


def is_new(log: Log) -> bool:
    """Return whether the log is whole, and tells of no challenge and no guided test yet. Call it after an attempt to write a row."""
    with suppress(RecordError), reading(log.path) as connection:
        return (log.news, log.trouble) == (None, None) and not is_used(connection)
    return False


def before(log: Log, context: StationContext, clocks: Clocks, at: int, rulebooks: Usable) -> dict[str, Any]:
    """Return, as arguments of ``begin``, the unfinished challenges of the log at ``at`` (ns): a play between two word judges, challenges to repeat, verdicts to show once more.

    Nothing if the log cannot be read.
    """
    try:
        last = [(stored, entry_of(stored)) for stored in rows(log.path, None, timeouts.LAST) if stored.row.kind != Kind.SIGNED]
    except RecordError:
        return {}
    judged = word_judge.unfinished(
        [(stored.seq, entry) for stored, entry in last[: word_judge.LAST]], context, at + word_judge.REMEMBERED_NS
    )
    aged = [timeouts.Aged(stored.seq, entry, _age(stored.row.stamp, clocks, at)) for stored, entry in reversed(last)]

    def by(entry: Entry) -> JudgedBy | None:
        return _judged_by(entry, context, rulebooks)

    return {
        "opinions": () if judged is None else (judged,),
        "open_": timeouts.reopened(aged, context.limits, at, by),
        "verdicts": timeouts.verdicts_in(aged, at, by),
    }


def _judged_by(entry: Entry, context: StationContext, rulebooks: Usable) -> JudgedBy | None:
    lists = [context.by, *(division.by for division in context.divisions)]
    wanted = None if entry.lexicon is None else entry.lexicon.sha256
    of_list = next((by for by in lists if by.lexicon is not None and by.lexicon.sha256 == wanted), None)
    found = next((rulebook for _, rulebook in rulebooks() if rulebook.id == entry.rulebook), None)
    return None if of_list is None or found is None else JudgedBy(found, of_list.lexicon, of_list.spelling)


def _age(stamp: Stamp, clocks: Clocks, at: int) -> int:
    """Return how long ago ``stamp`` was, in ns; for another boot, by the wall clock.

    Zero if the wall clock is behind, as on a Pi without a battery, or if only one of the times has a date, so that their distance is unknown.
    """
    if stamp.boot == clocks.boot():
        return max(0, at - stamp.mono)
    wall = clocks.wall()
    if is_dated(wall) is not is_dated(stamp.wall):
        return 0
    passed = datetime.fromisoformat(wall) - datetime.fromisoformat(stamp.wall)
    return max(0, passed // timedelta(microseconds=1) * 1000)
