"""What happens by itself happens at its own instant, whether anybody looks or not."""

from hypothesis import given, settings
from hypothesis import strategies as st

from game.event_table import apply
from game.game import Phase
from game.rulings import fresh
from game.timed_transitions import advance, next_transition
from tests.examples import examples
from tests.firmware.random_games import Played, S, fold, played


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
    due = next_transition(game)
    if due is None:
        assert advance(game, 10**15) is game
    else:
        assert not accepted or due > accepted[-1].at
        assert advance(game, due - 1) is game
        assert advance(game, due).phase is Phase.OVER
