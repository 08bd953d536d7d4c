"""All checks in order, on this machine or on one that a test describes: of what is connected, and of the place where the clock keeps its games.

The pins are opened as by the live clock, and closed before the caller gets the last finding. An LED display sends nothing back: only eyes can tell
whether one is connected and whether every segment lights, so on request all are lit for a builder to tell them apart.
"""

import ctypes
import os
import shutil
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from msgspec import Struct

from appliance.clocks import boot_id, local_time
from appliance.crash.record import crash_folder
from appliance.display.probe import Display, display_failure
from appliance.display.sdl import INVISIBLE, is_bare
from appliance.errors import (
    BoardError,
    Diagnosis,
    Finding,
    LedError,
    NoCrashFolder,
    PinLibraryMissing,
    PinUnavailable,
    counted,
    error_finding,
    fail,
    note,
    ok,
)
from appliance.power import REMEDY, check_battery
from appliance.records.files import SIDECARS, beside
from appliance.records.sqlite import describe_io_error, is_full
from appliance.settings import check_settings
from appliance.texts import check_texts
from faults.errors import TileclockError
from firmware.journal.recovery import PROGRAM
from firmware.journal.writer import Store
from firmware.screens.terminal import block_rows
from firmware.settings import BoardSettings, Layered, ScreenSettings
from firmware.shell.clock import TOO_WEAK
from firmware.shell.displays import Lines, led_lines
from firmware.shell.wear import load_wear, worn_buttons
from firmware.texts import load_texts
from game.exact_json import decode
from hardware.boards.board import CLOCK, Board, load_board
from hardware.buttons.self_test import Interview, check_library, check_opened
from hardware.doctor import Bench, check_machine, check_speech
from hardware.electrics import check_wiring
from hardware.led.module import LedModule
from hardware.led.picture import ALL_LIT, Picture, cells, lit, still
from hardware.pins.opening import Opener
from hardware.settings import LedLine
from records.journal import JOURNAL, GameStamp, Kind, Row, notes_since, reading
from rules.contact import MS
from rules.duration import NS
from rules.rulebooks.load import check_rulebooks
from rules.side import Side

# The remedy concerns the wires first, then the settings.
_WAY_OUT: Final = "; only where no plug can be moved, turn them round with board.remap"


def check_pins(
    board: Board | None, settings: BoardSettings, opener: Opener, interview: Interview | None, *, buzzer: bool
) -> Iterator[Finding]:
    """Yield findings about the pins of ``board`` (None: unreadable); ``interview`` asks for a press of each button, None: check only which are down."""
    if settings.pins == "none":
        yield note("pins", "none are used: keyboard and mouse play the clock")
        return
    try:
        factory = opener(settings.pins, chip=settings.chip or None)
    except PinLibraryMissing as error:
        yield error_finding("pin library", error)
        return
    except PinUnavailable as error:
        yield error_finding("pins", error)
        return
    yield check_library(settings.pins, factory)
    if board is None:
        factory.close()
        yield note("pins", "not checked, because the board file is unusable")
        return
    yield from check_opened(board, factory, interview, buzzer=buzzer, way_out=_WAY_OUT)


LETTERS: Final = {Side.LEFT: "L", Side.RIGHT: "r"}


class Parade(Struct, frozen=True):
    """How to show the displays to a person; times in s."""

    show_text: Callable[[str], None]
    wait: Callable[[float], None] = time.sleep
    all_s: float = 6.0
    letters_s: float = 12.0


def check_led(lines: Lines, parade: Parade | None) -> Iterator[Finding]:
    """Yield findings about the displays' ports, none if no display is expected; ``parade`` lights every segment, then the letter of each side."""
    there: dict[Side, LedLine] = {}
    for side, line in lines.items():
        if line is not None:
            finding = _port(side, line)
            yield finding
            if not finding.fix:
                there[side] = line
    if parade is None:
        return
    if there:
        yield _shown(there, parade)
    elif not any(line for _, line in lines.items()):
        yield fail(
            "LED displays", "none are set up", "Use a board that has them (--board two-display), or name their ports: led.left, led.right."
        )


def _port(side: Side, line: LedLine) -> Finding:
    # Imported here, so that a clock without LED displays needs no pyserial.
    from hardware.led.port import port_of  # noqa: PLC0415

    name = f"LED display {side}"
    try:
        with closing(port_of(side.value, line)) as port:
            port.open()
            return ok(name, f"{port.port} {'answers' if line.on_i2c else 'can be opened'}; to see its display: tileclock doctor --led")
    except LedError as error:
        return error_finding(name, error)


def _shown(lines: dict[Side, LedLine], parade: Parade) -> Finding:
    modules = {side: LedModule(side.value, line) for side, line in lines.items()}
    _let_see(modules, dict.fromkeys(modules, still(ALL_LIT)))
    parade.show_text(
        f"For {parade.all_s:g} s every segment, point, colon and apostrophe of each LED display is lit: look for one that is dark."
    )
    parade.wait(parade.all_s)
    _let_see(modules, {side: still(lit(cells(LETTERS[side]))) for side in modules})
    parade.show_text(
        f"For {parade.letters_s:g} s L shows on the display that faces the left player, r on the right player's, at the left of each."
    )
    parade.wait(parade.letters_s)
    for module in modules.values():
        module.close()
    return note(
        "LED displays",
        "if L was on the right, swap led.left and led.right; a display that stayed dark has no power, or its RX (SDA, SCL) is not wired",
    )


def _let_see(modules: dict[Side, LedModule], pictures: dict[Side, Picture]) -> None:
    for side, module in modules.items():
        module.show(pictures[side])


COLUMNS: Final = 2 * (len(block_rows("-88:88")[0]) + 2 + 4)
"""The width of the terminal's picture: two halves, each with the widest reading, a blank on either side, and a frame with margins."""
ROWS: Final = 24


def check_screen(
    settings: ScreenSettings,
    probe: Callable[[], Display | Diagnosis],
    terminal: Callable[[], tuple[int, int] | None],
    environment: Mapping[str, str],
) -> Iterator[Finding]:
    """Yield findings about the screen; ``terminal``: its columns and rows, None without one; ``environment`` may select an invisible driver."""
    if settings.kind == "none":
        yield note("screen", "none is used")
    elif settings.kind == "terminal":
        yield _terminal(terminal())
    else:
        yield _window(settings, probe(), environment.get("SDL_VIDEODRIVER"))


def terminal_size() -> tuple[int, int] | None:
    try:
        size = os.get_terminal_size(sys.stdout.fileno()) if sys.stdout.isatty() else None
    except (OSError, ValueError):  # no terminal, or closed
        return None
    return None if size is None else (size.columns, size.lines)


def _terminal(size: tuple[int, int] | None) -> Finding:
    if size is None:
        return fail("screen", "standard output is not a terminal", "Start the clock from a console or an ssh session, without a pipe.")
    found = f"a terminal of {size[0]} columns and {size[1]} rows"
    if size[0] < COLUMNS or size[1] < ROWS:
        return fail("screen", found, f"Enlarge the terminal to at least {COLUMNS} columns and {ROWS} rows, or use smaller letters.")
    return ok("screen", found)


def _window(settings: ScreenSettings, display: Display | Diagnosis, asked: str | None) -> Finding:
    remedy = "Connect the screen and switch it on, start from its own desktop or console as a user in the groups video and render, or use --screen terminal."
    failure = display_failure(display, asked, remedy)
    if failure is not None:
        return failure
    assert not isinstance(display, Diagnosis)  # noqa: S101 - that is a failure
    if display.driver in INVISIBLE:
        return note("screen", f"SDL_VIDEODRIVER={asked}: the clock draws invisibly")
    found = str(display)
    if not settings.fullscreen and not is_bare(display.driver) and (settings.width > display.width or settings.height > display.height):
        return note("screen", f"{found}; the window of {settings.width}x{settings.height} does not fit on it")
    return ok("screen", found)


COMMITS: Final = 12
MIB: Final = 1 << 20
ROOM: Final = 16 * MIB
"""Less free space is a failure: the journal's WAL alone may grow to 4 MiB (``journal_size_limit``) and is written twice."""
AMPLE: Final = 256 * MIB
SLOW_NS: Final = 200 * MS
TOO_SLOW_NS: Final = NS
"""A mark is due each second and must be durable before the next."""


def check_disk(
    path: Path, now: Callable[[], int], free: Callable[[Path], int] = lambda folder: shutil.disk_usage(folder).free
) -> Iterator[Finding]:
    """Yield findings about the disk of the journal at ``path``, which need not exist; ``now``: CLOCK_MONOTONIC, ns; ``free``: a folder's free bytes."""
    folder = next(each for each in path.absolute().parents if each.exists())
    try:
        _require_writable(path)
        commits = time_commits(folder, now)
    except (OSError, sqlite3.Error) as error:
        why = describe_io_error(error)
        fix = _how_to_free_space(path) if is_full(error) else f"{why.remedy}, or choose another place with --journal."
        yield fail("journal folder", f"{folder} cannot be written to: {why.problem}", fix)
    else:
        there = f"{folder} can be written to"
        yield (
            ok("journal folder", there)
            if folder == path.absolute().parent
            else note("journal folder", f"{there}; the rest of {path.parent} is created there")
        )
        yield _speed(commits)
        yield _space(free(folder), path)


def check_journal(path: Path) -> Iterator[Finding]:
    return JOURNAL.check(
        path,
        set_aside="Copy it to a safe place; at the next start the clock renames it and begins a new one.",
        doubted="Copy it to a safe place and ask who had access to it: the clock continues with it, but its older games are in doubt.",
        unreadable="Choose another file with --journal",
    )


def time_commits(folder: Path, now: Callable[[], int]) -> tuple[int, ...]:
    """Return the times (ns) of several commits of one row in ``folder``. Raises OSError, sqlite3.Error: the folder is not writable."""
    stamp = GameStamp(0, 0, "", "")
    row = Row(Kind.NOTE, 0, None, 0, 0, "", "", "{}")
    took = []
    with tempfile.TemporaryDirectory(prefix=".tileclock-doctor-", dir=folder) as scratch:
        store = Store(Path(scratch) / "trial.db")
        try:
            for _ in range(COMMITS):
                begun = now()
                store.append((row,), stamp)
                took.append(now() - begun)
        finally:
            store.close()
    return tuple(took)


def _require_writable(path: Path) -> None:
    for each in (path, *(beside(path, suffix) for suffix in SIDECARS)):
        if each.exists() and not os.access(each, os.W_OK):
            raise PermissionError(f"{each.name} exists and cannot be written to")


def _speed(commits: tuple[int, ...]) -> Finding:
    usual, worst = sorted(commits)[len(commits) // 2], max(commits)
    found = f"a commit takes {_ms(usual)}, the slowest of {len(commits)} took {_ms(worst)}"
    if worst > TOO_SLOW_NS:
        return fail("commits", found, "Use another card or disk, or stop other programs that write to it: a commit must end within 1 s.")
    if worst > SLOW_NS:
        return note("commits", f"{found}: slow; after a power cut that much more is uncertain")
    return ok("commits", found)


def _ms(ns: int) -> str:
    return f"{ns // MS}.{ns % MS * 10 // MS} ms"


def _space(free: int, path: Path) -> Finding:
    found = f"{free // MIB} MiB free"
    if free < ROOM:
        return fail("disk space", found, f"{ROOM // MIB} MiB at least must be free. {_how_to_free_space(path)}")
    return (ok if free >= AMPLE else note)("disk space", found)


def _how_to_free_space(path: Path) -> str:
    """Return how to free space on the journal's disk: the clock never deletes games, not even through its menu."""
    return (
        "Ask the clock's administrator to stop it (`sudo systemctl stop tileclock`), export its games to another disk "
        f"(`sudo tileclock journal export -o FILE --journal {path}`), move {path} and the files {path.name}-* elsewhere, and start it again: "
        "it begins a new journal. Without a shell, do this with the card in another Linux machine."
    )


def check_wear(journal: Path) -> Iterator[Finding]:
    """Yield which buttons have changed since their first games, by the counts beside ``journal``; nothing without counts."""
    known = load_wear(journal)
    found = worn_buttons(known)
    for each in found:
        yield note(f"wear of {each.button}", f"{each.words}. Replace it before it loses a press")
    if known and not found:
        yield ok("wear of buttons", f"no change since their first games: {', '.join(sorted(known))}")


LATELY: Final = timedelta(days=1)


def check_weak_power(path: Path, wall: datetime) -> Iterator[Finding]:
    """Yield a finding if the voltage was too low within the last day before ``wall`` (UTC), by the journal at ``path``."""
    since, until = ((wall - ago).isoformat(timespec="milliseconds") for ago in (LATELY, timedelta()))
    try:
        with reading(path) as connection:
            weak = [stored.row.wall for stored in notes_since(connection, since) if stored.row.wall <= until and _is_weak(stored.row.body)]
    except (TileclockError, sqlite3.Error):
        # The check of the journal reports its faults.
        return
    if weak:
        last = local_time(datetime.fromisoformat(weak[-1]))
        yield note(
            "power lately",
            f"the voltage was too low {counted(len(weak), 'time')} in the last 24 hours, most recently {last}, according to the journal. {REMEDY}",
        )


def _is_weak(body: str) -> bool:
    try:
        return decode(body).get("power") == TOO_WEAK
    except ValueError:
        return False


def check_crash_folder(environment: Mapping[str, str]) -> Iterator[Finding]:
    try:
        folder = crash_folder(PROGRAM, environment)
    except NoCrashFolder as error:
        yield note("crash record", f"there is no folder for it: a crash of the program loses as much as a power cut ({error})")
    else:
        yield ok("crash record", f"in {folder}: a crash of the program loses no time and no row")


_UNSYNCHRONISED: Final = 0x0040
_PPM: Final = 1 << 16
"""The kernel's frequency is in 2^-16 ppm."""
_USUAL_TICK_US: Final = 10_000
_TICK_PPM: Final = 100
"""What a change of the tick by 1 us comes to. chrony uses it for a large correction."""
EXACT_PPM: Final = 20
"""What a clock may be off: 1 s in 14 hours."""


class Timex(ctypes.Structure):
    """The kernel's ``struct timex`` (adjtimex(2)) as far as it is read, and room for the rest.

    systemd-timesyncd, chrony and ntpsec measure the crystal against their servers and have the kernel make up for it. CLOCK_MONOTONIC, by which a game counts, is
    corrected too.
    """

    _fields_ = (
        ("modes", ctypes.c_uint),
        ("offset", ctypes.c_long),
        ("freq", ctypes.c_long),
        ("maxerror", ctypes.c_long),
        ("esterror", ctypes.c_long),
        ("status", ctypes.c_int),
        ("constant", ctypes.c_long),
        ("precision", ctypes.c_long),
        ("tolerance", ctypes.c_long),
        ("time", ctypes.c_long * 2),
        ("tick", ctypes.c_long),
        ("rest", ctypes.c_long * 32),
    )


class Correction(Struct, frozen=True):
    ppm: float
    """How much faster than its crystal the kernel makes this machine's time go."""
    synchronised: bool


def correction() -> Correction | None:
    """Return what the kernel corrects now; None: it does not say."""
    found = Timex()
    if ctypes.CDLL(None, use_errno=True).adjtimex(ctypes.byref(found)) < 0:
        return None
    return correction_of(found)


def correction_of(found: Timex) -> Correction:
    ppm = (found.tick - _USUAL_TICK_US) * _TICK_PPM + found.freq / _PPM
    return Correction(ppm, not found.status & _UNSYNCHRONISED)


def check_rate(found: Correction | None) -> Iterator[Finding]:
    """Yield how fast the crystal is, as the time service has measured it; not synchronised: as it was last known."""
    if found is None or (not found.synchronised and not found.ppm):
        yield note("clock rate", "not measured here: it takes a time server, or a hall, whose desk shows it on the Devices page")
        return
    said = f"the crystal is {abs(found.ppm):.1f} ppm {'slow' if found.ppm > 0 else 'fast'}, and the kernel makes up for it"
    said += "" if found.synchronised else "; as last known, for no time server is in reach"
    yield (ok if abs(found.ppm) <= EXACT_PPM else note)("clock rate", said)


def check_boot(boot: Callable[[], str]) -> Iterator[Finding]:
    """Yield whether the boot's id is readable: it tells time before a power cut from time after it."""
    try:
        found = boot()
    except OSError as error:
        yield fail("boot id", str(error), "Mount /proc for the clock; in a service, leave out ProcSubset=pid.")
        return
    yield ok("boot id", f"{found[:8]}...")


def check_board(file: str) -> tuple[Board | None, Finding]:
    try:
        board = load_board(file, CLOCK)
    except BoardError as error:
        return None, error_finding("board file", error)
    parts = [counted(len(board.buttons), "button"), counted(len(board.lamps), "lamp"), "a buzzer" if board.buzzer else "no buzzer"]
    return board, ok("board file", f"{board.id}: {board.title}; {', '.join(parts)}")


class Machine(Bench, frozen=True):
    now: Callable[[], int] = time.monotonic_ns
    boot: Callable[[], str] = boot_id
    correction: Callable[[], Correction | None] = correction
    terminal: Callable[[], tuple[int, int] | None] = terminal_size


THIS_MACHINE: Final = Machine()


def examine(
    layered: Layered, interview: Interview | None = None, machine: Machine = THIS_MACHINE, parade: Parade | None = None
) -> Iterator[Finding]:
    """Yield the findings in the order in which a person would look; ``interview`` asks for presses and ``parade`` lights the displays, None: neither."""
    settings = layered.settings
    yield check_settings(layered)
    yield from check_rulebooks(settings.rulebook, settings.own_rulebooks)
    yield check_texts(settings.language, load_texts)
    board, finding = check_board(settings.board.file)
    yield finding
    yield from check_pins(board, settings.board, machine.opener, interview, buzzer=settings.buzzer.enabled)
    if board is not None:
        pi = machine.pi()
        if settings.board.pins != "none":
            yield from check_wiring(board, pi)
        yield from check_led(led_lines(settings.led, board, pi), parade)
    yield from examine_running(Path(settings.journal.path), machine)
    yield from check_speech(settings.language, speaks=bool(settings.sound.speech))
    yield from check_screen(settings.screen, machine.probe, machine.terminal, machine.environment)


def examine_running(journal: Path, machine: Machine = THIS_MACHINE) -> Iterator[Finding]:
    """Yield what can be examined beside a running clock too, and without a person: time, power, the disk of ``journal``."""
    yield from check_boot(machine.boot)
    yield from check_machine(machine, "the journal's dates")
    yield from check_rate(machine.correction())
    yield from check_battery(machine.system)
    yield from check_weak_power(journal, machine.wall())
    yield from check_disk(journal, machine.now)
    yield from check_journal(journal)
    yield from check_wear(journal)
    yield from check_crash_folder(machine.environment)
