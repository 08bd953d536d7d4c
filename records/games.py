"""From a game's rows to its history: the same events again, in the order in which they were written.

An event that the core refuses is reported, not raised: half a game with a remark is worth more than none.
"""

from collections.abc import Iterable
from functools import partial

from msgspec import Struct

from appliance.records.chain import ChainLink
from faults.errors import TileclockError
from game.event_table import Rulebooks, parse_by, parse_event, require_edition
from game.events import By, Event, NewGame
from game.exact_json import decode
from game.game import EventNotAllowed
from game.history import History, accept, begin
from records.journal import Kind, Row
from rules.rulebooks import parse_rulebook

EXTRAS = ("before", "after", "rulebook_text")
"""The keys of a body besides the event's own."""


class RejectedRow(Struct, frozen=True):
    seq: int
    why: str


class Folded(Struct, frozen=True):
    """A game's history (None: its beginning cannot be read), and the rows that do not fit it."""

    history: History | None
    refused: tuple[RejectedRow, ...]


def fold(rows: Iterable[ChainLink[Row]], rulebooks: Rulebooks) -> Folded:
    """Return the game of ``rows`` (one game's, oldest first); only event rows count."""
    history: History | None = None
    refused: list[RejectedRow] = []
    for stored in rows:
        if stored.row.kind == Kind.EVENT:
            try:
                history = _accepted(history, stored, rulebooks)
            except TileclockError as error:
                refused.append(RejectedRow(stored.seq, str(error)))
    return Folded(history, tuple(refused))


def _accepted(history: History | None, stored: ChainLink[Row], rulebooks: Rulebooks) -> History:
    event, by = event_of(stored, rulebooks)
    if history is None:
        if not isinstance(event, NewGame):
            raise EventNotAllowed("the game's beginning is missing")
        return begin(event, stored.row.at)
    if isinstance(event, NewGame):
        raise EventNotAllowed("the game has begun already")
    if stored.row.number is None or stored.row.number <= history.number or stored.row.at < history.at:
        raise EventNotAllowed("the event is not in its place")
    return accept(history, event, stored.row.at, stored.row.number, by=by)


def event_of(stored: ChainLink[Row], rulebooks: Rulebooks) -> tuple[Event, By | None]:
    """Return the event of a row, and who made it (None: the usual maker); raises ``TileclockError``, also for another edition or an unusable rulebook."""
    fields = decode(stored.row.body)
    text = fields.get("rulebook_text")
    # The text as of the game's start, even if the file has changed since.
    load = partial(parse_rulebook, text.encode(errors="surrogatepass")) if isinstance(text, str) else rulebooks
    event = parse_event({key: value for key, value in fields.items() if key not in EXTRAS}, load)
    if isinstance(event, NewGame):
        require_edition(fields)
    return event, parse_by(fields)
