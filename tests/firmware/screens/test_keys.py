from typing import Any

import pygame
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.screens.layout import Arrangement, arrange
from firmware.screens.screen import ButtonEdge, Held, ScreenInput, Tap
from firmware.screens.terminal import LONG_NS, SHORT_NS, KeyParser, typed
from firmware.screens.window import PointerTarget, translate

LAYOUT = arrange(1024, 600, Arrangement.FACING)
LEFT_SPOT, RIGHT_SPOT, BAR_SPOT = (512, 100), (512, 500), (512, 300)
Happened = tuple[int, dict[str, Any]]


def words(inputs: list[ScreenInput]) -> str:
    """Return inputs as ``+left`` for an edge down, ``-left`` for one up, ``left`` for a short tap, ``LEFT`` for a long one, and ``quit``."""
    taps = {SHORT_NS: str.lower, LONG_NS: str.upper}
    return " ".join(
        taps[one.held](one.button)
        if isinstance(one, Tap)
        else f"{'+' if one.down else '-'}{one.button}"
        if isinstance(one, ButtonEdge)
        else type(one).__name__.lower()
        for one in inputs
    )


def edges(*events: Happened) -> str:
    held = Held()
    heard: list[ScreenInput] = []
    for kind, what in events:
        held, inputs = translate(held, pygame.event.Event(kind, what), PointerTarget(LAYOUT, LAYOUT.size))
        heard += inputs
    return words(heard)


def key(code: int, *, down: bool = True) -> Happened:
    return (pygame.KEYDOWN if down else pygame.KEYUP), {"key": code}


def mouse(spot: tuple[int, int], *, down: bool = True, button: int = 1, touch: bool = False) -> Happened:
    return (pygame.MOUSEBUTTONDOWN if down else pygame.MOUSEBUTTONUP), {"pos": spot, "button": button, "touch": touch}


def finger(spot: tuple[int, int], number: int, *, down: bool = True) -> Happened:
    return (pygame.FINGERDOWN if down else pygame.FINGERUP), {"touch_id": 1, "finger_id": number, "x": spot[0] / 1024, "y": spot[1] / 600}


A, A_UP, L = key(pygame.K_a), key(pygame.K_a, down=False), key(pygame.K_l)


@pytest.mark.parametrize(
    ("button", "codes"),
    [
        *(("left", (pygame.K_LEFT, pygame.K_a)), ("right", (pygame.K_RIGHT, pygame.K_l)), ("centre", (pygame.K_SPACE,))),
        *(("up", (pygame.K_UP,)), ("down", (pygame.K_DOWN,)), ("ok", (pygame.K_RETURN, pygame.K_KP_ENTER))),
    ],
)
def test_a_key_is_its_button_down_and_up(button: str, codes: tuple[int, ...]) -> None:
    for code in codes:
        assert edges(key(code), key(code, down=False)) == f"+{button} -{button}"


@pytest.mark.parametrize(
    ("events", "heard"),
    [
        # A held key gives one down edge however often it repeats; two keys of one button are one press.
        ([*[A] * 20, A_UP], "+left -left"),
        ([A, key(pygame.K_LEFT), A_UP, key(pygame.K_LEFT, down=False)], "+left -left"),
        # Both player keys are down together for a chord; the key switch turns on at one stroke and off at the next.
        ([A, L], "+left +right"),
        ([key(pygame.K_k), key(pygame.K_k, down=False)] * 2, "+key -key"),
        *[([key(pygame.K_ESCAPE)], "quit"), ([(pygame.QUIT, {})], "quit")],
        # Another key, and one let go that was never pressed.
        *[([key(pygame.K_q), key(pygame.K_q, down=False)], ""), ([A_UP], "")],
        # What is held when the window loses the keyboard is let go.
        ([A, (pygame.WINDOWFOCUSLOST, {}), A_UP], "+left -left"),
        # A click on a half is its player's button, also where the pointer moved away before it was let go.
        ([mouse(LEFT_SPOT), mouse(LEFT_SPOT, down=False)], "+left -left"),
        ([mouse(RIGHT_SPOT), mouse(RIGHT_SPOT, down=False)], "+right -right"),
        ([mouse(BAR_SPOT), mouse(BAR_SPOT, down=False)], "+centre -centre"),
        ([mouse(LEFT_SPOT), mouse(RIGHT_SPOT, down=False)], "+left -left"),
        # Two fingers press two buttons, and each lets go of its own.
        (
            [finger(LEFT_SPOT, 1), finger(RIGHT_SPOT, 2), finger(LEFT_SPOT, 2, down=False), finger(LEFT_SPOT, 1, down=False)],
            "+left +right -right -left",
        ),
        # The mouse that a finger pretends to be, and the wheel.
        ([mouse(LEFT_SPOT, touch=True), mouse(LEFT_SPOT, button=4)], ""),
    ],
)
def test_what_a_window_hears(events: list[Happened], heard: str) -> None:
    assert edges(*events) == heard


def test_a_finger_on_a_window_smaller_than_the_layout_presses_what_it_sees() -> None:
    event = pygame.event.Event(pygame.FINGERDOWN, {"touch_id": 1, "finger_id": 1, "x": 0.5, "y": 0.9})
    assert translate(Held(), event, PointerTarget(arrange(320, 240, Arrangement.FACING), (320, 60)))[1] == (ButtonEdge("left", down=True),)


def heard(*reads: str) -> str:
    typist = KeyParser()
    inputs: list[ScreenInput] = []
    for text in reads:
        some, typist = typed(typist, text)
        inputs += some
    return words(inputs)


@pytest.mark.parametrize(
    ("reads", "expected"),
    [
        # Letters are short taps and capitals long ones; the key switch keeps its position between reads.
        (("aAlL b",), "left LEFT right RIGHT centre CENTRE"),
        (("k", "ak"), "+key left -key"),
        (("q",), "quit"),
        # Arrows, in both ways that terminals send them, and in several goes.
        (("\x1b[A\x1b[B\x1bOA\x1bOB\r",), "up down up down ok"),
        *(((*cut, "l"), "up right") for cut in (("\x1b", "[A"), ("\x1b[", "A"), ("\x1b", "[", "A"), ("\x1b", "OA"), ("\x1bO", "A"))),
        # A sequence that breaks off swallows no key after it; escape alone neither quits nor swallows one.
        (("\x1b[1;\x1b[A\x1b[ \r",), "up centre ok"),
        *((("\x1b",), ""), (("\x1b", "a", "\x1b", "\x1b", "l"), "left right")),
    ],
)
def test_what_a_terminal_hears(reads: tuple[str, ...], expected: str) -> None:
    assert heard(*reads) == expected


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


@pytest.mark.parametrize("name", UNKNOWN)
def test_a_key_that_the_clock_does_not_know_presses_nothing_in_one_go_or_cut_after_any_of_its_characters_but_escape(name: str) -> None:
    sequence = UNKNOWN[name]
    assert heard(sequence, "a") == "left"
    assert {heard(sequence[:cut], sequence[cut:], "a") for cut in range(2, len(sequence))} <= {"left"}


def test_text_that_is_pasted_plays_nothing_however_it_is_cut() -> None:
    whole = "l\x1b[200~A qkal\x1b[A\x1b[201~a"
    assert {heard(whole[:cut], whole[cut:]) for cut in range(len(whole))} == {"right left"}


@given(st.lists(st.text(alphabet="\x1b[O;15A~qal ", max_size=6), max_size=6))
def test_whatever_is_typed_is_heard_to_its_end(reads: list[str]) -> None:
    assert heard(*reads, "\x1b[A", "\x1b[A").endswith("up")
