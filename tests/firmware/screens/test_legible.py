"""Measured on every face in three languages on the usual panels: type size, whole texts, even lines, contrast, and digits that stand still."""

from functools import cache
from itertools import groupby, product
from typing import Any, cast

import pygame
import pytest
from msgspec import Struct
from msgspec.structs import replace

from appliance.display.drawing import Pen, drawable, font, measure
from appliance.display.layout import ELLIPSIS, POINT, Box, Colour, fit, leaves_a_word
from appliance.texts import languages
from firmware.face import view
from firmware.face.guidance import with_receipt
from firmware.face.value import FILL_STEPS, Face, FillFace, MenuFace
from firmware.gestures.clock_state import ClockState, apply_event
from firmware.screens import paint_half, paint_page, scribe
from firmware.screens.digits import NARROW
from firmware.screens.layout import LOW_ROWS, Arrangement, HalfLayout, Layout, Room, arrange
from firmware.screens.page_layout import entry_parts, fill_place, row_size, shown_rows
from firmware.screens.paint_half import Chip, HalfView, chips
from firmware.screens.painter import Painter
from firmware.screens.scribe import AMBER, INK, IVORY, Scribe
from game.events import Neutralise, Press
from game.game import Phase
from rules.duration import NS
from rules.side import Side
from tests.appliance.display.pictures import difference
from tests.cells import each_cell
from tests.examples import in_turn, sampled
from tests.firmware.hall.hall_faces import RECEIPT, hall_faces, refusals
from tests.firmware.saying import NASPA, play
from tests.firmware.screens.boxes import on_screen
from tests.firmware.screens.faces import FACES, LONG_REASON, NOT_RECORDED, STUCK, faces, setup_in
from tests.firmware.screens.situations import CHALLENGED, OUT, RUN, SITUATIONS, begun, sheet
from tests.some import some

FACING, SIDE_BY_SIDE, SINGLE = Arrangement
PANELS = (
    *(
        ((width, height), FACING)
        for width, height in ((1366, 768), (1024, 600), (800, 480), (600, 1024), (480, 320), (320, 480), (480, 800))
    ),
    *(((width, height), SIDE_BY_SIDE) for width, height in ((1280, 720), (1024, 600), (800, 480), (480, 800), (320, 480))),
    *(((width, height), SINGLE) for width, height in ((1024, 600), (800, 480), (480, 320))),
)
MIN_CONTRAST = 4.5
MEASURED = cache(measure)
FITTED = cache(fit)
"""The same texts are measured on every panel, and stand on many faces: without a cache that is half of the time."""


class Written(Struct, frozen=True, dict=True):
    texts: tuple[str, ...]
    size: int
    lines: tuple[str, ...]
    contrast: float
    view: HalfView | None
    """The half that it stands on; None: the strip, or a page of the director."""


def luminance(colour: Colour) -> float:
    """Return the relative luminance of a colour (WCAG 2)."""
    linear = [part / 255 / 12.92 if part <= 10 else ((part / 255 + 0.055) / 1.055) ** 2.4 for part in colour]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: Colour, other: Colour) -> float:
    """Return the contrast of two colours, 1 to 21 (WCAG 2)."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.fixture
def written(monkeypatch: Any, measured_letters: None) -> list[Written]:
    found: list[Written] = []
    on: list[HalfView | None] = [None]

    def half(writer: Scribe, layout: HalfLayout, shown: HalfView) -> None:
        on[0] = shown
        paint_half.paint_half(writer, layout, shown)
        on[0] = None

    def note(writer: Scribe, texts: Any, box: Box, pen: Pen) -> None:
        texts = [drawable(text) for text in texts if text]
        if texts:
            smallest = max(pen.smallest, writer.smallest)
            fitted = FITTED(tuple(texts), box, MEASURED, pen.largest, pen.one_line, smallest=smallest, even=True)
            red, green, blue, _ = writer.surface.get_at((box.x + box.width // 2, box.y + box.height // 2))
            found.append(Written(tuple(texts), fitted.size, fitted.lines, contrast(pen.colour, (red, green, blue)), on[0]))

    monkeypatch.setattr(Scribe, "write", note)
    monkeypatch.setattr("firmware.screens.painter.paint_half", half)
    # No text stands on the numerals, which take longer to draw than all else.
    for drawn in ("painter.reading", "paint_half.reading", "paint_page.reading"):
        monkeypatch.setattr(f"firmware.screens.{drawn}", lambda *_of, **_style: None)
    monkeypatch.setattr(scribe, "measure", MEASURED)
    for module in (paint_page, scribe):
        monkeypatch.setattr(module, "fit", lambda texts, *of, **style: FITTED(tuple(texts), *of, **style))
    return found


@pytest.fixture
def placed(monkeypatch: Any) -> list[Chip]:
    found_chips: list[Chip] = []

    def kept(*of: Any) -> Any:
        found = chips(*of)
        found_chips.extend(found)
        return found

    monkeypatch.setattr(paint_half, "chips", kept)
    return found_chips


def layouts() -> list[Layout]:
    return [arrange(*size, arrangement, Side.RIGHT) for size, arrangement in PANELS]


def painted() -> list[tuple[Layout, Painter, pygame.Surface]]:
    """Return layouts with one painter for all faces of each."""
    return [(layout, Painter(layout), pygame.Surface(layout.size)) for layout in layouts()]


def first_panel(language: str) -> int:
    """Return the panel of the first face in ``language``: over the languages each face is on five different ones."""
    return 3 * languages().index(language)


@pytest.mark.parametrize("language", languages())
def test_every_text_is_large_whole_and_in_contrast_and_none_larger_than_the_instruction_of_its_half(
    language: str, written: list[Written]
) -> None:
    for cell in each_cell(
        in_turn(layouts(), [*FACES], first_panel(language)), lambda each: f"{each[0].size} {each[0].arrangement.value} {each[1]}"
    ):
        with cell as (layout, name):
            written.clear()
            Painter(layout).draw(pygame.Surface(layout.size), faces(language)[name])
            assert len(written) > 1
            require_legible(written, layout)


def require_legible(written: list[Written], layout: Layout) -> None:
    assert [each for each in written if each.size < layout.smallest] == []
    assert [each for each in written if each.contrast < MIN_CONTRAST] == []
    assert [each for each in written if any(line.endswith(ELLIPSIS) for line in each.lines)] == [], "cut"
    assert [line for each in written for line in each.lines if line.startswith("s ")] == [], "a number without its unit"
    assert [each for each in written if len(each.texts) == 1 and leaves_a_word(last_part(each))] == [], "the last line is one word"
    # On the smallest panels a page's title may be too long for the type of its rows.
    assert min(layout.size) < LOW_ROWS or outdoing(written) == []


def outdoing(written: list[Written]) -> list[tuple[int, str]]:
    """Return the texts of a half that are larger than its instruction, or than what its page asks; a state may be."""
    found = []
    for shown, on_half in groupby((each for each in written if each.view), lambda each: some(each.view)):
        half, texts = shown.half, [each for each in on_half if each.texts[0] not in {shown.state, shown.half.status}]
        asked = drawable(half.prompt if half.page is None else half.page.title)
        # Notices may have its place, and a reminder fewer parts.
        size = next((each.size for each in texts if asked.startswith(each.texts[0])), max(each.size for each in texts))
        found += [(size, each.texts[0]) for each in texts if each.size > size]
    return found


def last_part(each: Written) -> tuple[str, ...]:
    """Return the lines behind the last middle dot, all if none begins there."""
    part = each.texts[0].split(f" {POINT} ")[-1]
    return next((rest for first in range(len(each.lines)) if " ".join(rest := each.lines[first:]) == part), each.lines)


@pytest.mark.parametrize("language", languages())
def test_each_fill_menu_sentence_time_frame_and_text_of_a_hall_is_large_and_in_contrast(language: str, written: list[Written]) -> None:
    sheets = {name: sheet(name, language) for name in SITUATIONS} | {"hall": {**hall_faces(language), **refusals(language)}}
    shown = [(f"{name}: {key}", each) for name, faces_of in sheets.items() for key, each in faces_of.items()]
    for cell in each_cell(
        in_turn(painted(), shown, first_panel(language)), lambda each: f"{each[0][0].size} {each[0][0].arrangement.value} {each[1][0]}"
    ):
        with cell as ((layout, painter, surface), (_, face)):
            written.clear()
            painter.draw(surface, face)
            require_legible(written, layout)


@pytest.mark.parametrize("language", languages())
def test_how_a_challenge_ends_and_how_long_an_offer_stands_is_read_on_both_halves_beside_a_mark(
    language: str, written: list[Written]
) -> None:
    shown = {**faces(language), **sheet("phases", language)}
    challenges = {name: each for name, each in shown.items() if each.phase is Phase.ADJUDICATION and each.menu is None}
    assert len(challenges) > 5
    panels = [layout for layout in layouts() if min(layout.size) >= 480]
    for cell in each_cell(
        sampled(product(panels, challenges.items()), 3), lambda each: f"{each[0].size} {each[0].arrangement.value} {each[1][0]}"
    ):
        with cell as (layout, (_, face)):
            written.clear()
            marked = face.halves.map(lambda half: replace(half, marks=("accordé : 6:00",)))
            Painter(layout).draw(pygame.Surface(layout.size), replace(face, halves=marked))
            said = drawable(face.details[0])
            assert sum(any(said in text for text in each.texts) for each in written) == len(layout.halves), said


@pytest.mark.parametrize("language", languages())
def test_no_line_ends_between_an_act_and_its_button_and_no_act_is_left_out(language: str, written: list[Written]) -> None:
    # "Go to the station: you challenge" may break there, and what the bar does may stand below its name.
    texts = setup_in(language).texts
    stationed = texts.say("prompt.challenger")
    boards = {texts.say(f"bar.{board}"): setup_in(language, two_button=board == "two_button").texts for board in ("full", "two_button")}
    reminders = [part for bar, own in boards.items() for part in own.say("prompt.your_turn").split(f" {POINT} ") if bar in part]
    headed = {f"{drawable(part).split(':')[0]}:" for part in reminders}
    shown = {
        f"{lines[-1]} {two_button}": view.face(begun(language, "naspa-2017", *lines, two_button=two_button), 100 * NS)
        for lines in (RUN, OUT, (*OUT, "96 hold"), CHALLENGED)
        for two_button in (True, False)
    } | {name: each for name, each in sheet("phases", language).items() if name.startswith("offer")}
    panels = [layout for layout in layouts() if min(layout.size) >= 480]
    for cell in each_cell(
        sampled(product(panels, shown.items()), 3), lambda each: f"{each[0].size} {each[0].arrangement.value} {each[1][0]}"
    ):
        with cell as (layout, (_, face)):
            written.clear()
            Painter(layout).draw(pygame.Surface(layout.size), face)
            lines = [line for each in written if each.texts != (drawable(stationed),) for line in each.lines]
            assert [line for line in lines if line.endswith(":") and line not in headed] == []
            assert {drawable(face.halves.of(half.side).prompt) for half in layout.halves} <= {each.texts[0] for each in written}


@pytest.mark.parametrize("language", languages())
def test_the_keys_of_a_result_s_digits_and_the_words_beside_them_are_large_whole_and_in_contrast(
    language: str, written: list[Written]
) -> None:
    for cell in each_cell(
        sampled(product(layouts(), ("result_score", "result_words")), 3),
        lambda each: f"{each[0].size} {each[0].arrangement.value} {each[1]}",
    ):
        with cell as (layout, name):
            written.clear()
            painter = Painter(layout)
            painter.touched = True
            painter.draw(pygame.Surface(layout.size), faces(language)[name])
            require_legible(written, layout)
            for half in layout.halves:
                keys = entry_parts(half.parts(Room.PAGE).words, touched=True).keys
                assert [digit for digit, _ in keys] == [1, 2, 3, 4, 5, 6, 7, 8, 9, 0]
                assert min(side for _, key in keys for side in (key.width, key.height)) >= 2 * layout.smallest


@pytest.mark.parametrize("language", languages())
def test_while_the_director_is_called_the_way_back_from_a_receipt_is_read_beside_its_code_on_every_panel(
    language: str, written: list[Written]
) -> None:
    receipt = with_receipt(faces(language)["result_disputed"], begun(language, "naspa-2017"), RECEIPT)
    for cell in each_cell(layouts(), lambda layout: f"{layout.size} {layout.arrangement.value}"):
        with cell as layout:
            written.clear()
            Painter(layout).draw(pygame.Surface(layout.size), receipt)
            assert [each.texts[0] for each in written if each.view] == [drawable(receipt.hint)] * len(layout.halves)
            require_legible(written, layout)


@pytest.mark.parametrize("language", languages())
def test_why_a_station_s_verdict_does_not_count_stands_whole_on_both_halves_beside_a_reason_and_marks(
    language: str, written: list[Written]
) -> None:
    shown = [*refusals(language).values(), *refusals(language, *BOTH_OVER, stop="neutralise reason=overdraw").values()]
    panels = [layout for layout in layouts() if min(layout.size) >= LOW_ROWS]
    for cell in each_cell(sampled(product(panels, shown), 3), lambda each: f"{each[0].size} {each[0].arrangement.value} {each[1].reason}"):
        with cell as (layout, face):
            written.clear()
            Painter(layout).draw(pygame.Surface(layout.size), face)
            said = drawable(face.details[0])
            lines = [" ".join(each.lines) for each in written if each.view]
            assert sum(said in line for line in lines) == len(layout.halves), lines


REASON = "tiles from another game were found in the bag and both players called me at once"
BOTH_OVER = tuple(f"0 adjust {side} seconds=-1480 when=now reason=x" for side in Side)
"""Each then has 20 s, and a mark that says so."""


@pytest.mark.parametrize("language", languages())
def test_a_reason_of_eighty_characters_stands_on_both_halves_and_only_its_end_gives_way_to_marks(
    language: str, written: list[Written]
) -> None:
    stopped = {
        "plain": (*RUN, "95 neutralise reason=R"),
        "called": (*RUN, "95 neutralise reason=R", "96 call on=true"),
        "overtime": (*BOTH_OVER, *RUN, "95 neutralise reason=R"),
        "decides": (*BOTH_OVER, *RUN, "95 neutralise reason=R", *(f"{t} infraction left" for t in (96, 97, 98))),
    }
    for cell in each_cell(sampled(product(layouts(), stopped), 3), lambda each: f"{each[0].size} {each[0].arrangement.value} {each[1]}"):
        with cell as (layout, name):
            short = view.face(begun(language, "naspa-2017", *stopped[name]), 100 * NS)
            reason = short.reason.removesuffix("R") + REASON
            written.clear()
            details = tuple(reason if line == short.reason else line for line in short.details)
            Painter(layout).draw(pygame.Surface(layout.size), replace(short, reason=reason, details=details))
            said = [" ".join(each.lines) for each in written if each.view and any(REASON in text for text in each.texts)]
            assert [REASON[:20] in text for text in said] == [True] * len(layout.halves)
            assert name not in ("plain", "called") or all(REASON in text for text in said)


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("two_button", [False, True])
def test_beside_two_rows_of_marks_all_of_what_a_reminder_says_stands(language: str, two_button: bool, written: list[Written]) -> None:
    over = view.face(begun(language, "naspa-2017", *BOTH_OVER, *RUN, two_button=two_button), 200 * NS)
    assert len(over.halves.left.marks) == 3
    for cell in each_cell([each for each in layouts() if min(each.size) >= LOW_ROWS], lambda each: f"{each.size} {each.arrangement.value}"):
        with cell as layout:
            written.clear()
            Painter(layout).draw(pygame.Surface(layout.size), over)
            require_legible(written, layout)
            texts = {each.texts[0] for each in written}
            for half in layout.halves:
                assert {drawable(over.halves.of(half.side).prompt), *over.halves.of(half.side).marks} <= texts


def test_no_arrow_stands_on_a_page_without_rows(measured_letters: None, monkeypatch: Any) -> None:
    moves: list[object] = []
    monkeypatch.setattr(paint_page, "stamp", lambda *of: moves.append(of))
    for name, count in (("result_score", 0), ("result_sign", 0), ("table_menu_who", 0), ("result_paper_led", 2)):
        moves.clear()
        Painter(LAYOUT).draw(pygame.Surface(SIZE), FACES[name])
        assert len(moves) == count, name


@pytest.mark.parametrize("language", languages())
def test_what_a_page_of_the_director_asks_is_its_first_text_and_only_a_change_is_larger(language: str, written: list[Written]) -> None:
    pages = {name: each for name, each in sheet("director", language).items() if each.menu is not None and each.menu.rows}
    for cell in each_cell(
        in_turn(painted(), [*pages], first_panel(language)), lambda each: f"{each[0][0].size} {each[0][0].arrangement.value} {each[1]}"
    ):
        with cell as ((layout, painter, surface), name):
            written.clear()
            painter.draw(surface, pages[name])
            menu, (asked, *others) = some(pages[name].menu), written
            assert asked.texts == (drawable(menu.title),)
            # On the smallest screens a title may be too long for the type of the rows, which is as large as the table menu's.
            least = asked.size if min(layout.size) >= 480 else max(asked.size, row_size(layout.smallest))
            assert [each for each in others if each.size > least and each.texts != (drawable(menu.sentence),)] == []


@pytest.mark.parametrize("language", languages())
@pytest.mark.usefixtures("written")
def test_no_points_and_no_other_mark_of_a_player_is_missing(language: str, placed: list[Chip]) -> None:
    shown = {**faces(language), **sheet("phases", language)}
    marked = {
        name: each
        for name, each in shown.items()
        if each.menu is None and any(half.marks and half.page is None for _, half in each.halves.items())
    }
    assert len(marked) > 10
    for cell in each_cell(
        in_turn(layouts(), [*marked], first_panel(language)), lambda each: f"{each[0].size} {each[0].arrangement.value} {each[1]}"
    ):
        with cell as (layout, name):
            placed.clear()
            Painter(layout).draw(pygame.Surface(layout.size), marked[name])
            texts = {chip.text for chip in placed if chip.size >= layout.smallest}
            assert {mark for half in layout.halves for mark in marked[name].halves.of(half.side).marks} - texts == set()


@pytest.mark.parametrize("language", languages())
def test_beside_every_mark_and_a_time_frame_the_winner_reads_who_resigned(language: str, written: list[Written]) -> None:
    Painter(arrange(800, 480, FACING)).draw(pygame.Surface((800, 480)), faces(language)["over"])
    said = setup_in(language).texts.say("status.opponent_resigned")
    assert any(said in text for each in written for text in each.texts)


def test_sixteen_pixels_at_480_rows_and_as_much_of_a_larger_or_a_turned_panel() -> None:
    sizes = {(1024, 600): 20, (600, 1024): 20, (800, 480): 16, (480, 800): 16, (1920, 1080): 36, (480, 320): 9}
    for arrangement in Arrangement:
        assert {size: arrange(*size, arrangement, Side.LEFT).smallest for size in sizes} == sizes


def digits_mask(surface: pygame.Surface, layout: Layout, room: Room = Room.LARGE) -> list[pygame.Rect]:
    """Return for each half the rectangle of what differs from its panel where the digits stand."""
    found = []
    for half in layout.halves:
        part = surface.subsurface((half.place.x, half.place.y, half.place.width, half.place.height))
        upright = pygame.transform.rotate(part, half.turn)
        box = half.parts(room).digits
        digits = upright.subsurface((box.x, box.y, box.width, box.height))
        panel = upright.get_at((box.x, box.y))
        mask = pygame.mask.from_threshold(digits, panel, (60, 60, 60, 255))
        mask.invert()
        # pygame's stub names one rectangle for the list of them.
        first, *rest = cast("list[pygame.Rect]", mask.get_bounding_rects())
        found.append(first.unionall(rest))
    return found


def test_the_digits_keep_place_in_each_of_their_sizes_in_every_phase_and_on_every_page_of_the_players(measured_letters: None) -> None:
    for cell in each_cell(sampled(layouts(), 10), lambda layout: f"{layout.size} {layout.arrangement.value}"):
        with cell as layout:
            places: dict[Room, set[tuple[int, ...]]] = {room: set() for room in Room}
            for face in FACES.values():
                if face.menu is not None:
                    continue
                same = face.halves.map(lambda half: replace(half, reading="28:48", low=False))
                surface = pygame.Surface(layout.size)
                painter = Painter(layout)
                painter.draw(surface, replace(face, halves=same))
                places[painter.room] |= {tuple(rectangle) for rectangle in digits_mask(surface, layout, painter.room)}
            assert {len(found) for found in places.values()} == {1}


SMALLER = ("-10:00", "-59:59")
"""What narrow digits have less room for."""


@cache
def where_running(reading: str, panel: tuple[tuple[int, int], Arrangement], low: bool) -> list[pygame.Rect]:
    layout = arrange(*panel[0], panel[1], Side.RIGHT)
    surface, running = pygame.Surface(layout.size), FACES["running"]
    Painter(layout).draw(surface, replace(running, halves=running.halves.map(lambda half: replace(half, reading=reading, low=low))))
    return digits_mask(surface, layout)


@pytest.mark.parametrize("reading", ["59:59", "10:00", "9:59", "0:59", "-0:00", "-0:01", "-9:59", "-10:00", "-59:59"])
def test_every_reading_ends_where_the_others_do_at_their_height(measured_letters: None, reading: str) -> None:
    for cell in each_cell(sampled(product(PANELS, (False, True)), 3)):
        with cell as (panel, low):
            layout = arrange(*panel[0], panel[1], Side.RIGHT)
            if reading in SMALLER and all(half.parts(Room.LARGE).numerals is NARROW for half in layout.halves):
                continue
            for expected, found in zip(where_running("28:48", panel, low), where_running(reading, panel, low), strict=True):
                # A one or a seven does not reach the edge of its place.
                assert abs(found.bottom - expected.bottom) <= 1
                assert abs(found.top - expected.top) <= 1
                assert expected.right - found.right <= expected.height * 0.25


SIZE = (1024, 600)
LAYOUT = arrange(*SIZE, Arrangement.FACING)
LEFT, RIGHT = (half.place for half in LAYOUT.halves)


def with_reading(face: Face, side: Side, reading: str) -> Face:
    return replace(face, halves=face.halves.replace(side, replace(face.halves.of(side), reading=reading)))


def colours(surface: pygame.Surface) -> set[tuple[int, ...]]:
    data = pygame.image.tobytes(surface, "RGB")
    return set(zip(data[::3], data[1::3], data[2::3], strict=True))


@pytest.fixture
def surface(measured_letters: None) -> pygame.Surface:
    return pygame.Surface(SIZE)


def test_nothing_is_drawn_for_an_equal_face(surface: pygame.Surface) -> None:
    for cell in each_cell(FACES):
        with cell as name:
            painter = Painter(LAYOUT)
            assert painter.draw(surface, FACES[name])
            assert painter.draw(surface, replace(FACES[name])) == []


def test_digits_have_the_half_to_themselves_where_asked_and_only_while_the_face_asks_for_nothing(surface: pygame.Surface) -> None:
    alone = []
    for name in ("running", "low", "overtime", "hold", "neutral", "out_play", "answer", "table_menu", "ready", "over"):
        drawn = []
        for asked in (False, True):
            Painter(LAYOUT, digits_alone=asked).draw(surface, FACES[name])
            drawn.append(pygame.image.tobytes(surface, "RGB"))
        alone += [name] if drawn[0] != drawn[1] else []
    assert alone == ["running", "low", "overtime"]
    counted = FACES["running"].halves.map(lambda half: replace(half, turn_left=9, marks=("turn ends in 0:09",)))
    for asked in (False, True):
        Painter(LAYOUT, digits_alone=asked).draw(surface, replace(FACES["running"], halves=counted))
        drawn.append(pygame.image.tobytes(surface, "RGB"))
    assert drawn[-1] == drawn[-2]


RUNNING, HOLD = FACES["running"], FACES["hold"]
assert HOLD.window is not None
LATER = replace(HOLD, window=replace(HOLD.window, reading="0:08"))
BESIDE = arrange(*SIZE, Arrangement.SIDE_BY_SIDE)


@pytest.mark.parametrize(
    ("layout", "before", "now", "redrawn"),
    [
        # A second on one clock: its half. One of a time frame: both halves, for it stands in both.
        (LAYOUT, RUNNING, with_reading(RUNNING, Side.RIGHT, "12:02"), [RIGHT]),
        (LAYOUT, HOLD, LATER, [LEFT, RIGHT]),
        (BESIDE, HOLD, LATER, [half.place for half in BESIDE.halves]),
        (LAYOUT, RUNNING, replace(RUNNING, notices=("NOT RECORDED: the disk is full",)), [LAYOUT.strip.place]),
    ],
    ids=["a clock", "a time frame, facing", "a time frame, upright", "a notice"],
)
def test_only_what_changes_is_redrawn(surface: pygame.Surface, layout: Layout, before: Face, now: Face, redrawn: list[Box]) -> None:
    painter = Painter(layout)
    painter.draw(surface, before)
    assert painter.draw(surface, now) == redrawn


@pytest.mark.parametrize("arrangement", Arrangement)
def test_a_picture_reached_by_changes_is_the_picture_drawn_at_once(surface: pygame.Surface, arrangement: Arrangement) -> None:
    layout = arrange(*SIZE, arrangement, Side.RIGHT)
    step_by_step = Painter(layout)
    for face in sampled([*FACES.values(), *reversed(FACES.values())], 3):
        step_by_step.draw(surface, face)
        fresh = pygame.Surface(SIZE)
        Painter(layout).draw(fresh, face)
        assert difference(surface, fresh) == 0


def test_who_runs_differs_by_shape_in_grey_as_well(surface: pygame.Surface) -> None:
    Painter(LAYOUT).draw(surface, FACES["running"])
    grey = pygame.transform.grayscale(surface)
    left, right = (grey.get_at((half.x + half.width // 2, half.y + half.height - 8))[0] for half in (LEFT, RIGHT))
    upper, lower = (grey.get_at((512, y))[0] for y in (8, 592))
    assert lower - upper > 150
    assert abs(left - right) > 150
    pointer = on_screen(LAYOUT.halves[1], LAYOUT.halves[1].parts(Room.LARGE).pointer)
    assert grey.get_at((pointer.x + pointer.width // 2, pointer.y + pointer.height // 2))[0] < 60


def test_the_letters_are_no_wider_than_the_fitting_reckoned_and_a_long_reason_fits_the_smallest_panel(measured_letters: None) -> None:
    for size in (9, 13, 20, 37, 60):
        for text in (LONG_REASON, "OPPONENT'S TURN NEXT", "-10 points", "WMWMWM", "iiiillll"):
            assert font(size).size(text)[0] <= measure(text, size)
    box = arrange(480, 320, Arrangement.FACING).halves[0].parts(Room.BESIDE).words
    fitted = fit([LONG_REASON], box, measure)
    assert fitted.height <= box.height
    assert all(font(fitted.size).size(line)[0] <= box.width for line in fitted.lines)


@pytest.mark.parametrize("name", ["menu", "menu_confirm"])
def test_a_notice_stands_on_the_menus_page_as_well(surface: pygame.Surface, name: str) -> None:
    painter = Painter(LAYOUT)
    painter.draw(surface, FACES[name])
    assert AMBER not in colours(surface.subsurface((60, 350, 900, 230)))
    assert painter.draw(surface, replace(FACES[name], notices=(NOT_RECORDED,))) == [LAYOUT.menu]
    assert AMBER in colours(surface.subsurface((60, 350, 900, 230)))


def test_of_two_long_notices_the_gravest_is_written_large_and_the_other_counted(surface: pygame.Surface, monkeypatch: Any) -> None:
    written: list[tuple[str, ...]] = []
    monkeypatch.setattr(Scribe, "write", lambda _scribe, texts, _box, _pen: written.append(tuple(texts)))
    box, writer = Box(0, 0, 448, 52), Scribe(surface, LAYOUT.smallest)
    paint_page.paint_notices(writer, box, (NOT_RECORDED, STUCK))
    paint_page.paint_notices(writer, box, ("Short", "Shorter"))
    assert written == [("+1",), (NOT_RECORDED,), ("Short", "Shorter")]


@pytest.mark.parametrize("chosen", [0, 1, 15, 28, 29])
def test_a_menu_of_thirty_rows_shows_the_chosen_one_and_that_there_are_others(surface: pygame.Surface, chosen: int) -> None:
    menu = MenuFace("Reason", tuple(f"row {index}" for index in range(30)), chosen, "the hint")
    Painter(LAYOUT).draw(surface, replace(FACES["menu"], menu=menu))
    plates = [y for y in range(140, 500) if tuple(surface.get_at((700, y)))[:3] == IVORY]
    assert len(plates) > 20
    rows = shown_rows((1,) * 30, chosen, 8)
    # A triangle at the end of the first and of the last row.
    above, below = (surface.get_at((972, y)) != surface.get_at((700, y)) for y in (170, 464))
    assert (above, below) == (rows.start > 0, rows.stop < 30)


@pytest.mark.parametrize(
    ("count", "chosen", "first"),
    [(5, 0, 0), (8, 7, 0), (20, 0, 0), (20, 3, 0), (20, 10, 6), (20, 19, 12), (30, 29, 22), (30, 15, 11), (20, None, 0)],
)
def test_a_long_menu_page_shows_the_rows_about_the_chosen_one(count: int, chosen: int | None, first: int) -> None:
    rows = shown_rows((1,) * count, chosen, 8)
    assert (rows.start, len(rows)) == (first, min(8, count))
    assert chosen is None or chosen in rows


def filled(face: Face, done: int, where: Side | None = Side.LEFT) -> Face:
    return replace(face, fills=(FillFace(where, "Let go: nothing", "hold on: HOLD", done),))


@pytest.mark.parametrize("arrangement", Arrangement)
@pytest.mark.parametrize("where", [Side.LEFT, Side.RIGHT, None])
def test_a_fill_grows_in_its_rectangle_and_leaves_no_trace(surface: pygame.Surface, arrangement: Arrangement, where: Side | None) -> None:
    layout = arrange(*SIZE, arrangement, Side.RIGHT)
    place, running = fill_place(layout, where, Room.LARGE), FACES["running"]
    painter, full = Painter(layout), []
    painter.draw(surface, running)
    before = surface.copy()
    for done in (0, 30, 60, FILL_STEPS):
        assert painter.draw(surface, filled(running, done, where)) == [place.box]
        inside = surface.subsurface((place.box.x, place.box.y, place.box.width, place.box.height))
        full.append(pygame.mask.from_threshold(inside, AMBER, (8, 8, 8, 255)).count())
        assert painter.draw(surface, filled(running, done, where)) == []
    # It is longer at every look, by about as much as its time.
    assert full == sorted(full)
    assert full[-1] - full[0] > 0.5 * place.box.width * place.box.height
    painter.draw(surface, running)
    assert difference(surface, before) == 0


def test_a_fill_stays_while_what_it_covers_is_drawn_anew_and_leaves_no_trace_as_the_menu_opens(surface: pygame.Surface) -> None:
    anew = filled(replace(FACES["hold"], details=("another line",)), 41)
    for first, later in ((filled(FACES["hold"], 40), anew), (filled(FACES["ready"], FILL_STEPS, None), FACES["table_menu"])):
        painter, fresh = Painter(LAYOUT), pygame.Surface(SIZE)
        painter.draw(surface, first)
        painter.draw(surface, later)
        Painter(LAYOUT).draw(fresh, later)
        assert difference(surface, fresh) == 0


def test_under_a_minute_differs_from_more_in_grey_by_frame_and_weight(surface: pygame.Surface) -> None:
    low = replace(FACES["running"], halves=FACES["running"].halves.map(lambda half: replace(half, low=True)))
    other = pygame.Surface(SIZE)
    Painter(LAYOUT).draw(surface, FACES["running"])
    Painter(LAYOUT).draw(other, low)
    edge = (RIGHT.x + 8, RIGHT.y + RIGHT.height // 2)
    assert abs(pygame.transform.grayscale(surface).get_at(edge)[0] - pygame.transform.grayscale(other).get_at(edge)[0]) > 150
    box = on_screen(LAYOUT.halves[1], LAYOUT.halves[1].parts(Room.LARGE).digits)
    weights = [
        pygame.mask.from_threshold(each.subsurface((box.x, box.y, box.width, box.height)), INK, (60, 60, 60, 255)).count()
        for each in (surface, other)
    ]
    assert weights[1] > 1.15 * weights[0]


@pytest.mark.parametrize("language", languages())
def test_after_a_rehearsal_fills_open_no_font_and_starts_and_stops_fit_no_text(surface: pygame.Surface, language: str) -> None:
    painter, shown = Painter(LAYOUT), faces(language)
    table = ClockState(play(NASPA).history, setup_in(language))
    assert len(list(painter.warm(view.rehearsal(table, 0)))) > 100, "a press may wait for one piece, not for all"
    runs = apply_event(table, Press(Side.RIGHT), NS)
    played = [view.face(runs, 2 * NS), view.face(apply_event(runs, Neutralise(), 3 * NS), 3 * NS)]
    opened, fitted = font.cache_info().misses, scribe._fit.cache_info().misses
    assert all(painter.draw(surface, each) for each in played)
    assert scribe._fit.cache_info().misses == fitted
    assert all(painter.draw(surface, shown[name]) for name in ("fill_own", "fill_out", "fill_verdict", "fill_bar"))
    assert font.cache_info().misses == opened


@pytest.mark.parametrize("language", languages())
def test_a_small_panel_has_rows_of_28_pixels_and_a_title_as_large_as_what_stands_below_it(language: str, written: list[Written]) -> None:
    entered = {name: faces(language)[name] for name in ("result_score", "result_words", "result_sign", "result_sign_one", "result_change")}
    pages = entered | {key: each for name in ("table_menu", "director") for key, each in sheet(name, language).items()}
    layouts = [arrange(*size, arrangement) for size in ((800, 480), (480, 800)) for arrangement in (FACING, SIDE_BY_SIDE)]
    for cell in each_cell(sampled(product(layouts, pages), 4), lambda each: f"{each[0].size} {each[0].arrangement.value} {each[1]}"):
        with cell as (layout, name):
            written.clear()
            Painter(layout).draw(pygame.Surface(layout.size), pages[name])
            shown = pages[name].menu or some(pages[name].halves.left.page)
            sizes: dict[str, int] = {}
            for each in written:
                sizes[each.texts[0]] = max(each.size, sizes.get(each.texts[0], 0))
            assert [(row, sizes[row]) for row in shown.rows if sizes.get(row, 28) < 28] == []
            if pages[name].menu is None:
                # The halves may ask in other words, in other sizes.
                asked = max(sizes.get(some(half.page).title or shown.rows[0], 28) for _, half in pages[name].halves.items())
                assert asked >= max(size for text, size in sizes.items() if text in (shown.sentence, shown.hint, *shown.lines))
                assert not shown.sentence or sizes[shown.sentence] >= max((sizes.get(line, 0) for line in shown.lines), default=0)
                for entry in (some(half.page) for _, half in pages[name].halves.items() if name in entered and not shown.rows):
                    assert {*entry.lines, entry.hint} - {""} <= {text for each in written for text in each.texts}
                    assert sizes[entry.title] >= max((each.size for each in written if entry.hint in each.texts), default=0)


@pytest.mark.parametrize("arrangement", [FACING, SIDE_BY_SIDE])
def test_on_an_upright_panel_the_digits_of_a_running_turn_are_three_fifths_of_their_half(
    measured_letters: None, arrangement: Arrangement
) -> None:
    layout = arrange(480, 800, arrangement)
    for cell in each_cell(["running", "overtime", "low", "credit"]):
        with cell as name:
            surface, painter = pygame.Surface(layout.size), Painter(layout)
            painter.draw(surface, FACES[name])
            assert painter.room is Room.LARGE
            for half, found in zip(layout.halves, digits_mask(surface, layout), strict=True):
                assert found.height >= 0.59 * half.place.height


def test_a_window_that_has_expired_leaves_its_room_to_the_digits_and_stays_as_a_line(written: list[Written]) -> None:
    hold, expired = FACES["hold_long"], FACES["window_expired"]
    for cell in each_cell(layouts(), lambda layout: f"{layout.size} {layout.arrangement.value}"):
        with cell as layout:
            painter = Painter(layout)
            painter.draw(pygame.Surface(layout.size), expired)
            assert any(f"{some(expired.window).title} 0:00" in text for each in written for text in each.texts)
            if min(layout.size) >= 480:
                # How the hold ends comes before the time that is over.
                written.clear()
                just_over = view.face(begun("fr", "naspa-2017", *RUN, "95 hold"), 112 * NS)
                painter.draw(pygame.Surface(layout.size), just_over)
                said = [drawable(just_over.halves.of(half.side).note) for half in layout.halves]
                assert [text for text in said if not any(text in each for one in written for each in one.texts)] == []
    rooms = []
    for face in (hold, HOLD):
        painter = Painter(LAYOUT)
        painter.draw(pygame.Surface(SIZE), face)
        rooms.append(painter.room)
    assert rooms == [Room.LARGE, Room.BESIDE]


@pytest.mark.parametrize("language", languages())
def test_all_marks_of_a_half_are_as_large_as_its_note(language: str, written: list[Written]) -> None:
    shown = {**faces(language), **sheet("phases", language), **sheet("fills", language), **hall_faces(language)}
    panels = [layout for layout in layouts() if min(layout.size) >= LOW_ROWS]
    compared = 0
    for cell in each_cell(
        in_turn(panels, [*shown], first_panel(language)), lambda each: f"{each[0].size} {each[0].arrangement.value} {each[1]}"
    ):
        with cell as (layout, name):
            written.clear()
            Painter(layout).draw(pygame.Surface(layout.size), shown[name])
            for on, texts in groupby((each for each in written if each.view), lambda each: some(each.view)):
                sizes = {each.texts[0]: each.size for each in texts if each.texts[0] not in {on.state, drawable(on.half.prompt)}}
                marks = {size for text, size in sizes.items() if text in on.half.marks}
                notes = {size for text, size in sizes.items() if any(said in text for said in on.note)}
                compared += bool(marks and notes)
                assert len(marks) <= 1
                assert not (marks and notes) or marks == notes
    assert compared > 20
