from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import product
from typing import Any

import pygame
import pytest
from msgspec.structs import replace

from appliance.display import drawing
from appliance.display.drawing import Pen, drawable, measure
from appliance.display.layout import ELLIPSIS, Box, Colour, Shape, fit, leaves_a_word, split
from appliance.texts import languages
from kiosk.challenge.flow import Notice, notice
from kiosk.face.page import Icon, Page
from kiosk.face.view import players_page
from kiosk.keyboards import keyboard
from kiosk.layout.arrange import arrange
from kiosk.layout.placed import Arranged, Options, Placed, What
from kiosk.screens import painter
from kiosk.screens.painter import AMBER, BARE_COLOURS, CHOSEN, COLOURS, GROUND, LETTER, MIST, NIGHT, SIGNS, Painter, paint
from kiosk.texts import load_texts
from lexicon.alphabet import alphabets
from tests.cells import each_cell
from tests.examples import sampled
from tests.firmware.screens.test_legible import contrast
from tests.kiosk.challenge.making import context, lexicon_name
from tests.kiosk.face.flows import NOW, checking, every_flow, shown, typing
from tests.kiosk.screens.pages import UPRIGHT
from tests.kiosk.screens.states import EIGHT, POLISH, STATES
from tests.some import some
from tools.windows import STATION

PANELS = ((800, 480), STATION, (1024, 600), (480, 800), (1280, 720))
MEASURED = cache(measure)
"""The same texts are measured on every panel: without a cache that is half of the time."""


@pytest.fixture
def written(monkeypatch: Any, measured_letters: None) -> list[tuple[str, ...]]:
    found: list[tuple[str, ...]] = []

    def note(surface: pygame.Surface, texts: Any, box: Box, pen: Pen) -> None:
        texts = [drawable(text) for text in texts]
        fitted = fit(texts, box, MEASURED, pen.largest, pen.one_line, smallest=pen.smallest, even=pen.even)
        found.extend(lines_of_each(texts, fitted.lines))

    monkeypatch.setattr(painter, "write", note)
    monkeypatch.setattr(painter, "measure", MEASURED)
    return found


def lines_of_each(texts: Sequence[str], lines: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield each text's own lines, from the lines of all; the rest together where a text is cut."""
    rest = list(lines)
    for text in texts:
        count = next((count for count in range(1, len(rest) + 1) if split(" ".join(rest[:count])) == split(text)), len(rest))
        yield tuple(rest[:count])
        del rest[:count]


@pytest.mark.parametrize("language", languages())
def test_no_text_is_cut_and_no_last_line_is_one_word(language: str, written: list[tuple[str, ...]]) -> None:
    for cell in each_cell(sampled(product(PANELS, STATES), 6), lambda each: f"{each[0]} {each[1]}"):
        with cell as (size, name):
            written.clear()
            Painter().draw(pygame.Surface(size), arrange(STATES[name](language), size, Options() if size[0] > size[1] else UPRIGHT))
            assert len(written) > 1
            assert [lines for lines in written if any(line.endswith(ELLIPSIS) for line in lines)] == []
            assert [lines for lines in written if leaves_a_word(lines)] == []


SIZES = {(800, 480): 16, (480, 800): 16, STATION: 16, (1024, 600): 18, (1280, 720): 22, (1920, 1080): 33}
"""The least size of a letter, in pixels: 3 mm on the official 7-inch panel."""
FOOTER = {(800, 480): 16, (480, 800): 16, STATION: 16, (1024, 600): 20, (1280, 720): 24, (1920, 1080): 36}
SMALLEST = ((800, 480), (480, 800), STATION)
FUNCTION_KEYS = {f"F{number}" for number in range(1, 13)}


CELLS = list(product(STATES, languages()))
"""A cell is a state in a language; the size of the screen is the test's case."""

each_size = pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
pytestmark = pytest.mark.usefixtures("measured_letters")


def options_for(size: tuple[int, int], *, large: bool = False) -> Options:
    return replace(Options() if size[0] > size[1] else UPRIGHT, large_text=large)


@cache
def arranged(name: str, size: tuple[int, int], language: str, *, large: bool = False) -> Arranged:
    return arrange(STATES[name](language), size, options_for(size, large=large))


@cache
def drawn(name: str, size: tuple[int, int], language: str, *, large: bool = False) -> tuple[tuple[str, int], ...]:
    return recorded_in(lambda: Painter().draw(pygame.Surface(size), arranged(name, size, language, large=large)))


def recorded_in(draws: Callable[[], object]) -> tuple[tuple[str, int], ...]:
    """Return the texts that are written, with their sizes in pixels."""
    written: list[tuple[str, int]] = []
    wanted = drawing._rendered

    def recorded(text: str, size: int, colour: Colour) -> pygame.Surface:
        written.append((text, size))
        return wanted(text, size, colour)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(drawing, "_rendered", recorded)
        patched.setattr(painter, "forget_texts", lambda: None)
        draws()
    return tuple(written)


def lines_on(page: Page, size: tuple[int, int]) -> tuple[tuple[str, int], ...]:
    return recorded_in(lambda: Painter().draw(pygame.Surface(size), arrange(page, size, options_for(size))))


@each_size
def test_no_text_is_too_small_and_none_is_cut(size: tuple[int, int]) -> None:
    # In large text French is enough: it is the longest.
    for cell in each_cell(sampled([*((*each, False) for each in CELLS), *((name, "fr", True) for name in STATES)], 12)):
        with cell as (name, language, large):
            lines = drawn(name, size, language, large=large)
            assert lines
            assert [(text, pixels) for text, pixels in lines if pixels < SIZES[size] or ELLIPSIS in text] == []


def fullest(language: str) -> Iterator[tuple[str, Page]]:
    """Yield the help of every page, and the pages with whatever their notice may say."""
    texts = load_texts(language)
    told = [notice("no_key", pressed=texts.say("key.backspace")), notice("no_more_repeats", repeats=10)]
    for flow in every_flow():
        yield f"help of {shown(flow).name}", shown(flow.replace(helping=True), language=language)
        for said in told:
            yield f"{shown(flow).name} with {said.key}", shown(flow.replace(notice=said), language=language)
    crowded = (notice("no_slip"), notice("strange", characters="1 2 3 4 5 6 7 8"), Notice("door.lapsed", (("seconds", 4),)))
    for make, (alphabet, words), said in product((typing, checking), (("english", EIGHT), ("polish", POLISH)), (*told, *crowded)):
        # The practice list's strip is across all its pages.
        station = replace(context(alphabet=alphabet), lexicon=lexicon_name(alphabet, practice=True))
        page = shown(make(words=words, count=8, context=station, notice=said), language=language)
        yield f"{page.name} of eight {alphabet} words with {said.key}", page
    for page in (shown(flow, language=language) for flow in every_flow() if flow.outcome is not None):
        for key in (key for key in texts.by_key if key.startswith("sent.")):
            values = {"reason": "not_by_rulebook"} if "{reason}" in texts.by_key[key] else {}
            yield f"{page.name} with {key}", replace(page, notice=texts.say(key, table=345, **values))


@pytest.mark.parametrize("size", SMALLEST, ids=lambda size: f"{size[0]}x{size[1]}")
def test_neither_the_help_of_a_page_nor_a_notice_leaves_a_text_too_small_or_cut(size: tuple[int, int]) -> None:
    for cell in each_cell(
        sampled(((language, *each) for language in languages() for each in fullest(language)), 15), lambda each: each[:2]
    ):
        with cell as (_, _, page):
            lines = lines_on(page, size)
            assert [(text, pixels) for text, pixels in lines if pixels < SIZES[size] or ELLIPSIS in text] == []


@pytest.mark.parametrize("size", [(800, 480), (480, 800)], ids=["800x480", "480x800"])
def test_no_text_is_too_small_beside_the_keys_of_any_alphabet(size: tuple[int, int]) -> None:
    for cell in each_cell(sampled(product(alphabets(), ("qwerty", "abc"), languages(), (1, 8)), 15)):
        with cell as (alphabet, layout, language, count):
            station = context(alphabet=alphabet)
            tiles = some(station.spelling).tiles
            flow = typing(context=station, words=(tiles[:8],) * count, chosen=0)
            lines = lines_on(players_page(flow, NOW, load_texts(language), keyboard(layout, tiles)), size)
            assert [(text, pixels) for text, pixels in lines if pixels < SIZES[size] or ELLIPSIS in text] == []


@each_size
def test_what_is_always_in_sight_is_read_at_arms_length(size: tuple[int, int]) -> None:
    for cell in each_cell(languages()):
        with cell as language:
            (footer,) = (item for item in arranged("words", size, language).items if item.what is What.FOOTER)
            # Of a rulebook's title, at least its first part is written.
            lexicon, title, station = footer.texts
            begun = title.split(", ")[0]
            sizes = [pixels for text, pixels in drawn("words", size, language) if text in {lexicon, station} or text.startswith(begun)]
            assert len(sizes) == 3
            assert min(sizes) >= FOOTER[size]


OTHER_TEXTS = (What.LINES, What.ASIDE, What.NOTICE, What.TABLE, What.SIDE, What.COUNTDOWN, What.FOOTER)


@each_size
def test_the_instruction_or_the_result_is_the_first_and_largest_text(size: tuple[int, int]) -> None:
    for cell in each_cell(sampled(CELLS, 12)):
        with cell as (name, language):
            items = arranged(name, size, language).items
            banner = [item for item in items if item.what is What.BANNER]
            # A notice may take the title's place.
            for head in banner or [item for item in items if item.what is What.TITLE]:
                largest = largest_in(head, size)
                assert all(head.box.bottom <= item.box.y for item in items if item.what in (What.LINES, What.ASIDE))
                others = [(item.texts, largest_in(item, size)) for item in items if item.what in OTHER_TEXTS]
                assert [(texts, pixels) for texts, pixels in others if pixels > largest] == [], largest


@cache
def largest_in(item: Placed, size: tuple[int, int]) -> int:
    return max(pixels for _, pixels in recorded_in(lambda: paint(pygame.Surface(size), item, pressed=False)))


@each_size
def test_every_key_that_does_something_is_written_on_its_target(size: tuple[int, int]) -> None:
    for cell in each_cell(sampled(CELLS, 12)):
        with cell as (name, language):
            keys = [target.key for target in arranged(name, size, language).targets if target.key]
            lines = [text for text, _ in drawn(name, size, language)]
            # At the desk a row, or an action, has a figure.
            assert set(keys) <= set(lines)
            assert sorted(text for text in lines if text in FUNCTION_KEYS) == sorted(key for key in keys if key in FUNCTION_KEYS)


ALL_COLOURS = [*COLOURS.values(), LETTER, CHOSEN, BARE_COLOURS]


def test_every_text_has_a_contrast_of_seven_to_one_on_its_ground_pressed_or_not() -> None:
    for cell in each_cell([*ALL_COLOURS, *(colours.pressed for colours in ALL_COLOURS)]):
        with cell as colours:
            assert contrast(colours.text, colours.field) >= 7
            assert contrast(colours.quiet, colours.field) >= 7


def test_what_is_always_in_sight_and_what_counts_down_can_be_read_too() -> None:
    assert contrast(MIST, NIGHT) >= 7
    assert contrast(AMBER, GROUND) >= 7


def test_every_icon_is_a_shape_inside_its_field() -> None:
    for cell in each_cell(Icon):
        with cell as icon:
            shape: Shape = SIGNS[icon]
            points = [point for line in (*shape.lines, *shape.fills) for point in line]
            assert points
            assert all(0 <= x <= 1 and -0.01 <= y <= 1 for x, y in points)
            assert shape.weight > 0
