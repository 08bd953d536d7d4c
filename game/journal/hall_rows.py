"""What the journal remembers of the hall over a restart: the place that the desk gave last, and the messages that were handled."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final, TypeAlias

from game.journal.body import decode
from game.journal.errors import JournalError
from game.journal.reading import last_rows_of, reading
from game.journal.row import Kind, Row

ID: Final = "id"
"""The key of a message's id."""
ACCEPTED: Final = "accepted"
STOP: Final = "stop"
SETUP: Final = "setup"
_STOPS: Final = (STOP, "clear")
AcceptedMessage: TypeAlias = tuple[int, Mapping[str, Any]]
"""The game's instant (ns), and the body of its row."""


def last_assigned(path: Path, unwritten: Iterable[Iterable[Row]] = ()) -> Mapping[str, Any] | None:
    """Return the body of the last assignment in the journal at ``path``, or in the rows still to be written to it; None: there is none that can be read."""
    return next(iter(_bodies(path, unwritten, Kind.ASSIGNED, 1)), None)


def handled_ids(path: Path, unwritten: Iterable[Iterable[Row]], most: int) -> tuple[str, ...]:
    """Return the ids of the last ``most`` messages, oldest first."""
    found = (body.get(ID) for body in _bodies(path, unwritten, Kind.PROPOSAL, most))
    return tuple(reversed([name for name in found if isinstance(name, str)]))


def accepted_in(path: Path, game: int, most: int) -> tuple[AcceptedMessage, ...]:
    """Return the messages that the clock accepted in that game, oldest first, of the last ``most``; none where they cannot be read."""
    try:
        with reading(path, any_edition=True) as connection:
            rows = [stored.row for stored in last_rows_of(connection, Kind.PROPOSAL, most) if stored.row.game == game]
        found = [(row.at, decode(row.body)) for row in reversed(rows)]
    except (JournalError, ValueError, RecursionError):
        return ()
    return tuple((at, body) for at, body in found if body.get("answer") == ACCEPTED)


def stop_asked_at(messages: Iterable[AcceptedMessage]) -> int | None:
    """Return the game's instant (ns) of the request to stop that stands, or stood last; None: there is none.

    A request that is repeated before it is cleared keeps its first instant.
    """
    found, stands = None, False
    for at, body in messages:
        if body.get("what") in _STOPS:
            found = at if body["what"] == STOP and not stands else found
            stands = body["what"] == STOP
    return found


def last_set_up(messages: Iterable[AcceptedMessage]) -> object:
    """Return the keys of the last set-up for the next game; None: there is none."""
    return next((body.get(SETUP) for _, body in reversed(tuple(messages)) if body.get("what") == SETUP), None)


def _bodies(path: Path, unwritten: Iterable[Iterable[Row]], kind: Kind, most: int) -> list[dict[str, Any]]:
    """Return the bodies of the last rows of that kind, newest first."""
    texts = [row.body for rows in unwritten for row in rows if row.kind == kind][::-1]
    try:
        with reading(path, any_edition=True) as connection:
            texts += [stored.row.body for stored in last_rows_of(connection, kind, most)]
        return [decode(text) for text in texts[:most]]
    except (JournalError, ValueError, RecursionError):
        return []
