"""Measured on every face in three languages on the usual panels: type size, whole texts, even lines, contrast, and digits that stand still."""

from collections.abc import Iterator
from functools import cache
from itertools import islice, product
from typing import Any, cast

import pygame
import pytest
from msgspec import Struct
from msgspec.structs import replace

from appliance.display.drawing import Pen, drawable, measure
from appliance.display.layout import ELLIPSIS, Box, Colour, fit, leaves_a_word
from firmware.screens import paint_half, paint_info, scribe
from firmware.screens.layout import Arrangement, Layout, arrange
from firmware.screens.paint_half import Chip, chips
from firmware.screens.painter import Painter
from rules.side import Side
from tests.cells import each_cell
from tests.examples import THOROUGH
from tests.firmware.hall.hall_faces import hall_faces, refusals
from tests.firmware.screens.faces import FACES, LANGUAGES, faces
from tests.firmware.screens.situations import SITUATIONS, sheet

FACING, SIDE_BY_SIDE, SINGLE = Arrangement
PANELS = (
    ((1024, 600), FACING),
    ((800, 480), FACING),
    ((600, 1024), FACING),
    ((1024, 600), SIDE_BY_SIDE),
    ((800, 480), SIDE_BY_SIDE),
    ((1024, 600), SINGLE),
    ((800, 480), SINGLE),
    ((480, 320), FACING),
    ((320, 480), FACING),
    ((480, 800), FACING),
    ((480, 800), SIDE_BY_SIDE),
    ((320, 480), SIDE_BY_SIDE),
    ((480, 320), SINGLE),
)
MIN_CONTRAST = 4.5
MEASURED = cache(measure)
FITTED = cache(fit)
"""The same texts are measured on every panel, and stand on many faces: without a cache that is half of the time."""


class Written(Struct, frozen=True, dict=True):
    texts: tuple[str, ...]
    size: int
    lines: tuple[str, ...]
    contrast: float


def luminance(colour: Colour) -> float:
    """Return the relative luminance of a colour (WCAG 2)."""
    linear = [part / 255 / 12.92 if part <= 10 else ((part / 255 + 0.055) / 1.055) ** 2.4 for part in colour]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: Colour, other: Colour) -> float:
    """Return the contrast of two colours, 1 to 21 (WCAG 2)."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.fixture
def written(monkeypatch: Any, measured_letters: None) -> list[Written]:
    found: list[Written] = []

    def note(surface: pygame.Surface, texts: Any, box: Box, pen: Pen) -> None:
        texts = [drawable(text) for text in texts if text]
        if texts:
            fitted = FITTED(tuple(texts), box, MEASURED, pen.largest, pen.one_line, smallest=pen.smallest, even=pen.even)
            red, green, blue, _ = surface.get_at((box.x + box.width // 2, box.y + box.height // 2))
            found.append(Written(tuple(texts), fitted.size, fitted.lines, contrast(pen.colour, (red, green, blue))))

    monkeypatch.setattr(scribe, "write", note)
    monkeypatch.setattr(scribe, "measure", MEASURED)
    for module in (paint_info, scribe):
        monkeypatch.setattr(module, "fit", lambda texts, *of, **style: FITTED(tuple(texts), *of, **style))
    return found


def layouts() -> Iterator[Layout]:
    for size, arrangement in PANELS:
        yield arrange(*size, arrangement, Side.RIGHT)


def painted() -> Iterator[tuple[Layout, Painter, pygame.Surface]]:
    """Yield layouts with one painter for all faces of each: a run takes every second, which has each arrangement and the smallest."""
    for layout in islice(layouts(), 0, None, 1 if THOROUGH else 2):
        yield layout, Painter(layout), pygame.Surface(layout.size)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_is_large_whole_and_in_contrast(language: str, written: list[Written]) -> None:
    for cell in each_cell(product(layouts(), FACES), lambda each: f"{each[0].size} {each[0].arrangement.value} {each[1]}"):
        with cell as (layout, name):
            written.clear()
            Painter(layout).draw(pygame.Surface(layout.size), faces(language)[name])
            assert len(written) > 1
            require_legible(written, layout)


def require_legible(written: list[Written], layout: Layout) -> None:
    assert [each for each in written if each.size < layout.smallest] == []
    assert [each for each in written if each.contrast < MIN_CONTRAST] == []
    assert [each for each in written if any(line.endswith(ELLIPSIS) for line in each.lines)] == [], "cut"
    assert [each for each in written if len(each.texts) == 1 and leaves_a_word(each.lines)] == [], "the last line is one word"


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_fill_menu_sentence_time_frame_and_text_of_a_hall_is_large_and_in_contrast(language: str, written: list[Written]) -> None:
    sheets = {name: sheet(name, language) for name in SITUATIONS} | {"hall": {**hall_faces(language), **refusals(language)}}
    shown = [(f"{name}: {key}", each) for name, faces_of in sheets.items() for key, each in faces_of.items()]
    for cell in each_cell(product(painted(), shown), lambda each: f"{each[0][0].size} {each[0][0].arrangement.value} {each[1][0]}"):
        with cell as ((layout, painter, surface), (_, face)):
            written.clear()
            painter.draw(surface, face)
            require_legible(written, layout)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_points_and_no_other_mark_of_a_player_is_missing(language: str, monkeypatch: Any, measured_letters: None) -> None:
    placed: list[Chip] = []

    def kept(*of: Any) -> Any:
        found = chips(*of)
        placed.extend(found)
        return found

    monkeypatch.setattr(paint_half, "chips", kept)
    shown = {**faces(language), **sheet("phases", language)}
    marked = {
        name: each
        for name, each in shown.items()
        if each.menu is None and any(half.marks and half.page is None for _, half in each.halves.items())
    }
    assert len(marked) > 10
    for cell in each_cell(product(layouts(), marked), lambda each: f"{each[0].size} {each[0].arrangement.value} {each[1]}"):
        with cell as (layout, name):
            placed.clear()
            Painter(layout).draw(pygame.Surface(layout.size), marked[name])
            texts = {chip.text for chip in placed if chip.size >= layout.smallest}
            assert {mark for half in layout.halves for mark in marked[name].halves.of(half.side).marks} - texts == set()


def test_fourteen_pixels_from_480_to_600_rows_and_as_much_of_a_smaller_or_a_turned_panel() -> None:
    smallest = {size: arrange(*size, FACING).smallest for size in ((1024, 600), (600, 1024), (800, 480), (480, 800), (1920, 1080))}
    assert smallest == {(1024, 600): 14, (600, 1024): 14, (800, 480): 14, (480, 800): 14, (1920, 1080): 26}
    assert arrange(480, 800, SIDE_BY_SIDE).smallest == 12


def digits_mask(surface: pygame.Surface, layout: Layout, *, large: bool = True) -> list[pygame.Rect]:
    """Return for each half the rectangle of what differs from its panel where the digits stand."""
    found = []
    for half in layout.halves:
        part = surface.subsurface((half.place.x, half.place.y, half.place.width, half.place.height))
        upright = pygame.transform.rotate(part, half.turn)
        box = (half.large if large else half.parts).digits
        digits = upright.subsurface((box.x, box.y, box.width, box.height))
        panel = upright.get_at((box.x, box.y))
        mask = pygame.mask.from_threshold(digits, panel, (60, 60, 60, 255))
        mask.invert()
        # pygame's stub names one rectangle for the list of them.
        first, *rest = cast("list[pygame.Rect]", mask.get_bounding_rects())
        found.append(first.unionall(rest))
    return found


def test_the_digits_keep_place_in_both_their_sizes_in_every_phase_and_on_every_page_of_the_players(measured_letters: None) -> None:
    for cell in each_cell(layouts(), lambda layout: f"{layout.size} {layout.arrangement.value}"):
        with cell as layout:
            places: dict[bool, set[tuple[int, ...]]] = {False: set(), True: set()}
            for face in FACES.values():
                if face.menu is not None:
                    continue
                same = face.halves.map(lambda half: replace(half, reading="28:48", low=False))
                surface = pygame.Surface(layout.size)
                painter = Painter(layout)
                painter.draw(surface, replace(face, halves=same))
                places[painter.large] |= {tuple(rectangle) for rectangle in digits_mask(surface, layout, large=painter.large)}
            assert {large: len(found) for large, found in places.items()} == {False: 1, True: 1}


@pytest.mark.parametrize("reading", ["59:59", "10:00", "9:59", "0:59", "-0:00", "-0:01", "-9:59", "-10:00", "-59:59"])
def test_every_reading_ends_where_the_others_do_at_their_height(measured_letters: None, reading: str) -> None:
    for cell in each_cell(product(layouts(), (False, True))):
        with cell as (layout, low):
            measured = []
            for shown in ("28:48", reading):
                surface = pygame.Surface(layout.size)
                halves = FACES["running"].halves.map(lambda half, shown=shown: replace(half, reading=shown, low=low))  # type: ignore[misc]
                Painter(layout).draw(surface, replace(FACES["running"], halves=halves))
                measured.append(digits_mask(surface, layout))
            for expected, found in zip(*measured, strict=True):
                # A one or a seven does not reach the edge of its place.
                assert abs(found.bottom - expected.bottom) <= 1
                assert abs(found.top - expected.top) <= 1
                assert expected.right - found.right <= expected.height * 0.25
