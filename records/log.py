"""The rows of the station's log: their content, its JSON, and the file's tables."""

import json
import sqlite3
from pathlib import Path
from typing import Any, Final, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import asdict, replace

from appliance.clocks import Stamp
from appliance.errors import DamagedRecord, RecordError
from appliance.records.chain import ChainLink
from appliance.records.files import FILE_SUFFIXES
from appliance.records.rows import MAX_SEQ, MarkedEnd, RecordFile, stored
from appliance.records.sqlite import Schema, append_only
from faults.errors import Phrase, as_phrase
from faults.validation import prepare
from records.device_test import DEVICE_TEST
from records.entry import Entry, Kind
from rules.tables import WORDS_IN_CHALLENGE

prepare(Entry)

CHOICES: Final = "-chosen.json"
"""The suffix to the log's name for the director's choices at the desk: two stations may have their logs in one folder, each with its own lexicon (NZ 1.3)."""
PROVEN: Final = "-proven"
"""The suffix to the log's name for the lists that the station has proven."""
FILES: Final = (*FILE_SUFFIXES, CHOICES, PROVEN)


class NotLogged(RecordError, OSError):
    """A row could not be written; the next attempt starts anew."""

    @property
    def problem(self) -> Phrase:
        return Phrase("The log cannot be written: {file}: {why}", file=self.where, why=as_phrase(self.found))


LONGEST_WORD: Final = 120
"""The most characters of a word: 15 of an alphabet's longest tiles, each in brackets."""
LONGEST_NAME: Final = 100
"""The most characters of a name: of a rulebook, a lexicon, an edition, an alphabet."""
LONGEST_WHY: Final = 1000
_LONGEST: Final = {"words": LONGEST_WORD, "why": LONGEST_WHY}
"""For texts of these fields; for those of all others ``LONGEST_NAME``."""
_COLUMNS: Final = ("kind", "table")
"""The fields of an entry that are columns of their own; the body has all others."""
MAX_BYTES: Final = 32_000
"""The most bytes of a body: all texts at their longest, each character escaped as two of six bytes."""


def encode(entry: Entry) -> str:
    """Return the body of the row for ``entry``.

    Longer texts are cut and end in an ellipsis: a row without the end of a word is worth more than no row.
    """
    if entry.signed is not None:
        return entry.signed
    fields = _plain(replace(entry, words=entry.words[:WORDS_IN_CHALLENGE]), LONGEST_NAME)
    return json.dumps({key: value for key, value in fields.items() if key not in _COLUMNS}, sort_keys=True, separators=(",", ":"))


def decode(kind: str, table: int | None, body: str) -> Entry:
    """Return the entry of a row; raises ``DamagedRecord`` for one that this program does not write."""
    try:
        fields = json.loads(body)
        if kind == Kind.SIGNED:
            return Entry(Kind.SIGNED, signed=json.dumps(dict(fields), sort_keys=True, separators=(",", ":")))
        entry = msgspec.convert({**fields, "kind": kind, "table": table}, Entry)
    except (msgspec.ValidationError, ValueError, TypeError, KeyError, RecursionError) as error:
        raise _damaged(kind, body) from error
    if encode(entry) != body:
        raise _damaged(kind, body)
    return entry


def _damaged(kind: str, body: str) -> DamagedRecord:
    # In a damaged file a column may hold a value of any kind.
    return DamagedRecord(expected="what the station writes", found=f"{kind} {body}"[:100], remedy="See `tilekiosk log verify`")


def cut(text: str, most: int) -> str:
    """Return ``text``, cut to ``most`` characters; characters that no file can hold (half a surrogate pair) are escaped."""
    storable = text.encode("utf-8", "backslashreplace").decode()
    return storable if len(storable) <= most else f"{storable[: most - 1]}…"


def _plain(value: Any, most: int) -> Any:
    """Return ``value`` as JSON has it: all that a struct has but what is not known, and each text cut."""
    if isinstance(value, Struct):
        return {key: _plain(each, _LONGEST.get(key, most)) for key, each in asdict(value).items() if each not in (None, ())}
    if isinstance(value, tuple):
        return [_plain(each, most) for each in value]
    return cut(value, most) if isinstance(value, str) else value


LONGEST_STATION = 100


class Row(Struct, frozen=True):
    """The content of a row, a field for each column; ``seq`` and hash are assigned on writing."""

    kind: str
    mono: int
    boot: str
    wall: str
    station: str
    table: int | None
    body: str
    """A JSON object: the rest of the entry."""

    @property
    def stamp(self) -> Stamp:
        return Stamp(self.mono, self.boot, self.wall)


Happened: TypeAlias = tuple[str, Stamp, str, int | None]
"""Kind, instant, station and table: they identify a row, even if its text says ``late`` the second time."""


def row_of(entry: Entry, stamp: Stamp, station: str) -> Row:
    """Return the row of ``entry``; its size is limited by ``body.MAX_BYTES`` and the station's name."""
    return Row(entry.kind.value, stamp.mono, stamp.boot, stamp.wall, cut(station, LONGEST_STATION), entry.table, encode(entry))


def happened(row: Row) -> Happened:
    return row.kind, row.stamp, row.station, row.table


_TABLES: Final = (
    """CREATE TABLE rows (
    seq INTEGER PRIMARY KEY, kind TEXT NOT NULL, mono INTEGER NOT NULL, boot TEXT NOT NULL, wall TEXT NOT NULL,
    station TEXT NOT NULL, table_number INTEGER, body TEXT NOT NULL, hash TEXT NOT NULL
) STRICT""",
    "CREATE TABLE mark (id INTEGER PRIMARY KEY CHECK (id = 1), seq INTEGER NOT NULL, hash TEXT NOT NULL, seal TEXT NOT NULL) STRICT",
    *append_only("the log"),
)

LOG: Final = RecordFile(
    Schema("a log", application_id=0x544B534B, version=2, tables=_TABLES), Row, MarkedEnd, program="the station", command="tilekiosk log"
)
"""Its application id is ``TKSK``. Only the director may read it, no other user of the machine."""
reading, rows_from, verify = LOG.reading, LOG.rows_from, LOG.verify


def rows(path: Path, before: int | None, limit: int) -> tuple[ChainLink[Row], ...]:
    """Return at most ``limit`` rows, newest first: those before row ``before``, or the last ones (None). Raises ``RecordError``."""
    with reading(path) as connection:
        return tuple(stored(connection, Row, "WHERE seq < ? ORDER BY seq DESC LIMIT ?", MAX_SEQ if before is None else before, limit))


def entry_of(link: ChainLink[Row]) -> Entry:
    return decode(link.row.kind, link.row.table, link.row.body)


def door_refusals(connection: sqlite3.Connection) -> int:
    """Return how often a wrong PIN was entered since the director's door was last opened."""
    (opened,) = connection.execute("SELECT max(seq) FROM rows WHERE kind = ?", (Kind.DOOR_OPENED.value,)).fetchone()
    since = (Kind.DOOR_REFUSED.value, opened or 0)
    (count,) = connection.execute("SELECT count(*) FROM rows WHERE kind = ? AND seq > ?", since).fetchone()
    return int(count)


def is_used(connection: sqlite3.Connection) -> bool:
    """Return whether the log tells of a challenge, or of a guided test with a result or one that was left."""
    # In the JSON of a text a quote is escaped, so that this is the key.
    found = connection.execute("SELECT 1 FROM rows WHERE table_number IS NOT NULL OR instr(body, ?)", (f'"{DEVICE_TEST}":',))
    return found.fetchone() is not None
