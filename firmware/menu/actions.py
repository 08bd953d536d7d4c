"""The director's actions, each with its steps and the event it makes. They cover every event of a game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from firmware.core import events
from firmware.menu import steps
from firmware.menu.steps import MenuQuestion
from rules.rulebooks.model import Rulebook
from rules.side import BySide


@dataclass(frozen=True, slots=True)
class Action:
    """A row of the first page."""

    name: str
    """The event's name in the script format."""
    steps: tuple[MenuQuestion, ...]
    make: Callable[..., events.Event]
    asks_confirmation: bool = True
    """Show before and after and ask for confirmation; only stopping the clock skips this."""


def _new_game(rulebook: tuple[str, Rulebook], left: int, right: int) -> events.NewGame:
    named, rules = rulebook
    extra = BySide(left, right)
    return events.NewGame(rules, named, extra.map(lambda ns: max(0, rules.regulation_ns + ns) if ns else None))


def _verdict(acceptable: Any, words: int) -> events.Verdict:
    return events.Verdict(bool(acceptable), words)


ACTIONS: Final[tuple[Action, ...]] = (
    Action("neutralise", (steps.reasons("stop", may_be_none=True),), events.Neutralise, asks_confirmation=False),
    Action("adjust", (steps.SIDE, steps.AMOUNT, steps.WHEN, steps.reasons("time")), events.Adjust),
    Action("erase_overtime", (steps.SIDE, steps.reasons("erase")), events.EraseOvertime),
    Action("undo", (steps.EVENT, steps.reasons("undo")), lambda number, reason: events.Undo(reason, number)),
    Action("infraction", (steps.SIDE,), events.Infraction),
    Action("resume", (steps.SIDE,), events.Resume),
    Action("decide", (steps.SIDE,), events.Decide),
    Action("challenge", (steps.CHALLENGER,), events.Challenge),
    Action("verdict", (steps.VERDICT, steps.WORDS), _verdict),
    Action("withdraw", (), events.Withdraw),
    Action("hold", (), events.Hold),
    Action("release", (), events.Release),
    Action("out_play", (), events.OutPlay),
    Action("press", (steps.SIDE,), events.Press),
    Action("window", (steps.WINDOW,), events.StartWindow),
    Action("late_start", (steps.ABSENT,), events.LateStart),
    Action("arrive", (steps.SIDE,), events.Arrive),
    Action("swap", (steps.reasons("swap"),), events.Swap),
    Action("end", (steps.reasons("end"),), events.End),
    Action("reopen", (steps.reasons("reopen"),), events.Reopen),
    Action("new_game", (steps.RULEBOOK, steps.EXTRA_LEFT, steps.EXTRA_RIGHT), _new_game),
)
