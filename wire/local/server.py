"""The device's end of the local socket: one thread, one link at a time, read at a bounded rate. The device's own loop never waits for it.

The loop replaces values in slots, and wakes the thread, which sends what the socket takes. So a link that hangs, floods or dies costs no memory and no time. Only
the user of the link may connect.
"""

import pwd
import re
import select
import socket
import struct
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final, Protocol, TypeAlias

from msgspec import Struct
from pydantic import BaseModel

from appliance.log import get_logger
from appliance.program import Wakeup
from faults.errors import TileclockError, reason
from wire.local.client import FROM_LINK, TO_LINK, Packet, PacketFault, PeerGone, decode, encode
from wire.reports import MAX_ROWS, JoinRequest, LinkState, RowBatch
from wire.topics import ANSWER, VERSION, is_hall

Published: TypeAlias = BaseModel | Callable[[], BaseModel] | None
"""A message, or what makes it when it is sent, in the server's thread; None: nothing stands there any more."""


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
            # Of the answers that wait for the link the oldest goes.
            if len(answers) > 32:
                del self._slots[min(answers, key=lambda each: self._slots[each].version)]

    def renew(self, *names: str) -> None:
        for name in names:
            with self._lock:
                slot = self._slots.get(name)
            if slot is not None:
                self.put(name, slot.value)

    def packet_after(self, version: int) -> tuple[int, bytes] | None:
        """Return the oldest value newer than ``version``, with its own version, as a packet. An answer is given once."""
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
_S: Final = 1_000_000_000


class LocalDevice(Protocol):
    """A device's program, as ``wire.local.recorded`` has it, called from the server's thread alone. ``hello`` raises ``TileclockError`` without a key."""

    def hello(self) -> dict[str, object]: ...
    def rows(self, after: int, limit: int) -> RowBatch | None: ...
    def new_rows(self) -> None: ...
    def beat(self) -> dict[str, object]: ...
    def receive(self, topic: str, payload: str, *, retained: bool) -> None: ...
    def heard(self, packet: Mapping[str, object]) -> None: ...
    def link(self, state: LinkState) -> None: ...


class Peer:
    """A link that has connected; ``close`` closes the connection. Used by one thread; instants in ns of CLOCK_MONOTONIC.

    ``slots``: what is published besides rows. ``on_link``: takes the link's state.
    """

    def __init__(self, connected: socket.socket, device: LocalDevice, slots: Slots, on_link: Callable[[LinkState], None], now: int) -> None:
        connected.setblocking(False)
        self.socket = connected
        self._device = device
        self._slots = slots
        self._on_link = on_link
        self._greeted = False
        self._seen = 0
        self._wanted: tuple[int, int] | None = None
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
                    # A larger packet is cut by the kernel, and so no JSON.
                    data = self.socket.recv(FROM_LINK)
                except ConnectionError as error:
                    raise PeerGone("the link has closed the connection") from error
                if not data:
                    raise PeerGone("the link has closed the connection")
                self._taken += 1
                self._handle(data, now)
            self._complain(f"the link sends more than {MAX_A_SECOND} packets a second", "the rest waits in the kernel's buffer")

    def write(self) -> None:
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
        self.socket.close()
        self._tell(LinkState(up=False))

    def _next(self) -> bytes | None:
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

    def _handle(self, data: bytes, now: int) -> None:
        try:
            self._take(decode(data), now)
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


def _is_join(hall: str, digits: str, code: list[object]) -> bool:
    # The code's versions 1 to 10 are more than any transcript needs.
    is_qr = all(isinstance(row, str) and re.fullmatch(r"[01]{21,57}", row) and len(row) == len(code) for row in code)
    return is_hall(hall) and re.fullmatch(r"[0-9]{4}-[0-9]{4}", digits) is not None and is_qr


def _is_number(value: object, least: int) -> bool:
    # True is an int too.
    return type(value) is int and least <= value < 1 << 63


_UCRED: Final = struct.Struct("3i")


def peer_uid(connected: socket.socket) -> int:
    """Return the user id of the process that connected, which the kernel vouches for; ``OSError``: the socket is closed."""
    _pid, uid, _gid = _UCRED.unpack(connected.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _UCRED.size))
    return int(uid)


def uid_of(user: str) -> int | None:
    try:
        return pwd.getpwnam(user).pw_uid
    except KeyError:
        return None


_MS: Final = 1_000_000
TELL_EVERY_NS: Final = _S
"""The device hears of the link's state at most once a second, so that it can sleep while a link comes and goes."""


class DeviceServer:
    """Serves ``device``, from the server's thread only, to the processes of the users ``uids``, until ``close``. Instants in ns of CLOCK_MONOTONIC.

    ``path``: the socket; one that is there already is replaced.
    """

    def __init__(
        self,
        path: Path,
        device: LocalDevice,
        uids: frozenset[int] = frozenset(),
        now: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        self._path = path
        self._device = device
        self._uids = uids
        self._now = now
        self._slots = Slots()
        self._wakeup = Wakeup()
        self._closing = False
        self._new_rows = True
        self._listening: socket.socket | None = None
        self._peer: Peer | None = None
        # ``send`` uses the connection from other threads: it must not be closed meanwhile.
        self._peer_lock = threading.Lock()
        self._trouble = ""
        self._link = self._told = LinkState(up=False)
        self._tell_at = 0
        self._try_at = 0
        # A daemon, so that a device that does not answer does not prevent the program's exit.
        self._thread = threading.Thread(target=self._run, name="hall", daemon=True)
        self._thread.start()

    def put(self, name: str, value: Published) -> None:
        """Replace what is published under ``name`` (``up``, ``state``, ``call``, ``ack/...``). Any thread; never blocks."""
        self._slots.put(name, value)
        self._wakeup.wake()

    def renew(self, *names: str) -> None:
        """Publish these again, where there is anything: something that they are made from has changed. Any thread; never blocks."""
        self._slots.renew(*names)
        self._wakeup.wake()

    def send(self, packet: Mapping[str, object]) -> bool:
        """Send a packet now; False: there is no link, or its socket is full. Any thread; never blocks. Raises ``PacketFault`` if it is too large."""
        data = encode(packet, TO_LINK)
        with self._peer_lock:
            if self._peer is None:
                return False
            try:
                self._peer.socket.send(data)
            except OSError:
                # The server's thread finds out itself whether the link is gone.
                return False
            return True

    def committed(self) -> None:
        """Note that there are new rows in the file. Any thread; never blocks."""
        self._new_rows = True
        self._wakeup.wake()

    def close(self) -> None:
        self._closing = True
        self._wakeup.wake()
        self._thread.join(2.0)

    def _run(self) -> None:
        try:
            while not self._closing:
                self._turn()
        finally:
            # Also after an error of the program itself, whose traceback is in the log: the table plays on without the hall.
            self._drop_peer()
            self._device.link(self._link)
            if self._listening is not None:
                self._listening.close()
                self._path.unlink(missing_ok=True)
            self._wakeup.close()

    def _turn(self) -> None:
        now = self._now()
        if self._listening is None and now >= self._try_at:
            self._listen(now)
        ready = self._poll(now)
        now = self._now()
        if self._wakeup.fileno() in ready:
            self._wakeup.clear()
        if self._new_rows:
            self._new_rows = False
            self._device.new_rows()
        if self._listening is not None and self._listening.fileno() in ready:
            self._accept(self._listening, now)
        if self._peer is not None:
            self._serve(self._peer, now, ready=self._peer.socket.fileno() in ready)
        if self._link != self._told and now >= self._tell_at:
            self._told, self._tell_at = self._link, now + TELL_EVERY_NS
            self._device.link(self._link)

    def _poll(self, now: int) -> frozenset[int]:
        poll = select.poll()
        poll.register(self._wakeup.fileno(), select.POLLIN)
        due = self._tell_at if self._link != self._told else None
        if self._peer is not None:
            due = min(self._peer.due(now), self._peer.due(now) if due is None else due)
            events = (select.POLLIN if self._peer.may_read(now) else 0) | (select.POLLOUT if self._peer.wants_write else 0)
            # Without events it would still report that the link has closed, at once and again and again.
            if events:
                poll.register(self._peer.socket, events)
        elif self._listening is not None and now >= self._try_at:
            poll.register(self._listening, select.POLLIN)
        else:
            due = self._try_at if due is None else min(due, self._try_at)
        timeout_ms = None if due is None else max(0, -(-(due - now) // _MS))
        return frozenset(descriptor for descriptor, _ in poll.poll(timeout_ms))

    def _serve(self, peer: Peer, now: int, *, ready: bool) -> None:
        try:
            peer.tick(now)
            if ready and peer.may_read(now):
                peer.read(now)
            peer.write()
        except PeerGone as gone:
            get_logger().info("the link is gone", why=str(gone))
            self._drop_peer()

    def _listen(self, now: int) -> None:
        listening = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET | socket.SOCK_NONBLOCK | socket.SOCK_CLOEXEC)
        try:
            # A killed program leaves its socket behind.
            self._path.unlink(missing_ok=True)
            listening.bind(str(self._path))
            # Who may use it is checked for each connection, by the kernel's word.
            self._path.chmod(0o666)
            listening.listen(1)
        except OSError as error:
            listening.close()
            self._try_at = now + 5 * _S
            self._report(f"{self._path}: the local socket cannot be made: {reason(error)}.")
            return
        self._listening, self._trouble = listening, ""

    def _report(self, trouble: str) -> None:
        if trouble != self._trouble:
            self._trouble = trouble
            get_logger().warning("the link cannot connect", why=trouble)
            self._note(LinkState(up=False, why=trouble))

    def _note(self, state: LinkState) -> None:
        self._link = state

    def _accept(self, listening: socket.socket, now: int) -> None:
        # A link that connects again and again is taken once a second.
        self._try_at = now + _S
        try:
            connected, _ = listening.accept()
        except OSError:
            # It has gone again.
            return
        uid = peer_uid(connected)
        if uid not in self._uids:
            connected.close()
            expected = " or ".join(map(str, sorted(self._uids)))
            self._report(f"expected a link of the user with the id {expected}, found one of {uid}. See [hall] link_user.")
            return
        try:
            peer = Peer(connected, self._device, self._slots, self._note, self._now())
        except TileclockError as error:
            connected.close()
            self._report(str(error))
            return
        self._trouble = ""
        with self._peer_lock:
            self._peer = peer

    def _drop_peer(self) -> None:
        with self._peer_lock:
            peer, self._peer = self._peer, None
        if peer is not None:
            peer.close()
