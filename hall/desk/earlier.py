"""What the pages read from the hall's rows: a clock's earlier games, what the rows prove, the stations' last challenges, and each device's last guided test."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from types import NoneType
from typing import Any, Final

from msgspec import Struct

from appliance.errors import DamagedRecord
from appliance.records.chain import ChainLink
from faults.errors import Phrase, TileclockError
from game import exact_json
from game.table import Assignment
from hall.desk.tiles.folded import MOST_ROWS, FoldedGame, assigned, folded, players
from hall.picture import RemoteDevice
from hall.store.database import FAULTS, StorePlace
from hall.store.store import KnownEpoch, StoredWireRow, StoreReader, reading_store, stored_rows
from hall.verify import EpochProof, epoch_proof
from records.device_test import DEVICE_TEST, DeviceTest, tested_in
from records.entry import Kind, LexiconName
from records.journal import Kind as RowKind
from records.journal import Row
from records.log import Row as LogRow
from records.log import decode
from rules.side import BySide


class EarlierGame(Struct, frozen=True):
    folded: FoldedGame
    names: BySide[str]
    """Who played it; empty: the journal does not say."""
    followed: bool
    """Rows of a later game are here, so that none of this one is missing."""

    @property
    def end(self) -> int | None:
        """When it ended (ns of its timeline), or how far its rows go while others may be missing; None: its beginning cannot be read."""
        history = self.folded.history
        return self.folded.end if self.followed or history is None else history.at


def earlier_games(place: StorePlace, device: str, epoch: str, present: int) -> tuple[EarlierGame, ...]:
    """Return the games before number ``present``, the last one first; none where the store cannot be read now."""
    try:
        with reading_store(place) as store:
            found = journal_games(store, device, epoch)
    except (TileclockError, *FAULTS):
        return ()
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


class KnownProofs:
    """The proofs of one store. Any thread."""

    def __init__(self, place: StorePlace) -> None:
        self._place = place
        self._known: dict[tuple[str, str], tuple[tuple[KnownEpoch, StoredWireRow | None], EpochProof]] = {}

    def of(self, device: str, epoch: str) -> EpochProof | None:
        """Return what is shown of a journal or log; None: the store holds nothing of it, or cannot be read now."""
        try:
            with reading_store(self._place) as store:
                of = next((each for each in store.epochs(device) if each.epoch == epoch), None)
                if of is None:
                    return None
                mark, known = (of, store.last_row(device, epoch)), self._known.get((device, epoch))
                if known is None or known[0] != mark:
                    known = self._known[device, epoch] = mark, epoch_proof(store, device, of)
        except (TileclockError, *FAULTS):
            # A full disk, or a file that is being replaced: the next look finds it.
            return None
        return known[1]


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
_FORM: Final = ((int,), (str,), (int,), (str,), (str,), (str,), (int, NoneType), (str,))
"""The types of a row's fields: a station may send anything."""


class LoggedVerdict(Struct, frozen=True):
    station: str
    device: str
    row: int
    at: int | None
    """When, in ns of the listener; None: the time of the station's machine is not known."""
    wall: str
    """When, by the station's own date."""
    table: int | None
    words: tuple[str, ...]
    acceptable: bool | None
    said: str
    """What kind of row it is, where it is no first look-up, and why."""
    lexicon: LexiconName | None


def station_verdict(device: RemoteDevice, fields: list[Any]) -> LoggedVerdict | None:
    """Return a row of a station's log (``covered``, of ``records.log.Row``) for the page; None: it is no challenge, or not in the form of this release."""
    if len(fields) != len(_FORM) or not all(type(value) in kinds for value, kinds in zip(fields, _FORM, strict=True)):
        return None
    seq, kind, mono, boot, wall, station, table, body = fields
    if kind not in _WORDS:
        return None
    try:
        entry = decode(kind, table, body)
    except DamagedRecord:
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


_MAX: Final = 20
"""Of one station."""
_LOOK_BACK: Final = 400
"""Rows: a log has others between its challenges."""


def latest_verdicts(place: StorePlace, devices: Iterable[RemoteDevice]) -> tuple[LoggedVerdict, ...]:
    """Return the last challenges of the stations among ``devices``, the latest first; none where the store cannot be read now."""
    try:
        with reading_store(place) as store:
            found = [each for device in devices if device.is_station for each in islice(_of_station(store, device), _MAX)]
    except (TileclockError, *FAULTS):
        return ()
    # Those of an unknown time come last.
    return tuple(sorted(found, key=lambda each: ((0 if each.at is None else -each.at), each.device, -each.row)))


def _of_station(store: StoreReader, device: RemoteDevice) -> Iterator[LoggedVerdict]:
    if device.epoch is None:
        return
    for row in islice(store.rows_back(device.id, device.epoch), _LOOK_BACK):
        if row.fields is not None and (found := station_verdict(device, json.loads(row.fields))) is not None:
            yield found


class LastTest(Struct, frozen=True):
    wall: str
    """When, by the device's own date."""
    test: DeviceTest


class TestedDevice(Struct, frozen=True):
    name: str
    table: int | None
    last: LastTest | None
    """None: it has not been tested."""

    @property
    def failed(self) -> bool:
        return self.last is not None and bool(self.last.test.failed)


class TestedDevices(Struct, frozen=True):
    devices: tuple[TestedDevice, ...]
    """What has failed first, then what is not tested, each by table and name."""

    @property
    def tested(self) -> tuple[TestedDevice, ...]:
        return tuple(each for each in self.devices if each.last is not None)

    @property
    def failed(self) -> tuple[TestedDevice, ...]:
        return tuple(each for each in self.devices if each.failed)


def tested_devices(devices: Sequence[RemoteDevice], tests: Mapping[str, LastTest]) -> TestedDevices:
    known = (TestedDevice(each.name, None if each.is_station else each.table, tests.get(each.id)) for each in devices)
    return TestedDevices(tuple(sorted(known, key=lambda each: (not each.failed, each.last is not None, each.table or 1000, each.name))))


class KnownTests:
    """The tests of one store, of which each row is read once. Any thread."""

    def __init__(self, place: StorePlace) -> None:
        self._place = place
        self._known: dict[tuple[str, str], tuple[int, LastTest | None]] = {}
        """By device and epoch: how many rows were looked at, and the last test among them."""

    def of(self, devices: Iterable[RemoteDevice]) -> Mapping[str, LastTest]:
        """Return the last test of each of ``devices`` that has one in its present journal or log; where the store cannot be read now, as it was known."""
        records = [(device.id, device.epoch, device.held) for device in devices if device.epoch is not None]
        news = [each for each in records if self._known.get(each[:2], (0, None))[0] < each[2]]
        if news:
            with suppress(TileclockError, *FAULTS), reading_store(self._place) as store:
                for device, epoch, held in news:
                    looked, known = self._known.get((device, epoch), (0, None))
                    self._known[device, epoch] = held, _last(store, device, epoch, looked) or known
        return {device: last for device, epoch, _ in records if (last := self._known.get((device, epoch), (0, None))[1]) is not None}


def _last(store: StoreReader, device: str, epoch: str, after: int) -> LastTest | None:
    found = (_test_of(json.loads(row.fields)) for row in store.rows(device, epoch, after, DEVICE_TEST) if row.fields is not None)
    return next((each for each in reversed(list(found)) if each is not None), None)


_WALL: Final = {len(Row.__struct_fields__) + 1: 7, len(LogRow.__struct_fields__) + 1: 4}
"""Where a row of a journal and of a log has its wall time, by its number of fields."""


def _test_of(fields: list[Any]) -> LastTest | None:
    """Return the test that a row tells of; None: it tells of none. A device of the hall may send anything in a row."""
    if len(fields) in _WALL and fields[1] in (RowKind.NOTE, Kind.SELF_TEST):
        with suppress(exact_json.Malformed, TypeError, AttributeError):
            test = tested_in(exact_json.decode(fields[-1]))
            return None if test is None else LastTest(str(fields[_WALL[len(fields)]]), test)
    return None
