"""A turned panel: where the layout's pixels lie, and where a touch on the panel lands."""

from __future__ import annotations

from typing import get_args

import pygame
import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.display.layout import Box, Rotation, Turn
from appliance.display.pane import upright

ROTATIONS = get_args(Rotation)
TURNS = st.builds(Turn, st.sampled_from(ROTATIONS), st.tuples(st.integers(1, 40), st.integers(1, 40)))


def numbered(size: tuple[int, int]) -> pygame.Surface:
    """Return a layout's picture of which no two pixels are alike."""
    surface = pygame.Surface(size, depth=32)
    for y in range(size[1]):
        for x in range(size[0]):
            surface.set_at((x, y), (x, y, 77))
    return surface


def drawn(turn: Turn) -> pygame.Surface:
    """Return the panel's picture of ``numbered``, turned by pygame: counterclockwise, so by the negative."""
    return pygame.transform.rotate(numbered(turn.size), -turn.degrees)


@given(TURNS, st.data())
def test_a_touch_at_any_pixel_of_the_panel_lands_on_the_pixel_of_the_layout_that_is_drawn_there(turn: Turn, data: st.DataObject) -> None:
    width, height = turn.panel
    x, y = data.draw(st.integers(0, width - 1)), data.draw(st.integers(0, height - 1))
    shown = tuple(drawn(turn).get_at((x, y)))[:2]
    assert turn.seen(x, y) == shown
    clicked = upright(pygame.event.Event(pygame.MOUSEBUTTONDOWN, button=1, pos=(x, y), touch=False), turn)
    assert clicked.pos == shown
    touched = upright(pygame.event.Event(pygame.FINGERDOWN, touch_id=1, finger_id=2, x=(x + 0.5) / width, y=(y + 0.5) / height), turn)
    assert (int(touched.x * turn.size[0]), int(touched.y * turn.size[1])) == shown
    assert (touched.touch_id, touched.finger_id) == (1, 2)


@given(TURNS, st.data())
def test_a_part_of_the_layout_lies_on_the_panel_where_its_pixels_are_drawn(turn: Turn, data: st.DataObject) -> None:
    width, height = turn.size
    x, y = data.draw(st.integers(0, width - 1)), data.draw(st.integers(0, height - 1))
    box = Box(x, y, data.draw(st.integers(1, width - x)), data.draw(st.integers(1, height - y)))
    part = pygame.transform.rotate(numbered(turn.size).subsurface((box.x, box.y, box.width, box.height)), -turn.degrees)
    lies = turn.placed(box)
    whole = drawn(turn).subsurface((lies.x, lies.y, lies.width, lies.height))
    assert pygame.image.tobytes(part, "RGB") == pygame.image.tobytes(whole, "RGB")


@pytest.mark.parametrize(("degrees", "corner"), [(0, (0, 0)), (90, (9, 0)), (180, (9, 4)), (270, (0, 4))])
def test_it_turns_clockwise(degrees: Rotation, corner: tuple[int, int]) -> None:
    assert Turn(degrees, (10, 5)).seen(*corner) == (0, 0)


@given(TURNS)
def test_the_largest_position_of_a_device_is_the_last_pixel(turn: Turn) -> None:
    touched = upright(pygame.event.Event(pygame.FINGERUP, touch_id=1, finger_id=2, x=1.0, y=1.0), turn)
    width, height = turn.panel
    assert (int(touched.x * turn.size[0]), int(touched.y * turn.size[1])) == turn.seen(width - 1, height - 1)


OUTSIDE = st.one_of(st.floats(max_value=-1e-9), st.floats(min_value=1.0000001), st.just(float("nan")))


@given(turn=TURNS, one=OUTSIDE, other=st.one_of(OUTSIDE, st.floats(0, 1)), swapped=st.booleans())
def test_a_finger_where_there_is_no_panel_is_outside_of_every_layout(turn: Turn, one: float, other: float, *, swapped: bool) -> None:
    x, y = (other, one) if swapped else (one, other)
    touched = upright(pygame.event.Event(pygame.FINGERDOWN, touch_id=1, finger_id=2, x=x, y=y), turn)
    assert int(touched.x * turn.size[0]) < 0
    assert int(touched.y * turn.size[1]) < 0


def test_all_else_comes_as_it_is() -> None:
    event = pygame.event.Event(pygame.KEYDOWN, key=pygame.K_l)
    assert upright(event, Turn(90, (10, 5))) is event
