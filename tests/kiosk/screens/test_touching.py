from __future__ import annotations

from collections.abc import Hashable

from hypothesis import given
from hypothesis import strategies as st

from kiosk import events as players
from kiosk.events import Event
from kiosk.face.page import Target
from kiosk.screens.pressing import Touching, down, turned, up
from rules.side import Side

LETTER = Target("tile.A", "A", players.TypeTile("A"), on_down=True)
FINISH = Target("finish", "All typed", players.Finish())
BACK = Target("back", "Back", players.Back())
LEFT, RIGHT = (
    Target(f"challenger.{side}", "I challenge", players.ChooseChallenger(side), contested=True) for side in (Side.LEFT, Side.RIGHT)
)
TARGETS = (LETTER, FINISH, BACK)


def test_a_letter_acts_when_the_finger_comes_down_and_not_again_when_it_is_lifted() -> None:
    held, said = down(Touching(), 1, LETTER)
    assert said == LETTER.event
    assert held.pressed == {"tile.A"}
    assert up(held, 1, LETTER) == (Touching(), None)


def test_all_else_acts_when_it_is_lifted_from_the_same_target() -> None:
    held, said = down(Touching(), 1, FINISH)
    assert said is None
    assert up(held, 1, FINISH) == (Touching(), FINISH.event)


def test_a_finger_that_slides_off_takes_its_press_back() -> None:
    held, _ = down(Touching(), 1, FINISH)
    assert up(held, 1, BACK) == (Touching(), None)
    assert up(held, 1, None) == (Touching(), None)


def test_a_finger_that_slides_onto_a_target_presses_nothing() -> None:
    held, said = down(Touching(), 1, None)
    assert said is None
    assert up(held, 1, FINISH) == (Touching(), None)


def test_two_touches_at_once_are_two_presses_each_its_own() -> None:
    held, _ = down(Touching(), 1, FINISH)
    held, first = down(held, 2, LETTER)
    assert held.pressed == {"finish", "tile.A"}
    held, second = up(held, 1, FINISH)
    assert (first, second) == (LETTER.event, FINISH.event)
    assert up(held, 2, LETTER) == (Touching(), None)


def test_of_two_players_who_hold_their_own_targets_together_neither_is_heard_whoever_lets_go_first() -> None:
    held, _ = down(Touching(), 1, LEFT)
    held, said = down(held, 2, RIGHT)
    assert said is None
    assert held.pressed == frozenset()
    held, first = up(held, 1, LEFT)
    held, second = up(held, 2, RIGHT)
    assert (first, second) == (None, None)
    held, _ = down(held, 2, RIGHT)
    assert up(held, 2, RIGHT) == (Touching(), RIGHT.event)


def test_a_palm_on_one_players_target_takes_one_touch_from_the_other_and_no_more() -> None:
    held, _ = down(Touching(), 1, LEFT)
    held, _ = down(held, 2, RIGHT)
    held, _ = up(held, 2, RIGHT)
    held, _ = down(held, 2, RIGHT)
    held, said = up(held, 2, RIGHT)
    assert said == RIGHT.event
    assert up(held, 1, LEFT) == (Touching(), None)


def test_two_fingers_of_one_player_on_their_own_target_are_heard() -> None:
    held, _ = down(Touching(), 1, LEFT)
    held, _ = down(held, 2, LEFT)
    held, said = up(held, 2, LEFT)
    assert said == LEFT.event


def test_two_fingers_on_one_target_are_two_presses_and_the_second_is_void_once_the_page_has_changed() -> None:
    held, _ = down(Touching(), 1, FINISH)
    held, _ = down(held, 2, FINISH)
    held, said = up(held, 1, FINISH)
    assert said == FINISH.event
    held = turned(held, (BACK,))
    assert held.pressed == frozenset()
    assert up(held, 2, BACK) == (Touching(), None)


def test_a_press_whose_target_means_something_else_now_is_void() -> None:
    held, _ = down(Touching(), 1, FINISH)
    other = Target("finish", "All typed", players.Done())
    assert up(turned(held, (other,)), 1, other)[1] is None
    assert up(held, 1, other)[1] is None


def test_a_press_outlives_a_page_on_which_its_target_is_still_the_same() -> None:
    held, _ = down(Touching(), 1, FINISH)
    assert up(turned(held, TARGETS), 1, FINISH)[1] == FINISH.event


def test_a_pointer_that_comes_down_again_without_having_been_lifted_presses_anew() -> None:
    held, _ = down(Touching(), 1, FINISH)
    held, _ = down(held, 1, BACK)
    assert held.pressed == {"back"}
    assert up(held, 1, BACK)[1] == BACK.event


MOVES = st.lists(st.tuples(st.sampled_from(["down", "up", "turn"]), st.integers(1, 3), st.sampled_from([None, *TARGETS])), max_size=40)


@given(MOVES)
def test_no_press_acts_twice_whatever_the_fingers_do(moves: list[tuple[str, Hashable, Target | None]]) -> None:
    held, downs, acts = Touching(), 0, 0
    for move, pointer, target in moves:
        said: Event | None = None
        if move == "turn":
            held = turned(held, () if target is None else (target,))
        else:
            held, said = (down if move == "down" else up)(held, pointer, target)
        downs += move == "down" and target is not None
        acts += said is not None
        assert acts <= downs
        assert len({press.pointer for press in held.presses}) == len(held.presses)
