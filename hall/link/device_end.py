"""The link's end at the device's program: it connects, greets, and notes when the program is gone or takes nothing more.

A cursor knows up to where the device's rows have been published (docs/spec/wire.md, "Rows: arrival, gaps, catching up").
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from appliance.version import VERSION as VERSION_OF_PROGRAM
from wire.local.client import DeviceClient, Packet, PacketFault, PeerGone
from wire.topics import VERSION

_S: Final = 1_000_000_000
CONNECT_EVERY_NS: Final = _S
"""How often a device whose program does not run is tried."""
FULL_NS: Final = _S // 10
"""When a full local socket is tried again."""
_NOT_RUNNING: Final = "The device's program does not run."


class DeviceEnd:
    """The local connection to one device, by the id in the link's certificate. Instants in ns of CLOCK_MONOTONIC."""

    def __init__(self, device: str, client: DeviceClient) -> None:
        self._device, self._client = device, client
        self.greeted = False
        """The program has said which device it is, and knows the link."""
        self.why = _NOT_RUNNING
        """Why the program is not greeted."""
        self.due = 0
        """When to try the program again while it is not greeted."""
        self.full_until = 0
        """Until when the socket takes nothing."""

    def fileno(self) -> int:
        """Return the descriptor to wait on; -1: not connected."""
        return self._client.fileno()

    def packets(self, now: int, ready: frozenset[int]) -> Iterator[Packet]:
        """Connect and greet if necessary; yield what the program says after that. On ``PeerGone`` or ``PacketFault`` call ``lost``."""
        if self.fileno() < 0:
            if now < self.due:
                return
            self.due = now + CONNECT_EVERY_NS
            if not self._client.connect():
                return
        elif self.fileno() not in ready and self.greeted:
            return
        for packet in self._client.read():
            if self.greeted:
                yield packet
            else:
                self._greet(packet)
        self.due = now + CONNECT_EVERY_NS

    def _greet(self, packet: Mapping[str, Any]) -> None:
        if packet["t"] != "hello" or packet.get("v") != VERSION:
            raise PeerGone(f"Expected a device of version {VERSION}, found {packet.get('v')!r}: install the same release of both packages.")
        if packet.get("id") != self._device:
            raise PeerGone(f"Expected the device {self._device} of the certificate, found {packet.get('id')!r}: enrol this device.")
        self.greeted = True
        self._client.write({"t": "hello", "v": VERSION, "version": VERSION_OF_PROGRAM})

    def write(self, packet: Mapping[str, Any], now: int) -> bool:
        """Send a packet; False: the socket is full until ``full_until``. Raises ``PeerGone``."""
        done = self._client.write(packet)
        if not done:
            self.full_until = now + FULL_NS
        return done

    def offer(self, packet: Mapping[str, Any]) -> bool:
        """Send a packet; False: the socket has no room for it, or it is too large, and it is lost. Raises ``PeerGone``."""
        try:
            return self._client.write(packet)
        except PacketFault:
            return False

    def lost(self, fault: PeerGone | PacketFault, now: int) -> None:
        """Forget the connection that ended with ``fault``."""
        if isinstance(fault, PacketFault):
            self.why = f"The device's program sends something other than packets: {fault}."
        else:
            # A sentence of ours, or only that it is gone.
            self.why = str(fault) if str(fault).endswith(".") else _NOT_RUNNING
        self.close()
        self.greeted, self.full_until, self.due = False, 0, now + CONNECT_EVERY_NS

    def close(self) -> None:
        self._client.close()


class Cursor:
    """One position in one journal. It begins at the journal's end; the listener asks for what it lacks."""

    def __init__(self) -> None:
        self.epoch: str | None = None
        self.after = 0
        """The last row that has been published."""
        self._known = False
        self._asked: int | None = None

    @property
    def request(self) -> int | None:
        """The row after which rows have to be asked for now; None: a request is outstanding, or the end is not known yet."""
        return self.after if self._known and self._asked != self.after else None

    def asked(self) -> None:
        """Note that the request has been sent."""
        self._asked = self.after

    def stands_at(self, epoch: str | None, seq: int) -> None:
        """Take the end of the journal from a beat. Another epoch, or the first one known, puts the cursor there."""
        if not self._known or epoch != self.epoch:
            self.epoch, self.after, self._known, self._asked = epoch, seq, True, None

    def wanted(self, epoch: Any, after: Any) -> bool:
        """Take a listener's ``want``; return whether it changes anything."""
        if epoch != self.epoch or type(after) is not int or not 0 <= after < self.after:
            return False
        self.after = after
        return True

    def takes(self, batch: Any) -> bool:
        """Take a batch from the device; return whether it is the next one. Otherwise it is of a request before the last ``want``."""
        first, last = batch.get("first"), batch.get("last")
        # The first row makes the epoch.
        fits = batch.get("epoch") == self.epoch or (self.epoch is None and first == 1)
        if not fits or type(first) is not int or type(last) is not int or first != self.after + 1 or last < first:
            return False
        self.epoch, self.after, self._asked = batch["epoch"], last, None
        return True
