"""The listener: every message of every device, in the order of arrival, becomes part of the picture and the store; each beat is answered."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable

from pydantic import BaseModel, ValidationError

from appliance.log import get_logger
from hall.listener.missing import KeptValues
from hall.listener.row_keeper import Committed, RowKeeper
from hall.picture.hall import Hall, RemoteDevice
from hall.picture.remote_clock import MAX_EXCHANGES, Exchange
from hall.store.store import Store
from wire.proposals import MissingRows, MissingValues, Root, TimeAnswer
from wire.reports import ClockReport, DeviceBeat, OpenCall, Presence, RowBatch, StationReport
from wire.signed_bytes import EVERY_NS
from wire.topics import Topics


class Answers:
    """The last answers to one device."""

    def __init__(self) -> None:
        self._sent: deque[TimeAnswer] = deque(maxlen=MAX_EXCHANGES)

    def answer(self, beat: DeviceBeat, received: int, now: int) -> TimeAnswer:
        """Return the answer to ``beat``; both instants in ns of the listener."""
        answer = TimeAnswer(boot=beat.boot, t1=beat.sent, t2=received, t3=now)
        self._sent.append(answer)
        return answer

    def exchange(self, beat: DeviceBeat) -> Exchange | None:
        """Return the exchange that ``beat`` completes. An echo counts once, and only of an answer that was sent to this boot."""
        echo = beat.echo
        if echo is None:
            return None
        answer = TimeAnswer(boot=beat.boot, t1=echo.t1, t2=echo.t2, t3=echo.t3)
        if answer not in self._sent:
            return None
        self._sent.remove(answer)
        return Exchange.of(echo)


class Listener:
    """Takes messages and keeps the picture. Used by one thread.

    Args:
        store: where rows and heads go.
        hall: the picture.
        outgoing: publishes a payload on a topic; never blocks.
        now: CLOCK_MONOTONIC in ns.
        on_commit: see ``RowKeeper``.
    """

    def __init__(
        self,
        store: Store,
        hall: Hall,
        outgoing: Callable[[str, bytes], None],
        now: Callable[[], int] = time.monotonic_ns,
        on_commit: Committed | None = None,
    ) -> None:
        self._hall, self._outgoing, self._now = hall, outgoing, now
        self._topics = Topics(hall.name)
        self._rows = RowKeeper(store, hall, on_commit)
        self.on_heard: Callable[[str], None] = lambda _: None
        """Takes the id of each device whose message has been taken in."""
        self._values = KeptValues()
        self._answers: dict[str, Answers] = {}
        self._root_due = now() + EVERY_NS
        self._on: dict[str, Callable[[RemoteDevice, bytes, int], None]] = {
            "up": self._up, "state": self._state, "rows": self._batch, "beat": self._beat, "call": self._call,
        }  # fmt: skip

    def connected(self) -> None:
        """Publish the last root again: a broker that was restarted has forgotten it."""
        root = self._rows.last_root(self._now())
        if root.n:
            self._publish(self._topics.root, Root(n=root.n, root=root.root))

    def take(self, topic: str, payload: bytes, at: int) -> None:
        """Take in a message that arrived at ``at`` (ns). What is not of version 1 is counted and dropped."""
        reported = self._topics.reported(topic)
        if reported is None:
            return
        name, what = reported
        if (handle := self._on.get(what)) is not None:
            device = self._hall.device(name, at)
            self._values.take(device, what, payload)
            try:
                handle(device, payload, at)
            except ValidationError as error:
                _refuse(device, what, error)
            self.on_heard(name)

    def turn(self, now: int) -> int:
        """Write what has come to the disk, ask for what is missing; return when to call this again at the latest (ns)."""
        root = None
        if now >= self._root_due:
            self._root_due = now + EVERY_NS
            root = self._rows.add_root(now)
        if self._rows.commit(now) and root is not None:
            self._publish(self._topics.root, Root(n=root.n, root=root.root))
        for device, epoch, after in self._rows.wanted(now):
            self._publish(self._topics.to_device(device, "want"), MissingRows(epoch=epoch, after=after))
        for device in self._values.wanted(now):
            self._publish(self._topics.to_device(device, "want"), MissingValues())
        return min(due for due in (self._root_due, self._rows.next_due(now), self._values.next_due()) if due is not None)

    def _up(self, device: RemoteDevice, payload: bytes, _at: int) -> None:
        if not payload:
            device.presence = None
            return
        presence = Presence.model_validate_json(payload)
        device.presence = presence
        if presence.up:
            _note_boot(device, presence.boot)

    def _state(self, device: RemoteDevice, payload: bytes, _at: int) -> None:
        if device.is_station:
            device.station = StationReport.model_validate_json(payload) if payload else None
        else:
            device.clock = ClockReport.model_validate_json(payload) if payload else None

    def _batch(self, device: RemoteDevice, payload: bytes, at: int) -> None:
        if not self._rows.take(device, RowBatch.model_validate_json(payload), at):
            _count(device, "rows: expected the rows first to last")

    def _beat(self, device: RemoteDevice, payload: bytes, at: int) -> None:
        beat = DeviceBeat.model_validate_json(payload)
        device.beat, device.beat_at = beat, at
        device.offsets = device.offsets.of_boot(beat.boot)
        answers = self._answers.setdefault(device.id, Answers())
        if (exchange := answers.exchange(beat)) is not None:
            device.offsets = device.offsets.after(exchange)
        self._publish(self._topics.to_device(device.id, "time"), answers.answer(beat, at, self._now()))
        self._rows.heard(device, beat, at)
        self._values.heard(device, beat, at)

    def _call(self, device: RemoteDevice, payload: bytes, at: int) -> None:
        device.call = OpenCall.model_validate_json(payload) if payload else None
        if device.call is None:
            device.called_at = None
        elif device.called_at is None:
            device.called_at = at

    def _publish(self, topic: str, message: BaseModel) -> None:
        self._outgoing(topic, message.model_dump_json().encode())


def _note_boot(device: RemoteDevice, boot: str) -> None:
    # The kernel never gives the id of a boot again: one that comes back after another is a second machine.
    if boot in device.boots[:-1]:
        device.troubles["twins"] = f"Two devices use the id {device.id}: revoke it, and enrol both."
    if device.boots[-1:] != [boot]:
        device.boots = [*(each for each in device.boots if each != boot), boot]


def _refuse(device: RemoteDevice, what: str, error: ValidationError) -> None:
    fault = error.errors(include_url=False, include_input=False)[0]
    where = ".".join(map(str, fault["loc"]))
    _count(device, f"{what}: {where + ': ' if where else ''}{fault['msg'][:1].lower()}{fault['msg'][1:]}")


def _count(device: RemoteDevice, found: str) -> None:
    if not device.refused_messages:
        get_logger().warning("a message was refused", device=device.id, found=found)
    device.refused_messages += 1
    device.troubles["messages"] = (
        f"{device.kind.capitalize()} {device.name}: expected messages of version 1, found {device.refused_messages} that are none ({found})."
    )
