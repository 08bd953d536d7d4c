import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from appliance.clocks import Stamp
from appliance.records.chain import GENESIS
from game.challenge_log.entry import Entry, Kind, LexiconName, Way
from game.challenge_log.row import LONGEST_NAME, LONGEST_WHY, LONGEST_WORD, MAX_BYTES, BadEntry, Row, decode, encode, link_hash, row_of
from rules.tables import WORDS_IN_CHALLENGE
from tests.cells import each_cell
from tests.errors import with_fields
from tests.kiosk.log.making import LOOKUP

SQLITES = st.integers(0, 2**63 - 1)


def _texts(most: int) -> st.SearchStrategy[str]:
    return st.text(st.characters(exclude_categories=["Cs"]), max_size=most)


@st.composite
def _lexicons(draw: st.DrawFn) -> LexiconName:
    sha256 = draw(st.binary(min_size=32, max_size=32)).hex()
    name, edition, alphabet = (draw(_texts(LONGEST_NAME)) for _ in range(3))
    return LexiconName(name, edition, draw(SQLITES), sha256[:8], sha256, alphabet, draw(st.booleans()))


ENTRIES = st.builds(
    Entry,
    st.sampled_from([kind for kind in Kind if kind is not Kind.SIGNED]),
    table=st.none() | SQLITES,
    challenger=st.none() | st.sampled_from(["left", "right"]),
    words=st.lists(_texts(LONGEST_WORD), max_size=WORDS_IN_CHALLENGE).map(tuple),
    acceptable=st.none() | st.booleans(),
    first=st.none() | SQLITES,
    way=st.none() | st.sampled_from(Way),
    rulebook=st.none() | _texts(LONGEST_NAME),
    lexicon=st.none() | _lexicons(),
    why=st.none() | _texts(LONGEST_WHY),
) | st.dictionaries(_texts(10), SQLITES | _texts(100)).map(
    lambda head: Entry(Kind.SIGNED, signed=json.dumps(head, sort_keys=True, separators=(",", ":")))
)


@given(ENTRIES)
def test_every_entry_comes_back_as_it_was(entry: Entry) -> None:
    assert decode(entry.kind, entry.table, encode(entry)) == entry


@given(ENTRIES)
def test_a_body_is_plain_ascii_in_one_line_and_within_its_bound(entry: Entry) -> None:
    body = encode(entry)
    assert body.isascii()
    assert "\n" not in body
    assert len(body) <= MAX_BYTES


def test_texts_without_end_are_cut_and_the_row_is_kept() -> None:
    endless = "\U0001f600" * 5000
    lexicon = LexiconName(endless, endless, 2**63 - 1, endless, endless, endless, practice=False)
    body = encode(Entry(Kind.LOOKUP, 1, endless, (endless,) * 50, False, 2**63 - 1, Way.BUTTON, endless, lexicon, endless))
    assert len(body) <= MAX_BYTES
    entry = decode("lookup", 1, body)
    assert [len(word) for word in entry.words] == [LONGEST_WORD] * WORDS_IN_CHALLENGE
    assert entry.why == "\U0001f600" * (LONGEST_WHY - 1) + "…"


def test_half_a_surrogate_pair_is_escaped_for_no_file_can_hold_it() -> None:
    assert decode("changed", None, encode(Entry(Kind.CHANGED, why="a\udcff"))).why == "a\\udcff"


def test_nothing_in_a_row_tells_which_word_failed() -> None:
    one, other = (encode(Entry(Kind.LOOKUP, 1, words=words, acceptable=False)) for words in (("QI", "ZZZ"), ("ZZZ", "QI")))
    assert json.loads(one) == {"acceptable": False, "words": ["QI", "ZZZ"]}
    assert json.loads(other) == {"acceptable": False, "words": ["ZZZ", "QI"]}


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
        with cell as (kind, body), pytest.raises(BadEntry, check=with_fields(expected=re.compile("^an entry"))):
            decode(kind, 1, body)


ROW = row_of(LOOKUP, Stamp(7, "boot", "wall"), "Hall A")

CHANGES: list[dict[str, Any]] = [
    {"kind": "manual"},
    {"stamp": Stamp(8, "boot", "wall")},
    {"stamp": Stamp(7, "other", "wall")},
    {"stamp": Stamp(7, "boot", "later")},
    {"station": "Hall B"},
    {"table": None},
    {"body": "{}"},
]


def test_every_column_is_in_the_hash() -> None:
    for cell in each_cell(CHANGES):
        with cell as change:
            changed: Row = replace(ROW, **change)
            assert link_hash(GENESIS, 1, changed) != link_hash(GENESIS, 1, ROW) == link_hash(GENESIS, 1, replace(ROW))


def test_a_rows_place_and_the_row_before_it_are_in_its_hash() -> None:
    assert link_hash(GENESIS, 2, ROW) != link_hash(GENESIS, 1, ROW)
    assert link_hash("1" * 64, 1, ROW) != link_hash(GENESIS, 1, ROW)
