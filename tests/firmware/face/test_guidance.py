from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from firmware.face import schedule
from firmware.face.value import Face, MessageTone
from firmware.face.view import face
from firmware.gestures.clock_state import ClockState, apply_event
from firmware.gestures.hands import Hands
from firmware.menu.actions import Menu
from game.events import NewGame, Press, Undo, Verdict
from game.history import accept, begin
from rules.duration import NS
from rules.rulebooks import load_rulebook
from rules.rulebooks.model import TurnLimit
from rules.side import BySide, Side
from tests.examples import examples
from tests.firmware.gestures.states import ADJUDICATION, HOLD, OUT, OVER, RUNNING, STOPPED, STOPPED_HOLD
from tests.firmware.gestures.trains import MS, Edge, drive, setup
from tests.firmware.menu.director import director
from tests.firmware.random_games import Played, keep, played
from tests.firmware.saying import NASPA, play
from tests.firmware.table_menu.player import Players, Seats, players
from tests.some import some


def seen(both: Players, later: int = 0) -> Face:
    return face(both.table, (both.now + later) * MS)


def prompts(both: Players, later: int = 0) -> tuple[str, str]:
    halves = seen(both, later).halves
    return halves.left.prompt.replace("\u00a0", " "), halves.right.prompt.replace("\u00a0", " ")


def statuses(shown: Face) -> tuple[str, str]:
    return shown.halves.left.status, shown.halves.right.status


def page_of(both: Players, side: Side) -> tuple[str, str]:
    page = some(seen(both).halves.of(side).page)
    return page.title.partition(" · ")[0], page.sentence.replace("\u00a0", " ")


STOPPED_HALVES = (("YOUR TURN NEXT", "OPPONENT'S TURN NEXT"), "Go on? Press the\u00a0bar, or your opponent presses")
THEIRS, YOURS = (f"{whose} now. Wrong? Hold {{bar}} 1 s, then Take back" for whose in ("Your opponent's turn", "The turn is yours"))
ENDED = (
    "Your turn and your HOLD are over. Wrong? Hold {bar} 1 s, then Take back",
    "The HOLD is over, your turn. Wrong? Hold {bar} 1 s, then Take back",
)
RELEASED = ("Your HOLD is released", "RELEASED is recorded. By mistake? Hold {bar} 1 s, then Take back")
HELD = ("Your HOLD is recorded", "HOLD is recorded. By mistake? Hold {bar} 1 s, then Take back")


@pytest.mark.parametrize(
    ("start", "button", "held", "said"),
    [
        # By the player on turn while the clock stands; by a resting hand, the clock running and standing.
        (STOPPED, "left", 150, (THEIRS, YOURS)),
        (RUNNING, "right", 1_200, HELD),
        (STOPPED, "right", 1_200, HELD),
        # The holder plays on without a word; the hold ends, by a word or by a resting hand.
        (HOLD, "left", 150, ENDED),
        (HOLD, "right", 1_200, RELEASED),
        (STOPPED_HOLD, "right", 1_200, RELEASED),
    ],
)
def test_an_act_that_a_hand_may_not_have_meant_is_named_on_both_halves_with_the_way_back_for_ten_seconds(
    seats: Seats, start: tuple[str, ...], button: str, held: int, said: tuple[str, str]
) -> None:
    both = seats(NASPA, *start)
    recorded_at = both.now + (1_000 if held > 1_000 else 0)
    both.press(button, held)
    expected = tuple(each.format(bar="both buttons" if both.table.setup.two_button else "the bar") for each in said)
    assert prompts(both) == expected
    assert seen(both).halves.left.tone is MessageTone.ANSWERS
    over = recorded_at + 10_000 - both.now
    assert prompts(both, over - 1) == expected
    assert not set(prompts(both, over)) & set(expected)
    points = "Take back" in said[0] + said[1]
    assert (both.do("menu").rows[both.page.cursor] == "take_back") is points, "the row that its sentence names"


@pytest.mark.parametrize(("start", "button"), [((), "left"), (RUNNING, "left"), (STOPPED, "right"), (STOPPED, "bar")])
def test_a_press_that_ends_a_turn_or_starts_a_clock_as_asked_is_not_named(seats: Seats, start: tuple[str, ...], button: str) -> None:
    assert seen(seats(NASPA, *start).do(button)).halves.left.tone is not MessageTone.ANSWERS


def test_the_next_game_says_that_the_last_one_is_closed_for_it_cannot_be_taken_back(seats: Seats) -> None:
    both = seats(NASPA, *OVER, at=30_000).do("bar 2100, take yes")
    assert prompts(both) == ("The next game. The last one is recorded and closed",) * 2


def test_a_stop_tells_the_player_on_turn_how_to_say_that_this_was_the_last_play_until_a_verdict(seats: Seats) -> None:
    halves = seen(seats(NASPA, *STOPPED)).halves
    assert (halves.left.note.replace("\u00a0", " "), halves.right.note) == ("You played out? Hold your button 1 s", "")
    # The player who has ended a turn by a press out of habit has another way than the own button.
    habit = seen(seats(NASPA, "0 press right", "3 press left", "4 neutralise")).halves
    assert habit.left.note.replace("\u00a0", " ").startswith("Played out? In the menu: hold")
    assert habit.right.note.replace("\u00a0", " ") == "You played out? Hold your button 1 s"
    judged = seen(seats(NASPA, *ADJUDICATION, "5 verdict acceptable=false")).halves
    assert (judged.left.note, judged.right.note) == ("", "")


def test_a_menu_that_closes_because_the_game_goes_on_says_so_and_for_as_long_no_press_starts_a_clock(seats: Seats) -> None:
    both = seats(NASPA, *ADJUDICATION).do("menu")
    at = both.now * MS
    both.table = Hands(both.table, at).change(partial(apply_event, event=Verdict(acceptable=False), at=at), at).shown
    assert both.table.table_menu is None
    assert prompts(both) == ("The menu closed by itself: nothing was done",) * 2
    before = both.said()
    assert both.do("right, bar").said() == before
    assert prompts(both) == ("A menu has just closed by itself: this press did nothing",) * 2
    assert both.do("wait 4000, right").game.running is Side.LEFT


@pytest.mark.parametrize(("code", "title", "ms"), [(True, "Director's code · 0:20 left", 20_000), (False, "DIRECTOR · 5:00 left", 300_000)])
def test_the_door_and_the_directors_menu_of_two_buttons_count_down_and_say_that_they_closed(*, code: bool, title: str, ms: int) -> None:
    both = players(NASPA, *STOPPED, two_button=True, code=code).do("bar 5100")
    menu = some(seen(both).menu)
    assert (menu.title, menu.sentence.startswith("left, right: the code")) == (title, code)
    assert seen(both.do(f"wait {ms}")).menu is None
    assert "closed by itself" in prompts(both)[0]


def test_at_a_shut_door_the_wait_is_the_only_time() -> None:
    both = players(NASPA, *STOPPED, two_button=True, code=True).do("bar 5100")
    both.table = replace(both.table, wrong_codes=3, code_tried_at=(both.now - 5_000) * MS)
    menu = some(seen(both).menu)
    assert (menu.title, menu.sentence, menu.lines, menu.hint) == ("Director's code", "Wait 25\u00a0s", (), "")


def test_the_page_on_which_both_agree_on_a_rulebook_names_it_before_the_times() -> None:
    for lines in ((), (*STOPPED, "20 end reason=x")):
        both = players(NASPA, *lines, at=60_000, players_choose_rulebook=True).do("menu rulebook/club")
        assert [some(half.page).lines for _, half in seen(both).halves.items()] == [
            ("Club rules", "You begin with 25:00", "Your opponent begins with 25:00")
        ] * 2


def test_a_time_frame_stays_in_sight_above_the_rows_of_both_menus() -> None:
    halves = seen(players(NASPA, "0 press right", "14 out_play", at=15_000).do("menu")).halves
    for half in (halves.left, halves.right):
        assert some(half.page).lines == ("OUT PLAY 0:18",)
    at = director(NASPA, *STOPPED, "5 window name=tile_decision", two_button=False)
    assert some(face(at.table, at.now * MS).menu).lines[0].startswith("TILE CHOICE 0:")


def test_the_strip_names_no_gesture_while_a_menu_is_open_and_the_menu_opens_on_the_call() -> None:
    both = players(NASPA, *STOPPED)
    assert "Why stopped?" in seen(both).hint
    assert seen(both.do("menu")).hint == ""
    assert both.rows[both.page.cursor] == "call"
    assert both.do("bar").game.called
    assert both.presses == 2


def test_an_out_play_is_asked_of_the_player_whose_button_was_held_and_another_answer_says_what_to_do(seats: Seats) -> None:
    both = seats(NASPA, "0 press left", "5 neutralise", "8 press left", "14 neutralise").do("right 1200")
    bar = "both buttons" if both.table.setup.two_button else "the bar"
    assert page_of(both, Side.RIGHT) == ("Did you play out?", f"Yes: press your button · No: {bar}")
    assert page_of(both, Side.LEFT) == ("Did your opponent play out?", "Yes: your opponent presses · No: press your button")
    assert prompts(both.do("left")) == (f"No out play is declared. Disagree? Call the director: hold {bar} 1 s",) * 2


def test_an_out_play_that_would_end_the_game_at_once_says_why_and_to_the_opponent_what_else_is_possible(seats: Seats) -> None:
    both = seats(NASPA, *RUNNING, "10 press left", "12 hold", "14 release", "16 neutralise").do("menu out_play left")
    own, other = (some(seen(both).halves.of(side).page).lines for side in (Side.LEFT, Side.RIGHT))
    assert own == ("Agree only if the play was accepted",)
    assert other[:1] == own
    assert other[1].startswith("Not so? Leave here, then challenge: ")
    bar = "bar 2100"
    assert both.do(f"bar, take close, {bar}").game.phase.value == "adjudication"


def test_a_time_frame_that_runs_already_is_not_begun_anew_but_for_another_player_or_instant(seats: Seats) -> None:
    both = seats(NASPA, *STOPPED, "19 window right name=overdraw_decision").do("menu frames/overdraw_decision/right")
    assert prompts(both)[0].startswith("Not possible: this time frame runs already. Call the director")
    assert both.do("menu frames/overdraw_decision/left").said()[-1] == "window overdraw_decision left"
    assert seats(NASPA, *OVER, "19 window name=between_rounds").do("menu").rows[0] != "between_rounds"
    assert seats(NASPA, "19 window name=late_start").do("menu frames/late_start/0").said()[-1] == "window late_start"


def test_what_a_take_back_comes_to_is_said_in_words_where_a_player_has_no_state_of_the_own(seats: Seats) -> None:
    page = some(seen(seats(NASPA, *OUT, "6 release", at=7_000).do("menu take_back")).halves.left.page)
    assert "GAME OVER becomes YOU PLAYED OUT" in page.lines
    ended = some(seen(seats(NASPA, *ADJUDICATION, "5 end reason=x", at=7_000).do("menu take_back")).halves.left.page)
    assert "GAME OVER becomes YOU CHALLENGE" in ended.lines
    other = some(seen(seats(NASPA, "0 press right", "4 press left", "9 neutralise", at=12_000).do("menu take_back")).halves.left.page)
    assert ["Both times stay as they are" in each.lines for each in (ended, other)] == [True, False]


@pytest.mark.parametrize("path", [f"allowance/left/{30 * 60 * 10**9}", "rulebook/club"])
def test_a_time_and_a_rulebook_at_the_end_of_a_game_ask_before_they_begin_the_next(seats: Seats, path: str) -> None:
    both = seats(NASPA, *OVER, at=30_000, players_choose_rulebook=True).do(f"menu {path}")
    page = some(seen(both).halves.left.page)
    assert page.title.startswith("The next game begins: do both agree?")
    assert any(line.startswith("You begin with") for line in page.lines)
    assert both.do("wait 90000").said()[-1] == "end x", "unanswered, the ended game stands"


SETUP = setup()
FAR = 3_000 * NS


def _table(game: Played) -> ClockState:
    return ClockState(keep(*game), SETUP)


def _require_still(table: ClockState, now: int, spots: list[int]) -> int | None:
    """Return the instant of the next change; up to it the face stands still."""
    due = schedule.next_due(table, now)
    end = now + FAR if due is None else due
    assert due is None or due > now
    shown = face(table, now)
    for spot in {now, end - 1, *(now + spot * (end - now) // 10_000 for spot in spots)} - {end}:
        assert face(table, spot) == shown
    return due


_NASPA = load_rulebook("naspa-2017")
LIMITED = NewGame(replace(_NASPA, turn=TurnLimit(60 * NS, (20 * NS, 5 * NS))), "limited", BySide.both(None))
"""A game in which each turn has a minute, with a first warning at 20 s."""


@given(played() | played(st.just(LIMITED)), st.integers(0, 2_000 * NS), st.lists(st.integers(0, 9_999), max_size=6))
def test_the_face_stands_still_until_its_next_change_and_differs_there(game: Played, later: int, spots: list[int]) -> None:
    table = _table(game)
    now = table.history.at + later
    for _ in range(4):
        due = _require_still(table, now, spots)
        assert due is None or face(table, due) != face(table, now)
        now = due or now + 1


@settings(max_examples=examples(100), deadline=None)
@given(played(), st.integers(0, 100 * NS), st.integers(0, 100 * NS))
def test_a_frozen_table_never_changes(game: Played, later: int, much_later: int) -> None:
    table = _table(game)
    frozen = replace(table, frozen=table.history.at)
    assert schedule.next_due(frozen, later) is None
    assert face(frozen, later) == face(frozen, later + much_later)


@settings(max_examples=examples(100), deadline=None)
@given(played(), st.integers(0, 30 * NS), st.lists(st.integers(0, 9_999), max_size=4), st.integers(1, 30))
def test_the_directors_pages_show_what_comes_to_be_and_what_cannot_be_done_at_every_instant(
    game: Played, later: int, spots: list[int], number: int
) -> None:
    table = _table(game)
    for menu in (Menu("undo", (number,)), Menu(), Menu("adjust", (Side.RIGHT,), cursor=5), Menu("press")):
        asked, now = replace(table, menu=menu), table.history.at + later
        for _ in range(3):
            # What would have been may tick where the page says nothing of it: to wake for that is allowed, to sleep through a change is not.
            now = _require_still(asked, now, spots) or now + 1


def test_the_reading_turns_to_minus_zero_one_nanosecond_past_zero() -> None:
    table = ClockState(play("naspa-2017", "0 press right").history, SETUP)
    zero = 1_500 * NS
    assert schedule.next_due(table, zero) == zero + 1
    assert (face(table, zero).halves.left.reading, face(table, zero + 1).halves.left.reading) == ("0:00", "-0:00")
    assert schedule.next_due(table, zero + 1) == zero + NS


def test_points_that_count_a_late_side_s_debt_change_between_two_readings() -> None:
    # Left owes 5.25 s, to be deducted at the end: with 4.25 s left it is a whole second over.
    history = play("naspa-2012", "0 late_start both", "5.25 arrive left", "6 arrive right", "10 press left", "20 press right").history
    table, begins = ClockState(history, SETUP), (20 + 1_500) * NS - 4_250_000_000
    assert schedule.next_due(table, begins - 1) == begins
    marks = [face(table, now).halves.left.marks for now in (begins - 1, begins)]
    assert ["-10 points" in each for each in marks] == [False, True]


@pytest.mark.parametrize(
    ("warnings", "before", "first"),
    [((20, 5), 20, "turn ends in 0:20"), ((5,), 10, "turn ends in 0:10"), ((), 10, "turn ends in 0:10")],
)
def test_a_limited_turn_counts_down_on_its_players_half_from_the_first_warning_and_says_its_end(
    warnings: tuple[int, ...], before: int, first: str
) -> None:
    book = replace(_NASPA, turn=TurnLimit(60 * NS, tuple(each * NS for each in warnings)))
    history = accept(begin(NewGame(book, "limited", BySide.both(None)), 0), Press(Side.RIGHT), 0)
    begins = (60 - before) * NS
    shown = [face(ClockState(history, SETUP), now).halves for now in (begins - 1, begins, 59 * NS, 60 * NS, 90 * NS)]
    assert [half.left.marks for half in shown] == [(), (first,), ("turn ends in 0:01",), *[("TURN TIME OVER",)] * 2]
    assert {half.right.marks for half in shown} == {()}
    assert face(ClockState(accept(history, Press(Side.LEFT), 65 * NS), SETUP), 66 * NS).halves.left.marks == ()


def test_an_undo_of_a_stop_previews_a_clock_that_would_run_on() -> None:
    history = play("naspa-2017", "1 press right", "10 neutralise").history
    table = ClockState(history, SETUP, menu=Menu("undo", (3,)))
    assert isinstance(accept(history, Undo("x", 3), 20 * NS).event, Undo)
    assert face(table, 20 * NS).menu != face(table, some(schedule.next_due(table, 20 * NS))).menu


@pytest.mark.parametrize(("button", "fill"), [("left", "OUT PLAY?"), ("right", "HOLD"), ("centre", "menu")])
def test_while_a_hold_asks_no_half_shows_the_clock_that_letting_go_would_start(button: str, fill: str) -> None:
    table, before = ClockState(play(NASPA, *STOPPED).history, SETUP), STOPPED_HALVES
    down = [Edge(7_000 * MS, button, down=True)]
    at = {ms: face(drive(table, down, 7_000 + ms), (7_000 + ms) * MS) for ms in (249, 250, 999, 1_000)}
    assert "YOUR TURN" in statuses(at[249]), "a short press is on the face at once"
    for ms in (250, 999):
        assert (statuses(at[ms]), at[ms].halves.left.prompt) == before
        assert fill in at[ms].fills[0].hold_on
    let_go = drive(table, [*down, Edge(7_600 * MS, button, down=False)], 7_640)
    assert "YOUR TURN" in statuses(face(let_go, 7_640 * MS))
    assert let_go.game_at(8_000 * MS).used_at(some(let_go.history.game.running), 8_000 * MS) >= 1_000 * MS, "from the first edge"
