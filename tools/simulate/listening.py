"""The process of the listener: the real one, which also notes when each press has come to its disk, and how it reads each clock once a second."""

import json
import threading
import time
from array import array
from collections import defaultdict
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from appliance.process import raise_file_limit
from hall.link.connection import LinkPlan, Received
from hall.listener.row_keeper import TakenRows
from hall.listener.service import ListenerService
from hall.picture import RemoteDevice, remote_remaining
from hall.store.store import open_store
from rules.duration import NS
from tools.simulate.plan import SAMPLES_A_SECOND, Schedule
from tools.simulate.worker import UNKNOWN, EndProcess, Samples

_LOOK_S: Final = 0.2
_EXACT_NS: Final = NS // 20
"""Play begins with each clock's time known this well."""
_EXACT_WITHIN_S: Final = 30.0
"""So long is waited for that: the links of all tables connect at once, and their first exchanges of stamps wait for each other."""
_MONO: Final = 5
"""The place of the instant of the edge in a clock's row (``records.journal``)."""


class ListeningPlan(Struct, frozen=True):
    """Where the listener's process leaves what it has seen."""

    link: LinkPlan
    store: Path
    samples: Path
    latencies: Path
    tables: dict[str, int]
    """The number of each device's table."""


class Heard(Struct, frozen=True):
    """From the listener's process: how much has come."""

    rows: int
    """All rows that came to the disk, each time they did."""
    messages: int
    """Messages to and from the listener since the start of play, up to its end."""
    size: int
    """The bytes of their topics and payloads."""


class AwaitTables(Struct, frozen=True):
    """To the listener's process: say ``AllHeard`` once it knows each table's clock, all of its rows, and its time."""


class AllHeard(Struct, frozen=True):
    """Each table is known."""

    bound: int
    """How far off the worst clock's time may be, in ns."""


def listen(plan: ListeningPlan, pipe: Any) -> None:
    """Listen until ``EndProcess`` comes; then say ``Heard``."""
    raise_file_limit()
    store, _ = open_store(plan.store, plan.link.hall)
    with closing(store):
        _Listening(plan, store, pipe).run()


class _CountingService(ListenerService):
    """Counts messages to and from the listener, and the bytes of their topics and payloads."""

    messages = size = 0

    def _receive(self, news: Received) -> None:
        self._count(news.topic, news.payload)
        super()._receive(news)

    def _publish(self, topic: str, payload: bytes) -> None:
        self._count(topic, payload)
        super()._publish(topic, payload)

    def _count(self, topic: str, payload: bytes) -> None:
        self.messages += 1
        self.size += len(topic) + len(payload)


class _Listening:
    def __init__(self, plan: ListeningPlan, store: Any, pipe: Any) -> None:
        self._plan, self._pipe = plan, pipe
        self._rows = 0
        self._latencies = array("q")
        self._samples: Samples | None = None
        self._service = _CountingService(plan.link, store, self._committed)

    def run(self) -> None:
        commands = threading.Thread(target=self._obey, daemon=True)
        commands.start()
        self._service.run()
        if self._samples is not None:
            self._samples.write(self._plan.samples)
        with self._plan.latencies.open("wb") as file:
            self._latencies.tofile(file)
        self._pipe.send(Heard(self._rows, *self._traffic))

    _traffic = (0, 0)

    def _obey(self) -> None:
        while not isinstance(message := self._pipe.recv(), EndProcess):
            if isinstance(message, AwaitTables):
                self._pipe.send(self._all_heard())
            elif isinstance(message, Schedule):
                threading.Thread(target=self._sample, args=(message,), daemon=True).start()
        self._service.stop()

    def _all_heard(self) -> AllHeard:
        """Wait until all tables are known, and a while until their times are known well."""
        while (bound := self._worst_bound()) is None:
            time.sleep(_LOOK_S)
        deadline = time.monotonic() + _EXACT_WITHIN_S
        while bound > _EXACT_NS and time.monotonic() < deadline:
            time.sleep(_LOOK_S)
            bound = self._worst_bound() or bound
        return AllHeard(bound)

    def _worst_bound(self) -> int | None:
        """Return how far off the worst clock's time may be (ns); None: a table is not known yet."""
        now = time.monotonic_ns()
        with self._service.picture() as hall:
            bounds = [_bound(hall.devices.get(device), now) for device in self._plan.tables]
        known = [bound for bound in bounds if bound is not None]
        return max(known) if len(known) == len(bounds) else None

    def _sample(self, schedule: Schedule) -> None:
        _sleep_until(schedule.start)
        messages, size = self._service.messages, self._service.size
        self._samples = samples = Samples(range(len(self._plan.tables)), schedule.seconds)
        groups: dict[int, list[str]] = defaultdict(list)
        for name, number in self._plan.tables.items():
            groups[number % SAMPLES_A_SECOND].append(name)
        for turn in range(schedule.samples):
            second, group = divmod(turn, SAMPLES_A_SECOND)
            at = schedule.sample(turn)
            _sleep_until(at)
            with self._service.picture() as hall:
                self._read([hall.devices[name] for name in groups[group] if name in hall.devices], samples, second, at)
        self._traffic = (self._service.messages - messages, self._service.size - size)

    def _read(self, devices: Sequence[RemoteDevice], samples: Samples, second: int, at: int) -> None:
        for device in devices:
            if device.clock is not None and device.stale_since(at) is None:
                left, right = (remote_remaining(device.clock, device.exchange, side, at) for side in ("left", "right"))
                samples.put(self._plan.tables[device.id], second, UNKNOWN if left is None else left, UNKNOWN if right is None else right)

    def _committed(self, taken: Sequence[TakenRows]) -> None:
        now = time.monotonic_ns()
        for batch in taken:
            self._rows += len(batch.rows)
            for _, fields in batch.rows:
                if fields is not None and _is_press(fields):
                    self._latencies.append(now - fields[_MONO])


def _bound(device: RemoteDevice | None, now: int) -> int | None:
    """Return how far off a device's time may be (ns); None: it has not said all yet."""
    if device is None or device.exchange is None or not 0 < device.seq == device.held:
        return None
    return device.exchange.bound(now)


def _is_press(fields: list[Any]) -> bool:
    return bool(fields[1] == "event" and json.loads(fields[-1])["do"] == "press")


def _sleep_until(at: int) -> None:
    left = at - time.monotonic_ns()
    if left > 0:
        time.sleep(left / NS)
