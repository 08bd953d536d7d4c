"""What the station's own pages can be read by: how large every text is once it is drawn, in every language, and that nothing is cut."""

from __future__ import annotations

import pygame
import pytest

from appliance.display import lettering
from appliance.display.colour import Colour
from appliance.display.fit import ELLIPSIS
from kiosk.layout.arrange import arrange
from kiosk.layout.options import Options, scale
from kiosk.layout.placed import Arranged, What
from kiosk.screens.painter import Painter
from tests.kiosk.screens.pages import UPRIGHT
from tests.kiosk.screens.states import LANGUAGES, STATES

SIZES = {(800, 480): 14, (1280, 720): 20, (480, 800): 13}
"""The least size of a letter, in pixels: 2.4 mm and more on the official 7-inch panel."""
FOOTER = {(800, 480): 15, (1280, 720): 22, (480, 800): 15}


def drawn(arranged: Arranged, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """Return every line that is written, and its size in pixels."""
    written: list[tuple[str, int]] = []
    wanted = lettering._rendered

    def recorded(text: str, size: int, colour: Colour) -> pygame.Surface:
        written.append((text, size))
        return wanted(text, size, colour)

    with monkeypatch.context() as patched:
        patched.setattr(lettering, "_rendered", recorded)
        Painter().draw(pygame.Surface(arranged.size), arranged)
    return written


def options_for(size: tuple[int, int]) -> Options:
    return Options() if size[0] > size[1] else UPRIGHT


@pytest.mark.usefixtures("letters")
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("name", STATES)
def test_no_text_is_too_small_and_none_is_cut(name: str, size: tuple[int, int], language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = drawn(arrange(STATES[name](language), size, options_for(size)), monkeypatch)
    assert [(text, pixels) for text, pixels in lines if pixels < SIZES[size] or ELLIPSIS in text] == []


@pytest.mark.usefixtures("letters")
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("name", ["words", "words_eight", "words_polish", "checking_eight"])
def test_all_words_of_a_page_are_of_one_size(name: str, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    page = STATES[name]("en")
    words = {word.text for word in page.words}
    assert len({pixels for text, pixels in drawn(arrange(page, size, options_for(size)), monkeypatch) if text in words}) == 1


@pytest.mark.usefixtures("letters")
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_what_is_always_in_sight_is_read_at_arms_length(size: tuple[int, int], language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    arranged = arrange(STATES["words"](language), size, options_for(size))
    (footer,) = (item for item in arranged.items if item.what is What.FOOTER)
    sizes = [pixels for text, pixels in drawn(arranged, monkeypatch) if text in footer.texts]
    assert len(sizes) == 3
    assert min(sizes) >= FOOTER[size]


@pytest.mark.usefixtures("letters")
def test_the_lines_of_a_verdict_are_larger_than_what_stands_aside(monkeypatch: pytest.MonkeyPatch) -> None:
    page = STATES["unacceptable"]("fr")
    sizes = dict(drawn(arrange(page, (800, 480)), monkeypatch))
    aside = [pixels for line, pixels in sizes.items() if line in (page.aside or "") and len(line) > 20]
    assert aside
    assert min(sizes[line] for line in page.lines) >= max(aside) * 5 // 4


@pytest.mark.usefixtures("letters")
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("name", STATES)
def test_every_function_key_that_does_something_is_written_on_its_target(
    name: str, size: tuple[int, int], language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    arranged = arrange(STATES[name](language), size, options_for(size))
    keyed = [target.key for target in arranged.targets if target.key and not target.key.isdigit()]
    lines = [text for text, _ in drawn(arranged, monkeypatch)]
    # At the desk a row, or an action, has a figure.
    assert {target.key for target in arranged.targets if target.key.isdigit()} <= set(lines)
    assert sorted(text for text in lines if text in {f"F{number}" for number in range(1, 13)}) == sorted(keyed)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("name", [name for name in STATES if name.startswith(("words", "checking", "count"))])
def test_the_ways_out_leave_every_target_large_enough_for_a_finger(name: str, size: tuple[int, int], language: str) -> None:
    options = options_for(size)
    lengths = scale(size, options)
    for item in arrange(STATES[name](language), size, options).items:
        if item.target is not None:
            assert item.box.width >= lengths.least_across, item
            assert item.box.height >= lengths.least_down, item
