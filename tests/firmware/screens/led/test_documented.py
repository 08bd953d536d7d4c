"""What players and directors are told of the LED displays is what these show."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware.screens.led.windows import LETTERS
from firmware.screens.led.words import WORDS

TOLD = (Path(__file__).parents[4] / "docs" / "led.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("word", sorted(WORDS))
def test_every_word_is_explained(word: str) -> None:
    assert f"`{word}`" in TOLD


@pytest.mark.parametrize("letter", LETTERS.values())
def test_every_letter_of_a_time_frame_is_explained(letter: str) -> None:
    assert f"| `{letter}` | " in TOLD
