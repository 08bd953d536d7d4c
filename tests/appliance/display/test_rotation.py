import itertools
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, get_args

import pygame
import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.display.layout import Box, Rotation, Turn
from appliance.display.pane import upright
from firmware.screens.layout import Arrangement, hit
from firmware.screens.screen import ButtonEdge
from firmware.screens.window import WindowScreen
from kiosk.screens.window import KioskWindow
from tests.examples import sampled
from tests.firmware.screens.faces import FACES
from tests.kiosk.screens.pages import PAGES
from tests.kiosk.screens.pressing import heard, middle, opened

pytestmark = pytest.mark.usefixtures("dummy_display")

ROTATIONS = get_args(Rotation)
TURNS = st.builds(Turn, st.sampled_from(ROTATIONS), st.tuples(st.integers(1, 40), st.integers(1, 40)))


def numbered(size: tuple[int, int]) -> pygame.Surface:
    surface = pygame.Surface(size, depth=32)
    for y in range(size[1]):
        for x in range(size[0]):
            surface.set_at((x, y), (x, y, 77))
    return surface


def drawn(turn: Turn) -> pygame.Surface:
    """Return the panel's picture of ``numbered``, turned by pygame: counterclockwise, so by the negative."""
    return pygame.transform.rotate(numbered(turn.size), -turn.degrees)


@given(TURNS, st.data())
def test_a_touch_lands_on_the_pixel_that_is_drawn_there_and_a_part_lies_where_its_pixels_are(turn: Turn, data: st.DataObject) -> None:
    width, height = turn.panel
    x, y = data.draw(st.integers(0, width - 1)), data.draw(st.integers(0, height - 1))
    shown = tuple(drawn(turn).get_at((x, y)))[:2]
    assert turn.seen(x, y) == shown
    clicked = upright(pygame.event.Event(pygame.MOUSEBUTTONDOWN, button=1, pos=(x, y), touch=False), turn)
    assert clicked.pos == shown
    touched = upright(pygame.event.Event(pygame.FINGERDOWN, touch_id=1, finger_id=2, x=(x + 0.5) / width, y=(y + 0.5) / height), turn)
    assert (int(touched.x * turn.size[0]), int(touched.y * turn.size[1])) == shown
    assert (touched.touch_id, touched.finger_id) == (1, 2)
    # A part of the layout lies on the panel where its pixels are drawn.
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
def test_the_largest_position_of_a_device_is_the_last_pixel_and_all_else_comes_as_it_is(turn: Turn) -> None:
    touched = upright(pygame.event.Event(pygame.FINGERUP, touch_id=1, finger_id=2, x=1.0, y=1.0), turn)
    width, height = turn.panel
    assert (int(touched.x * turn.size[0]), int(touched.y * turn.size[1])) == turn.seen(width - 1, height - 1)
    event = pygame.event.Event(pygame.KEYDOWN, key=pygame.K_l)
    assert upright(event, Turn(90, (10, 5))) is event


OUTSIDE = st.one_of(st.floats(max_value=-1e-9), st.floats(min_value=1.0000001), st.just(float("nan")))


@given(turn=TURNS, one=OUTSIDE, other=st.one_of(OUTSIDE, st.floats(0, 1)), swapped=st.booleans())
def test_a_finger_where_there_is_no_panel_is_outside_of_every_layout(turn: Turn, one: float, other: float, *, swapped: bool) -> None:
    x, y = (other, one) if swapped else (one, other)
    touched = upright(pygame.event.Event(pygame.FINGERDOWN, touch_id=1, finger_id=2, x=x, y=y), turn)
    assert int(touched.x * turn.size[0]) < 0
    assert int(touched.y * turn.size[1]) < 0


TURNED = [90, 180, 270]
PANEL = (800, 480)


def clock_pictures(size: tuple[int, int], rotate: Rotation, path: Path) -> Iterator[pygame.Surface]:
    with closing(WindowScreen(size, Arrangement.FACING, "Tileclock", rotate=rotate)) as screen:
        # One after the other in one window: what changed is turned, not all of it.
        for face in sampled(FACES.values(), 3):
            screen.draw(face)
            screen.snapshot(path)
            yield pygame.image.load(path)


def station_pictures(size: tuple[int, int], rotate: Rotation, path: Path) -> Iterator[pygame.Surface]:
    with closing(KioskWindow(size, "Station", rotate=rotate)) as window:
        for page in sampled(PAGES.values(), 2):
            window.draw(page)
            window.snapshot(path)
            yield pygame.image.load(path)


@pytest.mark.parametrize("pictures", [clock_pictures, station_pictures])
@pytest.mark.parametrize("rotate", TURNED)
def test_the_panels_picture_is_the_layouts_turned(
    tmp_path: Path, rotate: Rotation, pictures: Callable[[tuple[int, int], Rotation, Path], Iterator[pygame.Surface]]
) -> None:
    seen = Turn(rotate, PANEL).size
    upright, turned = (list(pictures(*how, tmp_path / "screen.bmp")) for how in ((seen, 0), (PANEL, rotate)))
    for one, other in itertools.zip_longest(upright, turned):
        assert other.get_size() == PANEL
        assert pygame.image.tobytes(pygame.transform.rotate(one, -rotate), "RGB") == pygame.image.tobytes(other, "RGB")


@pytest.mark.parametrize("rotate", [0, *TURNED])
def test_a_touch_on_the_clocks_turned_panel_presses_the_half_that_is_drawn_there(rotate: Rotation) -> None:
    turn = Turn(rotate, PANEL)
    screen = WindowScreen(PANEL, Arrangement.SIDE_BY_SIDE, "Tileclock", rotate=rotate)
    assert screen.layout.size == turn.size
    screen.draw(FACES["running"])
    screen.poll()
    pressed = set()
    for x, y in itertools.product(range(20, PANEL[0], 45), range(20, PANEL[1], 45)):
        button = hit(screen.layout, *turn.seen(x, y))
        for kind in (pygame.FINGERDOWN, pygame.FINGERUP):
            values: dict[str, Any] = {"x": (x + 0.5) / PANEL[0], "y": (y + 0.5) / PANEL[1]}
            pygame.event.post(pygame.event.Event(kind, touch_id=1, finger_id=1, **values))
        assert screen.poll() == ([] if button is None else [ButtonEdge(button, down=True), ButtonEdge(button, down=False)])
        pressed.add(button)
    assert {"left", "right", "centre"} <= pressed
    screen.close()


@pytest.mark.parametrize("rotate", [0, *TURNED])
@pytest.mark.parametrize("way", ["finger", "mouse"])
def test_a_key_of_the_stations_turned_panel_is_pressed_where_it_is_drawn(rotate: Rotation, way: str) -> None:
    with opened("words_3", rotate=rotate) as window:
        seen, turn = middle(window, "tile.Q"), Turn(rotate, PANEL)
        x, y = next(spot for spot in itertools.product(range(PANEL[0]), range(PANEL[1])) if turn.seen(*spot) == seen)
        if way == "mouse":
            for kind in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
                pygame.event.post(pygame.event.Event(kind, button=1, pos=(x, y), touch=False))
        else:
            for kind in (pygame.FINGERDOWN, pygame.FINGERUP):
                values: dict[str, Any] = {"x": (x + 0.5) / PANEL[0], "y": (y + 0.5) / PANEL[1]}
                pygame.event.post(pygame.event.Event(kind, touch_id=1, finger_id=1, **values))
        assert window.arranged is not None
        expected = next(target.event for target in window.arranged.targets if target.id == "tile.Q")
        assert heard(window) == [expected]


NONSENSE = [float("nan"), float("inf"), float("-inf"), -0.001, 1.5, 1e30, -1e30]


@pytest.mark.parametrize("rotate", [0, *TURNED])
def test_a_touch_device_that_reports_nonsense_presses_nothing_and_a_finger_that_is_never_lifted_keeps_no_other_from_it(
    rotate: Rotation,
) -> None:
    clock = WindowScreen(PANEL, Arrangement.FACING, "Tileclock", rotate=rotate)
    clock.draw(FACES["running"])
    clock.poll()
    for number, (x, y) in enumerate(itertools.product([*NONSENSE, 0.5], NONSENSE)):
        for kind in (pygame.FINGERDOWN, pygame.FINGERDOWN, pygame.FINGERMOTION):
            pygame.event.post(pygame.event.Event(kind, touch_id=9, finger_id=number, x=x, y=y))
    assert clock.poll() == []
    pygame.event.post(pygame.event.Event(pygame.FINGERDOWN, touch_id=1, finger_id=1, x=0.5, y=0.9 if rotate in (0, 180) else 0.5))
    assert [edge.down for edge in clock.poll() if isinstance(edge, ButtonEdge)] == [True]
    clock.close()
    with opened("words_3", rotate=rotate) as window:
        for number, (x, y) in enumerate(itertools.product([*NONSENSE, 0.5], NONSENSE)):
            for kind in (pygame.FINGERDOWN, pygame.FINGERDOWN, pygame.FINGERUP):
                pygame.event.post(pygame.event.Event(kind, touch_id=9, finger_id=number, x=x, y=y))
        assert heard(window) == []
