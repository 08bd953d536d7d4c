"""``tilekiosk``: the command, its verbs, and the options of every verb with settings, each of which overrides a key of the files."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from appliance.cli.config import SettingsSource, config_group, docs, from_checkout, print_hashed, report_findings
from appliance.cli.options import expect_option, key_option, not_empty, options_of
from appliance.clocks import wall_in_words
from appliance.process import fast_startup
from faults.guard import Guarded
from hardware.boards.board import STATION
from hardware.pinout_command import board_commands
from lexicon.cli.options import in_one_line, print_lines
from records.entry import Entry, Kind

if TYPE_CHECKING:
    from appliance.records.chain import ChainLink
    from kiosk.settings import Layered, Settings
    from records.log import Row


SETTINGS: Final[SettingsSource[Settings]] = SettingsSource(
    "tilekiosk",
    "kiosk.settings",
    "/etc/tileclock/station.toml",
    (
        ("--name", "name", str, "The station's name."),
        ("--language", "language", str, "The language of the idle station."),
        ("--rulebook", "rulebook", str, "The rulebook: an id (see `tileclock rulebooks`) or a file."),
        ("--lexicon", "lexicon.path", str, "The lexicon at startup."),
        ("--keyboard", "keyboard", str, "auto, abc, qwerty, azerty or qwertz."),
        ("--screen", "screen.kind", str, "window or none."),
        ("--fullscreen/--windowed", "screen.fullscreen", bool, "Cover the whole screen, or use a window."),
        ("--rotate", "screen.rotate", int, "Rotate picture and touches clockwise: 0, 90, 180 or 270 degrees."),
        ("--width", "screen.width", int, "Width of the window in pixels."),
        ("--height", "screen.height", int, "Height of the window in pixels."),
        ("--large-text/--normal-text", "screen.large_text", bool, "Use larger letters, or not."),
        ("--left-handed/--right-handed", "screen.left_handed", bool, "Put the keys for typing on the left, or on the right."),
        ("--log", "log.path", str, "The log's file."),
        ("--board", "board.file", str, "The shipped board (station), a board file, or none."),
        ("--pins", "board.pins", str, "The pin library: gpiod, rpigpio, mock, or none."),
        ("--printer", "printer.port", str, "The slip printer's serial device, or a pattern."),
    ),
)


def _load_log(options: Mapping[str, Any], file: Path | None) -> Layered:
    from appliance.settings import OPTIONS
    from kiosk.settings import merge

    if file is None and options["log.path"] is not None:
        # A log copied to another machine, or a reader without access to this machine's settings: the path alone is enough.
        return merge([(OPTIONS, options)])
    return SETTINGS.in_force() if file is None else SETTINGS.as_they_are(options, file)


log_options: Final = options_of(
    (("--log", "log.path", str, "The log's file; by default the one in the station's settings."),), _load_log, SETTINGS.system_file
)
"""For a verb that only reads the log: of the options, only --log."""


@click.group()
def log() -> None:
    """Read the log: every look-up with its verdict, openings of the door, the hash chain. For the director.

    The log is never changed; the station may be running.
    """


@log.command("list")
@click.option("--table", type=click.IntRange(min=0), help="Only this table's rows.")
@click.option("--kind", type=click.Choice([kind.value for kind in Kind]), help="Only rows of this kind.")
@click.option(
    "--since",
    type=click.DateTime(["%Y-%m-%d", "%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S"]),
    metavar="TIME",
    help="Only rows from this time on, in UTC like the log: 2026-07-03 or 2026-07-03T10:30.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON, one row a line.")
@log_options
def list_rows(table: int | None, kind: str | None, since: datetime | None, as_json: bool, layered: Layered) -> None:
    """List the rows, oldest first: number, time, station, table, kind, verdict, words."""
    from kiosk.log import json_lines
    from records.commands import checked
    from records.log import LOG, rows_from

    with checked(LOG, _path(layered)) as connection:
        rows = (stored for stored in rows_from(connection, 1) if _matches(stored, table, kind, since))
        print_lines((each.removesuffix("\n") for each in json_lines(rows)) if as_json else map(_line, rows))


@log.command()
@click.option("--csv", "as_csv", is_flag=True, help="Write a table for a spreadsheet; by default JSON, one row a line.")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    callback=not_empty,
    metavar="FILE",
    help="Write to FILE, whole or not at all; by default to standard output.",
)
@log_options
def export(as_csv: bool, output: Path | None, layered: Layered) -> None:
    """Write all rows as JSON Lines, or with --csv as a table in UTF-8.

    The words of a play share one cell, separated by blanks; the log does not know which of them was no word. A cell that a spreadsheet would take
    for a formula (beginning with = + - or @) gets an apostrophe before it.
    """
    from appliance.records.files import PRIVATE, require_another, write_export
    from kiosk.log import csv_lines, json_lines
    from records.commands import checked
    from records.log import FILES, LOG, rows_from

    path = _path(layered)
    if output is not None:
        require_another(output, path, "the log", FILES)
    with checked(LOG, path) as connection:
        lines = (csv_lines if as_csv else json_lines)(rows_from(connection, 1))
        if output is not None:
            write_export(output, lines, PRIVATE)
            return
        for each in lines:
            click.echo(each.encode(), nl=False)


@log.command()
@expect_option
@key_option
@log_options
def verify(expect: str | None, key: str | None, layered: Layered) -> int:
    """Check the hash chain from the first row to the last. Exit code: 0 if intact, 1 if not, 2 if there is no readable log.

    Write down the count and the hash: they later prove that the rows up to there are unchanged.

    A whole chain shows that no row was changed, not who wrote it: whoever has the card can compute it anew. --key shows more: the station's own key has
    signed it. Only --expect, and the rows that the hall holds (`tilehall verify`), show that the owner of the card did not write and sign it anew since.
    """
    from records.commands import verify as verified
    from records.log import LOG
    from wire.topics import STATION

    return verified(LOG, STATION, _path(layered), expect, key)


def _path(layered: Layered) -> Path:
    from appliance.errors import NoRecord
    from appliance.records.files import is_missing
    from appliance.settings import OPTIONS

    path = Path(layered.settings.log.path)
    if layered.origins.get("log.path") != OPTIONS and is_missing(path):
        remedy = "Name another one with --log, or start the station, which creates it: tilekiosk run"
        raise NoRecord(where=path, expected="a log", found="no such file", remedy=remedy)
    return path


def _matches(stored: ChainLink[Row], table: int | None, kind: str | None, since: datetime | None) -> bool:
    row = stored.row
    # As text: both are ISO 8601 in UTC.
    late_enough = since is None or row.wall >= since.replace(tzinfo=UTC).isoformat()[:19]
    return (table is None or row.table == table) and (kind is None or row.kind == kind) and late_enough


def _line(stored: ChainLink[Row]) -> str:
    from kiosk.log import readable

    entry = readable(stored)
    table = "" if stored.row.table is None else f"table {stored.row.table}"
    details = "  ".join(part for part in _parts(entry) if part)
    return in_one_line(
        f"{stored.seq:>6}  {wall_in_words(stored.row.wall)}  {stored.row.station}  {table:<9}  {stored.row.kind:<15}  {details}".rstrip()
    )


def _parts(entry: Entry) -> tuple[str, ...]:
    lexicon = entry.lexicon
    return (
        "" if entry.acceptable is None else "ACCEPTABLE" if entry.acceptable else "UNACCEPTABLE",
        " ".join(entry.words),
        "" if entry.first is None else f"(of row {entry.first})",
        "" if entry.last_play is None else "last play of its game" if entry.last_play else "not the last play",
        "" if entry.challenger is None else f"challenged by {entry.challenger}",
        "" if entry.way is None else f"by {entry.way}",
        "" if entry.rulebook is None else entry.rulebook,
        "" if lexicon is None else f"{lexicon.name} {lexicon.edition} {lexicon.short_hash}{' PRACTICE' if lexicon.practice else ''}",
        "" if entry.why is None else entry.why,
    )


@click.command()
@SETTINGS.options(SETTINGS.examined)
@click.option(
    "--press", is_flag=True, help="Also ask for the adjudication button and the key switch; show how long each was down and how it bounced."
)
def doctor(layered: Layered, *, press: bool) -> None:
    """Check this machine: settings, rulebooks, lexicon, log, the director's door, screen, pins, printer.

    Every failure names a remedy. An unusable settings file of the machine is one failure; the other checks use the settings in force instead.

    Exit code: 0 if nothing failed, 1 if something failed, 2 if an option or the file of --settings is unusable.

    Stop the station first if it uses pins or a printer. It has its own self-test at the director's desk.
    """
    from hardware.buttons.self_test import Interview
    from kiosk.doctor import examine

    board = layered.settings.board
    if press and (board.file == "none" or board.pins in ("none", "mock")):
        raise click.UsageError(
            f"--press needs a button on real pins, and board.file is {board.file}, board.pins {board.pins}: use --board station --pins gpiod or rpigpio."
        )
    report_findings(examine(layered, interview=Interview(lambda sentence: click.echo(sentence, err=True)) if press else None))


_SHIPPED: Final = "station"


def _usual() -> str:
    """Return the settings' board, or the shipped one if they name none, for someone who has yet to wire it."""
    board = SETTINGS.in_force().settings.board.file
    if board != "none":
        return board
    click.echo(f'tilekiosk: the settings name no board, so this is the shipped one; to use it: board.file = "{_SHIPPED}".', err=True)
    return _SHIPPED


pinout, boot_files = board_commands(STATION, _usual)


config: Final = config_group(
    SETTINGS,
    """Print the settings in force as dotted TOML.

Order: defaults, /etc/tileclock/station.toml, tilekiosk.toml on the boot partition, options; later ones win.
Rulebooks, alphabet, board and language are checked as by `tilekiosk run`, with the same error messages. The lexicon is checked by `tilekiosk doctor`.
""",
)


@config.command()
def pin() -> None:
    """Make the settings line for a PIN of 4 to 12 digits, which opens the director's door.

    Type the PIN twice; it is not shown. Without a terminal, it is read from a line of standard input. The PIN itself is not stored.
    """
    from appliance.cli.options import read_secret

    print_hashed(SETTINGS, "door", "pin", read_secret("PIN"))


@click.command()
@click.option("--headless", is_flag=True, help="Play the scripted challenges without a screen, even if there is one.")
@click.option(
    "--output", type=click.Path(path_type=Path), default=Path("demo-out"), show_default=True, help="The folder for the scripted challenges."
)
@click.option("--language", callback=not_empty, default=None, help="The language of the idle station.")
@click.option("--rulebook", callback=not_empty, default=None, help="The rulebook: an id (see `tileclock rulebooks`) or a file.")
@click.option("--lexicon", callback=not_empty, default=None, help="A lexicon file instead of the practice list.")
@click.option("--log", callback=not_empty, default=None, help="Store the log there; by default it is deleted at the end.")
@click.option("--beside", is_flag=True, help="Open the table clock's demo beside it; each window ends alone, Ctrl+C both.")
def demo(*, headless: bool, output: Path, beside: bool, **chosen: str | None) -> None:
    """Try the challenge station in a window, with mouse, touch or keyboard; it leaves nothing behind.

    It needs a checkout of Tileclock or its Debian packages. The list is the practice list, so no verdict counts. Without a screen, play scripted challenges and write pictures and a transcript.
    """
    from_checkout("tools.station_demo.window:try_station", "demo")(output, chosen, beside=beside, headless=headless)


@click.command()
@fast_startup
@SETTINGS.options(SETTINGS.take)
def run(layered: Layered) -> None:
    """Run the challenge station on this machine's screen.

    Settings come from /etc/tileclock/station.toml, then tilekiosk.toml on the boot partition, then the options. If one of these files is unusable,
    the last good one replaces it, and the screen says why. The director's choices at the desk override the settings until these change. The
    lexicon is read completely before the first challenge. If the station cannot judge, its screen shows why and names a remedy.

    If the board's pins are unavailable, a station started by systemd judges by touch and keyboard, tells the director, and tries again every 5 s; a
    station started by hand exits with the reason.
    """
    from kiosk.cli.run import run as run_station

    run_station(layered)


@click.group(
    cls=Guarded,
    program="tilekiosk",
    context_settings={"help_option_names": ["-h", "--help"]},
    commands=[boot_files, config, demo, docs, doctor, log, pinout, run],
)
@click.version_option(package_name="tileclock", prog_name="tilekiosk")
def main() -> None:
    """Tilekiosk: the challenge station, where two players look a challenged play up themselves.

    \b
    Try it, with mouse or keyboard:   tilekiosk demo
    Is this machine fit for it?       tilekiosk doctor
    How is it wired?                  tilekiosk pinout
    Put it into a hall:               tilekiosk run
    What happened at table 12?        tilekiosk log list --table 12
    The log for a spreadsheet:        tilekiosk log export --csv -o log.csv
    Is the log what was written?      tilekiosk log verify
    What is set, and by whom?         tilekiosk config --changed
    A PIN for the director's door:    tilekiosk config pin

    Every verb explains itself with --help.
    """  # noqa: D301 - the backslash makes click's sign for lines to be left as they are
