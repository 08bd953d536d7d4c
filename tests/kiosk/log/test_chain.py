"""The chain on rows in memory: any change to any column of any row changes its hash and all that follow."""

from dataclasses import replace
from typing import Any

from appliance.clocks import Stamp
from appliance.records.chain import GENESIS
from game.challenge_log.row import Row, link_hash, row_of
from tests.cells import each_cell
from tests.kiosk.log.making import LOOKUP

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
