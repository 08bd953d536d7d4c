"""The adjudication key, the shell's answers, and the one verdict."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from functools import cache
from typing import Any

import pytest

from appliance.errors import Diagnosis
from game.challenge_log.entry import Entry, Kind, Way
from kiosk.challenge.apply import apply, begin
from kiosk.challenge.context import Trouble, TroubleKind
from kiosk.challenge.flow import Flow, Step
from kiosk.challenge.timeouts import clears_at, tick
from kiosk.effects import Consequence, Judge, Print, Role, WriteEntry
from kiosk.events import (
    AddWord,
    Adjudicate,
    Back,
    Begin,
    CallDirector,
    CannotJudge,
    ChallengeEvent,
    ChooseLanguage,
    ChooseWord,
    Concede,
    Done,
    Erase,
    Judged,
    Mistyped,
    Next,
    RemoveWord,
    SecondOpinion,
    SetContext,
    Type,
    TypeTile,
    VerdictNotLogged,
    Withdraw,
)
from rules.side import Side
from tests.cells import each_cell
from tests.kiosk.challenge.making import S, at_checking, at_verdict, context, lexicon_name, played, run

TROUBLE = Trouble(TroubleKind.LEXICON_MISSING, Diagnosis("list.dawg: expected a lexicon, found no file", "Copy it back"))
ENTRY = Entry(Kind.LOOKUP, 7, "left", ("CAT", "DOG"), way=Way.BUTTON, rulebook="naspa-2017", lexicon=lexicon_name(), last_play=False)


def _checking(rulebook: str = "naspa-2017", **limits: Any) -> Flow:
    return at_checking(begin(context(rulebook, **limits)), "CAT", "DOG")


def _judging(**limits: Any) -> Flow:
    return played(_checking(**limits), Adjudicate(Way.BUTTON))


@cache
def _field_names(kind: type) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind)) if is_dataclass(kind) else ()


def verdicts_in(value: object) -> list[bool]:
    """Every verdict that stands anywhere in a state."""
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
        left += [getattr(each, name) for name in _field_names(kind)]
    return found


def test_the_challenged_players_key_asks_for_one_look_up_of_all_the_words() -> None:
    flow, effects = run(_checking(), Adjudicate(Way.BUTTON))
    assert (flow.step, effects) == (Step.JUDGING, (Judge(ENTRY),))


ON_THE_WORDS: list[ChallengeEvent] = [
    Type("s"),
    TypeTile("S"),
    Erase(),
    Next(),
    AddWord(),
    RemoveWord(0),
    ChooseWord(1),
    Done(),
    Mistyped(),
    Judged(True, 1),
]


def test_the_words_that_both_check_are_locked() -> None:
    for cell in each_cell(ON_THE_WORDS):
        with cell as event:
            checking = _checking()
            assert apply(checking, event, checking.since + 9 * S) == (checking, ())


def test_back_leads_to_the_words_until_the_play_is_adjudicated() -> None:
    flow = played(_checking(), Back())
    assert (flow.step, flow.words, flow.outcome) == (Step.WORDS, (tuple("CAT"), tuple("DOG")), None)
    judging = _judging()
    assert apply(judging, Back(), judging.since + S) == (judging, ())


@pytest.mark.parametrize("way", Way)
def test_a_key_in_the_first_half_second_is_a_second_tap_and_no_answer(way: Way) -> None:
    checking = _checking()
    assert apply(checking, Adjudicate(way), checking.since + S // 2 - 1) == (checking, ())
    assert apply(checking, Adjudicate(way), checking.since + S // 2)[0].step is Step.JUDGING


def test_no_key_judges_words_whose_number_is_not_the_declared_one() -> None:
    flow, effects = run(_checking().replace(count=3), Adjudicate(Way.TAB))
    assert (flow.step, effects) == (Step.CHECKING, ())
    assert flow.notice is not None


def test_no_key_judges_before_the_words_are_shown_to_both() -> None:
    words = played(_checking(), Back())
    assert run(words, Adjudicate(Way.TAB), Adjudicate(Way.TOUCH)) == (words, ())


NOT_WHILE_JUDGING: list[ChallengeEvent] = [
    Back(),
    Adjudicate(Way.TAB),
    Withdraw(),
    Concede(Side.LEFT),
    CallDirector(),
    Done(),
    ChooseLanguage("fr"),
    Begin(),
    SetContext(context()),
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
    flow, effects = run(_judging(), Judged(acceptable, 42))
    lost, on_turn = (Role.CHALLENGER, Role.CHALLENGED) if acceptable else (Role.CHALLENGED, Role.CHALLENGER)
    follows = Consequence(acceptable, lost, on_turn, 0, None, context().rulebook.challenge.restart)
    judged = replace(ENTRY, acceptable=acceptable)
    assert flow.outcome is not None
    assert (flow.step, flow.outcome.entry, flow.outcome.row, flow.outcome.consequence) == (Step.VERDICT, judged, 42, follows)
    assert effects == (Print(judged, 42, follows, context().rulebook.title, "en"),)


@pytest.mark.parametrize(
    ("rulebook", "turn", "points"),
    [("naspa-2017", Role.CHALLENGER, 0), ("naspa-2017-collins-10", None, 20), ("nzasp-2022", None, 10), ("club", None, 0)],
)
def test_what_an_acceptable_play_means_is_the_rulebooks(rulebook: str, turn: Role | None, points: int) -> None:
    flow = at_verdict(begin(context(rulebook)), "CAT", "DOG")
    assert flow.outcome is not None
    assert flow.outcome.consequence is not None
    assert (flow.outcome.consequence.turn_lost_by, flow.outcome.consequence.points) == (turn, points)


@pytest.mark.parametrize("acceptable", [True, False])
def test_a_verdict_that_could_not_be_logged_is_nowhere_in_the_state_and_the_words_stand_there_as_before(acceptable: bool) -> None:
    flow, effects = run(_judging(), VerdictNotLogged(acceptable, "no space left"))
    assert (flow.step, effects, flow.words, flow.open) == (Step.CHECKING, (), (tuple("CAT"), tuple("DOG")), ())
    assert flow.notice is not None
    assert flow.notice.key == "notice.unlogged"
    assert verdicts_in(flow) == []
    again = apply(flow, Adjudicate(Way.TAB), flow.since + S)[0]
    assert verdicts_in(again) == []


def test_where_the_director_allows_it_a_verdict_that_could_not_be_logged_is_shown_without_a_row() -> None:
    flow, effects = run(_judging(judge_unlogged=True), VerdictNotLogged(True, "no space left"))
    assert flow.outcome is not None
    assert (flow.step, flow.outcome.row, verdicts_in(flow.replace(verdicts=()))) == (Step.VERDICT, None, [True, True])
    assert [effect.row for effect in effects if isinstance(effect, Print)] == [None]


def test_a_lexicon_that_cannot_be_trusted_judges_nothing_and_what_was_typed_is_gone() -> None:
    flow, effects = run(_judging(), CannotJudge(TROUBLE))
    idle = begin(replace(context(), trouble=TROUBLE))
    assert flow == idle.replace(context=replace(flow.context, trouble=TROUBLE), since=flow.since, touched=flow.touched)
    assert effects == (WriteEntry(replace(ENTRY, kind=Kind.REFUSED, way=None, why=str(TROUBLE.what))),)
    assert run(flow, Begin()) == (flow, ())


def test_a_trouble_that_came_in_mid_challenge_changes_nothing_of_it_the_list_it_was_begun_with_is_asked() -> None:
    checking = played(_checking(), SetContext(replace(context(), lexicon=None, trouble=TROUBLE)))
    flow, effects = run(checking, Adjudicate(Way.TAB))
    assert (flow.step, flow.context) == (Step.JUDGING, context())
    assert [effect.entry.lexicon for effect in effects if isinstance(effect, Judge)] == [context().lexicon]


def test_with_a_trouble_of_its_own_a_challenge_is_not_judged() -> None:
    flow, effects = run(_checking().replace(context=replace(context(), trouble=TROUBLE)), Adjudicate(Way.TAB))
    assert (flow.step, flow.words, flow.context.trouble) == (Step.IDLE, (), TROUBLE)
    assert [effect.entry.kind for effect in effects if isinstance(effect, WriteEntry)] == [Kind.REFUSED]


def test_no_answer_of_the_shell_is_taken_that_was_not_asked_for() -> None:
    for flow in (begin(context()), _checking(), at_verdict(begin(context()), "CAT")):
        for event in (Judged(True, 1), VerdictNotLogged(True, "x"), CannotJudge(TROUBLE)):
            assert run(flow, event) == (flow, ())


def test_a_verdict_leads_nowhere_in_its_first_half_second() -> None:
    verdict = at_verdict(begin(context()), "CAT")
    for event in (Done(), Mistyped(), SecondOpinion(True), SecondOpinion(False), CallDirector()):
        assert apply(verdict, event, verdict.since + S // 2 - 1) == (verdict, ())
    assert apply(verdict, Done(), verdict.since + S // 2)[0].step is Step.IDLE
