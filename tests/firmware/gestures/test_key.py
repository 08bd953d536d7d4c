"""The director's key: on it opens the menu, off it leaves it, and with it on no button plays."""

from itertools import product

import pytest

from rules.side import Side
from tests.cells import each_cell
from tests.firmware.gestures.trains import MS, Edge, Press, chatter, drive, said, table

RUNNING = ("0 press right",)
KEY_ON = [Edge(6_000 * MS, "key", down=True)]


@pytest.mark.parametrize("offsets", [(0,), (0, 900_000, 1_500_000, 9_000_000, 9_500_000, 25_000_000, 25_100_000)])
def test_the_key_on_opens_the_menu_and_off_leaves_it(offsets: tuple[int, ...]) -> None:
    on = chatter("key", 6_000 * MS, offsets, down=True)
    off = chatter("key", 9_000 * MS, offsets, down=False)
    begun = table("naspa-2017", *RUNNING)
    assert drive(begun, on, 8_000).menu is not None
    done = drive(begun, [*on, *off], 12_000)
    assert done.menu is None
    assert done.record is begun.record


def test_with_the_key_on_no_button_plays() -> None:
    for cell in each_cell(product(["left", "right", "centre", "up", "down"], [100, 2_000])):
        with cell as (button, held):
            begun = table("naspa-2017", *RUNNING)
            done = drive(begun, [*KEY_ON, *Press(button, 7_000, held).edges(bouncy=False)], 12_000)
            assert done.record is begun.record


def test_both_buttons_with_the_key_on_are_no_bar() -> None:
    begun = table("naspa-2017", *RUNNING)
    presses = [*Press("left", 7_000, 2_000).edges(bouncy=False), *Press("right", 7_100, 2_000).edges(bouncy=False)]
    assert drive(begun, [*KEY_ON, *presses], 12_000).record is begun.record


def test_a_press_that_was_under_way_when_the_key_came_on_gets_no_longer_meaning() -> None:
    edges = [*Press("centre", 5_500, 3_000).edges(bouncy=False), *KEY_ON]
    assert said(drive(table("naspa-2017", *RUNNING), edges, 12_000).record)[2:] == [(5_500, "neutralise")]


def test_with_the_key_off_again_the_buttons_play() -> None:
    edges = [*KEY_ON, Edge(8_000 * MS, "key", down=False), *Press("left", 9_000).edges(bouncy=False)]
    assert said(drive(table("naspa-2017", *RUNNING), edges, 12_000).record)[2:] == [(9_000, "press left")]


def test_the_menu_stops_no_clock() -> None:
    game = drive(table("naspa-2017", *RUNNING), KEY_ON, 12_000).game_at(12_000 * MS)
    assert game.used_at(Side.LEFT, 12_000 * MS) == 12_000 * MS


@pytest.mark.parametrize("button", ["left", "right", "centre"])
def test_a_press_still_held_when_the_key_goes_off_does_not_play_then(button: str) -> None:
    begun = table("naspa-2017", *RUNNING)
    edges = [*KEY_ON, *Press(button, 7_000, 5_000).edges(bouncy=False), Edge(8_000 * MS, "key", down=False)]
    assert drive(begun, edges, 14_000).record is begun.record


def test_a_press_that_began_with_the_key_on_does_not_play_though_it_is_found_out_only_after() -> None:
    begun = table("naspa-2017", *RUNNING)
    down = 8_000 * MS - 1_000_000
    edges = [*KEY_ON, Edge(down, "left", down=True), Edge(8_000 * MS, "key", down=False), Edge(down + 200 * MS, "left", down=False)]
    assert drive(begun, edges, 14_000).record is begun.record
