"""Help for the page on the screen: what to do there, and what each key of a real keyboard does."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from appliance.texts import Texts
from kiosk.challenge.events import Back, ShowHelp
from kiosk.face.page import Icon, Page, Target, Tone
from kiosk.face.targets import SEPARATOR, keys, named

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
    """Return the help for ``page``, which it hides."""
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
    if any(row.target for row in page.rows):
        yield texts.say("help.key.row")
    sides = () if page.by_side is None else (page.by_side.left, page.by_side.right)
    yield from (texts.say("help.key.button", pressed=target.key, does=target.text) for target in (*page.actions, *sides) if target.key)
    yield texts.say("help.key.help")
