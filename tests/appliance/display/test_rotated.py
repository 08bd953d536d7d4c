"""Both programs on a turned panel: the picture is the layout's, turned, and touches find what is drawn under them."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pygame
import pytest

from appliance.display.layout import Rotation, Turn
from firmware.screens.layout import Arrangement, hit
from firmware.screens.screen import ButtonEdge
from firmware.screens.window import WindowScreen
from kiosk.screens.window import KioskWindow
from tests.firmware.screens.faces import FACES
from tests.kiosk.screens.opened import middle
from tests.kiosk.screens.pages import PAGES
from tests.kiosk.screens.pressing import heard, opened

TURNED = [90, 180, 270]
PANEL = (800, 480)
pytestmark = pytest.mark.usefixtures("dummy_display")


def clock_pictures(size: tuple[int, int], rotate: Rotation, path: Path) -> Iterator[pygame.Surface]:
    with closing(WindowScreen(size, Arrangement.FACING, "Tileclock", rotate=rotate)) as screen:
        # One after the other in one window: what changed is turned, not all of it.
        for name in FACES:
            screen.draw(FACES[name])
            screen.snapshot(path)
            yield pygame.image.load(path)


def station_pictures(size: tuple[int, int], rotate: Rotation, path: Path) -> Iterator[pygame.Surface]:
    with closing(KioskWindow(size, "Station", rotate=rotate)) as window:
        for page in PAGES.values():
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
    for x, y in itertools.product(range(20, PANEL[0], 95), range(20, PANEL[1], 95)):
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
