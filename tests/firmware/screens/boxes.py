"""How boxes lie to each other: asked by tests alone."""

from appliance.display.layout import Box
from firmware.screens.layout import HalfLayout


def covers(box: Box, other: Box) -> bool:
    return box.x <= other.x and box.y <= other.y and other.right <= box.right and other.bottom <= box.bottom


def meet(one: Box, other: Box) -> bool:
    return one.x < other.right and other.x < one.right and one.y < other.bottom and other.y < one.bottom


def on_screen(half: HalfLayout, part: Box) -> Box:
    x, y = (part.x, part.y) if half.turn == 0 else (half.place.width - part.right, half.place.height - part.bottom)
    return Box(half.place.x + x, half.place.y + y, part.width, part.height)
