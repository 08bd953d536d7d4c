"""Targets that several of the players' pages have, each with its one name, one text and one key of a real keyboard.

A key that means by itself what the action does (Return, Escape, arrows) is not named beside the target; a function key is, where there is room: nobody would
guess it. The same action has the same function key on every page.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from firmware.core.side import Side
from hardware.texts import Texts
from kiosk.challenge.entry import Kind
from kiosk.challenge.events import Back, CallDirector, Concede, Done, Erase, Next, TypeTile, Withdraw
from kiosk.challenge.flow import Flow, Link
from kiosk.director.events import KnockAtDoor
from kiosk.events import Event
from kiosk.face.page import Icon, Page, Target, Tone

SEPARATOR: Final = " · "
_PAD: Final = ("123", "456", "789")

FUNCTION_KEYS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "director": "f1",
        "withdraw": "f2",
        "concede.left": "f3",
        "concede.right": "f4",
        "count.fewer": "f5",
        "count.more": "f6",
        "add": "f7",
        "finish": "f8",
        "mistyped": "f9",
        "repeat.again": "f9",
        "repeat.another": "f10",
        "opinion.here": "f10",
        "opinion.judge": "f11",
        "door": "f12",
    }
)
"""Which function key does the same as the target of that id; no page has two with the same key."""
_NONE: Final[Mapping[str, Event]] = MappingProxyType({})


def labelled(target: Target) -> Target:
    """Return ``target`` with its function key named, where it has one. Not meant for the way on: that is what Return does."""
    return replace(target, key=FUNCTION_KEYS.get(target.id, "").upper())


def keys(targets: Iterable[Target], named: Mapping[str, Event] = _NONE) -> Mapping[str, Event]:
    """Return what a real keyboard does on a page: the function keys of its ``targets``, and the ``named`` keys."""
    by_function = {FUNCTION_KEYS[target.id]: target.event for target in targets if target.id in FUNCTION_KEYS}
    return MappingProxyType({**by_function, **named})


def back(texts: Texts) -> Target:
    """Return the way back."""
    return Target("back", texts.say("action.back"), Back(), Icon.BACK)


def done(texts: Texts) -> Target:
    """Return the way out of a page that was only to be read."""
    return Target("done", texts.say("action.done"), Done(), Icon.TICK, Tone.MAIN)


def director(texts: Texts) -> Target:
    """Return the call for the director."""
    return labelled(Target("director", texts.say("action.director"), CallDirector(), Icon.PERSON))


def with_door(page: Page, texts: Texts) -> Page:
    """Return the page with the director's door in its corner: there is no room for its key's name there, and only directors need it."""
    door = Target("door", texts.say("action.door"), KnockAtDoor(), Icon.LOCK, Tone.QUIET)
    return replace(page, door=door, keys=keys((door,), page.keys))


def erase(texts: Texts) -> Target:
    """Return the key that takes back the last digit or tile."""
    return Target("erase", texts.say("action.erase"), Erase(), Icon.ERASE, on_down=True)


def on(text: str) -> Target:
    """Return the way on, named ``text``."""
    return Target("next", text, Next(), Icon.RIGHT, Tone.MAIN)


def tile(text: str) -> Target:
    """Return the key of a tile or a digit."""
    return Target(f"tile.{text}", text, TypeTile(text), on_down=True)


def pad(onwards: Target, texts: Texts) -> tuple[tuple[Target, ...], ...]:
    """Return the rows of a pad of digits, with ``onwards`` as its last key."""
    return (*(tuple(map(tile, row)) for row in _PAD), (erase(texts), tile("0"), onwards))


def told_of(link: Link | None, texts: Texts) -> tuple[str, ...]:
    """Return the line that says that this is not the first look-up of its challenge."""
    return () if link is None else (texts.say(f"verdict.{link.kind}"),)


def ways_out(flow: Flow, texts: Texts) -> tuple[Target, ...]:
    """Return how a challenge ends without a verdict, where the rulebook has it: withdrawn (2017 IV.I.3), or conceded by either player (IV.I.3.5).

    They stand last and quiet, away from the way on: no question asks whether they were meant. A play that has had a verdict leaves nothing to withdraw, and after
    a second opinion was asked for, nothing to concede.
    """
    rule, link = flow.standing.rulebook.challenge, flow.link
    withdraw = Target("withdraw", texts.say("withdraw.action"), Withdraw(), tone=Tone.QUIET)
    concede = tuple(Target(f"concede.{side}", texts.say(f"concede.{side}"), Concede(side), tone=Tone.QUIET) for side in Side)
    may_withdraw = rule.may_withdraw and link is None
    may_concede = rule.may_concede and (link is None or link.kind is not Kind.SECOND_OPINION)
    return tuple(labelled(way) for way in ((withdraw,) if may_withdraw else ()) + (concede if may_concede else ()))
