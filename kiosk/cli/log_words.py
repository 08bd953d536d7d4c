"""Rows of the log as text, for ``tilekiosk log list``."""

from __future__ import annotations

from appliance.clocks import is_dated
from appliance.records.link import ChainLink
from game.challenge_log.entry import Entry
from game.challenge_log.row import Row
from kiosk.log.export import readable
from lexicon.cli.output import in_one_line


def line(stored: ChainLink[Row]) -> str:
    """Return one line for a row: number, wall time, table, kind, verdict, words, and the rest."""
    entry = readable(stored)
    table = "" if stored.row.table is None else f"table {stored.row.table}"
    details = "  ".join(part for part in _parts(entry) if part)
    return in_one_line(
        f"{stored.seq:>6}  {_dated(stored.row.stamp.wall)}  {stored.row.station}  {table:<9}  {stored.row.kind:<15}  {details}".rstrip()
    )


def _dated(wall: str) -> str:
    return wall if is_dated(wall) else f"{wall} (date not set)"


def _parts(entry: Entry) -> tuple[str, ...]:
    lexicon = entry.lexicon
    return (
        "" if entry.acceptable is None else "ACCEPTABLE" if entry.acceptable else "UNACCEPTABLE",
        " ".join(entry.words),
        "" if entry.first is None else f"(of row {entry.first})",
        "" if entry.challenger is None else f"challenged by {entry.challenger}",
        "" if entry.way is None else f"by {entry.way}",
        "" if entry.rulebook is None else entry.rulebook,
        "" if lexicon is None else f"{lexicon.name} {lexicon.edition} {lexicon.short_hash}{' PRACTICE' if lexicon.practice else ''}",
        "" if entry.why is None else entry.why,
    )
