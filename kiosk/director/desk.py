"""The director's desk: the present place, the facts received, and the effect of an event.

Closing the door clears the desk. No part of it looks words up without adjudicating: not even the desk may.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeAlias

from kiosk import effects, events
from kiosk.challenge.context import StationContext
from kiosk.director import word_judge
from kiosk.director.adjudication import Adjudication, Opinion, from_opinion, new_slip
from kiosk.effects import DirectorEffect
from kiosk.events import DeskPlace
from kiosk.facts import Facts, LexiconFile, RulebookChoice


def in_force(choice: LexiconFile | RulebookChoice, facts: Facts, context: StationContext) -> bool:
    """Return whether ``choice`` is in force: a lexicon by its file and its list, because two files may hold the same list."""
    if isinstance(choice, RulebookChoice):
        return choice.id == context.rulebook.id
    found, current = choice.name, context.lexicon
    return choice.path == facts.in_use and found is not None and current is not None and found.sha256 == current.sha256


ROWS: Final = 5
"""Rows of a list on one page: as many as fit the smallest screen in readable letters."""
LONGEST_NAME: Final = 40
"""The most characters of a station's name, which is in the footer of every page and on every slip."""


@dataclass(frozen=True, slots=True)
class Desk:
    """The state of the desk."""

    place: DeskPlace = DeskPlace.MENU
    facts: Facts = field(default_factory=Facts)
    first: int = 0
    """The index of the first visible row, in a list that is known completely."""
    befores: tuple[int | None, ...] = (None,)
    """For each page of the log visited: the row before which it begins; the last one is visible."""
    name: str = ""
    wanted: LexiconFile | RulebookChoice | None = None
    """The choice from a list that waits for confirmation."""
    judging: Adjudication | None = None
    """The manual adjudication in progress."""

    def replace(self, **changes: Any) -> Desk:
        """Return the desk with some fields replaced."""
        return replace(self, **changes)


@dataclass(frozen=True, slots=True)
class Around:
    """The circumstances of an event at the desk."""

    context: StationContext
    opinions: tuple[Opinion, ...] = ()
    """Second opinions that players have requested from a word judge."""
    has_pending: bool = False
    """A new context is pending, so the director may want the present one back."""


DeskTransition: TypeAlias = tuple[Desk, tuple[DirectorEffect, ...]]


def apply(desk: Desk, event: object, around: Around, at: int) -> DeskTransition:
    """Return the desk after ``event`` at ``at`` (ns), and the effects; an event that does not apply changes nothing."""
    if isinstance(event, events.DeskAnswer):
        # A late answer may concern a place the director has left; it does no harm.
        return desk.replace(facts=desk.facts.updated(event.facts)), ()
    if desk.judging is not None:
        judging, done = word_judge.apply(desk.judging, event, at)
        return desk.replace(judging=judging), done
    if desk.wanted is not None:
        return _confirm(desk, desk.wanted, event)
    if isinstance(event, events.GoTo):
        return go_to(desk, event.place, around) if DeskPlace.MENU in (desk.place, event.place) else (desk, ())
    if isinstance(event, events.Back):
        return go_to(desk, DeskPlace.MENU, around)
    return _AT[desk.place](desk, event, around, at)


def go_to(desk: Desk, place: DeskPlace, around: Around) -> DeskTransition:
    """Return the desk at that place, and requests for the facts needed there."""
    fresh = Desk(place, name=around.context.name if place is DeskPlace.NAME else "")
    return fresh, _LOOKED_FOR.get(place, ())


def left(desk: Desk, why: str) -> tuple[DirectorEffect, ...]:
    """Return what has to be logged when the door closes."""
    return () if desk.judging is None else word_judge.left(desk.judging, why)


def most_first(length: int) -> int:
    """Return the index of the first row on the last page of a list of ``length`` rows."""
    return max(0, length - 1) // ROWS * ROWS


_LOOKED_FOR: Final[dict[DeskPlace, tuple[DirectorEffect, ...]]] = {
    DeskPlace.LEXICONS: (effects.LookForLexicons(),),
    DeskPlace.RULEBOOKS: (effects.LookForRulebooks(),),
    DeskPlace.LOG: (effects.ReadLog(None, ROWS),),
    DeskPlace.SELF_TEST: (effects.TestYourself(),),
}


def _menu(desk: Desk, event: object, around: Around, at: int) -> DeskTransition:
    return desk, ()


def _lexicons(desk: Desk, event: object, around: Around, at: int) -> DeskTransition:
    files = desk.facts.lexicons or ()
    match event:
        case events.TurnPage(by):
            return _turn_page(desk, by, len(files)), ()
        # An unusable file may have been repaired since: the shell verifies it again.
        case events.ChooseLexicon(path):
            return _chosen(desk, next((file for file in files if file.path == path), None), around), ()
        case _:
            return desk, ()


def _rulebooks(desk: Desk, event: object, around: Around, at: int) -> DeskTransition:
    choices = desk.facts.rulebooks or ()
    match event:
        case events.TurnPage(by):
            return _turn_page(desk, by, len(choices)), ()
        case events.ChooseRulebook(wanted):
            return _chosen(desk, next((choice for choice in choices if choice.id == wanted), None), around), ()
        case _:
            return desk, ()


def _chosen(desk: Desk, choice: LexiconFile | RulebookChoice | None, around: Around) -> Desk:
    """Return the desk with a confirmation of ``choice``, unless it is in force already and valid."""
    settled = around.context.trouble is None and not around.has_pending
    if choice is None or (settled and in_force(choice, desk.facts, around.context)):
        return desk
    return _await_result(desk).replace(wanted=choice)


def _confirm(desk: Desk, wanted: LexiconFile | RulebookChoice, event: object) -> DeskTransition:
    match event, wanted:
        case events.Back(), _:
            return desk.replace(wanted=None), ()
        case events.TakeWanted(), LexiconFile(path):
            return _await_result(desk).replace(wanted=None), (effects.UseLexicon(path), effects.LookForLexicons())
        case events.TakeWanted(), RulebookChoice(rulebook):
            return _await_result(desk).replace(wanted=None), (effects.UseRulebook(rulebook),)
        case _:
            return desk, ()


def _name(desk: Desk, event: object, around: Around, at: int) -> DeskTransition:
    match event:
        case events.Type(text) | events.TypeTile(text):
            more = "".join(character for character in text[:LONGEST_NAME] if character.isprintable())
            return desk.replace(name=(desk.name + more)[:LONGEST_NAME].lstrip()), ()
        case events.Erase():
            return desk.replace(name=desk.name[:-1]), ()
        case events.Next() | events.Finish() if desk.name.strip():
            return _await_result(desk), (effects.Rename(desk.name.strip()),)
        case _:
            return desk, ()


def _log(desk: Desk, event: object, around: Around, at: int) -> DeskTransition:
    page = desk.facts.log
    match event:
        case events.TurnPage(by) if by > 0 and page is not None and page.older and page.lines and page.before == desk.befores[-1]:
            return _read(desk, (*desk.befores, page.lines[-1].row))
        case events.TurnPage(by) if by < 0 and len(desk.befores) > 1:
            return _read(desk, desk.befores[:-1])
        case _:
            return desk, ()


def _export(desk: Desk, event: object, around: Around, at: int) -> DeskTransition:
    return (_await_result(desk), (effects.ExportLog(),)) if isinstance(event, events.ExportNow) else (desk, ())


def _self_test(desk: Desk, event: object, around: Around, at: int) -> DeskTransition:
    match event:
        case events.TurnPage(by):
            return _turn_page(desk, by, len(desk.facts.findings or ())), ()
        case events.SelfTestAgain():
            return go_to(desk, DeskPlace.SELF_TEST, around)
        case _:
            return desk, ()


def _judge(desk: Desk, event: object, around: Around, at: int) -> DeskTransition:
    match event:
        case events.TurnPage(by):
            return _turn_page(desk, by, len(around.opinions)), ()
        case events.NewSlip():
            return desk.replace(judging=new_slip(around.context, at)), ()
        case events.TakeOpinion(table):
            asked = next((each for each in around.opinions if each.table == table), None)
            return desk if asked is None else desk.replace(judging=from_opinion(around.context, asked, at)), ()
        case _:
            return desk, ()


def _quit(desk: Desk, event: object, around: Around, at: int) -> DeskTransition:
    match event:
        case events.QuitNow():
            return desk, (effects.Leave(),)
        case events.SwitchOffNow() if around.context.power_off:
            return _await_result(desk), (effects.SwitchOff(),)
        case _:
            return desk, ()


_AT: Final[dict[DeskPlace, Callable[[Desk, object, Around, int], DeskTransition]]] = {
    DeskPlace.MENU: _menu,
    DeskPlace.LEXICONS: _lexicons,
    DeskPlace.RULEBOOKS: _rulebooks,
    DeskPlace.NAME: _name,
    DeskPlace.LOG: _log,
    DeskPlace.EXPORT: _export,
    DeskPlace.SELF_TEST: _self_test,
    DeskPlace.JUDGE: _judge,
    DeskPlace.QUIT: _quit,
}


def _await_result(desk: Desk) -> Desk:
    """Return the desk without the result of an earlier request, because the next one is pending."""
    return desk.replace(facts=replace(desk.facts, result=None, done=None))


def _read(desk: Desk, befores: tuple[int | None, ...]) -> DeskTransition:
    return desk.replace(befores=befores), (effects.ReadLog(befores[-1], ROWS),)


def _turn_page(desk: Desk, by: int, length: int) -> Desk:
    return desk.replace(first=min(max(0, desk.first + (ROWS if by > 0 else -ROWS)), most_first(length)))
