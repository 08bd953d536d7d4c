"""The whole hall: all devices, in the order in which somebody has to look at them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from hall.picture.device import RemoteDevice


class Hall:
    """All devices that the listener has heard of."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.devices: dict[str, RemoteDevice] = {}
        self.trouble: str | None = None
        """What keeps the listener from writing; a sentence."""
        self.broker_up = False
        self.broker_why = ""
        """Why the broker is not reachable; a sentence."""

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
        """Yield a sentence for everything that is wrong."""
        if not self.broker_up:
            yield self.broker_why or "The listener is not connected to the broker yet."
        if self.trouble is not None:
            yield self.trouble
        for device in self.devices.values():
            yield from device.troubles.values()
        at_table = defaultdict(list)
        for device in self.devices.values():
            if not device.is_station and device.table is not None and device.presence is not None and device.presence.up:
                at_table[device.table].append(device.name)
        for table, names in sorted(at_table.items()):
            if len(names) > 1:
                yield f"{len(names)} clocks report table {table}: {', '.join(sorted(names))}."
