"""Reading and penalty come from one number: the remaining time rounded up (2014 V.G, 2017 V.G.2)."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.duration import reading, seconds_shown
from tests.cells import each_cell
from tests.examples import examples
from tests.firmware.saying import RULEBOOKS, play

S = 1_000_000_000


READINGS = [
    (1500 * S, "25:00"),
    (1500 * S - 1, "25:00"),
    (1499 * S + 1, "25:00"),
    (1499 * S, "24:59"),
    (60 * S, "1:00"),
    (59 * S, "0:59"),
    (1, "0:01"),
    (0, "0:00"),
    (-1, "-0:00"),
    (1 - S, "-0:00"),
    (-S, "-0:01"),
    (-S - 1, "-0:01"),
    (-2 * S + 1, "-0:01"),
    (-60 * S, "-1:00"),
    (-61 * S + 1, "-1:00"),
    (-61 * S, "-1:01"),
    (-600 * S, "-10:00"),
    (6000 * S, "100:00"),
]


def test_the_reading_is_the_remaining_time_rounded_up_to_a_whole_second() -> None:
    for cell in each_cell(READINGS):
        with cell as (remaining_ns, shown):
            assert reading(remaining_ns) == shown


PENALTIES = [
    ("0", "25:00", 0),
    ("0.999999999", "25:00", 0),
    ("1", "24:59", 0),
    ("1499.999999999", "0:01", 0),
    ("1500", "0:00", 0),
    ("1500.000000001", "-0:00", 0),
    ("1500.999999999", "-0:00", 0),
    ("1501", "-0:01", 10),
    ("1560", "-1:00", 10),
    ("1560.999999999", "-1:00", 10),
    ("1561", "-1:01", 20),
    ("1620.999999999", "-2:00", 20),
    ("1621", "-2:01", 30),
    ("2099.999999999", "-9:59", 100),
]


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_ten_points_for_each_minute_begun_on_the_reading_under_every_rulebook(rulebook: str) -> None:
    for cell in each_cell(PENALTIES):
        with cell as (used, shown, penalty):
            left = play(rulebook, "0 press right").face(used)["left"]
            assert (left["reading"], left["penalty"]) == (shown, penalty)


def test_the_other_side_stands_still_meanwhile() -> None:
    right = play("naspa-2017", "0 press right").face("1561")["right"]
    assert right == {"reading": "25:00", "used_ns": 0, "penalty": 0, "credit": 0, "points": 0} | {"infractions": right["infractions"]}


def _seconds(shown: str) -> int:
    parts = re.fullmatch(r"(-?)(\d+):(\d\d)", shown)
    assert parts is not None
    return (int(parts[2]) * 60 + int(parts[3])) * (-1 if parts[1] else 1)


@settings(deadline=None, max_examples=examples(200))
@given(used_ns=st.integers(0, 2100 * S))
def test_the_penalty_can_be_read_off_the_digits(used_ns: int) -> None:
    told = play("nzasp-2022", "0 press right")
    left = told.face(f"{used_ns // S}.{used_ns % S:09d}")["left"]
    over = max(0, -_seconds(left["reading"]))
    assert left["penalty"] == 10 * ((over + 59) // 60)


@settings(deadline=None, max_examples=examples(200))
@given(remaining_ns=st.integers(-(10**13), 10**13))
def test_each_reading_lasts_exactly_one_second_and_the_digits_say_the_seconds_shown(remaining_ns: int) -> None:
    shown = seconds_shown(remaining_ns)
    assert _seconds(reading(remaining_ns)) == shown
    assert shown * S - S < remaining_ns <= shown * S
    assert reading(remaining_ns).startswith("-") is (remaining_ns < 0)
