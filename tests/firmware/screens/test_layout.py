from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.display.layout import Box
from firmware.face.value import MenuFace
from firmware.screens.digits import USUAL
from firmware.screens.layout import Arrangement, HalfLayout, HalfParts, Layout, Room, arrange, hit
from firmware.screens.page_layout import menu_parts, page_parts
from firmware.screens.paint_half import chips
from rules.side import Side
from tests.appliance.display.test_drawing import BOXES, WORDS, half_as_wide_as_tall
from tests.cells import each_cell
from tests.firmware.screens.boxes import covers, meet, on_screen
from tests.firmware.screens.faces import FACES
from tests.some import some

SIZES = [(480, 320), (800, 480), (1024, 600), (1280, 720), (1024, 768), (1280, 1024), (1920, 1080), (320, 480), (600, 1024), (1080, 1920)]
LONG = st.integers(480, 1920)
SHORT = st.integers(320, 1080)
ANY_SIZE = st.one_of(st.tuples(LONG, SHORT), st.tuples(SHORT, LONG))
ANY_LAYOUT = st.builds(
    lambda size, kind, side: arrange(size[0], size[1], kind, side), ANY_SIZE, st.sampled_from(Arrangement), st.sampled_from(Side)
)


def are_large(half: HalfLayout, reading: str) -> bool:
    parts = half.parts(Room.LARGE)
    digits = parts.digits
    height = min(digits.height, int(digits.width / parts.numerals.width_of(reading)))
    # Above and below the digits a high half needs room for its words.
    share = 0.8 if parts.words.x > digits.x + digits.width // 2 else 0.55
    return height >= share * parts.frame.height or digits.width >= 0.65 * half.place.width


def boxes(parts: HalfParts) -> tuple[Box, ...]:
    return parts.pointer, parts.status, parts.digits, parts.words


def strip_boxes(layout: Layout) -> list[Box]:
    strip = layout.strip
    pointers = [strip.pointers.left, strip.pointers.right] if strip.pointers else []
    return [*(note.place for note in strip.notes), *pointers, *(box for box in (strip.bar, strip.other) if box)]


def test_while_a_clock_runs_digits_fill_the_height_or_the_width_of_their_half_on_every_usual_panel() -> None:
    for cell in each_cell(product(Arrangement, SIZES, ["-59:59", "25:00"])):
        with cell as (arrangement, size, reading):
            for half in arrange(*size, arrangement, Side.LEFT).halves:
                assert are_large(half, reading)


@given(ANY_LAYOUT)
def test_every_part_lies_inside_its_half_and_every_half_inside_the_screen(layout: Layout) -> None:
    screen = Box(0, 0, *layout.size)
    for half in layout.halves:
        assert covers(screen, half.place)
        for box in (box for _, parts in half.rooms for box in boxes(parts)):
            assert box.width > 0
            assert box.height > 0
            assert covers(half.place, on_screen(half, box))
    for box in strip_boxes(layout):
        assert covers(layout.strip.place, box)


@given(ANY_LAYOUT)
def test_halves_strip_and_the_parts_of_a_half_do_not_overlap_and_leave_no_gap(layout: Layout) -> None:
    places = [*(half.place for half in layout.halves), layout.strip.place]
    assert not any(meet(one, other) for one, other in combinations(places, 2))
    width, height = layout.size
    # Two upright halves of an odd width leave one column between them.
    assert 0 <= width * height - sum(place.width * place.height for place in places) <= height
    for half in layout.halves:
        assert are_large(half, "-59:59")
        heights = [half.parts(room).digits.height for room in (Room.PAGE, Room.BESIDE, Room.LARGE)]
        assert heights == sorted(heights)
        for _, parts in half.rooms:
            assert not any(meet(one, other) for one, other in combinations(boxes(parts), 2))


@given(ANY_LAYOUT, st.integers(0, 1919), st.integers(0, 1919))
def test_every_pixel_is_a_button_or_beside_the_halves(layout: Layout, x: int, y: int) -> None:
    inside = x < layout.size[0] and y < layout.size[1]
    assert hit(layout, x, y) in ({"left", "right", "centre", None} if inside else {None})
    assert {hit(layout, -1 - x, y), hit(layout, x, -1 - y)} == {None}


def test_facing_the_left_player_has_the_upper_half_turned_round_and_the_strip_is_the_bar() -> None:
    layout = arrange(1024, 600, Arrangement.FACING)
    assert {half.side: half.turn for half in layout.halves} == {Side.LEFT: 180, Side.RIGHT: 0}
    assert [hit(layout, 512, y) for y in (0, 150, 300, 450, 599)] == ["left", "left", "centre", "right", "right"]
    # Wide enough for a finger: 1024 x 600 on 7 inches are 6.7 pixels a millimetre.
    assert layout.strip.place.height / 6.7 >= 9


def test_side_by_side_both_are_upright_and_a_single_screen_belongs_to_its_player() -> None:
    for (width, height), right in (((1024, 600), (1000, 10)), ((600, 1024), (10, 900))):
        layout = arrange(width, height, Arrangement.SIDE_BY_SIDE)
        assert {half.turn for half in layout.halves} == {0}
        assert [hit(layout, *spot) for spot in ((10, 10), right, (10, height - 10))] == ["left", "right", "centre"]
        # The players sit left and right of it, also where one half is above the other.
        left, right_seat = layout.table.left, layout.table.right
        assert (left.y, left.right) == (right_seat.y, right_seat.x)
    for side in Side:
        layout = arrange(1024, 600, Arrangement.SINGLE, side)
        assert [half.side for half in layout.halves] == [side]
        assert [hit(layout, 512, y) for y in (100, 595)] == [side.value, "centre"]
    with pytest.raises(ValueError, match="give left or right"):
        arrange(1024, 600, Arrangement.SINGLE)


def test_a_page_to_confirm_shows_both_its_rows_however_many_lines_it_has() -> None:
    box = Box(0, 0, 1024, 600)
    for cell in each_cell([(lines, warned) for lines in range(8) for warned in (False, True)]):
        with cell as (lines, warned):
            page = MenuFace("Sure?", ("Back", "Do it"), 0, "", ("a line",) * lines, sentence="GAME OVER, then READY")
            assert [index for index, _ in menu_parts(box, page, 20, half_as_wide_as_tall, warned=warned).rows] == [0, 1]


# --- marks


@given(WORDS, BOXES, st.sampled_from([0.0, 0.5, 1.0]))
def test_no_mark_leaves_its_box_or_covers_another(texts: list[str], box: Box, place: float) -> None:
    placed = chips(texts, box, half_as_wide_as_tall, place, 9)
    assert all(covers(box, chip.box) for chip in placed)
    assert not any(meet(one.box, other.box) for index, one in enumerate(placed) for other in placed[:index])
    assert [chip.text for chip in placed] == texts[: len(placed)]


@pytest.mark.parametrize("place", [0.0, 1.0])
def test_marks_stand_on_the_side_they_are_told_to(place: float) -> None:
    (chip,) = chips(["OVERTIME"], Box(10, 0, 600, 40), half_as_wide_as_tall, place, 20)
    assert (chip.box.x == 10) is (place == 0.0)
    assert (chip.box.right == 610) is (place == 1.0)


@pytest.mark.parametrize("size", [(480, 800), (800, 480)])
def test_a_small_panel_shows_four_rows_of_the_table_menu_in_type_of_28_pixels(size: tuple[int, int]) -> None:
    layout = arrange(*size, Arrangement.FACING)
    page = some(FACES["table_menu_reasons"].halves.left.page)
    parts = page_parts(layout.halves[0].parts(Room.PAGE).words, page, layout.smallest, half_as_wide_as_tall)
    assert (len(parts.rows) >= 4, parts.row_size) == (True, 28)
    page = some(FACES["table_menu"].halves.left.page)
    first = page_parts(layout.halves[0].parts(Room.PAGE).words, page, layout.smallest, lambda text, size: len(text) * size * 9 // 20)
    assert (len(first.rows) >= (5 if size == (800, 480) else 4), first.row_size) == (True, 28), "the first page has no title"


@given(ANY_LAYOUT)
def test_digits_alone_are_inside_the_frame_and_hardly_less_tall_than_beside_words_or_taller(layout: Layout) -> None:
    for half in layout.halves:
        frame, (box, numerals) = half.parts(Room.LARGE).frame, half.alone
        assert covers(frame, box)
        # Narrow ones are smaller for a sign and four figures.
        longest = "-59:59" if numerals is USUAL else "-9:59"
        assert numerals.width_of(longest) * box.height <= box.width
        assert box.height >= half.parts(Room.LARGE).digits.height * 0.97
