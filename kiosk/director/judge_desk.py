"""The judge desk: the present place, the facts received, and the effect of an event.

Closing the door clears the judge desk. No part of it looks words up without adjudicating: not even the judge desk may.
"""

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from msgspec import field

from kiosk import events
from kiosk.context import Facts, LexiconFile, RulebookChoice, StationContext, Value
from kiosk.director import word_judge


def in_force(choice: LexiconFile | RulebookChoice, facts: Facts, context: StationContext) -> bool:
    """Return whether ``choice`` is in force: a lexicon by its file and its list, because two files may hold the same list."""
    if isinstance(choice, RulebookChoice):
        return choice.id == context.rulebook.id
    found, current = choice.name, context.lexicon
    return choice.id == facts.in_use and found is not None and current is not None and found.sha256 == current.sha256


ROWS: Final = 5
"""Rows of a list on one page: as many as fit the smallest screen in readable letters."""
POINTS: Final = 5
"""Of the screen, where touch is tested: the corners and the middle."""
LONGEST_NAME: Final = 40
"""The most characters of a station's name, which is in the footer of every page and on every slip."""


class JudgeDesk(Value, frozen=True):
    place: events.JudgeDeskPlace = events.JudgeDeskPlace.MENU
    facts: Facts = field(default_factory=Facts)
    first: int = 0
    """The index of the first visible row, in a list that is known completely."""
    befores: tuple[int | None, ...] = (None,)
    """For each page of the log visited: the row before which it begins; the last one is visible."""
    name: str = ""
    wanted: LexiconFile | RulebookChoice | None = None
    judging: word_judge.Adjudication | None = None
    touches: tuple[bool, ...] | None = None
    """Whether each point of the screen so far answered; None: the touch is not being tested."""


class Around(Value, frozen=True):
    context: StationContext
    opinions: tuple[word_judge.Opinion, ...] = ()
    has_pending: bool = False
    """A new context is pending, so the director may want the present one back."""


JudgeDeskTransition: TypeAlias = tuple[JudgeDesk, tuple[events.Effect, ...]]


def apply(judge_desk: JudgeDesk, event: object, around: Around, at: int) -> JudgeDeskTransition:
    """Return the judge desk after ``event`` at ``at`` (ns), and the effects; an event that does not apply changes nothing."""
    if isinstance(event, events.JudgeDeskAnswer):
        # A late answer may concern a place the director has left; it does no harm.
        return judge_desk.replace(facts=judge_desk.facts.updated(event.facts)), ()
    if judge_desk.judging is not None:
        judging, done = word_judge.apply(judge_desk.judging, event, at)
        return judge_desk.replace(judging=judging), done
    if judge_desk.wanted is not None:
        return _confirm(judge_desk, judge_desk.wanted, event)
    if isinstance(event, events.GoTo):
        return go_to(judge_desk, event.place, around) if events.JudgeDeskPlace.MENU in (judge_desk.place, event.place) else (judge_desk, ())
    if isinstance(event, events.Back):
        return go_to(judge_desk, events.JudgeDeskPlace.MENU, around)
    return _AT[judge_desk.place](judge_desk, event, around, at)


def go_to(judge_desk: JudgeDesk, place: events.JudgeDeskPlace, around: Around) -> JudgeDeskTransition:
    return JudgeDesk(place, name=around.context.name if place is events.JudgeDeskPlace.NAME else ""), _LOOKED_FOR.get(place, ())


def left(judge_desk: JudgeDesk, why: str) -> tuple[events.Effect, ...]:
    return () if judge_desk.judging is None else word_judge.left(judge_desk.judging, why)


_LOOKED_FOR: Final[dict[events.JudgeDeskPlace, tuple[events.Effect, ...]]] = {
    events.JudgeDeskPlace.LEXICONS: (events.LookForLexicons(),),
    events.JudgeDeskPlace.RULEBOOKS: (events.LookForRulebooks(),),
    events.JudgeDeskPlace.LOG: (events.ReadLog(None, ROWS),),
    events.JudgeDeskPlace.SELF_TEST: (events.TestYourself(),),
}


def _choose(judge_desk: JudgeDesk, event: object, around: Around, at: int) -> JudgeDeskTransition:
    facts = judge_desk.facts
    choices: Sequence[LexiconFile | RulebookChoice] = (
        facts.lexicons if judge_desk.place is events.JudgeDeskPlace.LEXICONS else facts.rulebooks
    ) or ()
    match event:
        case events.TurnPage(by):
            return _turn_page(judge_desk, by, len(choices)), ()
        case events.Choose(wanted):
            # An unusable file may have been repaired since: the shell verifies it again.
            return _chosen(judge_desk, next((each for each in choices if each.id == wanted), None), around), ()
        case _:
            return judge_desk, ()


def _chosen(judge_desk: JudgeDesk, choice: LexiconFile | RulebookChoice | None, around: Around) -> JudgeDesk:
    settled = around.context.trouble is None and not around.has_pending
    if choice is None or (settled and in_force(choice, judge_desk.facts, around.context)):
        return judge_desk
    return _await_result(judge_desk).replace(wanted=choice)


def _confirm(judge_desk: JudgeDesk, wanted: LexiconFile | RulebookChoice, event: object) -> JudgeDeskTransition:
    match event:
        case events.Back():
            return judge_desk.replace(wanted=None), ()
        case events.Confirm():
            again = (events.LookForLexicons(),) if isinstance(wanted, LexiconFile) else ()
            return _await_result(judge_desk).replace(wanted=None), (events.Use(wanted), *again)
        case _:
            return judge_desk, ()


def _name(judge_desk: JudgeDesk, event: object, around: Around, at: int) -> JudgeDeskTransition:
    match event:
        case events.Type(text) | events.TypeTile(text):
            more = "".join(character for character in text[:LONGEST_NAME] if character.isprintable())
            return judge_desk.replace(name=(judge_desk.name + more)[:LONGEST_NAME].lstrip()), ()
        case events.Erase():
            return judge_desk.replace(name=judge_desk.name[:-1]), ()
        case events.Next() | events.Finish() if judge_desk.name.strip():
            return _await_result(judge_desk), (events.Rename(judge_desk.name.strip()),)
        case _:
            return judge_desk, ()


def _log(judge_desk: JudgeDesk, event: object, around: Around, at: int) -> JudgeDeskTransition:
    page = judge_desk.facts.log
    match event:
        case events.TurnPage(by) if by > 0 and page is not None and page.older and page.lines and page.before == judge_desk.befores[-1]:
            return _read(judge_desk, (*judge_desk.befores, page.lines[-1].row))
        case events.TurnPage(by) if by < 0 and len(judge_desk.befores) > 1:
            return _read(judge_desk, judge_desk.befores[:-1])
        case _:
            return judge_desk, ()


def _export(judge_desk: JudgeDesk, event: object, around: Around, at: int) -> JudgeDeskTransition:
    return (_await_result(judge_desk), (events.ExportLog(),)) if isinstance(event, events.Confirm) else (judge_desk, ())


def _self_test(judge_desk: JudgeDesk, event: object, around: Around, at: int) -> JudgeDeskTransition:
    match event:
        case events.TurnPage(by):
            return _turn_page(judge_desk, by, len(judge_desk.facts.findings or ())), ()
        case events.Confirm():
            return go_to(judge_desk, events.JudgeDeskPlace.SELF_TEST, around)
        case events.Begin():
            return judge_desk.replace(touches=()), ()
        case events.PointDone(answers) if judge_desk.touches is not None:
            touches = (*judge_desk.touches, answers)
            if len(touches) < POINTS:
                return judge_desk.replace(touches=touches), ()
            return JudgeDesk(events.JudgeDeskPlace.SELF_TEST), (events.TestYourself(touches),)
        case _:
            return judge_desk, ()


def _judge(judge_desk: JudgeDesk, event: object, around: Around, at: int) -> JudgeDeskTransition:
    match event:
        case events.TurnPage(by):
            return _turn_page(judge_desk, by, len(around.opinions)), ()
        case events.Begin():
            return judge_desk.replace(judging=word_judge.new_slip(around.context, at)), ()
        case events.Choose(table):
            asked = next((each for each in around.opinions if str(each.table) == table), None)
            return judge_desk if asked is None else judge_desk.replace(judging=word_judge.from_opinion(around.context, asked, at)), ()
        case _:
            return judge_desk, ()


def _quit(judge_desk: JudgeDesk, event: object, around: Around, at: int) -> JudgeDeskTransition:
    match event:
        case events.Confirm():
            return judge_desk, (events.Leave(),)
        case events.SwitchOffNow() if around.context.power_off:
            return _await_result(judge_desk), (events.SwitchOff(),)
        case _:
            return judge_desk, ()


_AT: Final[dict[events.JudgeDeskPlace, Callable[[JudgeDesk, object, Around, int], JudgeDeskTransition]]] = {
    events.JudgeDeskPlace.MENU: lambda judge_desk, *_: (judge_desk, ()),
    events.JudgeDeskPlace.LEXICONS: _choose,
    events.JudgeDeskPlace.RULEBOOKS: _choose,
    events.JudgeDeskPlace.NAME: _name,
    events.JudgeDeskPlace.LOG: _log,
    events.JudgeDeskPlace.EXPORT: _export,
    events.JudgeDeskPlace.SELF_TEST: _self_test,
    events.JudgeDeskPlace.JUDGE: _judge,
    events.JudgeDeskPlace.QUIT: _quit,
}


def _await_result(judge_desk: JudgeDesk) -> JudgeDesk:
    return judge_desk.replace(facts=judge_desk.facts.replace(result=None, done=None))


def _read(judge_desk: JudgeDesk, befores: tuple[int | None, ...]) -> JudgeDeskTransition:
    return judge_desk.replace(befores=befores), (events.ReadLog(befores[-1], ROWS),)


def _turn_page(judge_desk: JudgeDesk, by: int, length: int) -> JudgeDesk:
    last_page = max(0, length - 1) // ROWS * ROWS
    return judge_desk.replace(first=min(max(0, judge_desk.first + (ROWS if by > 0 else -ROWS)), last_page))
