from typing import Any

import pytest
from msgspec.structs import replace

from appliance.errors import Diagnosis
from kiosk import events as ev
from kiosk.challenge.apply import apply, begin
from kiosk.challenge.flow import Flow, Question, Step
from kiosk.challenge.timeouts import clears_at, tick
from kiosk.context import Division, JudgedBy, StationContext, Trouble, TroubleKind
from kiosk.events import Consequence, Judge, Print, Role, WriteEntry
from lexicon.alphabet import load_alphabet
from records.entry import Entry, Kind, Way
from rules.rulebooks import load_rulebook
from rules.side import Side
from tests.cells import each_cell
from tests.kiosk.challenge.making import S, at_checking, at_verdict, at_words, context, field_names, key, lexicon_name, played, run
from tests.some import some

SPOILED = Trouble(TroubleKind.LEXICON_DAMAGED, Diagnosis("list.dawg: expected a whole file, found a damaged one", "Copy it again"))


def test_the_table_and_its_challenger_lead_to_the_words() -> None:
    flow = played(begin(context()), ev.Begin(), ev.Type("12"))
    assert (flow.step, flow.question) == (Step.TABLE, Question.TABLE)
    words = played(flow, ev.ChooseChallenger(Side.RIGHT))
    assert (words.step, words.table, words.challenger, words.count, words.words) == (Step.WORDS, 12, Side.RIGHT, None, ((),))


def test_a_table_number_has_one_to_three_digits_and_begins_with_no_nought() -> None:
    for cell in each_cell(
        [
            ("7", "7", None),
            ("999", "999", None),
            ("1000", "100", "notice.table_digits"),
            ("0", "", "notice.table_digits"),
            ("105", "105", None),
            ("a", "", "notice.table_digits"),
            ("٣", "", "notice.table_digits"),
            ("\x00\x1b4", "4", None),
            (" 12", "12", None),
            ("9" * 100_000, "999", "notice.table_digits"),
        ]
    ):
        with cell as (typed, digits, notice):
            flow = played(begin(context()), ev.Begin(), ev.Type(typed))
            assert (flow.digits, key(flow), flow.question) == (digits, notice, Question.TABLE)


def test_back_from_the_words_and_on_again_loses_none_of_them() -> None:
    back = played(at_words(begin(context())), ev.Type("cat"), ev.Back())
    flow = played(back, ev.ChooseChallenger(Side.RIGHT))
    assert (flow.words, flow.chosen, flow.challenger) == ((tuple("CAT"),), 0, Side.RIGHT)


def test_whether_it_is_a_repeat_is_asked_only_where_this_table_has_one_open_and_before_who_challenges() -> None:
    judged = played(at_verdict(begin(context()), "CAT"), ev.Done(), ev.Begin())
    assert played(judged, ev.Type("8"), ev.Next()).question is Question.CHALLENGER
    asked = played(judged, ev.Type("7"), ev.Next())
    assert asked.question is Question.REPEAT
    repeat, another = played(asked, ev.RepeatIt()), played(asked, ev.NewChallenge())
    assert (repeat.step, repeat.challenger, repeat.count, repeat.words) == (Step.WORDS, Side.LEFT, 1, ((),))
    assert (another.question, another.link) == (Question.CHALLENGER, None)
    assert played(another, ev.Back()).question is Question.REPEAT
    assert played(asked, ev.Back()).question is Question.TABLE
    known = played(judged, ev.Type("7"), ev.ChooseChallenger(Side.RIGHT))
    assert known.question is Question.REPEAT
    assert (played(known, ev.RepeatIt()).challenger, played(known, ev.NewChallenge()).challenger) == (Side.LEFT, Side.RIGHT)


NO_ANSWERS: list[ev.ChallengeEvent] = [ev.Begin(), ev.RepeatIt(), ev.NewChallenge(), ev.Finish(), ev.Done(), ev.ChooseLanguage("xx")]


def test_what_is_no_answer_to_the_question_changes_nothing_not_even_the_instant_of_the_last_touch() -> None:
    for cell in each_cell(NO_ANSWERS):
        with cell as event:
            asked = played(begin(context()), ev.Begin(), ev.Type("1000"))
            assert apply(asked, event, asked.touched + 5 * S) == (asked, ())


def test_the_language_changes_at_any_question_and_on_the_idle_screen_but_only_to_one_of_the_stations() -> None:
    assert played(begin(context()), ev.ChooseLanguage("es")).language == "es"
    assert played(at_words(begin(context())), ev.ChooseLanguage("fr"), ev.ChooseLanguage("xx")).language == "fr"
    # Without a choice the language is the station's own, which the director may change.
    french = ev.SetContext(replace(context(), language="fr"))
    assert [played(begin(context()), *chosen, french).language for chosen in ((), (ev.ChooseLanguage("es"),))] == ["fr", "es"]


def test_a_lexicon_swapped_spoiled_or_gone_in_mid_challenge_waits_until_nobody_is_in_one() -> None:
    checking = at_checking(begin(context()), "CAT")
    spoiled = replace(context(), lexicon=None, spelling=None, trouble=SPOILED)
    for other in (context(alphabet="spanish"), spoiled):
        assert apply(checking, ev.SetContext(other), checking.since) == (checking, ())
    idle = played(checking, ev.Withdraw(), ev.Done())
    assert played(idle, ev.SetContext(spoiled)).context == spoiled


TROUBLE = Trouble(TroubleKind.LEXICON_MISSING, Diagnosis("list.dawg: expected a lexicon, found no file", "Copy it back"))
ENTRY = Entry(Kind.LOOKUP, 7, "left", ("CAT", "DOG"), way=Way.BUTTON, rulebook="naspa-2017", lexicon=lexicon_name())


def _checking(rulebook: str = "naspa-2017", **limits: Any) -> Flow:
    return at_checking(begin(context(rulebook, **limits)), "CAT", "DOG")


def _judging(**limits: Any) -> Flow:
    return played(_checking(**limits), ev.Adjudicate(Way.BUTTON))


def verdicts_in(value: object) -> list[bool]:
    found, left = [], [value]
    while left:
        each = left.pop()
        if isinstance(each, tuple):
            left += each
            continue
        if isinstance(each, Entry | Consequence) and each.acceptable is not None:
            found.append(each.acceptable)
        # mypy takes the hash of a class for that of its instances.
        kind: Any = type(each)
        left += [getattr(each, name) for name in field_names(kind)]
    return found


def test_the_challenged_players_key_asks_for_one_look_up_of_all_the_words() -> None:
    flow, effects = run(_checking(), ev.Adjudicate(Way.BUTTON))
    assert (flow.step, effects) == (Step.JUDGING, (Judge(ENTRY),))


ON_THE_WORDS: list[ev.ChallengeEvent] = [
    ev.Type("s"),
    ev.TypeTile("S"),
    ev.Erase(),
    ev.Next(),
    ev.AddWord(),
    ev.RemoveWord(0),
    ev.ChooseWord(1),
    ev.Done(),
    ev.RepeatIt(),
    ev.Judged(True, 1),
]


def test_the_words_that_both_check_are_locked() -> None:
    for cell in each_cell(ON_THE_WORDS):
        with cell as event:
            checking = _checking()
            assert apply(checking, event, checking.since + 9 * S) == (checking, ())


def test_back_leads_to_the_words_until_the_play_is_adjudicated() -> None:
    flow = played(_checking(), ev.Back())
    assert (flow.step, flow.words, flow.outcome) == (Step.WORDS, (tuple("CAT"), tuple("DOG")), None)
    judging = _judging()
    assert apply(judging, ev.Back(), judging.since + S) == (judging, ())


@pytest.mark.parametrize("way", Way)
def test_a_key_in_the_first_half_second_is_a_second_tap_and_no_answer(way: Way) -> None:
    checking = _checking()
    assert apply(checking, ev.Adjudicate(way), checking.since + S // 2 - 1) == (checking, ())
    assert apply(checking, ev.Adjudicate(way), checking.since + S // 2)[0].step is Step.JUDGING


def test_no_key_judges_words_whose_number_is_not_the_declared_one() -> None:
    flow, effects = run(_checking().replace(count=3), ev.Adjudicate(Way.TAB))
    assert (flow.step, effects) == (Step.CHECKING, ())
    assert flow.notice is not None


def test_no_key_judges_before_the_words_are_shown_to_both() -> None:
    words = played(_checking(), ev.Back())
    assert run(words, ev.Adjudicate(Way.TAB), ev.Adjudicate(Way.TOUCH)) == (words, ())


NOT_WHILE_JUDGING: list[ev.ChallengeEvent] = [
    ev.Back(),
    ev.Adjudicate(Way.TAB),
    ev.Withdraw(),
    ev.Concede(Side.LEFT),
    ev.CallDirector(),
    ev.Done(),
    ev.ChooseLanguage("fr"),
    ev.Begin(),
    ev.SetContext(context()),
]


def test_while_the_words_are_looked_up_nothing_else_is_taken() -> None:
    for cell in each_cell(NOT_WHILE_JUDGING):
        with cell as event:
            judging = _judging()
            assert apply(judging, event, judging.since + 900 * S) == (judging, ())
            assert tick(judging, judging.since + 900 * S) == (judging, ())
            assert clears_at(judging) is None


@pytest.mark.parametrize("acceptable", [True, False])
def test_the_verdict_is_one_for_the_play_with_what_it_means_and_a_slip_that_says_so(acceptable: bool) -> None:
    flow, effects = run(_judging(), ev.Judged(acceptable, 42))
    lost, on_turn = (Role.CHALLENGER, Role.CHALLENGED) if acceptable else (Role.CHALLENGED, Role.CHALLENGER)
    follows = Consequence(acceptable, lost, on_turn, 0, None, context().rulebook.challenge.restart)
    judged = replace(ENTRY, acceptable=acceptable)
    assert flow.outcome is not None
    assert (flow.step, flow.outcome.entry, flow.outcome.row, flow.outcome.consequence) == (Step.VERDICT, judged, 42, follows)
    assert effects == (Print(judged, 42, follows, context().rulebook.title, "en"),)


@pytest.mark.parametrize("acceptable", [True, False])
def test_a_verdict_that_could_not_be_logged_is_nowhere_in_the_state_and_the_words_stand_there_as_before(acceptable: bool) -> None:
    flow, effects = run(_judging(), ev.Judged(acceptable, None))
    assert (flow.step, effects, flow.words, flow.open) == (Step.CHECKING, (), (tuple("CAT"), tuple("DOG")), ())
    assert key(flow) == "notice.unlogged"
    assert verdicts_in(flow) == []
    again = apply(flow, ev.Adjudicate(Way.TAB), flow.since + S)[0]
    assert verdicts_in(again) == []


def test_where_the_director_allows_it_a_verdict_that_could_not_be_logged_is_shown_without_a_row() -> None:
    flow, effects = run(_judging(judge_unlogged=True), ev.Judged(True, None))
    assert (flow.step, some(flow.outcome).row, verdicts_in(flow.replace(verdicts=()))) == (Step.VERDICT, None, [True, True])
    assert [effect.row for effect in effects if isinstance(effect, Print)] == [None]


def test_a_lexicon_that_cannot_be_trusted_judges_nothing_and_what_was_typed_is_gone() -> None:
    flow, effects = run(_judging(), ev.CannotJudge(TROUBLE))
    idle = begin(replace(context(), trouble=TROUBLE))
    assert flow == idle.replace(context=replace(flow.context, trouble=TROUBLE), since=flow.since, touched=flow.touched)
    assert effects == (WriteEntry(replace(ENTRY, kind=Kind.REFUSED, way=None, why=str(TROUBLE.what))),)
    assert run(flow, ev.Begin()) == (flow, ())


def test_with_a_trouble_of_its_own_a_challenge_is_not_judged() -> None:
    flow, effects = run(_checking().replace(context=replace(context(), trouble=TROUBLE)), ev.Adjudicate(Way.TAB))
    assert (flow.step, flow.words, flow.context.trouble) == (Step.IDLE, (), TROUBLE)
    assert [effect.entry.kind for effect in effects if isinstance(effect, WriteEntry)] == [Kind.REFUSED]


def test_a_verdict_leads_nowhere_in_its_first_half_second() -> None:
    verdict = at_verdict(begin(context()), "CAT")
    for event in (ev.Done(), ev.RepeatIt(), ev.SecondOpinion(True), ev.SecondOpinion(False), ev.CallDirector()):
        assert apply(verdict, event, verdict.since + S // 2 - 1) == (verdict, ())
    assert apply(verdict, ev.Done(), verdict.since + S // 2)[0].step is Step.IDLE


OTHER = JudgedBy(load_rulebook("nzasp-2022"), replace(lexicon_name("spanish"), sha256="e" * 64), load_alphabet("spanish").spelling)
MIXED = replace(context(), divisions=(Division((range(1, 21), range(25, 26)), OTHER),))


def test_the_tables_number_picks_the_division_and_a_table_in_none_has_the_stations_own() -> None:
    for table, by in ((1, OTHER), (20, OTHER), (21, MIXED.by), (25, OTHER), (26, MIXED.by)):
        assert at_words(begin(MIXED), table).context.by == by


def test_a_divisions_challenge_is_judged_and_logged_by_its_own_rulebook_and_list() -> None:
    flow, asked = run(at_words(begin(MIXED), 5), ev.Type("casa"), ev.Finish(), ev.Adjudicate(Way.TAB))
    (judge,) = asked
    assert isinstance(judge, Judge)
    assert (judge.entry.rulebook, judge.entry.lexicon) == ("nzasp-2022", OTHER.lexicon)
    outcome = some(played(flow, ev.Judged(acceptable=True, row=3)).outcome)
    assert some(outcome.consequence).points == 5


def changed(stands: StationContext) -> StationContext:
    return replace(stands, rulebook=OTHER.rulebook, lexicon=OTHER.lexicon, spelling=OTHER.spelling)


def test_a_repeat_is_judged_by_its_first_try_also_after_the_director_changed_rulebook_and_list() -> None:
    first = played(at_verdict(begin(context()), "CAT", acceptable=False), ev.Done())
    later = played(first, ev.SetContext(changed(context())))
    assert later.context == changed(context())
    again = played(later, ev.Begin(), ev.Type("7"), ev.Next(), ev.RepeatIt())
    assert (again.step, again.context.by, again.station) == (Step.WORDS, context().by, changed(context()))
    flow, asked = run(again, ev.Type("cat"), ev.Finish(), ev.Adjudicate(Way.TAB))
    assert [(effect.entry.rulebook, effect.entry.lexicon) for effect in asked if isinstance(effect, Judge)] == [
        ("naspa-2017", context().lexicon)
    ]
    assert played(flow, ev.Judged(acceptable=True, row=9), ev.Done()).context == changed(context())
    assert played(again, ev.Back()).context == changed(context())


def test_where_the_list_of_the_first_try_is_gone_the_station_says_so_and_calls_the_director() -> None:
    judged = at_verdict(begin(context()), "CAT", acceptable=False)
    lost = judged.replace(open=tuple(replace(each, by=None) for each in judged.open))
    called = played(lost, ev.RepeatIt())
    assert called.calling
    assert key(called) == "notice.list_gone"
    assert called.step is Step.VERDICT
