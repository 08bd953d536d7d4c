from __future__ import annotations

from pathlib import Path

import pygame
import pytest

from firmware.screens.layout import Arrangement, arrange
from firmware.screens.painter import Painter
from rules.side import Side
from tests.appliance.display.pictures import compare, difference, renew
from tests.cells import each_cell
from tests.firmware.screens.faces import FACES, LANGUAGES, faces

KEPT = Path(__file__).parent / "golden"
SIZE = (1024, 600)


def painted(name: str, arrangement: Arrangement, language: str = "en") -> pygame.Surface:
    surface = pygame.Surface(SIZE)
    Painter(arrange(*SIZE, arrangement, Side.RIGHT)).draw(surface, faces(language)[name])
    return surface


@pytest.mark.usefixtures("letters")
@pytest.mark.parametrize("name", FACES)
def test_every_phase_looks_in_every_arrangement_as_it_did(name: str, scratch: Path) -> None:
    for cell in each_cell(Arrangement):
        with cell as arrangement:
            picture = painted(name, arrangement)
            renew(f"{arrangement.value}-{name}", picture, KEPT)
            assert compare(f"{arrangement.value}-{name}", picture, scratch, KEPT) == ""


@pytest.mark.usefixtures("letters")
@pytest.mark.parametrize("name", FACES)
def test_every_phase_looks_in_french_and_spanish_as_it_did(name: str, scratch: Path) -> None:
    for cell in each_cell(LANGUAGES[1:]):
        with cell as language:
            picture = painted(name, Arrangement.FACING, language)
            renew(f"{language}-{name}", picture, KEPT)
            assert compare(f"{language}-{name}", picture, scratch, KEPT) == ""


@pytest.mark.usefixtures("letters")
def test_a_single_second_on_the_display_is_more_than_the_golden_pictures_tolerate(scratch: Path) -> None:
    surface = painted("next_second", Arrangement.FACING)
    assert "differs by" in compare("facing-running", surface, scratch, KEPT)
    assert (scratch / "facing-running.png").exists()


@pytest.mark.usefixtures("letters")
def test_facing_halves_are_the_same_picture_turned_round() -> None:
    surface = pygame.Surface(SIZE)
    layout = arrange(*SIZE, Arrangement.FACING)
    Painter(layout).draw(surface, FACES["ready"])
    upper, lower = (surface.subsurface((half.place.x, half.place.y, half.place.width, half.place.height)) for half in layout.halves)
    assert (
        difference(pygame.transform.rotate(upper.copy(), 180), lower.copy()) < 6
    )  # the readings differ, 25:00 and 35:00; the words do not


def test_the_golden_pictures_are_small() -> None:
    assert sum(path.stat().st_size for path in KEPT.glob("*.png")) < 6_000_000
