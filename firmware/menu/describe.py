"""Events, amounts and the state of a game as text: for the rows of the menu, the banner, and the director's before and after."""

from collections import Counter
from collections.abc import Iterator
from functools import reduce
from typing import Final

from faults.errors import as_phrase
from firmware.texts import KeyedMessage, Texts, message
from game.event_table import format_event
from game.events import (
    Adjust,
    Call,
    ChangeRulebook,
    EraseOvertime,
    Event,
    LateStart,
    NewGame,
    Points,
    Press,
    Result,
    StartWindow,
    Undo,
    Verdict,
)
from game.game import EventNotAllowed, Game, Phase
from game.history import History
from rules.duration import NS, reading
from rules.rulebooks.model import Rulebook
from rules.side import Side


def describe(link: History, texts: Texts) -> str:
    began = next(first.at for first in link if first.before is None)
    # A press is a player's, and no order to the director.
    named = texts.say("menu.pressed" if isinstance(link.event, Press) else f"menu.action.{format_event(link.event)['do']}")
    what = listed(named, _details(link.event, link.game.rulebook, texts), texts)
    return texts.say("menu.event", number=link.number, minutes=reading(link.at - began), what=what)


def particulars(event: Event, history: History, texts: Texts) -> tuple[str, ...]:
    struck = history.find(event.event) if isinstance(event, Undo) and event.event is not None else None
    named = () if struck is None else (describe(struck, texts),)
    return (*named, *_details(event, history.game.rulebook, texts))


def listed(what: str, details: Iterator[str], texts: Texts) -> str:
    return reduce(lambda text, detail: texts.say("menu.detail", what=text, detail=detail), details, what)


def signed(ns: int) -> str:
    return reading(ns) if ns < 0 else f"+{reading(ns)}"


def signed_points(points: int, texts: Texts) -> str:
    return texts.say("mark.point" if abs(points) == 1 else "mark.points", points=f"{points:+d}")


def ago(ns: int) -> KeyedMessage:
    if not ns:
        return message("ago.just_now")
    minutes, rest = divmod(ns, 60 * NS)
    return message("ago.seconds", count=ns // NS) if rest else message("ago.minutes", count=minutes)


def infractions(count: int, texts: Texts) -> str:
    return texts.say("mark.infraction") if count == 1 else texts.say("mark.infractions", count=count)


def _details(event: Event, rulebook: Rulebook, texts: Texts) -> Iterator[str]:
    side, reason = getattr(event, "side", None) or getattr(event, "loser", None), getattr(event, "reason", None)
    yield from () if side is None else (texts.say(f"side.{side}"),)
    yield from (*_amounts(event, texts), *_kinds(event, rulebook, texts))
    yield from () if reason is None else (texts.render(as_phrase(reason)),)


def _amounts(event: Event, texts: Texts) -> Iterator[str]:
    match event:
        case Adjust():
            yield signed(event.ns)
            yield texts.say(f"menu.when.{event.when.value}")
        case EraseOvertime():
            yield texts.say("menu.back_to", reading=reading(event.to_ns))
        case Points():
            yield signed_points(event.points, texts)
        case Result():
            yield f"{event.final.left} : {event.final.right}"


def _kinds(event: Event, rulebook: Rulebook, texts: Texts) -> Iterator[str]:
    match event:
        case LateStart(side=None):
            yield texts.say("menu.both")
        case Call():
            yield texts.say("menu.disputed" if event.disputes else "menu.called_now" if event.on else "menu.answered")
        case StartWindow():
            yield texts.say(f"window.{event.name}.title")
            if event.length is not None:
                yield reading(event.length)
        case Verdict():
            yield texts.say("menu.acceptable" if event.acceptable else "menu.unacceptable")
            # The number of words matters only if they earn points.
            if rulebook.challenge.points_a_word:
                yield texts.say("menu.word") if event.words == 1 else texts.say("menu.words", count=event.words)
        case ChangeRulebook():
            yield texts.render(event.rulebook.title)
        case NewGame():
            yield texts.render(event.rulebook.title)
            owned = ((side, own) for side, own in event.allowed.items() if own is not None)
            yield from (texts.say("menu.allowance", side=texts.say(f"side.{side}"), time=reading(own)) for side, own in owned)
    if isinstance(event, LateStart | StartWindow) and event.ago:
        yield ago(event.ago).said(texts)


FEW_PHASES: Final = 2
"""A refusal names the phases that allow an event if these are so few, else the present phase."""


def refusal(refused: EventNotAllowed, game: Game, now: int, texts: Texts) -> str:
    if refused.until is not None:
        return texts.say("closed.in", title=texts.render(refused.why), reading=reading(refused.until - now))
    if not refused.phases:
        return texts.render(refused.why)
    if len(refused.phases) > FEW_PHASES:
        return texts.say("menu.not_in", when=texts.say(f"menu.during.{game.phase.value}"))
    first, *more = (texts.say(f"menu.during.{phase.value}") for phase in Phase if phase in refused.phases)
    return texts.say("menu.only_in_two", when=first, other=more[0]) if more else texts.say("menu.only_in", when=first)


def banner(game: Game, texts: Texts) -> str:
    return texts.say(f"phase.{game.ruling or game.phase.value}")


def phase(game: Game, texts: Texts) -> str:
    parts = [banner(game, texts)]
    if game.running is not None:
        parts.append(texts.say("menu.runs", side=texts.say(f"side.{game.running}")))
    first, *rest = filter(None, parts)
    return listed(first, iter(rest), texts)


def reason(game: Game, texts: Texts) -> str | None:
    return said_reason(game.reason, texts) if game.reason is not None and game.phase in (Phase.NEUTRAL, Phase.OVER) else None


def said_reason(reason: str, texts: Texts) -> str:
    """Return a reason in the language, if it is one of the shipped ones; the journal has it in English."""
    return texts.render(as_phrase(reason))


def capitalised(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


def window(game: Game, now: int, texts: Texts) -> str | None:
    counted = game.window_at(now)
    return None if counted is None else f"{texts.say(f'window.{counted.name}.title')} {reading(max(0, counted.ends - now))}"


def half(game: Game, side: Side, now: int, texts: Texts) -> str:
    return listed(reading(game.remaining(side, now)), _marks(game, side, now, texts), texts)


def changes(before: Game, after: Game, side: Side, now: int, texts: Texts) -> tuple[str, str] | None:
    """Return what changes of that side at ``now`` (ns), before and after: its reading, and the marks that do not stay; None: nothing does."""
    # Counted, because points and a penalty may read alike.
    shown = [Counter((reading(game.remaining(side, now)), *_marks(game, side, now, texts))) for game in (before, after)]
    old, new = (tuple((shown[here] - shown[1 - here]).elements()) for here in (0, 1))
    return None if not old and not new else (_several(old, texts), _several(new, texts))


def _several(parts: tuple[str, ...], texts: Texts) -> str:
    return listed(parts[0], iter(parts[1:]), texts) if parts else "0"


def _marks(game: Game, side: Side, now: int, texts: Texts) -> Iterator[str]:
    account, penalty = game.accounts.of(side), game.penalty(side, now)
    marks = (
        texts.say("mark.credit", time=signed(account.credit)) if account.credit else "",
        texts.say("mark.penalty", points=penalty) if penalty else "",
        signed_points(account.points, texts) if account.points else "",
        infractions(account.infractions, texts) if account.infractions else "",
    )
    return filter(None, marks)
