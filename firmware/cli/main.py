"""``tileclock``: the command, its verbs, and the sources and options of the settings."""

from __future__ import annotations

import gc
import re
import sqlite3
import sys
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final

import click

from appliance.cli.config import SettingsSource, config_group, docs, from_checkout, print_hashed, report_findings
from appliance.cli.options import expect_option, key_option, not_empty
from appliance.process import fast_startup
from faults.endings import printable
from faults.guard import Guarded
from hardware.boards.board import CLOCK
from hardware.pinout_command import board_commands

if TYPE_CHECKING:
    from appliance.records.chain import ChainLink
    from firmware.menu.setup import Setup
    from firmware.settings import Layered, Settings
    from records.journal import Row

SETTINGS: Final[SettingsSource[Settings]] = SettingsSource(
    "tileclock",
    "firmware.settings",
    "/etc/tileclock/clock.toml",
    (
        ("--rulebook", "rulebook", str, "The rulebook of the first game: an id (see `tileclock rulebooks`) or a file."),
        ("--language", "language", str, "The language of the screen."),
        ("--board", "board.file", str, "A shipped board (full, two-button, two-display, two-display-i2c) or a board file."),
        ("--pins", "board.pins", str, "The pin library: gpiod, rpigpio, mock, or none for keyboard and mouse."),
        ("--screen", "screen.kind", str, "window, terminal or none."),
        ("--layout", "screen.layout", str, "facing, side_by_side or single."),
        ("--side", "screen.side", str, "Whose half a single screen shows: left or right."),
        ("--fullscreen/--windowed", "screen.fullscreen", bool, "Cover the whole screen, or use a window."),
        ("--rotate", "screen.rotate", int, "Rotate picture and touches clockwise: 0, 90, 180 or 270 degrees."),
        ("--width", "screen.width", int, "Width of the window in pixels."),
        ("--height", "screen.height", int, "Height of the window in pixels."),
        ("--led-on/--led-off", "led.enabled", bool, "Use the LED displays, or not."),
        ("--led-left", "led.left", str, "The port of the left player's LED display, or a pattern."),
        ("--led-right", "led.right", str, "The port of the right player's LED display, or a pattern."),
        ("--led-brightness", "led.brightness", int, "Brightness of the LED displays, 0 to 100."),
        ("--journal", "journal.path", str, "The journal's file."),
        ("--buzzer/--no-buzzer", "buzzer.enabled", bool, "Sound the buzzer, or not."),
    ),
)


def _path(context: click.Context, parameter: click.Parameter, given: str | None) -> Path:
    """Return the given journal, by default the one in the clock's settings."""
    from appliance.errors import NoRecord
    from appliance.records.files import is_missing

    if not_empty(context, parameter, given) is not None:
        return Path(str(given))
    named = Path(SETTINGS.in_force().settings.journal.path)
    if is_missing(named):
        remedy = "Name another one with --journal, or start the clock, which creates it: tileclock run"
        raise NoRecord(where=named, expected="a journal", found="no such file", remedy=remedy)
    return named


_OPTION = click.option(
    "--journal", "path", callback=_path, metavar="PATH", help="The journal's file; by default the one in the clock's settings."
)


@click.group()
def journal() -> None:
    """Read the journal: games, their events, an export as a script, the hash chain.

    The journal is never changed; the clock may be running.
    """


@journal.command("list")
@_OPTION
def list_games(path: Path) -> None:
    """List the games: number, wall time, rulebook, state or reason of the end, both readings."""
    from records.commands import checked
    from records.journal import JOURNAL, games
    from records.words import title
    from rules.rulebooks import load_rulebook

    with checked(JOURNAL, path) as connection:
        for rows in games(connection):
            click.echo(title(rows, load_rulebook))


@journal.command("show")
@click.argument("game", type=int, required=False)
@_OPTION
def show_game(game: int | None, path: Path) -> None:
    """Show every row of GAME (by default the last): time since the start, wall time, event; for a director's change, before and after."""
    from records.commands import checked
    from records.journal import JOURNAL, game_numbers
    from records.words import lines, title
    from rules.rulebooks import load_rulebook

    with checked(JOURNAL, path) as connection:
        rows = _rows(connection, path, game_numbers(connection)[1] if game is None else game)
    click.echo(title(rows, load_rulebook))
    for line in lines(rows):
        click.echo(line)


@journal.command()
@click.argument("game", type=int, required=False)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write to FILE, whole or not at all; by default to standard output.",
)
@click.option("--shows", is_flag=True, help="Add a show after every event, not only at each game's end.")
@_OPTION
def export(game: int | None, output: Path | None, shows: bool, path: Path) -> None:
    """Write GAME (by default all games) as a script for `tileclock replay`.

    A custom rulebook is written beside FILE, as of the game's start: keep the two together. On standard output it becomes a remark.
    """
    from appliance.records.files import PUBLIC, require_another, write_export
    from firmware.journal.export import export as exported
    from records.commands import checked
    from records.journal import JOURNAL, game_numbers, games
    from rules.rulebooks import load_rulebook

    if output is not None:
        require_another(output, path, "the journal")
    texts: dict[str, str] = {}

    def save_rulebook(text: str) -> str:
        return texts.setdefault(text, f"{'' if output is None else output.name}.rulebook-{len(texts) + 1}.toml")

    with checked(JOURNAL, path) as connection:
        found = games(connection) if game is None and any(game_numbers(connection)) else [_rows(connection, path, game or 0)]
        lines = exported(found, load_rulebook, shows=shows, save_rulebook=None if output is None else save_rulebook)
        if output is None:
            for line in lines:
                click.echo(line)
            return
        script = [f"{line}\n" for line in lines]
    # The script last: its rulebooks exist before it does.
    for text, name in texts.items():
        write_export(output.with_name(name), [text], PUBLIC)
    write_export(output, script, PUBLIC)


@journal.command()
@expect_option
@key_option
@_OPTION
def verify(path: Path, expect: str | None, key: str | None) -> None:
    """Check the hash chain from the first row to the last. Exit code: 0 if intact, 1 if not, 2 if there is no readable journal.

    Write down the count and the hash: they later prove that the rows up to there are unchanged.

    A whole chain shows that no row was changed, not who wrote it: whoever has the card can compute it anew. --key shows more: the clock's own key has
    signed it. Only --expect, and the rows that the hall holds (`tilehall verify`), show that the owner of the card did not write and sign it anew since.
    """
    from records.commands import verify as verified
    from records.journal import JOURNAL
    from wire.topics import CLOCK

    raise SystemExit(verified(JOURNAL, CLOCK, path, expect, key))


def _rows(connection: sqlite3.Connection, path: Path, game: int) -> tuple[ChainLink[Row], ...]:
    """Return the rows of a game (0: there is none); raises NoSuchGame."""
    from records.journal import Kind, NoSuchGame, game_numbers, rows_of_game

    rows = rows_of_game(connection, game)
    if not any(link.row.kind == Kind.EVENT for link in rows):
        first, last = game_numbers(connection)
        found = f"the games {first} to {last}" if last else "none yet"
        expected = f"game {game}" if last else "a game"
        raise NoSuchGame(where=path, expected=expected, found=found, remedy="See `tileclock journal list`")
    return rows


@click.command()
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@click.option("--strict", is_flag=True, help="Exit with 2 if any event was refused.")
@click.option("--two-button", is_flag=True, help="Read edges as from a two-button board: both held for 5 s is the director's key.")
def replay(file: Path, *, strict: bool, two_button: bool) -> None:
    """Run FILE (JSON Lines, - for standard input) through the clock and print its face at every show.

    A rulebook with a relative path is looked up beside the script, then in the working directory.
    A refused event is reported on standard error; a malformed line ends the run with exit code 2.
    """
    from firmware.menu.setup import Setup
    from firmware.texts import load_reasons, load_texts

    # All values of a fold are frozen and without cycles, so garbage collection would only cost time.
    gc.disable()
    setup = Setup(two_button=two_button, rulebooks=(), texts=load_texts(two_button=two_button), reasons=load_reasons())
    if _run(file, setup) and strict:
        raise SystemExit(2)


def _run(file: Path, setup: Setup) -> bool:
    """Print the script's output; return whether an event was refused."""
    from firmware.replay import Remark, beside
    from firmware.replay import replay as replay_lines
    from game.script import read_lines

    refused = False
    with _opened(file) as rows:
        for outcome in replay_lines(read_lines(rows, str(file), beside(file.parent)), setup):
            if isinstance(outcome, Remark):
                refused |= outcome.refused
                click.echo(f"{file}:{outcome.line}: {outcome.text}", err=True)
            else:
                print(outcome)  # noqa: T201 - click.echo flushes after each line, and a long script has many
    return refused


def _opened(file: Path) -> BinaryIO:
    from faults.errors import reason
    from game.exact_json import Malformed

    try:
        return sys.stdin.buffer if str(file) == "-" else file.open("rb")
    except OSError as error:
        raise Malformed(where=file, expected="a script to read", found=reason(error), remedy="Check the path") from error


@click.command()
@fast_startup
@SETTINGS.options(SETTINGS.take)
def run(layered: Layered) -> None:
    """Run the table clock on this machine's pins and screen.

    Settings come from /etc/tileclock/clock.toml, then tileclock.toml on the boot partition, then the options; what the director's desk has ordered
    counts where none of them says otherwise. If one of these files is unusable, the last good one replaces it, and the screen says why. An
    interrupted game returns stopped, for the director to confirm.

    If the pins are unavailable, a clock started by systemd says so on its screen and LED displays and tries again every 5 s; a clock started
    by hand exits with the reason.
    """
    from firmware.cli.run import run as run_clock

    run_clock(layered)


@click.command()
@SETTINGS.options(SETTINGS.examined)
@click.option("--press", is_flag=True, help="Also ask for a press of each button; show how long it was down and how it bounced.")
@click.option(
    "--led", is_flag=True, help="Also light every segment of the LED displays, then L on the left player's and r on the right player's."
)
def doctor(layered: Layered, *, press: bool, led: bool) -> None:
    """Check this machine: settings, rulebooks, board, pins, buttons, LED displays, time, disk, screen.

    Every failure names a remedy. An unusable settings file of the machine is one failure; the other checks use the settings in force instead.

    Exit code: 0 if nothing failed, 1 if something failed, 2 if an option or the file of --settings is unusable.

    Stop the clock first, because it uses the pins. If it runs as a service: sudo systemctl stop tileclock
    """
    from firmware.doctor.examine import Parade, examine
    from hardware.buttons.self_test import Interview

    pins = layered.settings.board.pins
    if press and pins in ("none", "mock"):
        raise click.UsageError(f"--press needs buttons on real pins, and board.pins is {pins}: use --pins gpiod or rpigpio.")
    interview = Interview(lambda sentence: click.echo(sentence, err=True)) if press else None
    report_findings(examine(layered, interview, parade=Parade(lambda sentence: click.echo(sentence, err=True)) if led else None))


_KEYS = {"language": "language", "rulebook": "rulebook", "layout": "screen.layout", "board": "board.file"}
_SIZE = re.compile(r"[0-9]{3,4}x[0-9]{3,4}", re.ASCII)
_TIME = re.compile(r"[0-9]{1,3}:[0-5][0-9]", re.ASCII)


def _time(context: click.Context, parameter: click.Parameter, given: str | None) -> int | None:
    """Return minutes and seconds in ns."""
    if given is None:
        return None
    if not _TIME.fullmatch(given) or set(given) <= set("0:"):
        raise click.BadParameter(f"expected minutes and seconds from 0:01 to 999:59, such as 0:30, found {given!r}.")
    minutes, seconds = map(int, given.split(":"))
    return (minutes * 60 + seconds) * 1_000_000_000


def _size(context: click.Context, parameter: click.Parameter, given: str | None) -> dict[str, int]:
    if given is None:
        return {}
    if not _SIZE.fullmatch(given):
        raise click.BadParameter(f"expected width and height in pixels, such as 800x480, found {given!r}.")
    return dict(zip(("screen.width", "screen.height"), map(int, given.split("x")), strict=True))


@click.command()
@click.option("--headless", is_flag=True, help="Play the scripted game without a screen, even if there is one.")
@click.option(
    "--output", type=click.Path(path_type=Path), default=Path("demo-out"), show_default=True, help="The folder for the scripted game."
)
@click.option("--language", callback=not_empty, default=None, help="The language of the screen.")
@click.option("--rulebook", default=None, help="The rulebook: an id (see `tileclock rulebooks`) or a file.")
@click.option(
    "--time", callback=_time, default=None, metavar="M:SS", help="Each side's time in a window, such as 0:30: overtime is soon there."
)
@click.option("--layout", type=click.Choice(["facing", "side_by_side", "single"]), default="facing", show_default=True)
@click.option("--size", callback=_size, default=None, metavar="WxH", help="The window's width and height in pixels.")
@click.option("--board", type=click.Choice(["full", "two-button"]), default="full", show_default=True, help="The board's buttons.")
@click.option(
    "--journal",
    type=click.Path(),
    callback=not_empty,
    default=None,
    help="Store the journal there and continue its game; by default it is deleted at the end.",
)
def demo(*, headless: bool, output: Path, journal: str | None, time: int | None, size: dict[str, int], **options: str | None) -> None:
    """Play a game on the table clock in a window, with keyboard or mouse.

    It needs a checkout of Tileclock or its Debian packages. Without a screen, play a scripted game headless and write pictures and a transcript.
    """
    chosen = {"board.pins": "none", **size, **{_KEYS[name]: value for name, value in options.items()}}
    from_checkout("tools.clock_demo.window:try_clock", "demo")(
        output, chosen, None if journal is None else Path(journal), time, headless=headless
    )


config: Final = config_group(
    SETTINGS,
    """Print the settings in force as dotted TOML.

Order: defaults, what the director's desk has ordered, /etc/tileclock/clock.toml, tileclock.toml on the boot partition, options; later ones win.
Rulebooks, board and language are checked as by `tileclock run`, with the same error messages.
""",
)


@config.command()
def code() -> None:
    """Make the settings line for the code of the director's door: 4 to 12 presses, L for left and R for right.

    Type the code twice; it is not shown. Without a terminal, it is read from a line of standard input. The code itself is not stored.
    """
    from appliance.cli.options import read_secret
    from appliance.lock import pin_of_code

    print_hashed(SETTINGS, "director", "code", pin_of_code(read_secret("Code")))


pinout, boot_files = board_commands(CLOCK, lambda: SETTINGS.in_force().settings.board.file)


@click.group(invoke_without_command=True)
@click.pass_context
def rulebooks(ctx: click.Context) -> None:
    """List the rulebooks, or explain one.

    For your own rulebook, copy a shipped one, or write a file that "extends" one; check it, and give its path instead of an ID.
    """
    if ctx.invoked_subcommand is None:
        ctx.invoke(list_rulebooks)


@rulebooks.command("list")
def list_rulebooks() -> None:
    """List the shipped rulebooks, the default first."""
    from rules.rulebooks import DEFAULT_RULEBOOK, load_source, shipped_ids

    width = max(len(each) for each in shipped_ids())
    for each in shipped_ids():
        source = load_source(each)
        click.echo(f"{each:<{width}}  {source.title}{' (the default)' if each == DEFAULT_RULEBOOK else ''}")
        click.echo(f"{'':<{width}}  {source.summary}")


@rulebooks.command("show")
@click.argument("rulebook", metavar="ID|PATH")
def show_rulebook(rulebook: str) -> None:
    """Explain one rulebook: each value with its clause, and the assumptions where its source is silent."""
    from rules.rulebooks import explain, load_source

    for line in explain(load_source(rulebook)):
        click.echo(line)


@rulebooks.command()
@click.argument("file", type=click.Path())
def check(file: str) -> int:
    """Check your own rulebook: every fault with its line, or the sentences that it means. Exit code: 1 if something is wrong."""
    from rules.rulebooks import check_file, explain, load_source

    faults = check_file(file)
    for line in map(str, faults) if faults else explain(load_source(file)):
        click.echo(printable(line))
    return 1 if faults else 0


@click.group(
    cls=Guarded,
    program="tileclock",
    context_settings={"help_option_names": ["-h", "--help"]},
    commands=[boot_files, config, demo, docs, doctor, journal, pinout, replay, rulebooks, run],
)
@click.version_option(package_name="tileclock", prog_name="tileclock")
def main() -> None:
    """Tileclock: a tournament clock for Scrabble.

    \b
    Try it, with keyboard or mouse:   tileclock demo
    Is this machine fit for it?       tileclock doctor
    How is it wired?                  tileclock pinout
    Put it on a table:                tileclock run
    What does a rulebook ask?         tileclock rulebooks show naspa-2017
    What happened in a game?          tileclock journal show

    A player's button starts the other player's clock: always. Both buttons at once stop it. Every verb explains itself with --help.
    """  # noqa: D301 - the backslash makes click's sign for lines to be left as they are
