"""Entries and logs made up, for what writes and reads them."""

from pathlib import Path

from msgspec.structs import replace

from appliance.clocks import Clocks
from appliance.errors import RecordError
from appliance.records.chain import ChainLink
from kiosk.log import Log
from records.entry import Entry, Kind, LexiconName, Way
from records.log import Row, reading, rows_from, verify


def append(log: Log, entry: Entry, at_mono: int, station: str) -> int:
    return log.write((log.row(entry, at_mono, station),))


S = 1_000_000_000
STATION = "Hall A"
CLUB = LexiconName("Club list", "2026-01", 8, "ab" * 32, "english", practice=False)
LOOKUP = Entry(Kind.LOOKUP, 12, "left", ("QI", "[CH]A"), acceptable=False, way=Way.TAB, rulebook="naspa-2017", lexicon=CLUB)
CLOCKS = Clocks(wall=lambda: "2026-07-03T10:00:00.000+00:00", boot=lambda: "boot")


def at_table(table: int) -> Entry:
    return replace(LOOKUP, table=table)


def written(path: Path, rows: int = 14) -> Path:
    with Log(path, CLOCKS) as log:
        for table in range(1, rows + 1):
            assert append(log, at_table(table), table * S, STATION) == table
    return path


def kept_in(path: Path) -> list[ChainLink[Row]]:
    with reading(path) as connection:
        assert verify(connection).fault is None
        return list(rows_from(connection, 1))


def tables_in(path: Path) -> list[int | None]:
    return [kept.row.table for kept in kept_in(path)]


def refusal(log: Log, entry: Entry = LOOKUP) -> str:
    try:
        row = append(log, entry, S, STATION)
    except RecordError as error:
        return str(error)
    raise AssertionError(f"row {row} was written")
