"""``tilekiosk log``: list this station's look-ups, export them for a spreadsheet, verify the log."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from appliance.cli.heads import expect_option, expected_in_words, proof_options
from appliance.clocks import is_dated
from game.challenge_log.entry import Entry, Kind
from kiosk.cli.options import log_options, not_empty
from lexicon.cli.options import in_one_line, print_lines

if TYPE_CHECKING:
    from appliance.cli.heads import AskedProofs
    from appliance.records.chain import ChainLink
    from game.challenge_log.row import Row
    from kiosk.settings import Layered
    from wire.proof import Proof


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
    from game.challenge_log.reading import rows_from
    from kiosk.log.export import json_lines

    with _checked(_path(layered)) as connection:
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
    from game.challenge_log.reading import rows_from
    from kiosk.log.export import csv_lines, json_lines, write
    from kiosk.log.log_files import require_another

    path = _path(layered)
    if output is not None:
        require_another(output, path)
    with _checked(path) as connection:
        lines = (csv_lines if as_csv else json_lines)(rows_from(connection, 1))
        if output is not None:
            write(lines, output)
            return
        for each in lines:
            click.echo(each.encode(), nl=False)


@log.command()
@expect_option
@proof_options
@log_options
def verify(expect: str | None, asked: AskedProofs, layered: Layered) -> int:
    """Check the hash chain from the first row to the last. Exit code: 0 if intact, 1 if not, 2 if there is no readable log.

    Write down the count and the hash: they later prove that the rows up to there are unchanged.

    A whole chain shows that no row was changed, not who wrote it: whoever has the card can compute it anew. --key shows more: the station's own key has
    signed it. Only --expect, --known and --witness show that the owner of the card did not write and sign it anew since.
    """
    from appliance.records.rows import in_words, row_with
    from game.challenge_log.reading import reading
    from game.challenge_log.reading import verify as verified
    from game.challenge_log.row import DamagedLog
    from wire.proof import proofs, read_evidence
    from wire.topics import STATION

    path = _path(layered)
    evidence = read_evidence(asked)
    shown: list[Proof] = []
    try:
        with reading(path) as connection:
            found = verified(connection)
            row = None if expect is None or found.fault is not None else row_with(connection, expect)
            if found.fault is None:
                shown = proofs(connection, STATION, evidence)
    except DamagedLog as error:
        click.echo(f"Broken: {error}")
        return 1
    for each in in_words(found):
        click.echo(each)
    if found.fault is not None:
        return 1
    for proof in shown:
        click.echo(proof.sentence)
    if expect is not None:
        click.echo(expected_in_words(expect, row))
    return 0 if all(proof.holds for proof in shown) and (expect is None or row) else 1


def _path(layered: Layered) -> Path:
    """Return the log of the settings, including options."""
    from appliance.records.files import is_missing
    from appliance.settings.layers import OPTIONS
    from game.challenge_log.row import NoLog

    path = Path(layered.settings.log.path)
    if layered.origins.get("log.path") != OPTIONS and is_missing(path):
        remedy = "Name another one with --log, or start the station, which creates it: tilekiosk run"
        raise NoLog(where=path, expected="a log", found="no such file", remedy=remedy)
    return path


def _matches(stored: ChainLink[Row], table: int | None, kind: str | None, since: datetime | None) -> bool:
    if table is not None and stored.row.table != table:
        return False
    if kind is not None and stored.row.kind != kind:
        return False
    # As text: both are ISO 8601 in UTC.
    return since is None or stored.row.wall >= since.replace(tzinfo=UTC).isoformat()[:19]


@contextmanager
def _checked(path: Path) -> Iterator[sqlite3.Connection]:
    """Open the log; if it is damaged, warn on standard error that the output is no evidence."""
    from game.challenge_log.reading import reading
    from game.challenge_log.reading import verify as verified

    with reading(path) as connection:
        fault = verified(connection).fault
        if fault is not None:
            click.echo(f"tilekiosk: {path}: damaged: {fault.meaning}. See `tilekiosk log verify`.", err=True)
        yield connection


def _line(stored: ChainLink[Row]) -> str:
    """Return one line for a row: number, wall time, table, kind, verdict, words, and the rest."""
    from kiosk.log.export import readable

    entry = readable(stored)
    table = "" if stored.row.table is None else f"table {stored.row.table}"
    details = "  ".join(part for part in _parts(entry) if part)
    return in_one_line(
        f"{stored.seq:>6}  {_dated(stored.row.wall)}  {stored.row.station}  {table:<9}  {stored.row.kind:<15}  {details}".rstrip()
    )


def _dated(wall: str) -> str:
    return wall if is_dated(wall) else f"{wall} (date not set)"


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
