"""The link itself: takes what the device has to say to the broker, and what the broker brings to the device.

It publishes of each name the latest value. One step never waits. So one process may host hundreds of links (``tilehall simulate``), and each is the same code as
the one beside a clock.

For a station it knows which clock stands at which table, and passes on that of the table that its players have given, for as long as it stands there.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any, Final

from hall.link.connection import Acknowledged, BrokerConnection, Down, LinkPlan, Received, Up
from hall.link.pace import Bucket, Cursor, Stamps
from wire.local.client import DeviceEnd, PacketFault, PeerGone
from wire.topics import ANSWER, KEPT, VERSION, Topics, checksum, is_station

MAX_DEVICES: Final = 2_000
"""More than a hall has (docs/spec/wire.md, "Limits")."""
UNKNOWN: Final = "unknown"
AMBIGUOUS: Final = "ambiguous"


def _table_of(payload: str) -> int | None:
    """Return the table of a clock that is connected; None: anything else."""
    try:
        up = json.loads(payload)
        table = up["table"] if up["up"] is True and up["kind"] == "clock" else None
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return table if type(table) is int else None


class TableInFocus:
    """Follows one table's clock; ``forward`` passes a packet to the station."""

    def __init__(self, topics: Topics, connection: BrokerConnection, forward: Callable[[Mapping[str, Any]], None]) -> None:
        self._topics, self._connection, self._forward = topics, connection, forward
        self._clocks: dict[str, tuple[int, str]] = {}
        """The table of each clock that is connected, and its whole ``up``."""
        self._table: int | None = None
        self._found: str | None = None
        """What the station has heard of its table: a clock, ``UNKNOWN`` or ``AMBIGUOUS``."""
        self._followed: str | None = None

    def connected(self) -> None:
        self._clocks.clear()
        self._found = self._followed = None
        self._connection.subscribe(self._topics.of_device("+", "up"))

    def look_at(self, table: Any) -> None:
        self._table, self._found = (table if type(table) is int else None), None
        self._follow()

    def hear(self, device: str, what: str, text: str, may_pass: Callable[[], bool]) -> bool:
        """Take what a device has reported; False: it is not followed, or ``may_pass`` forbids to pass this on."""
        if what == "up":
            self._take_presence(device, text)
            return True
        if device != self._followed or not may_pass():
            return False
        # The station knows answers by what they answer, not by their topic.
        self._pass_on(device, what.partition("/")[0], text)
        return True

    def _take_presence(self, device: str, text: str) -> None:
        self._clocks.pop(device, None)
        table = _table_of(text)
        if table is not None and len(self._clocks) < MAX_DEVICES:
            self._clocks[device] = table, text
        before = self._followed
        self._follow()
        if device == before == self._followed:
            self._pass_on(device, "up", text)

    def _pass_on(self, device: str | None, what: str, payload: str) -> None:
        self._forward({"t": "heard", "device": device, "what": what, "payload": payload})

    def _follow(self) -> None:
        """Follow the clock of the table in focus; tell the station where there is none."""
        found = None if self._table is None else self._clock_at(self._table)
        if found == self._found:
            return
        if self._followed is not None:
            self._connection.unsubscribe(*self._topics_of(self._followed))
        self._found = found
        self._followed = None if found in (None, UNKNOWN, AMBIGUOUS) else found
        if self._followed is not None:
            self._pass_on(self._followed, "up", self._clocks[self._followed][1])
            self._connection.subscribe(*self._topics_of(self._followed))
        elif found is not None:
            self._pass_on(None, found, "")

    def _clock_at(self, table: int) -> str:
        found = [device for device, (at, _) in self._clocks.items() if at == table]
        return found[0] if len(found) == 1 else AMBIGUOUS if found else UNKNOWN

    def _topics_of(self, clock: str) -> tuple[str, ...]:
        # What it hears of that clock beside ``up``.
        return tuple(self._topics.of_device(clock, what) for what in ("state", "beat", "ack/+"))


def encoded(value: Any) -> bytes:
    versioned = {"v": VERSION, **value} if isinstance(value, dict) else value
    return json.dumps(versioned, separators=(",", ":"), ensure_ascii=False).encode(errors="replace")


def decoded(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


class Outbox:
    def __init__(self, connection: BrokerConnection, topic_of: Callable[[str], str]) -> None:
        self._connection, self._topic_of = connection, topic_of
        self._kept: dict[str, bytes] = {}
        self._waiting: dict[str, bytes] = {}
        self._in_flight: dict[int, str] = {}
        self.refused: set[str] = set()
        """The names whose last publication the broker has refused."""

    @property
    def checksum(self) -> int:
        """What the broker keeps once all is published, as a beat says it."""
        return checksum(self._kept)

    def put(self, name: str, payload: bytes) -> None:
        """Publish a value with the next ``publish``. What waits of the same name is replaced; what no name allows is dropped."""
        if name in KEPT:
            self._kept[name] = payload
        elif not name.startswith(ANSWER):
            return
        self._waiting[name] = payload

    def connected(self) -> None:
        """Begin with a new connection: the broker may have forgotten everything."""
        self.refused.clear()
        self._in_flight.clear()
        self.repeat()

    def repeat(self) -> None:
        # An empty call ends one that was left at the broker.
        self._waiting = {"call": b"", **self._kept, **self._waiting}

    def publish(self) -> None:
        """Publish the values that have changed. One of a name is on its way at a time: what changes meanwhile replaces what waits."""
        if not self._connection.is_up:
            return
        for name in [name for name in self._waiting if name not in self.in_flight]:
            expiry = 60 if name.startswith(ANSWER) else None
            if not self.send(name, self._topic_of(name), self._waiting[name], retain=name in KEPT, expiry_s=expiry):
                return
            del self._waiting[name]

    def send(self, name: str, topic: str, payload: bytes, *, retain: bool = False, expiry_s: int | None = None) -> bool:
        """Publish at once, and wait for the broker's answer under ``name``; False: there is no connection, and it is lost."""
        mid = self._connection.publish(topic, payload, retain=retain, expiry_s=expiry_s)
        if mid is not None:
            self._in_flight[mid] = name
        return mid is not None

    def acknowledged(self, mid: int, *, refused: bool) -> None:
        name = self._in_flight.pop(mid, None)
        if name is not None:
            (self.refused.add if refused else self.refused.discard)(name)

    @property
    def in_flight(self) -> list[str]:
        return list(self._in_flight.values())


_S: Final = 1_000_000_000
TELL_EVERY_NS: Final = 5 * _S
MAX_A_SECOND: Final = 20
"""Messages to the device, and batches of rows from it, in a second."""


class Relay:
    """The state of one link between the broker of ``plan`` and the local socket ``device``."""

    def __init__(self, plan: LinkPlan, device: DeviceEnd, connection: BrokerConnection) -> None:
        self._plan = plan
        self._topics = Topics(plan.hall)
        self._device, self._connection = device, connection
        self.dropped = 0
        self._begin()

    def _begin(self) -> None:
        hall = self._plan.hall
        self._no_broker = (
            "The broker has not answered yet." if self._plan.host else f"No broker of hall {hall} has been found in this network yet."
        )
        """Why there is no connection to the broker; empty: there is one."""
        self._outbox = Outbox(self._connection, self._topic)
        self._cursor = Cursor()
        self._beat_asked = False
        self._stamps = Stamps()
        self._rows = Bucket(MAX_A_SECOND)
        self._incoming = Bucket(MAX_A_SECOND)
        self._table = TableInFocus(self._topics, self._connection, self._forward) if is_station(self._plan.device) else None
        self._told: tuple[str, str] | None = None
        self._tell_due = 0

    @property
    def why(self) -> str:
        return self._no_broker if self._device.greeted else self._device.why

    def descriptors(self) -> dict[int, bool]:
        return {self._device.fileno(): False, self._connection.fileno(): self._connection.wants_write}

    def step(self, now: int, ready: frozenset[int]) -> int:
        """Do all that can be done at ``now`` (ns of CLOCK_MONOTONIC); return when to do the next step at the latest. ``ready``: those of ``descriptors`` that are."""
        try:
            for packet in self._device.packets(now, ready):
                self._from_device(packet, now)
            for news in self._connection.step(now, ready):
                self._handle(news, now)
            if self._device.greeted:
                self._outbox.publish()
                self._ask(now)
                self._tell(now)
        except (PeerGone, PacketFault) as fault:
            self._device.lost(fault, now)
            self._connection.close()
            self._begin()
        return self._due(now)

    def close(self) -> None:
        self._connection.close()
        self._device.close()

    def _due(self, now: int) -> int:
        due = self._connection.due(now)
        if not self._device.greeted:
            return min(due, self._device.due)
        due = min(due, self._tell_due)
        if self._connection.is_up and not self._beat_asked:
            due = min(due, self._stamps.due)
        if self._may_ask_rows:
            due = min(due, self._rows.free_at(now))
        # Whatever is due waits while the device's socket is full.
        return max(due, self._device.full_until) if due <= now else due

    # The device.

    def _from_device(self, packet: Mapping[str, Any], now: int) -> None:
        match packet["t"]:
            case "set":
                self._set(str(packet.get("name")), packet.get("value"))
            case "beat":
                self._take_beat(packet, now)
            case "rows":
                self._take_rows(packet)
            case "focus" if self._table is not None:
                self._table.look_at(packet.get("table"))
            case "send" if self._table is not None:
                self._send(packet)
            case _:
                # A later release may say more.
                pass

    def _set(self, name: str, value: Any) -> None:
        self._outbox.put(name, b"" if value is None else encoded(value))
        if name == "up" and value is not None:
            self._connection.open(self._topic("up"), encoded(value | {"up": False}))

    def _take_beat(self, packet: Mapping[str, Any], now: int) -> None:
        self._beat_asked = False
        self._cursor.stands_at(packet.get("epoch"), packet["seq"])
        beat = {key: value for key, value in packet.items() if key != "t"}
        beat |= {"lag": max(0, packet["seq"] - self._cursor.after), "dropped": self.dropped, "sent": now, "echo": self._stamps.echo}
        beat["values"] = self._outbox.checksum
        if self._connection.publish(self._topic("beat"), encoded(beat), qos=0) is not None:
            self._stamps.sent(now)

    def _take_rows(self, packet: Mapping[str, Any]) -> None:
        if self._cursor.takes(packet):
            batch = {key: value for key, value in packet.items() if key != "t"}
            # Without a connection the batch is lost, and the listener asks for it.
            self._outbox.send("rows", self._topic("rows"), encoded(batch))

    def _send(self, packet: Mapping[str, Any]) -> None:
        device, payload = packet.get("device"), packet.get("payload")
        if isinstance(device, str) and isinstance(payload, str):
            topic = self._topics.to_device(device, f"verdict/{self._plan.device}")
            self._outbox.send("verdict", topic, payload.encode(), expiry_s=10)

    # The broker.

    def _handle(self, news: Up | Down | Received | Acknowledged, now: int) -> None:
        match news:
            case Up():
                self._connected(now)
            case Down(why):
                self._no_broker = why
            case Acknowledged(mid, refused):
                self._outbox.acknowledged(mid, refused=refused)
            case Received(topic, payload, retained):
                self._receive(topic, payload, now, retained=retained)

    def _connected(self, now: int) -> None:
        self._no_broker = ""
        self._outbox.connected()
        self._stamps.connected(now)
        self._connection.subscribe(self._topics.to_device(self._plan.device, "#"))
        if self._table is not None:
            self._table.connected()

    def _receive(self, topic: str, payload: bytes, now: int, *, retained: bool) -> None:
        try:
            text = payload.decode()
        except UnicodeDecodeError:
            self.dropped += 1
            return
        if (addressed := self._topics.addressed(topic)) is not None:
            self._take_command(addressed[1], text, now, retained=retained)
        elif (reported := self._topics.reported(topic)) is not None and self._table is not None:
            self.dropped += not self._table.hear(*reported, text, lambda: self._incoming.allows(now))

    def _take_command(self, what: str, text: str, now: int, *, retained: bool) -> None:
        if not self._incoming.allows(now):
            self.dropped += 1
        elif what == "want" and isinstance(want := decoded(text), dict):
            if want.get("values") is True:
                self._outbox.repeat()
            self._cursor.wanted(want.get("epoch"), want.get("after"))
        elif what == "time":
            self._stamps.answered(decoded(text), now)
        elif what != "want":
            self._forward({"t": "in", "topic": what, "payload": text, "retained": retained})

    # Towards both.

    @property
    def _may_ask_rows(self) -> bool:
        # Four batches that the broker has not acknowledged are at most 240 kB of memory.
        return self._connection.is_up and self._cursor.request is not None and self._outbox.in_flight.count("rows") < 4

    def _ask(self, now: int) -> None:
        if now < self._device.full_until or not self._connection.is_up:
            return
        if not self._beat_asked and now >= self._stamps.due and self._device.send({"t": "beat"}, now):
            self._beat_asked = True
            self._stamps.asked(now)
        if (
            self._may_ask_rows
            and self._rows.allows(now)
            and self._device.send({"t": "rows", "after": self._cursor.request, "limit": 100}, now)
        ):
            self._cursor.asked()

    def _tell(self, now: int) -> None:
        state = "down" if not self._connection.is_up else "refused" if self._outbox.refused else "up"
        told = (state, self._why_not)
        if now < self._device.full_until or (told == self._told and now < self._tell_due):
            return
        if self._device.send({"t": "link", "state": told[0], "why": told[1]}, now):
            self._told, self._tell_due = told, now + TELL_EVERY_NS

    @property
    def _why_not(self) -> str:
        if self._connection.is_up and self._outbox.refused:
            return f"The broker does not let this device publish {', '.join(sorted(self._outbox.refused))}: enrol it again."
        return self._no_broker

    def _forward(self, packet: Mapping[str, Any]) -> None:
        self.dropped += not self._device.offer(packet)

    def _topic(self, what: str) -> str:
        return self._topics.of_device(self._plan.device, what)
