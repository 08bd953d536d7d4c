"""The hash chain: what is written once stays so, and every row has its say."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from appliance.records.chain import GENESIS, chained, short

FIELDS = st.lists(st.none() | st.integers() | st.text(max_size=8), max_size=5)


def test_a_row_has_the_hash_that_it_had_when_the_first_journals_were_written() -> None:
    # sha256sum of 64 zeros, a line's end and [1,"event",null]
    assert chained(GENESIS, [1, "event", None]) == "6cab856d525833a0d36363a86d6a650fa4c33647121c8bfc50c0b14d3d3eebaf"
    assert short(GENESIS) == "0000000000000000"


@given(FIELDS, FIELDS)
def test_two_rows_have_one_hash_only_where_they_are_the_same_row(one: list[object], other: list[object]) -> None:
    assert (chained(GENESIS, one) == chained(GENESIS, other)) is (one == other)


@given(FIELDS, FIELDS)
def test_a_row_hangs_on_the_row_before_it(first: list[object], second: list[object]) -> None:
    assert chained(chained(GENESIS, first), second) != chained(GENESIS, second)
