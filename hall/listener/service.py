"""The listener as a program: one loop between the broker and the store, and a thread that answers on the loopback.

It answers with the picture, and with metrics for Prometheus (text format 0.0.4).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, NamedTuple

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from appliance.log import get_logger
from hall.link.connection import BrokerConnection, Down, Received, Up
from hall.link.dialling import LinkPlan
from hall.listener.http import METRICS, PICTURE, Page
from hall.listener.listener import Listener
from hall.listener.row_keeper import Committed
from hall.picture.hall import Hall, RemoteDevice, picture
from hall.store.store import Store
from rules.duration import NS
from wire.topics import Topics

_LABELS = ("device", "kind", "table")


def metrics(hall: Hall, now: int) -> bytes:
    """Return all metrics at ``now`` (ns)."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Picture(hall, now))
    return generate_latest(registry)


class _Picture(Collector):
    def __init__(self, hall: Hall, now: int) -> None:
        self._hall, self._now = hall, now

    def collect(self) -> Iterator[Metric]:
        """Yield the metrics of the hall, then those with a sample for each device."""
        hall = self._hall
        yield _gauge("tilehall_broker_up", "Whether the listener is connected to the broker.", hall.broker_up)
        yield _gauge("tilehall_store_writable", "Whether the listener can write rows.", hall.trouble is None)
        yield _gauge("tilehall_troubles", "How many things are wrong.", len(list(hall.troubles())))
        yield _gauge(
            "tilehall_open_calls", "Tables that call the director.", sum(each.called_at is not None for each in hall.devices.values())
        )
        yield from self._of_devices()

    def _of_devices(self) -> Iterator[Metric]:
        stale = GaugeMetricFamily("tilehall_device_stale", "Whether the last beat is older than 15 s.", labels=_LABELS)
        age = GaugeMetricFamily("tilehall_beat_age_seconds", "Age of the last beat.", labels=_LABELS)
        held = GaugeMetricFamily("tilehall_rows_held", "Rows held of the device's present journal.", labels=_LABELS)
        missing = GaugeMetricFamily("tilehall_rows_missing", "Rows that the device has and the listener has not.", labels=_LABELS)
        bound = GaugeMetricFamily("tilehall_clock_error_bound_seconds", "How far off a running remote clock may be.", labels=_LABELS)
        dropped = CounterMetricFamily("tilehall_link_dropped", "Messages that the link has thrown away.", labels=_LABELS)
        refused = CounterMetricFamily("tilehall_refused_messages", "Messages that were none of version 1.", labels=_LABELS)
        rewritten = GaugeMetricFamily("tilehall_rewritten", "Whether the journal contradicts the rows held.", labels=_LABELS)
        for device in self._hall.devices.values():
            labels = (device.id, device.kind, "" if device.table is None else str(device.table))
            stale.add_metric(labels, device.stale_since(self._now) is not None)
            held.add_metric(labels, device.held)
            missing.add_metric(labels, device.seq - device.held)
            refused.add_metric(labels, device.refused_messages)
            rewritten.add_metric(labels, "rows" in device.troubles)
            if device.beat is not None and device.beat_at is not None:
                age.add_metric(labels, (self._now - device.beat_at) / NS)
                dropped.add_metric(labels, device.beat.dropped)
            if (error := _bound(device, self._now)) is not None:
                bound.add_metric(labels, error / NS)
        yield from (stale, age, held, missing, bound, dropped, refused, rewritten)


def _bound(device: RemoteDevice, now: int) -> int | None:
    remote = device.remote_clock()
    return None if remote is None else remote.bound(now)


def _gauge(name: str, meaning: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(name, meaning, value=value)


_LONGEST_NS: Final = NS // 4
_COMMAND_S: Final = 10
"""When a ``want`` or an answer to a beat expires: no device acts on an old one."""


class _Sending(NamedTuple):
    qos: int
    retain: bool = False
    expiry_s: int | None = _COMMAND_S


class Traffic(NamedTuple):
    """Messages to and from the listener, and the bytes of their topics and payloads."""

    messages: int = 0
    size: int = 0

    def after(self, topic: str, payload: bytes) -> Traffic:
        """Return it with one message more."""
        return Traffic(self.messages + 1, self.size + len(topic) + len(payload))


class ListenerService:
    """Runs a listener until ``stop``.

    Args:
        plan: the broker, and the listener's certificate.
        store: the listener's file.
        on_commit: see ``RowKeeper``.
    """

    def __init__(self, plan: LinkPlan, store: Store, on_commit: Committed | None = None) -> None:
        self.hall = Hall(plan.hall)
        self._topics = Topics(plan.hall)
        self._connection = BrokerConnection(plan)
        self._listener = Listener(store, self.hall, self._publish, on_commit=on_commit)
        self._lock = threading.Lock()
        self._stop = False
        self._turn_due = 0
        self._traffic = Traffic()

    def tell(self, heard: Callable[[str], None]) -> None:
        """Have ``heard`` called in the listener's thread with the id of each device whose message has been taken in; before ``run``."""
        self._listener.on_heard = heard

    def pages(self) -> dict[str, Page]:
        """Return the pages for ``serving``."""
        return {
            PICTURE: lambda: ("application/json", self._shown(picture)),
            METRICS: lambda: ("text/plain; version=0.0.4; charset=utf-8", self._shown(metrics)),
        }

    @property
    def traffic(self) -> Traffic:
        """What has come and gone so far; any thread."""
        return self._traffic

    @contextmanager
    def picture(self) -> Iterator[Hall]:
        """Yield the picture; the listener waits meanwhile."""
        with self._lock:
            yield self.hall

    def stop(self) -> None:
        """End ``run``; any thread or signal handler."""
        self._stop = True

    def run(self) -> None:
        """Listen until ``stop``."""
        self._connection.open()
        while not self._stop:
            ready = self._connection.wait(min(self._turn_due, time.monotonic_ns() + _LONGEST_NS))
            with self._lock:
                self._step(ready)
        self._connection.close()

    def _step(self, ready: frozenset[int]) -> None:
        for news in self._connection.step(time.monotonic_ns(), ready):
            if isinstance(news, Received):
                self._traffic = self._traffic.after(news.topic, news.payload)
                # Not before it is taken: an instant before the arrival would make the offset's bound too small.
                self._listener.take(news.topic, news.payload, time.monotonic_ns())
            elif isinstance(news, Up):
                self._connection.subscribe(self._topics.of_device("+", "#"))
                self._listener.connected()
                self._broker(up=True)
            elif isinstance(news, Down):
                self._broker(up=False, why=news.why)
        self._turn_due = self._listener.turn(time.monotonic_ns())

    def _broker(self, *, up: bool, why: str = "") -> None:
        if (up, why) != (self.hall.broker_up, self.hall.broker_why):
            get_logger().info("the broker is reachable" if up else "the broker is not reachable", why=why)
        self.hall.broker_up, self.hall.broker_why = up, why

    def _publish(self, topic: str, payload: bytes) -> None:
        what = topic.rpartition("/")[2]
        sending = _Sending(1, retain=True, expiry_s=None) if topic == self._topics.root else _Sending(0 if what == "time" else 1)
        self._traffic = self._traffic.after(topic, payload)
        self._connection.publish(topic, payload, qos=sending.qos, retain=sending.retain, expiry_s=sending.expiry_s)

    def _shown(self, render: Callable[[Hall, int], bytes]) -> bytes:
        with self._lock:
            return render(self.hall, time.monotonic_ns())
