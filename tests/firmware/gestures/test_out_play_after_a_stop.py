"""The out play after a stop: the page that the own button of the player on turn opens, or the row of the menu, also in the place of a press out of habit (2017 V.E)."""

import pytest
from msgspec.structs import replace

from firmware.face.schedule import answers_at
from firmware.face.view import cue
from firmware.gestures.clock_state import ClockState
from firmware.table_menu.actions import PageKind
from game.events import OutPlay
from game.game import Phase
from rules.side import Side
from tests.cells import each_cell
from tests.firmware.gestures.states import answered, edges
from tests.firmware.gestures.trains import MS, Press, drive, said, table, tick
from tests.firmware.saying import NASPA, NZ
from tests.firmware.table_menu.player import Players, Seats, players
from tests.some import some

bouncing = pytest.mark.parametrize("bouncy", [False, True], ids=["clean", "bouncy"])
PLAYED_ON = ("0 press right", "10 press left")  # left played out at 10 s and pressed out of habit: right's clock runs
STOPPED = (*PLAYED_ON, "14 neutralise")


def held(rulebook: str, start: tuple[str, ...], press: Press, *, bouncy: bool) -> tuple[list[tuple[int, str]], ClockState]:
    done = drive(table(rulebook, *start), press.edges(bouncy=bouncy), press.at + press.held + 100)
    return said(done.history)[2:], done


def declared(seats: Seats, rulebook: str, start: tuple[str, ...], at: int = 15_000) -> Players:
    return seats(rulebook, *start, at=at).do("menu out_play left")


def out_player(both: Players) -> tuple[str, str | None]:
    return both.game.phase.value, both.game.out_player and both.game.out_player.value


def declaration(both: Players) -> tuple[list[str], int]:
    """Return the events after the first press that stand, and the instant of the declaration (ms) of an out play in the place of the press at 10 s."""
    declared = next(link for link in both.table.history if isinstance(link.event, OutPlay))
    assert isinstance(declared.event, OutPlay)
    assert some(both.table.history.find(some(declared.event.press))).at == 10_000 * MS
    standing = [link.number for link in both.table.history.standing()]
    return [words for number, (_, words) in enumerate(said(both.table.history), 1) if number in standing][2:], declared.at // MS


@bouncing
def test_the_held_own_button_of_the_player_on_turn_only_asks_who_has_played_out(bouncy: bool) -> None:
    # While the clock ran the same button ended the turn: held, it must not start the seconds that end a game.
    start = ("0 press right", "4 neutralise")
    events, done = held(NASPA, start, Press("left", 16_000, 1_200), bouncy=bouncy)
    assert events == [(4_000, "neutralise")], "the short press is taken back"
    assert some(done.table_menu).path == ("out_play",)
    alone = tick(done, 120_000 * MS)
    assert alone.table_menu == done.table_menu
    assert (alone.game_at(120_000 * MS).phase, alone.game_at(120_000 * MS).out_player) == (Phase.NEUTRAL, None)


def test_the_page_is_answered_on_the_own_button_and_the_window_counts_from_the_stop(seats: Seats) -> None:
    for rulebook, ends in ((NASPA, 24_000), (NZ, 9_000)):
        both = seats(rulebook, "0 press right", "4 neutralise", at=5_000).do("left 1200, left")
        assert said(both.table.history)[2:] == [(4_000, "neutralise"), (6_500, "out_play")]
        assert both.game.out_play_ends == ends * MS


def test_the_held_button_says_who_so_that_any_other_answer_declares_nothing(seats: Seats) -> None:
    # Left has ended the turn out of habit too; right, who stopped the clock, leans on the own button.
    for no in ("left", "bar"):
        both = seats(NASPA, *STOPPED, at=15_000).do(f"right 1200, {no}")
        assert said(both.table.history) == said(table(NASPA, *STOPPED).history)
        assert (both.table.table_menu, answered(both.table)) == (None, [(None, "table_menu.no_out_play")])
    assert out_player(seats(NASPA, *STOPPED, at=15_000).do("right 1200, right")) == ("out_play", "right")


def test_the_page_that_a_long_press_on_the_other_button_closes_says_so_at_once_beside_a_button_that_stays_down() -> None:
    # The sentence stands for 3 s: neither the end of that press nor that of the button that asked comes before it has gone.
    stopped = table(NASPA, "0 press right", "4 neutralise", two_button=True)
    every = edges("left@16000+15000, right@18000+4000", bouncy=True)

    def at(ms: int) -> ClockState:
        return drive(stopped, [edge for edge in every if edge.at <= ms * MS], ms)

    assert some(at(17_900).table_menu).path == ("out_play",)
    closed = at(18_200)
    assert (closed.table_menu, answered(closed)) == (None, [(None, "table_menu.no_out_play")])
    for ms, says in ((20_900, True), (21_100, False), (22_100, False), (40_000, False)):
        assert (at(ms).table_menu, bool(answers_at(at(ms), ms * MS))) == (None, says)
        assert said(at(ms).history)[2:] == [(4_000, "neutralise")]


def test_without_a_screen_the_held_button_asks_too_and_a_second_press_declares() -> None:
    leds = table(NASPA, "0 press right", "4 neutralise")
    leds = replace(leds, setup=replace(leds.setup, screen=False))
    held_on = Press("left", 16_000, 1_200).edges(bouncy=False)
    asked = drive(leds, held_on, 18_000)
    assert said(asked.history)[2:] == [(4_000, "neutralise")]
    assert cue(asked, asked.game_at(18_000 * MS)) == "who_out"
    declared_by = drive(leds, [*held_on, *Press("left", 20_000, 200).edges(bouncy=False)], 21_000)
    assert [words for _, words in said(declared_by.history)[2:]] == ["neutralise", "out_play"]
    assert declared_by.game_at(21_000 * MS).out_player is Side.LEFT
    closed = drive(leds, [*held_on, *Press("centre", 20_000, 200).edges(bouncy=False)], 21_000)
    for nothing in (closed, tick(asked, 120_000 * MS)):
        assert nothing.table_menu is None
        assert said(nothing.history)[2:] == [(4_000, "neutralise")]
        assert nothing.game_at(120_000 * MS).phase is Phase.NEUTRAL


@bouncing
def test_the_waiting_player_who_holds_the_button_after_a_stop_records_a_hold_and_no_out_play(bouncy: bool) -> None:
    # The face has taught: hold your button when your opponent says HOLD. 2017 IV.I.1 lets it be called until the draw.
    events, done = held(NASPA, STOPPED, Press("left", 18_000, 1_200), bouncy=bouncy)
    assert events[-1] == (18_000, "hold")
    game = done.game_at(60_000 * MS)
    assert (game.phase, game.holder and game.holder.value, game.turn and game.turn.value) == (Phase.NEUTRAL, "right", "right")
    assert answered(done) == [("left", "act.hold_recorded"), ("right", "act.held")]


@bouncing
def test_a_press_of_the_out_player_that_holds_the_out_play_is_named_with_the_way_back(bouncy: bool) -> None:
    events, done = held(NASPA, ("0 press right", "4 out_play", "9 release", "12 undo reason=x"), Press("left", 18_000, 90), bouncy=bouncy)
    assert events[-1] == (18_000, "press left")
    assert done.game_at(19_000 * MS).holder is Side.RIGHT
    assert answered(done) == [("left", "act.hold_recorded"), ("right", "act.held")]


def test_by_the_row_it_takes_the_place_of_the_last_press_at_that_presss_instant_and_the_stop_drops_out(seats: Seats) -> None:
    both = declared(seats, NASPA, STOPPED)
    after, declared_at = declaration(both)
    assert after == ["out_play 3"]
    assert out_player(both) == ("out_play", "left")
    assert (both.game.used.left, both.game.used.right) == (10_000 * MS, 0), "what the opponent was charged since is neutral"
    # Before the declaration nothing said that the play was the last (2017 V.E): the opponent has the whole time.
    assert declared_at >= 15_000
    assert both.game.out_play_ends == (declared_at + 20_000) * MS


@pytest.mark.parametrize(
    "start",
    [
        # A press that starts a clock after a stop, closes a challenge without a verdict, starts a clock after a decision ends no turn.
        ("0 press left", "5 neutralise", "8 press left", "14 neutralise"),
        ("0 press right", "5 challenge", "8 press left", "14 neutralise"),
        ("0 press right", "3 neutralise", "4 decide right", "8 neutralise", "9 press left", "14 neutralise"),
        # What settles the turn leaves no press out of habit.
        ("0 press right", "10 neutralise", "12 resume right", "14 neutralise"),
        (*PLAYED_ON, "12 neutralise", "13 resume left", "14 press left", "15 challenge", "15 verdict acceptable=false"),
        (*STOPPED, "15 adjust right seconds=60 when=now reason=x"),
        (*PLAYED_ON, "12 challenge", "13 verdict acceptable=false"),
    ],
)
def test_a_press_that_ends_no_turn_is_replaced_by_no_out_play_and_the_row_says_why(seats: Seats, start: tuple[str, ...]) -> None:
    both = declared(seats, NASPA, start, 16_000)
    assert said(both.table.history) == said(table(NASPA, *start).history)
    assert both.game.out_player is None
    row = some(both.page.rows[both.page.cursor].refused)
    assert row.said(both.table.setup.texts) == "Not possible: that player's last press ended no turn"


def test_taking_back_a_mistaken_declaration_leaves_the_turn_that_the_press_ended(seats: Seats) -> None:
    # The press had ended the turn (2017 IV.G.1); what took its place must not give that player a second one.
    both = declared(seats, NASPA, STOPPED)
    both.do("menu take_back/agreed")
    assert (both.game.phase, both.game.turn and both.game.turn.value, both.game.out_player) == (Phase.NEUTRAL, "right", None)
    assert (both.game.used.left, both.game.used.right) == (10_000 * MS, 4_000 * MS), "the clock that ran is the opponent's again"


HARMLESS = {
    "stopped and started again": ("12 neutralise", "13 resume right", "14 neutralise"),
    "a challenge taken back": ("12 challenge", "13 undo reason=x by=players"),
    "a challenge withdrawn": ("12 challenge", "13 withdraw"),
    "a hold taken back": ("12 hold", "13 undo reason=x by=players", "14 neutralise"),
    "six zeros taken back": ("12 neutralise", "13 end reason=x", "14 undo reason=x by=players"),
}


def test_what_changes_nothing_at_the_board_leaves_the_press_out_of_habit(seats: Seats) -> None:
    for cell in each_cell(HARMLESS):
        with cell as name:
            both = declared(seats, NASPA, (*PLAYED_ON, *HARMLESS[name]))
            assert both.game.phase in (Phase.OUT_PLAY, Phase.NEUTRAL), "what was taken back has ended the 20 s"
            assert (both.game.out_player and both.game.out_player.value, both.game.used.right) == ("left", 0)


def test_a_challenged_play_was_the_out_play_before_its_verdict_or_after_it(seats: Seats) -> None:
    # 2014 V.A, 2017 V.A with VI.B.3; NZ 8.1.1 with 6.17: an acceptable last play ends the game, whoever pressed.
    for rulebook in ("naspa-2017-collins-5", NZ):
        challenged = declared(seats, rulebook, (*PLAYED_ON, "12 challenge"))
        assert out_player(challenged) == ("adjudication", "left")
        judged = declared(seats, rulebook, (*PLAYED_ON, "12 challenge", "13 verdict acceptable=true words=2"))
        assert judged.page.kind is PageKind.AGREE
        judged.do("both")
        assert (judged.game.phase, judged.game.reason, judged.game.accounts.left.points) == (Phase.OVER, "out play", 10)


def test_a_call_for_the_director_stops_the_twenty_seconds_of_an_out_play() -> None:
    both = players(NASPA, "0 press right", "14 out_play", at=20_000).do("menu call, wait 60000")
    assert out_player(both) == ("neutral", "left")
