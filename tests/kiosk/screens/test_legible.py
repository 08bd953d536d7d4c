"""Measured on every page of the station in three languages on the usual panels: no cut text, and no last line of one word."""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product
from typing import Any

import pygame
import pytest

from appliance.display.drawing import Pen, drawable, measure
from appliance.display.layout import ELLIPSIS, Box, fit, leaves_a_word, split
from kiosk.layout.arrange import arrange
from kiosk.layout.options import Options
from kiosk.screens import brushes, painter
from kiosk.screens.painter import Painter
from tests.cells import each_cell
from tests.kiosk.screens.pages import UPRIGHT
from tests.kiosk.screens.states import LANGUAGES, STATES

PANELS = ((800, 480), (1024, 600), (480, 800), (1280, 720))
MEASURED = cache(measure)
"""The same texts are measured on every panel: without a cache that is half of the time."""


@pytest.fixture
def written(monkeypatch: Any, measured_letters: None) -> list[tuple[str, ...]]:
    found: list[tuple[str, ...]] = []

    def note(surface: pygame.Surface, texts: Any, box: Box, pen: Pen) -> None:
        texts = [drawable(text) for text in texts]
        fitted = fit(texts, box, MEASURED, pen.largest, pen.one_line, smallest=pen.smallest, even=pen.even)
        found.extend(lines_of_each(texts, fitted.lines))

    for module in (brushes, painter):
        monkeypatch.setattr(module, "write", note, raising=False)
        monkeypatch.setattr(module, "measure", MEASURED, raising=False)
    return found


def lines_of_each(texts: Sequence[str], lines: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield each text's own lines, from the lines of all; the rest together where a text is cut."""
    rest = list(lines)
    for text in texts:
        count = next((count for count in range(1, len(rest) + 1) if split(" ".join(rest[:count])) == split(text)), len(rest))
        yield tuple(rest[:count])
        del rest[:count]


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_is_cut_and_no_last_line_is_one_word(language: str, written: list[tuple[str, ...]]) -> None:
    for cell in each_cell(product(PANELS, STATES), lambda each: f"{each[0]} {each[1]}"):
        with cell as (size, name):
            written.clear()
            Painter().draw(pygame.Surface(size), arrange(STATES[name](language), size, Options() if size[0] > size[1] else UPRIGHT))
            assert len(written) > 1
            assert [lines for lines in written if any(line.endswith(ELLIPSIS) for line in lines)] == []
            assert [lines for lines in written if leaves_a_word(lines)] == []
