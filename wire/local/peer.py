"""One connection with a link: reads at a bounded rate, and holds at most one packet that the socket does not take yet.

Of what a device publishes besides its rows there is for each name only the latest value, so that nothing queues up.
"""

from __future__ import annotations

import re
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Final, TypeAlias

from msgspec import Struct
from pydantic import BaseModel

from appliance.log import get_logger
from wire.local.client import FROM_LINK, TO_LINK, Packet, PacketFault, PeerGone, decode, encode
from wire.reports import MAX_ROWS, JoinRequest, LinkState
from wire.topics import ANSWER, VERSION, is_hall

if TYPE_CHECKING:
    from wire.local.recorded import RecordedDevice

Published: TypeAlias = BaseModel | Callable[[], BaseModel] | None
"""A message, or what makes it when it is sent, in the server's thread; None: nothing stands there any more."""
_MAX_ANSWERS: Final = 32
"""Answers that wait for the link; the oldest goes."""


class _Slot(Struct, frozen=True):
    version: int
    value: Published


class Slots:
    """The latest values. Thread-safe; nothing blocks for longer than another thread's few instructions."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._slots: dict[str, _Slot] = {}
        self._version = 0

    def put(self, name: str, value: Published) -> None:
        with self._lock:
            self._version += 1
            self._slots[name] = _Slot(self._version, value)
            answers = [each for each in self._slots if each.startswith(ANSWER)]
            if len(answers) > _MAX_ANSWERS:
                del self._slots[min(answers, key=lambda each: self._slots[each].version)]

    def renew(self, *names: str) -> None:
        """Publish these again, where there is anything: something that they are made from has changed."""
        for name in names:
            with self._lock:
                slot = self._slots.get(name)
            if slot is not None:
                self.put(name, slot.value)

    def packet_after(self, version: int) -> tuple[int, bytes] | None:
        """Return the oldest value newer than ``version``, with its own version, as a packet; None: there is none. An answer is given once."""
        with self._lock:
            newer = [(slot.version, name) for name, slot in self._slots.items() if slot.version > version]
            if not newer:
                return None
            found, name = min(newer)
            value = self._slots[name].value
            if name.startswith(ANSWER):
                del self._slots[name]
        # Made and encoded outside the lock, since this is the long part.
        message = value() if callable(value) else value
        plain = None if message is None else message.model_dump(mode="json", by_alias=True)
        return found, encode({"t": "set", "name": name, "value": plain}, TO_LINK)


MAX_A_SECOND: Final = 50
"""Packets that are read in a second; what is more stays in the kernel's buffer, and the link waits."""
SILENT_NS: Final = 15_000_000_000
"""A link that has sent no state for so long is down."""
_QR: Final = re.compile(r"[01]{21,57}")
"""A row of a QR code: versions 1 to 10 are more than any transcript needs."""
_DIGITS: Final = re.compile(r"[0-9]{4}-[0-9]{4}")
_S: Final = 1_000_000_000


class Peer:
    """A link that has connected; ``close`` closes the connection. Used by one thread; instants in ns of CLOCK_MONOTONIC.

    ``slots``: what is published besides rows. ``on_link``: takes the link's state.
    """

    def __init__(
        self, connected: socket.socket, device: RecordedDevice, slots: Slots, on_link: Callable[[LinkState], None], now: int
    ) -> None:
        connected.setblocking(False)
        self.socket = connected
        self._device = device
        self._slots = slots
        self._on_link = on_link
        self._greeted = False
        self._seen = 0
        """The version of the last slot that was sent."""
        self._wanted: tuple[int, int] | None = None
        """The one outstanding request for rows."""
        self._beat_asked = False
        self._unsent: bytes | None = encode({"t": "hello", "v": VERSION, **device.hello()}, TO_LINK)
        self._second, self._taken = now, 0
        self._heard = now
        self._up = False
        self._complained: set[str] = set()

    @property
    def wants_write(self) -> bool:
        return self._unsent is not None

    def may_read(self, now: int) -> bool:
        return self._taken < MAX_A_SECOND or now >= self._second + _S

    def due(self, now: int) -> int:
        """Return the next instant with work to do without any packet, in ns."""
        silent = self._heard + SILENT_NS
        return silent if self.may_read(now) else min(silent, self._second + _S)

    def tick(self, now: int) -> None:
        if now >= self._heard + SILENT_NS:
            self._heard = now
            if self._up:
                self._tell(LinkState(up=False, why="The link does not answer."))

    def read(self, now: int) -> None:
        """Handle the packets that have come, as many as this second allows; raises ``PeerGone``, also if the link speaks another version."""
        if now >= self._second + _S:
            self._second, self._taken = now, 0
        with suppress(BlockingIOError):
            while self._taken < MAX_A_SECOND:
                try:
                    data, _, flags, _ = self.socket.recvmsg(FROM_LINK)
                except ConnectionError as error:
                    raise PeerGone("the link has closed the connection") from error
                if not data:
                    raise PeerGone("the link has closed the connection")
                self._taken += 1
                self._handle(data, flags, now)
            self._complain(f"the link sends more than {MAX_A_SECOND} packets a second", "the rest waits in the kernel's buffer")

    def write(self) -> None:
        """Send what there is, until the socket is full; raises ``PeerGone``."""
        while (data := self._unsent or self._next()) is not None:
            self._unsent = data
            try:
                self.socket.send(data)
            except BlockingIOError:
                return
            except OSError as error:
                raise PeerGone("the link has closed the connection") from error
            self._unsent = None

    def close(self) -> None:
        """Close the connection; the hall is out of reach."""
        self.socket.close()
        self._tell(LinkState(up=False))

    def _next(self) -> bytes | None:
        """Return the next packet to send: a beat before values, values before rows."""
        if not self._greeted:
            return None
        if self._beat_asked:
            self._beat_asked = False
            return encode({"t": "beat", **self._device.beat()}, TO_LINK)
        changed = self._slots.packet_after(self._seen)
        if changed is not None:
            self._seen, data = changed
            return data
        if self._wanted is None or (batch := self._device.rows(*self._wanted)) is None:
            return None
        self._wanted = None
        return encode({"t": "rows", **batch.model_dump(mode="json", by_alias=True)}, TO_LINK)

    def _handle(self, data: bytes, flags: int, now: int) -> None:
        try:
            self._take(_decoded(data, flags), now)
        except PacketFault as fault:
            self._complain(
                "the link sends something other than packets of version 1", f"found {fault}; further ones are dropped without a word"
            )

    def _take(self, packet: Packet, now: int) -> None:
        if not self._greeted and packet["t"] != "hello":
            raise PacketFault("no hello first")
        match packet:
            case {"t": "hello"}:
                if packet.get("v") != VERSION:
                    said = f"expected a link of version {VERSION}, found {packet.get('v')!r}: install the same release of both packages"
                    raise PeerGone(said)
                self._greeted = True
            case {"t": "rows", "after": after, "limit": limit} if _is_number(after, 0) and _is_number(limit, 1):
                self._wanted = (after, min(limit, MAX_ROWS))
            case {"t": "beat"}:
                self._beat_asked = True
            case {"t": "in", "topic": str(topic), "payload": str(payload), "retained": bool(retained)}:
                self._device.receive(topic, payload, retained=retained)
            case {"t": "heard"}:
                self._device.heard(packet)
            case {"t": "link", "state": "up" | "down" | "refused" as state, "why": str(why)}:
                self._heard = now
                self._tell(LinkState(state != "down", why, state == "refused"))
            case {"t": "join", "hall": str(hall), "digits": str(digits), "code": list(code)} if _is_join(hall, digits, code):
                self._tell(LinkState(up=False, joins=JoinRequest(hall, digits, tuple(code))))
            case _:
                raise PacketFault(f"none that a device knows, {packet['t'][:20]!r}")

    def _tell(self, state: LinkState) -> None:
        self._up = state.up
        self._on_link(state)

    def _complain(self, what: str, more: str) -> None:
        """Log each kind of fault once a connection: a flood must not fill the log."""
        if what not in self._complained:
            self._complained.add(what)
            get_logger().warning(what, more=more)


def _decoded(data: bytes, flags: int) -> Packet:
    if flags & socket.MSG_TRUNC:
        raise PacketFault(f"more than {FROM_LINK} bytes")
    return decode(data)


def _is_join(hall: str, digits: str, code: list[object]) -> bool:
    is_qr = all(isinstance(row, str) and _QR.fullmatch(row) and len(row) == len(code) for row in code)
    return is_hall(hall) and _DIGITS.fullmatch(digits) is not None and is_qr


def _is_number(value: object, least: int) -> bool:
    # True is an int too.
    return type(value) is int and least <= value < 1 << 63
