"""The director's door of a two-button board: the code by left and right presses, both buttons hand it in."""

from dataclasses import replace

import pytest

from appliance.lock import wait_ns
from firmware.gestures.clock_state import ClockState
from firmware.gestures.director_presses import code_checked, code_of
from firmware.gestures.lapsing import BadCode, parse_code
from rules.side import Side
from tests.cells import each_cell
from tests.firmware.gestures.trains import MS, Edge, Press, drive, said, table

STOPPED = ("0 press right", "4 neutralise")
KNOCK = (Press("left", 6_000, 5_300), Press("right", 6_050, 5_300))


def played(begun: ClockState, *presses: Press, until: int) -> ClockState:
    """Return the table after the presses."""
    return drive(begun, [edge for press in presses for edge in press.edges(bouncy=True)], until)


def both(at: int, held: int = 300) -> tuple[Press, Press]:
    """Return a press of both buttons."""
    return Press("left", at, held), Press("right", at + 40, held)


def at_door(*start: str) -> ClockState:
    """Return a table that asks for its code since 11.05 s."""
    return played(table("naspa-2017", *start, two_button=True, code=True), *KNOCK, until=12_000)


def test_without_a_code_the_menu_opens_at_once() -> None:
    assert played(table("naspa-2017", *STOPPED, two_button=True), *KNOCK, until=12_000).menu is not None


def test_with_a_code_the_door_asks_and_both_buttons_hand_the_presses_in() -> None:
    asked = at_door(*STOPPED)
    assert (asked.menu, asked.door is not None) == (None, True)
    presses = [Press(button, 13_000 + 400 * index, 150) for index, button in enumerate(("left", "right", "right", "left"))]
    handed = played(asked, *presses, *both(15_000), until=16_000)
    assert handed.door is not None
    assert handed.door.checking
    assert handed.door.entered == (Side.LEFT, Side.RIGHT, Side.RIGHT, Side.LEFT)
    assert handed.record is asked.record, "no press at the door plays"
    assert code_checked(handed, 16_000 * MS, right=True).menu is not None


def test_fewer_than_four_presses_are_not_handed_in_and_more_than_twelve_are_not_taken() -> None:
    few = played(at_door(*STOPPED), *(Press("left", 13_000 + 300 * each, 100) for each in range(3)), *both(15_000), until=16_000)
    assert few.door is not None
    assert not few.door.checking
    many = played(at_door(*STOPPED), *(Press("left", 13_000 + 300 * each, 100) for each in range(15)), until=18_000)
    assert many.door is not None
    assert len(many.door.entered) == 12


def test_wrong_codes_are_counted_two_are_free_and_the_third_waits() -> None:
    asked = at_door(*STOPPED)
    for tries, wait in ((1, None), (2, None), (3, 30), (4, 60)):
        assert asked.door is not None
        asked = code_checked(replace(asked, door=replace(asked.door, checking=True)), 20_000 * MS, right=False)
        assert asked.door is not None
        assert (asked.wrong_codes, asked.door.wrong) == (tries, True)
        assert asked.door.shut_until == (None if wait is None else (20 + wait) * 1000 * MS)
    waiting = played(asked, Press("left", 21_000), until=22_000)
    assert waiting.door is not None
    assert waiting.door.entered == ()
    assert wait_ns(100) == 900 * 1000 * MS


def test_a_right_code_clears_the_count() -> None:
    asked = replace(at_door(*STOPPED), wrong_codes=2)
    assert asked.door is not None
    opened = code_checked(replace(asked, door=replace(asked.door, checking=True)), 20_000 * MS, right=True)
    assert (opened.wrong_codes, opened.door, opened.menu is not None) == (0, None, True)


def test_after_a_restart_the_door_still_waits() -> None:
    begun = replace(table("naspa-2017", *STOPPED, two_button=True, code=True), wrong_codes=3, code_tried_at=1_000 * MS)
    knocked = played(begun, *KNOCK, until=12_000)
    assert knocked.door is not None
    assert knocked.door.shut_until == 31_000 * MS


def test_the_door_closes_twenty_seconds_after_the_last_press_and_the_menu_after_three_hundred() -> None:
    assert played(at_door(*STOPPED), until=31_049).door is not None
    assert played(at_door(*STOPPED), until=31_050).door is None
    assert played(at_door(*STOPPED), Press("left", 30_000), until=49_999).door is not None
    opened = played(table("naspa-2017", *STOPPED, two_button=True), *KNOCK, until=12_000)
    assert played(opened, until=311_049).menu is not None
    closed = played(opened, until=311_050)
    assert closed.menu is None
    assert closed.record is opened.record


def test_a_press_belongs_to_the_door_or_the_menu_if_its_first_edge_lies_before_they_close() -> None:
    menu = played(table("naspa-2017", *STOPPED, two_button=True), *KNOCK, until=12_000)
    for cell in each_cell([(at_door(*STOPPED), 31_050), (menu, 311_050)]):
        with cell as (opened, closes):
            inside = played(opened, Press("left", closes - 1), until=closes + 1_000)
            assert inside.record is opened.record
            assert (inside.door, inside.menu) != (None, None)
            after = played(opened, Press("left", closes), until=closes + 1_000)
            assert said(after.record)[3:] == [(closes, "press left")]
            spike = [Edge((closes - 1) * MS, "left", down=True), Edge((closes - 1) * MS + 500_000, "left", down=False)]
            closed = drive(opened, spike, closes + 100)
            assert (closed.door, closed.menu, closed.record) == (None, None, opened.record)


def test_at_the_door_no_right_is_lost_what_counts_to_an_end_is_stopped() -> None:
    out = played(at_door("0 press right", "4 out_play"), Press("left", 13_000), until=40_000)
    assert said(out.record)[3:] == [(6_000, "challenge")]
    late = played(at_door("0 late_start left"), Press("left", 13_000), until=40_000)
    assert said(late.record)[2:] == [(6_000, "arrive left")]
    assert said(played(at_door("0 late_start both"), until=40_000).record)[2:] == []
    zealand = table("nzasp-2022", "0 press right", "4 out_play", two_button=True, code=True)
    assert said(played(zealand, *KNOCK, until=40_000).record)[3:] == [], "its window ends no game"


def test_what_one_and_two_seconds_did_is_taken_back_but_a_clock_that_they_stopped_stays_stopped() -> None:
    assert said(at_door("0 press right").record)[2:] == [(6_000, "neutralise")]
    assert said(at_door(*STOPPED).record)[3:] == []


def test_a_code_is_four_to_twelve_letters_l_and_r() -> None:
    assert code_of(parse_code("lRrL ")) == "1221"
    for text in ("", "LRL", "LRLX", "L" * 13, "1221"):
        with pytest.raises(BadCode):
            parse_code(text)
