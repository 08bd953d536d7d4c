"""The row Result and its pages, pressed by two players (docs/spec/result.md)."""

import pytest
from msgspec.structs import replace

from firmware.face.schedule import next_due
from firmware.face.view import face
from firmware.gestures.clock_state import ClockState, apply_event
from firmware.gestures.table_presses import hit_digit
from firmware.table_menu.actions import CHANGE, SIGN, Draft, PageKind
from game.events import By, Call, EraseOvertime, Reopen, Result, Undo
from game.game import Phase
from game.table import Assignment
from rules.contact import MS
from rules.duration import NS
from rules.side import BySide, Side
from tests.firmware.gestures.states import edges
from tests.firmware.gestures.trains import drive
from tests.firmware.saying import NASPA, NZ
from tests.firmware.table_menu.player import Players, players
from tests.firmware.table_menu.signing import draft_of, enter, enter_value, sign, signed
from tests.some import of_kind, some

OUT = ("0 press right", "100 out_play", "110 release")
LATE_OUT = ("0 press right", "1561 out_play", "1562 release")
"""Left is a minute and a second over time."""
boards = pytest.mark.parametrize("two_button", [False, True])


def ended(rulebook: str, *lines: str, **more: bool) -> Players:
    return players(rulebook, *lines, at=1_700_000, results=True, **more)


def seen(both: Players, after_ms: int = 0) -> tuple[str, str]:
    """Return the instructions of both halves."""
    left, right = (half.prompt for _, half in face(both.table, (both.now + after_ms) * MS).halves.items())
    return left, right


def kind(both: Players) -> PageKind:
    return both.page.kind


def draft(both: Players) -> Draft:
    return both.table.draft


def pages(both: Players) -> list[str]:
    """Return all words of the page on each half."""
    found = [some(half.page) for _, half in face(both.table, both.now * MS).halves.items()]
    return [" | ".join((page.title, *page.figures, *page.lines, page.sentence, page.hint)) for page in found]


@boards
def test_two_players_enter_their_scores_and_sign_one_row(two_button: bool) -> None:
    both = ended(NASPA, *LATE_OUT, two_button=two_button)
    assert seen(both)[0].startswith("Sign the result")
    enter(both, (412, 389))
    left, right = pages(both)
    assert "You win 392 to 389, by 3" in left
    assert "You: 412 - 20 = 392" in left
    assert "Your opponent: 389" not in left, "the title says it"
    assert "Your opponent wins 392 to 389, by 3" in right
    sign(both, "right")
    assert signed(both) is None
    assert "Your opponent has signed" in pages(both)[0]
    sign(both, "left")
    event = of_kind(Result, both.table.history.event)
    assert (event.scores, event.taken_off, event.final) == (BySide(412, 389), False, BySide(392, 389))
    # The later signature's first edge is the event's instant.
    assert event.signed == BySide(0, 1_500 * MS)
    assert both.table.history.at == (both.now - 1_500) * MS
    assert (both.table.table_menu, draft(both)) == (None, Draft())
    assert seen(both, 4_000) == ("Signed by both: you win 392 to 389, by 3", "Signed by both: your opponent wins 392 to 389, by 3")


def test_a_digit_turns_up_with_left_and_down_with_right_wraps_and_repeats_one_round_while_held() -> None:
    both = ended(NASPA, *OUT).do("menu")
    both.press("bar")
    assert [draft_of(both.do(step)).scores.left for step in ("left", "right", "right", "left")] == [555, 455, 355, 455]
    both.press("left", 600 + 4 * 400 + 200)
    assert draft_of(both).scores.left == 55  # 4, 5 ... 9, 0
    both.press("right", 60_000)
    assert draft_of(both).scores == BySide(55, 455)
    both.press("bar")
    both.do("left")
    assert draft_of(both).scores.left == 65


def test_the_score_is_large_on_its_players_half_and_in_words_on_the_other() -> None:
    both = ended(NASPA, *LATE_OUT).do("menu")
    both.press("bar")
    own, other = pages(both)
    assert own.startswith("Your score | 455 | Before the points for overtime")
    assert other.startswith("Your opponent's score | Before the points for overtime | 455 · You turn down")
    enter_value(both, 412, 3)
    own, other = pages(both)
    assert "Your opponent's score" in own
    assert other.startswith("Your score | 455")


def test_names_stand_on_the_page_and_in_the_row_with_the_table() -> None:
    both = ended(NASPA, *OUT)
    both.table = _seated(both, Assignment(7, BySide("Ada", "Bo")))
    both.do("menu")
    both.press("bar")
    assert pages(both)[0].startswith("Your score, Ada")
    for score in (412, 389):
        enter_value(both, score, 3)
    sign(both, "left", "right")
    event = of_kind(Result, both.table.history.event)
    assert (event.names, event.table) == (BySide("Ada", "Bo"), 7)


def _seated(both: Players, place: Assignment) -> ClockState:
    return replace(both.table, setup=replace(both.table.setup, seats=place))


@boards
def test_buttons_that_are_down_together_sign_nothing(two_button: bool) -> None:
    both = enter(ended(NASPA, *OUT, two_button=two_button), (412, 389))
    # Without a bar of its own the board takes them for the bar.
    both.do("both 5000")
    assert (signed(both), draft_of(both).signatures) == (None, BySide(None, None))
    assert kind(both) is (PageKind.ROWS if two_button else PageKind.SIGN)


def test_the_page_says_that_both_buttons_at_once_sign_nothing() -> None:
    both = enter(ended(NASPA, *OUT), (412, 389))
    now = both.now
    table = drive(both.table, edges(f"left@{now}+1500, right@{now + 200}+1500"), now + 1_800)
    assert all("Not both at once: sign one after the other" in page for page in pages(Players(table, now + 1_800)))
    assert all("Right? Sign: hold your button" in page for page in pages(Players(table, now + 4_000)))


def test_the_second_hold_does_not_count_while_the_first_button_is_down() -> None:

    both = enter(ended(NASPA, *OUT), (412, 389))
    start = both.now
    table = drive(both.table, edges(f"left@{start}+4000, right@{start + 1500}+1500"), start + 5_000)
    assert table.draft.signatures.left is not None
    assert table.draft.signatures.right is None
    # Apart they do.
    apart = drive(both.table, edges(f"left@{start}+1100, right@{start + 1150}+1100"), start + 5_000)
    assert apart.history.game.result is not None
    # A hold that is a moment too short signs nothing.
    short = drive(both.table, edges(f"left@{start}+980, right@{start + 1150}+1100"), start + 5_000)
    assert short.history.game.result is None


def test_any_change_takes_both_signatures_back() -> None:
    for row, steps, final in (("score left", "left, bar, bar, bar", BySide(492, 389)), ("taken_off", "wait 1", BySide(412, 389))):
        both = sign(enter(ended(NASPA, *LATE_OUT), (412, 389)), "left")
        assert draft_of(both).signatures.left is not None
        both.do(f"bar, take {row}, {steps}")
        assert kind(both) is PageKind.SIGN
        assert draft_of(both).signatures == BySide(None, None)
        sign(both, "right")
        assert signed(both) is None
        sign(both, "left")
        assert signed(both) == final


def test_a_page_that_is_only_looked_at_keeps_a_signature_and_so_does_the_menu_that_closes() -> None:
    both = sign(enter(ended(NASPA, *OUT), (412, 389)), "left")
    both.press("bar")
    assert some(both.table.table_menu).path == CHANGE
    both.do("take back")
    assert some(both.table.table_menu).path == SIGN
    both.press("bar")
    both.do("take close")
    both.do("wait 600000, menu")
    both.press("bar")
    assert some(both.table.table_menu).path == SIGN
    assert signed(sign(both, "right")) == BySide(412, 389)


def test_reopening_clears_the_draft_and_a_struck_result_may_be_entered_anew() -> None:
    both = sign(enter(ended(NASPA, *OUT), (412, 389)), "left")
    both.table = apply_event(both.table, Reopen("x"), both.now * MS)
    both.do("wait 100")
    assert draft(both) == Draft()
    both = sign(enter(ended(NASPA, *OUT), (412, 389)), "left", "right")
    assert "result" not in both.do("menu").rows
    both.table = apply_event(both.do("take close").table, Undo("x"), both.now * MS, By.DIRECTOR)
    assert signed(both.do("wait 100")) is None
    both.do("menu")
    both.press("bar")
    assert draft_of(both) == Draft()


def test_a_signature_counts_only_for_the_scores_that_its_player_has_read() -> None:
    both = sign(enter(ended(NASPA, *LATE_OUT), (412, 389)), "left")
    # The director changes what the game gives.
    both.table = apply_event(both.table, EraseOvertime(Side.LEFT, "x"), both.now * MS)
    sign(both, "right")
    assert signed(both) is None
    assert signed(sign(both, "left")) == BySide(412, 389)


def test_the_recount_minute_starts_once_with_the_agreement_where_the_rulebook_counts_it_from_there() -> None:
    both = enter(ended(NASPA, *OUT), (412, 389))
    assert both.said()[-1] == "window recount"
    both.press("bar")
    both.do("take score left")
    enter_value(both, 413, 3)
    assert both.said().count("window recount") == 1
    # In 2014 it started at the end; New Zealand has none.
    assert "window recount" not in enter(ended("naspa-2014", *OUT), (412, 389)).said()
    assert "window recount" not in enter(ended(NZ, *OUT), (412, 389), (1, 0)).said()
    # After the limit there is no recount (2017 V.G.3).
    assert "window recount" not in enter(players(NASPA, "0 press right", at=2_300_000, results=True), (412, 389)).said()


def test_the_page_to_sign_says_for_how_long_a_recount_may_still_be_asked_for() -> None:
    both = enter(ended(NASPA, *OUT), (412, 389))
    assert all("Recount? 1:00 left to ask" in page for page in pages(both))
    both.do("wait 20000, right 1200")
    # With the opponent's signature; the next second is drawn by itself.
    assert "Your opponent has signed | Recount? 0:3" in pages(both)[0]
    due = some(next_due(both.table, both.now * MS))
    assert due - both.now * MS <= NS
    both.do("wait 40000")
    assert "Recount" not in pages(both)[0]
    # After the limit, and in New Zealand, there is none.
    assert "Recount" not in pages(enter(players(NASPA, "0 press right", at=2_300_000, results=True), (412, 389)))[0]


def test_new_zealands_bonus_words_follow_the_scores() -> None:
    both = enter(ended(NZ, *OUT), (412, 389), (3, 0))
    assert "You: 412, bonus words: 3" in pages(both)[0]
    sign(both, "left", "right")
    assert of_kind(Result, both.table.history.event).words == BySide(3, 0)


def test_at_the_limit_and_after_leaving_the_page_says_what_the_rulebook_makes_of_the_scores() -> None:
    limit = enter(players(NASPA, "0 press right", at=2_300_000, results=True), (530, 389))
    assert "You: 530 - 100 = 430" in pages(limit)[0]
    assert "You: 389, becomes 431" in pages(limit)[1]
    assert signed(sign(limit, "left", "right")) == BySide(430, 431)
    left = enter(ended(NASPA, "0 press right", "9 end reason=resignation loser=right"), (380, 401))
    assert signed(sign(left, "left", "right")) == BySide(451, 401)


FORFEITS = [
    ((NASPA, "0 late_start left"), "Forfeit: your opponent wins, spread -50 for you. Nothing to sign"),
    ((NASPA, "0 press right", "9 end reason=forfeit loser=right"), "Forfeit: you win, spread +50. Nothing to sign"),
    ((NZ, "0 press right", "9 end reason=resignation loser=right"), "Forfeit: you win, spread +50. Nothing to sign"),
    ((NASPA, "0 late_start both"), "Both players forfeit: nothing to sign"),
]


def test_after_a_forfeit_there_is_nothing_to_enter_and_the_halves_say_the_spread() -> None:
    for (rulebook, *lines), left in FORFEITS:
        both = ended(rulebook, *lines)
        assert seen(both)[0] == left
        assert "result" not in both.do("menu").rows


def test_an_own_button_says_how_to_sign_and_nothing_of_a_slip() -> None:
    assert seen(ended(NASPA, *OUT).do("left"))[0] == "Sign the result: hold the\u00a0bar 1\u00a0s"
    both = sign(enter(ended(NASPA, *OUT), (412, 389)), "left", "right").do("wait 4000, left")
    assert seen(both)[0] == "Signed by both: you win 412 to 389, by 23"


def test_the_bar_says_how_to_sign_before_it_speaks_of_the_next_game() -> None:
    both = players(NASPA, *OUT, at=112_000, results=True).do("bar")
    assert seen(both)[0] == "Sign the result: hold the\u00a0bar 1\u00a0s"
    both = players(NASPA, *OUT, at=112_000).do("bar")
    assert seen(both)[0].startswith("The next game can begin in 0:")


def test_with_paper_nothing_of_it_is_there() -> None:
    both = players(NASPA, *OUT, at=200_000)
    assert seen(both)[0] == "Keep the times until the slip is signed"
    assert "result" not in both.do("menu").rows
    assert "result" not in ended(NASPA, "9 end reason=x").do("menu").rows, "nothing was played"


@boards
def test_the_next_game_asks_once_if_the_last_result_is_not_signed(two_button: bool) -> None:
    both = ended(NASPA, *OUT, two_button=two_button)
    both.press("bar", 2_300)
    assert both.rows == ("no", "yes")
    assert pages(both)[0].startswith("Not signed: result on paper? Begin the next game?")
    assert both.said()[-1].startswith("release")
    both.do("wait 3600000")
    assert both.rows == ("no", "yes"), "nothing is confirmed by time"
    assert both.do("take yes").said()[0].startswith("new_game")
    both = sign(enter(ended(NASPA, *OUT, two_button=two_button), (412, 389)), "left", "right")
    both.press("bar", 2_300)
    assert pages(both)[0].startswith("Begin the next game?")


@boards
def test_led_displays_alone_enter_and_sign_without_a_menu(two_button: bool) -> None:
    both = ended(NASPA, *OUT, two_button=two_button, screen=False)
    both.press("bar", 1_200)
    assert kind(both) is PageKind.SCORE
    for value in (412, 389):
        enter_value(both, value, 3)
    assert kind(both) is PageKind.SIGN
    # After 15 s without a press the readings come back, and the draft stays.
    both.do("wait 16000")
    assert both.table.table_menu is None
    both.press("bar", 1_200)
    assert signed(sign(both, "left", "right")) == BySide(412, 389)


def test_led_displays_alone_say_that_overtime_is_taken_off_already() -> None:
    both = enter_value_each(ended(NASPA, *LATE_OUT, screen=False))
    both.press("bar")
    assert both.rows == ("score left", "score right", "taken_off", "close", "back")
    assert signed(sign(both.do("take taken_off"), "left", "right")) == BySide(412, 389)


@boards
def test_led_displays_alone_ask_once_before_the_next_game_whether_the_result_is_on_paper(two_button: bool) -> None:
    both = ended(NASPA, *OUT, two_button=two_button, screen=False)
    both.press("bar", 2_300)
    assert (both.rows, both.page.cursor, both.game.phase) == (("no", "yes"), 0, Phase.OVER)
    assert both.do("take yes").game.phase is Phase.READY


@boards
def test_on_led_displays_alone_a_player_disputes_a_signed_result(two_button: bool) -> None:
    both = sign(enter_value_each(ended(NASPA, *OUT, two_button=two_button, screen=False)), "left", "right")
    both.do("wait 4000").press("bar", 1_200)
    assert (both.rows, both.rows[both.page.cursor]) == (("dispute", "close"), "close")
    both.do("take dispute")
    assert (both.game.disputed, both.game.called) == (True, True)


def enter_value_each(both: Players) -> Players:
    """Enter both scores where no menu comes first."""
    both.press("bar", 1_200)
    for value in (412, 389):
        enter_value(both, value, 3)
    return both


def test_a_finger_on_the_key_of_a_digit_chooses_and_takes_it() -> None:
    both = ended(NASPA, *OUT).do("menu")
    both.press("bar")
    for digit in (4, 1, 2, 3, 8, 9):
        both.table = hit_digit(both.table, digit, both.now * MS)
    assert kind(both) is PageKind.SIGN
    assert draft_of(both).scores == BySide(412, 389)
    assert both.said()[-1] == "window recount"
    # On another page it does nothing.
    assert hit_digit(both.table, 5, both.now * MS) is both.table
    assert signed(sign(both, "left", "right")) == BySide(412, 389)


def test_one_row_after_the_signing_disputes_the_result_until_the_next_game_and_calls_the_director() -> None:
    # One player has signed for both, one press after the other: both holds are in the row, and so is what the other one says of it.
    both = sign(enter(ended(NASPA, *OUT), (412, 389)), "left", "right").do("wait 4000, menu dispute")
    assert both.table.history.event == Call(on=True, disputes=True)
    assert both.game.called
    assert (signed(both), both.game.disputed) == (BySide(412, 389), True)
    assert seen(both, 4_000) == ("Result disputed: wait for the director",) * 2
    # Any player may take the call back; the dispute stays.
    both.do("wait 4000, menu call")
    assert (both.game.called, both.game.disputed) == (False, True)
    again = both.do("menu").page.rows[both.rows.index("dispute")]
    assert some(again.refused).said(both.table.setup.texts) == "Not possible: the result is disputed already"
    # Once the next game has begun, the director cannot reopen this one.
    both.do("take close, wait 100").press("bar", 2_300)
    assert both.rows == ("no", "yes")
    assert pages(both)[0].startswith("Result disputed: begin the next game?")
    assert (both.do("take yes").game.phase, both.game.disputed) == (Phase.READY, False)


def test_only_a_signed_result_can_be_disputed_and_a_reopened_game_is_not() -> None:
    both = enter(ended(NASPA, *OUT), (412, 389))
    sign(both, "left")
    both.press("bar")
    both.do("take close, menu")
    assert "dispute" not in both.rows
    both = sign(enter(ended(NASPA, *OUT), (412, 389)), "left", "right").do("menu dispute")
    reopened = apply_event(both.table, Reopen("x"), both.now * MS)
    assert not reopened.history.game.disputed
    struck = apply_event(both.table, Undo("x"), both.now * MS, By.DIRECTOR)
    assert (struck.history.game.result, struck.history.game.disputed) == (None, False)


@pytest.mark.parametrize("rows", ["allowance/left/1560000000000", "rulebook/naspa-2014"])
def test_a_next_game_with_a_time_or_a_rulebook_of_its_own_asks_for_the_paper_too(rows: str) -> None:
    both = ended(NASPA, *OUT, players_choose_rulebook=True).do(f"menu {rows}")
    assert pages(both)[0].startswith("Not signed: result on paper? Begin the next game?")
    assert both.do("both").game.phase is Phase.READY
    both = sign(enter(ended(NASPA, *OUT, players_choose_rulebook=True), (412, 389)), "left", "right").do(f"menu {rows}")
    assert pages(both)[0].startswith("The next game begins: do both agree?")
