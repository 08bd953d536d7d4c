"""The director's key: it opens the menu where no clock runs; while one runs the players play on until ``ok``."""

import pytest

from firmware.gestures.clock_state import ClockState
from tests.cells import each_cell
from tests.firmware.gestures.trains import MS, Edge, Press, chatter, drive, said, table

RUNNING = ("0 press right",)
STOPPED = ("0 press right", "4 neutralise")
OUT = ("0 press right", "4 out_play")
COUNTING = (RUNNING, ("0 press right", "4 hold"), ("0 late_start left",), ("0 late_start both",), OUT)
KEY_ON = [Edge(6_000 * MS, "key", down=True)]
OK = Press("ok", 7_000)


def on(start: tuple[str, ...], *presses: Press, until: int = 14_000) -> ClockState:
    """Return the table after the key was turned on at 6 s, and the presses."""
    edges = [edge for press in presses for edge in press.edges(bouncy=False)]
    return drive(table("naspa-2017", *start), [*KEY_ON, *edges], until)


@pytest.mark.parametrize("offsets", [(0,), (0, 900_000, 1_500_000, 9_000_000, 9_500_000, 25_000_000, 25_100_000)])
def test_where_no_clock_runs_the_key_on_opens_the_menu_and_off_leaves_it(offsets: tuple[int, ...]) -> None:
    turned_on = chatter("key", 6_000 * MS, offsets, down=True)
    turned_off = chatter("key", 9_000 * MS, offsets, down=False)
    begun = table("naspa-2017", *STOPPED)
    assert drive(begun, turned_on, 8_000).menu is not None
    done = drive(begun, [*turned_on, *turned_off], 12_000)
    assert done.menu is None
    assert done.record is begun.record


def test_while_a_clock_runs_or_an_out_play_counts_the_key_asks_for_ok_and_the_players_play_on() -> None:
    for cell in each_cell(COUNTING):
        with cell as start:
            turned = on(start)
            assert turned.menu is None
            assert turned.asks_ok
    assert said(on(RUNNING, Press("left", 7_000)).record)[2:] == [(7_000, "press left")]
    assert said(on(RUNNING, Press("right", 7_000, 1_200)).record)[2:] == [(7_000, "hold")], "fills too"
    assert said(on(OUT, Press("left", 7_000)).record)[3:] == [(7_000, "press left")]


def test_then_ok_opens_the_menu_and_no_players_button_plays() -> None:
    for cell in each_cell([(button, held) for button in ("left", "right", "centre") for held in (100, 3_000)]):
        with cell as (button, held):
            done = on(RUNNING, OK, Press(button, 8_000, held))
            assert done.menu is not None
            assert said(done.record)[2:] == []


def test_key_turned_in_a_running_turn_then_nothing_the_turn_goes_on() -> None:
    done = on(RUNNING, until=120_000)
    assert done.game_at(120_000 * MS).running is not None
    assert done.menu is None


def test_in_new_zealand_the_key_opens_the_menu_once_the_five_seconds_are_over() -> None:
    assert drive(table("nzasp-2022", *OUT), KEY_ON, 12_000).asks_ok
    late = [Edge(9_000 * MS, "key", down=True)]
    assert drive(table("nzasp-2022", *OUT), late, 12_000).menu is not None


def test_a_press_that_was_under_way_when_the_menu_opened_keeps_its_short_meaning() -> None:
    held = Press("centre", 5_500, 3_000).edges(bouncy=False)
    over = table("naspa-2017", "0 press right", "4 end reason=x")
    assert drive(over, [*held, *KEY_ON], 12_000).record is over.record, "no next game"
    opened = [*KEY_ON, *Press("centre", 6_500, 3_000).edges(bouncy=False), *OK.edges(bouncy=False)]
    assert said(drive(table("naspa-2017", *RUNNING), opened, 12_000).record)[2:] == [(6_500, "neutralise")]


def test_with_the_key_off_again_the_buttons_play() -> None:
    edges = [*KEY_ON, Edge(8_000 * MS, "key", down=False), *Press("left", 9_000).edges(bouncy=False)]
    assert said(drive(table("naspa-2017", *STOPPED), edges, 12_000).record)[3:] == [(9_000, "press left")]
    asked = drive(table("naspa-2017", *RUNNING), [*KEY_ON, Edge(8_000 * MS, "key", down=False)], 9_000)
    assert not asked.asks_ok


@pytest.mark.parametrize("button", ["left", "right", "centre"])
def test_a_press_still_held_when_the_key_goes_off_does_not_play_then(button: str) -> None:
    begun = table("naspa-2017", *STOPPED)
    edges = [*KEY_ON, *Press(button, 7_000, 5_000).edges(bouncy=False), Edge(8_000 * MS, "key", down=False)]
    assert drive(begun, edges, 14_000).record is begun.record


def test_a_press_that_began_in_the_menu_does_not_play_though_it_is_detected_only_after() -> None:
    down = 8_000 * MS - 1_000_000
    edges = [*KEY_ON, Edge(down, "left", down=True), Edge(8_000 * MS, "key", down=False), Edge(down + 200 * MS, "left", down=False)]
    begun = table("naspa-2017", *STOPPED)
    assert drive(begun, edges, 14_000).record is begun.record
    # Where the menu was never open, it does.
    assert said(drive(table("naspa-2017", *RUNNING), edges, 14_000).record)[2:] == [(7_999, "press left")]


def test_the_directors_menu_closes_the_players_and_answers_their_call() -> None:
    begun = table("naspa-2017", *STOPPED, "5 call on=true")
    opened = drive(begun, [*Press("centre", 7_000, 1_500).edges(bouncy=False), Edge(9_000 * MS, "key", down=True)], 10_000)
    assert opened.table_menu is None
    assert opened.menu is not None
    assert said(opened.record)[-1] == (9_000, "call false director")
    assert not opened.record.game.called
