"""How the room of a page is given out: the size of texts, columns of words, rows of keys, and lists that fit."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest

from kiosk import events as players
from kiosk.face.page import ListRow, Page, Target
from kiosk.layout.arrange import arrange
from kiosk.layout.options import scale
from kiosk.layout.placed import What
from tests.cells import each_cell
from tests.kiosk.layout.any_page import LYING, UPRIGHT, of, options_for, tiles_in_rows, touched
from tests.kiosk.screens.pages import BACK, DIGITS, PAGES, WORDS, checking, keyboard, words_page


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
    rows = tuple(ListRow(f"row {index}", "detail", Target(f"row.{index}", "row", players.Done())) for index in range(5))
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
