"""The chain on rows in memory: any change to any column of any row changes its hash and all that follow."""

from dataclasses import replace

from appliance.records.chain import GENESIS, short
from game.journal.row import GameStamp, Row, link_hash, seal
from tests.cells import each_cell

ROW = Row("event", 1, 2, 10, 11, "boot", "wall", '{"do": "press", "side": "left"}')


def test_the_hash_is_the_same_for_the_same_row_after_the_same_row() -> None:
    assert link_hash(GENESIS, 1, ROW) == link_hash(GENESIS, 1, replace(ROW))
    assert len(link_hash(GENESIS, 1, ROW)) == 64
    assert link_hash(GENESIS, 1, ROW).startswith(short(link_hash(GENESIS, 1, ROW)))


def test_every_column_is_in_the_hash() -> None:
    for cell in each_cell(
        [{"kind": "note"}, {"game": 2}, {"number": None}, {"at": 9}, {"mono": 9}, {"boot": "b"}, {"wall": "w"}, {"body": "{}"}]
    ):
        with cell as change:
            assert link_hash(GENESIS, 1, replace(ROW, **change)) != link_hash(GENESIS, 1, ROW)  # type: ignore[arg-type]  # one field of several types


def test_a_rows_place_and_the_row_before_it_are_in_its_hash() -> None:
    assert link_hash(GENESIS, 2, ROW) != link_hash(GENESIS, 1, ROW)
    assert link_hash("1" * 64, 1, ROW) != link_hash(GENESIS, 1, ROW)


def test_the_seal_covers_how_far_time_is_known() -> None:
    stamp = GameStamp(1, 2, "boot", "wall")
    assert seal(stamp, 1, 1, GENESIS, 5) == seal(stamp, 1, 1, GENESIS, 5)
    assert seal(replace(stamp, at=2), 1, 1, GENESIS, 5) != seal(stamp, 1, 1, GENESIS, 5)
