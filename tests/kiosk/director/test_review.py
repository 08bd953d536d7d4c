"""Which ruling stands: judges who review each other (2017 IV.K.4), or one appeal (NZ 6.15.3)."""

import pytest

from kiosk.director.adjudication import Ruling, Seat, next_seat, valid_ruling
from rules.rulebooks import load_rulebook

FIRST, SECOND, THIRD, REFEREE = Seat
NASPA = load_rulebook("naspa-2017").challenge
NZ = load_rulebook("nzasp-2022").challenge


def rulings(*given: tuple[Seat, bool]) -> tuple[Ruling, ...]:
    return tuple(Ruling(seat, f"J{row}", acceptable, row) for row, (seat, acceptable) in enumerate(given, 1))


def test_the_first_judge_is_asked_first() -> None:
    assert valid_ruling(()) is None
    assert next_seat(NASPA, ()) is FIRST is next_seat(NZ, ())


def test_naspa_a_second_judge_may_review_any_ruling() -> None:
    assert next_seat(NASPA, rulings((FIRST, True))) is SECOND


def test_naspa_a_third_judge_is_asked_only_where_two_differ() -> None:
    assert next_seat(NASPA, rulings((FIRST, True), (SECOND, True))) is None
    assert next_seat(NASPA, rulings((FIRST, True), (SECOND, False))) is THIRD
    assert next_seat(NASPA, rulings((FIRST, True), (SECOND, False), (THIRD, True))) is None


@pytest.mark.parametrize("first", [True, False])
def test_naspa_where_two_differ_the_first_has_precedence_until_a_third_has_ruled(first: bool) -> None:
    two = rulings((FIRST, first), (SECOND, not first))
    assert valid_ruling(two) == two[0]
    for third in (True, False):
        three = (*two, Ruling(THIRD, "C", third, 3))
        ruling = valid_ruling(three)
        assert ruling is not None
        assert ruling.acceptable is third
        assert [each.acceptable for each in three].count(third) == 2


def test_nz_one_appeal_to_a_referee_whose_decision_stands() -> None:
    one = rulings((FIRST, True))
    assert next_seat(NZ, one) is REFEREE
    two = rulings((FIRST, True), (REFEREE, False))
    assert valid_ruling(two) == two[1]
    assert next_seat(NZ, two) is None
