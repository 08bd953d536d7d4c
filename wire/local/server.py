"""The device's end of the local socket: one thread, one link at a time. The device's own loop never waits for it.

The loop replaces values in slots, and wakes the thread, which sends what the socket takes. So a link that hangs, floods or dies costs no memory and no time. Only
the user of the link may connect.
"""

from __future__ import annotations

import os
import pwd
import select
import socket
import struct
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from appliance.log import get_logger
from faults.errors import TileclockError, reason
from wire.local.client import TO_LINK, PeerGone, encode
from wire.local.peer import Peer, Published, Slots
from wire.reports import LinkState

if TYPE_CHECKING:
    from wire.local.recorded import RecordedDevice


class Wakeup:
    """A descriptor that becomes readable at ``wake``. Any thread may wake; one thread polls, clears and closes."""

    def __init__(self) -> None:
        self._descriptor = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        # ``wake`` must not write to a descriptor that another thread has closed, or reused since.
        self._lock = threading.Lock()

    def fileno(self) -> int:
        return self._descriptor

    def wake(self) -> None:
        """Make the descriptor readable. No effect once closed; never blocks."""
        with self._lock:
            if self._descriptor >= 0:
                os.eventfd_write(self._descriptor, 1)

    def clear(self) -> None:
        with suppress(BlockingIOError):
            os.eventfd_read(self._descriptor)

    def close(self) -> None:
        with self._lock:
            os.close(self._descriptor)
            self._descriptor = -1


_UCRED: Final = struct.Struct("3i")
"""``struct ucred``: pid, uid, gid."""


def peer_uid(connected: socket.socket) -> int:
    """Return the user id of the process that connected, which the kernel vouches for; ``OSError``: the socket is closed."""
    _pid, uid, _gid = _UCRED.unpack(connected.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _UCRED.size))
    return int(uid)


def uid_of(user: str) -> int | None:
    """Return the id of the user called ``user``; None: this machine has no such user."""
    try:
        return pwd.getpwnam(user).pw_uid
    except KeyError:
        return None


_S: Final = 1_000_000_000
_MS: Final = 1_000_000
ACCEPT_EVERY_NS: Final = _S
"""A link that connects again and again is taken once a second."""
TELL_EVERY_NS: Final = _S
"""The device hears of the link's state once a second at most: a link that comes and goes must not keep it awake."""
LISTEN_AGAIN_NS: Final = 5 * _S
"""A socket that cannot be made is tried again after this time."""


class DeviceServer:
    """Serves ``device``, from the server's thread only, to the processes of the users ``uids``, until ``close``. Instants in ns of CLOCK_MONOTONIC.

    ``path``: the socket; one that is there already is replaced.
    """

    def __init__(
        self,
        path: Path,
        device: RecordedDevice,
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
            self._try_at = now + LISTEN_AGAIN_NS
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
        self._try_at = now + ACCEPT_EVERY_NS
        try:
            connected, _ = listening.accept()
        except OSError:
            # It has gone again.
            return
        uid = peer_uid(connected)
        if uid in self._uids:
            self._take_peer(connected)
            return
        connected.close()
        expected = " or ".join(map(str, sorted(self._uids)))
        self._report(f"expected a link of the user with the id {expected}, found one of {uid}. See [hall] link_user.")

    def _take_peer(self, connected: socket.socket) -> None:
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
