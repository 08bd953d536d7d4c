"""The history: undo, late insertion and taking back give the game that the remaining events would have made."""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from game.events import By, GameEvent, NewGame, Undo
from game.game import EventNotAllowed
from game.history import UNDONE_BY_DEFAULT, Fate, accept, changes, take_back
from rules.duration import NS, parse_instant
from tests.examples import examples
from tests.firmware.random_games import EVENTS, Played, S, Said, fold, fold_at, keep, played
from tests.firmware.saying import NASPA, Script, check, event_of, face_of, play

# --- an undo strikes one event of this game; the game is what it would have been without it


def _fates(script: Script) -> dict[int, Fate]:
    return {link.number: link.fate for link in script.history}


def _why(script: Script, t: str) -> str | None:
    """Return why the players cannot take back at ``t``, or None."""
    try:
        accept(script.history, Undo("x"), parse_instant(t), by=By.PLAYERS)
    except EventNotAllowed as error:
        return str(error)
    return None


def test_an_undone_press_was_never_made_and_its_time_goes_to_the_clock_that_should_have_run() -> None:
    check("""0 press right, 10 press left, 25 undo reason=x > 25 running left left; left.used_ns=25000000000; right.used_ns=0
        # That can show that the limit was passed before.
        0 press right, 2000 press left, 2200 undo reason=x > 2200 reason=overtime limit; loser=left; left.used_ns=2101000000000""")


BY_DEFAULT = {
    **dict.fromkeys(["press left", "hold", "out_play", "challenge"], ("0 press right",)),
    "release": ("0 press right", "0 hold"),
    "not_out": ("0 press right", "0 out_play", "0 challenge", "0 withdraw"),
    **dict.fromkeys(["withdraw", "verdict acceptable=true"], ("0 press right", "0 challenge")),
    **dict.fromkeys(["resume right", "decide right", "end reason=x"], ("0 press right", "0 neutralise")),
    "late_start left": (),
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
    assert (_fates(passed)[3], _fates(passed)[4], passed.states("7")[2]) == (Fate.STRUCK, Fate.VALID, "left")
    named = before.then(f"6 {event}", "7 undo reason=x event=4")
    assert named.refused == ()
    assert named.face("7") == before.face("7")


def test_a_swap_is_struck_by_its_number_and_what_is_new_struck_or_unknown_cannot_be() -> None:
    fates = _fates(play(NASPA, "0 press right", "5 neutralise", "6 swap reason=x", "7 undo reason=x"))
    assert (fates[2], fates[4]) == (Fate.STRUCK, Fate.VALID)
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
    assert _fates(script) == {1: Fate.VALID, 2: Fate.VALID, 3: Fate.STRUCK, 4: Fate.DROPPED, 5: Fate.VALID}
    assert script.states("8") == ("neutral", None, "left")
    assert _fates(script.then("9 challenge", "10 undo reason=x event=2"))[4] is Fate.DROPPED
    assert script.then("9 undo reason=x event=4").refused
    # Not even where a later undo would make it possible.
    script = play(NASPA, "0 press right", "5 neutralise", "6 decide right", "7 neutralise", "8 press left")
    # Without the press that started the game: the stops and the decision drop; the press at 8 starts the other clock from ready.
    gone = script.then("10 undo reason=x event=2")
    assert [_fates(gone)[number] for number in (3, 4, 5, 6)] == [Fate.DROPPED, Fate.DROPPED, Fate.DROPPED, Fate.VALID]
    assert gone.states("10") == ("running", "right", "right")
    again = gone.then("11 undo reason=x event=6")
    assert again.states("11") == ("ready", None, None)
    assert [_fates(again)[number] for number in (3, 4, 5)] == [Fate.DROPPED] * 3


def test_a_struck_end_comes_back_stopped_and_charges_nothing_since() -> None:
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
        [naspa-2014] 0 late_start both, 10 end reason=x, 500 undo reason=x > 900 ready - -; left.used_ns=0; {rest}
        [naspa-2014] 0 press right, 10 adjust left seconds=-2200 when=now reason=x, 500 undo reason=x event=3
        > 900 neutral - left; left.used_ns=10000000000; {rest}
        # It stays stopped when more is struck, and was for no out play.
        0 press right, 3 infraction left, 10 end reason=six, 30 undo reason=x, 40 undo reason=x event=3
        > 30 24:50 25:00 > 41 neutral - left; 24:50 25:00
        0 press right, 10 end reason=six, 21 undo reason=x, 22 out_play > 22 out_play - left, out_play 0:20""")


def test_of_an_out_play_and_of_a_reopening_that_are_struck() -> None:
    check("""0 press right, 5 out_play, 10 release, 20 undo reason=x, 300 press left > 299 neutral - left > 300 hold right right
        0 press right, 5 out_play, 10 release, 20 undo reason=x, 300 release > 300 reason=out play
        # An undo after the end came by itself takes the end back.
        0 press right, 10 out_play, 40 undo reason=x > 40 neutral - left; 24:50 25:00
        # An event that an undo leaves possible counts at its own instant.
        0 press right, 10 out_play, 25 press left, 40 press right, 50 undo reason=x event=4 > 50 phase=over; reason=out play; right.used_ns=0
        # A reopening that is struck leaves the game over since its end.
        [naspa-2014] 0 press right, 10 end reason=six, 20 reopen reason=x, 30 undo reason=x > 30 reason=six; window=recount 0:40
        # The out player's press is taken back by the players at its instant; 4 s later the out play is struck: both were away from the board.
        [nzasp-2022] 0 press right, 600 out_play, 617.657706781 press left, 617.657706781 undo reason=x by=players, 621.657706781 undo reason=x
        > 700 neutral - left; left.used_ns=600000000000; right.used_ns=0
        # A stop that the director strikes by number has let the clock run.
        0 press right, 10 neutralise, 40 undo reason=x event=3 > 60 left.used_ns=60000000000""")


@pytest.mark.parametrize("event", ["press left", "hold", "challenge"])
@pytest.mark.parametrize("by", ["players", "director"])
def test_without_what_ended_the_20_seconds_of_an_out_play_the_game_waits_and_does_not_end_by_itself(event: str, by: str) -> None:
    check(f"""0 press right, 10 out_play, 25 {event}, 50 undo reason=x by={by}, 600 release
        > 500 neutral - left; right.used_ns=0 > 600 reason=out play""")


@pytest.mark.parametrize("undo", ["undo reason=x by=players", "undo reason=x", "undo reason=x event={number}"])
def test_a_challenge_that_is_taken_back_or_undone_charges_neither_and_leaves_the_game_stopped_at_its_instant(undo: str) -> None:
    stands = "> 60 neutral - left; left.used_ns=10000000000; right.used_ns=0"
    check(f"""0 press right, 10 challenge, 40 {undo.format(number=3)} {stands}
        0 press right, 8 hold, 10 challenge, 40 {undo.format(number=4)} {stands}
        0 press right, 10 challenge, 40 {undo.format(number=3)}, 6 infraction right {stands}""")


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


# --- events put in at an earlier instant, short presses taken back, and what a journal is given of it


def _game_event(text: str) -> GameEvent:
    event = event_of(text)
    assert not isinstance(event, NewGame | Undo)
    return event


def test_an_event_put_in_counts_from_its_instant_after_those_said_before() -> None:
    script = play(NASPA, "0 press right", "10 adjust left seconds=60 when=now reason=x")
    late = accept(script.history, event_of("press left"), 5 * NS)
    face = face_of(late, 10 * NS)
    assert (face["right"]["used_ns"], face["left"]["reading"]) == (5 * NS, "25:55")
    assert [link.number for link in late] == [3, 4, 2, 1]
    assert accept(late, event_of("press right"), 20 * NS).number == 5
    assert [link.number for link in script.history] == [3, 2, 1]
    # At the same instant the earlier entry stays first.
    between = accept(play(NASPA, "0 press right", "5 press left", "9 hold").history, event_of("press right"), 5 * NS)
    assert face_of(between, 9 * NS)["running"] == "left"
    assert [link.number for link in between] == [4, 5, 3, 2, 1]


def test_what_is_taken_back_was_never_accepted_and_what_stands_in_its_place_has_its_number() -> None:
    alone = take_back(play(NASPA, "0 press right", "5 press left", "9 press right").history, 3, None)
    assert [link.number for link in alone] == [2, 1]
    assert face_of(alone, 10 * NS)["left"]["used_ns"] == 10 * NS
    instead = take_back(play(NASPA, "0 press right", "5 neutralise").history, 3, (_game_event("challenge"), 5 * NS))
    assert face_of(instead, 6 * NS)["phase"] == "adjudication"
    assert (instead.number, instead.at) == (3, 5 * NS)
    # What cannot be put in or taken back.
    with pytest.raises(EventNotAllowed):
        accept(play(NASPA, "0 press right", "10 challenge").history, event_of("withdraw"), 5 * NS)
    struck = play(NASPA, "0 press right", "5 press left", "6 undo reason=x")
    # A new game, what was struck, what is not there.
    for number in (1, 3, 9):
        with pytest.raises(EventNotAllowed):
            take_back(struck.history, number, None)
    with pytest.raises(EventNotAllowed):
        take_back(play(NASPA, "0 press right", "5 press left").history, 3, (_game_event("withdraw"), 5 * NS))


def test_a_journal_is_given_only_what_is_new_what_was_taken_back_and_what_stands_in_its_place() -> None:
    script = play(NASPA, "0 press right")
    gone, written = changes(script.history, script.then("5 press left", "9 press right").history)
    assert (gone, [link.number for link in written]) == ((), [3, 4])
    begun = changes(None, script.history)
    assert (begun[0], [link.number for link in begun[1]]) == ((), [1, 2])
    stopped = play(NASPA, "0 press right", "5 neutralise").history
    assert changes(stopped, take_back(stopped, 3, None)) == ((3,), ())
    gone, written = changes(stopped, take_back(stopped, 3, (_game_event("challenge"), 5 * NS)))
    assert (gone, [(link.number, link.event) for link in written]) == ((), [(3, event_of("challenge"))])


# --- for random games
@settings(deadline=None, max_examples=examples(200))
@given(drawn=played(), rest=st.integers(0, 30 * S))
def test_undoing_the_last_event_is_as_never_having_said_it_but_what_it_stopped_stays_stopped(drawn: Played, rest: int) -> None:
    beginning, script = drawn
    accepted = fold(beginning, script)[1]
    assume(accepted and isinstance(accepted[-1].event, UNDONE_BY_DEFAULT))
    now = accepted[-1].at + rest
    undone = accept(keep(beginning, accepted), Undo("x"), now)
    assert undone.game_at(now) == fold_at(beginning, accepted, now, struck=accepted[-1:])


@settings(deadline=None, max_examples=examples(300))
@given(drawn=played(), rest=st.integers(0, 30 * S), data=st.data())
def test_striking_any_event_leaves_the_game_of_the_others_and_what_drops_stays_out(drawn: Played, rest: int, data: st.DataObject) -> None:
    beginning, script = drawn
    accepted = fold(beginning, script)[1]
    assume(accepted)
    history, now, standing = keep(beginning, accepted), accepted[-1].at + rest, dict(enumerate(accepted, 2))
    struck: dict[int, Said] = {}
    for _ in range(min(3, len(accepted))):
        strike = data.draw(st.sampled_from(sorted(standing)))
        history = accept(history, Undo("x", strike), now)
        struck[strike] = standing.pop(strike)
        survivors = fold(beginning, _in_order(standing | struck), struck.values())[1]
        standing = {number: line for number, line in standing.items() if line in survivors}
        assert history.game_at(now) == fold_at(beginning, _in_order(standing | struck), now, struck.values())
        assert {link.number for link in history if link.fate is Fate.VALID and not isinstance(link.event, Undo | NewGame)} == set(standing)
        if not standing:
            break


def _in_order(lines: dict[int, Said]) -> list[Said]:
    return [line for _, line in sorted(lines.items())]


@settings(deadline=None, max_examples=examples(300))
@given(drawn=played(), rest=st.integers(0, 30 * S), data=st.data())
def test_an_event_put_in_late_is_as_one_put_in_at_its_instant(drawn: Played, rest: int, data: st.DataObject) -> None:
    beginning, script = drawn
    late = data.draw(st.sampled_from(script))
    others = fold(beginning, [line for line in script if line is not late])[1]
    in_order = sorted([*others, late], key=lambda line: line.at)
    now = script[-1].at + rest
    history = keep(beginning, others)
    try:
        history = accept(history, late.event, late.at)
    except EventNotAllowed:
        assert late not in fold(beginning, in_order)[1]
        return
    assert history.game_at(now) == fold_at(beginning, in_order, now)


@settings(deadline=None, max_examples=examples(200))
@given(drawn=played(), rest=st.integers(0, 30 * S), data=st.data())
def test_what_is_taken_back_was_never_there(drawn: Played, rest: int, data: st.DataObject) -> None:
    beginning, script = drawn
    accepted = fold(beginning, script)[1]
    assume(accepted)
    index = data.draw(st.integers(0, len(accepted) - 1))
    now = accepted[-1].at + rest
    history = take_back(keep(beginning, accepted), index + 2, None)
    others = accepted[:index] + accepted[index + 1 :]
    assert history.game_at(now) == fold_at(beginning, others, now)


@settings(deadline=None, max_examples=examples(200))
@given(drawn=played(), other=st.sampled_from(EVENTS), data=st.data())
def test_what_stands_in_the_place_of_another_counts_at_its_own_instant(drawn: Played, other: GameEvent, data: st.DataObject) -> None:
    beginning, script = drawn
    accepted = fold(beginning, script)[1]
    assume(accepted)
    index = data.draw(st.integers(0, len(accepted) - 1))
    instead = Said(accepted[index].at, other)
    changed = [*accepted[:index], instead, *accepted[index + 1 :]]
    now = accepted[-1].at
    try:
        history = take_back(keep(beginning, accepted), index + 2, (instead.event, instead.at))
    except EventNotAllowed:
        assert instead not in fold(beginning, changed)[1]
        return
    assert history.game_at(now) == fold_at(beginning, changed, now)
