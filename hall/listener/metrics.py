"""The picture as Prometheus metrics (text format 0.0.4)."""

from __future__ import annotations

from collections.abc import Iterator

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from hall.picture.device import RemoteDevice
from hall.picture.hall import Hall
from rules.duration import NS

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
