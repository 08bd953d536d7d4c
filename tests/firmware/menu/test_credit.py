"""The time from the director's request to stop until the clock stood: offered side by side, given once, to the nanosecond."""

from __future__ import annotations

from dataclasses import replace

import pytest

from firmware.menu.steps import credit_due
from rules.duration import NS
from rules.side import BySide
from tests.firmware.menu.director import Director, director
from tests.firmware.saying import play

RULEBOOK = "naspa-2017"
ROW = "Credit since asked to stop, LEFT, +0:05"


def _asked(at_s: int, *lines: str, two_button: bool = False) -> Director:
    """Return a director at a table that was asked to stop at that second."""
    there = director(RULEBOOK, *lines, two_button=two_button)
    return replace(there, table=replace(there.table, setup=replace(there.table.setup, stop_asked=at_s * NS)))


@pytest.mark.parametrize("two_button", [False, True])
def test_the_row_comes_with_its_seconds_and_gives_them_once(two_button: bool) -> None:
    there = _asked(4, "0 press right", "9 neutralise", two_button=two_button)
    assert next(row for row in there.rows if row.startswith("Credit")) == ROW
    given = there.take_all(ROW, "LEFT, +0:05", "Do it")
    assert given.table.record.game.allowed.left - there.table.record.game.allowed.left == 5 * NS
    assert not [row for row in given.rows if row.startswith("Credit")]


@pytest.mark.parametrize(
    ("asked", "lines", "due"),
    [
        (4 * NS + 1, ("0 press right", "9 neutralise"), (5 * NS - 1, 0)),
        # Both used time: the turn changed in between.
        (4 * NS, ("0 press right", "6 press left", "9 neutralise"), (2 * NS, 3 * NS)),
        # Play that goes on afterwards is not given back.
        (4 * NS, ("0 press right", "6 neutralise", "7 resume left", "9 neutralise"), (2 * NS, 0)),
        # The game that ends meanwhile stands.
        (4 * NS, ("0 press right", "6 end reason=x"), (2 * NS, 0)),
        (4 * NS, ("0 press right",), (0, 0)),
        (4 * NS, ("0 press right", "3 neutralise", "8 resume left"), (0, 0)),
        (None, ("0 press right", "9 neutralise"), (0, 0)),
        # Of the game before.
        (-1, ("0 press right", "9 neutralise"), (0, 0)),
    ],
)
def test_what_is_due(asked: int | None, lines: tuple[str, ...], due: tuple[int, int]) -> None:
    assert credit_due(play(RULEBOOK, *lines).record, asked) == BySide(*due)


def test_a_credit_that_is_undone_is_offered_again() -> None:
    there = _asked(4, "0 press right", "9 neutralise")
    given = there.take_all(ROW, "LEFT, +0:05", "Do it")
    number = given.table.record.number
    undo = next(row for row in given.take("Undo").rows if row.startswith(f"{number}:") or f"{number}" in row.split()[0])
    again = given.take_all("Undo", undo, "wrong button", "Do it")
    assert ROW in again.rows
