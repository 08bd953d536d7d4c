from collections.abc import Iterator
from itertools import pairwise

from msgspec.structs import replace

from firmware.face import schedule
from firmware.face.cues import BEEPS, MELODIES, Cue, sounds
from firmware.face.value import Face
from firmware.face.view import face
from firmware.gestures.clock_state import ClockState
from game.events import NewGame, Press
from game.history import History, accept, begin
from rules.duration import NS
from rules.rulebooks import load_rulebook
from rules.rulebooks.model import TurnLimit
from rules.side import BySide, Side
from tests.firmware.gestures.trains import setup
from tests.firmware.saying import NASPA, play

SETUP = setup()


def heard(history: History, since: int, until: int) -> list[tuple[float, str, str]]:
    """Return what sounds between two instants (s) as the loop would look: its second, what, and whose."""
    return [
        (at / NS, sound.cue.value, "both" if sound.side is None else sound.side.value)
        for (_, before), (at, after) in pairwise(_looks(ClockState(history, SETUP), since * NS, until * NS))
        for sound in sounds(before, after)
    ]


def _looks(table: ClockState, now: int, until: int) -> Iterator[tuple[int, Face]]:
    while now <= until:
        yield now, face(table, now)
        now = schedule.next_due(table, now) or until + 1


def scripted(lines: str, since: int, until: int) -> list[tuple[float, str, str]]:
    return heard(play(NASPA, *lines.split(", ")).history, since, until)


def test_a_player_hears_two_minutes_zero_and_each_full_minute_of_overtime_and_the_opponent_nothing() -> None:
    assert scripted("0 press right", 1, 1_625) == [
        (1_380, "two minutes", "left"),
        (1_500, "zero", "left"),
        (1_560, "overtime", "left"),
        (1_620, "overtime", "left"),
    ]


def test_a_second_that_nobody_looked_at_does_not_silence_what_it_brought() -> None:
    table = ClockState(play(NASPA, "0 press right").history, SETUP)
    looks = [face(table, at * NS + 5) for at in (1_378, 1_381, 1_498, 1_502, 1_558, 1_562)]
    assert [sound.cue for before, after in pairwise(looks) for sound in sounds(before, after)] == [Cue.TWO_MINUTES, Cue.ZERO, Cue.OVERTIME]


def test_the_player_whose_clock_starts_hears_it_and_with_little_time_nothing_else() -> None:
    begun = play(NASPA, "0 press right").history
    ended = accept(begun, Press(Side.LEFT), 1_450 * NS)
    answered = accept(ended, Press(Side.RIGHT), 1_460 * NS)
    before, passed = (face(ClockState(each, SETUP), 1_450 * NS) for each in (begun, ended))
    again = face(ClockState(answered, SETUP), 1_460 * NS)
    assert [(each.cue, each.side) for each in sounds(before, passed)] == [(Cue.TURN, Side.RIGHT)]
    assert [(each.cue, each.side) for each in sounds(passed, again)] == [(Cue.TURN, Side.LEFT)]


def test_the_end_of_a_window_is_both_players_and_sounds_once() -> None:
    assert scripted("0 press right, 10 hold", 11, 60) == [(25, "window", "both")]


def test_no_verdict_sounds_apart_from_the_other() -> None:
    asked = "0 press right, 5 challenge"
    before = face(ClockState(play(NASPA, *asked.split(", ")).history, SETUP), 6 * NS)
    for acceptable in ("true", "false"):
        after = face(ClockState(play(NASPA, *asked.split(", "), f"6 verdict acceptable={acceptable}").history, SETUP), 6 * NS)
        assert [*sounds(before, after)] == []


def test_a_limited_turn_warns_its_player_and_says_its_end() -> None:
    book = replace(load_rulebook(NASPA), turn=TurnLimit(60 * NS, (20 * NS, 5 * NS)))
    history = accept(begin(NewGame(book, "limited", BySide.both(None)), 0), Press(Side.RIGHT), 0)
    assert heard(history, 1, 100) == [(40, "turn warning", "left"), (55, "turn warning", "left"), (60, "turn over", "left")]


def test_the_hall_s_timer_and_a_request_to_stop_call_both() -> None:
    before = face(ClockState(play(NASPA, "0 press right").history, SETUP), NS)
    for after in (replace(before, timer_calls=True), replace(before, stop_asked=True)):
        assert [(each.cue, each.side) for each in sounds(before, after)] == [(Cue.CALL, None)]
        assert [*sounds(after, after)] == []


def test_every_cue_has_a_rhythm_of_its_own() -> None:
    assert MELODIES.keys() == {*Cue}
    # Also for an ear that hears no difference of pitch.
    rhythms = [tuple((bool(hz), ms) for hz, ms in MELODIES[cue]) for cue in Cue]
    assert len({*rhythms}) == len(rhythms)
    assert {BEEPS[cue] for cue in (Cue.WINDOW, Cue.ZERO, Cue.TURN_OVER)} == {1, 2, 3}
