from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.challenge_log.entry import Way
from kiosk import events as players
from kiosk.screens.pressing import LONGEST, Typing, With, key_down, key_up, text

TAB, LETTER, OTHER = 9, 97, 98
KEYS = {"tab": players.Adjudicate(Way.TAB)}


def test_a_named_key_does_what_the_page_says() -> None:
    assert key_down(Typing(), TAB, "tab", With.NOTHING, KEYS)[1] == KEYS["tab"]


def test_a_named_key_that_the_page_does_not_know_does_nothing() -> None:
    assert key_down(Typing(), 27, "escape", With.NOTHING, KEYS)[1] is None


def test_a_held_tab_adjudicates_once_however_often_it_repeats() -> None:
    held, _ = key_down(Typing(), TAB, "tab", With.NOTHING, KEYS)
    for _ in range(1000):
        held, said = key_down(held, TAB, "tab", With.NOTHING, KEYS)
        assert said is None
    assert key_down(key_up(held, TAB), TAB, "tab", With.NOTHING, KEYS)[1] == KEYS["tab"]


@pytest.mark.parametrize("together", [With.COMMAND, With.ALTGR])
def test_a_named_key_with_another_held_is_swallowed(together: With) -> None:
    assert key_down(Typing(), TAB, "tab", together, KEYS)[1] is None


def test_a_character_is_typed_where_the_page_takes_any() -> None:
    held, _ = key_down(Typing(), LETTER, None, With.NOTHING, KEYS)
    assert text(held, "ñ", KEYS, taken=True)[1] == players.Type("ñ")
    assert text(held, "ñ", KEYS, taken=False)[1] is None


def test_a_letter_that_is_held_is_typed_once() -> None:
    held, _ = key_down(Typing(), LETTER, None, With.NOTHING, {})
    held, first = text(held, "a", KEYS, taken=True)
    assert first == players.Type("a")
    assert [text(held, "a", KEYS, taken=True)[1] for _ in range(100)] == [None] * 100
    held, _ = key_down(key_up(held, LETTER), LETTER, None, With.NOTHING, {})
    assert text(held, "a", KEYS, taken=True)[1] == players.Type("a")


def test_a_second_key_types_while_the_first_is_held() -> None:
    held, _ = key_down(Typing(), LETTER, None, With.NOTHING, {})
    held, _ = text(held, "a", KEYS, taken=True)
    held, _ = key_down(held, OTHER, None, With.NOTHING, {})
    held, said = text(held, "b", KEYS, taken=True)
    assert said == players.Type("b")
    assert text(key_up(held, LETTER), "b", KEYS, taken=True)[1] is None


def test_a_command_types_nothing_and_altgr_does() -> None:
    held, _ = key_down(Typing(), LETTER, None, With.COMMAND, {})
    assert text(held, "a", KEYS, taken=True)[1] is None
    held, _ = key_down(key_up(held, LETTER), LETTER, None, With.ALTGR, {})
    assert text(held, "ł", KEYS, taken=True)[1] == players.Type("ł")


def test_what_a_named_key_types_is_no_character() -> None:
    held, _ = key_down(Typing(), TAB, "tab", With.NOTHING, KEYS)
    assert text(held, "\t", KEYS, taken=True)[1] is None


def test_text_without_a_key_is_typed_as_it_comes_but_only_so_much_of_it_and_no_control_characters() -> None:
    assert text(Typing(), "é", KEYS, taken=True) == (Typing(), players.Type("é"))
    assert text(Typing(), "\x00\n", KEYS, taken=True)[1] is None
    said = text(Typing(), "a" * 10_000, KEYS, taken=True)[1]
    assert said == players.Type("a" * LONGEST)


STROKES = st.lists(st.tuples(st.booleans(), st.sampled_from([TAB, LETTER, OTHER]), st.sampled_from(With)), max_size=60)


@given(STROKES)
def test_no_key_acts_twice_without_having_been_let_go(strokes: list[tuple[bool, int, With]]) -> None:
    held, may_act = Typing(), True
    for goes_down, code, together in strokes:
        if not goes_down:
            held = key_up(held, code)
            may_act = may_act or code == TAB
            continue
        held, said = key_down(held, code, "tab" if code == TAB else None, together, KEYS)
        assert said is None or (code == TAB and may_act)
        may_act = may_act and code != TAB


def test_a_figure_chooses_a_row_where_nothing_is_typed_and_is_a_character_where_something_is() -> None:
    rows = {"1": players.Done()}
    held, _ = key_down(Typing(), LETTER, None, With.NOTHING, rows)
    assert text(held, "1", rows, taken=False)[1] == players.Done()
    assert text(held, "2", rows, taken=False)[1] is None
    assert text(held, "tab", KEYS, taken=False)[1] is None
    assert text(held, "1", rows, taken=True)[1] == players.Type("1")
    spent, _ = text(held, "1", rows, taken=False)
    assert text(spent, "1", rows, taken=False)[1] is None
