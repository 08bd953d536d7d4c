import ast
import os
import tomllib
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from itertools import product
from pathlib import Path

import pygame
import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.display.drawing import QUIET, Pen, draw_qr, drawable, font, forget_texts, measure, write
from appliance.display.layout import ELLIPSIS, Box, fit, leaves_a_word, split
from appliance.qr import qr_rows
from tests.appliance.display.kept import texts_kept
from tests.cells import each_cell

pytestmark = pytest.mark.usefixtures("letters")

LONG = "The adjudicator has to look the words up again, in the other list, because the first was the wrong one"
WORDS = st.lists(st.text(alphabet="abcdefgh WMi", min_size=1, max_size=60), min_size=1, max_size=4)
BOXES = st.builds(Box, st.just(0), st.just(0), st.integers(30, 900), st.integers(14, 300))


def half_as_wide_as_tall(text: str, size: int) -> int:
    return len(text) * size // 2


def test_a_text_is_as_large_as_its_box_lets_it_shrinks_before_it_is_wrapped_and_is_cut_in_the_end() -> None:
    fitted = fit(["HOLD"], Box(0, 0, 500, 57), half_as_wide_as_tall)
    assert fitted.lines == ("HOLD",)
    assert fitted.size == 50
    fitted = fit(["ten letters"], Box(0, 0, 200, 57), half_as_wide_as_tall)
    assert fitted.lines == ("ten letters",)
    assert 31 <= fitted.size < 50
    fitted = fit(["the game ends unless it is challenged"], Box(0, 0, 200, 57), half_as_wide_as_tall)
    assert len(fitted.lines) > 1
    assert " ".join(fitted.lines) == "the game ends unless it is challenged"
    fitted = fit([LONG], Box(0, 0, 120, 24), half_as_wide_as_tall)
    assert fitted.lines[-1].endswith(ELLIPSIS)
    assert LONG.startswith(fitted.lines[0])
    assert fit(["unpronounceable"], Box(0, 0, 40, 12), half_as_wide_as_tall).lines[0].endswith(ELLIPSIS)


@given(WORDS, BOXES)
def test_no_text_leaves_its_box(texts: list[str], box: Box) -> None:
    fitted = fit(texts, box, half_as_wide_as_tall)
    assert fitted.height <= box.height
    assert all(half_as_wide_as_tall(line, fitted.size) <= box.width for line in fitted.lines)


def test_a_text_breaks_at_a_pause_and_no_line_begins_or_ends_with_a_point() -> None:
    for height, apart, lines in (
        (40, " · ", ("It is me: press your button", "back: the bar")),
        (40, " ", ("Go to the station.", "You challenge? Hold it")),
        (60, " · ", ("Press to end your turn", "the bar: stop, or played out", "the bar 2 s: challenge")),
    ):
        assert fit([apart.join(lines)], Box(0, 0, 250, height), half_as_wide_as_tall, one_line=1.0, even=True).lines == lines
    assert split("Fini\u00a0: relire") == ["Fini\u00a0:", "relire"]
    assert split("128 · 10:48 · table 7") == ["128 ·", "10:48 ·", "table", "7"]
    assert split("· 7") == ["·", "7"]


@pytest.mark.parametrize(
    "lines",
    [
        ("Ihr Gegner", "entscheidet"),
        ("Un minuto", "concedido"),
        # The last word of several is joined by another, if that leaves no shorter word.
        ("Your friend", "is on turn"),
        ("Minor", "infraction noted"),
        ("hold\u00a0on:", "I CHALLENGE"),
        ("Take back the", "last press"),
    ],
)
def test_of_two_lines_none_has_a_short_word_alone_if_it_can_stand_on_the_other(lines: tuple[str, ...]) -> None:
    text = " ".join(lines)
    # One letter less than one line needs at 20 pixels, and the height of two.
    fitted = fit([text], Box(0, 0, 10 * (len(text) - 1), 46), half_as_wide_as_tall, 20, one_line=1.0, even=True)
    assert (fitted.size, fitted.lines) == (20, lines)
    assert not leaves_a_word(lines)


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


ROOT = Path(__file__).parents[3]
PACKAGES = ("appliance", "firmware", "hardware", "kiosk", "lexicon", "rules")
ELSEWHERE = {
    "firmware/screens/terminal.py": "the terminal",
    "firmware/screens/led.py": "displays of seven segments",
    "hardware/led/picture.py": "displays of seven segments",
    "appliance/spreadsheet.py": "signs that a table for a spreadsheet makes harmless",
    "lexicon/cli/lists.py": "a table on standard output",
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
    tree = ast.parse(source)
    spoken = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in spoken:
            yield node.value


def missing(texts: Iterator[str]) -> str:
    """Return the characters of ``texts`` that the typeface has no glyph for; control characters are never drawn."""
    characters = sorted({character for text in texts for character in text if character == "\u00a0" or character.isprintable()})
    return "".join(character for character in characters if drawn(character) == drawn(PRIVATE))


@cache
def drawn(text: str) -> bytes:
    surface = pygame.Surface((200, 40))
    write(surface, [text], Box(0, 0, 200, 40), Pen(WHITE))
    return pygame.image.tobytes(surface, "RGB")


def test_every_character_of_a_file_or_a_module_has_a_glyph_but_where_no_screen_shows_it() -> None:
    # Texts, rules, keys and tiles.
    for cell in each_cell(shipped(".toml")):
        with cell as path:
            assert missing(within(tomllib.loads((ROOT / path).read_text("utf-8")))) == ""
    # What modules write.
    found = {path: missing(literals((ROOT / path).read_text("utf-8"))) for path in shipped(".py")}
    assert {path for path, characters in found.items() if characters} == set(ELSEWHERE), found


def test_what_has_no_glyph_is_drawn_as_one_box_and_words_are_the_same_pixels_with_every_freetype() -> None:
    assert missing(iter("中\u2665\U0001f600")) == "\u2665中\U0001f600"
    assert drawn("中") == drawn("\u2665") == drawn("\U0001f600") != drawn("")
    assert measure("中" * 3, 20) == 3 * measure("中", 20) > 0
    pixels = sha256()
    for size in (9, 14, 24, 60, 150):
        made = font(size).render("QI 12:48 button director AVATAR ÉÑĿÇßŁåøÆ", True, WHITE)
        pixels.update(pygame.image.tobytes(made, "RGBA"))
    assert pixels.hexdigest()[:16] == DRAWN


def test_figures_are_equally_wide_and_letters_that_are_easily_mixed_up_are_told_apart() -> None:
    for size in (14, 17, 24, 60):
        assert len({font(size).size(f"{figure}:{figure}{figure}")[0] for figure in range(10)}) == 1, "a time would move as it counts"
    for cell in each_cell(product(["0O", "1l", "1I", "lI", "O\u00d6", "N\u00d1", "L\u013f", "L\u0141"], [14, 24])):
        with cell as (pair, size):
            one, other = (pygame.image.tobytes(font(size).render(letter, True, WHITE), "RGBA") for letter in pair)
            assert one != other


def test_what_no_font_takes_is_drawn_as_an_escape_and_signs_that_are_nothing_by_themselves_as_nothing() -> None:
    for text in (os.fsdecode(b"/lists/\xff.dawg"), "a\0b"):
        assert drawable(text).isprintable()
        assert drawn(text) == drawn(drawable(text)) != drawn("")
        assert measure(text, 20) == measure(drawable(text), 20)
    assert {drawn(text) for text in ("", "\ufe0f", "\u202e", "\u200d\ufe00")} == {bytes(200 * 40 * 3)}


def test_letters_are_drawn_as_they_are_and_no_text_is_kept_that_is_to_be_forgotten() -> None:
    assert drawable("ÉTÉ · L\u00b7L\nÑ") == "ÉTÉ · L\u00b7L\nÑ"
    # Words that no other test of this process has left anywhere.
    drawn("ZIZYPHUS")
    measure("BEZIQUES", 12)
    measure("QUETZALS", 40)
    words = {"ZIZYPHUS", "BEZIQUES", "QUETZALS"}
    assert words <= texts_kept()
    forget_texts()
    assert not words & texts_kept()
