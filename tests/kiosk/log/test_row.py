import csv
import io
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from appliance.clocks import Stamp
from appliance.errors import DamagedRecord, NoFile, RecordError
from appliance.records.chain import GENESIS, ChainLink, chained, covered
from appliance.spreadsheet import MARK, as_written
from kiosk.log import COLUMNS, Log, csv_lines, export_csv, json_lines
from records import log as log_row
from records.entry import Entry, Kind, LexiconName, Way
from records.log import entry_of, reading, rows_from
from rules.tables import WORDS_IN_CHALLENGE
from tests.cells import each_cell
from tests.errors import with_fields
from tests.kiosk.log.making import CLUB, LOOKUP, STATION, S, append, written

SQLITES = st.integers(0, 2**63 - 1)


def _texts(most: int) -> st.SearchStrategy[str]:
    return st.text(st.characters(exclude_categories=["Cs"]), max_size=most)


@st.composite
def _lexicons(draw: st.DrawFn) -> LexiconName:
    sha256 = draw(st.binary(min_size=32, max_size=32)).hex()
    name, edition, alphabet = (draw(_texts(log_row.LONGEST_NAME)) for _ in range(3))
    return LexiconName(name, edition, draw(SQLITES), sha256, alphabet, draw(st.booleans()))


ENTRIES = st.builds(
    Entry,
    st.sampled_from([kind for kind in Kind if kind is not Kind.SIGNED]),
    table=st.none() | SQLITES,
    challenger=st.none() | st.sampled_from(["left", "right"]),
    words=st.lists(_texts(log_row.LONGEST_WORD), max_size=WORDS_IN_CHALLENGE).map(tuple),
    acceptable=st.none() | st.booleans(),
    first=st.none() | SQLITES,
    way=st.none() | st.sampled_from(Way),
    rulebook=st.none() | _texts(log_row.LONGEST_NAME),
    lexicon=st.none() | _lexicons(),
    why=st.none() | _texts(log_row.LONGEST_WHY),
    last_play=st.none() | st.booleans(),
) | st.dictionaries(_texts(10), SQLITES | _texts(100)).map(
    lambda head: Entry(Kind.SIGNED, signed=json.dumps(head, sort_keys=True, separators=(",", ":")))
)


@given(ENTRIES)
def test_every_entry_comes_back_as_it_was(entry: Entry) -> None:
    assert log_row.decode(entry.kind, entry.table, log_row.encode(entry)) == entry


@given(ENTRIES)
def test_a_body_is_plain_ascii_in_one_line_and_within_its_bound(entry: Entry) -> None:
    body = log_row.encode(entry)
    assert body.isascii()
    assert "\n" not in body
    assert len(body) <= log_row.MAX_BYTES


def test_texts_without_end_are_cut_and_the_row_is_kept() -> None:
    endless = "\U0001f600" * 5000
    lexicon = LexiconName(endless, endless, 2**63 - 1, endless, endless, practice=False)
    body = log_row.encode(Entry(Kind.LOOKUP, 1, endless, (endless,) * 50, False, 2**63 - 1, Way.BUTTON, endless, lexicon, endless))
    assert len(body) <= log_row.MAX_BYTES
    entry = log_row.decode("lookup", 1, body)
    assert [len(word) for word in entry.words] == [log_row.LONGEST_WORD] * WORDS_IN_CHALLENGE
    assert entry.why == "\U0001f600" * (log_row.LONGEST_WHY - 1) + "…"


def test_nothing_in_a_row_tells_which_word_failed() -> None:
    one, other = (log_row.encode(Entry(Kind.LOOKUP, 1, words=words, acceptable=False)) for words in (("QI", "ZZZ"), ("ZZZ", "QI")))
    assert json.loads(one) == {"acceptable": False, "words": ["QI", "ZZZ"]}
    assert json.loads(other) == {"acceptable": False, "words": ["ZZZ", "QI"]}


def test_a_row_without_a_body_is_named_as_damaged() -> None:
    with pytest.raises(DamagedRecord, match="what the station writes, found lookup None"):
        log_row.decode("lookup", 1, None)  # type: ignore[arg-type] # as a damaged file has it


NO_ENTRIES = [
    ("lookup", ""),
    ("lookup", "[]"),
    ("lookup", "7"),
    ("lookup", '{"words":"QI"}'),
    ("lookup", '{"words":[1]}'),
    ("lookup", '{"acceptable":1}'),
    ("lookup", '{"acceptable": false}'),
    ("lookup", '{"failed":"ZZZ"}'),
    ("lookup", '{"way":"kick"}'),
    ("lookup", '{"lexicon":{}}'),
    ("lookup", '{"lexicon":7}'),
    ("lookup", '{"kind":"manual"}'),
    ("lookup", "[" * 100_000),
    ("picked", "{}"),
]


def test_what_this_program_does_not_write_is_no_entry() -> None:
    for cell in each_cell(NO_ENTRIES):
        with cell as (kind, body), pytest.raises(DamagedRecord, check=with_fields(expected="what the station writes")):
            log_row.decode(kind, 1, body)


ROW = log_row.row_of(LOOKUP, Stamp(7, "boot", "wall"), "Hall A")

CHANGES: list[dict[str, Any]] = [
    {"kind": "manual"},
    {"mono": 8},
    {"boot": "other"},
    {"wall": "later"},
    {"station": "Hall B"},
    {"table": None},
    {"body": "{}"},
]


def test_every_column_is_in_the_hash() -> None:
    for cell in each_cell(CHANGES):
        with cell as change:
            changed: log_row.Row = replace(ROW, **change)
            assert chained(GENESIS, covered(1, changed)) != chained(GENESIS, covered(1, ROW)) == chained(GENESIS, covered(1, replace(ROW)))


def _kept(entry: Entry, station: str = STATION) -> ChainLink[log_row.Row]:
    return ChainLink(1, log_row.row_of(entry, Stamp(7, "boot", "2026-07-03T10:00:00+00:00"), station), "ab" * 32)


def _cells(entry: Entry, station: str = STATION) -> dict[str, str]:
    header, cells = csv.reader(io.StringIO("".join(csv_lines([_kept(entry, station)])).removeprefix(MARK), newline=""))
    return dict(zip(header, cells, strict=True))


def test_a_row_is_a_line_with_every_column_which_tells_the_practice_list_from_a_real_one() -> None:
    assert _cells(replace(LOOKUP, lexicon=replace(CLUB, practice=True)))["practice"] == "yes"
    assert _cells(replace(LOOKUP, first=3, last_play=False, why="mistyped")) == {
        "row": "1",
        "time": "2026-07-03T10:00:00+00:00",
        "station": "Hall A",
        "kind": "lookup",
        "table": "12",
        "challenger": "left",
        "words": "QI [CH]A",
        "verdict": "unacceptable",
        "first": "3",
        "last_play": "no",
        "way": "tab",
        "rulebook": "naspa-2017",
        "lexicon": "Club list",
        "edition": "2026-01",
        "lexicon_words": "8",
        "lexicon_sha256": "ab" * 32,
        "alphabet": "english",
        "practice": "no",
        "why": "mistyped",
        "mono_ns": "7",
        "boot": "boot",
        "hash": "ab" * 32,
    }


def test_every_field_of_an_entry_is_a_column_but_the_signature_and_a_test_whose_words_are_one() -> None:
    names = {"verdict" if field == "acceptable" else field for field in Entry.__struct_fields__}
    assert names - set(COLUMNS) == {"signed", "device_test"}


def test_the_lines_end_as_rfc_4180_has_them_and_letters_are_utf_8(tmp_path: Path) -> None:
    with Log(tmp_path / "station.db") as log:
        append(log, replace(LOOKUP, words=("AÑO", "L·L")), S, STATION)
    assert export_csv(log.path, tmp_path / "log.csv") == 1
    header, row, rest = (tmp_path / "log.csv").read_bytes().split(b"\r\n")
    assert (header.decode(), rest) == (MARK + ",".join(COLUMNS), b"")
    assert "AÑO L·L" in row.decode()
    assert b"\n" not in header + row


def test_no_cell_is_a_formula() -> None:
    for cell in each_cell(["=1+1", "+1", "-1", "@SUM(A1)", "|x", "\tx", "\rx", "\nx", "\uff1d1+1"]):
        with cell as begins:
            row = _cells(Entry(Kind.CHANGED, words=(begins, "QI"), why=begins), station=begins)
            assert (row["station"], row["why"], row["words"]) == (f"'{begins}", f"'{begins}", f"'{begins} QI")


def test_no_part_of_a_cell_is_a_formula_where_a_semicolon_separates() -> None:
    assert _cells(Entry(Kind.CHANGED, why="Ann;=1+1;'-2;B"))["why"] == "Ann;'=1+1;''-2;B"


@given(why=st.text(st.one_of(st.sampled_from("';=+-@|\uff1d"), st.characters(exclude_categories=["Cs"])), max_size=50))
def test_any_text_comes_back_from_the_table(why: str) -> None:
    cell = _cells(Entry(Kind.CHANGED, why=why))["why"]
    assert as_written(cell) == why


def test_json_lines_hold_an_object_a_row(path: Path) -> None:
    with reading(path) as connection:
        rows = [json.loads(line) for line in json_lines(rows_from(connection, 1))]
    assert [row["row"] for row in rows] == list(range(1, 15))
    assert rows[0]["words"] == ["QI", "[CH]A"]
    assert rows[0]["lexicon"]["name"] == "Club list"
    assert rows[0]["verdict"] == "unacceptable"


def test_a_row_that_cannot_be_read_keeps_its_place_and_says_so() -> None:
    kept = _kept(LOOKUP)
    odd = replace(kept, row=replace(kept.row, kind="picked", body="{}"))
    with pytest.raises(DamagedRecord, check=with_fields(expected="what the station writes", found="picked {}")):
        entry_of(odd)
    (line,) = json_lines([odd])
    assert json.loads(line)["kind"] == "picked"
    assert "expected what the station writes" in json.loads(line)["why"]


def test_an_export_that_cannot_be_written_is_reported_and_leaves_nothing(path: Path) -> None:
    with pytest.raises(RecordError, check=with_fields(expected="a file to write", found="no such file or directory")):
        export_csv(path, path.parent / "stick" / "log.csv")
    with pytest.raises(NoFile, check=with_fields(expected="a file to write", found="that it is a folder")):
        export_csv(path, path.parent)
    assert not list(path.parent.glob("*.csv")) + list(path.parent.glob(".*"))


def test_a_log_that_breaks_off_in_the_middle_leaves_the_old_export_alone(tmp_path: Path) -> None:
    path, target = written(tmp_path / "station.db", 200), tmp_path / "log.csv"
    target.write_text("the last one")
    with closing(sqlite3.connect(path)) as connection:
        (page,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'rows'").fetchone()
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
    with path.open("r+b") as file:
        # Every page of the table but the one that it begins with.
        for number in range(page + 1, pages):
            file.seek(number * 4096)
            file.write(b"\xff" * 4096)
    with pytest.raises(DamagedRecord, check=with_fields(where=str(path))):
        export_csv(path, target)
    assert target.read_text() == "the last one"
    assert not list(tmp_path.glob(".*.part"))
