"""What directors say of results at one desk, at the other desks of the hall: it stands in the log that they share, and each desk takes it into its own rows.

The rows come first: what an earlier run has kept, or a command has added, and the log lacks, goes there before anything newer.

Each desk numbers its rows as they come and has imported the event by itself. So a pairing is known by its numbers and its players' names together, a clock's result
by its game, and what a decision is about by what those rows say. What does not fit yet waits, and no row overwrites another.
"""

import threading
from collections.abc import Iterable
from typing import Any, Final

from msgspec import Struct, ValidationError, convert, to_builtins
from msgspec.structs import replace

from faults.errors import Phrase
from faults.validation import prepare
from hall.desk.desk import COMMAND_LINE, DirectorsDesk
from hall.desk.rows import ResultKeeper, settling
from hall.desk.store import BEGAN_ANEW, CORRECTED_RESULT, DISCARDED_RESULT, ENTERED_RESULT, PLACED_RESULT, DeskStore, LogEntry
from hall.desk.tiles.round import player_names, result_words
from hall.event.model import Event, Pairing
from hall.results.book import ClockResult, GameResult, KeptRow, ResultBook, Source, key_of, settled
from hall.store.events import kept_game_results, known_keys

_SENT: Final = "sent"
"""The row, in the detail of an entry."""


class SentRow(Struct, frozen=True, omit_defaults=True):
    key: str
    row: KeptRow
    """As it was kept where it was entered; the rows that it numbers are those below."""
    names: tuple[str, str] = ("", "")
    """Of the pairing; empty: a clock's result was discarded."""
    about: tuple[GameResult, ...] = ()
    """What stood when it was decided."""
    clock: ClockResult | None = None
    """What waited for a pairing and has got it, or was discarded."""

    @property
    def subject(self) -> object:
        """The same at each desk, which numbers a clock's results by itself."""
        return self.key if self.clock is None else (self.clock.game, self.clock.said)


prepare(SentRow)


def sent(event: Event, book: ResultBook, key: str, row: KeptRow, clock: ClockResult | None = None) -> SentRow:
    made = row.result
    if made is None:
        return SentRow(key, row, clock=clock)
    one, two = player_names(event, _pairing(made))
    about = settled(each for each in book.rows.get(key_of(made), ()) if each.row <= made.replaces).rows
    return SentRow(key, row, (str(one), str(two)), about, clock)


def entry_of(event: Event, row: SentRow) -> tuple[str, str, dict[str, Any]]:
    made, clock, text = row.row.result, row.clock, Phrase("")
    if made is not None:
        what = CORRECTED_RESULT if made.replaces else ENTERED_RESULT if clock is None else PLACED_RESULT
        text = result_words(event, made)
    elif clock is not None:
        what, text = DISCARDED_RESULT, _discarded(clock, row.row.why)
    else:
        what = BEGAN_ANEW
    return _director(row.row) or COMMAND_LINE, what, {"text": text, _SENT: to_builtins(row)}


def _director(row: KeptRow) -> str:
    return row.who or ("" if row.result is None else row.result.who)


def _discarded(clock: ClockResult, reason: str) -> Phrase:
    return Phrase(
        "table {table}, {left} - {right}: {scores} ({reason})",
        table=clock.table or "?",
        left=clock.names.left or Phrase("left"),
        right=clock.names.right or Phrase("right"),
        scores=Phrase("a forfeit") if clock.said.scores is None else "{} - {}".format(*clock.said.scores),
        reason=reason,
    )


def received(row: SentRow, event: Event, book: ResultBook) -> dict[str, KeptRow] | None:
    """Return the row by its key as this desk keeps it; none: it says nothing new here; None: it does not fit yet."""
    key, waits = row.key, 0
    if (clock := row.clock) is not None:
        waits = next((each.n for each in book.unplaced.values() if (each.clock.game, each.clock.said) == (clock.game, clock.said)), 0)
        if not waits:
            # Here it has its pairing already, or the clock says something else by now.
            return {} if clock.game in book.of_games else None
        key = settling(waits)
    made = row.row.result
    if made is not None:
        if key_of(made) not in {key_of(each) for each in event.pairings} or player_names(event, _pairing(made)) != row.names:
            return None
        rows, about = book.rows.get(key_of(made), ()), [each.seen_by(made.first) for each in row.about]
        if not all(each.source is Source.IMPORT or any(_is_of(each, own.seen_by(made.first)) for own in rows) for each in about):
            return None
        made = replace(made, replaces=_decided(made, [_said(each) for each in about], rows))
    return {key: replace(row.row, result=made, settles=waits)}


def _is_of(seen: GameResult, own: GameResult) -> bool:
    """Return whether ``own`` is what the director saw, or what the clock said of that game before or after."""
    return (seen.device, seen.game) == (own.device, own.game) if seen.device else _said(seen) == _said(own)


def _decided(made: GameResult, seen: list[GameResult], rows: tuple[GameResult, ...]) -> int:
    """Return the number of the last row that is decided: from the first one that the director did not see all stand."""
    last = 0
    for each in settled(rows).rows:
        if _said(each.seen_by(made.first)) not in seen:
            break
        last = each.row
    return last


def _said(row: GameResult) -> GameResult:
    return replace(row, row=0, replaces=0)


def _pairing(made: GameResult) -> Pairing:
    return Pairing(made.division, made.round, made.first, made.second)


class OtherDesks:
    """Says in the log what directors enter at this desk, and takes in what they have entered at the hall's other ones."""

    def __init__(self, desk: DirectorsDesk, log: DeskStore, keeper: ResultKeeper) -> None:
        self._desk, self._log, self._keeper = desk, log, keeper
        self._lock = threading.Lock()
        self._said: list[tuple[LogEntry, SentRow]] = []
        """All that the log says; replaced as a whole."""
        self._read = self._published = 0
        """The log's last entry when it was read, and the last row of this desk that was looked at for it."""
        self._looked = self._said
        """Of this, ``_waiting`` has what is not in the rows."""
        self._waiting: list[tuple[str, SentRow]] = []
        """What the log says of each, beside it."""

    def publish(self) -> None:
        """Add to the log what this desk's rows have and it lacks; any thread. Raises as ``look``."""
        desk, place = self._desk, self._keeper.place
        with self._lock:
            self._catch_up()
            said = {row.subject for _, row in self._said}
            rows = kept_game_results(place, desk.hall, self._published)
            anew = max((at for at, (_, _, row) in enumerate(rows) if row.anew), default=0)
            for n, key, row in rows[anew:]:
                if row.anew or _director(row):
                    clock = kept_game_results(place, desk.hall, row.settles - 1)[0][2].clock if row.settles else None
                    own = sent(desk.event, desk.results, key, row, clock)
                    if own.subject not in said:
                        self._log.add(*entry_of(desk.event, own))
                self._published = n

    def look(self) -> None:
        """Take in what is new and fits; raises ``RecordError``, or as the log's database, and the next look tries again."""
        self._keeper.look()
        # Before the event is known no pairing fits.
        if not self._desk.event.pairings:
            return
        self.publish()
        if (said := self._said) is not self._looked:
            self._waiting, self._looked = self._unknown(said), said
        waits = []
        for text, each in self._waiting:
            if (rows := received(each, self._desk.event, self._desk.results)) is None:
                waits.append((text, each))
            elif rows:
                self._keeper.add(rows)
        self._waiting = waits
        if (elsewhere := tuple(text for text, _ in waits)) != self._desk.elsewhere:
            self._desk.elsewhere = elsewhere
            self._desk.mark_old("results")

    def _catch_up(self) -> None:
        if (newest := self._log.newest()) != self._read:
            # As a whole: a database may show an entry after one that it has numbered later.
            self._said, self._read = [(entry, row) for entry in self._log.results() if (row := _sent(entry)) is not None], newest

    def _unknown(self, said: Iterable[tuple[LogEntry, SentRow]]) -> list[tuple[str, SentRow]]:
        found: list[tuple[str, str, SentRow]] = []
        for entry, row in said:
            if row.row.anew:
                found = [each for each in found if each[0] != entry.desk]
            elif entry.desk != self._log.desk:
                found.append((entry.desk, entry.text, row))
        known = known_keys(self._keeper.place, self._desk.hall, {row.key for _, _, row in found})
        return [(text, row) for _, text, row in found if row.key not in known]


def _sent(entry: LogEntry) -> SentRow | None:
    """Return the row of an entry; None: a release before has written it, or the file is damaged."""
    try:
        return convert(entry.detail.get(_SENT), SentRow | None)
    except ValidationError:
        return None
