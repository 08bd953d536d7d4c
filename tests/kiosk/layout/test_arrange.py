from functools import cache
from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from appliance.display.layout import Box
from game.challenge_log.entry import Kind
from kiosk import events as players
from kiosk.challenge.flow import EarlierRow, notice
from kiosk.challenge.writing import LONGEST_WORD
from kiosk.face.page import Banner, Icon, ListRow, Page, Target, Tone
from kiosk.face.view import players_page
from kiosk.keyboards import keyboard, layouts
from kiosk.layout.arrange import arrange
from kiosk.layout.options import scale
from kiosk.layout.placed import What
from kiosk.screens.pressing import hit
from kiosk.texts import load_texts
from lexicon.alphabet import alphabets
from rules.side import Side
from tests.cells import each_cell
from tests.firmware.screens.boxes import meet
from tests.kiosk.challenge.making import context
from tests.kiosk.face.flows import NOW, every_flow, shown, typing
from tests.kiosk.face.flows import checking as checking_flow
from tests.kiosk.layout.any_page import ANY_PAGE, LYING, SIZES, UPRIGHT, laid_out, of, options_for, tiles_in_rows, touched
from tests.kiosk.screens.pages import DIGITS, DOOR, ENGLISH, PAGES, SIDES, SPANISH, WORDS, checking, words_page
from tests.kiosk.screens.pages import keyboard as keys_for
from tests.kiosk.screens.states import STATES
from tests.some import some


@given(ANY_PAGE, SIZES, st.booleans(), st.booleans())
def test_on_any_screen_targets_are_a_millimetre_apart_hit_in_their_middle_and_the_footer_is_in_sight_from_edge_to_edge(
    page: Page, size: tuple[int, int], large: bool, left: bool
) -> None:
    arranged, lengths = laid_out(page, size, large=large, left=left), scale(size, options_for(size))
    for one, other in combinations(touched(arranged), 2):
        grown = Box(
            one.box.x - lengths.gap_across,
            one.box.y - lengths.gap_down,
            one.box.width + 2 * lengths.gap_across,
            one.box.height + 2 * lengths.gap_down,
        )
        assert not meet(grown, other.box), (one, other)
    for item in touched(arranged):
        assert hit(arranged, item.box.x + item.box.width // 2, item.box.y + item.box.height // 2) == item.target
    (footer,) = of(arranged, What.FOOTER)
    assert (footer.box.x, footer.box.width, footer.box.bottom, len(footer.texts)) == (0, *size, 3)
    for x, y in ((-1, 5), (size[0], 5), (5, footer.box.bottom - 1)):
        assert hit(arranged, x, y) is None


@given(ANY_PAGE, SIZES, st.booleans(), st.booleans())
def test_the_tables_number_is_in_the_same_corner_of_every_page(page: Page, size: tuple[int, int], large: bool, left: bool) -> None:
    options = options_for(size, large=large, left=left)
    places = {
        (item.box, item.size, item.texts)
        for each in (page, words_page(1, practice=page.practice))
        for item in of(arrange(replace(each, table="Table 345", door=DOOR), size, options), What.TABLE)
    }
    assert len(places) == 1
    assert of(arrange(replace(page, table=None), size, options), What.TABLE) == []


@given(st.sampled_from([page for page in PAGES.values() if page.practice]), SIZES)
def test_practice_runs_across_the_whole_screen(page: Page, size: tuple[int, int]) -> None:
    (strip,) = of(arrange(page, size, options_for(size)), What.PRACTICE)
    assert (strip.box.x, strip.box.y, strip.box.width) == (0, 0, size[0])


@pytest.mark.parametrize("size", [*LYING, *UPRIGHT], ids=lambda size: f"{size[0]}x{size[1]}")
def test_the_keys_of_every_shipped_keyboard_are_large_enough_beside_eight_long_words_also_in_large_text(size: tuple[int, int]) -> None:
    for cell in each_cell(product(alphabets(), layouts(), [False, True])):
        with cell as (alphabet, layout, large):
            station = context(alphabet=alphabet)
            tiles = some(station.spelling).tiles
            words = ((max(tiles, key=len),) * LONGEST_WORD,) * 8
            practising = replace(station, lexicon=replace(some(station.lexicon), practice=True))
            flow = typing(context=practising, count=8, words=words, notice=notice("count_differs", count=3, words=8))
            laid_out(players_page(flow, NOW, load_texts("fr"), keyboard(layout, tiles)), size, large=large)


@pytest.mark.parametrize("size", [(800, 480), (1280, 720), (480, 800)])
def test_the_stations_own_pages_keep_large_targets_that_nothing_covers(size: tuple[int, int]) -> None:
    for cell in each_cell(product(["en", "fr", "es"], [False, True])):
        with cell as (language, large):
            for page in (*(shown(flow, language=language) for flow in every_flow()), *(state(language) for state in STATES.values())):
                laid_out(page, size, large=large)


def test_the_verdict_takes_more_than_a_sixth_of_the_height() -> None:
    for cell in each_cell(product([*LYING, *UPRIGHT], ["acceptable", "unacceptable"])):
        with cell as (size, acceptable):
            page = replace(PAGES[f"verdict_{acceptable}"], practice="PRACTICE")
            (banner,) = of(arrange(page, size, options_for(size)), What.BANNER)
            assert banner.box.height * 4 >= size[1]
            assert banner.box.width >= size[0] * 9 // 10


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
    assert {item.what for item in other.items if item not in one.items} == {What.WORD}


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


ROWS = tuple(ListRow(f"row {index}", "detail", Target(f"row.{index}", "row", players.Done())) for index in range(5))
ACTIONS = tuple(Target(f"act.{index}", "act", players.Done()) for index in range(4))


def test_a_keyboard_that_is_too_wide_is_wrapped_in_the_alphabets_order() -> None:
    page = replace(words_page(1, SPANISH), alphabet=(*"ABC", "CH", *"DEFGHIJL", "LL", *"MNÑOPQR", "RR", *"STUVXYZ"))
    narrow, wide = (of(arrange(page, size, options_for(size)), What.KEY) for size in ((480, 800), (1920, 1080)))
    assert [key.texts[0] for key in narrow][:6] == ["A", "B", "C", "CH", "D", "E"]
    assert [key.texts[0] for key in wide][:3] == ["Q", "E", "R"]


NAME = Page("desk.name", "Name", DIGITS.footer, entry="Station 2", keyboard=keys_for(("1234567890", *ENGLISH)), actions=ACTIONS[:3])


@pytest.mark.parametrize("page", [replace(PAGES["desk_menu"], rows=ROWS, actions=ACTIONS, practice="PRACTICE"), NAME], ids=["list", "name"])
def test_five_rows_of_a_list_with_four_actions_and_an_entry_with_four_rows_of_keys_fit_everywhere(page: Page) -> None:
    for size in (*LYING, *UPRIGHT):
        assert bool(of(laid_out(page, size), What.ENTRY)) is (page is NAME)


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
def test_two_targets_for_the_players_stand_each_on_its_side_also_beside_the_adjudication_key(size: tuple[int, int]) -> None:
    places = {item.target.id: item.box for item in of(laid_out(PAGES["challenger"], size), What.BY_SIDE) if item.target}
    assert places["challenger.left"].right <= size[0] // 2 <= places["challenger.right"].x
    page = replace(checking(8, practice="PRACTICE"), by_side=SIDES)
    assert len(of(laid_out(page, size), What.BY_SIDE)) == 2


def test_a_left_hand_has_what_it_needs_on_the_left() -> None:
    size = (800, 480)
    for page in (DIGITS, words_page(2)):
        right, left = (arrange(page, size, options_for(size, left=left)) for left in (False, True))
        what, which = (What.KEY, None) if page is DIGITS else (What.ACTION, "back")
        assert min(item.box.x for item in of(right, what) if which in (None, item.target and item.target.id)) > 400
        assert max(item.box.right for item in of(left, what) if which in (None, item.target and item.target.id)) < 400


def test_the_way_on_stands_on_the_side_of_the_hand() -> None:
    size = (1280, 720)
    for left in (False, True):
        actions = of(arrange(PAGES["verdict_acceptable"], size, options_for(size, left=left)), What.ACTION)
        (main,) = (item for item in actions if item.tone is Tone.MAIN)
        edges = [item.box.x if left else item.box.right for item in actions]
        assert (main.box.x if left else main.box.right) == (min if left else max)(edges)


@pytest.mark.parametrize("size", [*LYING, *UPRIGHT])
def test_the_ways_on_are_wide_directly_below_the_letters_and_the_ways_out_are_the_farthest_from_them(size: tuple[int, int]) -> None:
    for cell in each_cell(product(["words", "words_begun", "words_first", "words_eight", "words_fixed"], [False, True])):
        with cell as (name, left):
            arranged, lengths = arrange(STATES[name]("fr"), size, options_for(size, left=left)), scale(size, options_for(size))
            places = {item.target.id: item.box for item in of(arranged, What.ACTION) if item.target}
            letters = [item.box for item in of(arranged, What.KEY)]
            foot, width = max(box.bottom for box in letters), max(box.right for box in letters) - min(box.x for box in letters)
            ahead = [places.pop(target) for target in ("next", "finish", "add") if target in places]
            assert sum(box.width for box in ahead) > width * 9 // 10
            assert {box.y for box in ahead} == {foot + lengths.gap_down}
            apart = {target: abs(box.y - ahead[0].y) + abs(box.x - places["back"].x) for target, box in places.items()}
            assert max(apart, key=lambda target: apart[target]) == "ways"


@pytest.mark.parametrize("size", [*LYING, *UPRIGHT])
def test_the_players_roles_and_a_notice_are_in_sight_beside_eight_words(size: tuple[int, int]) -> None:
    for cell in each_cell(product(alphabets(), [typing, checking_flow])):
        with cell as (alphabet, made):
            station = context(alphabet=alphabet)
            tiles = some(station.spelling).tiles
            practising = replace(station, lexicon=replace(some(station.lexicon), practice=True))
            flow = made(
                context=practising,
                count=8,
                words=((tiles[0],) * LONGEST_WORD,) * 8,
                link=EarlierRow(Kind.REPEAT, 3, 1),
                notice=notice("count_differs", count=3, words=8) if made is typing else None,
            )
            arranged = arrange(players_page(flow, NOW, load_texts("fr"), keyboard("qwerty", tiles)), size, options_for(size))
            heights = [item.box.height for what in (What.SIDE, What.NOTICE) for item in of(arranged, what)]
            assert len(heights) == (3 if made is typing else 2)
            assert min(heights) >= min(size) // 30


def test_the_sides_are_labelled_each_on_its_own() -> None:
    labels = of(arrange(checking(2), (800, 480)), What.SIDE)
    assert [(item.texts[0], item.icon) for item in sorted(labels, key=lambda item: item.box.x)] == [
        ("challenger", Icon.LEFT),
        ("challenged player", Icon.RIGHT),
    ]


def test_a_page_with_a_banner_and_two_sides_and_all_else_keeps_its_targets() -> None:
    banner = Banner("B", Icon.WARNING, Tone.WARNING)
    laid_out(replace(PAGES["director"], by_side=SIDES, banner=banner, countdown_s=3, notice="N", practice="P"), (800, 480))


@cache
def every_page() -> tuple[Page, ...]:
    flows = [flow if flow.challenger is None else flow.replace(challenger=side) for flow in every_flow() for side in Side]
    return *(shown(flow) for flow in flows), *(state("en") for state in STATES.values())


@pytest.mark.parametrize("size", [*LYING, *UPRIGHT])
def test_what_names_a_side_stands_on_that_side_whatever_the_hand(size: tuple[int, int]) -> None:
    for cell in each_cell(product([False, True], [False, True])):
        with cell as (left, large):
            middle, named = size[0] // 2, set[str]()
            for page in every_page():
                arranged = arrange(page, size, options_for(size, large=large, left=left))
                for item in arranged.items:
                    side = None if item.target is None else item.target.id.rpartition(".")[2]
                    if page.adjudicate is not None and item.target == page.adjudicate[1]:
                        side = str(page.adjudicate[0])
                    if item.target is not None and side in {"left", "right"}:
                        named.add(item.target.id)
                        assert item.box.right <= middle if side == "left" else item.box.x >= middle, (page.name, item)
            assert named == {"adjudicate", *(f"{what}.{side}" for what in ("challenger", "concede") for side in Side)}
