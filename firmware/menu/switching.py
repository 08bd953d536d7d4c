"""The last row of the menu's first page, where the machine can be switched off: asked once more, and never while anybody's time counts."""

from __future__ import annotations

from typing import Final

from firmware.core.game import Game, Phase
from firmware.menu.setup import Setup
from firmware.menu.steps import Option

NAME: Final = "power_off"
"""In the place of an event's name: it makes none, for the game stays as it is."""
ROW: Final = object()
"""Takes to the question."""
NOW: Final = object()
"""Yes, switch off."""


def rows(setup: Setup) -> tuple[Option, ...]:
    """Return the row for the first page, or none."""
    return (Option(setup.texts.say("menu.power_off.row"), ROW),) if setup.power_off else ()


def question(game: Game, setup: Setup) -> tuple[str, tuple[str, ...], tuple[Option, ...]]:
    """Return the question's title, what is to be read below it, and what may be answered beside going back."""
    title = f"{setup.texts.say('menu.power_off.row')}: {setup.texts.say('menu.step.confirm')}"
    if counts(game):
        return title, (setup.texts.say("menu.refused", why=setup.texts.say("menu.power_off.runs")),), ()
    return title, (setup.texts.say("menu.power_off.kept"),), (Option(setup.texts.say("menu.power_off.now"), NOW),)


def counts(game: Game) -> bool:
    """Tell whether anybody's time counts: a clock that is switched off then would take it from nobody, and give it to nobody."""
    return game.running is not None or game.phase is Phase.LATE
