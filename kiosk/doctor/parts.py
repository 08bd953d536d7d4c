"""Check the station's hardware: the screen, the board on its pins, the printer."""

from collections.abc import Callable, Iterator

from appliance.display.probe import Display, display_failure
from appliance.errors import BoardError, Diagnosis, Finding, PrinterError, counted, error_finding, note, ok
from faults.errors import TileclockError
from hardware.boards.board import STATION, load_board
from hardware.boards.pis import Pi
from hardware.buttons.self_test import Interview, check_library, check_opened
from hardware.electrics import check_wiring
from hardware.pins.opening import Opener
from hardware.settings import PrinterSettings
from kiosk.settings import BoardSettings, ScreenSettings


def check_screen(settings: ScreenSettings, probe: Callable[[], Display | Diagnosis], asked: str | None) -> Iterator[Finding]:
    """Yield a finding about the screen; ``asked`` is the SDL driver in the environment."""
    remedy = "Connect the screen and switch it on, and start as a user in the groups video, render and input."
    if settings.kind == "none":
        yield note("screen", "none is used: verdicts are invisible")
        return
    display = probe()
    yield display_failure(display, asked, remedy) or ok("screen", f"{display}, taken for {settings.millimetres:g} mm wide")


def check_pins(settings: BoardSettings, opener: Opener, pi: Pi | None = None, interview: Interview | None = None) -> Iterator[Finding]:
    """Yield findings about the board: its wiring on ``pi``, and its pins, opened and closed as by the station; ``interview`` None: only what is down."""
    unused = note("pins", "none are used: the adjudication key is on keyboard and screen")
    if settings.file == "none":
        yield unused
        return
    try:
        board = load_board(settings.file, STATION)
    except BoardError as error:
        yield error_finding("board file", error)
        return
    yield ok("board file", f"{board.id}: {counted(len(board.buttons), 'button')}, {counted(len(board.lamps), 'lamp')}")
    if settings.pins == "none":
        yield unused
        return
    yield from check_wiring(board, pi)
    try:
        factory = opener(settings.pins, chip=settings.chip or None)
        yield check_library(settings.pins, factory)
        yield from check_opened(board, factory, interview)
    except TileclockError as error:
        yield error_finding("pins", error)


def check_printer(settings: PrinterSettings) -> Iterator[Finding]:
    """Yield whether the printer answers, if there is one; many never answer, but print."""
    if not settings.port:
        yield note("printer", "there is none")
        return
    from hardware.printer.port import PrinterPort  # noqa: PLC0415 - a machine without a printer does without it

    port = PrinterPort(settings)
    try:
        yield (
            ok("printer", f"{settings.port}: ready")
            if port.check()
            else note("printer", f"{settings.port}: it does not answer, like many printers")
        )
    except PrinterError as error:
        yield error_finding("printer", error)
    finally:
        port.drop()
