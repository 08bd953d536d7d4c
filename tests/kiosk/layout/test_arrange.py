from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.core.side import BySide, Side
from hardware.display.box import Box
from kiosk.challenge import events as players
from kiosk.face.page import Banner, Icon, Page, Row, Target, Tone
from kiosk.layout.arrange import arrange
from kiosk.layout.options import Options, scale
from kiosk.layout.placed import Arranged, Placed, What, hit
from lexicon.alphabet import alphabets, load_alphabet
from tests.kiosk.face.flows import every_flow, shown
from tests.kiosk.screens.pages import BACK, DIGITS, PAGES, SIDES, WORDS, checking, keyboard, verdict, words_page
from tests.kiosk.screens.states import STATES

LYING = [(800, 480), (1024, 600), (1280, 720), (1280, 800), (1024, 768), (1920, 1080)]
UPRIGHT = [(480, 800), (600, 1024), (1080, 1920), (768, 1024)]
SIZES = st.one_of(
    st.sampled_from(LYING + UPRIGHT),
    st.tuples(st.integers(800, 1920), st.integers(480, 1080)).filter(lambda size: 1.3 <= size[0] / size[1] <= 1.8),
    st.tuples(st.integers(480, 1080), st.integers(800, 1920)).filter(lambda size: 1.3 <= size[1] / size[0] <= 1.8),
)


def options_for(size: tuple[int, int], *, large: bool = False, left: bool = False) -> Options:
    return Options(large_text=large, left_handed=left, millimetres_wide=154.08 if size[0] >= size[1] else 85.92)


def tiles_in_rows(alphabet: str, most: int) -> tuple[tuple[str, ...], ...]:
    tiles = [tile.text for tile in load_alphabet(alphabet).tiles]
    return tuple(tuple(tiles[start : start + most]) for start in range(0, len(tiles), most))


WORDS_PAGES = st.builds(
    lambda count, alphabet, most, practice: words_page(count, tiles_in_rows(alphabet, most), practice),
    st.integers(1, 8),
    st.sampled_from(alphabets()),
    st.integers(9, 12),
    st.sampled_from([None, "PRACTICE: no verdict counts"]),
).filter(lambda page: len(page.keyboard) <= 3)
CHECKING_PAGES = st.builds(checking, st.integers(1, 8), st.sampled_from(Side), st.sampled_from([None, "PRACTICE"]))
ANSWERS = st.integers(1, 6).map(lambda count: tuple(Target(f"answer.{index}", f"Answer {index}", players.Done()) for index in range(count)))
QUESTIONS = st.builds(
    lambda page, actions, lines, notice, practice: replace(page, actions=actions, lines=lines, notice=notice, practice=practice),
    st.sampled_from([page for page in PAGES.values() if not page.words and not page.keyboard]),
    ANSWERS,
    st.lists(st.text(st.characters(min_codepoint=32, max_codepoint=255), max_size=120), max_size=3).map(tuple),
    st.one_of(st.none(), st.just("The printer has no paper: nothing is printed.")),
    st.sampled_from([None, "PRACTICE"]),
)
ANY_PAGE = st.one_of(st.sampled_from(list(PAGES.values())), WORDS_PAGES, CHECKING_PAGES, QUESTIONS)
ANY_ARRANGED = st.builds(
    lambda page, size, large, left: (arrange(page, size, options_for(size, large=large, left=left)), options_for(size)),
    ANY_PAGE,
    SIZES,
    st.booleans(),
    st.booleans(),
)


def touched(arranged: Arranged) -> list[Placed]:
    return [item for item in arranged.items if item.target is not None]


def meet(one: Box, other: Box) -> bool:
    return one.x < other.right and other.x < one.right and one.y < other.bottom and other.y < one.bottom


def of(arranged: Arranged, what: What) -> list[Placed]:
    return [item for item in arranged.items if item.what is what]


def everything(page: Page) -> list[Target]:
    several = [*(key for row in page.keyboard for key in row), *page.actions]
    several += [target for word in page.words for target in (word.choose, word.remove) if target]
    several += [row.target for row in page.rows if row.target]
    several += [target for _, target in page.by_side.items()] if page.by_side else []
    several += [page.adjudicate[1]] if page.adjudicate else []
    return several + ([page.door] if page.door else [])


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


@given(SIZES, st.sampled_from(Side), st.integers(1, 8), st.booleans())
def test_the_adjudication_key_is_on_the_challenged_players_side_large_and_apart_from_what_the_challenger_presses(
    size: tuple[int, int],
    side: Side,
    count: int,
    left: bool,
) -> None:
    options = options_for(size, left=left)
    arranged = arrange(checking(count, side), size, options)
    (key,) = of(arranged, What.ADJUDICATE)
    middle = size[0] // 2
    assert key.box.x >= middle if side is Side.RIGHT else key.box.right <= middle
    assert key.box.width >= size[0] * 2 // 5
    assert key.box.height >= 18 * scale(size, options).down
    for action in of(arranged, What.ACTION):
        assert action.box.right <= middle if side is Side.RIGHT else action.box.x >= middle
        apart = action.box.x - key.box.right if side is Side.LEFT else key.box.x - action.box.right
        assert apart >= 3 * scale(size, options).across


@given(SIZES)
def test_two_targets_for_the_players_stand_each_on_its_side(size: tuple[int, int]) -> None:
    arranged = arrange(PAGES["challenger"], size, options_for(size))
    places = {item.target.id: item.box for item in of(arranged, What.BY_SIDE) if item.target}
    assert places["left"].right <= size[0] // 2 <= places["right"].x


@given(SIZES)
def test_two_targets_for_the_players_stand_beside_the_adjudication_key_too(size: tuple[int, int]) -> None:
    page = replace(checking(8, practice="PRACTICE"), by_side=SIDES)
    arranged = arrange(page, size, options_for(size))
    assert len(of(arranged, What.BY_SIDE)) == 2
    assert min(item.box.height for item in touched(arranged)) >= 9 * scale(size, options_for(size)).down


@pytest.mark.parametrize("size", [*LYING, *UPRIGHT])
@pytest.mark.parametrize("acceptable", [True, False])
def test_the_verdict_takes_more_than_a_sixth_of_the_height(size: tuple[int, int], acceptable: bool) -> None:
    page = replace(verdict(acceptable=acceptable), practice="PRACTICE")
    (banner,) = of(arrange(page, size, options_for(size)), What.BANNER)
    assert banner.box.height * 4 >= size[1]
    assert banner.box.width >= size[0] * 9 // 10


def test_a_left_hand_has_what_it_needs_on_the_left() -> None:
    size = (800, 480)
    for page in (DIGITS, words_page(2)):
        right, left = (arrange(page, size, options_for(size, left=left)) for left in (False, True))
        what = What.KEY if page is DIGITS else What.ACTION
        assert min(item.box.x for item in of(right, what)) > 400
        assert max(item.box.right for item in of(left, what)) < 400


def test_the_way_on_stands_on_the_side_of_the_hand() -> None:
    size = (1280, 720)
    for left in (False, True):
        actions = of(arrange(PAGES["verdict_acceptable"], size, options_for(size, left=left)), What.ACTION)
        (main,) = (item for item in actions if item.tone is Tone.MAIN)
        assert main.box.x == (min if left else max)(item.box.x for item in actions)


def test_large_text_is_larger() -> None:
    size = (800, 480)
    for name in ("idle", "verdict_acceptable", "checking_1"):
        plain, large = (arrange(PAGES[name], size, options_for(size, large=large)) for large in (False, True))
        (few,), (many,) = of(plain, What.LINES), of(large, What.LINES)
        assert many.size > few.size


def test_words_in_checking_are_set_in_two_columns_where_that_makes_them_larger() -> None:
    for size, columns in (((800, 480), 2), ((480, 800), 1)):
        words = of(arrange(checking(8), size, options_for(size)), What.WORD)
        assert len({item.box.x for item in words}) == columns
        assert len({item.size for item in words}) == 1


def test_a_longer_word_does_not_move_what_else_is_on_the_page() -> None:
    page = words_page(3)
    longer = replace(page, words=(*page.words[:2], replace(page.words[2], text=WORDS[3])))
    one, other = (arrange(each, (800, 480)) for each in (page, longer))
    assert [item.box for item in one.items] == [item.box for item in other.items]
    assert sum(1 for item in other.items if item not in one.items) == 1


@pytest.mark.parametrize("size", UPRIGHT)
def test_an_upright_screen_wraps_the_keyboards_rows_and_keeps_the_order_of_the_keys(size: tuple[int, int]) -> None:
    page = words_page(2, tiles_in_rows("polish", 11))
    keys = of(arrange(page, size, options_for(size)), What.KEY)
    in_order = sorted(keys, key=lambda item: (item.box.y, item.box.x))
    assert [item.texts[0] for item in in_order] == [key.text for row in page.keyboard for key in row]
    assert len({item.box.y for item in keys}) > 3


def test_a_pad_of_digits_is_never_wrapped() -> None:
    keys = of(arrange(DIGITS, (480, 800), options_for((480, 800))), What.KEY)
    assert len({item.box.y for item in keys}) == 4


def test_five_rows_of_a_list_with_four_actions_fit_everywhere() -> None:
    rows = tuple(Row(f"row {index}", "detail", Target(f"row.{index}", "row", players.Done())) for index in range(5))
    actions = tuple(Target(f"act.{index}", "act", players.Done()) for index in range(4))
    for size in (*LYING, *UPRIGHT):
        options = options_for(size)
        arranged = arrange(replace(PAGES["desk_menu"], rows=rows, actions=actions, practice="PRACTICE"), size, options)
        assert all(item.box.height >= 9 * scale(size, options).down for item in touched(arranged))


def test_a_name_is_typed_with_four_rows_of_keys_an_entry_and_actions_everywhere() -> None:
    rows = ("1234567890", "QWERTYUIOP", "ASDFGHJKL", "ZXCVBNM")
    page = Page(
        "desk.name",
        "Station name",
        DIGITS.footer,
        entry="Station 2",
        keyboard=keyboard(rows),
        actions=(BACK, DIGITS.keyboard[3][0], DIGITS.keyboard[3][2]),
    )
    for size in (*LYING, *UPRIGHT):
        options = options_for(size)
        arranged = arrange(page, size, options)
        assert all(item.box.height >= 9 * scale(size, options).down for item in touched(arranged))
        assert of(arranged, What.ENTRY)


def test_the_sides_are_labelled_each_on_its_own() -> None:
    labels = of(arrange(checking(2), (800, 480)), What.SIDE)
    assert [(item.texts[0], item.icon) for item in sorted(labels, key=lambda item: item.box.x)] == [
        ("challenger", Icon.LEFT),
        ("challenged player", Icon.RIGHT),
    ]


def test_a_page_with_a_banner_and_two_sides_and_all_else_keeps_its_targets() -> None:
    page = replace(
        PAGES["director"],
        by_side=BySide(SIDES.left, SIDES.right),
        banner=Banner("B", Icon.WARNING, Tone.WARNING),
        countdown_s=3,
        notice="N",
        practice="P",
    )
    arranged = arrange(page, (800, 480))
    assert len(arranged.targets) == 3
    assert not any(meet(one.box, other.box) for one, other in combinations(arranged.items, 2))


@pytest.mark.parametrize("language", ["en", "fr", "es"])
@pytest.mark.parametrize("size", [(800, 480), (1280, 720), (480, 800)])
@pytest.mark.parametrize("large", [False, True])
def test_the_stations_own_pages_keep_large_targets_that_nothing_covers(language: str, size: tuple[int, int], large: bool) -> None:
    options = options_for(size, large=large)
    lengths = scale(size, options)
    for page in (*(shown(flow, language=language) for flow in every_flow()), *(state(language) for state in STATES.values())):
        arranged = arrange(page, size, options)
        assert not any(meet(one.box, other.box) for one, other in combinations(arranged.items, 2))
        assert all(item.box.x >= 0 and item.box.y >= 0 for item in arranged.items)
        assert all(item.box.right <= size[0] and item.box.bottom <= size[1] for item in arranged.items)
        assert sorted(target.id for target in arranged.targets) == sorted(target.id for target in everything(page))
        assert all(item.box.width >= 9 * lengths.across and item.box.height >= 9 * lengths.down for item in touched(arranged))


@pytest.mark.parametrize("size", [*LYING, *UPRIGHT])
@pytest.mark.parametrize("left", [False, True])
@pytest.mark.parametrize("large", [False, True])
def test_what_names_a_side_stands_on_that_side_whatever_the_hand(size: tuple[int, int], *, left: bool, large: bool) -> None:
    middle, named = size[0] // 2, set[str]()
    flows = [flow if flow.challenger is None else flow.but(challenger=side) for flow in every_flow() for side in Side]
    for page in (*(shown(flow) for flow in flows), *(state("en") for state in STATES.values())):
        arranged = arrange(page, size, options_for(size, large=large, left=left))
        for item in arranged.items:
            side = None if item.target is None else item.target.id.rpartition(".")[2]
            if page.adjudicate is not None and item.target == page.adjudicate[1]:
                side = str(page.adjudicate[0])
            if item.target is not None and side in {"left", "right"}:
                named.add(item.target.id)
                assert item.box.right <= middle if side == "left" else item.box.x >= middle, (page.name, item)
    assert named == {"adjudicate", *(f"{what}.{side}" for what in ("challenger", "concede") for side in Side)}
