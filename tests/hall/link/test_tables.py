"""Which clock stands at a station's table."""

from __future__ import annotations

import json

from hall.link.table_in_focus import AMBIGUOUS, MAX_DEVICES, UNKNOWN, Tables


def up(table: int | None, *, kind: str = "clock", connected: bool = True) -> str:
    return json.dumps({"v": 1, "up": connected, "kind": kind, "table": table})


def test_the_clock_of_a_table_is_found() -> None:
    tables = Tables()
    tables.take("c-1", up(12))
    tables.take("c-2", up(13))
    assert tables.clock_at(12) == "c-1"
    assert tables.presence("c-1") == up(12)
    assert tables.clock_at(14) == UNKNOWN


def test_two_clocks_at_one_table_are_ambiguous_until_one_leaves() -> None:
    tables = Tables()
    tables.take("c-1", up(12))
    tables.take("c-2", up(12))
    assert tables.clock_at(12) == AMBIGUOUS
    tables.take("c-1", up(12, connected=False))
    assert tables.clock_at(12) == "c-2"


def test_only_a_connected_clock_with_a_table_counts() -> None:
    tables = Tables()
    for number, text in enumerate(
        (up(None), up(12, kind="station"), up(12, connected=False), "", "[]", "null", "{", '{"up": true}', "[" * 100_000)
    ):
        tables.take(f"c-{number}", text)
    assert tables.clock_at(12) == UNKNOWN


def test_they_do_not_grow_without_end() -> None:
    tables = Tables()
    for number in range(MAX_DEVICES + 100):
        tables.take(f"c-{number}", up(number % 999 + 1))
    tables.take("c-new", up(1000))
    assert tables.clock_at(1000) == UNKNOWN
