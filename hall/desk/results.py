"""The results at the desk: the rows that the hall keeps, and what the clocks' journals add to them, also what came while the desk was down."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final, TypeAlias

from msgspec.structs import replace
from starlette.concurrency import run_in_threadpool

from appliance.clocks import is_dated
from game.game import Game, Phase
from game.rulings import is_forfeit
from game.table import Assignment
from hall.desk.desk import DirectorsDesk
from hall.desk.earlier import journal_games
from hall.desk.tiles.folded import MOST_ROWS, FoldedGame, assigned, folded, is_before_play
from hall.event.model import Event, Pairing
from hall.picture import RemoteDevice
from hall.results.book import (
    LEFT,
    RIGHT,
    ClockResult,
    Forfeit,
    GameResult,
    KeptRow,
    Source,
    book_of,
    names_of,
    pairing_of,
    said_of,
    taken_in,
)
from hall.store.database import StorePlace
from hall.store.events import keep_game_results, kept_game_results
from hall.store.store import StoreReader, reading_store
from records.journal import Kind
from rules.side import BySide
from wire.topics import CLOCK

_PLAYERS: Final = BySide(LEFT, RIGHT)
_NO_PAIRING: Final = Pairing("", 0, LEFT, RIGHT)
_BEGAN: Final = datetime(1970, 1, 1, tzinfo=UTC)


def clock_result(device: str, epoch: str, folded: FoldedGame, place: Assignment, at: int) -> ClockResult | None:
    """Return what the clock says of a game's result at ``at`` (ns of its timeline): scores, a forfeit, or nothing yet. None: the game's beginning cannot be read.

    ``place``: where the clock stood and who played, for a forfeit. What is signed says that itself.
    """
    if folded.history is None:
        return None
    game, last = folded.history.game_at(at), [each for each in folded.rows if each.row.kind == Kind.EVENT][-1]
    game_name, wall = f"{epoch}/{folded.number}", _wall_ns(last.row.wall)
    none = said_of(_NO_PAIRING, Source.CLOCK, device=device, game=game_name, wall=wall)
    if (signed := game.result) is not None:
        words = None if signed.words is None else (signed.words.left, signed.words.right)
        said = replace(none, scores=(signed.final.left, signed.final.right), words=words, disputed=game.disputed)
        return ClockResult(signed.names, signed.table, said, last.seq)
    return ClockResult(place.names, place.table, _forfeited(game, none) if is_forfeit(game) else none, last.seq)


def _forfeited(game: Game, none: GameResult) -> GameResult:
    losers = (LEFT, RIGHT) if game.loser is None else (_PLAYERS.of(game.loser),)
    return replace(none, source=Source.END, forfeit=Forfeit(losers, game.rulebook.result.forfeit_spread), reason=game.reason or "")


def _wall_ns(wall: str) -> int:
    """Return a row's wall time in ns since 1970; 0: its machine's date was not set."""
    return (datetime.fromisoformat(wall) - _BEGAN) // timedelta(microseconds=1) * 1000 if is_dated(wall) else 0


class ResultKeeper:
    """Adds rows, and lets the desk show them. Any thread."""

    def __init__(self, desk: DirectorsDesk, place: StorePlace) -> None:
        self._desk, self._place = desk, place
        self._lock = threading.Lock()
        self._rows: list[tuple[int, KeptRow]] = []

    def look(self) -> None:
        """Take in what another program has added, such as an import; raises ``RecordError``."""
        with self._lock:
            self._take_in()

    def add(self, rows: Mapping[str, KeptRow]) -> bool:
        """Keep the rows (by key) that are new, on the disk when this returns; return whether there were any. Raises ``RecordError``."""
        with self._lock:
            added = keep_game_results(self._place, self._desk.hall, rows)
            self._take_in()
        return bool(added)

    def add_clock(self, clock: ClockResult) -> None:
        """Keep what a clock says of a game, if the hall has not got it yet."""
        desk = self._desk
        rows = taken_in(clock, desk.event, desk.round, desk.results)
        if rows:
            self.add({f"{clock.said.device} {clock.said.game} {clock.seq} {place}": each for place, each in enumerate(rows)})

    def place_waiting(self) -> None:
        """Give each row that waits its pairing, if exactly one fits now: another round is current, or pairings were imported."""
        desk = self._desk
        for each in desk.results.unplaced.values():
            pairing = pairing_of(each.clock, desk.event, desk.round, desk.results)
            if isinstance(pairing, Pairing):
                left_first = each.clock.names.left == names_of(desk.event, pairing)[0]
                self.add({settling(each.n): KeptRow(each.clock.of(pairing, first_sits_left=left_first), settles=each.n)})

    def _take_in(self) -> None:
        found = kept_game_results(self._place, self._desk.hall, self._rows[-1][0] if self._rows else 0)
        if found:
            self._rows += found
            self._desk.results = book_of(self._rows)
            self._desk.mark_old("results")


def settling(n: int) -> str:
    """Return the key of the one row that gives the clock's row ``n`` its pairing, or discards it."""
    return f"settles {n}"


Mark: TypeAlias = tuple[object, ...]
_MAY_SAY: Final = ('"result"', '"loser"', '"late_start"')
"""One of these is in a row of each game that has a signed result or a forfeit: the others are not folded."""


class ResultWatch:
    """Reads the journals of all clocks in the hall's store, from where it has read them. Used in the event loop."""

    def __init__(self, desk: DirectorsDesk, place: StorePlace, keeper: ResultKeeper) -> None:
        self._desk, self._place, self._keeper = desk, place, keeper
        self._marks: dict[str, Mark] = {}
        self._read: dict[tuple[str, str], tuple[int, Assignment]] = {}
        """By journal: the row before the last game's first one, and the assignment that stood there."""
        self._all = True
        self._placed_by: tuple[Event, int] = Event(), 0

    async def look(self) -> None:
        """Take in what is new; what cannot be read or kept now raises, and the next look takes it."""
        await run_in_threadpool(self._look, [each for each in self._desk.remote_devices() if not each.is_station])

    def _look(self, devices: Sequence[RemoteDevice]) -> None:
        self._keeper.look()
        if (event := (self._desk.event, self._desk.round)) != self._placed_by:
            self._keeper.place_waiting()
            self._placed_by = event
        changed = [each for each in devices if self._marks.get(each.id) != _mark(each)]
        # Before the event is known no pairing fits.
        if not self._desk.event.pairings or not (changed or self._all):
            return
        with reading_store(self._place, self._desk.hall) as store:
            if self._all:
                for device in store.devices():
                    if device.startswith(f"{CLOCK}-"):
                        for epoch in store.epochs(device):
                            self._look_at(store, device, epoch.epoch, None)
                self._all = False
            for each in changed:
                # What is held may not be on the disk yet.
                if each.epoch is None or self._look_at(store, each.id, each.epoch, each) >= each.held:
                    self._marks[each.id] = _mark(each)

    def _look_at(self, store: StoreReader, device: str, epoch: str, known: RemoteDevice | None) -> int:
        """Take in a journal's new rows, and return the number of its last one."""
        after, place = self._read.get((device, epoch), (0, Assignment()))
        games = journal_games(store, device, epoch, after)
        for number, rows in sorted(games.items()):
            if any(said in each.row.body for each in rows for said in _MAY_SAY) and (game := folded(rows[:MOST_ROWS])) is not None:
                self._take((device, epoch), game, place, known if number == max(games) else None, followed=number < max(games))
            if number < max(games):
                place = assigned(place, rows)
                after = rows[-1].seq
        self._read[device, epoch] = after, place
        return max((rows[-1].seq for rows in games.values()), default=after)

    def _take(self, journal: tuple[str, str], game: FoldedGame, place: Assignment, known: RemoteDevice | None, *, followed: bool) -> None:
        at = _end(game) if followed else _known_until(game, known)
        own = assigned(place, (each for each in game.rows if is_before_play(each, game)))
        if own.table is None and known is not None:
            own = Assignment(known.table, own.names)
        if at is not None and (found := clock_result(*journal, game, own, at)) is not None:
            self._keeper.add_clock(found)


def _mark(device: RemoteDevice) -> Mark:
    clock = device.clock
    return device.epoch, device.held, None if clock is None else (clock.game, clock.phase)


def _end(game: FoldedGame) -> int | None:
    """Return the last instant (ns) of a game that another one follows: what players sign comes after its end."""
    return None if game.history is None or game.end is None else max(game.end, game.history.at)


def _known_until(game: FoldedGame, known: RemoteDevice | None) -> int | None:
    """Return the last instant (ns) at which the clock's own game is known: that of its last event, or of its report of the end, which may come by time alone."""
    if game.history is None:
        return None
    clock = None if known is None else known.clock
    is_whole = clock is not None and known is not None and clock.game == game.number and known.held >= known.seq and clock.boot == game.boot
    return game.instant(clock.at) if clock is not None and is_whole and clock.phase == Phase.OVER.value else game.history.at
