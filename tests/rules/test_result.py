"""Final scores, winner and margin under each rulebook (docs/spec/result.md)."""

from hypothesis import given
from hypothesis import strategies as st

from rules.result import GameEnd, Outcome, final_scores, outcome
from rules.rulebooks import load_rulebook, shipped_ids
from rules.side import BySide, Side
from tests.cells import each_cell

NASPA, WESPA = load_rulebook("naspa-2017"), load_rulebook("wespa-2021")
SCORES = st.builds(BySide, st.integers(-999, 1999), st.integers(-999, 1999))
PENALTIES = st.builds(BySide, st.integers(0, 300), st.integers(0, 300))
SIDES = st.none() | st.sampled_from(Side)


def test_the_higher_final_score_wins_by_the_difference_and_equal_ones_tie() -> None:
    assert outcome(BySide(412, 389)) == Outcome(Side.LEFT, 23)
    assert outcome(BySide(-7, 389)) == Outcome(Side.RIGHT, 396)
    assert outcome(BySide(401, 401)) == Outcome(None, 0)


def test_each_side_loses_its_own_overtime_penalty_unless_the_players_have_taken_it_off() -> None:
    end = GameEnd(BySide(20, 50))
    assert final_scores(NASPA, BySide(412, 389), end) == BySide(392, 339)
    assert final_scores(NASPA, BySide(412, 389), end, taken_off=True) == BySide(412, 389)


LIMIT = [
    # Rulebook, scores, loser, penalties, final scores.
    ("naspa-2017", (430, 389), Side.LEFT, (100, 0), (330, 389)),
    ("naspa-2017", (530, 389), Side.LEFT, (100, 20), (430, 431)),
    ("naspa-2017", (489, 389), Side.LEFT, (100, 0), (389, 390)),
    ("naspa-2017", (489, 389), Side.LEFT, (100, 0), (389, 390)),
    ("naspa-2012", (300, 450), Side.RIGHT, (0, 100), (351, 350)),
    ("wespa-2021", (530, 389), Side.LEFT, (100, 20), (269, 369)),
    ("wespa-2021", (250, 389), Side.LEFT, (100, 0), (150, 389)),
    # Below zero both get 100 points more; zero is not below it.
    ("wespa-2021", (99, 389), Side.LEFT, (100, 0), (99, 489)),
    ("wespa-2021", (99, 350), Side.RIGHT, (0, 100), (199, 99)),
    ("wespa-2021", (100, 389), Side.LEFT, (100, 0), (0, 389)),
]


def test_who_reaches_the_limit_loses_by_the_margin_of_the_rulebook() -> None:
    for cell in each_cell(LIMIT):
        with cell as (rulebook, scores, loser, penalties, final):
            end = GameEnd(BySide(*penalties), limit_loser=loser)
            assert final_scores(load_rulebook(rulebook), BySide(*scores), end) == BySide(*final)


LEAVING = [((330, 389), (280, 389)), ((410, 389), (410, 460)), ((389, 389), (389, 439))]


def test_who_leaves_behind_loses_the_margin_and_else_the_opponent_is_raised_above_the_leaver() -> None:
    for cell in each_cell([(book, *each) for book in (NASPA, WESPA) for each in LEAVING]):
        with cell as (book, scores, final):
            assert final_scores(book, BySide(*scores), GameEnd(leaver=Side.LEFT)) == BySide(*final)
            mirrored = final_scores(book, BySide(*scores).swapped(), GameEnd(leaver=Side.RIGHT))
            assert mirrored == BySide(*final).swapped()


@given(scores=SCORES, penalties=PENALTIES, loser=SIDES, leaver=SIDES, rulebook=st.sampled_from(shipped_ids()))
def test_exchanged_sides_have_exchanged_scores_and_a_loser_never_wins(
    scores: BySide[int], penalties: BySide[int], loser: Side | None, leaver: Side | None, rulebook: str
) -> None:
    book = load_rulebook(rulebook)
    leaver = None if loser is not None else leaver
    final = final_scores(book, scores, GameEnd(penalties, loser, leaver))
    others = [None if side is None else side.other for side in (loser, leaver)]
    assert final_scores(book, scores.swapped(), GameEnd(penalties.swapped(), *others)) == final.swapped()
    if loser is not None and book.limit is not None:
        assert outcome(final).winner is loser.other
        assert outcome(final).margin >= book.limit.wins_by
    if leaver is not None and book.result.leaving_margin:
        assert outcome(final).winner is leaver.other
        assert outcome(final).margin >= book.result.leaving_margin
