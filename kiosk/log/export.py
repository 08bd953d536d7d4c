"""The log as a table for a spreadsheet (CSV), or as JSON Lines for a program: only for the director."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any, Final

from msgspec.structs import asdict

from appliance.errors import RecordError
from appliance.records.chain import ChainLink
from appliance.records.files import PRIVATE, require_another, write_export
from appliance.spreadsheet import MARK, harmless
from records.entry import Entry
from records.log import FILES, Row, entry_of, reading, rows_from

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
    "last_play",
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


def export_csv(path: Path, target: Path) -> int:
    """Write the log at ``path`` to ``target`` as CSV, whole or not at all; return the number of rows once on the disk. Raises RecordError."""
    require_another(target, path, "the log", FILES)
    with reading(path) as connection:
        return write_export(target, csv_lines(rows_from(connection, 1)), PRIVATE) - 1


def csv_lines(rows: Iterable[ChainLink[Row]]) -> Iterator[str]:
    """Yield a header and each row in the format of RFC 4180, with CR LF. The words of a play share one cell, separated by blanks.

    The header begins with a mark, and a cell that a spreadsheet would take for a formula with an apostrophe. For an unreadable row, ``why`` says so.
    """
    return chain([MARK + _csv_line(COLUMNS)], map(_csv_line, map(_cells, rows)))


def json_lines(rows: Iterable[ChainLink[Row]]) -> Iterator[str]:
    """Yield each row as a JSON object on its own line, without empty keys."""
    return (json.dumps(fields, ensure_ascii=False) + "\n" for fields in map(fields_of, rows))


def fields_of(stored: ChainLink[Row]) -> dict[str, Any]:
    """Return the fields of a row by the names in ``COLUMNS``; ``words`` as a list, ``lexicon`` as an object."""
    row, entry = stored.row, readable(stored)
    fields = {
        "row": stored.seq,
        "time": row.wall,
        "station": row.station,
        "kind": row.kind,
        "table": row.table,
        "challenger": entry.challenger,
        "words": list(entry.words) or None,
        "verdict": _verdict(entry),
        "first": entry.first,
        "last_play": entry.last_play,
        "way": entry.way,
        "rulebook": entry.rulebook,
        "lexicon": None if entry.lexicon is None else {**asdict(entry.lexicon), "short_hash": entry.lexicon.short_hash},
        "why": entry.why,
        "mono_ns": row.mono,
        "boot": row.boot,
        "hash": stored.hash,
    }
    return {name: value for name, value in fields.items() if value is not None}


def readable(stored: ChainLink[Row]) -> Entry:
    """Return the entry of a row; for an unreadable one, the readable rest with the error in ``why``, because other rows are not affected."""
    try:
        return entry_of(stored)
    except RecordError as error:
        return Entry(stored.row.kind, stored.row.table, why=error.sentences)  # type: ignore[arg-type]  # a kind that there is not, as it stands there


def _verdict(entry: Entry) -> str | None:
    return None if entry.acceptable is None else "acceptable" if entry.acceptable else "unacceptable"


def _cells(stored: ChainLink[Row]) -> tuple[str, ...]:
    fields = fields_of(stored)
    if "words" in fields:
        fields["words"] = " ".join(fields["words"])
    if "last_play" in fields:
        fields["last_play"] = _yes_no(fields["last_play"])
    if (lexicon := fields.get("lexicon")) is not None:
        fields |= {
            "lexicon": lexicon["name"],
            "edition": lexicon["edition"],
            "lexicon_words": lexicon["words"],
            "lexicon_sha256": lexicon["sha256"],
            "alphabet": lexicon["alphabet"],
            "practice": _yes_no(lexicon["practice"]),
        }
    return tuple(str(fields.get(name, "")) for name in COLUMNS)


def _yes_no(value: object) -> str:
    return "yes" if value else "no"


def _csv_line(cells: Iterable[str]) -> str:
    line = io.StringIO(newline="")
    csv.writer(line, lineterminator="\r\n").writerow(map(harmless, cells))
    return line.getvalue()
