"""The wall's time: worth a word in the self-test, and never a failure."""

from datetime import UTC, datetime

import pytest

from hardware.clocks import is_dated
from hardware.finding import State
from hardware.walltime import check_wall


@pytest.mark.parametrize(
    ("year", "synchronised", "state", "said"),
    [
        (2026, True, State.OK, "synchronised"),
        (2026, False, State.NOTE, "not synchronised; only the log's dates go by it"),
        (2026, None, State.NOTE, "cannot be asked"),
        (1970, True, State.NOTE, "1970-01-01 00:00 UTC cannot be right; only the log's dates are wrong with it"),
    ],
)
def test_the_walls_time_is_never_more_than_a_note(year: int, *, synchronised: bool | None, state: State, said: str) -> None:
    (finding,) = check_wall(datetime(year, 1, 1, tzinfo=UTC), synchronised, "the log's dates")
    assert finding.state is state
    assert said in finding.found


@pytest.mark.parametrize(
    ("wall", "dated"),
    [
        ("2026-11-21T10:00:00.000+00:00", True),
        ("2025-01-01T00:00:00+00:00", True),
        ("2025-01-01T00:59:59+01:00", False),
        ("1970-01-01T00:00:12.345+00:00", False),
        ("2026-11-21T10:00:00", False),
        ("yesterday", False),
        ("", False),
    ],
)
def test_a_wall_time_is_a_date_where_it_can_be_read_and_is_no_older_than_the_program(wall: str, *, dated: bool) -> None:
    assert is_dated(wall) is dated
