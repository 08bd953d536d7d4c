"""``tilekiosk log``: list this station's look-ups, export them for a spreadsheet, verify the log."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from appliance.cli.heads import expect_option, key_option
from appliance.cli.options import not_empty
from appliance.clocks import wall_in_words
from kiosk.cli.options import log_options
from lexicon.cli.options import in_one_line, print_lines
from records.entry import Entry, Kind

if TYPE_CHECKING:
    from appliance.records.chain import ChainLink
    from kiosk.settings.places import Layered
    from records.log import Row


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
    from kiosk.log.export import json_lines
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
    from kiosk.log.export import csv_lines, json_lines
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
    """Return the log of the settings, including options."""
    from appliance.errors import NoRecord
    from appliance.records.files import is_missing
    from appliance.settings.layers import OPTIONS

    path = Path(layered.settings.log.path)
    if layered.origins.get("log.path") != OPTIONS and is_missing(path):
        remedy = "Name another one with --log, or start the station, which creates it: tilekiosk run"
        raise NoRecord(where=path, expected="a log", found="no such file", remedy=remedy)
    return path


def _matches(stored: ChainLink[Row], table: int | None, kind: str | None, since: datetime | None) -> bool:
    if table is not None and stored.row.table != table:
        return False
    if kind is not None and stored.row.kind != kind:
        return False
    # As text: both are ISO 8601 in UTC.
    return since is None or stored.row.wall >= since.replace(tzinfo=UTC).isoformat()[:19]


def _line(stored: ChainLink[Row]) -> str:
    """Return one line for a row: number, wall time, table, kind, verdict, words, and the rest."""
    from kiosk.log.export import readable

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
