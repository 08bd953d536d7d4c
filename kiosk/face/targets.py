"""Targets common to several of the players' pages, each with one name, one text and one key of a real keyboard; and the help for the page on the screen.

``named`` shows function keys on their targets, on every page and in every size, because they are not obvious. Obvious keys (Return for the way on,
Escape for the way back, Delete, arrows) are not shown. An action has the same function key on every page. F1 is help on every page.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Final

from msgspec.structs import replace

from appliance.texts import Texts
from kiosk.challenge.flow import EarlierRow, Flow
from kiosk.events import Back, CallDirector, Done, Erase, Event, KnockAtDoor, Next, ShowHelp, TypeTile
from kiosk.face.page import Icon, Page, Target, Tone

SEPARATOR: Final = " · "
_PAD: Final = ("123", "456", "789")

FUNCTION_KEYS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "help": "f1",
        "director": "f2",
        "withdraw": "f10",
        "concede.left": "f3",
        "concede.sure": "f9",
        "concede.right": "f4",
        "remove": "f5",
        "next": "f7",
        "finish": "f8",
        "ways": "f9",
        "mistyped": "f9",
        "last_play": "f6",
        "repeat.again": "f9",
        "repeat.verdict": "f8",
        "repeat.another": "f10",
        "runs.ask": "f9",
        "opinion.here": "f8",
        "opinion.judge": "f7",
        "door": "f12",
    }
)
"""The function key of each target id; no page has two targets with the same key. Names of two characters leave narrow buttons room for their labels."""
_NONE: Final[Mapping[str, Event]] = MappingProxyType({})


def named(page: Page) -> Page:
    """Return the page with function keys shown on actions, rows, targets of the players' sides, and the door."""
    return replace(
        page,
        actions=tuple(map(_labelled, page.actions)),
        by_side=None if page.by_side is None else page.by_side.map(_labelled),
        rows=tuple(row if row.target is None else replace(row, target=_labelled(row.target)) for row in page.rows),
        door=None if page.door is None else _labelled(page.door),
    )


def keys(targets: Iterable[Target], named: Mapping[str, Event] = _NONE) -> Mapping[str, Event]:
    """Return the keys of a real keyboard on a page: the function keys of its ``targets``, and the ``named`` keys."""
    by_function = {FUNCTION_KEYS[target.id]: target.event for target in targets if target.id in FUNCTION_KEYS}
    return MappingProxyType({**by_function, **named})


def _labelled(target: Target) -> Target:
    return replace(target, key=FUNCTION_KEYS[target.id].upper()) if target.id in FUNCTION_KEYS else target


def back(texts: Texts) -> Target:
    return Target("back", texts.say("action.back"), Back(), Icon.BACK)


def done(texts: Texts) -> Target:
    """Return the way out of a page that is only read."""
    return Target("done", texts.say("action.done"), Done(), Icon.TICK, Tone.MAIN)


def director(texts: Texts) -> Target:
    return Target("director", texts.say("action.director"), CallDirector(), Icon.PERSON)


def with_door(page: Page, texts: Texts) -> Page:
    door = Target("door", texts.say("action.door"), KnockAtDoor(), Icon.LOCK, Tone.QUIET)
    return replace(page, door=door, keys=keys((door,), page.keys))


def erase(texts: Texts) -> Target:
    return Target("erase", texts.say("action.erase"), Erase(), Icon.ERASE, on_down=True)


def on(text: str) -> Target:
    """Return the way on, labelled ``text``."""
    return Target("next", text, Next(), Icon.RIGHT, Tone.MAIN)


def tile(text: str) -> Target:
    return Target(f"tile.{text}", text, TypeTile(text), on_down=True)


def pad(texts: Texts, onwards: Target | None) -> tuple[tuple[Target, ...], ...]:
    """Return the rows of a number pad, with ``onwards``, if any, as its last key."""
    return (*(tuple(map(tile, row)) for row in _PAD), (erase(texts), tile("0"), *((onwards,) if onwards else ())))


def link_lines(link: EarlierRow | None, texts: Texts) -> tuple[str, ...]:
    """Return a line that says that this is not the first look-up of its challenge."""
    return () if link is None else (texts.say(f"verdict.{link.kind}"),)


def table_label(flow: Flow, texts: Texts) -> str | None:
    """Return the number of the flow's table once it is known."""
    return None if flow.known_table is None else texts.say("words.where", table=flow.known_table)


_NAMED: Final = ("return", "tab", "escape", "delete")
"""The keys that no target shows."""
_MOMENTARY: Final = ("judging", "door.checking", "judge.keeping")
"""Pages that the shell's answer replaces: there is nothing to do."""


def with_help(page: Page, texts: Texts, *, shown: bool, more: tuple[str, ...] = ()) -> Page:
    """Return the page with its help in a corner; ``shown``: the help itself, which hides the page. ``more``: what the rulebook in force adds to it."""
    if page.name in _MOMENTARY:
        return page
    if shown:
        return _help_page(page, texts, more)
    target = Target("help", texts.say("action.help"), ShowHelp(), Icon.HELP, Tone.QUIET, key="F1")
    return replace(page, help=target, keys=keys((target,), page.keys))


def _help_page(page: Page, texts: Texts, more: tuple[str, ...]) -> Page:
    actions = (Target("help", texts.say("action.back"), Back(), Icon.BACK, Tone.MAIN),)
    calls = [target for target in page.actions if target.id == "director"]
    shown = Page(
        name="help",
        title=page.title,
        footer=page.footer,
        lines=(texts.say(f"help.{page.name.replace('.', '_')}"), *more),
        aside=SEPARATOR.join(_keys(page, texts)),
        actions=actions,
        table=page.table,
        practice=page.practice,
        countdown_s=page.countdown_s,
        keys=keys(calls, {"return": Back(), "escape": Back(), "f1": Back()}),
    )
    return named(shown)


def _keys(page: Page, texts: Texts) -> Iterator[str]:
    """Yield each key with what it does on ``page``, whose keys are labelled."""
    yield from (texts.say(f"help.key.{key}") for key in _NAMED if key in page.keys)
    of_rows = [row.target for row in page.rows if row.target]
    if any(target.key.isdigit() for target in of_rows):
        yield texts.say("help.key.row")
    sides = () if page.by_side is None else (page.by_side.left, page.by_side.right)
    yield from (
        texts.say("help.key.button", pressed=target.key, does=target.text)
        for target in (*of_rows, *page.actions, *sides)
        if target.key and not target.key.isdigit()
    )
    yield texts.say("help.key.help")
