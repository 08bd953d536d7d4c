from __future__ import annotations

import tomllib
from collections.abc import Iterator
from importlib import resources

import pytest

from hardware.display.lettering import font, measure
from kiosk.layout.letters import estimate
from lexicon.alphabet import alphabets, load_alphabet

SMALL, LARGE = 14, 96


def characters(found: object) -> Iterator[str]:
    if isinstance(found, dict):
        for value in found.values():
            yield from characters(value)
    elif isinstance(found, list):
        for value in found:
            yield from characters(value)
    elif isinstance(found, str):
        yield from found


def without_a_shape(text: set[str], size: int) -> list[str]:
    return sorted(character for character in text if font(size).metrics(character)[0] is None)


@pytest.mark.usefixtures("letters")
@pytest.mark.parametrize("alphabet", alphabets())
def test_the_font_has_every_tile_of_every_alphabet(alphabet: str) -> None:
    tiles = {character for tile in load_alphabet(alphabet).tiles for character in tile.text}
    assert tiles
    assert without_a_shape(tiles, LARGE) == []


@pytest.mark.usefixtures("letters")
@pytest.mark.parametrize("language", ["en", "fr", "es"])
def test_the_font_has_every_character_of_every_text(language: str) -> None:
    texts = set(characters(tomllib.loads((resources.files("kiosk.texts") / f"{language}.toml").read_text("utf-8"))))
    assert len(texts) > 30
    assert without_a_shape(texts - {"\n"}, SMALL) == []


@pytest.mark.usefixtures("letters")
@pytest.mark.parametrize(
    "text",
    [
        "QUIXOTRY",
        "UNEXCEPTIONABLE",
        "Stop your clock before you come here.",
        "La pendule est-elle arrêtée ?",
        "¿Está parado su reloj?",
        "L·L RR Ñ",
        "270,163 words",
    ],
)
def test_the_layout_guesses_a_texts_width_to_a_sixth(text: str) -> None:
    assert estimate(text, 100) == pytest.approx(measure(text, 100), rel=1 / 6)
