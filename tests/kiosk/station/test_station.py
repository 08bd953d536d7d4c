"""The station as a whole: whose an event is, and what the players find when the director's door has closed again."""

from dataclasses import replace

import pytest

from appliance.errors import Diagnosis
from game.challenge_log.entry import Kind, Way
from kiosk import events as players
from kiosk.challenge.context import Trouble, TroubleKind
from kiosk.challenge.flow import Step
from kiosk.director.door import Doorway
from kiosk.effects import Judge, Leave, WriteEntry, WriteVerdict
from kiosk.events import (
    DeskAnswer,
    DeskPlace,
    GiveVerdict,
    GoTo,
    KeyTurned,
    KnockAtDoor,
    LeaveDesk,
    NewSlip,
    NoSide,
    PinChecked,
    QuitNow,
    Settle,
    TakeOpinion,
    VerdictWritten,
)
from kiosk.facts import Facts
from kiosk.station.apply import end
from kiosk.station.timeouts import wake_at
from rules.duration import NS
from rules.rulebooks import load_rulebook
from tests.kiosk.challenge.making import context
from tests.kiosk.station.playing import BEGUN, station


def test_no_key_adjudicates_while_the_pin_is_asked_for_or_the_desk_is_open() -> None:
    played = station().checking()
    for opening in ((KnockAtDoor(),), (players.Type("2468"), players.Next()), (PinChecked(right=True),)):
        played.do(*opening).after(1).do(*[players.Adjudicate(way) for way in Way])
    assert not [effect for effect in played.asked if isinstance(effect, Judge)]
    assert played.now.flow.step is Step.CHECKING


def test_the_players_words_are_there_again_when_the_desk_has_closed_and_their_time_goes_on() -> None:
    played = station().typed("HEM").after(30).do(players.Type(" ZAX")).after(115)
    words = played.now.flow.words
    played.opened().after(200).do(LeaveDesk())
    assert played.now.flow.words == words
    assert not played.after(4).now.flow.still_there
    assert played.after(1).now.flow.still_there


def test_the_question_whether_anybody_is_there_waits_behind_the_door_too_and_the_words_with_it() -> None:
    played = station().typed("HEM").after(150)
    assert played.now.flow.still_there
    played.opened().after(200).do(LeaveDesk())
    assert played.after(29).now.flow.still_there
    assert played.do(players.Back()).now.flow.words == (tuple("HEM"),)


def test_visits_at_the_door_keep_no_words_on_the_screen_for_longer_than_they_last() -> None:
    played = station(words_ns=25 * NS, idle_ns=15 * NS, still_there_ns=20 * NS).checking()
    for _ in range(22):
        played.after(2).do(KnockAtDoor()).after(18).do(players.Back())
        played.do(players.Next())
    # One of the 45 seconds went by before the first knock, and two before each.
    assert played.now.flow.step is Step.IDLE
    again = station().checking().after(85).do(KnockAtDoor()).after(18).do(players.Back())
    assert not again.after(33).now.flow.still_there
    assert again.after(1).now.flow.still_there


def test_a_verdict_is_cleared_in_its_time_whoever_is_at_the_door() -> None:
    knocked = station(verdict_ns=10 * NS).checking().judged()
    for _ in range(4):
        knocked.do(KnockAtDoor()).after(2).do(players.Back())
    assert knocked.now.flow.step is Step.VERDICT
    assert knocked.do(KnockAtDoor()).after(1).do(players.Back()).now.flow.step is Step.IDLE
    assert station(verdict_ns=10 * NS).checking().judged().opened().after(9).now.flow.step is Step.IDLE


def test_a_verdict_that_came_behind_the_open_door_stands_its_whole_time_when_the_door_has_closed() -> None:
    played = station(verdict_ns=10 * NS).checking().do(players.Adjudicate(Way.TAB)).after(0.01)
    played.do(KeyTurned(on=True)).after(0.01).do(players.Judged(acceptable=True, row=4)).after(100).do(KeyTurned(on=False))
    assert played.after(9.9).now.flow.step is Step.VERDICT
    assert played.after(0.1).now.flow.step is Step.IDLE


def test_the_call_for_the_director_and_the_challenge_behind_it_wait_while_the_desk_is_open() -> None:
    played = station(director_ns=120 * NS).typed().do(players.CallDirector()).opened().after(119).do(LeaveDesk())
    assert (played.now.flow.calling, played.now.flow.step) == (True, Step.WORDS)
    assert played.after(120).now.flow.still_there
    assert played.after(60).now.flow.step is Step.IDLE


def test_the_finger_that_closed_the_door_is_no_adjudication_key() -> None:
    played = station().checking().opened().after(5).do(LeaveDesk(), players.Adjudicate(Way.TOUCH))
    assert played.now.flow.step is Step.CHECKING
    assert played.after(0.5).do(players.Adjudicate(Way.TOUCH)).now.flow.step is Step.JUDGING


def test_who_checks_has_as_much_time_left_when_the_desk_has_closed_as_when_it_was_opened() -> None:
    played = station().checking().after(3).opened().after(200).do(LeaveDesk())
    assert not played.after(115).now.flow.still_there
    assert played.after(1).now.flow.still_there


def test_nobody_knocks_while_the_words_are_looked_up_and_a_key_turned_then_loses_no_verdict() -> None:
    played = station().checking().do(players.Adjudicate(Way.TAB), KnockAtDoor())
    assert played.now.door.is_closed
    played.do(KeyTurned(on=True), players.Judged(acceptable=True, row=4), KeyTurned(on=False))
    assert played.now.flow.step is Step.VERDICT


def test_what_is_typed_at_the_desk_is_not_typed_into_the_players_words() -> None:
    played = station().typed("HEM")
    words = played.now.flow.words
    played.opened().do(GoTo(DeskPlace.NAME), players.Type("ROOM"), players.Erase(), players.Next(), players.Back(), LeaveDesk())
    assert played.now.flow.words == words


def test_another_rulebook_is_taken_as_soon_as_nobody_is_in_a_challenge() -> None:
    other = replace(context(count_first=False), rulebook=load_rulebook("nzasp-2022"))
    played = station().typed().opened().do(players.SetContext(other), LeaveDesk())
    assert played.now.flow.context.rulebook.id == "naspa-2017"
    played.do(*[players.Back()] * 6)
    assert played.now.flow.context.rulebook.id == "nzasp-2022"
    assert played.now.pending_context is None


def test_another_rulebook_is_taken_behind_the_open_door_where_nobody_is_in_a_challenge() -> None:
    other = replace(context(), name="Room 2")
    assert station().opened().do(players.SetContext(other)).now.flow.context.name == "Room 2"


def test_it_is_taken_when_the_players_screen_clears_itself() -> None:
    played = station().typed().do(players.SetContext(replace(context(), name="Room 2")))
    assert played.now.flow.context.name == "Station 1"
    assert played.after(180).now.flow.context.name == "Room 2"


def test_a_trouble_in_mid_challenge_is_taken_when_the_challenge_is_over_which_is_judged_by_the_list_it_was_begun_with() -> None:
    troubled = replace(context(count_first=False), lexicon=None, trouble=Trouble(TroubleKind.LEXICON_DAMAGED, Diagnosis("damaged")))
    played = (
        station().checking().do(players.SetContext(troubled), players.Adjudicate(Way.TAB), players.Judged(acceptable=True, row=4)).after(1)
    )
    (judged,) = (effect for effect in played.asked if isinstance(effect, Judge))
    assert judged.entry.lexicon == context().lexicon
    assert (played.now.flow.step, played.now.flow.context.trouble) == (Step.VERDICT, None)
    assert played.do(players.Done()).now.flow.context == troubled


def test_a_second_opinion_asked_of_a_word_judge_waits_at_the_desk_until_it_is_settled() -> None:
    played = station().checking().judged(row=40).do(players.SecondOpinion(here=False)).after(1)
    (waiting,) = played.now.opinions
    assert (waiting.table, waiting.words, waiting.first) == (7, (tuple("HEM"), tuple("ZAX")), 40)
    played.opened().do(
        GoTo(DeskPlace.JUDGE), TakeOpinion(7), players.Finish(), players.Type("AB"), players.Next(), GiveVerdict(acceptable=False)
    )
    (row,) = [effect.entry for effect in played.asked if isinstance(effect, WriteVerdict)]
    assert (row.kind, row.first, row.words) == (Kind.MANUAL, 40, ("HEM", "ZAX"))
    assert played.now.opinions
    assert played.do(VerdictWritten(41), Settle()).now.opinions == ()


def test_a_word_judges_verdict_on_a_slip_takes_the_place_of_the_one_that_could_be_shown_once_more_and_anothers_stays() -> None:
    played = station()
    for table in ("7", "8"):
        played.checking(table=table).judged().do(players.Done())
    played.opened().do(GoTo(DeskPlace.JUDGE), NewSlip(), players.ClockStopped(), players.Type("7"), players.Next(), NoSide())
    played.do(players.LastPlay(was_last=False), players.Type("HEM"), players.Finish(), players.Finish(), players.Type("AB"), players.Next())
    played.do(GiveVerdict(acceptable=False))
    assert [each.table for each in played.now.flow.verdicts] == [7, 8]
    assert [each.table for each in played.do(VerdictWritten(50)).now.flow.verdicts] == [8]


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
    played.opened().do(GoTo(DeskPlace.JUDGE), TakeOpinion(7), players.Finish()).after(300)
    assert played.kept()[-1] == ("aborted", "manual adjudication: the desk locked itself")
    assert played.now.opinions
    assert played.now.desk.judging is None


def test_an_empty_slip_that_is_locked_away_is_no_row() -> None:
    played = station().opened().do(GoTo(DeskPlace.JUDGE), NewSlip(), LeaveDesk())
    assert [kind for kind, _ in played.kept()] == ["door_opened"]


def test_nothing_of_the_desk_is_left_when_the_door_has_closed() -> None:
    played = station().opened().do(GoTo(DeskPlace.LOG), DeskAnswer(Facts(result="x")), LeaveDesk())
    assert played.now.desk == station().now.desk == played.opened().now.desk


def test_words_of_a_screen_that_clears_itself_are_logged_as_aborted() -> None:
    played = station().typed("HEM").after(179)
    assert played.kept() == []
    (row,) = [effect.entry for effect in played.after(1).asked]
    assert (row.kind, row.table, row.words) == (Kind.ABORTED, 7, ("HEM",))
    assert played.now.flow.step is Step.IDLE


def test_only_the_director_who_says_so_twice_asks_for_the_programs_end() -> None:
    played = station().typed().opened().do(GoTo(DeskPlace.QUIT), QuitNow())
    assert played.asked[-1] == Leave()


@pytest.mark.parametrize("opened", [False, True], ids=["at the screen", "behind the door"])
def test_players_words_are_logged_as_aborted_when_the_program_ends(*, opened: bool) -> None:
    played = station().typed("HEM")
    played = played.opened() if opened else played
    ended, asked = end(played.now, played.at, "by a signal")
    (row,) = [effect.entry for effect in asked if isinstance(effect, WriteEntry)]
    assert (row.kind, row.table, row.words) == (Kind.ABORTED, 7, ("HEM",))
    assert (ended.flow.step, ended.door.way) == (Step.IDLE, Doorway.CLOSED)
    assert end(ended, played.at, "by a signal") == (ended, ())


def test_a_verdict_that_stands_when_the_program_ends_is_in_the_log_already() -> None:
    played = station().checking().judged()
    assert end(played.now, played.at, "by a signal")[1] == ()


def test_the_station_wakes_for_the_seconds_it_shows() -> None:
    played = station().opened()
    assert wake_at(played.now, played.at) == BEGUN + 290 * NS
    assert wake_at(played.now, played.at + 290 * NS) == BEGUN + 291 * NS
    assert wake_at(station().now, BEGUN) is wake_at(station(tries=3).now, BEGUN) is None
    shut = station(tries=3).do(KnockAtDoor())
    assert wake_at(shut.now, BEGUN + 1) == BEGUN + NS
