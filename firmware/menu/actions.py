"""The director's actions, each with its steps and the event it makes. They cover every event of a game.

Actions and answers are offered only if they lead to an event that the game allows now.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from firmware.menu import steps
from firmware.menu.steps import REASON, Change, Context, MenuOption, MenuQuestion
from game import events
from game.event_table import BY_NAME
from game.events import By
from game.game import EventNotAllowed, Phase
from game.history import accept
from rules.rulebooks.model import Rulebook
from rules.side import BySide, Side


class Action(Struct, frozen=True):
    """A row of the first page."""

    name: str
    """The event's name in the script format, or ``next_game`` or ``credit``."""
    steps: tuple[MenuQuestion, ...]
    answers: Callable[..., events.Event] | None = None
    """Makes the event of the answers; None: they are the fields of the event with that name."""
    asks_confirmation: bool = True
    """Show before and after and ask for confirmation; only stopping the clock skips this."""
    group: str = "time"
    """Under which heading its row stands: one of ``GROUPS``."""

    def make(self, *answers: Any) -> events.Event:
        made: events.Event = (self.answers or BY_NAME[self.name].kind)(*answers)
        return made


def _new_game(rulebook: tuple[str, Rulebook], left: int, right: int) -> events.NewGame:
    named, rules = rulebook
    extra = BySide(left, right)
    return events.NewGame(rules, named, extra.map(lambda ns: max(0, rules.regulation_ns + ns) if ns else None))


def _verdict(acceptable: Any, words: int) -> events.Verdict:
    return events.Verdict(bool(acceptable), words)


def _credit(given: tuple[Side, int]) -> events.Adjust:
    side, ns = given
    return events.Adjust(side, ns, events.When.NOW, REASON)


def _erase(side: Side, to_ns: int, reason: str) -> events.EraseOvertime:
    return events.EraseOvertime(side, reason, to_ns)


def _change_rulebook(rulebook: tuple[str, Rulebook], reason: str) -> events.ChangeRulebook:
    return events.ChangeRulebook(rulebook[1], rulebook[0], reason)


def _window(name: str, drawn_ago: int, round_ago: int, length: int | None, decider: Side | None) -> events.StartWindow:
    return events.StartWindow(name, decider, drawn_ago or round_ago or None, length)


GROUPS: Final = ("time", "rulings", "game")
"""The headings of the first page, in their order."""
ACTIONS: Final[tuple[Action, ...]] = (
    Action("next_game", (steps.SAME_GAME,), lambda new_game: new_game, group="game"),
    Action("neutralise", (steps.reasons("stop", may_be_none=True),), asks_confirmation=False),
    Action("credit", (steps.CREDIT,), _credit),
    Action("adjust", (steps.SIDE, steps.AMOUNT, steps.WHEN, steps.reasons("time"))),
    Action("erase_overtime", (steps.BELOW_ZERO, steps.BACK_TO, steps.reasons("erase")), _erase),
    Action("reason", (steps.reasons("stop"),), group="rulings"),
    Action("undo", (steps.EVENT, steps.reasons("undo")), lambda number, reason: events.Undo(reason, number), group="rulings"),
    Action("infraction", (steps.SIDE,), group="rulings"),
    Action("resume", (steps.SIDE,)),
    Action("decide", (steps.SIDE,), group="rulings"),
    Action("challenge", (steps.CHALLENGER,), group="rulings"),
    Action("verdict", (steps.VERDICT, steps.WORDS), _verdict, group="rulings"),
    Action("withdraw", (), group="rulings"),
    Action("hold", ()),
    Action("release", ()),
    Action("out_play", (), group="rulings"),
    Action("not_out", (), group="rulings"),
    Action("press", (steps.SIDE,)),
    Action("window", (steps.WINDOW, steps.DRAWN_AGO, steps.ROUND_AGO, steps.BREAK, steps.DECIDER), _window),
    Action("late_start", (steps.ABSENT, steps.CALL_AGO), lambda side, ago: events.LateStart(side, ago or None)),
    Action("arrive", (steps.SIDE,)),
    Action("points", (steps.SIDE, steps.POINTS, steps.reasons("points")), group="rulings"),
    Action("rulebook", (steps.OTHER_RULEBOOK, steps.reasons("rulebook")), _change_rulebook, group="game"),
    Action("swap", (steps.reasons("swap"),), group="game"),
    Action("call", (steps.CALLED,), group="rulings"),
    Action("end", (steps.reasons("end"), steps.LOSER), group="game"),
    Action("reopen", (steps.reasons("reopen"),), group="game"),
    Action("new_game", (steps.RULEBOOK, steps.EXTRA_LEFT, steps.EXTRA_RIGHT), _new_game, group="game"),
)
COMMON: Final[Mapping[Phase, tuple[str, ...]]] = {
    Phase.READY: ("late_start",),
    Phase.LATE: ("arrive",),
    Phase.RUNNING: ("neutralise", "credit"),
    Phase.HOLD: ("neutralise",),
    Phase.NEUTRAL: ("credit", "adjust"),
    Phase.OUT_PLAY: ("challenge",),
    Phase.ADJUDICATION: ("verdict",),
    Phase.OVER: ("next_game", "new_game"),
}
"""The common acts of each phase, which come first."""


def in_order(phase: Phase) -> tuple[Action, ...]:
    """Return all actions, those common in ``phase`` first, the others by group; the next game is one after the end."""
    actions = ACTIONS if phase is Phase.OVER else ACTIONS[1:]
    return tuple(sorted(actions, key=lambda action: _rank(action, COMMON[phase])))


def _rank(action: Action, common: Sequence[str]) -> int:
    return common.index(action.name) if action.name in common else len(common) + GROUPS.index(action.group)


def possible(action: Action, context: Context) -> bool:
    """Return whether some answers to the rest of the action's questions make an event that the game allows."""
    return why_not(action, context) is None


def allowed_options(action: Action, context: Context) -> tuple[MenuOption, ...]:
    """Return the answers to the next question that can still lead to an event."""
    step = action.steps[len(context.chosen)]
    options = step.options(context)
    if step.example is not None:
        return options
    return tuple(option for option in options if isinstance(option.value, Change) or possible(action, _answered(context, option.value)))


def why_not(action: Action, context: Context) -> str | None:
    """Return why no answers lead to an event, as the core says it ("" if there is nothing to choose from), or None if some do."""
    if len(context.chosen) == len(action.steps):
        try:
            accept(context.history, action.make(*context.chosen), context.now, by=By.DIRECTOR)
        except EventNotAllowed as refused:
            return refused.why
        return None
    why = ""
    for answer in _answers(action, context):
        found = why_not(action, _answered(context, answer))
        if found is None:
            return None
        why = found
    return why


def _answers(action: Action, context: Context) -> Iterator[Any]:
    step = action.steps[len(context.chosen)]
    if not step.applies(context):
        yield step.default(context)
    elif step.example is not None:
        yield step.example
    else:
        yield from (option.value for option in step.options(context))


def _answered(context: Context, answer: Any) -> Context:
    return replace(context, chosen=(*context.chosen, answer), amount=0)
