import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.structs import replace

from firmware.face.value import Face
from firmware.face.view import face
from firmware.gestures.clock_state import ClockState
from firmware.menu.actions import Menu, credit_due
from firmware.menu.menu import page, preview
from game.event_table import format_event
from game.events import Call, Event, Press, Swap
from game.game import EventNotAllowed
from game.history import accept
from rules.duration import NS, parse_instant
from rules.side import BySide, Side
from tests.cells import each_cell
from tests.firmware.gestures.trains import setup
from tests.firmware.menu.director import WHY, Director, director
from tests.firmware.random_games import EVENTS, Played, Said, keep, played
from tests.firmware.saying import NASPA, event_of, new_game, play

SETUP = setup()
UNCHANGED = ("Nothing on the screen changes",)
RUN = ("0 press right",)
STOPPED = ("0 press right", "4 neutralise")
HELD_OUT = ("0 press right", "4 out_play", "6 press left")
CHANGES = [
    ((*RUN,), "window name=mixing", "time frame begins: MIXING 0:10"),
    ((*RUN, "4 window name=mixing"), "press left", "time frame ends: MIXING 0:04"),
    ((*RUN,), "hold", "The hold of LEFT begins"),
    ((*RUN, "4 hold", "5 neutralise"), "release", "The hold of LEFT ends"),
    ((*RUN,), "out_play", "The out play of LEFT is pending"),
    (HELD_OUT, "release", "The out play of LEFT is no longer pending"),
    ((*RUN,), "neutralise reason=overdraw", "reason: overdraw"),
    (STOPPED, "end reason=resignation loser=left", "LEFT loses"),
    ((*RUN, "4 infraction left"), "infraction left", "LEFT: 1 minor infraction becomes 2 minor infractions"),
    ((*RUN, "4 challenge"), "verdict acceptable=true", "LEFT loses the turn"),
    ((*RUN, "4 challenge"), "verdict acceptable=true", "CHALLENGE, then ACCEPTABLE"),
    (STOPPED, "decide right", "STOPPED, then RIGHT's clock runs"),
]
RANDOM_EVENTS = st.sampled_from([*EVENTS, event_of("undo reason=x"), event_of("window name=recount")])


def test_a_change_beside_the_readings_is_said_in_words_of_the_face() -> None:
    for cell in each_cell(CHANGES):
        with cell as (lines, event, line):
            assert line in preview(play("naspa-2017", *lines).history, event_of(event), parse_instant("10"), SETUP)


def test_hold_said_on_a_new_zealand_out_play_is_said_to_be_noted() -> None:
    history = play("nzasp-2022", "0 press right", "4 out_play").history
    assert preview(history, event_of("hold"), parse_instant("5"), SETUP) == ("HOLD is recorded",)


def _plain(shown: Face) -> object:
    """What stands on the face but for the lines that tell players and director what to do next."""
    halves = [(half.reading, half.runs, half.marks) for _, half in shown.halves.items()]
    window = None if shown.window is None else (shown.window.title, shown.window.reading)
    return shown.phase, shown.banner, halves, window


IN_OVERTIME: Played = (new_game(NASPA), [Said(NS, Press(Side.RIGHT)), Said(1502 * NS, Call(on=True))])
"""LEFT reads -0:01, which costs 10 points."""
TEN_TAKEN = event_of("points left points=-10 reason=x")


@example(IN_OVERTIME, 0, TEN_TAKEN)
@given(played(), st.integers(0, 60 * NS), RANDOM_EVENTS)
def test_nothing_is_said_to_change_only_where_the_face_stays_as_it_is(game: Played, later: int, event: Event) -> None:
    history = keep(*game)
    now = history.at + later
    try:
        after, lines = accept(history, event, now), preview(history, event, now, SETUP)
    except EventNotAllowed:
        return
    same = _plain(face(ClockState(history, SETUP), now)) == _plain(face(ClockState(after, SETUP), now))
    assert same or lines != UNCHANGED


def test_the_next_game_is_announced_as_a_game_not_as_a_change_of_the_last_one_s_times() -> None:
    played_on = play("naspa-2017", "0 press right", "100 press left", "160 end reason=resignation loser=right")
    sentence, *changes = preview(played_on.history, event_of("new_game rulebook=nzasp-2022"), 170 * NS, SETUP)
    assert sentence == "Next game: NZASP Rules of Play, June 2022 · 25:00 and 25:00"
    assert "GAME OVER, then READY" in changes


LISTED = {
    "adjust left seconds=60 when=now reason=ruling": "Give or take time, LEFT, +1:00, Now, ruling",
    "adjust right seconds=-71 when=end reason=ruling": "Give or take time, RIGHT, -1:11, At the end of the game, ruling",
    "neutralise": "Stop the clock",
    "neutralise reason=overdraw": "Stop the clock, overdraw",
    "infraction right": "Minor infraction, RIGHT",
    "window name=overdraw_decision": "Start a time frame, OVERDRAW",
    "challenge": "Challenge",
    "hold": "Hold",
    "end reason=resignation loser=left": "End the game, LEFT, resignation",
}
LISTED_TOO = {
    "0 late_start both": "2. 0:00 Late: start the absent player's clock, BOTH",
    "0 press right, 4 challenge, 5 verdict acceptable=true words=2": "4. 0:05 Verdict, ACCEPTABLE",
    "0 press right, 4 challenge, 5 verdict acceptable=false": "4. 0:05 Verdict, UNACCEPTABLE",
}


def _listed(*lines: str) -> str:
    return page(Menu("undo"), play("naspa-2017", *lines).history, setup(), parse_instant("90")).options[0].text


def test_an_event_to_strike_is_named_as_the_menu_names_it_with_its_side_its_amount_and_its_reason() -> None:
    begun = {f"0 press right, 60 {line}": f"3. 1:00 {said}" for line, said in LISTED.items()}
    for cell in each_cell([*begun.items(), *LISTED_TOO.items()]):
        with cell as (lines, said):
            assert _listed(*lines.split(", ")) == said


CREDIT = "Credit since asked to stop, LEFT, +0:05"


TURNS = ("0 press right", "6 press left", "9 neutralise")


def _stop_asked(at_s: int, *lines: str, two_button: bool = False) -> Director:
    there = director(NASPA, *lines, two_button=two_button)
    return replace(there, table=replace(there.table, setup=replace(there.table.setup, stop_asked=at_s * NS)))


@pytest.mark.parametrize("two_button", [False, True])
def test_the_row_comes_with_its_seconds_and_gives_them_once(two_button: bool) -> None:
    there = _stop_asked(4, "0 press right", "9 neutralise", two_button=two_button)
    assert next(row for row in there.open_rows if row.startswith("Credit")) == CREDIT
    given = there.take_all(CREDIT, "LEFT, +0:05", "Do it")
    assert given.table.history.game.accounts.left.allowed - there.table.history.game.accounts.left.allowed == 5 * NS
    assert not [row for row in given.open_rows if row.startswith("Credit")]


@pytest.mark.parametrize(
    ("asked", "lines", "due"),
    [
        (4 * NS + 1, ("0 press right", "9 neutralise"), (5 * NS - 1, 0)),
        # Both used time: the turn changed in between.
        (4 * NS, TURNS, (2 * NS, 3 * NS)),
        # Play that goes on afterwards is not given back.
        (4 * NS, ("0 press right", "6 neutralise", "7 resume left", "9 neutralise"), (2 * NS, 0)),
        # The game that ends meanwhile stands.
        (4 * NS, ("0 press right", "6 end reason=x"), (2 * NS, 0)),
        (4 * NS, ("0 press right",), (0, 0)),
        (4 * NS, ("0 press right", "3 neutralise", "8 resume left"), (0, 0)),
        (None, ("0 press right", "9 neutralise"), (0, 0)),
        # The credit is the player's, wherever that player sits by then; given or not.
        (4 * NS, ("0 press right", "9 neutralise", "11 swap reason=x"), (0, 5 * NS)),
        (4 * NS, (*TURNS, "11 swap reason=x"), (3 * NS, 2 * NS)),
        (4 * NS, (*TURNS, "11 swap reason=x", "12 undo reason=x event=5"), (2 * NS, 3 * NS)),
        # Of the game before.
        (-1, ("0 press right", "9 neutralise"), (0, 0)),
    ],
)
def test_what_is_due(asked: int | None, lines: tuple[str, ...], due: tuple[int, int]) -> None:
    assert credit_due(play(NASPA, *lines).history, asked) == BySide(*due)


def test_a_credit_that_was_given_goes_with_its_player() -> None:
    given = _stop_asked(4, *TURNS).take_all("Credit since asked to stop, LEFT, +0:02, RIGHT, +0:03", "LEFT, +0:02", "Do it").table
    swapped = accept(given.history, Swap("x"), given.history.at)
    assert credit_due(swapped, 4 * NS) == BySide(3 * NS, 0)


ENDS = ("six zeros", "resignation", "director-shortened game", "forfeit", "double forfeit")


@pytest.mark.parametrize("reason", ENDS)
def test_the_director_ends_a_game_for_each_of_these_reasons_and_both_clocks_stand(reason: str) -> None:
    begun = director(NASPA, "0 press right", "4 neutralise")
    loser = {"loser": "right"} if reason in ("resignation", "forfeit") else {}
    done = begun.take_all("End the game", reason, *(each.upper() for each in loser.values()), "Do it").table.history
    assert format_event(done.event) == {"do": "end", "reason": reason, **loser}
    assert (done.game.phase.value, done.game.reason, done.game.running) == ("over", reason, None)


@pytest.mark.parametrize(("amount", "seconds"), [("+1:00", 60), ("-1:00", -60)])
def test_a_minute_is_given_or_taken_after_a_third_infraction_in_one_visit_to_the_menu(amount: str, seconds: int) -> None:
    lines = ("0 press right", "1 infraction left", "2 infraction left", "3 infraction left", "4 neutralise")
    begun = director(NASPA, *lines)
    done = begun.take_all("Give or take time", "LEFT", WHY, "third minor infraction", amount).table.history
    assert done.game.accounts.left.allowed == (1500 + seconds) * 10**9
    assert done.game.accounts.right.allowed == 1500 * 10**9
