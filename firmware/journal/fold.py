"""From a game's rows back to its record: the same operations again, in the order they were written.

An event row with a new number was accepted, one with a known number replaced that event, ``taken_back`` replaced it by nothing. What the core does not accept
again is named, never raised: half a game with a remark is worth more than none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from appliance.errors import TileclockError
from appliance.phrase import Phrase
from firmware.core.event_json import Malformed, Rulebooks, parse_event
from firmware.core.events import Event, NewGame, Undo
from firmware.core.not_allowed import EventNotAllowed
from firmware.core.record import Record, accept, begin, take_back
from firmware.journal.body import decode
from firmware.journal.row import Kind, StoredRow
from rules.rulebooks import parse_rulebook

EXTRAS = ("before", "after", "rulebook_text")
"""What a body holds besides the event's own keys."""


@dataclass(frozen=True, slots=True)
class Unfit:
    """A row that did not fit the game, and why."""

    seq: int
    why: str


@dataclass(frozen=True, slots=True)
class Folded:
    """A game's record (None: its beginning could not be read), and the rows that did not fit it."""

    record: Record | None
    refused: tuple[Unfit, ...]


@dataclass(frozen=True, slots=True)
class _Step:
    kept: StoredRow
    event: Event | None
    """None: taken back."""


def fold(rows: Iterable[StoredRow], rulebooks: Rulebooks) -> Folded:
    """Return the game of ``rows`` (one game's, oldest first); rows of other kinds than events are passed over."""
    steps: list[_Step] = []
    unreadable: list[Unfit] = []
    for kept in rows:
        try:
            if kept.row.kind == Kind.EVENT:
                steps.append(_Step(kept, event_of(kept, rulebooks)))
            elif kept.row.kind == Kind.TAKEN_BACK:
                steps.append(_Step(kept, None))
        except TileclockError as error:
            unreadable.append(Unfit(kept.seq, str(error)))
    again = _fold(steps, _again)
    # Where two operations came as one put, their order is not in the rows: what is left of the game, each event once, may fit better.
    folded = again if not again.refused else min(again, _fold(_left(steps), _accepted), key=lambda each: len(each.refused))
    return Folded(folded.record, (*unreadable, *folded.refused))


def event_of(kept: StoredRow, rulebooks: Rulebooks) -> Event:
    """Return the event of a row.

    Raises:
        TileclockError: the body is none, or its rulebook cannot be loaded.
    """
    try:
        fields = decode(kept.row.body)
    except (ValueError, RecursionError) as error:
        raise Malformed(expected="the body of an event", found=f"one that cannot be read: {error}") from error
    text = fields.get("rulebook_text")
    # As the file was when the game began, whatever has become of it since.
    load = partial(parse_rulebook, text.encode(errors="surrogatepass")) if isinstance(text, str) else rulebooks
    return parse_event({key: value for key, value in fields.items() if key not in EXTRAS}, load)


def _fold(steps: Sequence[_Step], take: Callable[[Record | None, _Step], Record | None]) -> Folded:
    record: Record | None = None
    refused = []
    for step in steps:
        try:
            record = take(record, step)
        except EventNotAllowed as error:
            refused.append(Unfit(step.kept.seq, str(error)))
    return Folded(record, tuple(refused))


def _again(record: Record | None, step: _Step) -> Record | None:
    number, at = step.kept.row.number, step.kept.row.at
    known = record is not None and number is not None and record.find(number) is not None
    if record is None or not known or number is None:
        return record if step.event is None else _accepted(record, step)
    if isinstance(step.event, NewGame | Undo):
        raise EventNotAllowed(Phrase("event {number} cannot be replaced by a new game or an undo", number=number))
    return take_back(record, number, None if step.event is None else (step.event, at))


def _accepted(record: Record | None, step: _Step) -> Record | None:
    event, at, number = step.event, step.kept.row.at, step.kept.row.number
    if record is None:
        if not isinstance(event, NewGame):
            raise EventNotAllowed("the game's beginning is missing")
        return begin(event, at)
    if event is None or isinstance(event, NewGame):
        raise EventNotAllowed("the game has begun already")
    return accept(record, event, at, number)


def _left(steps: Sequence[_Step]) -> list[_Step]:
    """Return one step for each event that was left in the end, in the order of their instants."""
    left: dict[int | None, _Step] = {}
    for step in steps:
        number = step.kept.row.number
        if step.event is None:
            left.pop(number, None)
        else:
            left[number] = step
    return sorted(left.values(), key=lambda step: step.kept.row.at)
