from collections.abc import Callable, Iterable
from typing import TypeVar

import pytest

from tests.cells import each_cell

T = TypeVar("T")


def loop(table: Iterable[T], check: Callable[[T], object], name: Callable[[T], object] = lambda cell: cell) -> None:
    for cell in each_cell(table, name):
        with cell as value:
            check(value)


def divide(cell: tuple[str, int]) -> None:
    side, number = cell
    assert side != "left", "not left"
    assert 1 // number == 1


def test_each_cell_is_checked_and_a_table_without_fault_passes() -> None:
    seen: list[str] = []
    loop("abc", seen.append)
    assert seen == ["a", "b", "c"]


def test_every_cell_that_fails_is_named_with_its_reason_and_the_first_is_the_cause() -> None:
    with pytest.raises(AssertionError) as failed:
        loop([("left", 1), ("right", 0), ("middle", 1), ("both", 2)], divide)
    title, left, right, both = str(failed.value).splitlines()
    assert title == "3 of 4 cells fail:"
    assert left.startswith("('left', 1): not left")
    assert right == "('right', 0): ZeroDivisionError: integer division or modulo by zero"
    assert both.startswith("('both', 2): assert ")
    assert "not left" in str(failed.value.__cause__)
    with pytest.raises(AssertionError, match="\nthe cell left: not left"):
        loop([("left", 1), ("right", 1)], divide, lambda cell: f"the cell {cell[0]}")


def test_a_cell_that_did_not_raise_as_it_must_and_a_table_without_cells_fail() -> None:
    def must_raise(name: str) -> None:
        with pytest.raises(ValueError, match=name):
            int(name)

    with pytest.raises(AssertionError, match="1 of 2 cells fail:\n12: Failed: DID NOT RAISE"):
        loop(["x", "12"], must_raise)
    with pytest.raises(AssertionError, match="no cells"):
        loop([], divide)
