"""The desk's own picture: a tile for each table, made anew when its device was heard, and once a second for what time changes."""

import json
import threading
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from msgspec import Struct, field
from msgspec.structs import replace

from appliance.records.chain import ChainLink
from appliance.texts import sent
from faults.errors import Phrase
from game.table import NO_NAMES, Assignment
from hall.desk.publisher import tile_json
from hall.desk.store import PLAYS_ROUND, SET_OVERLAY, CallKey, DeskStore, Taker, end_with_round, round_of_start
from hall.desk.tiles.device import station_tiles
from hall.desk.tiles.folded import MOST_ROWS, NOWHERE, FoldedGame, TableSeat, assigned, folded, players, seats_of
from hall.desk.tiles.table import Known, TableTile, table_tile, weak_power
from hall.event.model import Event
from hall.listener.row_keeper import TakenRows
from hall.picture import Hall, RemoteDevice
from hall.results.book import ResultBook
from hall.results.standings import NO_CAPS
from hall.store.database import StorePlace
from hall.store.events import StoredEvent, changes_of, read_stored
from hall.store.store import StoreReader, looked_up, stored_rows
from records.journal import Kind, Row
from rules.duration import NS
from rules.side import BySide
from wire.reports import WireRow


class _Tail(Struct):
    epoch: str
    rows: list[ChainLink[Row]] = field(default_factory=list)
    """Of the game with the highest number."""
    before: Assignment = field(default_factory=Assignment)
    """The assignment that stood before its first row."""
    game: FoldedGame | None = None
    fresh: bool = False
    """``game`` is the one of ``rows``."""


class Journals:
    """Used by one thread."""

    def __init__(self, store: StorePlace, hall: str) -> None:
        self._store, self._hall = store, hall
        self._tails: dict[str, _Tail] = {}

    def add(self, device: str, epoch: str, rows: Iterable[WireRow]) -> None:
        tail = self._tails.get(device)
        # Whatever else the hall holds of that journal is read when the game is asked for.
        if tail is None or tail.epoch != epoch:
            self._tails.pop(device, None)
            return
        _extend(tail, stored_rows(rows))

    def game(self, device: str, epoch: str | None) -> FoldedGame | None:
        return None if epoch is None else self._tail(device, epoch).game

    def players(self, device: str, epoch: str | None) -> BySide[str]:
        tail = None if epoch is None else self._tail(device, epoch)
        return NO_NAMES if tail is None or tail.game is None else players(tail.before, tail.game)

    def _tail(self, device: str, epoch: str) -> _Tail:
        tail = self._tails.get(device)
        if tail is None or tail.epoch != epoch:
            tail = self._tails[device] = _Tail(epoch)
            _extend(tail, looked_up(self._store, self._hall, lambda store: _last_game(store, device, epoch), []))
        # Once for all batches since it was last asked for: each fold of a long game takes tens of milliseconds.
        if not tail.fresh:
            tail.game, tail.fresh = folded(tail.rows), True
        return tail


def _extend(tail: _Tail, rows: Iterable[ChainLink[Row]]) -> None:
    for stored in rows:
        if tail.rows and stored.seq <= tail.rows[-1].seq:
            continue
        if tail.rows and stored.row.game > tail.rows[-1].row.game:
            tail.before, tail.rows = assigned(tail.before, tail.rows), []
        if len(tail.rows) < MOST_ROWS:
            tail.rows.append(stored)
            tail.fresh = False


def _last_game(store: StoreReader, device: str, epoch: str) -> list[ChainLink[Row]]:
    found: list[ChainLink[Row]] = []
    for back, held in enumerate(store.rows_back(device, epoch)):
        row = next(iter(stored_rows([(held.hash, None if held.fields is None else json.loads(held.fields))])), None)
        if row is None:
            continue
        if not found or row.row.game >= found[-1].row.game:
            found.append(row)
        elif row.row.kind == Kind.ASSIGNED:
            found.append(row)
            break
        # Its names come just before the game.
        elif back > 500:
            break
    return found[::-1]


class PageWarning(Struct, frozen=True):
    text: str
    since: str = ""
    """Wall time (UTC, ISO 8601); empty: not known."""
    links: tuple[tuple[str, str], ...] = ()
    """Where to act: path and word."""

    @property
    def live(self) -> dict[str, Any]:
        return {"text": sent(self.text), "since": self.since, "links": [(path, sent(word)) for path, word in self.links]}


def freeze_warnings(tiles: Iterable[TableTile], wall_of: Callable[[str, int], str]) -> tuple[PageWarning, ...]:
    """Return the line for the freeze in the hall, if there is one; ``wall_of``: the wall time of an order, asked at an instant (ns of the listener)."""
    asked = [(tile, tile.freeze) for tile in tiles if tile.freeze is not None]
    # A game that is over is neither; but the freeze stands at its clock, too.
    concerned = [each for each in asked if each[0].phase != "over"]
    situation = sorted(concerned or asked, key=lambda each: each[0].asked or 0)
    if not situation:
        return ()
    since = next((wall_of(freeze.order, tile.asked) for tile, freeze in situation if tile.asked is not None), "")
    texts = "; ".join(sorted({freeze.text for _, freeze in situation if freeze.text}))
    frozen = sum(tile.frozen for tile, _ in concerned)
    counts = Phrase("{frozen} frozen, {running} still running", frozen=frozen, running=len(concerned) - frozen)
    counts = counts if concerned else Phrase("the game is over at each of its tables")
    words = Phrase("Freeze ({texts}): {counts}.", texts=texts, counts=counts) if texts else Phrase("Freeze: {counts}.", counts=counts)
    return (PageWarning(words, since, ((f"/orders/{situation[-1][1].order}", Phrase("Show")), ("/notices?do=clear", Phrase("Take back")))),)


_LOOK_NS: Final = NS
"""How often at least the desk looks at the hall as a whole, and makes all tiles anew: 60 take 4 ms, a thousand 60 ms of the processor."""
_WHOLE: Final = ("troubles", "calling", "timer")


class DirectorsDesk:
    """The hall as the pages show it. Its methods are used in the event loop, but for ``heard`` and ``committed``. ``picture``: the listener waits meanwhile."""

    def __init__(self, hall: str, picture: Callable[[], AbstractContextManager[Hall]], store: StorePlace) -> None:
        self.hall = hall
        self.store = store
        self.tiles: dict[str, TableTile] = {}
        self.troubles: tuple[str, ...] = ()
        self.warnings: tuple[PageWarning, ...] = ()
        """What every page shows at the top: the troubles, and a freeze that stands."""
        self.calling = 0
        self.round_began: int | None = None
        """When the round began, in ns of the listener; None: it has not."""
        self.timer: Mapping[str, Any] | None = None
        """The hall's timer as a browser gets it."""
        self.event, self.round = Event(), 0
        self.results = ResultBook()
        """The results of all rounds; replaced as a whole."""
        self.elsewhere: tuple[str, ...] = ()
        """Results that another desk has entered and that do not fit here, as the log says them."""
        self.caps = NO_CAPS
        """How much spread a game counts in the standings at most; 0: all of it."""
        self.overlays: Mapping[str, int] = {}
        self.event_changes = threading.Lock()
        """Held while an event changes in the store until the desk shows it: who has changed it is then known."""
        self.seats: Mapping[int, TableSeat] = {}
        self.wall: Callable[[], datetime] = lambda: datetime.now(UTC)
        """The wall time (UTC); it may jump."""
        self.on_news: Callable[[], None] = lambda: None
        """Called from the listener's thread when something has come."""
        self.on_public: Callable[[Mapping[str, Any]], None] = lambda _: None
        """Takes each change of what spectators see, as the keys of an event."""
        self._picture = picture
        self._journals = Journals(store, hall)
        self._lock = threading.Lock()
        # In the order in which they were heard.
        self._heard: dict[str, None] = {}
        self._rows: deque[TakenRows] = deque()
        self._devices: dict[str, RemoteDevice] = {}
        self._weak_since: dict[str, int] = {}
        self._looked = -_LOOK_NS
        # The wall time of each freeze, by its order: computed again it would differ by what the desk has learnt of the clock's time.
        self._asked_at: dict[str, str] = {}
        self._call_takers: Mapping[CallKey, Taker] = {}
        self._parts: dict[str, Any] = {}
        self._old: set[str] = set()

    def heard(self, device: str) -> None:
        """Note that a device was heard; the listener's thread."""
        with self._lock:
            self._heard[device] = None
        self.on_news()

    def committed(self, taken: Sequence[TakenRows]) -> None:
        """Take rows that have come to the disk; the listener's thread."""
        with self._lock:
            self._rows.extend(taken)
            self._heard |= dict.fromkeys(each.device for each in taken)
        self.on_news()

    def changes(self, now: int) -> tuple[dict[str, Any], int]:
        """Bring the tiles up to ``now`` (ns); return what has changed, as the keys of an event, and when to call again at the latest."""
        waiting = self._work_off(now)
        changed = [tile for name in waiting if name in self._devices and (tile := self._made(name, now)) is not None]
        content: dict[str, Any] = {"tiles": [tile_json(each) for each in changed]} if changed else {}
        self.calling = sum(each.call is not None for each in self._devices.values())
        frozen = freeze_warnings(self.tiles.values(), lambda order, at: self._asked_at.setdefault(order, self.wall_at(at, now)))
        told = (
            PageWarning(each, links=(("/assign", Phrase("Names")),) if " clocks report table " in each else ()) for each in self.troubles
        )
        self.warnings = (*told, *frozen)
        content |= self._changed_parts(now)
        return content, self._looked + _LOOK_NS

    def snapshot(self) -> dict[str, Any]:
        return {
            "hall": self.hall,
            "tiles": [tile_json(each) for each in self.tiles.values()],
            "troubles": [each.live for each in self.warnings],
            "calling": self.calling,
            "timer": self.timer,
        }

    def take_event(self, stored: StoredEvent, seats: Mapping[int, TableSeat]) -> None:
        """Take an event with the seats of the round that is played; any thread."""
        self.event, self.round, self.overlays, self.seats = stored.event, stored.round, stored.overlays, seats
        self.everything_again()

    def begin_round(self, at: int | None) -> None:
        """Take in when the round begins, in ns of the listener; None: it is not known."""
        self.round_began = at
        self.everything_again()

    def everything_again(self) -> None:
        with self._lock:
            self._heard |= dict.fromkeys(self._devices)
        self.on_news()

    def set_call_takers(self, call_taker: Mapping[CallKey, Taker]) -> None:
        """Take in who goes to which call, by device, boot and instant of the call; any thread."""
        with self._lock:
            changed = set(call_taker.items()) ^ set(self._call_takers.items())
            self._call_takers = call_taker
            self._heard |= dict.fromkeys(key[0] for key, _ in changed if key[0] in self._devices)
        if changed:
            self.mark_old("calls")

    def mark_old(self, part: str) -> None:
        """Say that what pages show of ``calls``, ``orders`` or ``results`` has changed; any thread."""
        with self._lock:
            self._old.add(part)
        self.on_news()

    def by_need(self) -> list[TableTile]:
        return sorted(self.tiles.values(), key=urgency)

    def tile(self, name: str) -> TableTile | None:
        """Return the tile of a table's number or a clock's id. Of two clocks at one table the first heard."""
        if name.isascii() and name.isdigit() and len(name) <= 3:
            return next((tile for tile in self.tiles.values() if tile.table == int(name)), None)
        return self.tiles.get(name)

    def game(self, tile: TableTile) -> FoldedGame | None:
        device = self._devices.get(tile.id)
        return None if device is None else self._journals.game(device.id, device.epoch)

    def remote_devices(self) -> tuple[RemoteDevice, ...]:
        return tuple(self._devices.values())

    def device(self, name: str) -> RemoteDevice | None:
        return self._devices.get(name)

    def _work_off(self, now: int) -> list[str]:
        with self._lock:
            rows, self._rows = self._rows, deque()
            heard, self._heard = self._heard, {}
        for taken in rows:
            self._journals.add(*taken)
        with self._picture() as hall:
            if now - self._looked >= _LOOK_NS:
                self._looked, self.troubles = now, tuple(hall.troubles())
                # What time alone changes, such as a need or a penalty.
                heard |= dict.fromkeys(self.tiles)
            for name in heard:
                if (device := hall.devices.get(name)) is not None:
                    self._devices[name] = replace(device, troubles=dict(device.troubles), boots=list(device.boots))
        for name in heard:
            self._note_power(name, now)
        return list(heard)

    def _made(self, name: str, now: int) -> TableTile | None:
        device = self._devices[name]
        if device.is_station:
            return None
        taker = None if device.call is None else self._call_takers.get(CallKey(name, device.call.boot, device.call.since))
        known = Known(
            self._journals.game(name, device.epoch),
            self._journals.players(name, device.epoch),
            NOWHERE if device.table is None else self.seats.get(device.table, NOWHERE),
            self.round_began,
            self._weak_since.get(name),
            "" if taker is None else taker.who,
        )
        before, tile = self.tiles.get(name), table_tile(device, known, now)
        self.tiles[name] = tile
        return None if before == tile else tile

    def wall_at(self, at: int, now: int) -> str:
        """Return the wall time (UTC, ISO 8601) of an instant of the listener (ns)."""
        return (self.wall() + timedelta(microseconds=(at - now) // 1000)).isoformat(timespec="seconds")

    def _note_power(self, name: str, now: int) -> None:
        device = self._devices.get(name)
        if device is not None and weak_power(device) is not None:
            self._weak_since.setdefault(name, now)
        else:
            self._weak_since.pop(name, None)

    def _changed_parts(self, now: int) -> dict[str, Any]:
        """Return what has changed beside the tiles: ``_WHOLE`` as it is; all else only as a sign that its page is old."""
        parts: dict[str, Any] = {
            "troubles": [each.live for each in self.warnings],
            "calling": self.calling,
            "timer": self.timer,
            "stations": station_tiles(self.remote_devices(), now),
            "devices": len(self._devices),
            "calls": [(each.id, each.call) for each in self._devices.values() if each.call is not None],
        }
        changed = {name for name, value in parts.items() if self._parts.get(name) != value}
        self._parts = parts
        with self._lock:
            changed |= self._old
            self._old.clear()
        return {name: self._parts[name] if name in _WHOLE else True for name in sorted(changed)}


def urgency(tile: TableTile) -> tuple[int, int, int, str]:
    first = tile.needs[0].urgency if tile.needs else (99, 0)
    return (*first, tile.table or 1000, tile.id)


COMMAND_LINE: Final = "command line"
"""Who has changed what the desk itself did not: ``tilehall event``."""
ITSELF: Final = "the desk itself"


def take_over(desk: DirectorsDesk, log: DeskStore, who: str, stored: StoredEvent) -> None:
    """Let the desk show a stored event; the start time ends with its round. Any thread."""
    # A later round may have become current while the desk was down. Another desk of the same log may have a later round than this one.
    before = desk.round or min(round_of_start(log), stored.round)
    if before not in (0, stored.round):
        desk.begin_round(end_with_round(log, who, stored.round))
    desk.take_event(stored, seats_of(stored.event, stored.round))


class EventWatch:
    """Gives the desk its seats. ``log``: where the desk keeps the round's start, and who has set the round or an overlay."""

    def __init__(self, desk: DirectorsDesk, place: StorePlace, log: DeskStore) -> None:
        self._desk, self._place, self._log = desk, place, log
        self._changes: int | None = None

    def look(self) -> None:
        """Take in what has changed; any thread. Raises ``RecordError``: the next look tries again."""
        if changes_of(self._place, self._desk.hall) == self._changes:
            return
        with self._desk.event_changes:
            stored = read_stored(self._place, self._desk.hall)
            # What changed while the desk was down is not known.
            if self._changes is not None:
                self._note(stored)
            take_over(self._desk, self._log, COMMAND_LINE, stored)
        self._changes = stored.changes

    def _note(self, stored: StoredEvent) -> None:
        if stored.round != self._desk.round:
            self._log.add(COMMAND_LINE, PLAYS_ROUND, {"text": str(stored.round or "") or Phrase("none")})
        for slot in sorted({slot for slot, _ in stored.overlays.items() ^ self._desk.overlays.items()}):
            table = stored.overlays.get(slot)
            shows = (
                Phrase("{slot} has no table of its own", slot=slot)
                if table is None
                else Phrase("{slot} shows table {table}", slot=slot, table=table)
            )
            self._log.add(COMMAND_LINE, SET_OVERLAY, {"text": shows})
