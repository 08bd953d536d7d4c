"""Games of the journal as a script (docs/spec/events.md): JSON Lines that ``tileclock replay`` folds to the same games.

Instants become seconds since the first event. A script counts its accepted events; a journal with rows that cannot be read has gaps, so the numbers of
struck events and of presses are converted.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from appliance.errors import RecordError
from appliance.records.chain import ChainLink
from game.event_table import Rulebooks, format_event
from game.events import By, ChangeRulebook, End, Event, NewGame, OutPlay, Undo
from game.exact_json import decode, encode
from game.game import Game, Phase
from game.history import History
from records.games import fold
from records.journal import Kind, Row
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
    remarks. Raises RecordError: the beginning of a game cannot be read.
    """
    origin: int | None = None
    earliest = 0  # the earliest start of the next game, in ns of the script
    previous: Game | None = None
    for rows in games:
        history = _record(rows, rulebooks)
        timed = _script_events(history)
        if save_rulebook is not None:
            timed = [replace(made, event=_with_saved_rulebook(made.event, save_rulebook)) for made in timed]
        first, last = timed[0].at, max(stored.row.at for stored in rows if stored.row.kind != Kind.BOOT)
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
        raise RecordError(
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
    for stored in rows:
        if stored.row.kind == Kind.EVENT and "rulebook_text" in stored.row.body:
            fields = decode(stored.row.body)
            if "rulebook_text" in fields:
                yield f"// Played by {fields['rulebook']!r}, which then held:"
                yield from (f"// {line}" for line in str(fields["rulebook_text"]).splitlines())


def _script_events(history: History) -> list[_Made]:
    links = history.oldest_first()
    position = {link.number: place for place, link in enumerate(links, 1)}
    return [_Made(link.at, _renumbered(link.event, position), link.given_by) for link in links]


def _renumbered(event: Event, position: dict[int, int]) -> Event:
    match event:
        case Undo(event=int() as struck):
            return replace(event, event=position.get(struck, struck))
        case OutPlay(int() as press):
            return OutPlay(position.get(press, press))
        case _:
            return event
