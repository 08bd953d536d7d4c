from __future__ import annotations

from typing import Any

import pygame
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.screens.layout import Arrangement, arrange
from firmware.screens.screen import ButtonEdge, Held, Quit, ScreenInput, Tap
from firmware.screens.terminal import LONG_NS, SHORT_NS, KeyParser, typed
from firmware.screens.window import PointerTarget, translate
from tests.cells import each_cell

LAYOUT = arrange(1024, 600, Arrangement.FACING)
LEFT_SPOT, RIGHT_SPOT, BAR_SPOT = (512, 100), (512, 500), (512, 300)


def edges(*events: tuple[int, dict[str, Any]]) -> list[ScreenInput]:
    """Return what a window hears, one after the other."""
    held = Held()
    heard: list[ScreenInput] = []
    for kind, what in events:
        held, inputs = translate(held, pygame.event.Event(kind, what), PointerTarget(LAYOUT, LAYOUT.size))
        heard += inputs
    return heard


def key(code: int, *, down: bool = True) -> tuple[int, dict[str, Any]]:
    return (pygame.KEYDOWN if down else pygame.KEYUP), {"key": code}


def mouse(spot: tuple[int, int], *, down: bool = True, button: int = 1, touch: bool = False) -> tuple[int, dict[str, Any]]:
    return (pygame.MOUSEBUTTONDOWN if down else pygame.MOUSEBUTTONUP), {"pos": spot, "button": button, "touch": touch}


def finger(spot: tuple[int, int], number: int, *, down: bool = True) -> tuple[int, dict[str, Any]]:
    return (pygame.FINGERDOWN if down else pygame.FINGERUP), {"touch_id": 1, "finger_id": number, "x": spot[0] / 1024, "y": spot[1] / 600}


KEYS: list[tuple[int, Any]] = [
    (pygame.K_LEFT, "left"),
    (pygame.K_a, "left"),
    (pygame.K_RIGHT, "right"),
    (pygame.K_l, "right"),
    (pygame.K_SPACE, "centre"),
    (pygame.K_UP, "up"),
    (pygame.K_DOWN, "down"),
    (pygame.K_RETURN, "ok"),
    (pygame.K_KP_ENTER, "ok"),
]


def test_a_key_is_its_button_down_and_up() -> None:
    for cell in each_cell(KEYS):
        with cell as (code, button):
            assert edges(key(code), key(code, down=False)) == [ButtonEdge(button, down=True), ButtonEdge(button, down=False)]


def test_a_held_key_gives_one_down_edge_however_often_it_repeats() -> None:
    assert edges(*[key(pygame.K_a)] * 20, key(pygame.K_a, down=False)) == [ButtonEdge("left", down=True), ButtonEdge("left", down=False)]


def test_two_keys_of_one_button_are_one_press_from_the_first_down_to_the_last_up() -> None:
    heard = edges(key(pygame.K_a), key(pygame.K_LEFT), key(pygame.K_a, down=False), key(pygame.K_LEFT, down=False))
    assert heard == [ButtonEdge("left", down=True), ButtonEdge("left", down=False)]


def test_both_player_keys_are_down_together_for_a_chord() -> None:
    assert edges(key(pygame.K_a), key(pygame.K_l)) == [ButtonEdge("left", down=True), ButtonEdge("right", down=True)]


def test_the_key_switch_turns_on_at_one_stroke_and_off_at_the_next() -> None:
    strokes = [key(pygame.K_k), key(pygame.K_k, down=False)] * 2
    assert edges(*strokes) == [ButtonEdge("key", down=True), ButtonEdge("key", down=False)]


@pytest.mark.parametrize("event", [key(pygame.K_ESCAPE), (pygame.QUIT, {})])
def test_escape_and_a_closed_window_are_heard_as_quit(event: tuple[int, dict[str, Any]]) -> None:
    assert edges(event) == [Quit()]


def test_another_key_presses_nothing() -> None:
    assert edges(key(pygame.K_q), key(pygame.K_q, down=False)) == []


def test_a_key_let_go_that_was_never_pressed_gives_no_edge() -> None:
    assert edges(key(pygame.K_a, down=False)) == []


@pytest.mark.parametrize(("spot", "button"), [(LEFT_SPOT, "left"), (RIGHT_SPOT, "right"), (BAR_SPOT, "centre")])
def test_a_click_on_a_half_is_its_players_button(spot: tuple[int, int], button: Any) -> None:
    assert edges(mouse(spot), mouse(spot, down=False)) == [ButtonEdge(button, down=True), ButtonEdge(button, down=False)]


def test_a_release_goes_to_the_button_that_was_pressed_though_the_pointer_moved_away() -> None:
    assert edges(mouse(LEFT_SPOT), mouse(RIGHT_SPOT, down=False)) == [ButtonEdge("left", down=True), ButtonEdge("left", down=False)]


def test_two_fingers_press_two_buttons_and_each_lets_go_of_its_own() -> None:
    heard = edges(finger(LEFT_SPOT, 1), finger(RIGHT_SPOT, 2), finger(LEFT_SPOT, 2, down=False), finger(LEFT_SPOT, 1, down=False))
    assert heard == [
        ButtonEdge("left", down=True),
        ButtonEdge("right", down=True),
        ButtonEdge("right", down=False),
        ButtonEdge("left", down=False),
    ]


def test_the_mouse_that_a_finger_pretends_to_be_and_the_wheel_press_nothing() -> None:
    assert edges(mouse(LEFT_SPOT, touch=True), mouse(LEFT_SPOT, button=4)) == []


def test_what_is_held_when_the_window_loses_the_keyboard_is_let_go() -> None:
    heard = edges(key(pygame.K_a), (pygame.WINDOWFOCUSLOST, {}), key(pygame.K_a, down=False))
    assert heard == [ButtonEdge("left", down=True), ButtonEdge("left", down=False)]


def heard(*reads: str) -> list[ScreenInput]:
    """Return what a terminal's clock hears, read in so many goes."""
    typist = KeyParser()
    inputs: list[ScreenInput] = []
    for text in reads:
        some, typist = typed(typist, text)
        inputs += some
    return inputs


def pressed(*reads: str) -> list[str]:
    return [what.button if isinstance(what, Tap) else "quit" for what in heard(*reads) if not isinstance(what, ButtonEdge)]


def test_terminal_letters_are_short_taps_and_capitals_long_ones() -> None:
    assert heard("aAlL b") == [
        Tap("left", SHORT_NS),
        Tap("left", LONG_NS),
        Tap("right", SHORT_NS),
        Tap("right", LONG_NS),
        Tap("centre", SHORT_NS),
        Tap("centre", LONG_NS),
    ]


def test_terminal_arrows_and_enter_work_the_menu_in_both_ways_that_terminals_send_them() -> None:
    assert pressed("\x1b[A\x1b[B\x1bOA\x1bOB\r") == ["up", "down", "up", "down", "ok"]


@pytest.mark.parametrize("reads", [("\x1b", "[A"), ("\x1b[", "A"), ("\x1b", "[", "A"), ("\x1b", "OA"), ("\x1bO", "A")])
def test_an_arrow_that_is_read_in_several_goes_is_the_arrow_and_nothing_else(reads: tuple[str, ...]) -> None:
    assert pressed(*reads, "l") == ["up", "right"]


UNKNOWN = {
    "control and up": "\x1b[1;5A",
    "delete": "\x1b[3~",
    "F1 of the Linux console": "\x1b[[A",
    "F1": "\x1bOP",
    "control and up of an old terminal": "\x1bO5A",
    "shift and insert of rxvt": "\x1b[2$",
    "the cursor's place": "\x1b[12;40R",
    "alt and A": "\x1bA",
    "alt and q": "\x1bq",
}


def test_a_key_that_the_clock_does_not_know_presses_nothing_in_one_go_or_cut_after_any_of_its_characters_but_escape() -> None:
    for cell in each_cell(UNKNOWN.values()):
        with cell as sequence:
            assert heard(sequence, "a") == [Tap("left", SHORT_NS)]
            for cut in range(2, len(sequence)):
                assert heard(sequence[:cut], sequence[cut:], "a") == [Tap("left", SHORT_NS)]


def test_a_sequence_that_breaks_off_swallows_no_key_after_it() -> None:
    assert pressed("\x1b[1;\x1b[A\x1b[ \r") == ["up", "centre", "ok"]


def test_escape_alone_neither_quits_nor_swallows_the_key_that_comes_after_it() -> None:
    assert pressed("\x1b") == []
    assert pressed("\x1b", "a", "\x1b", "\x1b", "l") == ["left", "right"]


def test_text_that_is_pasted_plays_nothing_however_it_is_cut() -> None:
    whole = "l\x1b[200~A qkal\x1b[A\x1b[201~a"
    for cut in range(len(whole)):
        assert pressed(whole[:cut], whole[cut:]) == ["right", "left"]


@given(st.lists(st.text(alphabet="\x1b[O;15A~qal ", max_size=6), max_size=6))
def test_whatever_is_typed_is_heard_to_its_end(reads: list[str]) -> None:
    assert pressed(*reads, "\x1b[A", "\x1b[A")[-1:] == ["up"]


def test_the_terminal_key_switch_keeps_its_position_between_reads() -> None:
    assert heard("k", "ak") == [ButtonEdge("key", down=True), Tap("left", SHORT_NS), ButtonEdge("key", down=False)]


def test_q_quits_the_terminal() -> None:
    assert heard("q") == [Quit()]


def test_a_finger_on_a_window_smaller_than_the_layout_presses_what_it_sees() -> None:
    event = pygame.event.Event(pygame.FINGERDOWN, {"touch_id": 1, "finger_id": 1, "x": 0.5, "y": 0.9})
    assert translate(Held(), event, PointerTarget(arrange(320, 240, Arrangement.FACING), (320, 60)))[1] == (ButtonEdge("left", down=True),)
