"""The whole hall: what the listener knows of each device, in the order in which somebody has to look at them.

Also how far and how fast its clock goes, what an order has to name, and all of it as JSON for programs on the same machine: ``watch``, ``status``, and whoever wants it.
No wall clock is trusted (docs/spec/wire.md, "Time"). The true offset of each exchange lies within half its round trip. So two exchanges bound the rate between
them, and the bounds of all pairs hold at once while the rate is constant.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations
from typing import Any, Final

from msgspec import Struct, field
from msgspec.structs import asdict, replace

from faults.errors import Phrase
from rules.duration import NS, reading
from rules.wear import Worn
from wire.reports import STALE_NS, BatteryReport, ClockReport, DeviceBeat, FourStamps, OpenCall, Presence, SideName, StationReport

MAX_EXCHANGES: Final = 8
DRIFT: Final = 10_000
"""The error grows by one ns in so many: 100 ppm, as two crystals may drift apart."""
STRETCH_NS: Final = 30 * NS
STRETCHES: Final = 40
"""The rate is that of the last 20 minutes: a crystal's depends on its temperature."""


class Exchange(Struct, frozen=True):
    """All in ns."""

    offset: int
    """Add it to an instant of the device for the listener's."""
    round_trip: int
    at: int

    @classmethod
    def of(cls, stamps: FourStamps) -> Exchange | None:
        """Return the exchange of four stamps; None: they contradict each other."""
        round_trip = (stamps.t4 - stamps.t1) - (stamps.t3 - stamps.t2)
        if stamps.t4 < stamps.t1 or stamps.t3 < stamps.t2 or round_trip < 0:
            return None
        return cls(((stamps.t2 - stamps.t1) + (stamps.t3 - stamps.t4)) // 2, round_trip, stamps.t3)

    def bound(self, now: int) -> int:
        """Return how far off the offset may be at ``now`` (ns of the listener)."""
        return self.round_trip // 2 + (now - self.at) // DRIFT


class Rate(Struct, frozen=True):
    """How much faster than the listener's clock a device's goes, in ns a second (1000 are 1 ppm); negative: it is slow."""

    ns: int
    bound: int


class Offsets(Struct, frozen=True):
    boot: str = ""
    exchanges: tuple[Exchange, ...] = ()
    course: tuple[Exchange, ...] = ()
    """The best exchange of each stretch of time."""

    def of_boot(self, boot: str) -> Offsets:
        return self if boot == self.boot else Offsets(boot)

    def after(self, exchange: Exchange) -> Offsets:
        course = (*self.course, exchange)
        if self.course and self.course[-1].at // STRETCH_NS == exchange.at // STRETCH_NS:
            course = (*self.course[:-1], min(self.course[-1], exchange, key=lambda each: each.round_trip))
        return replace(self, exchanges=(*self.exchanges, exchange)[-MAX_EXCHANGES:], course=course[-STRETCHES:])

    @property
    def best(self) -> Exchange | None:
        return min(self.exchanges, key=lambda each: each.round_trip, default=None)

    @property
    def rate(self) -> Rate | None:
        """The device's rate in the last 20 minutes; None: there is one stretch so far."""
        least, most = [], []
        for early, late in combinations(self.course, 2):
            gained, span = early.offset - late.offset, late.at - early.at
            unsure = (early.round_trip + late.round_trip) // 2
            least.append((gained - unsure) * NS // span)
            most.append((gained + unsure) * NS // span)
        if not least:
            return None
        # If the rate was not constant, the bounds may cross: they are as far apart then as it has changed.
        return Rate((max(least) + min(most)) // 2, abs(min(most) - max(least)) // 2 + 1)


EXACT_NS: Final = 250_000_000
"""A reading that may be further off than this is shown with ``~``."""
UNKNOWN: Final = "?"


class RemoteDevice(Struct):
    """Instants in ns of the listener's CLOCK_MONOTONIC."""

    id: str
    first_heard: int
    presence: Presence | None = None
    clock: ClockReport | None = None
    station: StationReport | None = None
    call: OpenCall | None = None
    called_at: int | None = None
    beat: DeviceBeat | None = None
    beat_at: int | None = None
    offsets: Offsets = field(default_factory=Offsets)
    epoch: str | None = None
    held: int = 0
    boots: list[str] = field(default_factory=list)
    """The boots that it has connected from, the latest last."""
    refused_messages: int = 0
    troubles: dict[str, str] = field(default_factory=dict)
    """A sentence for each thing that is wrong, by its cause."""

    @property
    def is_station(self) -> bool:
        return self.id.startswith("s")

    @property
    def kind(self) -> str:
        return "station" if self.is_station else "clock"

    @property
    def name(self) -> str:
        return self.presence.name if self.presence is not None and self.presence.name else self.id

    @property
    def title(self) -> Phrase:
        return Phrase("Station {name}", name=self.name) if self.is_station else Phrase("Clock {name}", name=self.name)

    @property
    def table(self) -> int | None:
        report = self.station if self.is_station else self.clock
        if report is not None and report.table is not None:
            return report.table
        return None if self.presence is None else self.presence.table

    @property
    def seq(self) -> int:
        """The rows of its journal, as far as is known."""
        return self.held if self.beat is None or self.beat.epoch != self.epoch else max(self.held, self.beat.seq)

    @property
    def missing(self) -> int:
        return self.seq - self.held

    @property
    def up(self) -> bool:
        return self.presence is not None and self.presence.up

    @property
    def power(self) -> str | None:
        return None if self.beat is None else self.beat.power

    @property
    def battery(self) -> BatteryReport | None:
        return None if self.beat is None else self.beat.battery

    @property
    def worn(self) -> tuple[Phrase, ...]:
        return () if self.beat is None else tuple(Worn(each.button, each.sign, each.before, each.now).words for each in self.beat.worn)

    @property
    def dropped(self) -> int:
        return 0 if self.beat is None else self.beat.dropped

    def stale_since(self, now: int) -> int | None:
        """Return since when it is stale at ``now``: the last beat, else the first report."""
        last = self.first_heard if self.beat_at is None else self.beat_at
        return last if self.beat_at is None or now - self.beat_at > STALE_NS else None

    @property
    def exchange(self) -> Exchange | None:
        """The exchange to go by; None: there has been none since the clock's machine started."""
        return None if self.clock is None else self.offsets.of_boot(self.clock.boot).best

    def bound(self, now: int) -> int | None:
        """Return how far off the reading of the running side may be at ``now``, in ns; 0: none runs; None: unknown."""
        if self.clock is None or self.clock.running is None:
            return None if self.clock is None else 0
        return None if self.exchange is None else self.exchange.bound(now)


def remote_remaining(report: ClockReport, exchange: Exchange | None, side: SideName, now: int) -> int | None:
    """Return what a side has left at ``now`` (ns of the listener) by a clock's last report; None: it runs, and its machine's time is not known."""
    stood = (report.left if side == "left" else report.right).remaining_ns
    if side != report.running:
        return stood
    # The instant may lie ahead: of time that is charged after a delay, or by the error of the offset.
    return None if exchange is None else stood - max(0, now - exchange.offset - report.at)


def remote_reading(report: ClockReport, exchange: Exchange | None, side: SideName, now: int) -> str:
    left = remote_remaining(report, exchange, side, now)
    about = "~" if side == report.running and exchange is not None and exchange.bound(now) > EXACT_NS else ""
    return UNKNOWN if left is None else about + reading(left)


class OrderAddress(Struct, frozen=True):
    epoch: str
    game: int
    number: int
    nonce: str
    """Of the last beat: about 30 s good."""


def address_of(device: RemoteDevice, now: int) -> OrderAddress | None:
    """Return where an order for ``device`` goes at ``now`` (ns of the listener); None: a station, or a clock that is not heard."""
    clock, beat = device.clock, device.beat
    if clock is None or clock.epoch is None or beat is None or device.stale_since(now) is not None:
        return None
    return OrderAddress(clock.epoch, clock.game, clock.number, beat.nonce)


class Hall:
    def __init__(self, name: str) -> None:
        self.name = name
        self.devices: dict[str, RemoteDevice] = {}
        self.trouble: str | None = None
        self.broker_up = False
        self.broker_why = ""

    def device(self, name: str, now: int) -> RemoteDevice:
        """Return the device with that id; it is new if it has not been heard of before ``now`` (ns)."""
        found = self.devices.get(name)
        if found is None:
            found = self.devices[name] = RemoteDevice(name, now)
        return found

    def by_need(self, now: int) -> list[RemoteDevice]:
        """Return the devices: open calls first, the oldest before; then what is wrong or stale; then by table."""

        def need(device: RemoteDevice) -> tuple[int, int, int, str]:
            if device.called_at is not None:
                return 0, device.called_at, 0, device.id
            wrong = bool(device.troubles) or device.stale_since(now) is not None
            return (1 if wrong else 2), device.table or 1000, int(device.is_station), device.id

        return sorted(self.devices.values(), key=need)

    def troubles(self) -> Iterator[str]:
        if not self.broker_up:
            yield self.broker_why or Phrase("The listener is not connected to the broker yet.")
        if self.trouble is not None:
            yield self.trouble
        for device in self.devices.values():
            yield from device.troubles.values()
        at_table = defaultdict(list)
        for device in self.devices.values():
            if not device.is_station and device.table is not None and device.up:
                at_table[device.table].append(device.name)
        for table, names in sorted(at_table.items()):
            if len(names) > 1:
                yield Phrase("{count} clocks report table {table}: {names}.", count=len(names), table=table, names=", ".join(sorted(names)))


LOOPBACK: Final = "127.0.0.1"
PICTURE: Final = "/picture.json"
"""Where the listener serves it, on the loopback."""
PICTURE_VERSION: Final = 1


def picture(hall: Hall, now: int) -> bytes:
    """Return the whole picture at ``now`` (ns); ages and bounds in seconds, devices in the order of need."""
    devices = [_device(device, now) for device in hall.by_need(now)]
    whole = {
        "v": PICTURE_VERSION,
        "hall": hall.name,
        "broker": {"up": hall.broker_up, "why": hall.broker_why},
        "troubles": list(hall.troubles()),
        "devices": devices,
    }
    return json.dumps(whole, separators=(",", ":")).encode()


def _device(device: RemoteDevice, now: int) -> dict[str, Any]:
    stale, address, battery = device.stale_since(now), address_of(device, now), device.battery
    return {
        "id": device.id,
        "kind": device.kind,
        "name": device.name,
        "table": device.table,
        "up": device.up,
        "stale_s": None if stale is None else _age(stale, now),
        "beat_age_s": _age(device.beat_at, now),
        "called_s": _age(device.called_at, now),
        "clock": _clock(device, now),
        "address": None if address is None else asdict(address),
        "busy": None if device.station is None else device.station.busy,
        "epoch": device.epoch,
        "rows": device.held,
        "missing": device.missing,
        "power": device.power,
        "battery": None if battery is None else battery.model_dump(include={"percent", "low"}),
        "worn": device.worn,
        "dropped": device.dropped,
        "refused": device.refused_messages,
        "troubles": list(device.troubles.values()),
    }


def _clock(device: RemoteDevice, now: int) -> dict[str, Any] | None:
    report, exchange, bound = device.clock, device.exchange, device.bound(now)
    if report is None:
        return None
    return {
        "phase": report.phase,
        "reason": report.reason,
        "left": remote_reading(report, exchange, "left", now),
        "right": remote_reading(report, exchange, "right", now),
        "running": report.running,
        "turn": report.turn,
        "bound_s": None if bound is None else bound / NS,
        "names": report.names.model_dump(include={"left", "right"}),
        "rulebook": report.rulebook,
    }


def _age(since: int | None, now: int) -> float | None:
    return None if since is None else round((now - since) / NS, 1)
