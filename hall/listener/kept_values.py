"""Whether the broker has delivered what each device keeps there: its beats say what that is (docs/spec/wire.md, "Values")."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from hall.listener.missing import MissingFrom
from hall.picture.device import RemoteDevice
from wire.messages.reports import DeviceBeat
from wire.values import KEPT, checksum


class KeptValues:
    """The payloads of all devices as they came, and who has to send them again. Instants in ns."""

    def __init__(self) -> None:
        self._payloads: dict[str, dict[str, bytes]] = defaultdict(dict)
        self._missing = MissingFrom()

    def take(self, device: RemoteDevice, what: str, payload: bytes) -> None:
        """Take a value that came; anything else changes nothing."""
        if what in KEPT:
            self._payloads[device.id][what] = payload
            if device.beat is not None and self._fits(device.id, device.beat):
                self._missing.settle(device.id)

    def heard(self, device: RemoteDevice, beat: DeviceBeat, now: int) -> None:
        """Compare what came with what a beat says."""
        if self._fits(device.id, beat):
            self._missing.settle(device.id)
        else:
            self._missing.note(device.id, now)

    def wanted(self, now: int) -> Iterator[str]:
        """Yield the devices to ask now, and note that they are asked."""
        return self._missing.due(now)

    def next_due(self) -> int | None:
        """Return when the next device is to be asked; None: nothing is missing."""
        return self._missing.next_due()

    def _fits(self, device: str, beat: DeviceBeat) -> bool:
        return beat.values is None or beat.values == checksum(self._payloads[device])
