"""What holds for every page on every screen: targets large and apart, nothing covered, the footer in sight."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.display.layout import Box
from kiosk.challenge.flow import notice
from kiosk.challenge.writing import LONGEST_WORD
from kiosk.face.page import Page
from kiosk.face.view import players_page
from kiosk.keyboards import keyboard, layouts
from kiosk.layout.arrange import arrange
from kiosk.layout.options import Options, scale
from kiosk.layout.placed import Arranged, What, hit
from kiosk.texts import load_texts
from lexicon.alphabet import alphabets
from tests.cells import each_cell
from tests.kiosk.challenge.making import context
from tests.kiosk.face.flows import NOW, every_flow, shown, typing
from tests.kiosk.layout.any_page import ANY_ARRANGED, ANY_PAGE, LYING, SIZES, UPRIGHT, everything, meet, of, options_for, touched
from tests.kiosk.screens.pages import DOOR, PAGES, words_page
from tests.kiosk.screens.states import STATES


@given(ANY_ARRANGED)
def test_every_target_is_at_least_nine_millimetres_wide_and_high(made: tuple[Arranged, Options]) -> None:
    arranged, options = made
    lengths = scale(arranged.size, options)
    for item in touched(arranged):
        assert item.box.width >= 9 * lengths.across, item
        assert item.box.height >= 9 * lengths.down, item


@given(ANY_ARRANGED)
def test_targets_are_at_least_a_millimetre_apart(made: tuple[Arranged, Options]) -> None:
    arranged, options = made
    lengths = scale(arranged.size, options)
    for one, other in combinations(touched(arranged), 2):
        wider = Box(one.box.x - lengths.gap_across, one.box.y - lengths.gap_down, 0, 0)
        grown = Box(wider.x, wider.y, one.box.width + 2 * lengths.gap_across, one.box.height + 2 * lengths.gap_down)
        assert not meet(grown, other.box), (one, other)


@given(ANY_ARRANGED)
def test_nothing_covers_anything_else_and_all_of_it_is_on_the_screen(made: tuple[Arranged, Options]) -> None:
    arranged, _ = made
    width, height = arranged.size
    for item in arranged.items:
        assert item.box.x >= 0
        assert item.box.y >= 0
        assert item.box.right <= width
        assert item.box.bottom <= height
        assert item.box.width > 0
        assert item.box.height > 0
    assert not any(meet(one.box, other.box) for one, other in combinations(arranged.items, 2))


@given(ANY_PAGE, SIZES, st.booleans())
def test_all_that_can_be_pressed_has_its_place_once(page: Page, size: tuple[int, int], left: bool) -> None:
    arranged = arrange(page, size, options_for(size, left=left))
    assert sorted(target.id for target in arranged.targets) == sorted(target.id for target in everything(page))


@given(ANY_PAGE, SIZES, st.booleans(), st.booleans())
def test_the_tables_number_is_in_the_same_corner_of_every_page_of_a_screen(
    page: Page, size: tuple[int, int], large: bool, left: bool
) -> None:
    options = options_for(size, large=large, left=left)
    places = {
        (item.box, item.size, item.texts)
        for each in (page, words_page(1, practice=page.practice))
        for item in of(arrange(replace(each, table="Table 345", door=DOOR), size, options), What.TABLE)
    }
    assert len(places) == 1
    assert of(arrange(replace(page, table=None), size, options), What.TABLE) == []


@given(ANY_ARRANGED)
def test_a_touch_in_the_middle_of_a_target_hits_it_and_one_beside_all_hits_nothing(made: tuple[Arranged, Options]) -> None:
    arranged, _ = made
    for item in touched(arranged):
        assert hit(arranged, item.box.x + item.box.width // 2, item.box.y + item.box.height // 2) == item.target
    assert hit(arranged, -1, 5) is None
    assert hit(arranged, arranged.size[0], 5) is None
    assert hit(arranged, 5, arranged.size[1] - 1) is None  # the footer


@given(ANY_ARRANGED)
def test_the_footer_is_always_in_sight_from_edge_to_edge(made: tuple[Arranged, Options]) -> None:
    arranged, _ = made
    (footer,) = of(arranged, What.FOOTER)
    assert (footer.box.x, footer.box.width, footer.box.bottom) == (0, arranged.size[0], arranged.size[1])
    assert len(footer.texts) == 3


@given(st.sampled_from([page for page in PAGES.values() if page.practice]), SIZES)
def test_practice_runs_across_the_whole_screen(page: Page, size: tuple[int, int]) -> None:
    (strip,) = of(arrange(page, size, options_for(size)), What.PRACTICE)
    assert (strip.box.x, strip.box.y, strip.box.width) == (0, 0, size[0])


@pytest.mark.parametrize("size", [*LYING, *UPRIGHT], ids=lambda size: f"{size[0]}x{size[1]}")
def test_the_keys_of_every_shipped_keyboard_are_large_enough_beside_eight_long_words_also_in_large_text(size: tuple[int, int]) -> None:
    for cell in each_cell(product(alphabets(), layouts(), [False, True])):
        with cell as (alphabet, layout, large):
            station = context(alphabet=alphabet)
            assert station.spelling is not None
            assert station.lexicon is not None
            tiles = station.spelling.tiles
            flow = typing(
                context=replace(station, lexicon=replace(station.lexicon, practice=True)),
                count=8,
                words=((max(tiles, key=len),) * LONGEST_WORD,) * 8,
                notice=notice("count_differs", count=3, words=8),
            )
            page = players_page(flow, NOW, load_texts("fr"), keyboard(layout, tiles))
            options = options_for(size, large=large)
            lengths, arranged = scale(size, options), arrange(page, size, options)
            assert sorted(target.id for target in arranged.targets) == sorted(target.id for target in everything(page))
            assert all(item.box.bottom <= size[1] and item.box.right <= size[0] for item in arranged.items)
            assert not any(meet(one.box, other.box) for one, other in combinations(arranged.items, 2))
            small = [item for item in touched(arranged) if item.box.width < 9 * lengths.across or item.box.height < 9 * lengths.down]
            assert small == []


@pytest.mark.parametrize("size", [(800, 480), (1280, 720), (480, 800)])
def test_the_stations_own_pages_keep_large_targets_that_nothing_covers(size: tuple[int, int]) -> None:
    for cell in each_cell(product(["en", "fr", "es"], [False, True])):
        with cell as (language, large):
            options = options_for(size, large=large)
            lengths = scale(size, options)
            for page in (*(shown(flow, language=language) for flow in every_flow()), *(state(language) for state in STATES.values())):
                arranged = arrange(page, size, options)
                assert not any(meet(one.box, other.box) for one, other in combinations(arranged.items, 2))
                assert all(item.box.x >= 0 and item.box.y >= 0 for item in arranged.items)
                assert all(item.box.right <= size[0] and item.box.bottom <= size[1] for item in arranged.items)
                assert sorted(target.id for target in arranged.targets) == sorted(target.id for target in everything(page))
                assert all(item.box.width >= 9 * lengths.across and item.box.height >= 9 * lengths.down for item in touched(arranged))
