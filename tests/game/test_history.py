"""The history: an undo strikes an event, and the law of undo holds: the time that ran is charged to whoever should have run, and nothing ends."""

from collections.abc import Iterable

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from game.event_table import BY_NAME
from game.events import Arrive, By, LateStart, Neutralise, NotOut, OutPlay, Press, Reopen, Resume, Swap, Undo
from game.game import EventNotAllowed, Game, Phase, advance, next_due
from game.history import _LEAVE_THE_PRESS, UNDONE_BY_DEFAULT, Fate, History, accept, declare
from rules.duration import NS, parse_instant
from rules.side import Side
from tests.firmware.random_games import OWN_ENDS, Played, S, fold, fold_at, keep, played
from tests.firmware.saying import NASPA, Script, check, event_of, play
from tests.some import some

# --- which event an undo strikes, and what drops out


def _why(script: Script, t: str) -> str | None:
    """Return why the players cannot take back at ``t``, or None."""
    try:
        accept(script.history, Undo("x"), parse_instant(t), by=By.PLAYERS)
    except EventNotAllowed as error:
        return str(error)
    return None


BY_DEFAULT = {
    **dict.fromkeys(["press left", "hold", "out_play", "challenge"], ("0 press right",)),
    "release": ("0 press right", "0 hold"),
    "not_out": ("0 press right", "0 out_play", "0 challenge", "0 withdraw"),
    **dict.fromkeys(["withdraw", "verdict acceptable=true"], ("0 press right", "0 challenge")),
    "end reason=x": ("0 press right", "0 neutralise"),
    "arrive left": ("0 late_start left",),
    "reopen reason=x": ("0 press right", "0 end reason=x"),
}


@pytest.mark.parametrize("event", BY_DEFAULT)
def test_an_undo_without_a_number_strikes_the_latest_of_these(event: str) -> None:
    before = play("naspa-2014", *BY_DEFAULT[event])
    after = before.then(f"5 {event}", "7 undo reason=x")
    assert after.refused == ()
    # A clock that the struck event has stopped has stood since.
    assert after.face("7") == (before.then("5 neutralise") if event in ("out_play", "challenge") else before).face("7")


PASSED_OVER = (
    *("neutralise reason=director", "window name=mixing", "adjust left seconds=60 when=now reason=x", "erase_overtime left reason=x"),
    *("infraction left", "points left points=-10 reason=x", "call on=true"),
)


@pytest.mark.parametrize("event", PASSED_OVER)
def test_an_undo_passes_over_the_stop_and_the_directors_own_changes_unless_it_names_their_number(event: str) -> None:
    before = play(NASPA, "0 press right", "5 press left")
    passed = before.then(f"6 {event}", "7 undo reason=x")
    assert (passed.history.fates, passed.states("7")[2]) == ({3: Fate.STRUCK}, "left")
    named = before.then(f"6 {event}", "7 undo reason=x event=4")
    assert named.refused == ()
    assert named.face("7") == before.face("7")


def test_a_swap_is_struck_by_its_number_and_what_is_new_struck_or_unknown_cannot_be() -> None:
    assert play(NASPA, "0 press right", "5 neutralise", "6 swap reason=x", "7 undo reason=x").history.fates[2] is Fate.STRUCK
    check("[naspa-2017 left_seconds=60] 6 swap reason=x, 7 undo reason=x event=2 > 7 1:00 25:00")
    # 1 to 4; 3 is struck.
    refused = ", ".join(f"!7 undo reason=x event={number}" for number in (1, 3, 4, 5, 0, -1, 99))
    check(f"0 press right, 5 press left, 6 undo reason=x, {refused}")


def test_a_number_counts_accepted_events_only_and_undoing_goes_back_one_event_at_a_time() -> None:
    check("""0 press right, 5 press left, 6 undo reason=x, 7 undo reason=x, !8 undo reason=x > 7 ready - -; 25:00 25:00
        0 press right, !1 press right, !2 reopen reason=x, 3 press left, 9 undo reason=x event=3 > 9 running left left
        # A default undo passes over what was dropped.
        0 press right, 5 challenge, 6 verdict acceptable=true, 8 undo reason=x event=3, 9 undo reason=x > 9 ready - -
        # A refused event stays dead though an undo would make it possible.
        0 press right, 5 challenge, !6 hold, 7 undo reason=x > 8 neutral - left; holder=none
        0 press right, 5 press left, 6 undo reason=x, 7 press left, 8 undo reason=x event=5 > 8 running left left""")
    assert play(NASPA, "0 press right", "5 press left", "6 undo reason=x").history.event == event_of("undo reason=x event=3")


def test_an_event_that_becomes_impossible_drops_out_and_does_not_come_back() -> None:
    script = play(NASPA, "0 press right", "5 challenge", "6 verdict acceptable=true", "8 undo reason=x event=3")
    assert script.history.fates == {3: Fate.STRUCK, 4: Fate.DROPPED}
    assert script.states("8") == ("neutral", None, "left")
    assert script.then("9 challenge", "10 undo reason=x event=2").history.fates[4] is Fate.DROPPED
    assert script.then("9 undo reason=x event=4").refused
    # Not even where a later undo would make it possible.
    script = play(NASPA, "0 press right", "5 neutralise", "6 decide right", "7 neutralise", "8 press left")
    # Without the press that started the game: the stops and the decision drop; the press at 8 starts the other clock from ready.
    gone = script.then("10 undo reason=x event=2")
    assert gone.history.fates == {2: Fate.STRUCK, **dict.fromkeys([3, 4, 5], Fate.DROPPED)}
    assert gone.states("10") == ("running", "right", "right")
    again = gone.then("11 undo reason=x event=6")
    assert again.states("11") == ("ready", None, None)
    assert again.history.fates == {2: Fate.STRUCK, 6: Fate.STRUCK, **dict.fromkeys([3, 4, 5], Fate.DROPPED)}


def test_an_act_stays_that_of_the_player_who_made_it_or_drops_out() -> None:
    check("""# The opponent's hold of an out play is no hold of the out player's.
        0 press right, 10 out_play, 12 hold, 20 undo reason=x event=3 > 20 neutral - left; holder=none; draw=none
        # One that stood before the out play stands again, the player's own.
        0 press right, 10 hold, 12 out_play, 14 undo reason=x > 14 neutral - left, courtesy_draw 0:11; holder=left
        0 press right, 10 hold, 12 out_play, 13 hold, 20 undo reason=x event=4 > 20 neutral - left, courtesy_draw 0:05; holder=left
        # Without the press before it, the out play, the challenge and the hold were another player's.
        0 press right, 5 press left, 10 out_play, 12 undo reason=x event=3 > 12 neutral - left
        0 press right, 5 press left, 10 challenge, 12 undo reason=x event=3 > 12 neutral - left
        0 press right, 5 press left, 10 hold, 12 undo reason=x event=3 > 12 running left left; holder=none
        # Named, it stays.
        0 press right, 5 press left, 10 challenge right, 12 undo reason=x event=3, 13 verdict acceptable=false > 13 neutral - right""")


def test_the_players_take_back_their_own_last_act_for_a_minute() -> None:
    check("""0 press right, 10 press left, 70 undo reason=x by=players > 70 running left left
        0 press right, 10 press left, !70.000000001 undo reason=x by=players, !11 undo reason=x event=2 by=players
        0 press right, 10 press left, 11 undo reason=x event=3 by=players
        0 press right, 10 press left, 11 undo reason=x by=players, 12 undo reason=x by=players > 12 ready - -""")
    assert _why(play(NASPA, "0 press right", "10 press left"), "70.000000001") == "older than 60 s"


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        (("0 press right", "10 adjust left seconds=60 when=now reason=x"), "the director has acted since"),
        (("0 late_start left",), "the director has acted since"),
        (("0 infraction left",), "nothing to take back"),
        (("0 press right", "10 adjust left seconds=60 when=now reason=x by=players"), None),
    ],
)
def test_the_players_take_nothing_back_after_the_director_or_where_nothing_is(lines: tuple[str, ...], why: str | None) -> None:
    assert _why(play(NASPA, *lines), "11") == why


# --- the law: whose time it was


def test_the_time_that_ran_goes_to_the_clock_that_should_have_run() -> None:
    check("""0 press right, 10 press left, 25 undo reason=x > 25 running left left; left.used_ns=25000000000; right.used_ns=0
        0 press right, 10 press left, 25 press right, 31 undo reason=x event=3
        > 31 running left left; left.used_ns=31000000000; right.used_ns=0
        0 press right, 10 press left, 25 neutralise, 31 undo reason=x > 31 neutral - left; left.used_ns=25000000000; right.used_ns=0
        # Also where it had stopped for the struck event, and ran for the other player again.
        0 press right, 10 out_play, 12 hold, 20 undo reason=x event=3 > 20 neutral - left; left.used_ns=18000000000; right.used_ns=0
        # Where no clock should have run, it stays with the one that ran, or with the one to which an undo has charged it before.
        0 press right, 10 neutralise, 20 resume left, 26 undo reason=x > 30 neutral - left; left.used_ns=16000000000
        0 press right, 10 neutralise, 20 resume left, 26 press left, 30 undo reason=x, 32 undo reason=x > 40 left.used_ns=22000000000
        # It has no place in the corrected order, but the game that it brought back from a resignation goes on.
        5 press left, 7 out_play, 9 end reason=resignation loser=left, 12 not_out, 15 press left, 20 undo reason=x event=3
        > 19 running right right; right.used_ns=6000000000 > 21 running right right; right.used_ns=8000000000
        # With the one to which the last undo has charged it, also where that is the one that ran.
        0 press right, 5 neutralise, 7 resume left, 10 press left, 14 press right, 24 infraction left, 25 undo reason=x event=6,
        ... 25 undo reason=x event=5, 25 undo reason=x event=4 > 25 neutral - left; left.used_ns=23000000000; right.used_ns=0
        # Before a game has begun, no time of it counts.
        0 press right, 7 undo reason=x > 9 ready - -; left.used_ns=0; right.used_ns=0
        3 late_start left, 8 undo reason=x by=director > 9 ready - -; left.used_ns=0
        0 press right, 5 press left, 6 undo reason=x, 7 undo reason=x > 7 ready - -; 25:00 25:00""")


def test_where_the_clock_stood_nobody_is_charged_and_it_stands() -> None:
    rest = "elapsed=none; loser=none; right.used_ns=0"
    check(f"""[naspa-2014] 0 press right, 10 end reason=x, 500 undo reason=x > 900 neutral - left; left.used_ns=10000000000; {rest}
        [naspa-2014] 0 press right, 5 hold, 10 end reason=x, 500 undo reason=x > 900 neutral - left; holder=left; {rest}
        [naspa-2014] 0 press right, 5 neutralise reason=y, 10 end reason=x, 500 undo reason=x
        > 900 neutral - left; reason=y; left.used_ns=5000000000; {rest}
        [naspa-2014] 0 press right, 5 out_play, 10 release, 500 undo reason=x > 900 neutral - left; left.used_ns=5000000000; {rest}
        [naspa-2014] 0 press right, 5 out_play, 6 hold, 10 press right, 500 undo reason=x
        > 900 neutral - right; holder=right; left.used_ns=5000000000; right.used_ns=4000000000
        [naspa-2014] 0 press right, 5 out_play, 6 challenge, 10 verdict acceptable=true, 500 undo reason=x > 900 adjudication - left; {rest}
        [naspa-2014] 10 end reason=x, 500 undo reason=x > 900 ready - -; left.used_ns=0; {rest}
        [naspa-2014] 0 late_start left, 10 end reason=x, 500 undo reason=x > 900 ready - -; left.used_ns=10000000000; {rest}
        [naspa-2014] 5 late_start both ago=4, 10 end reason=x, 500 undo reason=x > 900 ready - -; left.used_ns=0; {rest}
        [naspa-2014] 0 press right, 10 adjust left seconds=-2200 when=now reason=x, 500 undo reason=x event=3
        > 900 neutral - left; left.used_ns=10000000000; {rest}
        # It stays stopped when more is struck, and was for no out play.
        0 press right, 3 infraction left, 10 end reason=six, 30 undo reason=x, 40 undo reason=x event=3
        > 30 24:50 25:00 > 41 neutral - left; 24:50 25:00
        0 press right, 10 end reason=six, 21 undo reason=x, 22 out_play > 22 out_play - left, out_play 0:20
        # A press in that stop starts the clock as it did.
        0 press right, 10 challenge, 40 press right, 45 undo reason=x event=3 > 45 running left left; left.used_ns=15000000000; right.used_ns=0
        # No second of a stop that a struck end had made is added by a stop that is struck before it.
        0 press right, 10 neutralise, 15 end reason=x, 500 undo reason=x event=4, 510 undo reason=x event=3 > 520 left.used_ns=15000000000""")


@pytest.mark.parametrize("undo", ["undo reason=x by=players", "undo reason=x", "undo reason=x event={number}"])
def test_a_challenge_that_is_taken_back_or_undone_charges_neither_and_leaves_the_game_stopped_at_its_instant(undo: str) -> None:
    stands = "> 60 neutral - left; left.used_ns=10000000000; right.used_ns=0"
    check(
        f"""0 press right, 10 challenge, 40 {undo.format(number=3)} {stands}
        0 press right, 8 hold, 10 challenge, 40 {undo.format(number=4)} {stands}
        0 press right, 10 challenge, 40 {undo.format(number=3)}, 6 infraction right {stands}""".replace(", 6 infraction right", "")
    )


def test_an_arrival_and_a_stop_by_number_are_struck_to_say_that_the_clock_should_have_run() -> None:
    check("""0 press right, 10 neutralise, 40 undo reason=x event=3 > 60 running left left; left.used_ns=60000000000
        0 press right, 10 neutralise, 20 resume left, 40 undo reason=x event=3 > 60 left.used_ns=60000000000
        0 press right, 10 neutralise, 30 challenge, 40 undo reason=x event=3 > 60 adjudication - left; left.used_ns=30000000000
        0 late_start left, 10 arrive left, 40 undo reason=x > 60 late left -; left.used_ns=60000000000
        # After the clock ran again it stood for another reason.
        0 press right, 10 neutralise, 20 resume left, 30 challenge, 40 undo reason=x event=3 > 60 left.used_ns=30000000000""")


# --- the law: nothing ends


def test_no_limit_and_no_forfeit_comes_from_a_correction_and_people_decide() -> None:
    check(
        """# RIGHT loses by the limit at 2111; LEFT's last press is taken back: the eleven seconds are LEFT's, and the game stands.
        [naspa-2017 right_seconds=2] 0 press right, 100 press left, 703 show, 710 undo reason=x event=3
        > 702.9 running right right > 709 reason=overtime limit; loser=right
        > 710 neutral - left; reason=none; left.used_ns=703000000000; right.used_ns=0; loser=none
        # LEFT would have passed the limit: the clock stands, and says why.
        0 press right, 2000 press left, 2200 undo reason=x
        > 2200 neutral - left; reason=corrected times; loser=none; left.used_ns=2200000000000; right.used_ns=0
        # The limit that was lived stays where nothing changes it, and goes where another player had the time.
        0 press right, 2000 infraction right, 2150 adjust right seconds=9 when=end reason=x, 2160 undo reason=x event=3
        > 2160 reason=overtime limit; loser=left
        # So does the one of a player who had still more of the time, which is as much as ran.
        0 press right, 2000 press left, 2010 press right, 2200 undo reason=x event=3
        > 2200 reason=overtime limit; loser=left; left.used_ns=2111000000000; right.used_ns=0
        # An absent player's arrival that is taken back is no forfeit.
        0 late_start left, 1490 arrive left, 1530 undo reason=x > 1530 ready - -; reason=none; left.used_ns=1530000000000
        # Time that the director gave and takes back.
        0 press right, 1400 adjust left seconds=60 when=now reason=x, 2130 undo reason=x event=3
        > 2130 neutral - left; reason=corrected times; loser=none""".replace(", 703 show", "")
    )


def test_no_window_of_an_out_play_ends_by_a_correction() -> None:
    check("""0 press right, 5 out_play, 10 release, 20 undo reason=x, 300 press left > 299 neutral - left > 300 hold right right
        0 press right, 5 out_play, 10 release, 20 undo reason=x, 300 release > 300 reason=out play
        # An undo after the end came by itself takes the end back.
        0 press right, 10 out_play, 40 undo reason=x > 40 neutral - left; 24:50 25:00
        # An end that was lived comes again where the struck event has nothing to do with it.
        0 press right, 3 infraction right, 5 hold, 7 release, 10 out_play, 40 undo reason=x event=3 > 40 reason=out play
        0 press right, 10 out_play, 25 press left, 40 press right, 50 undo reason=x event=4 > 50 phase=over; reason=out play
        # The reason that put the window behind the declaration is struck: the window that the players see goes on.
        0 press right, 10 neutralise, 12 reason reason=tiles, 19 out_play, 25 undo reason=x event=4 > 25 out_play - left, out_play 0:14
        # A reopening that is struck leaves the game over since its end, and no time behind it counts.
        [naspa-2014] 0 press right, 10 end reason=six, 20 reopen reason=x, 30 undo reason=x > 30 reason=six; window=recount 0:40
        [naspa-2014] 0 press right, 10 end reason=six, 20 reopen reason=x, 30 press right, 50 undo reason=x event=4
        > 50 reason=six; left.used_ns=10000000000
        # The out player's press is taken back by the players at its instant; 4 s later the out play is struck: both were away from the board.
        [nzasp-2022] 0 press right, 600 out_play, 617.657706781 press left, 617.657706781 undo reason=x by=players, 621.657706781 undo reason=x
        > 700 neutral - left; left.used_ns=600000000000; right.used_ns=0""")


# --- an out play in the place of the press that ended the turn


def test_an_out_play_takes_the_place_of_the_press_and_counts_from_its_declaration() -> None:
    stop = "0 press right, 50 press left, 60 neutralise"
    check(f"""{stop}, 70 out_play press=3 > 70 out_play - left, out_play 0:20; left.used_ns=50000000000; right.used_ns=0 > 90 reason=out play
        # What is struck in between changes nothing of its time.
        {stop}, 62 infraction right, 70 out_play press=3, 75 undo reason=x event=5 > 75 out_play - left, out_play 0:15
        # The starts of the opponent's clock drop out: after an out play it stands.
        {stop}, 62 resume right, 65 neutralise, 70 out_play press=3 > 70 out_play - left, out_play 0:20; right.used_ns=0
        # Struck itself, the press and all that came after it stand again.
        {stop}, 70 out_play press=3, 75 undo reason=x > 75 neutral - right; left.used_ns=50000000000; right.used_ns=10000000000
        # A hold that came is the out play's.
        0 press right, 50 press left, 55 hold, 60 neutralise, 70 out_play press=3 > 70 neutral - right; holder=right; right.used_ns=5000000000
        # An earlier event that is struck may leave it no place: it drops out, and the press stands.
        0 press right, 10 press left, 20 press right, 50 press left, 60 neutralise, 70 out_play press=5, 75 undo reason=x event=4
        > 75 neutral - right; left.used_ns=10000000000; right.used_ns=50000000000
        # Only the press that ended the last turn, and only in a stop.
        {stop}, 62 adjust left seconds=60 when=now reason=x, !70 out_play press=3
        {stop}, 62 adjust left seconds=60 when=now reason=x by=players, 70 out_play press=3 > 70 out_play - left, out_play 0:20
        {stop}, !70 out_play press=2, !70 out_play press=4, !70 out_play press=9
        0 press right, 50 press left, !60 out_play press=3""")
    assert play(NASPA, *stop.split(", "), "70 out_play press=3").history.fates == {3: Fate.REPLACED, 4: Fate.DROPPED}


def test_an_out_play_is_declared_in_the_place_of_the_press_or_by_the_player_on_turn() -> None:
    stopped = play(NASPA, "0 press right", "50 press left", "60 neutralise").history
    assert declare(stopped, Side.LEFT, 70 * NS).event == OutPlay(3)
    assert declare(stopped, Side.RIGHT, 70 * NS).event == OutPlay(None)
    # The press after a stop has ended no turn of the left player's.
    resumed = play(NASPA, "0 press right", "50 neutralise", "55 press left", "60 neutralise").history
    with pytest.raises(EventNotAllowed, match="ended no turn"):
        declare(resumed, Side.LEFT, 70 * NS)
    with pytest.raises(EventNotAllowed, match="after a stop"):
        declare(play(NASPA, "0 press right").history, Side.LEFT, 70 * NS)


SETTLES_THE_PRESS = {
    *("new_game", "press", "out_play", "not_out", "decide", "late_start", "arrive", "end", "reopen"),
    *("erase_overtime", "points", "rulebook", "swap", "result"),
}
"""The events after which no out play takes the place of the press before; a new event is here or in ``_LEAVE_THE_PRESS``, as docs/spec/events.md says."""


def test_of_each_event_it_is_decided_whether_the_press_before_it_may_still_have_been_an_out_play() -> None:
    assert {name for name, spec in BY_NAME.items() if spec.kind not in _LEAVE_THE_PRESS} == SETTLES_THE_PRESS


# --- for random games


def _used(history: History, now: int) -> int:
    game = history.game_at(now)
    return sum(game.used_at(side, now) for side in Side)


def _stands(game: Game) -> bool:
    return game.running is None


@given(drawn=played(), rest=st.integers(0, 30 * S))
def test_an_event_taken_back_at_its_own_instant_was_never_made_but_what_it_stopped_stands(drawn: Played, rest: int) -> None:
    beginning, script = drawn
    accepted = fold(beginning, script)[1]
    assume(accepted and isinstance(accepted[-1].event, UNDONE_BY_DEFAULT))
    at = accepted[-1].at
    before, undone = fold_at(beginning, accepted[:-1], at), accept(keep(beginning, accepted), Undo("x"), at).game
    assert (undone.accounts, undone.on_turn and undone.turn, undone.out_player) == (
        before.accounts,
        before.on_turn and before.turn,
        before.out_player,
    )
    assert [undone.used_at(side, at) for side in Side] == [before.used_at(side, at) for side in Side]
    assert undone.phase is before.phase or _stands(undone)


@given(drawn=played() | played(OWN_ENDS), rest=st.integers(0, 900 * S), data=st.data())
def test_an_undo_changes_whose_time_it_was_never_how_much_ran_ends_nothing_and_starts_no_clock(
    drawn: Played, rest: int, data: st.DataObject
) -> None:
    beginning, script = drawn
    accepted = fold(beginning, script)[1]
    assume(accepted)
    history, now = keep(beginning, accepted), accepted[-1].at + rest
    added = False
    late_both = any(isinstance(line.event, LateStart) and line.event.side is None for line in accepted)
    for _ in range(3):
        strikable = [link for link in history if history.can_strike(link)]
        if not strikable:
            return
        struck = data.draw(st.sampled_from(strikable))
        before = history.game_at(now)
        after_undo = accept(history, Undo("x", struck.number), now)
        after = after_undo.game
        assert (after_undo.before, after_undo.number) == (history, history.number + 1), "it is only appended to"
        assert after_undo.fates.items() >= history.fates.items(), "what drops out stays out"
        adds = isinstance(struck.event, Arrive | Neutralise)
        added |= adds
        ended = some(struck.before).game_at(struck.at).end is not None
        brings_back = ended and isinstance(struck.event, Reopen | NotOut)
        if not brings_back:
            assert before.end is not None or after.end is None, "no undo ends a game"
            # With both absent, time counts that neither is charged for until one comes; before a game has begun, none does.
            starts = [link for link in history.standing() if isinstance(link.event, Press | Resume)]
            unbegun = after.phase in (Phase.READY, Phase.LATE) or not starts or struck.number <= starts[-1].number
            assert added or late_both or unbegun or _used(after_undo, now) == _used(history, now), "as much time as ran"
        assert adds or not _stands(before) or _stands(after), "no undo starts a clock"
        assert after.end is not None or advance(after, now) is after, "nothing is due at once"
        # An out play's press starts the opponent's clock, which holds the play; that hold stands on where the out play was none.
        # Where the players have changed seats since, the same player's act is on the other side.
        assert _makers(after_undo) <= _makers(history) | _holds(history) or _have_swapped(history), "an act stays its maker's"
        if brings_back:
            return
        history, now = after_undo, now + data.draw(st.integers(0, 30 * S))


def _have_swapped(history: History) -> bool:
    return any(isinstance(link.event, Swap) for link in history)


def _makers(history: History) -> set[tuple[str, Side]]:
    """Return who holds, challenges or has played out, now or at any time before; no hold of a pending out play, which its player's press makes too."""
    games = [link.game for link in history]
    found = _holds(link for link in history if link.game.out_player is None)
    found |= {("challenge", game.challenger) for game in games if game.challenger is not None}
    return found | {("out play", game.out_player) for game in games if game.out_player is not None}


def _holds(links: Iterable[History]) -> set[tuple[str, Side]]:
    return {("hold", link.game.hold.side) for link in links if link.game.hold is not None}


@given(drawn=played() | played(OWN_ENDS), rest=st.integers(0, 900 * S))
def test_each_link_knows_when_its_game_changes_by_itself(drawn: Played, rest: int) -> None:
    beginning, script = drawn
    history = keep(beginning, fold(beginning, script)[1])
    for link in history:
        assert link.due == next_due(link.game)
        assert link.game_at(link.at + rest) == advance(link.game, link.at + rest)
