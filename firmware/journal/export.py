"""Games of the journal as a script (docs/spec/events.md): JSON Lines that ``tileclock replay`` folds to the same games.

Instants become seconds since the first event. A script counts its accepted events, the journal numbers them as they came, with gaps where something was
taken back: an undo's number is put into the script's count. Every game is folded again before it is written out; where an event came in before an
undo that had been said already, a script cannot say it that way, and the game is written without what was struck: the same game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TypeAlias

from firmware.core.event_json import Rulebooks, word_event
from firmware.core.events import End, Event, NewGame, Undo
from firmware.core.game import Game, Phase
from firmware.core.not_allowed import EventNotAllowed
from firmware.core.record import Fate, Record, accept, begin
from firmware.journal.body import decode, encode
from firmware.journal.errors import JournalError
from firmware.journal.fold import fold
from firmware.journal.row import Kind, StoredRow
from rules.duration import format_seconds

Told: TypeAlias = list[tuple[int, Event]]


def export(
    games: Iterable[Sequence[StoredRow]], rulebooks: Rulebooks, *, shows: bool = False, place: Callable[[str], str] | None = None
) -> Iterator[str]:
    """Yield the lines of a script, without line ends.

    Args:
        games: each game's rows, oldest first.
        rulebooks: how a rulebook's id becomes a rulebook.
        shows: ask for the face after every event, not only at each game's end.
        place: where a rulebook of the director's own goes: takes the file's text as it was when the game began, returns the name for the
            script. None: the script has the path of then, and the text as remarks.

    Raises:
        JournalError: a game has no beginning that can be read.
    """
    origin: int | None = None
    free = 0  # where the next game may begin, in ns of the script
    going_on: Game | None = None
    for rows in games:
        record = _record(rows, rulebooks)
        told = _told(record)
        if place is not None:
            told[0] = (told[0][0], _placed(told[0][1], place))
        first, last = min(at for at, _ in told), max(kept.row.at for kept in rows if kept.row.kind != Kind.BOOT)
        origin = first if origin is None else origin
        # Another boot's clock may be behind: the games stay in order, each with its own distances.
        begins = max(free, first - origin)
        if going_on is not None and going_on.phase is not Phase.OVER:
            yield "// The journal knows no end of the game before; a script needs one before the next."
            yield _line(free, word_event(End("no end in the journal")))
        if place is None:
            yield from _rulebook_remarks(rows)
        yield from _lines(told, begins - first, shows=shows)
        free = max(last, told[-1][0]) - first + begins
        yield _line(free, {"do": "show"})
        going_on = record.game_at(last)


def _record(rows: Sequence[StoredRow], rulebooks: Rulebooks) -> Record:
    folded = fold(rows, rulebooks)
    if folded.record is None:
        found = folded.refused[0].why if folded.refused else "no events"
        raise JournalError(
            expected="a game that begins with new_game",
            found=f"one whose beginning cannot be read: {found}",
            remedy="Export the other games by number",
        )
    return folded.record


def _placed(event: Event, place: Callable[[str], str]) -> Event:
    if isinstance(event, NewGame) and event.rulebook.text is not None:
        return replace(event, named=place(event.rulebook.text))
    return event


def _lines(told: Told, shift: int, *, shows: bool) -> Iterator[str]:
    for at, event in told:
        yield _line(at + shift, word_event(event))
        if shows:
            yield _line(at + shift, {"do": "show"})


def _line(t: int, fields: dict[str, object]) -> str:
    return encode({"t": format_seconds(t), **fields})


def _rulebook_remarks(rows: Sequence[StoredRow]) -> Iterator[str]:
    """Yield a rulebook that is a file of the director's as remarks: the script has its path only."""
    for kept in rows:
        if kept.row.kind == Kind.EVENT and kept.row.number == 1:
            fields = decode(kept.row.body)
            if "rulebook_text" in fields:
                yield f"// Played by {fields['rulebook']!r}, which then held:"
                yield from (f"// {line}" for line in str(fields["rulebook_text"]).splitlines())


def _told(record: Record) -> Told:
    """Return the events that a script has to tell for the game of ``record``, in order, each with its instant."""
    links = list(record)[::-1]
    position = {link.number: place for place, link in enumerate(links, 1)}
    whole = _in_order([(link.at, _counted(link.event, position)) for link in links])
    if _replayed(whole) == record.game:
        return whole
    return _in_order([(link.at, link.event) for link in links if link.fate is Fate.STANDS and not isinstance(link.event, Undo)])


def _counted(event: Event, position: dict[int, int]) -> Event:
    return replace(event, event=position.get(event.event, event.event)) if isinstance(event, Undo) and event.event is not None else event


def _in_order(told: Told) -> Told:
    """Return ``told`` by instant; the game begins first, with or before its first event."""
    start = min(at for at, _ in told)
    return [(start, told[0][1]), *sorted(told[1:], key=lambda each: each[0])]


def _replayed(told: Told) -> Game | None:
    """Return the game that a replay of ``told`` makes, or None where it would refuse an event."""
    at, first = told[0]
    if not isinstance(first, NewGame):
        return None
    record = begin(first, at)
    try:
        for at, event in told[1:]:
            record = accept(record, event, at)
    except EventNotAllowed:
        return None
    return record.game
