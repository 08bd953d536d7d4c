"""What the face says of acts that a hand may not have meant, of menus that close by themselves, and of time frames and gestures behind a menu."""

import pytest

from firmware.face.schedule import next_change
from firmware.face.value import Face, MessageTone
from firmware.face.view import face
from tests.cells import each_cell
from tests.firmware.gestures.trains import MS
from tests.firmware.menu.director import director
from tests.firmware.table_menu.player import Players, players

boards = pytest.mark.parametrize("two_button", [False, True], ids=["full", "two-button"])
STOPPED = ("0 press right", "14 neutralise")
OUT = ("0 press right", "14 out_play")


def seen(both: Players, later: int = 0) -> Face:
    """Return the face now, or so many ms later."""
    return face(both.table, (both.now + later) * MS)


def prompts(both: Players, later: int = 0) -> tuple[str, str]:
    """Return both halves' instructions without their non-breaking blanks."""
    halves = seen(both, later).halves
    return halves.left.prompt.replace("\u00a0", " "), halves.right.prompt.replace("\u00a0", " ")


ACTS = {
    "a press that closes a challenge": (
        ("0 press right", "14 challenge"),
        "left",
        150,
        ("Challenge closed, no verdict. Wrong? Hold {bar} 1 s: take back",) * 2,
    ),
    "a press of the player on turn while the clock stands": (
        STOPPED,
        "left",
        150,
        (
            "Your opponent's turn now. Wrong? Hold {bar} 1 s: take back",
            "The turn is yours now. Wrong? Hold {bar} 1 s: take back",
        ),
    ),
    "a hold by a resting hand, the clock running": (
        ("0 press right",),
        "right",
        1_200,
        ("Your HOLD is recorded", "HOLD is recorded. Not called? Hold your button 1 s again"),
    ),
    "a hold by a resting hand, the clock standing": (
        STOPPED,
        "right",
        1_200,
        ("Your HOLD is recorded", "HOLD is recorded. Not called? Hold your button 1 s again"),
    ),
}


@boards
def test_an_act_that_a_hand_may_not_have_meant_is_named_on_both_halves_with_the_way_back_for_six_seconds(two_button: bool) -> None:
    for cell in each_cell(ACTS):
        with cell as name:
            start, button, held, said = ACTS[name]
            both = players("naspa-2017", *start, two_button=two_button)
            pressed_at = both.now
            both.press(button, held)
            bar = "both buttons" if two_button else "the bar"
            expected = tuple(each.format(bar=bar) for each in said)
            assert prompts(both) == expected
            assert seen(both).halves.left.tone is MessageTone.ANSWERS
            recorded_at = pressed_at + (1_000 if held > 1_000 else 0)
            over = recorded_at + 6_000 - both.now
            assert prompts(both, over - 1) == expected
            assert not set(prompts(both, over)) & set(expected)


@boards
def test_a_press_that_ends_a_turn_or_starts_a_clock_as_the_face_asks_is_not_named(two_button: bool) -> None:
    for cell in each_cell([((), "left"), (("0 press right",), "left"), (STOPPED, "right"), (STOPPED, "bar")]):
        with cell as (start, button):
            both = players("naspa-2017", *start, two_button=two_button)
            both.press(button)
            assert seen(both).halves.map(lambda half: half.tone is MessageTone.ANSWERS).left is False


@boards
def test_the_players_menu_counts_down_and_says_that_it_closed_by_itself(two_button: bool) -> None:
    both = players("naspa-2017", *STOPPED, two_button=two_button)
    both.open()
    page = seen(both).halves.left.page
    assert page is not None
    assert page.title == "MENU · 0:15 left"
    at = both.now * MS
    assert next_change(both.table, at) is not None
    assert face(both.table, next_change(both.table, at) or 0) != face(both.table, at)
    both.wait(15_100)
    assert both.table.table_menu is None
    assert prompts(both) == ("The menu closed by itself: nothing was done",) * 2
    both.wait(4_000)
    assert (
        prompts(both) == ("Wait: your opponent starts your clock, or press the bar", "Press to start your opponent's clock") or two_button
    )


def test_the_door_and_the_directors_menu_of_two_buttons_count_down_and_say_that_they_closed() -> None:
    for cell in each_cell([(True, "Director's code · 0:20 left", 20_000), (False, "DIRECTOR · 5:00 left", 300_000)]):
        with cell as (code, title, ms):
            both = players("naspa-2017", *STOPPED, two_button=True, code=code)
            both.press("bar", 5_100)
            menu = seen(both).menu
            assert menu is not None
            assert menu.title == title
            both.wait(ms)
            assert seen(both).menu is None
            assert "closed by itself" in prompts(both)[0]


def test_a_time_frame_stays_in_sight_above_the_rows_of_both_menus() -> None:
    both = players("naspa-2017", *OUT, at=15_000)
    both.open()
    halves = seen(both).halves
    for half in (halves.left, halves.right):
        assert half.page is not None
        assert half.page.lines == ("OUT PLAY 0:18",)
    at = director("naspa-2017", "0 press right", "4 neutralise", "5 window name=tile_decision", two_button=False)
    shown = face(at.table, at.now * MS).menu
    assert shown is not None
    assert shown.lines[0].startswith("TILES TO CHOOSE 0:")


def test_the_strip_names_no_gesture_while_a_menu_is_open_and_the_menu_opens_on_the_reason_that_is_missing() -> None:
    both = players("naspa-2017", *STOPPED)
    assert "Say why" in seen(both).hint
    both.open()
    assert seen(both).hint == ""
    assert both.rows[both.page.cursor] == "reason"
    both.press("bar")
    assert both.table.table_menu is not None
    assert both.table.table_menu.path == ("reason",)
    given = players("naspa-2017", *STOPPED, "15 reason reason=overdraw")
    given.open()
    assert given.rows[given.page.cursor] == "challenge"


def test_a_hold_that_came_after_the_stop_makes_the_stop_no_challenge() -> None:
    before = players("naspa-2017", "0 press right", "10 hold", "14 neutralise")
    after = players("naspa-2017", *STOPPED, "16 hold")
    assert "a stop is a challenge" in seen(before).hint
    assert "Say why" in seen(after).hint


@boards
def test_a_row_that_is_refused_says_why_on_both_halves(two_button: bool) -> None:
    both = players("naspa-2017", "0 press left", "5 neutralise", "8 press left", "14 neutralise", two_button=two_button)
    both.open()
    both.path("out_play", "left")
    assert prompts(both) == ("Not possible: that player's last press ended no turn",) * 2


def test_a_call_stays_on_the_strip_while_clocks_run_until_it_is_answered() -> None:
    both = players("naspa-2017", *STOPPED)
    both.open()
    both.path("call")
    both.press("bar")
    both.press("left")
    assert both.game.running is not None
    assert seen(both).called == "DIRECTOR PLEASE"
    both.open()
    both.path("call_answered")
    assert seen(both).called == ""


@boards
def test_a_time_and_a_rulebook_at_the_end_of_a_game_ask_before_they_begin_the_next(two_button: bool) -> None:
    for cell in each_cell([("allowance", "left", str(30 * 60 * 10**9)), ("rulebook", "club")]):
        with cell as path:
            both = players("naspa-2017", "0 press right", "14 end reason=x", two_button=two_button, players_choose_rulebook=True)
            both.open()
            both.path(*path)
            page = seen(both).halves.left.page
            assert page is not None
            assert page.title.startswith("The next game begins: do both agree?")
            assert any(line.startswith("You begin with") for line in page.lines)
            both.wait(15_100)
            assert both.said()[-1] == "end x", "unanswered, the ended game stands"
