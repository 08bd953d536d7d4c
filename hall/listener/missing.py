"""Which devices owe rows or values, and when to ask them: never more than once in 5 s each, and not while these are on their way.

What values the broker should have delivered, the beats say (docs/spec/wire.md, "Values").
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from hall.picture.hall import RemoteDevice
from rules.duration import NS
from wire.reports import DeviceBeat
from wire.topics import KEPT, checksum

ASK_EVERY_NS: Final = 5 * NS
PATIENCE_NS: Final = NS
"""A beat may overtake the rows and values that it speaks of: they have this long to arrive, or to go on arriving."""
_NEVER: Final = -ASK_EVERY_NS


class _Owed(Struct):
    due: int
    asked: int = _NEVER


class MissingFrom:
    """The devices that owe something. Instants in ns."""

    def __init__(self) -> None:
        self._owed: dict[str, _Owed] = {}
        self._asked: dict[str, int] = {}

    def note(self, device: str, now: int, *, at_once: bool = False) -> None:
        """Note that something of ``device`` is missing; ``at_once``: it is not just on its way."""
        due = now if at_once else now + PATIENCE_NS
        known = self._owed.get(device)
        if known is None:
            self._owed[device] = _Owed(due, self._asked.get(device, _NEVER))
        elif at_once:
            known.due = min(known.due, due)

    def arriving(self, device: str, now: int) -> None:
        """Note that rows of ``device`` are arriving in order, though not yet all."""
        if (known := self._owed.get(device)) is not None:
            known.due = now + PATIENCE_NS

    def settle(self, device: str) -> None:
        """Note that ``device`` owes nothing."""
        self._owed.pop(device, None)

    def due(self, now: int, most: int | None = None) -> Iterator[str]:
        """Yield at most ``most`` devices to ask now (None: all), those first that have waited longest, and note that they are asked."""
        ready = sorted((self._at(owed), device) for device, owed in self._owed.items() if self._at(owed) <= now)
        for _, device in ready[:most]:
            self._owed[device].asked = self._asked[device] = now
            yield device

    @staticmethod
    def _at(owed: _Owed) -> int:
        return max(owed.due, owed.asked + ASK_EVERY_NS)


class KeptValues:
    """The payloads of all devices as they came, and who has to send them again. Instants in ns."""

    def __init__(self) -> None:
        self._payloads: dict[str, dict[str, bytes]] = defaultdict(dict)
        self._missing = MissingFrom()

    def receive(self, device: RemoteDevice, what: str, payload: bytes) -> None:
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

    def _fits(self, device: str, beat: DeviceBeat) -> bool:
        return beat.values is None or beat.values == checksum(self._payloads[device])
