from collections.abc import Hashable

from hypothesis import given
from hypothesis import strategies as st

from kiosk import events as players
from kiosk.events import Event
from kiosk.face.page import Target
from kiosk.screens.pressing import LONGEST, Touching, Typing, down, key_down, key_up, text, turned, up
from records.entry import Way
from rules.side import Side

LETTER = Target("tile.A", "A", players.TypeTile("A"), on_down=True)
FINISH = Target("finish", "All typed", players.Finish())
BACK = Target("back", "Back", players.Back())
LEFT, RIGHT = (
    Target(f"challenger.{side}", "I challenge", players.ChooseChallenger(side), contested=True) for side in (Side.LEFT, Side.RIGHT)
)


TARGETS = (LETTER, FINISH, BACK)


def test_a_letter_acts_when_the_finger_comes_down_and_all_else_when_it_is_lifted_from_the_same_target() -> None:
    held, said = down(Touching(), 1, LETTER)
    assert (said, held.pressed) == (LETTER.event, frozenset({"tile.A"}))
    assert up(held, 1, LETTER) == (Touching(), None)
    held, said = down(Touching(), 1, FINISH)
    assert said is None
    assert up(held, 1, FINISH) == (Touching(), FINISH.event)
    # A finger that slides off takes its press back, and one that slides on presses nothing.
    for slid in (BACK, None):
        assert up(held, 1, slid) == (Touching(), None)
    held, said = down(Touching(), 1, None)
    assert said is None
    assert up(held, 1, FINISH) == (Touching(), None)


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


def test_a_press_whose_target_means_something_else_now_is_void() -> None:
    held, _ = down(Touching(), 1, FINISH)
    other = Target("finish", "All typed", players.Done())
    assert up(turned(held, (other,)), 1, other)[1] is None
    assert up(held, 1, other)[1] is None


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


TAB, A, OTHER = 9, 97, 98
KEYS = {"tab": players.Adjudicate(Way.TAB)}


def test_a_second_key_types_while_the_first_is_held() -> None:
    held, _ = key_down(Typing(), A, None, {})
    held, _ = text(held, "a", KEYS, taken=True)
    held, _ = key_down(held, OTHER, None, {})
    held, said = text(held, "b", KEYS, taken=True)
    assert said == players.Type("b")
    assert text(key_up(held, A), "b", KEYS, taken=True)[1] is None


def test_what_a_named_key_types_is_no_character() -> None:
    held, _ = key_down(Typing(), TAB, "tab", KEYS)
    assert text(held, "\t", KEYS, taken=True)[1] is None


def test_text_without_a_key_is_typed_as_it_comes_but_only_so_much_of_it_and_no_control_characters() -> None:
    assert text(Typing(), "é", KEYS, taken=True) == (Typing(), players.Type("é"))
    assert text(Typing(), "\x00\n", KEYS, taken=True)[1] is None
    said = text(Typing(), "a" * 10_000, KEYS, taken=True)[1]
    assert said == players.Type("a" * LONGEST)


STROKES = st.lists(st.tuples(st.booleans(), st.sampled_from([TAB, A, OTHER]), st.booleans()), max_size=60)


@given(STROKES)
def test_no_key_acts_twice_without_having_been_let_go(strokes: list[tuple[bool, int, bool]]) -> None:
    held, may_act = Typing(), True
    for goes_down, code, command in strokes:
        if not goes_down:
            held = key_up(held, code)
            may_act = may_act or code == TAB
            continue
        held, said = key_down(held, code, "tab" if code == TAB else None, KEYS, command=command)
        assert said is None or (code == TAB and may_act)
        may_act = may_act and code != TAB


def test_a_figure_chooses_a_row_where_nothing_is_typed_and_is_a_character_where_something_is() -> None:
    rows = {"1": players.Done()}
    held, _ = key_down(Typing(), A, None, rows)
    assert text(held, "1", rows, taken=False)[1] == players.Done()
    assert text(held, "2", rows, taken=False)[1] is None
    assert text(held, "tab", KEYS, taken=False)[1] is None
    assert text(held, "1", rows, taken=True)[1] == players.Type("1")
    spent, _ = text(held, "1", rows, taken=False)
    assert text(spent, "1", rows, taken=False)[1] is None
