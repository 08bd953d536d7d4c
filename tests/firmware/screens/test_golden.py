from itertools import cycle, product
from pathlib import Path

import pygame
import pytest

from firmware.screens.layout import Arrangement, arrange
from firmware.screens.painter import Painter
from rules.side import Side
from tests.appliance.display.pictures import PICTURED_IN, compare, difference, plain, renew
from tests.firmware.screens.faces import FACES, faces
from tests.firmware.screens.situations import DRAWN, sheet

KEPT = Path(__file__).parent / "golden"
SIZE = (1024, 600)
COLUMNS, GAP = 4, 4
ON_SHEET = 0.2
"""The mean difference that a face on a sheet may have: a word of a row makes more."""
POSTER = bytes(min(255, round(value / 32) * 32) for value in range(256))
"""The shades of a sheet: half as many bytes, and as easily read."""


UPRIGHT = ("menu", "overtime", "recovered", "table_menu")
"""What is drawn on a panel of that size turned, if side by side."""


def painted(name: str, arrangement: Arrangement, language: str = "en") -> pygame.Surface:
    size = SIZE[::-1] if arrangement is Arrangement.SIDE_BY_SIDE and name in UPRIGHT else SIZE
    surface = pygame.Surface(size)
    Painter(arrange(*size, arrangement, Side.RIGHT)).draw(surface, faces(language)[name])
    return surface


def variants() -> dict[str, tuple[Arrangement, str]]:
    """Return how each face is drawn besides facing in English: the other arrangements and languages take turns."""
    plain = [name for name, face in FACES.items() if not face.fills and not face.menu and not face.halves.left.page]
    arrangements = [(arrangement, "en") for arrangement in Arrangement if arrangement is not Arrangement.FACING]
    turns = dict(zip(plain, cycle([*((Arrangement.FACING, language) for language in PICTURED_IN[1:]), *arrangements]), strict=False))
    return turns | dict(zip((name for name in FACES if name not in plain), cycle(arrangements), strict=False))


@pytest.mark.usefixtures("measured_letters")
@pytest.mark.parametrize("name", FACES)
def test_every_phase_looks_as_it_did_facing_and_in_another_arrangement_or_language(name: str, scratch: Path) -> None:
    for arrangement, language in ((Arrangement.FACING, "en"), variants()[name]):
        title = f"{arrangement.value if language == 'en' else language}-{name}"
        picture = painted(name, arrangement, language)
        renew(title, picture, KEPT)
        assert compare(title, picture, scratch, KEPT) == ""


@pytest.mark.usefixtures("measured_letters")
def test_a_single_second_on_the_display_is_more_than_the_golden_pictures_tolerate(scratch: Path) -> None:
    surface = painted("next_second", Arrangement.FACING)
    assert "differs by" in compare("facing-running", surface, scratch, KEPT)
    assert (scratch / "facing-running.png").exists()


@pytest.mark.usefixtures("measured_letters")
def test_facing_halves_are_the_same_picture_turned_round() -> None:
    surface = pygame.Surface(SIZE)
    layout = arrange(*SIZE, Arrangement.FACING)
    Painter(layout).draw(surface, FACES["ready"])
    upper, lower = (surface.subsurface((half.place.x, half.place.y, half.place.width, half.place.height)) for half in layout.halves)
    # The readings differ, 25:00 and 35:00; the words do not.
    assert difference(pygame.transform.rotate(upper.copy(), 180), lower.copy()) < 8


def on_sheet(name: str, language: str) -> tuple[pygame.Surface, dict[str, pygame.Rect]]:
    """Return one picture of all faces of a sheet, each at half its size, and where each lies; of ``sentences`` without the upper half."""
    shown = sheet(name, language)
    layout = arrange(*SIZE, Arrangement.FACING)
    top = layout.strip.place.y if name == "sentences" else 0
    width, height = SIZE[0] // 2, (SIZE[1] - top) // 2
    step_x, step_y = width + GAP, height + GAP
    places = {key: pygame.Rect(index % COLUMNS * step_x, index // COLUMNS * step_y, width, height) for index, key in enumerate(shown)}
    whole = pygame.Surface((COLUMNS * step_x, -(-len(shown) // COLUMNS) * step_y))
    painter, surface = Painter(layout), pygame.Surface(SIZE)
    for key, place in places.items():
        painter.draw(surface, shown[key])
        whole.blit(pygame.transform.smoothscale(surface.subsurface((0, top, SIZE[0], SIZE[1] - top)), place.size), place)
    return pygame.image.frombytes(pygame.image.tobytes(whole, "RGB").translate(POSTER), whole.get_size(), "RGB"), places


SHEETS = [*((name, "en") for name in DRAWN), *zip(DRAWN, cycle(PICTURED_IN[1:]), strict=False), (DRAWN[0], PICTURED_IN[-1])]
"""All in English, and each in one of the other languages, which take turns; the phases in all of them."""


@pytest.mark.usefixtures("measured_letters")
@pytest.mark.parametrize(("name", "language"), SHEETS)
def test_every_fill_menu_sentence_and_time_frame_looks_as_it_did(name: str, language: str, scratch: Path) -> None:
    title = f"sheet-{language}-{name}"
    whole, places = on_sheet(name, language)
    renew(title, whole, KEPT)
    kept = plain(pygame.image.load(KEPT / f"{title}.png"))
    assert kept.get_size() == whole.get_size()
    found = {key: difference(whole.subsurface(place), kept.subsurface(place)) for key, place in places.items()}
    differing = {key: round(each, 2) for key, each in found.items() if each > ON_SHEET}
    if differing:
        pygame.image.save(whole, scratch / f"{title}.png")
    assert differing == {}


RESULTS = (("result_score", False), ("result_score", True), ("result_sign", False), ("result_signed", False))
"""Faces of a result, and whether the panel takes touches."""


@pytest.mark.usefixtures("measured_letters")
@pytest.mark.parametrize("language", PICTURED_IN)
def test_a_result_looks_as_it_did_on_the_usual_panels_lying_and_upright(language: str, scratch: Path) -> None:
    whole = pygame.Surface((4 * 800, 480 + 800))
    for (top, size), (column, (name, touched)) in product(((0, (800, 480)), (480, (480, 800))), enumerate(RESULTS)):
        surface, painter = pygame.Surface(size), Painter(arrange(*size, Arrangement.FACING))
        painter.touched = touched
        painter.draw(surface, faces(language)[name])
        whole.blit(surface, (column * 800, top))
    halved = pygame.transform.smoothscale(whole, (whole.get_width() // 2, whole.get_height() // 2))
    title = f"results-{language}"
    renew(title, halved, KEPT)
    assert compare(title, halved, scratch, KEPT) == ""
