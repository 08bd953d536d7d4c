"""What the desk reads from the hall's rows: a clock's earlier games, what the rows prove, the stations' last challenges, and each device's last guided test.

And the results: the rows that the hall keeps, and what the clocks' journals add to them, also what came while the desk was down.
"""

import json
import threading
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Any, Final, TypeAlias

from msgspec import Struct, ValidationError, convert
from msgspec.structs import replace
from starlette.concurrency import run_in_threadpool

from appliance.clocks import is_dated
from appliance.errors import DamagedRecord
from appliance.records.chain import ChainLink
from faults.errors import Phrase
from game import exact_json
from game.game import Game, Phase
from game.rulings import is_forfeit
from game.table import Assignment
from hall.desk.desk import DirectorsDesk
from hall.desk.tiles.folded import MOST_ROWS, FoldedGame, assigned, folded, is_before_play, players
from hall.event.model import Event, Pairing
from hall.picture import RemoteDevice
from hall.results.book import (
    LEFT,
    RIGHT,
    ClockResult,
    Forfeit,
    GameResult,
    KeptRow,
    NumberedRow,
    Source,
    book_of,
    names_of,
    pairing_of,
    said_of,
    taken_in,
)
from hall.store.database import StorePlace
from hall.store.events import keep_game_results, kept_game_results
from hall.store.store import StoreReader, looked_up, reading_store, stored_rows
from hall.verify import EpochProof, epoch_proof
from records.device_test import DEVICE_TEST, DeviceTest, tested_in
from records.entry import Kind, LexiconName
from records.journal import Kind as RowKind
from records.journal import Row
from records.log import Row as LogRow
from records.log import decode
from rules.side import BySide
from wire.topics import CLOCK


class EarlierGame(Struct, frozen=True):
    folded: FoldedGame
    names: BySide[str]
    followed: bool
    """Rows of a later game are here, so that none of this one is missing."""

    @property
    def end(self) -> int | None:
        """When it ended (ns of its timeline), or how far its rows go while others may be missing; None: its beginning cannot be read."""
        history = self.folded.history
        return self.folded.end if self.followed or history is None else history.at


def earlier_games(place: StorePlace, hall: str, device: str, epoch: str, present: int) -> tuple[EarlierGame, ...]:
    """Return the games before number ``present``, the last one first; none where the store cannot be read now."""
    nothing: dict[int, list[ChainLink[Row]]] = {}
    found = looked_up(place, hall, lambda store: journal_games(store, device, epoch), nothing)
    games, before = [], Assignment()
    for number, rows in sorted(found.items()):
        game = folded(rows[:MOST_ROWS])
        if game is not None and number < present:
            games.append(EarlierGame(game, players(before, game), followed=number < max(found)))
        before = assigned(before, rows)
    return tuple(reversed(games))


def journal_games(store: StoreReader, device: str, epoch: str, after: int = 0) -> dict[int, list[ChainLink[Row]]]:
    """Return the rows held of a journal after row ``after``, by the number of the game; raises as ``StoreReader``."""
    found: dict[int, list[ChainLink[Row]]] = defaultdict(list)
    held = ((row.hash, None if row.fields is None else json.loads(row.fields)) for row in store.rows(device, epoch, after))
    for stored in stored_rows(held):
        found[stored.row.game].append(stored)
    return found


def journal_proof(place: StorePlace, hall: str, device: str, epoch: str) -> EpochProof | None:
    """Return what is shown of a journal or log; None: the store holds nothing of it, or cannot be read now."""
    return looked_up(
        place,
        hall,
        lambda store: next((epoch_proof(store, device, each) for each in store.epochs(device) if each.epoch == epoch), None),
        None,
    )


_WORDS: Final = {
    Kind.LOOKUP: "",
    Kind.REPEAT: Phrase("the same challenge again"),
    Kind.SECOND_OPINION: Phrase("second opinion"),
    Kind.MANUAL: Phrase("by a word judge"),
    Kind.WITHDRAWN: Phrase("withdrawn"),
    Kind.CONCEDED: Phrase("conceded"),
    Kind.ABORTED: Phrase("words typed, not judged"),
    Kind.REFUSED: Phrase("not judged"),
}
"""The kinds of rows that end or break off a challenge, and the words beside the verdict."""


class LoggedVerdict(Struct, frozen=True):
    station: str
    device: str
    row: int
    at: int | None
    """When, in ns of the listener; None: the time of the station's machine is not known."""
    wall: str
    table: int | None
    words: tuple[str, ...]
    acceptable: bool | None
    said: str
    """What kind of row it is, where it is no first look-up, and why."""
    lexicon: LexiconName | None


def station_verdict(device: RemoteDevice, fields: list[Any]) -> LoggedVerdict | None:
    """Return a row of a station's log (``covered``, of ``records.log.Row``) for the page; None: it is no challenge, or not in the form of this release."""
    try:
        # A station may send anything.
        seq, kind, mono, boot, wall, station, table, body = convert(fields, tuple[int, str, int, str, str, str, int | None, str])
        entry = decode(kind, table, body) if kind in _WORDS else None
    except (ValidationError, DamagedRecord):
        return None
    if entry is None:
        return None
    exchange, kind_words = device.offsets.of_boot(boot).best, _WORDS[entry.kind]
    return LoggedVerdict(
        station=station,
        device=device.id,
        row=seq,
        at=None if exchange is None else mono + exchange.offset,
        wall=wall,
        table=table,
        words=entry.words,
        acceptable=entry.acceptable,
        said=Phrase("{title}: {value}", title=kind_words, value=entry.why) if kind_words and entry.why else kind_words or entry.why or "",
        lexicon=entry.lexicon,
    )


def latest_verdicts(place: StorePlace, hall: str, devices: Iterable[RemoteDevice]) -> tuple[LoggedVerdict, ...]:
    """Return the last challenges of the stations among ``devices``, the latest first; none where the store cannot be read now."""
    stations = [each for each in devices if each.is_station]
    nothing: list[LoggedVerdict] = []
    # 20 of each station.
    found = looked_up(place, hall, lambda store: [each for device in stations for each in islice(_of_station(store, device), 20)], nothing)
    # Those of an unknown time come last.
    return tuple(sorted(found, key=lambda each: ((0 if each.at is None else -each.at), each.device, -each.row)))


def _of_station(store: StoreReader, device: RemoteDevice) -> Iterator[LoggedVerdict]:
    if device.epoch is None:
        return
    # A log has other rows between its challenges.
    for row in islice(store.rows_back(device.id, device.epoch), 400):
        if row.fields is not None and (found := station_verdict(device, json.loads(row.fields))) is not None:
            yield found


class LastTest(Struct, frozen=True):
    wall: str
    test: DeviceTest


class TestedDevice(Struct, frozen=True):
    name: str
    is_station: bool
    table: int | None
    last: LastTest | None

    @property
    def failed(self) -> bool:
        return self.last is not None and bool(self.last.test.failed)


def tested_devices(devices: Sequence[RemoteDevice], tests: Mapping[str, LastTest]) -> list[TestedDevice]:
    """Return what has failed first, then what is not tested, each by table and name."""
    known = (TestedDevice(each.name, each.is_station, None if each.is_station else each.table, tests.get(each.id)) for each in devices)
    return sorted(known, key=lambda each: (not each.failed, each.last is not None, each.table or 1000, each.name))


def last_tests(place: StorePlace, hall: str, devices: Sequence[RemoteDevice]) -> Mapping[str, LastTest]:
    """Return the last test of each of ``devices`` that has one in its present journal or log; none where the store cannot be read now."""

    def found(store: StoreReader) -> Mapping[str, LastTest]:
        known = {each.id: _last(store, each.id, each.epoch) for each in devices if each.epoch is not None}
        return {device: last for device, last in known.items() if last is not None}

    return looked_up(place, hall, found, {})


def _last(store: StoreReader, device: str, epoch: str) -> LastTest | None:
    found = (_test_of(json.loads(row.fields)) for row in store.rows(device, epoch, part=DEVICE_TEST) if row.fields is not None)
    return next((each for each in reversed(list(found)) if each is not None), None)


_WALL: Final = {len(Row.__struct_fields__) + 1: 7, len(LogRow.__struct_fields__) + 1: 4}
"""Where a row of a journal and of a log has its wall time, by its number of fields."""


def _test_of(fields: list[Any]) -> LastTest | None:
    """A device of the hall may send anything in a row."""
    if len(fields) in _WALL and fields[1] in (RowKind.NOTE, Kind.SELF_TEST):
        with suppress(exact_json.Malformed, TypeError, AttributeError):
            test = tested_in(exact_json.decode(fields[-1]))
            return None if test is None else LastTest(str(fields[_WALL[len(fields)]]), test)
    return None


_PLAYERS: Final = BySide(LEFT, RIGHT)


def clock_result(device: str, epoch: str, folded: FoldedGame, place: Assignment, at: int) -> ClockResult | None:
    """Return what the clock says of a game's result at ``at`` (ns of its timeline): scores, a forfeit, or nothing yet. None: the game's beginning cannot be read.

    ``place``: where the clock stood and who played, for a forfeit. What is signed says that itself.
    """
    if folded.history is None:
        return None
    game, last = folded.history.game_at(at), [each for each in folded.rows if each.row.kind == RowKind.EVENT][-1]
    game_name, wall = f"{epoch}/{folded.number}", _wall_ns(last.row.wall)
    none = said_of(Pairing("", 0, LEFT, RIGHT), Source.CLOCK, device=device, game=game_name, wall=wall)
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
    return (datetime.fromisoformat(wall) - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1) * 1000 if is_dated(wall) else 0


class ResultKeeper:
    """Adds rows, and lets the desk show them. Any thread."""

    def __init__(self, desk: DirectorsDesk, place: StorePlace) -> None:
        self._desk, self.place = desk, place
        self._lock = threading.Lock()
        self._rows: list[NumberedRow] = []

    def look(self) -> None:
        """Take in what another program has added, such as an import; raises ``RecordError``."""
        with self._lock:
            self._take_in()

    def add(self, rows: Mapping[str, KeptRow]) -> bool:
        """Keep the rows (by key) that are new, on the disk when this returns; return whether there were any. Raises ``RecordError``."""
        with self._lock:
            added = keep_game_results(self.place, self._desk.hall, rows)
            self._take_in()
        return bool(added)

    def add_clock(self, clock: ClockResult) -> None:
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
        found = kept_game_results(self.place, self._desk.hall, self._rows[-1][0] if self._rows else 0)
        if found:
            self._rows += found
            self._desk.results = book_of(self._rows)
            self._desk.mark_old("results")


def settling(n: int) -> str:
    """Return the key of the one row that gives the clock's row ``n`` its pairing, or discards it."""
    return f"settles {n}"


Mark: TypeAlias = tuple[object, ...]


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
            # A row of each game with a signed result or a forfeit has one of these: the others are not folded.
            if (
                any(said in each.row.body for each in rows for said in ('"result"', '"loser"', '"late_start"'))
                and (game := folded(rows[:MOST_ROWS])) is not None
            ):
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
