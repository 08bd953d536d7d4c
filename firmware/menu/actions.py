"""The director's actions, each with its steps and the event it makes. They cover every event of a game.

Actions and answers that lead to no event which the game allows now say why.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from firmware.menu import steps
from firmware.menu.describe import refusal
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
    group: str
    steps: tuple[MenuQuestion, ...] = ()
    answers: Callable[..., events.Event] | None = None
    """Makes the event of the answers; None: they are the fields of the event with that name."""
    asks_confirmation: bool = True
    """Show before and after and ask for confirmation; only stopping the clock, and its reason, skip this."""
    usual: tuple[MenuQuestion, ...] = ()
    """What need not be asked: rows of the last page show the usual answers, and change them."""

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


ACTIONS: Final[tuple[Action, ...]] = (
    Action("neutralise", "time", asks_confirmation=False),
    Action("adjust", "time", (steps.SIDE, steps.AMOUNT), usual=(steps.WHEN, steps.reasons("time"))),
    Action("credit", "time", (steps.CREDIT,), _credit),
    Action("erase_overtime", "time", (steps.BELOW_ZERO, steps.BACK_TO), _erase, usual=(steps.reasons("erase"),)),
    Action("resume", "time", (steps.SIDE,)),
    Action("decide", "time", (steps.SIDE,)),
    Action("hold", "time"),
    Action("release", "time"),
    Action("press", "time", (steps.SIDE,)),
    Action("window", "time", (steps.WINDOW, steps.DRAWN_AGO, steps.ROUND_AGO, steps.BREAK, steps.DECIDER), _window),
    Action("late_start", "time", (steps.ABSENT, steps.CALL_AGO), lambda side, ago: events.LateStart(side, ago or None)),
    Action("arrive", "time", (steps.SIDE,)),
    Action("undo", "rulings", (steps.EVENT,), lambda number, reason: events.Undo(reason, number), usual=(steps.reasons("undo"),)),
    Action("points", "rulings", (steps.SIDE, steps.POINTS), usual=(steps.reasons("points"),)),
    Action("infraction", "rulings", (steps.SIDE,)),
    Action("reason", "rulings", (steps.reasons("stop"),), asks_confirmation=False),
    Action("challenge", "rulings", (steps.CHALLENGER,)),
    Action("verdict", "rulings", (steps.VERDICT, steps.WORDS), _verdict),
    Action("withdraw", "rulings"),
    Action("out_play", "rulings"),
    Action("not_out", "rulings"),
    Action("call", "rulings", (steps.CALLED,)),
    Action("next_game", "game", (steps.SAME_GAME,), lambda new_game: new_game),
    Action("end", "game", (steps.reasons("end"), steps.LOSER)),
    Action("reopen", "game", usual=(steps.reasons("reopen"),)),
    Action("rulebook", "game", (steps.OTHER_RULEBOOK,), _change_rulebook, usual=(steps.reasons("rulebook"),)),
    Action("swap", "game", usual=(steps.reasons("swap"),)),
    Action("new_game", "game", (steps.RULEBOOK, steps.EXTRA_LEFT, steps.EXTRA_RIGHT), _new_game),
)
COMMON: Final[Mapping[Phase, tuple[str, ...]]] = {
    Phase.READY: ("late_start",),
    Phase.LATE: ("arrive",),
    Phase.RUNNING: ("neutralise",),
    Phase.HOLD: ("neutralise",),
    Phase.NEUTRAL: ("credit", "adjust"),
    Phase.OUT_PLAY: ("challenge",),
    Phase.ADJUDICATION: ("verdict",),
    Phase.OVER: ("next_game",),
}


def options_of(action: Action, context: Context) -> tuple[MenuOption, ...]:
    step = action.steps[len(context.chosen)]
    options = step.options(context)
    if step.example is not None:
        why = why_not(action, context)
        return tuple(option if option.why or why is None else replace(option, why=why) for option in options)
    return tuple(
        option
        if option.why or isinstance(option.value, Change)
        else replace(option, why=why_not(action, _answered(context, option.value)) or "")
        for option in options
    )


def usual_answers(action: Action, context: Context) -> tuple[Any, ...]:
    return tuple(question.default(context) for question in action.usual)


def why_not(action: Action, context: Context) -> str | None:
    """Return why no answers to the rest of the action's questions make an event that the game allows, or None if some do."""
    if len(context.chosen) == len(action.steps):
        try:
            accept(context.history, action.make(*context.chosen, *usual_answers(action, context)), context.now, by=By.DIRECTOR)
        except EventNotAllowed as refused:
            return refusal(refused, context.game, context.now, context.texts)
        return None
    why = None
    for answer, refused_because in _answers(action, context):
        found = refused_because or why_not(action, _answered(context, answer))
        if found is None:
            return None
        why = found if why is None else why
    return why or context.texts.say("menu.why_not.nothing")


def _answers(action: Action, context: Context) -> Iterator[tuple[Any, str]]:
    """Yield the answers to the next question, each with why it cannot be given."""
    step = action.steps[len(context.chosen)]
    if not step.applies(context):
        yield step.default(context), ""
    elif step.example is not None:
        yield step.example, ""
    else:
        yield from ((option.value, option.why) for option in step.options(context))


def _answered(context: Context, answer: Any) -> Context:
    return replace(context, chosen=(*context.chosen, answer), amount=0, fine=False)
