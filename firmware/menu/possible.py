"""Which actions and answers lead to an event that the game allows now: others are not offered."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from firmware.menu.actions import Action
from firmware.menu.steps import Change, Context, MenuOption
from game.events import By
from game.game import EventNotAllowed
from game.record import accept


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
            accept(context.record, action.make(*context.chosen), context.now, by=By.DIRECTOR)
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
