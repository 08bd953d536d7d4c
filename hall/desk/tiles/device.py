"""A device as the page of devices shows it, with what to do about its software; and a challenge station as a tile, with its word list."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, Literal

from msgspec import Struct

from appliance.version import VERSION
from faults.errors import Phrase, in_a_row
from hall.picture import RemoteDevice
from rules.duration import NS
from wire.reports import CardHealth, NamedLexicon

SLOW_NS: Final = NS
"""A mark is due each second, and a commit that lasts longer is too slow for `tileclock doctor` too."""
_GB: Final = 1_000_000_000


class StorageWords(Struct, frozen=True):
    mark: Literal["", "soft", "bad"]
    """How the words are marked; empty: all is well."""
    words: str
    more: str


def storage_words(card: CardHealth) -> StorageWords:
    free = "" if card.free is None else Phrase("{amount} free", amount=amount(card.free))
    if card.fault is not None:
        return StorageWords("bad", Phrase("cannot be written"), card.fault)
    # Less than this is a failure for `tileclock doctor` too.
    if card.free is not None and card.free < 16 << 20:
        return StorageWords("bad", Phrase("full"), free)
    if card.slowest_ns >= SLOW_NS:
        slowest = Phrase("{seconds} s for a row", seconds=f"{card.slowest_ns / NS:.1f}")
        return StorageWords("soft", Phrase("slow"), in_a_row(*filter(None, (slowest, free)), between=", "))
    return StorageWords("", Phrase("ok"), free)


def amount(size: int) -> Phrase:
    return Phrase("{size} GB", size=f"{size / _GB:.1f}") if size >= _GB else Phrase("{size} MB", size=size // 1_000_000)


NOW: Final = Phrase("update now")
_PPM: Final = 1_000
EXACT_PPM: Final = 10
"""A rate that may be further off is not shown yet."""


class DeviceTile(Struct, frozen=True):
    """One device, with what a page says of it besides. Instants in ns of the listener."""

    device: RemoteDevice
    stale: int | None
    older: frozenset[str]
    """The programs that are older than this desk. Its own version counts and none that a device reports: one wrong report must not mark all others."""
    storage: StorageWords | None
    idle: bool | None
    """No game or challenge is in progress: updates and settings may come. None: it has not reported."""

    @property
    def ppm(self) -> str:
        """How much faster its clock is than the desk's, as ``+3.2 ppm``, with what it may be off by; empty: not known that well yet."""
        rate = self.device.offsets.rate
        if rate is None or rate.bound > EXACT_PPM * _PPM:
            return ""
        return f"{rate.ns / _PPM:+.1f} ppm ±{rate.bound / _PPM:.1f}"

    @property
    def drifts(self) -> bool:
        rate = self.device.offsets.rate
        # 1 s in 14 hours is the usual tolerance of a crystal.
        return rate is not None and bool(self.ppm) and abs(rate.ns) > 20 * _PPM

    @property
    def update(self) -> str:
        """What to do about its software; empty: nothing, or not known while it is not heard."""
        if not self.older or self.idle is None or self.stale is not None:
            return ""
        after = Phrase("update after the game") if not self.device.is_station else Phrase("update after the challenge")
        return NOW if self.idle else after


def device_tiles(devices: Sequence[RemoteDevice], now: int) -> tuple[DeviceTile, ...]:
    """Return the tiles of all devices at ``now`` (ns): what is wrong first, then by table and name."""
    tiles = [_tile(each, now) for each in devices]
    return tuple(
        sorted(tiles, key=lambda tile: (not _wrong(tile), tile.device.table or 1000, tile.device.kind, tile.device.name, tile.device.id))
    )


def _wrong(tile: DeviceTile) -> bool:
    device, battery = tile.device, tile.device.battery
    bad_tile = tile.storage is not None and tile.storage.mark == "bad"
    return (
        bool(device.troubles or device.worn)
        or tile.stale is not None
        or device.power == "low"
        or (battery is not None and battery.low)
        or bad_tile
    )


def _parts(version: str) -> tuple[int, ...]:
    """Return the numbers of a version, which compare as such: 1.10.0 is later than 1.9.0."""
    return tuple(int(part[:9]) for part in re.findall(r"\d+", version, re.ASCII))


def _tile(device: RemoteDevice, now: int) -> DeviceTile:
    presence, beat = device.presence, device.beat
    versions = {} if presence is None else presence.versions
    return DeviceTile(
        device,
        device.stale_since(now),
        frozenset(name for name, version in versions.items() if _parts(version) < _parts(VERSION)),
        None if beat is None or beat.card is None else storage_words(beat.card),
        _idle(device),
    )


def _idle(device: RemoteDevice) -> bool | None:
    if device.is_station:
        return None if device.station is None else not device.station.busy
    return None if device.clock is None else device.clock.between_games


class StationTile(Struct, frozen=True):
    """Instants in ns of the listener."""

    id: str
    name: str
    up: bool
    stale: int | None
    busy: bool
    table: int | None
    lexicon: NamedLexicon | None
    differs: bool
    """Its list is not the one that most stations have."""
    trouble: str
    called: int | None
    power: str


def usual_list(devices: Iterable[RemoteDevice]) -> str | None:
    """Return the SHA-256 of the list that most stations have; None: none has one. With as many for two lists, neither is usual."""
    counts = Counter(each.station.lexicon.sha256 for each in devices if each.station is not None and each.station.lexicon is not None)
    ranked = counts.most_common(2)
    if not ranked or (len(ranked) > 1 and ranked[0][1] == ranked[1][1]):
        return None
    return ranked[0][0]


def station_tiles(devices: Sequence[RemoteDevice], now: int) -> tuple[StationTile, ...]:
    stations = sorted((each for each in devices if each.is_station), key=lambda each: (each.name, each.id))
    usual = usual_list(stations)
    lists = {each.station.lexicon.sha256 for each in stations if each.station is not None and each.station.lexicon is not None}
    return tuple(_station_tile(each, now, usual, agree=len(lists) < 2) for each in stations)


def _station_tile(device: RemoteDevice, now: int, usual: str | None, *, agree: bool) -> StationTile:
    report = device.station
    lexicon = None if report is None else report.lexicon
    return StationTile(
        id=device.id,
        name=device.name,
        up=device.up,
        stale=device.stale_since(now),
        busy=report is not None and report.busy,
        table=None if report is None else report.table,
        lexicon=lexicon,
        differs=not agree and lexicon is not None and lexicon.sha256 != usual,
        trouble=in_a_row(*filter(None, (report.trouble if report is not None else "", *device.troubles.values())), between="; "),
        called=device.called_at,
        power=device.power or "ok",
    )
