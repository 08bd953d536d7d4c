"""Golden pictures of every state of the station at three sizes, a language each: together a state is seen in all of them.

Renewed, and then looked at, by ``TILECLOCK_UPDATE_GOLDEN=1 .venv/bin/python -m pytest tests/kiosk/screens/test_golden.py``.
"""

from pathlib import Path

import pygame
import pytest
from msgspec.structs import replace

from kiosk.face.page import Page
from kiosk.layout.arrange import arrange
from kiosk.layout.placed import Options
from kiosk.screens.painter import Painter
from tests.appliance.display.pictures import PICTURED_IN, compare, renew
from tests.cells import each_cell
from tests.kiosk.screens.pages import UPRIGHT
from tests.kiosk.screens.states import STATES

KEPT = Path(__file__).parent / "golden"
SIZES = [(800, 480), (1280, 720), (480, 800)]
OTHERS = {
    "words-left-large": ("words", "fr", (800, 480), Options(large_text=True, left_handed=True)),
    "acceptable-left-large": ("acceptable", "es", (800, 480), Options(large_text=True, left_handed=True)),
    "unacceptable-1920x1080": ("unacceptable", "en", (1920, 1080), Options()),
}


def painted(page: Page, size: tuple[int, int], options: Options | None = None) -> pygame.Surface:
    surface = pygame.Surface(size)
    Painter().draw(surface, arrange(page, size, options or (Options() if size[0] > size[1] else UPRIGHT)))
    return surface


def language_of(name: str, size: tuple[int, int]) -> str:
    """Return another language for each of a state's sizes, and for each size's states in turn."""
    return PICTURED_IN[(list(STATES).index(name) + SIZES.index(size)) % len(PICTURED_IN)]


def title_of(name: str, size: tuple[int, int]) -> str:
    return f"{name}-{language_of(name, size)}-{size[0]}x{size[1]}"


@pytest.mark.usefixtures("measured_letters")
@pytest.mark.parametrize("name", STATES)
def test_every_state_looks_as_it_did(name: str, tmp_path: Path) -> None:
    for cell in each_cell(SIZES):
        with cell as size:
            picture = painted(STATES[name](language_of(name, size)), size)
            renew(title_of(name, size), picture, KEPT)
            assert compare(title_of(name, size), picture, tmp_path, KEPT) == ""


@pytest.mark.usefixtures("measured_letters")
@pytest.mark.parametrize("title", OTHERS)
def test_a_left_hand_large_text_and_a_large_screen_look_as_they_did(title: str, tmp_path: Path) -> None:
    name, language, size, options = OTHERS[title]
    picture = painted(STATES[name](language), size, options)
    renew(title, picture, KEPT)
    assert compare(title, picture, tmp_path, KEPT) == ""


@pytest.mark.usefixtures("measured_letters")
def test_a_single_letter_is_more_than_the_golden_pictures_tolerate(tmp_path: Path) -> None:
    size = (1280, 720)
    page = STATES["words"](language_of("words", size))
    other = replace(page, words=(replace(page.words[0], text="CATS"), *page.words[1:]))
    assert "differs by" in compare(title_of("words", size), painted(other, size), tmp_path, KEPT)


def test_each_golden_picture_is_of_a_state() -> None:
    assert {path.stem for path in KEPT.glob("*.png")} == {title_of(name, size) for name in STATES for size in SIZES} | set(OTHERS)
