"""Texts that no font takes as they are: a window that meets one goes on."""

from __future__ import annotations

import os

import pygame
import pytest

from appliance.display.drawing import Pen, drawable, measure, write
from appliance.display.layout import Box
from tests.appliance.display.kept import texts_kept

pytestmark = pytest.mark.usefixtures("letters")
BOX = Box(0, 0, 200, 40)


def drawn(text: str) -> bytes:
    surface = pygame.Surface((200, 40))
    write(surface, [text], BOX, Pen((255, 255, 255)))
    return pygame.image.tobytes(surface, "RGB")


@pytest.mark.parametrize("text", [os.fsdecode(b"/lists/\xff.dawg"), "a\0b"])
def test_what_no_font_takes_is_drawn_as_an_escape(text: str) -> None:
    assert drawable(text).isprintable()
    assert drawn(text) == drawn(drawable(text)) != drawn("")
    assert measure(text, 20) == measure(drawable(text), 20)


@pytest.mark.parametrize("text", ["", "\ufe0f", "\u202e", "\u200d\ufe00"])
def test_signs_that_are_nothing_by_themselves_are_drawn_as_nothing(text: str) -> None:
    assert drawn(text) == bytes(200 * 40 * 3)


def test_letters_are_drawn_as_they_are() -> None:
    assert drawable("ÉTÉ · L\u00b7L\nÑ") == "ÉTÉ · L\u00b7L\nÑ"


def test_no_text_is_kept_once_it_is_drawn() -> None:
    # Words that no other test of this process has left anywhere.
    drawn("ZIZYPHUS")
    measure("BEZIQUES", 12)
    measure("QUETZALS", 40)
    assert not {"ZIZYPHUS", "BEZIQUES", "QUETZALS"} & texts_kept()
