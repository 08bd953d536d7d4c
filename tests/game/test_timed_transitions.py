"""Changes without an event: each at its own instant whether anybody looks or not, and what is charged meanwhile."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from game import timed_transitions
from game.event_table import apply
from game.events import Arrive, NewGame
from game.game import Phase
from game.rulings import fresh
from game.timed_transitions import advance
from rules.side import Side
from tests.examples import examples
from tests.firmware.random_games import Played, S, Said, apply_or_advance, fold, fold_at, played
from tests.firmware.saying import NZ, RULEBOOKS, check, new_game

# --- the overtime limit: reached in 2012 (V.F.3), exceeded in 2014 and 2017 (V.G.3), unknown in New Zealand and the club

WITH_LIMIT = [(rulebook, 2100 if rulebook == "naspa-2012" else 2101) for rulebook in RULEBOOKS if rulebook not in (NZ, "club")]


@pytest.mark.parametrize(("rulebook", "used"), WITH_LIMIT)
def test_the_game_is_lost_the_instant_the_reading_is_there_credits_counted(rulebook: str, used: int) -> None:
    # At exactly a hundred points.
    lost = f"over - left; reason=overtime limit; loser=left; left.penalty=100; left.used_ns={used}000000000"
    check(f"0 press right > {used - 1}.999999999 running left left > {used} {lost} > 9999 {lost}", rulebook)
    # A credit counts towards the limit.
    for s in (60, -60):
        check(
            f"""0 press right, 1 adjust left seconds={s} when=end reason=x
            > {used + s - 1}.999999999 phase=running > {used + s} reason=overtime limit""",
            rulebook,
        )


@pytest.mark.parametrize("rulebook", [NZ, "club"])
def test_without_a_limit_the_clock_runs_on(rulebook: str) -> None:
    check("0 press right > 3000 phase=running; left.reading=-25:00; left.penalty=250", rulebook)


def test_the_limit_is_that_side_s_alone_and_stands_until_the_game_is_reopened() -> None:
    check("""0 press left, 1561 press right > 3662 loser=left; left.penalty=100; right.penalty=20
        # A side that is taken past the limit loses when its clock runs.
        0 press right, 50 adjust left seconds=-2200 when=now reason=x
        > 50 reason=overtime limit; loser=left; left.penalty=100; left.used_ns=50000000000
        0 press right, 50 adjust right seconds=-2200 when=now reason=x, 100 press left
        > 99 running left left > 100 reason=overtime limit; loser=right; right.used_ns=0
        # Overtime is not erased after the limit unless the game is reopened.
        0 press right, !2200 erase_overtime left reason=x, 2200 reopen reason=x, 2201 erase_overtime left reason=x
        > 2200 loser=none; left.reading=-10:01; left.penalty=110 > 2202 neutral - left; left.reading=0:00; left.penalty=0""")


# --- looking changes nothing
@settings(deadline=None, max_examples=examples(300))
@given(drawn=played(), looks=st.lists(st.integers(0, 6000 * S), max_size=40))
def test_looking_at_any_instants_in_between_gives_the_same_game(drawn: Played, looks: list[int]) -> None:
    beginning, script = drawn
    unseen, accepted = fold(beginning, script)
    game, waiting = fresh(beginning), sorted(looks)
    for line in accepted:
        while waiting and waiting[0] <= line.at:
            game = advance(game, waiting.pop(0))
        game = apply(game, line.event, line.at)
    assert game == unseen
    end = 10_000 * S
    for look in waiting:
        game = advance(game, max(look, accepted[-1].at if accepted else 0))
    assert advance(game, end + 10**15) == advance(unseen, end + 10**15)


@settings(deadline=None, max_examples=examples(200))
@given(drawn=played())
def test_what_comes_next_by_itself_comes_at_that_instant_and_not_a_nanosecond_sooner(drawn: Played) -> None:
    beginning, script = drawn
    game, accepted = fold(beginning, script)
    due = timed_transitions.next_due(game)
    if due is None:
        assert advance(game, 10**15) is game
    else:
        assert not accepted or due > accepted[-1].at
        assert advance(game, due - 1) is game
        assert advance(game, due).phase is Phase.OVER


# --- used(left) + used(right) + the time during which no clock ran = elapsed, to the nanosecond, at instants that fall on no tick
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
