"""A screen that has cleared itself: what was typed is not in any cache of drawing either."""

from __future__ import annotations

import pygame
import pytest

from kiosk.layout.arrange import arrange
from kiosk.screens.painter import Painter
from tests.appliance.display.kept import texts_kept
from tests.kiosk.screens.states import EIGHT, STATES

SIZE = (1280, 720)
CHALLENGE = ("idle", "words_eight", "checking_eight", "unacceptable", "idle")


@pytest.mark.usefixtures("letters")
def test_no_word_of_a_challenge_is_kept_by_what_drew_it() -> None:
    surface, painter = pygame.Surface(SIZE), Painter()
    # Other tests of this process may have had a clock's modules spell the same words.
    before = texts_kept()
    for name in CHALLENGE:
        painter.draw(surface, arrange(STATES[name]("en"), SIZE))
    typed = {"".join(word) for word in EIGHT if len(word) > 2}
    assert {text for text in texts_kept() - before if typed & set(text.split())} == set()
