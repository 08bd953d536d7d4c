"""Build and close the objects of a live clock: what it plays on (screen, pins, LED displays), and what plays. Nothing else builds them from the settings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from appliance.clocks import Clocks
from appliance.crash.record import read_record
from appliance.display.screen import BlankScreen
from appliance.errors import Finding, ScreenError
from appliance.log import get_logger
from appliance.power import watch_battery, watch_power
from appliance.program import NO_SUPERVISOR, Inbox, Supervisor
from appliance.records.files import REMEDY, only_writer
from appliance.settings import RejectedSettings
from appliance.version import VERSION
from firmware.face.cues import MELODIES
from firmware.gestures.clock_state import ClockState
from firmware.guided_test import Parts
from firmware.journal.receipt import read_receipt
from firmware.journal.recovery import WRONG_CODES, open_memory, parse_memory, record_path, wrong_codes
from firmware.journal.writer import JournalRecorder, JournalWriter, stamped
from firmware.menu.setup import Setup
from firmware.settings import BoardSettings, DeskFile, Settings, SteadySettings
from firmware.shell.clock import TableClock
from firmware.shell.loop import Input, Loop, examine_apart
from firmware.shell.notices import Notices
from firmware.shell.resume import Start, is_new, start
from firmware.shell.wear import WearLog
from firmware.texts import load_reasons, load_texts
from game.events import NewGame
from hardware.boards.board import CLOCK, load_board
from hardware.buttons.board_pins import BoardPins
from hardware.pins.contract import PinFactory
from records.journal import JOURNAL, Kind
from rules.contact import MS
from rules.rulebooks import load_rulebook, shipped_ids
from rules.side import BySide

if TYPE_CHECKING:
    from firmware.shell.hall import ClockDevice
    from firmware.shell.speech import Speech
    from hardware.tones import Tones


from firmware.screens.screen import Screen
from firmware.shell.displays import Displays, Lines, Signals, led_lines
from hardware.boards.board import Board
from hardware.boards.pis import this_pi
from hardware.buttons.steady import Steady
from hardware.pins.opening import open_or_retry, opener_of
from rules.side import Side


def board_of(settings: BoardSettings) -> Board:
    """Return the board of the settings, each button under the name of its work."""
    board = load_board(settings.file, CLOCK)
    return replace(board, buttons={settings.remap.get(name, name): pin for name, pin in board.buttons.items()})  # type: ignore[call-overload] # names are buttons


def shows(settings: Settings, screen: Screen) -> bool:
    return not isinstance(screen, BlankScreen) or any(line is not None for _, line in _lines(settings).items())


def _lines(settings: Settings) -> Lines:
    return led_lines(settings.led, load_board(settings.board.file, CLOCK), this_pi())


def screen_or_blank(settings: Settings, *, with_pins: bool) -> tuple[Screen, ScreenError | None]:
    """Return the screen of the settings; where it fails but pins and LED displays are enough to play, a blank one and the error. Raises ScreenError."""
    try:
        return open_screen(settings), None
    except ScreenError as error:
        if not (with_pins and shows(settings, BlankScreen())):
            raise
        return BlankScreen(), error


def open_screen(settings: Settings) -> Screen:
    """Raises ScreenError: the screen is unavailable."""
    if settings.screen.kind == "none":
        return BlankScreen()
    if settings.screen.kind == "terminal":
        from firmware.screens.terminal import TerminalScreen  # noqa: PLC0415 - pygame is not needed for a terminal

        return TerminalScreen(legend=load_texts(settings.language).say("terminal.legend"))
    from firmware.screens.layout import Arrangement  # noqa: PLC0415 - likewise
    from firmware.screens.window import WindowScreen  # noqa: PLC0415 - likewise

    side = Side(settings.screen.side) if settings.screen.layout == "single" else None
    shown = settings.screen
    return WindowScreen(
        (shown.width, shown.height),
        Arrangement(shown.layout),
        "Tileclock",
        fullscreen=shown.fullscreen,
        rotate=shown.rotate,
        side=side,
        digits_alone=shown.digits_alone,
    )


def _opener(settings: Settings, inbox: Inbox[Input], factory: PinFactory | None) -> Callable[[], BoardPins] | None:
    library = opener_of(settings.board.pins, settings.board.chip, factory)
    if library is None:
        return None
    # The buzzer is off at first: if its pin cannot be opened, the buttons still work.
    return lambda: BoardPins(board_of(settings.board), library(), inbox.put)


_OTHER_FILE: Final = f"{REMEDY} with --journal"


def setup_of(settings: Settings, *, power_off: bool = False) -> Setup:
    """Return the setup of a table; ``power_off``: the menu can switch the machine off. Raises TileclockError: something named in the settings is unusable."""
    named = dict.fromkeys((settings.rulebook, *shipped_ids(), *settings.own_rulebooks))
    two_button = load_board(settings.board.file, CLOCK).kind == "two-button"
    return Setup(
        two_button=two_button,
        rulebooks=tuple((name, load_rulebook(name)) for name in named),
        texts=load_texts(settings.language, two_button=two_button),
        reasons=load_reasons(),
        code=bool(settings.director.code),
        players_choose_rulebook=settings.director.players_choose_rulebook,
        results=settings.director.results == "clock",
        screen=settings.screen.kind != "none",
        power_off=power_off,
    )


@contextmanager
def assembled(  # noqa: PLR0913 - one parameter for each part of a clock
    settings: Settings,
    clocks: Clocks,
    factory: PinFactory | None = None,
    *,
    refused: RejectedSettings | None = None,
    supervisor: Supervisor = NO_SUPERVISOR,
    crash: Path | None = None,
    allowed_ns: int | None = None,
    desk: DeskFile | None = None,
    examine: Callable[[], Iterable[Finding]] = tuple,
) -> Iterator[Loop]:
    """Yield the loop of a live clock; close everything afterwards. Raises TileclockError: something named in the settings cannot be used.

    ``factory``: pins instead of those in the settings. ``refused``: why the machine's files are not in force, for the screen. ``crash``: the folder
    for data that survives a crash of the program; None: none is stored. ``allowed_ns``: each side's time in the first game; None: the rulebook's.
    ``desk`` keeps the settings that the director's desk orders; None: they last as long as this clock. ``examine``: what the guided test finds without a person.
    """
    setup = setup_of(settings, power_off=supervisor.power_off is not None)
    inbox: Inbox[Input] = Inbox()
    with ExitStack() as stack:
        # The screen first, so that it is closed last: a pin's thread may still wake it.
        screen, lost = screen_or_blank(settings, with_pins=factory is not None or settings.board.pins != "none")
        stack.enter_context(closing(screen))
        # Without a display that says why, a clock must not wait for its pins.
        waiting = supervisor.notifier if shows(settings, screen) else None
        pins, retrying_pins = stack.enter_context(open_or_retry(_opener(settings, inbox, factory), waiting))
        displays = stack.enter_context(closing(Displays(_lines(settings), inbox.put)))
        stack.enter_context(
            only_writer(Path(settings.journal.path), "a journal that no other clock writes to", _OTHER_FILE, JOURNAL.schema.application_id)
        )
        hall = _hall(settings, clocks, inbox)
        clock = stack.enter_context(
            _clock(settings, setup, inbox, clocks, pins=pins, crash=crash, allowed_ns=allowed_ns, hall=hall, examine=examine)
        )
        _note_what_is_missing(clock, clocks.now(), lost, refused)
        wear = WearLog(Path(settings.journal.path))
        clock.notices.worn = wear.worn
        stack.enter_context(watch_power(inbox.put))
        stack.enter_context(watch_battery(inbox.put))
        messages = None
        if hall is not None:
            from firmware.shell.hall_messages import hall_messages  # noqa: PLC0415 - as below

            messages = hall_messages(settings, clock, hall, clocks.now(), desk=desk, update=supervisor.update)
        yield Loop(
            clock,
            screen,
            pins,
            inbox,
            clocks,
            supervisor=supervisor,
            displays=displays,
            signals=Signals(
                clock.give_up, _tones(settings, stack), buzzer=settings.buzzer.enabled, each_ear=settings.sound.output == "earphones"
            ),
            wear=wear,
            retrying_pins=retrying_pins,
            speech=_speech(settings, stack),
            steady=_steady(settings.steady),
            hall=messages,
        )


def _tones(settings: Settings, stack: ExitStack) -> Tones | None:
    if settings.sound.output == "none":
        return None
    from hardware.tones import Tones  # noqa: PLC0415 - most clocks have no sound, and this import would slow their start

    melodies = {cue.value: melody for cue, melody in MELODIES.items()}
    return stack.enter_context(closing(Tones(melodies, settings.sound.device, settings.sound.volume)))


def _speech(settings: Settings, stack: ExitStack) -> Speech | None:
    if not settings.sound.speech:
        return None
    from firmware.shell.speech import Speech  # noqa: PLC0415 - as above
    from hardware.voice import Voice  # noqa: PLC0415 - as above

    return Speech(stack.enter_context(closing(Voice(settings.sound.volume))), map(Side, settings.sound.speech))


def _steady(settings: SteadySettings) -> Steady | None:
    return Steady(settings.press_ms * MS, settings.guard_ms * MS) if settings.press_ms or settings.guard_ms else None


def _note_what_is_missing(clock: TableClock, now: int, lost: ScreenError | None, refused: RejectedSettings | None) -> None:
    if lost is not None:
        clock.lose_screen(lost, now)
    if refused is not None:
        clock.refused(now, refused)


def _hall(settings: Settings, clocks: Clocks, inbox: Inbox[Input]) -> ClockDevice | None:
    if not settings.hall.enabled:
        return None
    from firmware.shell.hall import ClockDevice  # noqa: PLC0415 - most clocks have no hall, and these imports would slow their start

    return ClockDevice(settings.hall, Path(settings.journal.path), clocks, inbox.put)


@contextmanager
def _clock(  # noqa: PLR0913 - one parameter for each part of a clock
    settings: Settings,
    setup: Setup,
    inbox: Inbox[Input],
    clocks: Clocks,
    *,
    pins: BoardPins | None,
    crash: Path | None,
    allowed_ns: int | None,
    hall: ClockDevice | None,
    examine: Callable[[], Iterable[Finding]],
) -> Iterator[TableClock]:
    path = Path(settings.journal.path)
    history = None if crash is None else record_path(crash, path, clocks.boot())
    # First: this may wait until the sentinel has noted the end of the previous program.
    before = None if history is None else parse_memory(read_record(history), clocks.boot())
    now = clocks.now()
    new_game = NewGame(load_rulebook(settings.rulebook), settings.rulebook, BySide.both(allowed_ns))
    started = start(path, setup, new_game, stamped(clocks, now, now), before)
    notices = _notices(started, clocks.wall)
    with _recorder(path, started, clocks, now, inbox=inbox, history=history, hall=hall) as recorder:
        table = _recorded_start(recorder, started, settings, now)
        # Without its pins it would find all buttons missing.
        table = replace(table, test_asked=settings.director.first_test and pins is not None and is_new(started))
        down, receipts = () if pins is None else pins.down(), partial(read_receipt, path, inbox.put)
        yield TableClock(
            table,
            recorder,
            notices,
            now,
            down=down,
            code=settings.director.code,
            receipts=receipts,
            parts=_parts(settings),
            examine=partial(examine_apart, examine, inbox.put),
        )


_KEYBOARD: Final = dict.fromkeys(("left", "right", "centre"), "its key")


def _parts(settings: Settings) -> Parts:
    board = board_of(settings.board)
    beeps = board.buzzer is not None and settings.buzzer.enabled
    return Parts(
        _KEYBOARD if settings.board.pins == "none" else {name: str(pin) for name, pin in board.buttons.items()},
        panel=settings.screen.kind == "window",
        sound=beeps or settings.sound.output != "none",
        lamps=bool(board.lamps) and settings.board.pins != "none",
    )


@contextmanager
def _recorder(  # noqa: PLR0913 - what the journal's writer, its memory and the hall need
    path: Path, started: Start, clocks: Clocks, now: int, *, inbox: Inbox[Input], history: Path | None, hall: ClockDevice | None
) -> Iterator[JournalRecorder]:
    """Yield the journal's recorder, which first writes the rows that the previous program left; close the journal, the hall and the memory."""
    memory = None if history is None else open_memory(history)
    writer = JournalWriter(
        path,
        inbox.put,
        trouble=started.opened.trouble,
        games_seen=started.opened.trouble is None,
        memory=memory,
        end=started.end,
        now=clocks.now,
        on_rows=None if hall is None else hall.committed,
    )
    if hall is not None:
        hall.watch(writer)
    ended = False
    try:
        for rows in started.unwritten:
            writer.put(rows)
        if memory is not None:
            memory.settle()
        yield JournalRecorder(writer, clocks, started.game, started.recorded, memory)
        ended = True
    finally:
        written = writer.close()
        if not written:
            get_logger().error("not everything is in the journal", journal=str(path))
        if hall is not None:
            # Only now, so that its link still gets the last rows.
            hall.close()
        if memory is not None:
            memory.close(keep=not (ended and written))


def _recorded_start(recorder: JournalRecorder, started: Start, settings: Settings, now: int) -> ClockState:
    table = started.tables[-1]
    recorder.note(Kind.BOOT, table, now, {"version": VERSION, "board": settings.board.file, "pins": settings.board.pins})
    for each in started.tables:
        recorder.record(each, now)
    if started.note is not None:
        recorder.note(Kind.RECOVERED, table, now, started.note)
    aside = started.opened.set_aside
    wrong = wrong_codes(aside or Path(settings.journal.path), started.unwritten)
    if aside is not None and wrong:
        recorder.note(Kind.DOOR, table, now, {WRONG_CODES: wrong})
    return replace(table, wrong_codes=wrong, code_tried_at=now)


def _notices(started: Start, wall: Callable[[], str]) -> Notices:
    aside = started.opened.set_aside
    for problem in (
        started.opened.trouble,
        started.lost,
        None if aside is None else f"not usable ({started.opened.reason}), renamed to {aside}",
    ):
        if problem is not None:
            get_logger().warning("the journal has a problem", found=str(problem))
    return Notices(
        not_recorded=started.opened.trouble,
        set_aside=None if aside is None else aside.name,
        unusable=started.opened.reason or "",
        interruption=started.interruption,
        wall=wall,
        lost=started.lost,
    )
