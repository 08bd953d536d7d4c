"""What the hall adds to the face, as pictures."""

from __future__ import annotations

from pathlib import Path

import pygame
import pytest

from firmware.screens.layout import Arrangement, arrange
from firmware.screens.painter import Painter
from tests.appliance.display.pictures import compare, renew
from tests.firmware.hall.hall_faces import hall_faces

KEPT = Path(__file__).parent / "golden"
SIZE = (1024, 600)
SEEN = [
    *((name, "en") for name in hall_faces()),
    ("stop", "fr"),
    ("stop", "es"),
    ("joins", "fr"),
    ("joins", "es"),
    ("updating", "fr"),
    ("updating", "es"),
    ("verdict", "fr"),
    ("verdict", "es"),
]


@pytest.mark.usefixtures("letters")
@pytest.mark.parametrize(("name", "language"), SEEN)
def test_the_hall_looks_as_it_did(name: str, language: str, scratch: Path) -> None:
    picture = pygame.Surface(SIZE)
    Painter(arrange(*SIZE, Arrangement.FACING)).draw(picture, hall_faces(language)[name])
    renew(f"{language}-{name}", picture, KEPT)
    assert compare(f"{language}-{name}", picture, scratch, KEPT) == ""
