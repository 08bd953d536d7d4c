"""Rows of a pairing: what agrees, what is disputed, and what a director's decision does."""

from itertools import permutations

import pytest
from msgspec.structs import replace

from hall.results.book import Forfeit, GameResult, Settled, Source, settled

SLIP = GameResult(row=4, division="A", round=3, first=7, second=2, source=Source.SLIP, scores=(412, 388), who="Ann")
SIGNED = replace(SLIP, row=6, source=Source.CLOCK, device="clock-9", game="g1", words=(3, 0), who="")


def other(of: GameResult, **changes: object) -> GameResult:
    return replace(of, **changes)


def test_no_row_is_a_missing_result() -> None:
    assert (settled([]), settled([]).is_missing, settled([]).result) == (Settled(), True, None)


def test_a_slip_alone_is_not_signed_and_of_sources_that_agree_the_signed_one_is_the_result_whoever_goes_first() -> None:
    turned = SIGNED.seen_by(2)
    assert (turned.first, turned.second, turned.scores, turned.words, turned.seen_by(7)) == (2, 7, (388, 412), (0, 3), SIGNED)
    for rows, result, is_signed in (([SLIP], SLIP, False), ([SLIP, SIGNED], SIGNED, True), ([SLIP, turned], SIGNED, True)):
        found = settled(rows)
        assert (found.result, found.is_signed, found.is_disputed) == (result, is_signed, False)


@pytest.mark.parametrize("one", list(Source))
@pytest.mark.parametrize("two", list(Source))
def test_what_differs_is_disputed_whichever_source_came_last(one: Source, two: Source) -> None:
    rows = [other(SLIP, source=one), other(SLIP, row=5, source=two, scores=(413, 388))]
    for given in permutations(rows):
        found = settled(given)
        assert (found.result, found.is_disputed, found.is_missing, found.is_signed) == (None, True, False, False)
        assert [each.row for each in found.rows] == [4, 5]


def test_a_forfeit_differs_from_a_game_of_the_same_scores() -> None:
    forfeit = other(SLIP, row=5, source=Source.END, forfeit=Forfeit((2,), 50))
    assert settled([SLIP, forfeit]).is_disputed
    assert settled([forfeit]).is_signed


def test_a_slip_without_bonus_words_agrees_with_the_signed_row_that_has_them() -> None:
    with_words = other(SIGNED, words=(2, 1))
    assert settled([SLIP, with_words]).result == with_words
    assert settled([other(SLIP, words=(1, 1)), with_words]).is_disputed


def test_a_correction_wins_over_all_rows_up_to_the_one_that_was_seen() -> None:
    wrong = other(SLIP, row=5, scores=(413, 388))
    right = other(SLIP, row=8, scores=(411, 388), reason="recounted", replaces=6)
    found = settled([SLIP, wrong, SIGNED, right])
    assert (found.result, found.rows, found.is_signed) == (right, (right,), True)


def test_what_comes_after_a_correction_and_differs_is_disputed_again() -> None:
    late = other(SIGNED, row=9)
    right = other(SLIP, row=8, scores=(411, 388), reason="recounted", replaces=4)
    assert settled([SLIP, right, late]).is_disputed
    assert settled([SLIP, right, other(late, scores=(411, 388))]).result is not None


def test_two_directors_who_correct_the_same_row_differently_have_a_dispute() -> None:
    one, two = (other(SLIP, row=row, scores=(row, 388), reason="recounted", replaces=4) for row in (8, 9))
    assert settled([SLIP, one, two]).is_disputed
    assert settled([SLIP, one, two, other(SLIP, row=10, reason="asked both", replaces=9)]).result is not None


def test_a_withdrawn_result_is_missing() -> None:
    assert settled([SLIP, other(SLIP, row=5, scores=None, reason="wrong table", replaces=4)]).is_missing


def test_of_a_clocks_game_that_was_reopened_the_last_signature_counts() -> None:
    again = other(SIGNED, row=9, scores=(402, 388))
    assert settled([SIGNED, again]).result == again
    assert settled([SIGNED, other(again, scores=None)]).is_missing
    assert settled([SIGNED, other(again, game="g2")]).is_disputed
    assert settled([SIGNED, other(again, device="clock-8")]).is_disputed


def test_margins_are_those_of_the_scores_or_of_the_forfeit() -> None:
    assert SLIP.margins() == (24, -24)
    assert other(SLIP, scores=None, forfeit=Forfeit((7,), 50)).margins() == (-50, 50)
    assert other(SLIP, forfeit=Forfeit((7, 2), 50)).margins() == (-50, -50)
