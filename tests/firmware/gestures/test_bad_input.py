"""The table of docs/spec/events.md, "Bad input", row by row, as far as buttons and time make it; and what closes by itself (docs/spec/rules.md, "At the clock")."""

import re
from collections.abc import Callable
from functools import partial
from itertools import product
from typing import Any, Final

import pytest
from msgspec.structs import replace

from firmware.face.schedule import answers_at
from firmware.gestures.clock_state import CLOSED_NS, ClockState, apply_event, with_setup
from firmware.gestures.hands import Hands
from firmware.table_menu.actions import CHANGE, EMPTY, RESULT, SIGN, Draft, Signature
from firmware.table_menu.actions import opened as at_page
from firmware.table_menu.pages import page
from game.events import By, Challenge, Event, NewGame, Result, Undo, Verdict, Withdraw
from game.table import OfferedGame
from rules.side import BySide
from tests.cells import each_cell
from tests.firmware.gestures import states
from tests.firmware.gestures.states import ADJUDICATION, HOLD, LATE, OUT, OVER, RUNNING, STOPPED, after, answered, edges, made, new
from tests.firmware.gestures.trains import MS, drive, said, table
from tests.firmware.saying import NASPA, NZ, RULEBOOKS, new_game
from tests.some import some

OPEN = "centre@7000+1200"


def played(start: tuple[str, ...], presses: str, until: int, *, two_button: bool = False) -> ClockState:
    begun = table("naspa-2017", *start, two_button=two_button)
    return drive(begun, [edge for edge in edges(presses, bouncy=True) if edge.at <= until * MS], until)


@pytest.mark.parametrize("downs", [None, 2, 5, 9, 10])
def test_the_menu_left_open_on_any_page_stays_as_it_is_with_no_event(downs: int | None) -> None:
    way = "" if downs is None else "".join(f", {button}@{9_000 + 500 * at}+100" for at, button in enumerate([*["right"] * downs, "centre"]))
    presses = OPEN + way
    opened = played(STOPPED, presses, 20_000)
    assert opened.table_menu is not None
    left = drive(opened, [], 900_000)
    assert (left.table_menu, new(left, STOPPED)) == (opened.table_menu, "")


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


def test_the_player_on_turn_who_holds_the_own_button_as_for_a_hold_has_ended_the_turn_and_reads_the_way_back() -> None:
    given = [("right", "act.turn_got"), ("left", "act.turn_given")]
    for held, announced in ((120, []), (990, []), (1_000, given), (9_000, given), (10_000, [])):
        done = after(RUNNING, f"left@7000+{held}", two_button=True)
        assert (new(done, RUNNING), sorted(answered(done))) == ("7000 press left", sorted(announced))
    ended = after(HOLD, "left@7000+120")
    assert (new(ended, HOLD), sorted(answered(ended))) == ("7000 press left", [("left", "act.ended_hold"), ("right", "act.hold_ended")])
    # The menu opens on the row that the sentence names while it stands, and not after.
    for bar, row in ((9_000, "take_back"), (18_900, None)):
        opened = after(RUNNING, f"left@7000+1300, left@{bar}+1200, right@{bar}+1200", two_button=True)
        assert some(opened.table_menu).chosen == row
    pressed = after(RUNNING, "left@7000+1300, right@7900")
    assert (new(pressed, RUNNING), answered(pressed)) == ("7000 press left, 7900 press right", []), "the opponent has gone on meanwhile"


def test_a_challenge_and_a_corrected_challenger_are_named_with_the_way_back_which_an_offer_ends() -> None:
    begun = "centre@7000+2200"
    challenged = after(RUNNING, begun)
    assert sorted(answered(challenged)) == [("left", "act.challenges"), ("right", "act.challenged")]
    assert some(after(RUNNING, f"{begun}, centre@10000+1200").table_menu).chosen == "take_back"
    # The other player challenges: an offer that stands was for another challenger.
    corrected = after(RUNNING, f"{begun}, right@10000, right@11000+2200")
    assert (new(corrected, RUNNING), corrected.offer) == ("7000 challenge, 11000 challenge right", None)
    assert sorted(answered(corrected)) == [("left", "act.challenged"), ("right", "act.challenges")]
    offered = after(RUNNING, f"{begun}, right@10000")
    assert (offered.offer is not None, answered(offered)) == (True, [])


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
        # A press that stops a running clock is never swallowed by the menu; one that would start a clock moves.
        (LATE, f"{OPEN}, left@9000", 9_500, "9000 arrive left"),
        (OUT, f"{OPEN}, left@9000", 9_500, ""),
        (OUT, f"{OPEN}, right@9000", 9_500, ""),
    ],
)
def test_what_presses_at_once_or_at_a_limit_come_to(start: tuple[str, ...], presses: str, until: int, events: str) -> None:
    assert made(start, presses, until, bouncy=True) == events


def test_an_absent_players_press_closes_the_menu_and_the_players_of_an_out_play_move_in_it() -> None:
    late = played(LATE, f"{OPEN}, left@9000", 9_500)
    assert (late.table_menu, late.game_at(9_500 * MS).absent) == (None, ())
    rows = {side: some(played(OUT, f"{OPEN}, {side}@9000", 9_500).table_menu).chosen for side in ("left", "right")}
    assert rows["left"] != rows["right"], "up and down"


def test_a_press_whose_first_edge_lies_before_the_menu_opened_keeps_its_meaning_and_the_menu_does_not_stay() -> None:
    # The bar has started left's clock, so right's press does nothing, and the menu opens.
    assert played(STOPPED, "centre@7000+1500, right@7999+100", 9_000).table_menu is not None
    started = played(RUNNING, "centre@7000+1500, left@7999+100", 9_000)
    assert (new(started, RUNNING), started.table_menu) == ("7000 neutralise, 7999 press left", None)


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


def test_a_late_press_after_the_press_that_began_the_next_game_counts_from_its_own_edge() -> None:
    asked = (
        ("centre", 7_000, True, 7_100),
        ("centre", 9_500, False, 9_510),
        ("right", 10_000, True, 10_010),
        ("right", 10_100, False, 10_110),
    )
    begun = (("centre", 11_000, True, 11_200), ("right", 11_060, True, 11_300))
    hands = heard(OVER, *asked, *begun)
    assert [(at, words.split()[0]) for at, words in said(hands.shown.history)] == [(11_000, "new_game"), (11_060, "press")]


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


# --- no press that was meant for a page which closed by itself starts a clock, and rows keep their places
ENTERED: Final = Draft(entered=True)
DISPUTED: Final = (*states.SIGNED, "6 call on=true disputes=true")
JUDGED_OUT: Final = (*states.PENDING_ADJUDICATION, "6 verdict acceptable=true")
"""The verdict has ended the game."""
FIRST_DIGIT: Final = (RESULT, "score", "left", "0")
ASKS: Final = ("next_game",)
MORE_TIME: Final = ("allowance", "left", str(30 * 60 * 1000 * MS))
Closes = Callable[[ClockState, int], ClockState]


def on_board(presses: str, *, two_button: bool) -> str:
    """Return the presses with those of the bar by both buttons, if there is no other."""
    return re.sub(r"centre(@[\d+]+)", r"left\1, right\1", presses) if two_button else presses


def changing(state: ClockState, at: int, *changes: Callable[[ClockState], ClockState]) -> ClockState:
    hands = Hands(state, at)
    for change in changes:
        hands = hands.change(change, at)
    return hands.shown


def by(*made: Event) -> Closes:
    """Return what makes these events from outside the table."""
    return lambda state, at: changing(state, at, *(partial(apply_event, event=event, at=at, by=By.PLAYERS) for event in made))


def set_up(**changes: Any) -> Closes:
    """Return what sets the table up anew from outside: the desk, or a screen that is lost."""
    return lambda state, at: changing(state, at, lambda each: with_setup(each, replace(each.setup, **changes), at))


def by_time(state: ClockState, at: int) -> ClockState:
    return drive(state, [], at // MS)


FORBID: Final = set_up(players_choose_rulebook=False)
ON_PAPER: Final = set_up(results=False)
SCREEN_LOST: Final = set_up(screen=False)
OFFER: Final = set_up(offered=OfferedGame(new_game("club"), new_game("club")))
CORRECT: Final = by(Undo("corrected at the station", 5), Verdict(acceptable=False))
WITHOUT_SCREEN: Final[dict[str, Any]] = {"screen": False}
DOOR: Final = "left@7000+5200, right@7000+5200"
CLOSING: Final[list[tuple[tuple[str, ...], str, tuple[str, ...] | None, int, Closes, dict[str, Any]]]] = [
    # From where, by which presses, which page of the table menu then (None: what they have opened), when (ms) it closes, by what, and what is set up.
    (states.ADJUDICATION, OPEN, (), 9_350, by(Verdict(acceptable=False)), {}),
    (states.ADJUDICATION, f"{OPEN}, right@9000", None, 9_350, by(Withdraw()), {}),
    (states.STOPPED, OPEN, (), 9_350, by(Challenge()), {}),
    (states.STOPPED, OPEN, (), 9_350, SCREEN_LOST, {}),
    (states.OUT, OPEN, (), 24_000, by_time, {}),
    *((states.READY, OPEN, path, 9_350, FORBID, {}) for path in ((), ("rulebook",), ("rulebook", "club"), MORE_TIME)),
    *((states.READY, OPEN, path, 9_350, OFFER, {}) for path in (("rulebook", "club"), MORE_TIME, ASKS)),
    *((OVER, OPEN, path, 9_350, made, {}) for path in (FIRST_DIGIT, SIGN, CHANGE, ASKS) for made in (ON_PAPER, SCREEN_LOST, OFFER)),
    *((start, OPEN, path, 9_350, OFFER, {}) for start in (states.SIGNED, DISPUTED) for path in ((), ASKS)),
    *((JUDGED_OUT, OPEN, path, 9_350, CORRECT, {}) for path in (FIRST_DIGIT, SIGN, CHANGE, ASKS)),
    *((OVER, OPEN, path, 22_000, by_time, WITHOUT_SCREEN) for path in (FIRST_DIGIT, SIGN, CHANGE, ASKS)),
    *((start, OPEN, None, 22_000, by_time, WITHOUT_SCREEN) for start in (states.SIGNED, DISPUTED)),
    (states.STOPPED, "left@7000+1200", None, 22_000, by_time, WITHOUT_SCREEN),
    (states.STOPPED, DOOR, None, 312_000, by_time, {}),
    (states.STOPPED, DOOR, None, 32_000, by_time, {"code": True}),
]
AS_HELD: Final = (120, 1_200)
"""How long (ms) a press is that pages ask for."""


@pytest.mark.parametrize("two_button", [False, True], ids=["full", "two-button"])
@pytest.mark.parametrize("pressed", ["left", "right", "centre"])
def test_no_press_so_soon_after_a_page_has_closed_by_itself_starts_a_clock_or_makes_an_event(pressed: str, *, two_button: bool) -> None:
    cells = [(*row, late, held) for row in CLOSING if two_button or row[1] != DOOR for late, held in product((1, 2_995, 3_950), AS_HELD)]
    for cell in each_cell(cells, name=lambda each: f"{each[2]} {each[0][-1:]} {each[1]} {each[3]} {each[6:]}"):
        with cell as (start, presses, path, closes, make, more, late, held):
            begun = table(NASPA, *start, two_button=two_button, **{"players_choose_rulebook": True, "results": True, **more})
            opened = drive(begun, edges(on_board(presses, two_button=two_button)), closes - 50)
            if path is not None:
                opened = replace(opened, table_menu=replace(some(opened.table_menu), path=path, chosen=None), draft=ENTERED)
            assert any((opened.table_menu, opened.menu, opened.door))
            closed = make(opened, closes * MS)
            assert not any((closed.table_menu, closed.menu, closed.door))
            at = closes + late
            after = drive(closed, edges(on_board(f"{pressed}@{at}+{held}", two_button=two_button)), at + held + 180)
            assert after.history is closed.history
            # During a challenge the bar may offer a verdict, which records nothing; before the start it does nothing; held it opens the menu anew.
            silent = held != AS_HELD[0] or after.offer is not None or (pressed, start) == ("centre", states.READY)
            assert silent or answers_at(after, (at + 299) * MS)


@pytest.mark.parametrize("two_button", [False, True], ids=["full", "two-button"])
def test_what_is_held_while_a_page_closes_signs_and_agrees_on_nothing(two_button: bool) -> None:
    cells = [(OVER, SIGN, made) for made in (ON_PAPER, OFFER, SCREEN_LOST)] + [(JUDGED_OUT, SIGN, CORRECT), (OVER, MORE_TIME, OFFER)]
    for cell in each_cell(cells, name=lambda each: each[:2]):
        with cell as (start, path, make):
            at_table = table(NASPA, *start, two_button=two_button, results=True)
            first = Signature(6_000 * MS, BySide(455, 455))
            draft = replace(ENTERED, signatures=BySide(first, None) if path == SIGN else BySide(None, None))
            begun = replace(at_table, table_menu=at_page(at_table.game_at(6_500 * MS), path), draft=draft)
            presses = "right@7000+1500" if path == SIGN else "left@7000+1500, right@7200+1500"
            whole = drive(begun, edges(presses), 9_000)
            assert isinstance(whole.history.event, Result | NewGame), "held on, it does"
            assert whole.draft is EMPTY
            closed = make(drive(begun, [edge for edge in edges(presses) if edge.down], 7_600), 7_600 * MS)
            assert Hands(closed, 7_600 * MS).tick(9_000 * MS).shown.history is closed.history


def test_afterwards_the_same_press_does_what_it_says_again() -> None:
    opened = drive(table(NASPA, *states.ADJUDICATION), edges(OPEN), 9_300)
    closed = by(Verdict(acceptable=False))(opened, 9_350 * MS)
    pressed = edges(f"right@{9_350 + CLOSED_NS // MS}")
    assert drive(closed, pressed, 14_000).history is not closed.history


PHASES = (
    states.READY,
    states.LATE,
    states.BOTH_LATE,
    states.STOPPED,
    states.STOPPED_HOLD,
    states.ADJUDICATION,
    states.HOLD,
    OVER,
)
PAGES: Final = (
    *((start, ()) for start in (*PHASES, states.SIGNED, DISPUTED)),
    *((OVER, path) for path in (CHANGE, ASKS, ("frames",), ("rulebook",), MORE_TIME[:2])),
    *((start, ASKS) for start in (states.SIGNED, DISPUTED)),
)


def test_rows_keep_their_places_while_the_menu_is_open_and_each_that_is_refused_says_why() -> None:
    # A result of New Zealand has bonus words besides.
    cells = [
        (rulebook, *each, results)
        for rulebook, each, results in product(RULEBOOKS, PAGES, (False, True))
        if rulebook != NZ or not {*states.SIGNED} <= {*each[0]}
    ]
    for cell in each_cell(cells, name=lambda each: f"{each[0]} {each[1:]}"):
        with cell as (rulebook, start, path, results):
            begun = drive(table(rulebook, *start, players_choose_rulebook=True, results=results), edges(OPEN), 8_500)
            menu = replace(some(begun.table_menu), path=path)
            opened = replace(begun, table_menu=menu)
            shown = []
            for now in (8_600, 24_000, 63_000, 64_001, 67_000, 310_000, 4_000_000):
                state = drive(opened, [], now)
                if state.table_menu is None:
                    break
                rows = page(menu, state.history, state.setup, state.instant(now * MS)).rows
                shown.append([row.name for row in rows])
                assert all(dict(row.refused.values).get("why") or row.refused.key != "table_menu.refused" for row in rows if row.refused)
            assert shown
            assert all(names == shown[0] for names in shown)


def test_what_a_press_may_still_change_is_open_from_its_first_edge_until_it_is_decided() -> None:
    down = Hands(table("naspa-2017"), 0).edge("right", 1_000 * MS, down=True)
    up = down.edge("right", 1_120 * MS, down=False)
    since = [
        hands.advanced.undecided_since for hands in (down.tick(1_001 * MS), down.tick(1_100 * MS), up.tick(1_150 * MS), up.tick(1_990 * MS))
    ]
    assert since == [None, 1_000 * MS, 1_000 * MS, None]
