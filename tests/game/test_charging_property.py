"""used(left) + used(right) + the time during which no clock ran = elapsed, to the nanosecond, at instants that fall on no tick."""

from hypothesis import given, settings
from hypothesis import strategies as st

from game.events import Arrive, NewGame
from game.game import Phase
from game.rulings import fresh
from game.timed_transitions import advance
from rules.side import Side
from tests.examples import examples
from tests.firmware.random_games import Played, S, Said, apply_or_advance, fold, fold_at, played
from tests.firmware.saying import RULEBOOKS, new_game


def _idle(beginning: NewGame, script: list[Said], until: int) -> int:
    """The ns without a running clock, by a stopwatch beside the table that is read at every line.

    Short gaps and plenty of time: no clock stops by itself in between. When the first of two absent players comes, the other is charged from the start.
    """
    game, idle, before, both_since = fresh(beginning), 0, 0, 0
    for line in script:
        idle += line.at - before if game.running is None else 0
        came_first = game.phase is Phase.LATE and len(game.absent) == 2 and isinstance(line.event, Arrive)
        was_late = game.phase is Phase.LATE
        game = apply_or_advance(game, line)
        both_since = line.at if game.phase is Phase.LATE and not was_late else both_since
        idle -= line.at - both_since if came_first else 0
        before = line.at
    return idle + (until - before if game.running is None else 0)


@settings(deadline=None, max_examples=examples(300))
@given(drawn=played(st.sampled_from(RULEBOOKS).map(new_game), longest_gap_s=40, most=30), rest=st.integers(0, 20 * S))
def test_what_both_sides_used_and_the_time_nobody_was_charged_make_up_what_elapsed(drawn: Played, rest: int) -> None:
    beginning, script = drawn
    until = script[-1].at + rest
    game = fold_at(beginning, script, until)
    used = sum(game.used_at(side, until) for side in Side)
    assert used + _idle(beginning, script, until) == until


@settings(deadline=None, max_examples=examples(200))
@given(drawn=played(), rest=st.integers(0, 3000 * S))
def test_time_used_never_goes_back_and_never_faster_than_time(drawn: Played, rest: int) -> None:
    beginning, script = drawn
    _, accepted = fold(beginning, script)
    game, before, total = fresh(beginning), 0, 0
    for line in [*accepted, Said(accepted[-1].at + rest, accepted[-1].event)] if accepted else []:
        at_line = advance(game, line.at)
        now_used = sum(at_line.used_at(side, line.at) for side in Side)
        assert 0 <= now_used - total <= line.at - before
        game = apply_or_advance(at_line, line)
        total = sum(game.used_at(side, line.at) for side in Side)
        assert total >= now_used
        before = line.at


@settings(deadline=None, max_examples=examples(100))
@given(
    rulebook=st.sampled_from([rulebook for rulebook in RULEBOOKS if rulebook not in ("nzasp-2022", "club")]),
    credit=st.integers(-600 * S, 600 * S),
    given_now=st.integers(-600 * S, 600 * S),
    started=st.integers(1, 100 * S),
)
def test_the_limit_charges_to_the_nanosecond_whatever_was_given_and_owed(rulebook: str, credit: int, given_now: int, started: int) -> None:
    beginning = new_game(rulebook)
    game = fresh(beginning)
    left = Side.LEFT
    game = game.replace(
        allowed=game.allowed.replace(left, 1500 * S + given_now),
        credit=game.credit.replace(left, credit),
        phase=Phase.RUNNING,
        running=left,
        turn=left,
        since=started,
    )
    over = advance(game, started + 10**14)
    assert over.used.of(left) == 1500 * S + given_now + credit + (600 if rulebook == "naspa-2012" else 601) * S
    assert (over.loser, over.penalty(left, started + 10**14)) == (left, 100)
