"""The name on an opened panel: the same pixels as in the frame buffer."""

from __future__ import annotations

import pygame
import pytest

from appliance.display import pane as module
from appliance.display.layout import Rotation
from appliance.display.pane import paint_console, show_name
from appliance.splash.paint import GROUND, Pixels, frame, name_picture


@pytest.mark.parametrize("rotate", [0, 90, 180, 270])
def test_the_name_is_drawn_on_the_panel_turned(dummy_display: None, rotate: Rotation) -> None:
    pygame.display.init()
    surface = pygame.display.set_mode((800, 480))
    show_name(surface, "tilekiosk", rotate)
    seen = surface.get_size() if rotate in (0, 180) else surface.get_size()[::-1]
    # As the frame buffer has it, with the bytes of a pixel in another order.
    raw = frame(name_picture("tilekiosk", seen[0]), (800, 480, 3200), Pixels(32, [16, 8, 0, 8, 8, 0, 0, 8, 0]), rotate)
    red, green, blue = raw[2::4], raw[1::4], raw[0::4]
    shown = pygame.image.tobytes(surface, "RGB")
    assert (shown[0::3], shown[1::3], shown[2::3]) == (red, green, blue)
    assert tuple(surface.get_at((0, 0)))[:3] == GROUND
    pygame.display.quit()


def test_a_frame_buffer_that_cannot_be_painted_stays_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, int]] = []

    def fails(program: str, degrees: int) -> None:
        asked.append((program, degrees))
        raise PermissionError

    monkeypatch.setattr(module, "paint", fails)
    paint_console("tilekiosk", 90)
    assert asked == [("tilekiosk", 90)]
