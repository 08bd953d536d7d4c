"""What players and directors are told of the LED displays is what these show."""

from __future__ import annotations

from pathlib import Path

from firmware.screens.led.pictures import LETTERS, WORDS
from tests.cells import each_cell

TOLD = (Path(__file__).parents[4] / "docs" / "led.md").read_text(encoding="utf-8")


def test_every_word_is_explained() -> None:
    for cell in each_cell(sorted(WORDS)):
        with cell as word:
            assert f"`{word}`" in TOLD


def test_every_letter_of_a_time_frame_is_explained() -> None:
    for cell in each_cell(LETTERS.values()):
        with cell as letter:
            assert f"| `{letter}` | " in TOLD
