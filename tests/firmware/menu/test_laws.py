"""What holds on every page of the director's menu (docs/spec/events.md, "The director's menu"): rows keep their places, and what cannot be done says why."""

from collections.abc import Iterator
from itertools import product

import pytest
from msgspec.structs import replace

from appliance.display.layout import Box
from firmware.face.value import MenuFace
from firmware.face.view import face
from firmware.gestures.clock_state import ClockState
from firmware.menu.actions import Action, Menu
from firmware.menu.menu import page
from firmware.screens.page_layout import menu_parts, visible_lines
from firmware.texts import load_texts
from game.game import Phase
from rules.duration import NS
from rules.side import Side
from tests.cells import each_cell
from tests.firmware.screens.situations import PHASES, begun, sheet
from tests.some import some

NOW = 100 * NS
LANGUAGES = ("en", "fr", "es")
MENUS = (Menu(cursor=3), Menu("resume"), Menu("adjust", (Side.LEFT,), cursor=4), Menu("points", (Side.RIGHT,)))
boards = pytest.mark.parametrize("two_button", [False, True], ids=["full", "two-button"])


def tables(*, two_button: bool = False) -> Iterator[tuple[str, ClockState]]:
    for name, rulebook, lines in PHASES:
        yield name, begun("en", rulebook, *lines, power_off=True, two_button=two_button)


def shown(table: ClockState, menu: Menu) -> MenuFace:
    return some(face(replace(table, menu=menu), NOW).menu)


def test_all_phases_are_looked_at() -> None:
    assert {table.game_at(NOW).phase for _, table in tables()} == set(Phase)


@boards
def test_the_first_page_has_the_same_acts_in_the_same_places_in_all_phases(*, two_button: bool) -> None:
    found = {name: page(Menu(), table.history, table.setup, NOW).options for name, table in tables(two_button=two_button)}
    places = {
        name: [option.value.name if isinstance(option.value, Action) else option.text for option in options]
        for name, options in found.items()
    }
    assert all(each == places["ready"] for each in places.values())
    assert len(places["ready"]) == 30 + two_button


def test_a_row_that_cannot_be_taken_is_grey_and_the_hint_says_why() -> None:
    for name, table in tables():
        options = page(Menu(), table.history, table.setup, NOW).options
        refused = {row: option.why for row, option in enumerate(options) if option.why}
        assert shown(table, Menu()).grey == refused.keys(), name
        for row, why in refused.items():
            assert shown(table, Menu(cursor=row)).hint == f"Not now: {why}"
        assert all("Not now" not in shown(table, Menu(cursor=row)).hint for row in set(range(len(options))) - refused.keys())


def test_no_row_moves_on_the_screen_for_an_answer_or_a_time_frame_that_ends_or_a_notice() -> None:
    for counting, over in ((("95 window name=mixing",), ()), (("95 window name=tile_decision",), ())):
        for menu, size in product(MENUS, [(800, 480), (480, 800)]):
            faces = [
                shown(begun("en", "naspa-2017", "0 press right", "90 neutralise", *lines), each)
                for lines in (counting, over)
                for each in (menu, replace(menu, result="Not now: x"))
            ]
            places = [
                menu_parts(Box(0, 0, *size), each, 16, lambda text, size: len(text) * size // 2, warned=warned)
                for each in faces
                for warned in (False, True)
            ]
            assert len({(parts.rows, parts.headings) for parts in places}) == 1
            assert len({each.rows for each in faces}) == 1


@pytest.mark.parametrize("room", range(3, 9))
def test_above_the_rows_of_a_group_stands_its_name_wherever_the_cursor_is(room: int) -> None:
    table = dict(tables())["stopped"]
    first = shown(table, Menu())
    for row in range(len(first.rows)):
        menu = replace(first, chosen=row)
        visible, group = visible_lines(menu, (1,) * len(menu.rows), 1, room), ""
        assert row in visible
        assert len(visible) <= room
        for line in visible:
            if isinstance(line, str):
                group = line
            else:
                assert menu.groups[line] == group


def test_what_closes_by_itself_shows_for_how_long_it_stays() -> None:
    half_made = Menu("adjust", (Side.LEFT,), key_off=True)
    asks = replace(begun("en", "naspa-2017"), menu=half_made, menu_closes_at=NOW + 7 * NS)
    assert some(face(asks, NOW).menu).title == "Leave it undone? · 0:07 left"
    opened = replace(begun("en", "naspa-2017", two_button=True), menu=Menu(), menu_closes_at=NOW + 300 * NS)
    assert some(face(opened, NOW).menu).title == "DIRECTOR · 5:00 left"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_title_begins_with_what_the_page_asks(language: str) -> None:
    texts = load_texts(language)
    asked = [text for key, text in texts.by_key.items() if key.startswith(("menu.step.", "ago.")) and "?" in text]
    titles = {name: each.menu.title for name, each in sheet("director", language).items() if each.menu is not None and each.menu.rows}
    plain = {texts.say("menu.title")}
    for cell in each_cell({name: title for name, title in titles.items() if title.split(" · ")[0] not in plain}):
        with cell as name:
            assert titles[name].split(" · ")[0] in asked
