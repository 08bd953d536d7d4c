from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from faults.errors import Phrase
from kiosk import events as players
from kiosk.challenge.flow import Step
from kiosk.challenge.timeouts import READ
from kiosk.context import Facts, LogLine, LogPage, SelfTestResult
from kiosk.director.door import Doorway, Lock
from kiosk.director.word_judge import REMEMBERED_NS, Opinion, Ruling, Seat, Stage
from kiosk.events import Judge, Print, TestYourself, WriteEntry, WriteVerdict
from kiosk.face.view import page
from kiosk.station import _WORKED_AT, apply, begin, end, next_due, tick
from kiosk.texts import load_texts
from records.entry import Entry, Kind, Way
from rules.duration import NS
from rules.rulebooks import load_rulebook
from tests.kiosk.challenge.making import context, everything_in
from tests.kiosk.face.flows import ADJUDICATION, RULED
from tests.kiosk.kept_pin import KEPT_PIN
from tests.kiosk.station.playing import BEGUN, BOTH, Playing, station
from tests.some import of_kind


def test_each_step_waits_behind_the_door_or_is_read_and_cleared_in_its_time() -> None:
    assert {*_WORKED_AT, *READ, Step.IDLE} == {*Step}


def test_no_key_adjudicates_while_the_pin_is_asked_for_or_the_desk_is_open() -> None:
    played = station().checking()
    for opening in ((players.KnockAtDoor(),), (players.Type("2468"),), (players.Next(),)):
        played.do(*opening).after(1).do(*[players.Adjudicate(way) for way in Way])
    assert not [effect for effect in played.asked if isinstance(effect, Judge)]
    assert played.now.flow.step is Step.CHECKING


def test_the_players_words_are_there_again_when_the_desk_has_closed_and_their_time_goes_on() -> None:
    played = station().typed("HEM").after(30).do(players.Type(" ZAX")).after(115)
    words = played.now.flow.words
    played.opened().after(200).do(players.LeaveJudgeDesk())
    assert played.now.flow.words == words
    assert not played.after(4).now.flow.still_there
    assert played.after(1).now.flow.still_there


def test_the_question_whether_anybody_is_there_waits_behind_the_door_too_and_the_words_with_it() -> None:
    played = station().typed("HEM").after(150)
    assert played.now.flow.still_there
    played.opened().after(200).do(players.LeaveJudgeDesk())
    assert played.after(29).now.flow.still_there
    assert played.do(players.Back()).now.flow.words == (tuple("HEM"),)


def test_visits_at_the_door_keep_no_words_on_the_screen_for_longer_than_they_last() -> None:
    played = station(words_s=25, idle_s=15, still_there_s=20).checking()
    for _ in range(22):
        played.after(2).do(players.KnockAtDoor()).after(18).do(players.Back())
        played.do(players.Next())
    # One of the 45 seconds went by before the first knock, and two before each.
    assert played.now.flow.words == ()
    again = station().checking().after(85).do(players.KnockAtDoor()).after(18).do(players.Back())
    assert not again.after(33).now.flow.still_there
    assert again.after(1).now.flow.still_there


def test_a_verdict_is_cleared_in_its_time_whoever_is_at_the_door() -> None:
    knocked = station(verdict_s=10).checking().judged()
    for _ in range(4):
        knocked.do(players.KnockAtDoor()).after(2).do(players.Back())
    assert knocked.now.flow.step is Step.VERDICT
    assert knocked.do(players.KnockAtDoor()).after(1).do(players.Back()).now.flow.step is Step.IDLE
    assert station(verdict_s=10).checking().judged().opened().after(9).now.flow.step is Step.IDLE


def test_a_verdict_that_came_behind_the_open_door_stands_its_whole_time_when_the_door_has_closed() -> None:
    played = station(verdict_s=10).checking().do(players.Adjudicate(Way.TAB)).after(0.01)
    played.do(players.KeyTurned(on=True)).after(0.01).do(players.Judged(acceptable=True, row=4)).after(100).do(players.KeyTurned(on=False))
    assert played.after(9.9).now.flow.step is Step.VERDICT
    assert played.after(0.1).now.flow.step is Step.IDLE


def test_the_call_for_the_director_and_the_challenge_behind_it_wait_while_the_desk_is_open() -> None:
    played = station(director_s=120).typed().do(players.CallDirector()).opened().after(119).do(players.LeaveJudgeDesk())
    assert (played.now.flow.calling, played.now.flow.step) == (True, Step.WORDS)
    assert played.after(120).now.flow.still_there
    assert played.after(60).now.flow.step is Step.IDLE


def test_the_door_stays_closed_while_words_are_looked_up_and_a_key_turned_then_loses_no_verdict() -> None:
    played = station().checking().do(players.Adjudicate(Way.TAB), players.KnockAtDoor())
    assert played.now.door.is_closed
    played.do(players.KeyTurned(on=True), players.Judged(acceptable=True, row=4), players.KeyTurned(on=False))
    assert played.now.flow.step is Step.VERDICT


def test_another_rulebook_is_taken_as_soon_as_nobody_is_in_a_challenge() -> None:
    other = replace(context(), rulebook=load_rulebook("nzasp-2022"))
    played = station().typed().opened().do(players.SetContext(other), players.LeaveJudgeDesk())
    assert played.now.flow.context.rulebook.id == "naspa-2017"
    played.do(*[players.Back()] * 6)
    assert played.now.flow.context.rulebook.id == "nzasp-2022"
    assert played.now.next is None
    # So it is when the players' screen clears itself.
    cleared = station().typed().do(players.SetContext(replace(context(), name="Room 2"))).after(180)
    assert cleared.now.flow.context.name == "Room 2"


def test_a_second_opinion_asked_of_a_word_judge_waits_at_the_desk_until_it_is_settled() -> None:
    played = station().checking().judged(row=40).do(players.SecondOpinion(here=False)).after(1)
    (waiting,) = played.now.opinions
    assert (waiting.table, waiting.words, waiting.first) == (7, (tuple("HEM"), tuple("ZAX")), 40)
    played.opened().do(
        players.GoTo(players.JudgeDeskPlace.JUDGE),
        players.Choose("7"),
        players.Finish(),
        players.Type("AB"),
        players.Next(),
        players.GiveVerdict(acceptable=False),
    )
    (row,) = [effect.entry for effect in played.asked if isinstance(effect, WriteVerdict)]
    assert (row.kind, row.first, row.words) == (Kind.MANUAL, 40, ("HEM", "ZAX"))
    assert played.now.opinions
    assert played.do(players.VerdictWritten(41), players.Confirm()).now.opinions == ()


def test_a_word_judges_verdict_on_a_slip_takes_the_place_of_the_one_that_could_be_shown_once_more_and_anothers_stays() -> None:
    played = station()
    for table in ("7", "8"):
        played.checking(table=table).judged().do(players.Done())
    played.opened().do(
        players.GoTo(players.JudgeDeskPlace.JUDGE), players.Begin(), players.Type("7"), players.Next(), players.ChooseChallenger(None)
    )
    played.do(players.Type("HEM"), players.Finish(), players.Finish(), players.Type("AB"), players.Next())
    played.do(players.GiveVerdict(acceptable=False))
    assert [each.table for each in played.now.flow.verdicts] == [7, 8]
    assert [each.table for each in played.do(players.VerdictWritten(50)).now.flow.verdicts] == [8]


def test_a_play_waits_for_a_judge_no_longer_once_its_table_has_a_verdict_and_anothers_goes_on_waiting() -> None:
    played = station()
    for table in ("7", "8"):
        played.checking(table=table).judged().do(players.SecondOpinion(here=False)).after(1).do(players.Done())
    played.do(players.Begin(), players.Type("7"), players.Next(), players.RepeatIt(), players.Type("HEN ZAX"))
    played.do(players.Finish()).after(1)
    assert [each.table for each in played.now.opinions] == [7, 8]
    assert [each.table for each in played.judged().now.opinions] == [8]


def test_what_stands_when_the_program_ends_is_settled_and_printed_or_in_the_log_already() -> None:
    verdict = station().checking().judged()
    assert end(verdict.now, verdict.at, "by a signal")[1] == ()
    differ = station().opened().do(*ADJUDICATION, *RULED, players.SecondOpinion(here=False), players.Type("CD"), players.Next())
    differ.do(players.GiveVerdict(acceptable=False), players.VerdictWritten(6))
    settled, printed = end(differ.now, differ.at, "by a signal")[1]
    why = "manual adjudication: by a signal; no third judge has ruled: the first ruling has precedence"
    row = of_kind(WriteEntry, settled).entry
    assert (row.kind, row.table, row.acceptable, row.why) == (Kind.MANUAL, 7, True, why)
    assert of_kind(Print, printed).entry == replace(row, first=None, why="first judge AB")


def test_the_station_wakes_for_the_seconds_it_shows() -> None:
    played = station().opened()
    assert next_due(played.now, played.at) == BEGUN + 290 * NS
    assert next_due(played.now, played.at + 290 * NS) == BEGUN + 291 * NS
    assert next_due(station().now, BEGUN) is next_due(station(tries=3).now, BEGUN) is None
    judged = station().checking().judged()
    assert next_due(judged.now, judged.at) == judged.now.flow.since + 2 * NS
    shut = station(tries=3).do(players.KnockAtDoor())
    assert next_due(shut.now, BEGUN + 1) == BEGUN + NS


def test_a_digit_of_a_pin_can_be_erased() -> None:
    assert station().do(players.KnockAtDoor(), players.Type("24689"), players.Erase(), players.Next()).now.door.is_open


def test_the_pin_opens_the_desk_and_a_wrong_one_counts() -> None:
    played = station().do(players.KnockAtDoor(), players.Type("1111"), players.Next())
    assert (played.now.door.way, played.now.door.tries) == (Doorway.ASKING, 1)
    played.do(players.Type("24"), players.TypeTile("6"), players.Type("8"))
    assert not played.now.door.is_open
    assert played.do(players.Next()).now.door.is_open
    assert played.kept() == [("door_refused", "wrong PIN, 1 in a row"), ("door_opened", "PIN")]


@pytest.mark.parametrize("lock", [Lock(), Lock(KEPT_PIN)])
def test_a_key_switch_that_the_settings_do_not_name_opens_nothing(lock: Lock) -> None:
    assert station(lock).do(players.KeyTurned(on=True)).now.door.is_closed


@pytest.mark.parametrize("tiles", [False, True], ids=["keyboard", "pad"])
def test_a_pin_typed_at_a_door_that_has_closed_by_itself_is_shown_nowhere_and_is_no_tables_number(*, tiles: bool) -> None:
    played = station().do(players.KnockAtDoor()).after(20)
    for digit in "2468":
        # Each a second and a half after the one before: longer than the first four seconds together.
        played.after(1.5).do(players.TypeTile(digit) if tiles else players.Type(digit))
        shown = page(played.now, played.at, load_texts, ())
        assert (shown.name, shown.entry, played.now.flow.digits) == ("idle", "", "")
        assert shown.notice == "The director's page has closed by itself: digits count again in 4 s."
    played.after(1).do(players.Next(), players.Erase(), players.Begin())
    assert played.now.flow.step is Step.IDLE
    assert next_due(played.now, played.at) == played.at + NS
    assert page(played.after(4).now, played.at, load_texts, ()).notice is None
    assert played.do(players.Type("7")).now.flow.digits == "7"


def test_the_open_desk_locks_itself_after_five_minutes_without_a_touch() -> None:
    played = station().opened().after(299).do(players.GoTo(players.JudgeDeskPlace.LOG)).after(299)
    assert played.now.door.is_open
    assert played.after(1).now.door.is_closed


def test_behind_the_help_nothing_is_typed_or_chosen_and_the_shells_answers_arrive() -> None:
    played = station().do(players.KnockAtDoor(), players.ShowHelp(), players.Type("2468"), players.Next())
    assert (played.asked, played.now.door.digits, played.now.door.helping) == ([], "", True)
    played = (
        station().opened().do(players.ShowHelp(), players.GoTo(players.JudgeDeskPlace.NAME), players.JudgeDeskAnswer(Facts(result="x")))
    )
    assert (played.now.judge_desk.place, played.now.judge_desk.facts.result) == (players.JudgeDeskPlace.MENU, "x")
    assert not played.do(players.Back()).now.door.helping
    assert played.now.door.is_open


def test_the_help_does_not_hold_the_door_open_and_is_gone_with_it() -> None:
    played = station().opened().after(200).do(players.ShowHelp())
    assert played.after(299).now.door.is_open
    assert played.after(1).now.door.is_closed
    assert not played.opened().now.door.helping
    turned = station().do(players.KnockAtDoor(), players.ShowHelp(), players.KeyTurned(on=True))
    assert (turned.now.door.is_open, turned.now.door.helping) == (True, False)


FIRST = Ruling(Seat.FIRST, "AB", acceptable=True, row=41)

WAITING = Opinion(7, None, (tuple("HEM"),), None, BEGUN + REMEMBERED_NS, (FIRST,))


def restarted() -> Playing:
    return Playing(begin(context(), BOTH, BEGUN, opinions=(WAITING,)))


def taken(played: Playing) -> Playing:
    return played.opened().do(players.GoTo(players.JudgeDeskPlace.JUDGE), players.Choose("7"))


def ruled(played: Playing, judge: str, row: int, *, acceptable: bool) -> Playing:
    return played.do(players.Type(judge), players.Next(), players.GiveVerdict(acceptable), players.VerdictWritten(row))


def test_what_a_loss_of_power_cut_short_waits_at_the_desk_and_is_over_when_it_is_settled() -> None:
    played = ruled(taken(restarted()), "CD", 50, acceptable=True)
    (row,) = [effect.entry for effect in played.asked if isinstance(effect, WriteVerdict)]
    assert (row.kind, row.why, row.first) == (Kind.MANUAL, "second judge CD", 41)
    assert played.now.opinions == (WAITING,)
    assert played.do(players.Confirm()).now.opinions == ()


def test_it_is_forgotten_in_its_time_like_any_play_that_waits() -> None:
    played = restarted()
    assert next_due(played.now, BEGUN) == WAITING.until
    assert played.after(599.9).now.opinions == (WAITING,)
    assert played.after(0.1).now.opinions == ()


def test_where_the_desk_locks_itself_between_two_judges_the_next_one_is_asked_and_not_the_first_again() -> None:
    played = station().checking().judged().do(players.SecondOpinion(here=False)).after(1)
    taken(played).do(players.Finish())
    ruled(played, "AB", 41, acceptable=True).do(players.SecondOpinion(here=False)).after(300)
    assert played.kept()[-1] == ("aborted", "manual adjudication: the desk locked itself")
    (waiting,) = played.now.opinions
    assert waiting.rulings == (FIRST,)
    judging = taken(played).now.judge_desk.judging
    assert judging is not None
    assert (judging.stage, judging.seat) == (Stage.JUDGE, Seat.SECOND)


WORDS = "QUARTZ ZEPHYR"
LINE = LogLine(6789, "then", Entry(Kind.LOOKUP, 345, words=("QUARTZ", "ZEPHYR"), acceptable=False))


def left_of(played: Playing) -> set[str]:
    """Return what a fresh station does not have: instants left out."""
    fresh = {str(value) for value in everything_in(station().now)}
    instants = {str(played.now.flow.since), str(played.now.flow.touched), str(played.now.door.touched)}
    return {str(value) for value in everything_in(played.now)} - fresh - instants


def judged() -> Playing:
    return station().checking(WORDS, table="345").judged(row=6789, acceptable=False)


def opinion_asked() -> Playing:
    return judged().do(players.SecondOpinion(here=False)).after(1)


def at_the_desk() -> Playing:
    played = (
        opinion_asked()
        .opened()
        .do(players.GoTo(players.JudgeDeskPlace.JUDGE), players.Choose("345"), players.Finish(), players.Type("ZK"), players.Next())
    )
    played.do(
        players.GiveVerdict(acceptable=False),
        players.VerdictWritten(6790),
        players.Confirm(),
        players.GoTo(players.JudgeDeskPlace.MENU),
        players.GoTo(players.JudgeDeskPlace.LOG),
    )
    return played.do(players.JudgeDeskAnswer(Facts(log=LogPage((LINE,), None, older=False))))


ENDS: dict[str, Callable[[], Playing]] = {
    "done": lambda: judged().do(players.Done()),
    "cleared": lambda: judged().after(29),
    "knocked": lambda: judged().do(players.KnockAtDoor()).after(29).do(players.Back()),
    "opened": lambda: judged().opened().after(29).do(players.LeaveJudgeDesk()),
    "called": lambda: judged().do(players.CallDirector()).after(120),
    "ruled": lambda: at_the_desk().do(players.LeaveJudgeDesk()).after(120),
    "locked": lambda: at_the_desk().after(300).after(4),
}


@pytest.mark.parametrize("end", ENDS)
def test_of_a_challenge_that_is_over_what_may_be_repeated_is_all_that_is_left_and_in_the_end_nothing(end: str) -> None:
    played = ENDS[end]()
    assert (played.now.flow.step, played.now.door.is_closed) == (Step.IDLE, True)
    (may_repeat,) = played.now.flow.open
    repeatable = {"345", "left", "6789", str(may_repeat.until), *may_repeat.words}
    shown = {"challenger", "challenged", *(str(each.until) for each in played.now.flow.verdicts)}
    assert left_of(played) == repeatable | (shown if played.now.flow.verdicts else set())
    assert left_of(played.after(300)) <= repeatable
    assert left_of(played.after(300)) == set()


def test_a_play_that_waits_for_a_judge_holds_its_words_no_verdict_and_in_the_end_nothing() -> None:
    played = opinion_asked().do(players.Done())
    (waiting,) = played.now.opinions
    words = {*"QUARTZEPHYR", *played.now.flow.open[0].words}
    assert left_of(played) - words == {"345", "left", "6789", str(waiting.until), str(played.now.flow.open[0].until)}
    assert left_of(played.after(600)) == set()


AT_THE_DOOR: list[players.Event] = [
    players.KnockAtDoor(),
    players.LeaveJudgeDesk(),
    players.KeyTurned(on=True),
    players.KeyTurned(on=False),
    players.Type("2468"),
    players.Next(),
    players.Back(),
    players.ChooseLanguage("fr"),
    players.Judged(acceptable=True, row=1),
    players.Adjudicate(Way.TAB),
]


AT_WORK: list[players.Event] = [
    players.Begin(),
    players.Type("7"),
    players.Type("TA"),
    players.Next(),
    players.Finish(),
    players.RepeatIt(),
    players.RepeatIt(),
    players.SecondOpinion(here=True),
    players.SecondOpinion(here=False),
    players.Withdraw(),
    players.CallDirector(),
    players.Done(),
    *AT_THE_DOOR,
]


@given(st.lists(st.tuples(st.sampled_from(AT_WORK), st.integers(-3 * NS, 20 * NS)), max_size=60))
def test_time_that_goes_back_or_stands_breaks_nothing_and_the_next_waking_is_always_to_come(done: list[tuple[players.Event, int]]) -> None:
    now, at = judged().now, 2_000 * NS
    for event, by in done:
        at += by
        now, effects = apply(now, event, at)
        assert not [effect for effect in effects if isinstance(effect, Judge)] or isinstance(event, players.Adjudicate)
        now, _ = tick(now, at)
        wakes = next_due(now, at)
        assert wakes is None or wakes > at


FOUND = Facts(findings=(SelfTestResult(Phrase("disk"), fine=True),))


def new_station(lock: Lock = BOTH) -> Playing:
    return Playing(begin(context(), lock, BEGUN, 3, first_test=True))


def test_a_new_station_asks_for_five_touches_tests_itself_and_its_way_back_leads_to_the_players() -> None:
    played = new_station().do(players.Adjudicate(Way.BUTTON), *[players.PointDone(answers=True)] * 4, players.PointDone(answers=False))
    assert played.asked == [TestYourself((True, True, True, True, False))]
    played.do(players.JudgeDeskAnswer(FOUND), players.GoTo(players.JudgeDeskPlace.MENU))
    assert played.now.judge_desk.facts.findings == FOUND.findings
    played.do(players.Back()).do(players.Begin())
    assert (played.now.door.way, played.now.flow.step, played.kept()) == (Doorway.CLOSED, Step.TABLE, [])
    assert played.now.door.shut(played.at), "wrong tries before the start still count"


def test_a_test_left_at_a_point_is_a_row_and_one_that_is_not_touched_for_five_minutes_closes_without_one() -> None:
    left = new_station().after(2).do(players.PointDone(answers=True), players.ShowHelp(), players.Back())
    assert left.kept() == [], "this was the way back from the help"
    (row,) = (each.entry for each in left.do(players.Back()).asked)
    assert (row.kind, row.device_test, left.now.door.is_closed) == (Kind.SELF_TEST, "left", True)
    untouched = new_station().after(200).do(players.PointDone(answers=True)).after(299)
    assert not untouched.now.door.is_closed
    assert (untouched.after(1).now.door.is_closed, untouched.asked) == (True, [])


def test_the_key_switch_opens_the_desk_from_the_test_and_is_logged() -> None:
    opened = new_station().do(players.KeyTurned(on=True))
    assert opened.kept() == [("door_opened", "key switch")]
    assert opened.do(players.Back()).now.judge_desk.place is players.JudgeDeskPlace.MENU
    assert new_station(Lock(KEPT_PIN)).do(players.KeyTurned(on=True)).now.door.way is Doorway.FIRST_TEST
