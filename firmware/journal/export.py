"""Games of the journal as a script (docs/spec/events.md): JSON Lines that ``tileclock replay`` folds to the same games.

Instants become seconds since the first event. A script counts its accepted events, while the journal's numbers have gaps where events were
taken back, so the number in an undo is converted. Each game is folded again for comparison. A script cannot express an event that was
inserted before an earlier undo; such a game is exported without its struck events (but for ends), which gives the same game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from appliance.records.chain import ChainLink
from game.event_table import Rulebooks, format_event
from game.events import By, ChangeRulebook, End, Event, NewGame, Undo
from game.game import EventNotAllowed, Game, Phase
from game.history import Fate, History, accept, begin
from game.journal.fold import fold
from game.journal.row import JournalError, Kind, Row, decode, encode
from rules.duration import format_seconds


class _Made(Struct, frozen=True):
    """An event of a script: its instant in ns, and who made it (None: the usual maker)."""

    at: int
    event: Event
    by: By | None = None


def export(
    games: Iterable[Sequence[ChainLink[Row]]],
    rulebooks: Rulebooks,
    *,
    shows: bool = False,
    save_rulebook: Callable[[str], str] | None = None,
) -> Iterator[str]:
    """Yield the lines of a script, without line ends.

    ``games``: each game's rows, oldest first. ``shows``: a ``show`` after every event, not only at each game's end. ``save_rulebook`` takes the text
    of a custom rulebook as of the game's start, and returns its name for the script; None: the script has the original path, and the text as
    remarks. Raises JournalError: the beginning of a game cannot be read.
    """
    origin: int | None = None
    earliest = 0  # the earliest start of the next game, in ns of the script
    previous: Game | None = None
    for rows in games:
        history = _record(rows, rulebooks)
        timed = _script_events(history)
        if save_rulebook is not None:
            timed = [replace(made, event=_with_saved_rulebook(made.event, save_rulebook)) for made in timed]
        first, last = min(made.at for made in timed), max(stored.row.at for stored in rows if stored.row.kind != Kind.BOOT)
        origin = first if origin is None else origin
        # Another boot's clock may be behind: games stay in order, and distances within a game are exact.
        begins = max(earliest, first - origin)
        if previous is not None and previous.phase is not Phase.OVER:
            yield "// The journal knows no end of the game before; a script needs one before the next."
            yield _line(earliest, format_event(End("no end in the journal")))
        if save_rulebook is None:
            yield from _rulebook_remarks(rows)
        yield from _lines(timed, begins - first, shows=shows)
        earliest = max(last, timed[-1].at) - first + begins
        yield _line(earliest, {"do": "show"})
        previous = history.game_at(last)


def _record(rows: Sequence[ChainLink[Row]], rulebooks: Rulebooks) -> History:
    folded = fold(rows, rulebooks)
    if folded.history is None:
        found = folded.refused[0].why if folded.refused else "no events"
        raise JournalError(
            expected="a game that begins with new_game",
            found=f"one whose beginning cannot be read: {found}",
            remedy="Export the other games by number",
        )
    return folded.history


def _with_saved_rulebook(event: Event, save_rulebook: Callable[[str], str]) -> Event:
    if isinstance(event, NewGame | ChangeRulebook) and event.rulebook.text is not None:
        return replace(event, rulebook_ref=save_rulebook(event.rulebook.text))
    return event


def _lines(timed: Sequence[_Made], shift: int, *, shows: bool) -> Iterator[str]:
    for made in timed:
        yield _line(made.at + shift, format_event(made.event, made.by))
        if shows:
            yield _line(made.at + shift, {"do": "show"})


def _line(t: int, fields: dict[str, object]) -> str:
    return encode({"t": format_seconds(t), **fields})


def _rulebook_remarks(rows: Sequence[ChainLink[Row]]) -> Iterator[str]:
    """Yield the custom rulebooks as remarks: the script has only their paths."""
    for stored in rows:
        if stored.row.kind == Kind.EVENT and "rulebook_text" in stored.row.body:
            fields = decode(stored.row.body)
            if "rulebook_text" in fields:
                yield f"// Played by {fields['rulebook']!r}, which then held:"
                yield from (f"// {line}" for line in str(fields["rulebook_text"]).splitlines())


def _script_events(history: History) -> list[_Made]:
    """Return the events that a script needs for the game of ``history``, in order."""
    links = history.oldest_first()
    position = {link.number: place for place, link in enumerate(links, 1)}
    whole = _sorted([_Made(link.at, _renumbered(link.event, position), link.given_by) for link in links])
    if _replayed(whole) == history.game:
        return whole
    return _sorted(_without_undone(links))


def _without_undone(links: Sequence[History]) -> list[_Made]:
    """Return the events that stand; a struck end comes too, with its undo right after it, because it leaves the game stopped."""
    reasons = {link.event.event: link.event.reason for link in links if isinstance(link.event, Undo)}
    made: list[_Made] = []
    for link in links:
        leaves_stop = link.fate is Fate.STRUCK and link.before is not None and link.game is not link.before.game
        if leaves_stop or (link.fate is Fate.VALID and not isinstance(link.event, Undo)):
            made.append(_Made(link.at, link.event, link.given_by))
        if leaves_stop:
            made.append(_Made(link.at, Undo(reasons.get(link.number, "struck"), len(made))))
    return made


def _renumbered(event: Event, position: dict[int, int]) -> Event:
    return replace(event, event=position.get(event.event, event.event)) if isinstance(event, Undo) and event.event is not None else event


def _sorted(made: list[_Made]) -> list[_Made]:
    """Return ``made`` by instant; new_game comes first, at or before the first event."""
    start = min(each.at for each in made)
    return [replace(made[0], at=start), *sorted(made[1:], key=lambda each: each.at)]


def _replayed(made: list[_Made]) -> Game | None:
    """Return the game that a replay of ``made`` makes, or None if it refuses an event."""
    first = made[0]
    if not isinstance(first.event, NewGame):
        return None
    history = begin(first.event, first.at)
    try:
        for each in made[1:]:
            history = accept(history, each.event, each.at, by=each.by)
    except EventNotAllowed:
        return None
    return history.game
