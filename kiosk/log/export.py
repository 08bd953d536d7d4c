"""The log as a table for a spreadsheet (CSV), or as JSON Lines for a program: for the director, who alone may see it."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any, Final

from appliance.records.files import PRIVATE
from kiosk.challenge.entry import Entry
from kiosk.log.errors import LogError
from kiosk.log.log_files import require_another
from kiosk.log.reading import entry_of, reading, rows_from
from kiosk.log.row import StoredRow
from lexicon.errors import Unwritable
from lexicon.files import atomic_write

COLUMNS: Final = (
    "row",
    "time",
    "station",
    "kind",
    "table",
    "challenger",
    "words",
    "verdict",
    "first",
    "way",
    "rulebook",
    "lexicon",
    "edition",
    "lexicon_words",
    "lexicon_sha256",
    "alphabet",
    "practice",
    "why",
    "mono_ns",
    "boot",
    "hash",
)
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n")
"""With these a spreadsheet takes a cell for a formula, which may send the rest of the sheet elsewhere (OWASP, CSV injection)."""


def export_csv(path: Path, target: Path) -> int:
    """Write the log at ``path`` to ``target`` as CSV, whole or not at all, on the disk when this returns; return how many rows.

    Raises:
        LogError: the log cannot be read, or the file not be written, or it is the log itself; nothing is left of it.
    """
    require_another(target, path)
    with reading(path) as connection:
        return write(csv_lines(rows_from(connection, 1)), target) - 1


def write(lines: Iterable[str], target: Path) -> int:
    """Write ``lines`` to ``target`` in UTF-8, whole or not at all, on the disk when this returns; return how many.

    Raises:
        LogError: it cannot be written.
    """
    count = 0
    try:
        with atomic_write(target, PRIVATE) as file:
            for line in lines:
                file.write(line.encode())
                count += 1
    except Unwritable as error:
        raise LogError(where=error.where, expected=error.expected, found=error.found, remedy=error.remedy) from error
    return count


def csv_lines(rows: Iterable[StoredRow]) -> Iterator[str]:
    """Yield a header and each row as RFC 4180 has them, with CR LF at their ends. Words stand in one cell, apart by blanks.

    A cell that a spreadsheet would take for a formula gets an apostrophe before it. A row that cannot be read keeps its place: ``why`` says so.
    """
    return map(_csv_line, chain([COLUMNS], map(_cells, rows)))


def json_lines(rows: Iterable[StoredRow]) -> Iterator[str]:
    """Yield each row as a JSON object on a line of its own; what a row has nothing to say about is left out."""
    return (json.dumps(fields, ensure_ascii=False) + "\n" for fields in map(fields_of, rows))


def fields_of(kept: StoredRow) -> dict[str, Any]:
    """Return what a row says, by the names of ``COLUMNS``; ``words`` as a list, ``lexicon`` as a table of its own."""
    row, entry = kept.row, readable(kept)
    fields = {
        "row": kept.seq,
        "time": row.stamp.wall,
        "station": row.station,
        "kind": row.kind,
        "table": row.table,
        "challenger": entry.challenger,
        "words": list(entry.words) or None,
        "verdict": _verdict(entry),
        "first": entry.first,
        "way": entry.way,
        "rulebook": entry.rulebook,
        "lexicon": None if entry.lexicon is None else {name: getattr(entry.lexicon, name) for name in entry.lexicon.__slots__},
        "why": entry.why,
        "mono_ns": row.stamp.mono,
        "boot": row.stamp.boot,
        "hash": kept.hash,
    }
    return {name: value for name, value in fields.items() if value is not None}


def readable(kept: StoredRow) -> Entry:
    """Return the entry of a row; of one that cannot be read what is left, with the reason in ``why``: the rest of the log is no worse for it."""
    try:
        return entry_of(kept)
    except LogError as error:
        return Entry(kept.row.kind, kept.row.table, why=str(error))  # type: ignore[arg-type]  # a kind that there is not, as it stands there


def _verdict(entry: Entry) -> str | None:
    return None if entry.acceptable is None else "acceptable" if entry.acceptable else "unacceptable"


def _cells(kept: StoredRow) -> tuple[str, ...]:
    fields = fields_of(kept)
    if "words" in fields:
        fields["words"] = " ".join(fields["words"])
    if (lexicon := fields.get("lexicon")) is not None:
        fields |= {
            "lexicon": lexicon["name"],
            "edition": lexicon["edition"],
            "lexicon_words": lexicon["words"],
            "lexicon_sha256": lexicon["sha256"],
            "alphabet": lexicon["alphabet"],
            "practice": "yes" if lexicon["practice"] else "no",
        }
    return tuple(str(fields.get(name, "")) for name in COLUMNS)


def _csv_line(cells: Iterable[str]) -> str:
    line = io.StringIO(newline="")
    csv.writer(line, lineterminator="\r\n").writerow(f"'{cell}" if cell.startswith(_FORMULA) else cell for cell in cells)
    return line.getvalue()
