"""Which rulebook and list judge a challenge: its table's division, the first try of a repeat, else the station's own."""

from dataclasses import replace

from game.challenge_log.entry import Way
from kiosk.challenge.apply import begin
from kiosk.challenge.context import Division, JudgedBy, StationContext
from kiosk.challenge.flow import Question, Step
from kiosk.effects import Judge
from kiosk.events import Adjudicate, Back, Begin, ClockStopped, Done, Finish, Judged, Mistyped, Next, RepeatIt, SetContext, Type
from lexicon.alphabet import load_alphabet
from rules.rulebooks import load_rulebook
from tests.kiosk.challenge.making import at_verdict, at_words, context, lexicon_name, played, run

OTHER = JudgedBy(load_rulebook("nzasp-2022"), replace(lexicon_name("spanish"), sha256="e" * 64), load_alphabet("spanish").spelling)
MIXED = replace(context(), divisions=(Division("Open", (range(1, 21), range(25, 26)), OTHER),))


def test_the_tables_number_picks_the_division_and_a_table_in_none_has_the_stations_own() -> None:
    for table, by in ((1, OTHER), (20, OTHER), (21, MIXED.by), (25, OTHER), (26, MIXED.by)):
        assert at_words(begin(MIXED), table, 1).context.by == by


def test_the_station_has_its_own_again_afterwards_and_where_the_number_is_changed() -> None:
    asked = played(begin(MIXED), Begin(), ClockStopped(), Type("5"), Next())
    assert (asked.context.by, asked.station) == (OTHER, MIXED)
    assert played(asked, Back()).context == MIXED
    done = played(at_verdict(begin(MIXED), "CASA", table=5), Done())
    assert (done.context, done.own) == (MIXED, None)


def test_a_divisions_challenge_is_judged_and_logged_by_its_own_rulebook_and_list() -> None:
    flow, asked = run(at_words(begin(MIXED), 5, 1), Type("casa"), Finish(), Adjudicate(Way.TAB))
    (judge,) = asked
    assert isinstance(judge, Judge)
    assert (judge.entry.rulebook, judge.entry.lexicon) == ("nzasp-2022", OTHER.lexicon)
    outcome = played(flow, Judged(acceptable=True, row=3)).outcome
    assert outcome is not None
    assert outcome.consequence is not None
    assert outcome.consequence.points == 5


def test_letters_that_were_typed_for_another_list_are_dropped() -> None:
    flow = played(at_words(begin(MIXED), 5, 1), Type("casa"), Back(), Back(), Back(), Back())
    assert flow.question is Question.TABLE
    assert not any(flow.words)


def changed(stands: StationContext) -> StationContext:
    """Return the station after the director chose another rulebook and list."""
    return stands.judged_by(OTHER)


def test_a_repeat_is_judged_by_its_first_try_also_after_the_director_changed_rulebook_and_list() -> None:
    first = played(at_verdict(begin(context()), "CAT", acceptable=False), Done())
    later = played(first, SetContext(changed(context())))
    assert later.context == changed(context())
    again = played(later, Begin(), ClockStopped(), Type("7"), Next(), RepeatIt())
    assert (again.step, again.context.by, again.station) == (Step.WORDS, context().by, changed(context()))
    flow, asked = run(again, Type("cat"), Finish(), Adjudicate(Way.TAB))
    assert [(effect.entry.rulebook, effect.entry.lexicon) for effect in asked if isinstance(effect, Judge)] == [
        ("naspa-2017", context().lexicon)
    ]
    assert played(flow, Judged(acceptable=True, row=9), Done()).context == changed(context())
    assert played(again, Back()).context == changed(context())


def test_where_the_list_of_the_first_try_is_gone_the_station_says_so_and_calls_the_director() -> None:
    judged = at_verdict(begin(context()), "CAT", acceptable=False)
    lost = judged.replace(open=tuple(replace(each, by=None) for each in judged.open))
    called = played(lost, Mistyped())
    assert called.calling
    assert called.notice is not None
    assert called.notice.key == "notice.list_gone"
    assert called.step is Step.VERDICT
