"""The one typeface has all that the programs draw, and shows a box for what it has not."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from itertools import product
from pathlib import Path

import pygame
import pytest

from appliance.display.drawing import Pen, font, measure, write
from appliance.display.layout import Box
from tests.cells import each_cell

pytestmark = pytest.mark.usefixtures("letters")
ROOT = Path(__file__).parents[3]
PACKAGES = ("appliance", "firmware", "hardware", "kiosk", "lexicon", "rules")
ELSEWHERE = {
    "firmware/screens/terminal_picture.py": "the terminal",
    "firmware/screens/led/pictures.py": "displays of seven segments",
    "hardware/led/picture.py": "displays of seven segments",
    "hardware/boards/parts.py": "a list on standard output, and in a page of the docs",
    "lexicon/cli/bench.py": "a table on standard output",
    "lexicon/spelling.py": "letters that no word list may have",
}
"""Modules whose signs are on no screen that pygame draws, and where they are."""
WHITE: tuple[int, int, int] = (255, 255, 255)
PRIVATE: str = "\ue000"
"""A character that no font but a private one has: it is drawn as the box that stands for what has no glyph. pygame has metrics even for that."""
DRAWN: str = "829007966c9ea886"
"""Of words at five sizes: the same with FreeType 2.12.1 (the pygame wheel, Debian bookworm) and 2.13.3 (trixie)."""


def shipped(suffix: str) -> list[str]:
    return sorted(str(path.relative_to(ROOT)) for package in PACKAGES for path in (ROOT / package).rglob(f"*{suffix}"))


def within(found: object) -> Iterator[str]:
    """Yield every text of a TOML file, keys too: what is typed for a tile is a key."""
    if isinstance(found, dict):
        yield from found
        found = list(found.values())
    if isinstance(found, list):
        for value in found:
            yield from within(value)
    elif isinstance(found, str):
        yield found


def literals(source: str) -> Iterator[str]:
    """Yield every text of a module that is no docstring."""
    tree = ast.parse(source)
    spoken = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in spoken:
            yield node.value


def missing(texts: Iterator[str]) -> str:
    """Return the characters of ``texts`` that the typeface has no glyph for; control characters are drawn by nobody."""
    characters = sorted({character for text in texts for character in text if character == "\u00a0" or character.isprintable()})
    return "".join(character for character in characters if drawn(character) == drawn(PRIVATE))


@cache
def drawn(text: str) -> bytes:
    surface = pygame.Surface((200, 40))
    write(surface, [text], Box(0, 0, 200, 40), Pen(WHITE))
    return pygame.image.tobytes(surface, "RGB")


def test_every_character_of_a_file_of_texts_rules_keys_or_tiles_has_a_glyph() -> None:
    for cell in each_cell(shipped(".toml")):
        with cell as path:
            assert missing(within(tomllib.loads((ROOT / path).read_text("utf-8")))) == ""


def test_every_character_that_a_module_writes_has_a_glyph_but_where_no_screen_shows_it() -> None:
    found = {path: missing(literals((ROOT / path).read_text("utf-8"))) for path in shipped(".py")}
    assert {path for path, characters in found.items() if characters} == set(ELSEWHERE), found


def test_what_has_no_glyph_is_drawn_as_one_and_the_same_box() -> None:
    assert missing(iter("中\u2665\U0001f600")) == "\u2665中\U0001f600"
    assert drawn("中") == drawn("\u2665") == drawn("\U0001f600") != drawn("")
    assert measure("中" * 3, 20) == 3 * measure("中", 20) > 0


@pytest.mark.parametrize("size", [14, 17, 24, 60])
def test_figures_are_equally_wide_so_that_no_time_moves_as_it_counts(size: int) -> None:
    assert len({font(size).size(f"{figure}:{figure}{figure}")[0] for figure in range(10)}) == 1


def test_letters_that_are_easily_mixed_up_are_told_apart() -> None:
    for cell in each_cell(product(["0O", "1l", "1I", "lI", "O\u00d6", "N\u00d1", "L\u013f", "L\u0141"], [14, 24])):
        with cell as (pair, size):
            one, other = (pygame.image.tobytes(font(size).render(letter, True, WHITE), "RGBA") for letter in pair)
            assert one != other


def test_words_are_the_same_pixels_with_every_freetype_that_the_programs_meet() -> None:
    pixels = sha256()
    for size in (9, 14, 24, 60, 150):
        made = font(size).render("QI 12:48 button director AVATAR ÉÑĿÇßŁåøÆ", True, WHITE)
        pixels.update(pygame.image.tobytes(made, "RGBA"))
    assert pixels.hexdigest()[:16] == DRAWN
