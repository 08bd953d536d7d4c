from itertools import product

import pygame
import pytest
from msgspec.structs import replace

from appliance.display.drawing import forget_texts, measure
from appliance.display.layout import PITCH, Box
from appliance.texts import languages
from kiosk.face.page import Page
from kiosk.layout.arrange import arrange
from kiosk.layout.parts import estimate, size_of
from kiosk.layout.placed import What
from kiosk.screens.painter import Painter
from tests.appliance.display.kept import texts_kept
from tests.appliance.display.pictures import difference
from tests.cells import each_cell
from tests.kiosk.screens.pages import PAGES, words_page
from tests.kiosk.screens.states import EIGHT, STATES

SIZE = (1280, 720)
LYING = [(800, 480), (1024, 600), (1280, 720), (1920, 1080)]


@pytest.fixture
def surface(measured_letters: None) -> pygame.Surface:
    return pygame.Surface(SIZE)


def fresh(page: Page, pressed: frozenset[str] = frozenset()) -> pygame.Surface:
    made = pygame.Surface(SIZE)
    Painter().draw(made, arrange(page, SIZE), pressed)
    return made


def typed(page: Page, text: str) -> Page:
    return replace(page, words=(*page.words[:-1], replace(page.words[-1], text=text)))


def test_the_first_picture_is_the_whole_surface_and_the_same_again_is_none(surface: pygame.Surface) -> None:
    painter = Painter()
    assert painter.draw(surface, arrange(PAGES["idle"], SIZE)) == [Box(0, 0, *SIZE)]
    assert painter.draw(surface, arrange(PAGES["idle"], SIZE)) == []


def test_a_letter_more_redraws_its_word_alone(surface: pygame.Surface) -> None:
    painter, page = Painter(), words_page(3)
    painter.draw(surface, arrange(typed(page, "OXAZ"), SIZE))
    longer = arrange(typed(page, "OXAZO"), SIZE)
    (word,) = (item.box for item in longer.items if item.what is What.WORD and item.chosen)
    assert painter.draw(surface, longer) == [word]


def test_a_page_drawn_over_another_is_the_picture_it_would_be_by_itself(surface: pygame.Surface) -> None:
    for cell in each_cell(PAGES):
        with cell as name:
            painter = Painter()
            for before in ("words_8", "verdict_unacceptable"):
                painter.draw(surface, arrange(PAGES[before], SIZE))
                painter.draw(surface, arrange(PAGES[name], SIZE))
                assert difference(surface, fresh(PAGES[name])) == 0


def test_a_pressed_target_is_drawn_the_other_way_round_and_back(surface: pygame.Surface) -> None:
    painter, arranged = Painter(), arrange(words_page(1), SIZE)
    painter.draw(surface, arranged)
    (key,) = (item.box for item in arranged.items if item.target and item.target.id == "tile.Q")
    spot = (key.x + key.width // 2, key.y + 6)
    before = surface.get_at(spot)
    assert painter.draw(surface, arranged, {"tile.Q"}) == [key]
    assert surface.get_at(spot) != before
    assert painter.draw(surface, arranged) == [key]
    assert surface.get_at(spot) == before


def test_a_stations_own_verdict_is_large_in_every_language(measured_letters: None) -> None:
    for cell in each_cell(product(LYING, languages())):
        with cell as (size, language):
            for name in ("acceptable", "unacceptable", "unacceptable_repeated"):
                (banner,) = (item for item in arrange(STATES[name](language), size).items if item.what is What.BANNER)
                assert (
                    size_of(
                        banner.texts[0],
                        banner.icon,
                        banner.box.inset(banner.box.height // 7, banner.box.height // 14),
                        banner.size,
                        measure,
                    )
                    * PITCH
                    >= size[1] / 8
                )


@pytest.mark.usefixtures("letters")
@pytest.mark.parametrize(
    "text", ["QUIXOTRY", "UNEXCEPTIONABLE", "Stop your clock before you come here.", "¿Está parado su reloj?", "L·L RR Ñ"]
)
def test_the_layout_guesses_a_texts_width_to_a_sixth(text: str) -> None:
    assert estimate(text, 100) == pytest.approx(measure(text, 100), rel=1 / 6)


CHALLENGE = ("idle", "words_eight", "checking_eight", "unacceptable", "idle")


@pytest.mark.usefixtures("letters")
def test_no_word_of_a_challenge_is_kept_by_what_drew_it() -> None:
    surface, painter = pygame.Surface(SIZE), Painter()
    # Other tests of this process may have drawn the same words.
    forget_texts()
    for name in CHALLENGE:
        painter.draw(surface, arrange(STATES[name]("en"), SIZE))
    typed = {"".join(word) for word in EIGHT if len(word) > 2}
    assert {text for text in texts_kept() if typed & set(text.split())} == set()
