from functools import cache
from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from appliance.display.layout import SMALLEST, Box, lines_height
from appliance.texts import languages
from kiosk import events as players
from kiosk.challenge.flow import EarlierRow, notice
from kiosk.challenge.writing import LONGEST_WORD
from kiosk.events import Done
from kiosk.face.page import Icon, ListRow, Page, Target
from kiosk.face.view import players_page
from kiosk.keyboards import keyboard, layouts
from kiosk.layout.arrange import arrange
from kiosk.layout.parts import ABOVE, BARE, BESIDE, estimate, largest
from kiosk.layout.placed import Arranged, Band, Options, Placed, What, heights, room, scale, stack
from kiosk.screens.pressing import hit
from kiosk.texts import load_texts
from lexicon.alphabet import alphabets, load_alphabet
from records.entry import Kind
from rules.side import Side
from tests.cells import each_cell
from tests.examples import sampled
from tests.firmware.screens.boxes import meet
from tests.kiosk.challenge.making import context
from tests.kiosk.face.flows import NOW, every_flow, shown, typing
from tests.kiosk.face.flows import checking as checking_flow
from tests.kiosk.screens.pages import DIGITS, DOOR, ENGLISH, PAGES, SIDES, checking, words_page
from tests.kiosk.screens.pages import keyboard as keys_for
from tests.kiosk.screens.states import STATES
from tests.some import some

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

ANY_PAGE = st.builds(
    lambda page, table: replace(page, table=table),
    st.one_of(st.sampled_from(list(PAGES.values())), WORDS_PAGES, CHECKING_PAGES, QUESTIONS),
    st.sampled_from([None, "Table 345"]),
)


def touched(arranged: Arranged) -> list[Placed]:
    return [item for item in arranged.items if item.target is not None]


def of(arranged: Arranged, what: What) -> list[Placed]:
    return [item for item in arranged.items if item.what is what]


def everything(page: Page) -> list[Target]:
    several = [*(key for row in page.keyboard for key in row), *page.actions]
    several += [word.choose for word in page.words if word.choose]
    several += [row.target for row in page.rows if row.target]
    several += [target for _, target in page.by_side.items()] if page.by_side else []
    several += [page.adjudicate[1]] if page.adjudicate else []
    return several + [target for target in (page.door, page.help) if target]


ENDED = (
    "acceptable",
    "acceptable_points",
    "unacceptable",
    "unacceptable_repeated",
    "conceded_acceptable",
    "conceded_unacceptable",
    "shown_again",
)


def test_what_follows_stands_above_what_is_prepared_before_the_clock_starts() -> None:
    for cell in each_cell(sampled(product(ENDED, LYING + UPRIGHT, languages()), 4)):
        with cell as (state, size, language):
            arranged = arrange(STATES[state](language), size, options_for(size))
            (banner,), (lines,), (aside,) = (of(arranged, what) for what in (What.BANNER, What.LINES, What.ASIDE))
            assert banner.box.bottom <= lines.box.y < lines.box.bottom <= aside.box.y


def laid_out(page: Page, size: tuple[int, int], *, large: bool = False, left: bool = False) -> Arranged:
    """Arrange a page, and see that all of it is on the screen, nothing covers anything, and each target is there once and nine millimetres large."""
    options = options_for(size, large=large, left=left)
    arranged, lengths = arrange(page, size, options), scale(size, options)
    for item in arranged.items:
        assert 0 <= item.box.x < item.box.right <= size[0], (page.name, item)
        assert 0 <= item.box.y < item.box.bottom <= size[1], (page.name, item)
    assert not any(meet(one.box, other.box) for one, other in combinations(arranged.items, 2)), page.name
    assert sorted(target.id for target in arranged.targets) == sorted(target.id for target in everything(page))
    for item in touched(arranged):
        assert item.box.width >= 9 * lengths.across, (page.name, item)
        assert item.box.height >= 9 * lengths.down, (page.name, item)
    return arranged


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


@given(SIZES, st.booleans())
def test_five_points_of_touch_are_at_the_corners_and_in_the_middle_and_meet_nothing(size: tuple[int, int], left: bool) -> None:
    width, height = size
    met = []
    for point in range(5):
        page = Page("desk.self_test", "Touch", DIGITS.footer, point=point, actions=ACTIONS[:3])
        arranged = arrange(page, size, options_for(size, left=left))
        met += [pair for pair in combinations(arranged.items, 2) if meet(pair[0].box, pair[1].box)]
        at = ((0, 0), (width - 1, 0), (width // 2, height // 2), (0, height - 1), (width - 1, height - 1))
        assert [hit(arranged, *place) == page.actions[0] for place in at] == [each == point for each in range(5)]
    assert met == []


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


@pytest.mark.parametrize("size", [*LYING, *UPRIGHT], ids=lambda size: f"{size[0]}x{size[1]}")
def test_the_keys_of_every_shipped_keyboard_are_large_enough_beside_eight_long_words_also_in_large_text(size: tuple[int, int]) -> None:
    for cell in each_cell(sampled(product(alphabets(), layouts(), [False, True]), 6)):
        with cell as (alphabet, layout, large):
            station = context(alphabet=alphabet)
            tiles = some(station.spelling).tiles
            words = ((max(tiles, key=len),) * LONGEST_WORD,) * 8
            practising = replace(station, lexicon=replace(some(station.lexicon), practice=True))
            flow = typing(context=practising, count=8, words=words, notice=notice("count_differs", count=3, words=8))
            laid_out(players_page(flow, NOW, load_texts("fr"), keyboard(layout, tiles)), size, large=large)


@pytest.mark.parametrize("size", [(800, 480), (1280, 720), (480, 800)])
def test_the_stations_own_pages_keep_large_targets_that_nothing_covers(size: tuple[int, int]) -> None:
    for cell in each_cell(sampled(product(languages(), [False, True]), 3)):
        with cell as (language, large):
            for page in (*(shown(flow, language=language) for flow in every_flow()), *(state(language) for state in STATES.values())):
                laid_out(page, size, large=large)


def test_seven_languages_stand_in_one_row_of_a_lying_screen() -> None:
    page = replace(PAGES["idle"], actions=tuple(Target(f"language.{number}", "Nederlands", Done()) for number in range(7)), room_for=7)
    for cell in each_cell(LYING):
        with cell as size:
            tops = {item.box.y for item in arrange(page, size).items if item.target in page.actions}
            assert len(tops) == 1


def test_a_pad_of_digits_is_never_wrapped() -> None:
    keys = of(arrange(DIGITS, (480, 800), options_for((480, 800))), What.KEY)
    assert len({item.box.y for item in keys}) == 4


ROWS = tuple(ListRow(f"row {index}", "detail", Target(f"row.{index}", "row", players.Done())) for index in range(5))
ACTIONS = tuple(Target(f"act.{index}", "act", players.Done()) for index in range(4))


NAME = Page("desk.name", "Name", DIGITS.footer, entry="Station 2", keyboard=keys_for(("1234567890", *ENGLISH)), actions=ACTIONS[:3])


@pytest.mark.parametrize("page", [replace(PAGES["desk_menu"], rows=ROWS, actions=ACTIONS, practice="PRACTICE"), NAME], ids=["list", "name"])
def test_five_rows_of_a_list_with_four_actions_and_an_entry_with_four_rows_of_keys_fit_everywhere(page: Page) -> None:
    for size in (*LYING, *UPRIGHT):
        assert bool(of(laid_out(page, size), What.ENTRY)) is (page is NAME)


@given(SIZES, st.sampled_from(Side), st.integers(1, 8), st.booleans())
def test_the_adjudication_key_is_on_the_challenged_players_side_large_and_apart_from_what_the_challenger_presses(
    size: tuple[int, int], side: Side, count: int, left: bool
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
    for cell in each_cell(sampled(product(alphabets(), [typing, checking_flow]), 3)):
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


@cache
def every_page() -> tuple[Page, ...]:
    flows = [flow if flow.challenger is None else flow.replace(challenger=side) for flow in every_flow() for side in Side]
    return *(shown(flow) for flow in flows), *(state("en") for state in STATES.values())


@pytest.mark.parametrize("size", [*LYING, *UPRIGHT])
def test_what_names_a_side_stands_on_that_side_whatever_the_hand(size: tuple[int, int]) -> None:
    for cell in each_cell(sampled(product([False, True], [False, True]), 4)):
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


texts = st.text("abcdefgh ABC", min_size=1, max_size=40).filter(lambda text: bool(text.strip()))
boxes = st.builds(Box, st.just(0), st.just(0), st.integers(40, 400), st.integers(30, 200))


def button(text: str, key: str = "", icon: Icon | None = None) -> Target:
    return Target(text, text, Done(), icon, key=key)


@given(texts, boxes, st.sampled_from([BARE, BESIDE, ABOVE]))
def test_a_label_and_its_sign_fit_their_box_in_one_line_or_two(text: str, box: Box, taken: tuple[float, float]) -> None:
    size, lines = largest(text, box, 60, taken, estimate)
    if size > SMALLEST:
        assert len(lines) in {1, 2}
        assert lines_height(len(lines), size) + int(taken[1] * size) <= box.height
        assert max(estimate(line, size) for line in lines) + int(taken[0] * size) <= box.width


def seen(what: What) -> Band:
    return Band(lambda box: (Placed(what, box),), 0, 60, 60, least=30)


def test_what_stands_elsewhere_too_goes_first_and_then_eyes_have_the_rest() -> None:
    bands = [seen(What.LINES), replace(seen(What.SIDE), spare=True), Band(room().place, 100, 100, 100)]
    roomy, short = (stack(Box(0, 0, 100, height), bands, 0) for height in (160, 140))
    assert [item.what for item in roomy] == [What.LINES, What.SIDE]
    assert [item.what for item in short] == [What.LINES]
    assert short[0].box.height == 40


def test_fingers_come_first_then_what_can_just_be_read_then_wishes() -> None:
    bands = [Band(room().place, 50, 90, 90), Band(room().place, 0, 60, 60, least=30)]
    assert heights(80, bands, 0) == [50, 30]
    assert heights(115, bands, 0) == [70, 45]
    assert heights(150, bands, 0) == [90, 60]


@pytest.mark.parametrize("size", [*LYING, *UPRIGHT])
def test_no_target_of_any_page_moves_for_a_notice_which_is_in_sight_and_a_verdict_leaves_out_nothing_for_it(size: tuple[int, int]) -> None:
    texts = load_texts("fr")
    said = texts.say("notice.no_key", pressed="F3"), texts.say("sent.refused", table=345, reason="not_by_rulebook")
    for cell in each_cell(sampled(product(every_page(), said, [False, True]), 12), lambda each: each[0].name):
        with cell as (page, text, large):
            options = options_for(size, large=large)
            still, told = (arrange(replace(page, notice=each), size, options) for each in (None, text))
            boxes, moved = ({item.target: item.box for item in touched(each)} for each in (still, told))
            assert moved == boxes
            assert [item.texts for item in of(told, What.NOTICE)] == [(text,)]
            if page.banner and not page.code:
                assert [item.texts for item in of(told, What.LINES)] == [item.texts for item in of(still, What.LINES)]
            assert not any(meet(one.box, other.box) for one, other in combinations(told.items, 2))


@pytest.mark.parametrize("size", UPRIGHT)
def test_an_upright_keyboard_keeps_its_place_whatever_words_and_notices_stand_above_it(size: tuple[int, int]) -> None:
    states = [STATES[name]("fr") for name in ("words_first", "words_begun", "words", "words_next", "words_eight")]
    pages = [*states, *(replace(page, notice="Le deuxième mot est vide : tapez-le, ou retirez-le.") for page in states)]
    places = {tuple(item.box for item in of(arrange(page, size, options_for(size)), What.KEY)) for page in pages}
    assert len(places) == 1
