"""The station as a whole: whose an event is, and what the players find when the director's door has closed again."""

from dataclasses import replace

import pytest

from firmware.core.duration import NS
from firmware.rulebooks import load_rulebook
from kiosk.challenge import events as players
from kiosk.challenge.effects import Judge
from kiosk.challenge.entry import Kind, Way
from kiosk.challenge.flow import Step
from kiosk.challenge.standing import Ailment, Trouble
from kiosk.director.door import Lock
from kiosk.director.effects import CheckPin, KeepVerdict, Leave
from kiosk.director.events import (
    GiveVerdict,
    GoTo,
    Kept,
    KeyTurned,
    KnockAtDoor,
    LeaveDesk,
    NewSlip,
    PinChecked,
    Place,
    QuitNow,
    Settle,
    TakeOpinion,
    Told,
)
from kiosk.director.facts import Facts
from kiosk.station.waking import wake_at
from tests.kiosk.challenge.making import standing
from tests.kiosk.station.playing import BEGUN, station


def test_the_pin_goes_to_the_shell_and_only_its_answer_opens_the_desk() -> None:
    played = station().do(KnockAtDoor(), players.Type("24"), players.TypeTile("6"), players.Type("8"), players.Next())
    assert played.asked == [CheckPin("2468")]
    assert not played.now.door.is_open
    assert played.do(PinChecked(right=True)).now.door.is_open
    assert played.kept() == [("door_opened", "PIN")]


def test_every_refusal_is_a_row_and_tells_how_many_there_were_in_a_row() -> None:
    played = station(tries=1).do(KnockAtDoor(), players.Type("1111"), players.Next(), PinChecked(right=False))
    assert played.kept() == [("door_refused", "wrong PIN, 2 in a row")]


def test_after_a_restart_the_door_is_shut_as_long_as_the_log_says() -> None:
    played = station(tries=4).do(KnockAtDoor(), players.Type("2468"), players.Next())
    assert played.asked == []
    played.seconds = 60
    assert played.do(KnockAtDoor(), players.Type("2468"), players.Next()).asked == [CheckPin("2468")]


def test_the_key_switch_opens_and_closes_the_desk() -> None:
    played = station().do(KeyTurned(on=True))
    assert played.now.door.is_open
    assert played.do(KeyTurned(on=False)).now.door.is_closed
    assert played.kept() == [("door_opened", "key switch")]


@pytest.mark.parametrize("lock", [Lock(pin=False), Lock(pin=True)])
def test_a_key_switch_that_the_settings_do_not_name_opens_nothing(lock: Lock) -> None:
    assert station(lock).do(KeyTurned(on=True)).now.door.is_closed


def test_the_question_for_the_pin_goes_away_by_itself() -> None:
    assert station().do(KnockAtDoor()).after(20).now.door.is_closed
    assert not station().do(KnockAtDoor()).after(19).do(players.Type("1")).after(19).now.door.is_closed


def test_the_open_desk_locks_itself_after_five_minutes_without_a_touch() -> None:
    played = station().opened().after(299).do(GoTo(Place.LOG)).after(299)
    assert played.now.door.is_open
    assert played.after(1).now.door.is_closed


def test_what_the_shell_tells_is_nobodys_touch() -> None:
    assert station().opened().after(299).do(Told(Facts(said="x"))).after(1).now.door.is_closed


def test_a_touch_that_comes_after_the_desk_should_have_locked_finds_it_locked() -> None:
    played = station().opened()
    played.seconds += 301
    assert played.do(GoTo(Place.LOG)).now.door.is_closed


def test_no_key_adjudicates_while_the_pin_is_asked_for_or_the_desk_is_open() -> None:
    played = station().checking()
    for opening in ((KnockAtDoor(),), (players.Type("2468"), players.Next()), (PinChecked(right=True),)):
        played.do(*opening).after(1).do(*[players.Adjudicate(way) for way in Way])
    assert not [effect for effect in played.asked if isinstance(effect, Judge)]
    assert played.now.flow.step is Step.CHECKING


def test_the_players_words_are_there_again_when_the_desk_has_closed_and_their_time_goes_on() -> None:
    played = station(idle_ns=45 * NS).typed("HEM").after(30).do(players.Type(" ZAX")).after(40)
    words = played.now.flow.words
    played.opened().after(200).do(LeaveDesk())
    assert played.now.flow.words == words
    assert played.after(4).now.flow.step is Step.WORDS
    assert played.after(1).now.flow.step is Step.IDLE


def test_a_verdict_is_cleared_in_its_time_whoever_is_at_the_door() -> None:
    knocked = station(verdict_ns=10 * NS).checking().judged()
    for _ in range(4):
        knocked.do(KnockAtDoor()).after(2).do(players.Back())
    assert knocked.now.flow.step is Step.VERDICT
    assert knocked.do(KnockAtDoor()).after(1).do(players.Back()).now.flow.step is Step.IDLE
    assert station().checking().judged().opened().after(9).now.flow.step is Step.IDLE


def test_a_verdict_that_came_behind_the_open_door_stands_its_whole_time_when_the_door_has_closed() -> None:
    played = station(verdict_ns=10 * NS).checking().do(players.Adjudicate(Way.TAB)).after(0.01)
    played.do(KeyTurned(on=True)).after(0.01).do(players.Judged(acceptable=True, row=4)).after(100).do(KeyTurned(on=False))
    assert played.after(9.9).now.flow.step is Step.VERDICT
    assert played.after(0.1).now.flow.step is Step.IDLE


def test_the_call_for_the_director_goes_away_behind_the_open_door() -> None:
    played = station(director_ns=120 * NS).typed().do(players.CallDirector()).opened().after(119)
    assert (played.now.flow.step, wake_at(played.now, played.at)) == (Step.DIRECTOR, played.at + NS)
    assert played.after(1).now.flow.step is Step.IDLE


def test_the_finger_that_closed_the_door_is_no_adjudication_key() -> None:
    played = station().checking().opened().after(5).do(LeaveDesk(), players.Adjudicate(Way.TOUCH))
    assert played.now.flow.step is Step.CHECKING
    assert played.after(0.5).do(players.Adjudicate(Way.TOUCH)).now.flow.step is Step.JUDGING


def test_who_checks_has_the_whole_time_again_when_the_desk_has_closed() -> None:
    played = station(idle_ns=45 * NS).checking().after(43).opened().after(5).do(LeaveDesk())
    assert played.after(44).now.flow.step is Step.CHECKING
    assert played.after(1).now.flow.step is Step.IDLE


def test_nobody_knocks_while_the_words_are_looked_up_and_a_key_turned_then_loses_no_verdict() -> None:
    played = station().checking().do(players.Adjudicate(Way.TAB), KnockAtDoor())
    assert played.now.door.is_closed
    played.do(KeyTurned(on=True), players.Judged(acceptable=True, row=4), KeyTurned(on=False))
    assert played.now.flow.step is Step.VERDICT


def test_what_is_typed_at_the_desk_is_not_typed_into_the_players_words() -> None:
    played = station().typed("HEM")
    words = played.now.flow.words
    played.opened().do(GoTo(Place.NAME), players.Type("ROOM"), players.Erase(), players.Next(), players.Back(), LeaveDesk())
    assert played.now.flow.words == words


def test_another_rulebook_is_taken_as_soon_as_nobody_is_in_a_challenge() -> None:
    other = replace(standing(count_first=False), rulebook=load_rulebook("nzasp-2022"))
    played = station().typed().opened().do(players.Stand(other), LeaveDesk())
    assert played.now.flow.standing.rulebook.id == "naspa-2017"
    played.do(*[players.Back()] * 6)
    assert played.now.flow.standing.rulebook.id == "nzasp-2022"
    assert played.now.coming is None


def test_another_rulebook_is_taken_behind_the_open_door_where_nobody_is_in_a_challenge() -> None:
    other = replace(standing(), name="Room 2")
    assert station().opened().do(players.Stand(other)).now.flow.standing.name == "Room 2"


def test_it_is_taken_when_the_players_screen_clears_itself() -> None:
    played = station().typed().do(players.Stand(replace(standing(), name="Room 2")))
    assert played.now.flow.standing.name == "Station 1"
    assert played.after(45).now.flow.standing.name == "Room 2"


def test_a_trouble_in_mid_challenge_is_taken_at_once() -> None:
    trouble = Trouble(Ailment.LEXICON_DAMAGED, "damaged")
    played = station().checking().do(players.Stand(replace(standing(count_first=False), lexicon=None, trouble=trouble)))
    assert played.do(players.Adjudicate(Way.TAB)).now.flow.step is Step.IDLE
    assert not [effect for effect in played.asked if isinstance(effect, Judge)]


def test_a_second_opinion_asked_of_a_word_judge_waits_at_the_desk_until_it_is_settled() -> None:
    played = station().checking().judged(row=40).do(players.SecondOpinion(here=False)).after(1)
    (waiting,) = played.now.opinions
    assert (waiting.table, waiting.words, waiting.first) == (7, (tuple("HEM"), tuple("ZAX")), 40)
    played.opened().do(
        GoTo(Place.JUDGE), TakeOpinion(7), players.Finish(), players.Type("AB"), players.Next(), GiveVerdict(acceptable=False)
    )
    (row,) = [effect.entry for effect in played.asked if isinstance(effect, KeepVerdict)]
    assert (row.kind, row.first, row.words) == (Kind.MANUAL, 40, ("HEM", "ZAX"))
    assert played.now.opinions
    assert played.do(Kept(41), Settle()).now.opinions == ()


def test_a_second_opinion_that_no_judge_takes_is_forgotten_after_ten_minutes() -> None:
    played = station().checking().judged().do(players.SecondOpinion(here=False))
    assert played.after(599).now.opinions
    assert played.after(1).now.opinions == ()


def test_an_idle_station_wakes_to_forget_the_words_that_wait_for_a_judge() -> None:
    played = station(repeats=0).checking().judged().do(players.SecondOpinion(here=False)).after(1).do(players.Done())
    (waiting,) = played.now.opinions
    assert wake_at(played.now, played.at) == waiting.until
    played.seconds = (waiting.until - BEGUN) / NS
    assert played.after(0).now.opinions == ()
    assert wake_at(played.now, played.at) is None


def test_a_play_waits_for_a_judge_no_longer_once_its_table_has_a_verdict_and_anothers_goes_on_waiting() -> None:
    played = station()
    for table in ("7", "8"):
        played.checking(table=table).judged().do(players.SecondOpinion(here=False)).after(1).do(players.Done())
    played.do(players.Begin(), players.ClockStopped(), players.Type("7"), players.Next(), players.RepeatIt(), players.Type("HEN ZAX"))
    played.do(players.Finish()).after(1)
    assert [each.table for each in played.now.opinions] == [7, 8]
    assert [each.table for each in played.judged().now.opinions] == [8]


def test_a_manual_adjudication_that_locks_itself_is_logged_as_aborted_and_its_opinion_goes_on_waiting() -> None:
    played = station().checking().judged().do(players.SecondOpinion(here=False)).after(1)
    played.opened().do(GoTo(Place.JUDGE), TakeOpinion(7), players.Finish()).after(300)
    assert played.kept()[-1] == ("aborted", "manual adjudication: the desk locked itself")
    assert played.now.opinions
    assert played.now.desk.judging is None


def test_an_empty_slip_that_is_locked_away_is_no_row() -> None:
    played = station().opened().do(GoTo(Place.JUDGE), NewSlip(), LeaveDesk())
    assert [kind for kind, _ in played.kept()] == ["door_opened"]


def test_nothing_of_the_desk_is_left_when_the_door_has_closed() -> None:
    played = station().opened().do(GoTo(Place.LOG), Told(Facts(said="x")), LeaveDesk())
    assert played.now.desk == station().now.desk == played.opened().now.desk


def test_players_words_are_logged_as_aborted_when_the_director_ends_the_program() -> None:
    played = station().typed().opened().do(GoTo(Place.QUIT), QuitNow())
    assert played.kept()[-1][0] == "aborted"
    assert played.asked[-1] == Leave()


def test_the_station_wakes_for_the_seconds_it_shows() -> None:
    played = station().opened()
    assert wake_at(played.now, played.at) == BEGUN + 290 * NS
    assert wake_at(played.now, played.at + 290 * NS) == BEGUN + 291 * NS
    assert wake_at(station().now, BEGUN) is wake_at(station(tries=3).now, BEGUN) is None
    shut = station(tries=3).do(KnockAtDoor())
    assert wake_at(shut.now, BEGUN + 1) == BEGUN + NS
