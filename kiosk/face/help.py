"""Help for the page on the screen: what to do there, and what each key of a real keyboard does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from appliance.texts import Texts
from kiosk.challenge.events import Back
from kiosk.face.page import Icon, Page, Target, Tone
from kiosk.face.targets import SEPARATOR, keys

_NAMED: Final = ("return", "tab", "escape", "delete")
"""The keys that no target shows."""


def help_page(page: Page, texts: Texts) -> Page:
    """Return the help for ``page``, which it hides."""
    actions = (Target("help", texts.say("action.back"), Back(), Icon.BACK, Tone.MAIN),)
    calls = [target for target in page.actions if target.id == "director"]
    return Page(
        name="help",
        title=page.title,
        footer=page.footer,
        lines=(texts.say(f"help.{page.name.replace('.', '_')}"),),
        aside=SEPARATOR.join(_keys(page, texts)),
        actions=actions,
        keys=keys(calls, {"return": Back(), "escape": Back(), "f1": Back()}),
    )


def _keys(page: Page, texts: Texts) -> Iterator[str]:
    """Yield each key with what it does on ``page``, whose function keys are labelled."""
    yield from (texts.say(f"help.key.{key}") for key in _NAMED if key in page.keys)
    sides = () if page.by_side is None else (page.by_side.left, page.by_side.right)
    yield from (f"{target.key}: {target.text}" for target in (*page.actions, *sides) if target.key)
    yield texts.say("help.key.help")
