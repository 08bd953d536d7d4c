"""From a game's rows to its history: the same operations again, in the order they were written.

An event row with a new number adds an event, one with a known number replaces that event, and ``taken_back`` removes it. An operation that
the core refuses is reported, not raised: half a game with a remark is worth more than none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from msgspec import Struct

from appliance.records.chain import ChainLink
from faults.errors import Phrase, TileclockError
from game.event_table import Rulebooks, parse_by, parse_event, require_edition
from game.event_values import Malformed
from game.events import By, Event, NewGame, Undo
from game.game import EventNotAllowed
from game.history import History, accept, begin, take_back
from game.journal.row import Kind, Row, decode
from rules.rulebooks import parse_rulebook

EXTRAS = ("before", "after", "rulebook_text")
"""The keys of a body besides the event's own."""


class RejectedRow(Struct, frozen=True):
    """A row that does not fit the game, and why."""

    seq: int
    why: str


class Folded(Struct, frozen=True):
    """A game's history (None: its beginning cannot be read), and the rows that do not fit it."""

    history: History | None
    refused: tuple[RejectedRow, ...]


class _Step(Struct, frozen=True):
    stored: ChainLink[Row]
    event: Event | None
    """None: the event is taken back."""
    by: By | None = None


def fold(rows: Iterable[ChainLink[Row]], rulebooks: Rulebooks) -> Folded:
    """Return the game of ``rows`` (one game's, oldest first); only event and taken_back rows count."""
    steps: list[_Step] = []
    unreadable: list[RejectedRow] = []
    for stored in rows:
        try:
            if stored.row.kind == Kind.EVENT:
                steps.append(_Step(stored, *event_of(stored, rulebooks)))
            elif stored.row.kind == Kind.TAKEN_BACK:
                steps.append(_Step(stored, None))
        except TileclockError as error:
            unreadable.append(RejectedRow(stored.seq, str(error)))
    repeated = _fold(steps, _repeat)
    # The rows do not show the order of two operations of one batch: the remaining events, each once, may fit better.
    folded = repeated if not repeated.refused else min(repeated, _fold(_remaining(steps), _accepted), key=lambda each: len(each.refused))
    return Folded(folded.history, (*unreadable, *folded.refused))


def event_of(stored: ChainLink[Row], rulebooks: Rulebooks) -> tuple[Event, By | None]:
    """Return the event of a row, and who made it (None: the usual maker); raises ``TileclockError``, also for another edition or an unusable rulebook."""
    try:
        fields = decode(stored.row.body)
    except ValueError as error:
        raise Malformed(expected="the body of an event", found=f"one that cannot be read: {error}") from error
    text = fields.get("rulebook_text")
    # The text as of the game's start, even if the file has changed since.
    load = partial(parse_rulebook, text.encode(errors="surrogatepass")) if isinstance(text, str) else rulebooks
    event = parse_event({key: value for key, value in fields.items() if key not in EXTRAS}, load)
    if isinstance(event, NewGame):
        require_edition(fields)
    return event, parse_by(fields)


def _fold(steps: Sequence[_Step], operate: Callable[[History | None, _Step], History | None]) -> Folded:
    history: History | None = None
    refused = []
    for step in steps:
        try:
            history = operate(history, step)
        except EventNotAllowed as error:
            refused.append(RejectedRow(step.stored.seq, str(error)))
    return Folded(history, tuple(refused))


def _repeat(history: History | None, step: _Step) -> History | None:
    number, at = step.stored.row.number, step.stored.row.at
    known = history is not None and number is not None and history.find(number) is not None
    if history is None or not known or number is None:
        return history if step.event is None else _accepted(history, step)
    if isinstance(step.event, NewGame | Undo):
        raise EventNotAllowed(Phrase("event {number} cannot be replaced by a new game or an undo", number=number))
    return take_back(history, number, None if step.event is None else (step.event, at), by=step.by)


def _accepted(history: History | None, step: _Step) -> History | None:
    event, at, number = step.event, step.stored.row.at, step.stored.row.number
    if history is None:
        if not isinstance(event, NewGame):
            raise EventNotAllowed("the game's beginning is missing")
        return begin(event, at)
    if event is None or isinstance(event, NewGame):
        raise EventNotAllowed("the game has begun already")
    return accept(history, event, at, number, by=step.by)


def _remaining(steps: Sequence[_Step]) -> list[_Step]:
    """Return one step for each event that remains, in the order of their instants."""
    remaining: dict[int | None, _Step] = {}
    for step in steps:
        number = step.stored.row.number
        if step.event is None:
            remaining.pop(number, None)
        else:
            remaining[number] = step
    return sorted(remaining.values(), key=lambda step: step.stored.row.at)
