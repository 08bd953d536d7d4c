"""The table of docs/spec/events.md, "Bad input", row by row, as far as buttons and time make it."""

import pytest

from firmware.gestures.clock_state import ClockState
from firmware.gestures.hands import Hands
from game.game import Phase
from rules.side import Side
from tests.firmware.gestures.states import ADJUDICATION, LATE, OUT, OVER, RUNNING, STOPPED, edges, made, new
from tests.firmware.gestures.trains import MS, Edge, drive, said, table
from tests.some import some

OPEN = "centre@7000+1200"


def played(start: tuple[str, ...], presses: str, until: int, *, two_button: bool = False, code: bool = False) -> ClockState:
    begun = table("naspa-2017", *start, two_button=two_button, code=code)
    return drive(begun, [edge for edge in edges(presses, bouncy=True) if edge.at <= until * MS], until)


@pytest.mark.parametrize("downs", [None, 2, 5, 9, 10])
def test_the_menu_left_open_on_any_page_stays_as_it_is_with_no_event(downs: int | None) -> None:
    way = "" if downs is None else "".join(f", {button}@{9_000 + 500 * at}+100" for at, button in enumerate([*["right"] * downs, "centre"]))
    presses = OPEN + way
    opened = played(STOPPED, presses, 20_000)
    assert opened.table_menu is not None
    left = drive(opened, [], 900_000)
    assert (left.table_menu, new(left, STOPPED)) == (opened.table_menu, "")


def test_both_buttons_held_for_a_minute_on_a_board_with_a_bar() -> None:
    minute = "left@7000+60000, right@7030+60000"
    assert new(played(RUNNING, minute, 80_000), RUNNING) == "7000 press left, 7030 press right"
    over = played(OVER, minute, 80_000)
    assert (new(over, OVER), over.table_menu) == ("", None)


@pytest.mark.parametrize("two_button", [False, True], ids=["full", "two-button"])
def test_a_button_stuck_while_the_menu_is_open_moves_one_round_and_no_more(two_button: bool) -> None:
    opens = "left@7000+1300, right@7030+1300" if two_button else OPEN
    # Rows: out play, take back, call, infraction, close.
    stuck = played(ADJUDICATION, f"{opens}, right@9000+90000", 13_000, two_button=two_button)
    assert some(stuck.table_menu).chosen == "call", "five rows, one round"
    other = drive(stuck, edges("left@14000", bouncy=True), 15_000)
    assert some(other.table_menu).chosen == "take_back"
    if two_button:
        pressed = drive(drive(stuck, [], 20_000), edges("left@20100+400", bouncy=True), 21_000)
        assert pressed.table_menu is not None, "no chord with a button that is stuck, so nothing is taken"
        door = drive(pressed, edges("left@22000+5100", bouncy=True), 28_000)
        assert (door.table_menu, door.menu is not None) == (None, True), "the director's door is still there"
    else:
        assert drive(other, edges("centre@16000", bouncy=True), 17_000).table_menu != other.table_menu, "the bar takes"


def test_a_button_stuck_when_the_game_starts_or_ends_is_one_press_in_the_past() -> None:
    assert new(played((), "left@7000+900000", 600_000), ()) == "7000 press left"
    ended = drive(table("naspa-2017 left_seconds=10", "0 press right"), [Edge(5_000 * MS, "right", down=True)], 900_000)
    assert ended.game_at(900_000 * MS).phase is Phase.OVER
    assert new(ended, RUNNING) == "5000 hold"
    assert ended.history.before is not None, "no next game"


@pytest.mark.parametrize(
    ("start", "presses", "until", "events"),
    [
        # The bar and an own button at once count by their first edges.
        (RUNNING, "centre@7000+3000, left@7010+300", 12_000, "7000 neutralise, 7010 press left"),
        (RUNNING, "left@7000+3000, centre@7010+300", 12_000, "7000 press left, 7010 neutralise"),
        # Both players' presses are two, in their order.
        (RUNNING, "left@7000+90, right@7020+90", 9_000, "7000 press left, 7020 press right"),
        # One fills a hold, the other ends the turn.
        (RUNNING, "right@7000+3000, left@7500+101", 12_000, "7500 press left"),
        # An acceptance that was overtaken is held anew.
        (OUT, "right@7000+2000, left@7500+80, right@10000+1100", 13_000, "7500 press left, 10000 release"),
        # A row is taken by a press just before the phase changes by itself, though it is detected after.
        (OUT, "centre@22000+1200, centre@23999", 26_000, "23999 call true"),
        (OUT, "centre@22000+1200, centre@24000", 26_000, ""),
        # An offer is taken by a press just before it lapses.
        (ADJUDICATION, "centre@6000, centre@20999+1100", 25_000, "20999 verdict true 1"),
        (ADJUDICATION, "centre@6000, centre@21000+1100", 25_000, ""),
        # A press that starts a clock is never swallowed by the menu.
        (LATE, f"{OPEN}, left@9000", 9_500, "9000 arrive left"),
        (OUT, f"{OPEN}, left@9000", 9_500, "9000 press left"),
        (OUT, f"{OPEN}, right@9000", 9_500, ""),
    ],
)
def test_what_presses_at_once_or_at_a_limit_come_to(start: tuple[str, ...], presses: str, until: int, events: str) -> None:
    assert made(start, presses, until, bouncy=True) == events


def test_a_press_that_starts_a_clock_closes_the_menu_and_another_one_moves() -> None:
    out = played(OUT, f"{OPEN}, left@9000", 9_500)
    assert (out.table_menu, out.game_at(9_500 * MS).running) == (None, Side.RIGHT)
    assert played(LATE, f"{OPEN}, left@9000", 9_500).table_menu is None
    assert some(played(OUT, f"{OPEN}, right@9000", 9_500).table_menu).chosen is not None


def test_a_press_whose_first_edge_lies_before_the_menu_opened_keeps_its_meaning_and_the_menu_does_not_stay() -> None:
    # The bar has started left's clock, so right's press does nothing, and the menu opens.
    assert played(STOPPED, "centre@7000+1500, right@7999+100", 9_000).table_menu is not None
    started = played(RUNNING, "centre@7000+1500, left@7999+100", 9_000)
    assert (new(started, RUNNING), started.table_menu) == ("7000 neutralise, 7999 press left", None)


def test_the_menu_closes_when_the_phase_changes_by_itself() -> None:
    after = played(OUT, "centre@22000+1200", 23_999)
    assert after.table_menu is not None
    assert drive(after, [], 24_000).table_menu is None


def test_a_decisions_fifteen_seconds_that_end_unseen_start_nothing() -> None:
    game = played((*STOPPED, "5 window left name=overdraw_decision"), "", 600_000).game_at(600_000 * MS)
    assert (game.phase, game.running) == (Phase.NEUTRAL, None)


def heard(start: tuple[str, ...], *moves: tuple[str, int, bool, int], two_button: bool = False) -> Hands:
    """Return the hands after edges: the button, the instant (ms), whether down, and the instant at which time has come after it (ms)."""
    hands = Hands(table("naspa-2017", *start, two_button=two_button), 5_000 * MS, now=5_000 * MS)
    for button, at, down, until in moves:
        hands = hands.edge(button, at * MS, down=down).tick(until * MS).advanced
    return hands


def test_at_the_instant_at_which_a_fill_is_full_the_other_button_may_still_make_a_chord_of_it() -> None:
    began = ("right", 7_000, True, 8_000)
    assert new(heard(RUNNING, began, two_button=True).shown, RUNNING) == "7000 hold"
    assert new(heard(RUNNING, began, ("left", 8_000, True, 8_500), two_button=True).shown, RUNNING) == "7000 neutralise"


def test_a_late_press_after_the_release_that_began_the_next_game_counts_from_its_own_edge() -> None:
    hands = heard(OVER, ("centre", 7_000, True, 9_620), ("centre", 9_500, False, 9_660), ("right", 9_560, True, 9_800))
    assert [(at, words.split()[0]) for at, words in said(hands.shown.history)] == [(9_500, "new_game"), (9_560, "press")]


def test_a_press_that_was_still_unsure_when_all_was_decided_counts_from_then() -> None:
    bounced = (("left", 7_000, True, 7_000), ("centre", 7_001, True, 7_001), ("left", 7_002, False, 7_002), ("left", 7_004, True, 7_005))
    hands = heard(RUNNING, *bounced).at_once()
    assert new(hands.decided, RUNNING) == "7001 neutralise"
    assert new(hands.tick(7_500 * MS).shown, RUNNING) == "7001 neutralise, 7005 press left"
    hands = hands.edge("left", 7_300 * MS, down=False).tick(7_500 * MS)
    assert [stroke.buttons for stroke in hands.shown.open_strokes] == [("centre",)]


def test_an_edge_that_is_later_than_750_ms_counts_where_all_before_is_decided() -> None:
    for until, at in ((7_749, 7_000), (7_950, 7_200)):
        hands = heard(RUNNING, ("centre", 6_000, True, 6_100), ("centre", 6_200, False, until), ("left", 7_000, True, until + 100))
        (_, (found, words)) = said(hands.shown.history)[-2:]
        assert (found, words) == (at, "press left"), hands.since
