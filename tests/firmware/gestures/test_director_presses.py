import pytest
from msgspec.structs import replace

from appliance.lock import wait_ns
from firmware.gestures.clock_state import ClockState
from firmware.gestures.presses import code_checked
from tests.firmware.gestures.states import BOTH_LATE, HOLD, LATE, OUT, OVER, RUNNING, STOPPED, edges, new
from tests.firmware.gestures.trains import MS, Edge, chatter, drive, said, table
from tests.firmware.saying import NASPA, NZ
from tests.some import some


def key(at: int, *, down: bool) -> list[Edge]:
    return [Edge(at * MS, "key", down=down)]


def on(start: tuple[str, ...], presses: str = "", until: int = 14_000, *, off: int | None = None, rulebook: str = NASPA) -> ClockState:
    """Return the table after the key was turned on at 6 s, and off if wanted, and the presses."""
    turned = [*key(6_000, down=True), *([] if off is None else key(off, down=False))]
    return drive(table(rulebook, *start), [*turned, *edges(presses)], until)


@pytest.mark.parametrize("offsets", [(0,), (0, 900_000, 1_500_000, 9_000_000, 9_500_000, 25_000_000, 25_100_000)])
def test_where_no_clock_runs_the_key_on_opens_the_menu_and_off_leaves_it(offsets: tuple[int, ...]) -> None:
    turned_on = chatter("key", 6_000 * MS, offsets, down=True)
    begun = table(NASPA, *STOPPED)
    assert drive(begun, turned_on, 8_000).menu is not None
    done = drive(begun, [*turned_on, *chatter("key", 9_000 * MS, offsets, down=False)], 12_000)
    assert (done.menu, done.history is begun.history) == (None, True)


@pytest.mark.parametrize("start", [RUNNING, HOLD, LATE, BOTH_LATE, OUT])
def test_while_a_clock_runs_or_an_out_play_counts_the_key_asks_for_ok(start: tuple[str, ...]) -> None:
    turned = on(start)
    assert (turned.menu, turned.asks_ok) == (None, True)


@pytest.mark.parametrize(
    ("start", "presses", "off", "events"),
    [
        # The players play on; fills too.
        (RUNNING, "left@7000", None, "7000 press left"),
        (RUNNING, "right@7000+1200", None, "7000 hold"),
        (OUT, "left@7000", None, "7000 press left"),
        # Then ok opens the menu and no player's button plays.
        *((RUNNING, f"ok@7000, {button}@8000+{length}", None, "") for button in ("left", "right", "centre") for length in (100, 3_000)),
        # A press that was under way when the menu opened keeps its short meaning.
        (RUNNING, "centre@6500+3000, ok@7000", None, "6500 neutralise"),
        (OVER, "centre@5500+3000", None, ""),
        # With the key off again the buttons play; a press still held then, or detected only after, does not.
        (STOPPED, "left@9000", 8_000, "9000 press left"),
        *((STOPPED, f"{button}@7000+5000", 8_000, "") for button in ("left", "right", "centre")),
        (STOPPED, "left@7999+201", 8_000, ""),
        # Where the menu was never open, it does.
        (RUNNING, "left@7999+201", 8_000, "7999 press left"),
    ],
)
def test_what_plays_beside_the_key(start: tuple[str, ...], presses: str, off: int | None, events: str) -> None:
    assert new(on(start, presses, off=off), start) == events


HALF_MADE = "ok@7000, left@8000, down@9000"
"""Give or take time, LEFT, a row further: an amount is not taken yet."""


def test_the_key_off_with_an_act_half_made_asks_and_ok_leaves_it_undone() -> None:
    asked = on(STOPPED, HALF_MADE, 11_000, off=10_000)
    assert some(asked.menu).key_off
    # No player's button plays or answers meanwhile.
    pressed = drive(asked, edges("left@12000, right@13000+2000"), 16_000)
    assert (some(pressed.menu).key_off, pressed.history) == (True, asked.history)
    for button in ("ok", "centre"):
        left = drive(asked, edges(f"{button}@12000, left@14000"), 15_000)
        assert left.menu is None
        assert new(left, STOPPED) == "14000 press left"


def test_the_key_on_again_goes_on_with_the_half_made_act() -> None:
    asked = on(STOPPED, HALF_MADE, 11_000, off=10_000)
    again = drive(asked, [*key(15_000, down=True), *edges("down@17000, down@18000, down@19000, ok@20000")], 40_000)
    assert new(again, STOPPED) == "20000 adjust left 240 now director's ruling"
    assert again.menu_closes_at is None


def test_the_question_about_a_half_made_act_closes_after_10_s_and_the_press_after_it_starts_no_clock() -> None:
    asked = on(STOPPED, HALF_MADE, 19_999, off=10_000)
    assert asked.menu is not None
    closed = drive(asked, edges("left@20500"), 21_000)
    assert (closed.menu, new(closed, STOPPED)) == (None, "")
    assert closed.answers[-1].message.key == "answer.just_closed"


@pytest.mark.parametrize("offsets", [(0, 1, 2), (0, 900_000, 1_500_000, 9_000_000, 30_000_000)])
def test_the_key_off_counts_from_its_first_edge_and_goes_on_if_it_was_a_spike(offsets: tuple[int, ...]) -> None:
    half_made = edges(HALF_MADE)
    for turned_on in (key(6_000, down=True), chatter("key", 6_000 * MS, (0, 5 * MS, 8 * MS), down=True)):
        asked = drive(table(NASPA, *STOPPED), [*turned_on, *half_made, *chatter("key", 10_000 * MS, offsets, down=False)], 11_000)
        assert (some(asked.menu).key_off, asked.menu_closes_at) == (True, 20_000 * MS)
    spiked = drive(table(NASPA, *STOPPED), [*key(6_000, down=True), *half_made, *key(10_000, down=False), *key(10_001, down=True)], 11_000)
    assert (some(spiked.menu).key_off, spiked.menu_closes_at) == (False, None)


def test_while_a_clock_runs_the_key_off_asks_nothing_and_the_players_buttons_play_at_once() -> None:
    left = on(RUNNING, "ok@7000, down@7500, ok@8000, left@8500, down@9000", 10_100, off=10_000)
    assert left.menu is None
    assert left.answers[-1].message.key == "menu.key_off.left"
    assert new(drive(left, edges("left@10200"), 11_000), RUNNING) == "10200 press left"


def test_the_key_off_on_the_first_page_or_before_an_answer_leaves_at_once() -> None:
    for presses in ("", "ok@7000", "ok@7000, left@8000, centre@9000"):
        assert on(STOPPED, presses, 11_000, off=10_000).menu is None


def test_in_new_zealand_the_key_opens_the_menu_once_the_five_seconds_are_over() -> None:
    assert on(OUT, rulebook=NZ).asks_ok
    assert drive(table(NZ, *OUT), key(9_000, down=True), 12_000).menu is not None


def test_the_directors_menu_closes_the_players_and_answers_their_call() -> None:
    begun = table(NASPA, *STOPPED, "5 call on=true")
    opened = drive(begun, [*edges("centre@7000+1500"), *key(9_000, down=True)], 10_000)
    assert opened.table_menu is None
    assert opened.menu is not None
    assert said(opened.history)[-1] == (9_000, "call false director")
    assert not opened.history.game.called


# --- the director's door of a two-button board: the code by left and right presses, both buttons hand it in

KNOCK = "left@6000+5300, right@6050+5300"
BOTH = "left@15000+300, right@15040+300"


def played(begun: ClockState, presses: str = "", *, until: int) -> ClockState:
    return drive(begun, edges(presses, bouncy=True), until)


def at_door(*start: str, code: bool = True, rulebook: str = NASPA) -> ClockState:
    """Return a table that asks for its code since 11.05 s."""
    return played(table(rulebook, *start, two_button=True, code=code), KNOCK, until=12_000)


def checked(asked: ClockState, *, right: bool) -> ClockState:
    return code_checked(replace(asked, door=replace(some(asked.door), checking=True)), 20_000 * MS, right=right)


def test_with_a_code_the_door_asks_and_both_buttons_hand_the_presses_in_and_without_one_the_menu_opens_at_once() -> None:
    asked = at_door(*STOPPED)
    assert (asked.menu, asked.door is not None) == (None, True)
    handed = played(asked, f"left@13000+150, right@13400+150, right@13800+150, left@14200+150, {BOTH}", until=16_000)
    assert handed.door is not None
    assert (handed.door.checking, handed.door.entered) == (True, "1221")
    assert handed.history is asked.history, "no press at the door plays"
    assert code_checked(handed, 16_000 * MS, right=True).menu is not None
    assert at_door(*STOPPED, code=False).menu is not None


def test_fewer_than_four_presses_are_not_handed_in_and_more_than_twelve_are_not_taken() -> None:
    few, many = (", ".join(f"left@{13_000 + 300 * each}+100" for each in range(count)) for count in (3, 15))
    door = some(played(at_door(*STOPPED), f"{few}, {BOTH}", until=16_000).door)
    assert not door.checking
    door = some(played(at_door(*STOPPED), many, until=18_000).door)
    assert len(door.entered) == 12


def test_wrong_codes_are_counted_two_are_free_and_the_third_waits_and_a_right_code_clears_the_count() -> None:
    asked = at_door(*STOPPED)
    for tries, wait in ((1, 0), (2, 0), (3, 30), (4, 60)):
        asked = checked(asked, right=False)
        assert asked.door is not None
        assert (asked.wrong_codes, asked.door.wrong) == (tries, True)
        assert asked.shut_until == (20 + wait) * 1000 * MS
    waiting = played(asked, "left@21000", until=22_000)
    assert some(waiting.door).entered == ""
    assert wait_ns(100) == 900 * 1000 * MS
    opened = checked(replace(at_door(*STOPPED), wrong_codes=2), right=True)
    assert (opened.wrong_codes, opened.door, opened.menu is not None) == (0, None, True)


def test_after_a_restart_the_door_still_waits() -> None:
    begun = replace(table(NASPA, *STOPPED, two_button=True, code=True), wrong_codes=3, code_tried_at=1_000 * MS)
    knocked = played(begun, KNOCK, until=12_000)
    assert knocked.shut_until == 31_000 * MS


@pytest.mark.parametrize(("code", "closes"), [(True, 31_050), (False, 311_050)], ids=["the door", "the menu"])
def test_they_close_20_and_300_seconds_after_the_last_press_which_is_theirs_by_its_first_edge(closes: int, *, code: bool) -> None:
    opened = at_door(*STOPPED, code=code)
    for until, is_open in ((closes - 1, True), (closes, False)):
        done = played(opened, until=until)
        assert ((done.door, done.menu) != (None, None), done.history is opened.history) == (is_open, True)
    inside = played(opened, f"left@{closes - 1}", until=closes + 1_000)
    assert inside.history is opened.history
    assert (inside.door, inside.menu) != (None, None)
    # What was still meant for it starts no clock.
    for pressed, event in ((closes, ""), (closes + 3_999, ""), (closes + 4_000, f"{closes + 4_000} press left")):
        assert new(played(opened, f"left@{pressed}", until=closes + 5_000), STOPPED) == event
    for pressed, event in ((closes + 3_900, ""), (closes + 4_000, f"{closes + 4_000} resume left")):
        assert new(played(opened, f"left@{pressed}, right@{pressed}", until=closes + 5_000), STOPPED) == event
    spike = [Edge((closes - 1) * MS, "left", down=True), Edge((closes - 1) * MS + 500_000, "left", down=False)]
    closed = drive(opened, spike, closes + 100)
    assert (closed.door, closed.menu, closed.history) == (None, None, opened.history)


@pytest.mark.parametrize(
    ("rulebook", "start", "presses", "events"),
    [
        # No right is lost: what counts to an end is stopped. The window of New Zealand ends no game.
        (NASPA, OUT, "left@13000", "6000 challenge"),
        (NASPA, LATE, "left@13000", "6000 arrive left"),
        (NASPA, BOTH_LATE, "", ""),
        (NZ, OUT, "", ""),
        # What one and two seconds did is taken back, but a clock that they stopped stays stopped.
        (NASPA, RUNNING, "", "6000 neutralise"),
        (NASPA, STOPPED, "", ""),
    ],
)
def test_what_the_door_leaves_of_the_game(rulebook: str, start: tuple[str, ...], presses: str, events: str) -> None:
    assert new(played(at_door(*start, rulebook=rulebook), presses, until=31_000), start) == events
