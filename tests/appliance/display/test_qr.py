"""The QR code: each module whole and in its place, with the light edge, as large as there is room."""

from __future__ import annotations

import pygame
import pytest

from appliance.display.drawing import QUIET, draw_qr
from appliance.display.layout import Box
from hall.enrol.client import qr_rows

DARK, LIGHT, GROUND = ((grey, grey, grey) for grey in (1, 250, 90))
ROWS = qr_rows("0123456789abcdef" * 4)


def _colour(surface: pygame.Surface, x: int, y: int) -> tuple[int, int, int]:
    seen = surface.get_at((x, y))
    return seen.r, seen.g, seen.b


@pytest.mark.parametrize(("box", "size"), [(Box(10, 20, 400, 300), 6), (Box(0, 0, 100, 400), 2), (Box(5, 5, 45, 45), 1)])
def test_the_modules_read_as_the_code_and_the_edge_is_light(box: Box, size: int) -> None:
    surface = pygame.Surface((500, 500))
    surface.fill(GROUND)
    draw_qr(surface, box, ROWS, DARK, LIGHT)
    modules = len(ROWS) + 2 * QUIET
    left, top = box.x + (box.width - modules * size) // 2, box.y + (box.height - modules * size) // 2

    def seen(across: int, down: int) -> str:
        first, last = (_colour(surface, left + across * size + at, top + down * size + at) for at in (0, size - 1))
        assert first == last
        return {DARK: "1", LIGHT: "0"}[first]

    read = ["".join(seen(across, down) for across in range(modules)) for down in range(modules)]
    edge = ["0" * modules] * QUIET
    assert read == [*edge, *("0" * QUIET + row + "0" * QUIET for row in ROWS), *edge]
    assert _colour(surface, box.x + box.width, box.y + box.height) == GROUND


def test_a_code_without_room_is_not_drawn() -> None:
    surface = pygame.Surface((100, 100))
    surface.fill(GROUND)
    draw_qr(surface, Box(0, 0, 44, 100), ROWS, DARK, LIGHT)
    assert {_colour(surface, x, y) for x in range(0, 100, 3) for y in range(0, 100, 3)} == {GROUND}
