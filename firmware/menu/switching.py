"""Switching the machine off, from the last row of the menu's first page: with a confirmation, and never while time counts."""

from __future__ import annotations

from typing import Final

from firmware.menu.setup import Setup
from firmware.menu.steps import MenuOption
from game.game import Game, Phase

NAME: Final = "power_off"
"""Stands in place of an event's name; the game does not change, so no event is made."""
ROW: Final = object()
"""Opens the question."""
NOW: Final = object()
"""Yes, switch off."""


def rows(setup: Setup) -> tuple[MenuOption, ...]:
    """Return the row for the first page, if the machine can be switched off."""
    return (MenuOption(setup.texts.say("menu.power_off.row"), ROW),) if setup.power_off else ()


def question(game: Game, setup: Setup) -> tuple[str, tuple[str, ...], tuple[MenuOption, ...]]:
    """Return the question's title, its lines, and its answers besides "back"."""
    texts = setup.texts
    title = texts.say("menu.titled", what=texts.say("menu.power_off.row"), asked=texts.say("menu.step.confirm"))
    if counts(game):
        return title, (setup.texts.say("menu.refused", why=setup.texts.say("menu.power_off.runs")),), ()
    return title, (setup.texts.say("menu.power_off.kept"),), (MenuOption(setup.texts.say("menu.power_off.now"), NOW),)


def counts(game: Game) -> bool:
    """Return whether a player's time counts: switching off then would lose that time."""
    return game.running is not None or game.phase is Phase.LATE
