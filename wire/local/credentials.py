"""Who is on the other end of a local socket, and who a user is."""

from __future__ import annotations

import pwd
import socket
import struct
from typing import Final

_UCRED: Final = struct.Struct("3i")
"""``struct ucred``: pid, uid, gid."""


def peer_uid(connected: socket.socket) -> int:
    """Return the user id of the process that connected, which the kernel vouches for.

    Raises:
        OSError: the socket is closed.
    """
    _pid, uid, _gid = _UCRED.unpack(connected.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _UCRED.size))
    return int(uid)


def uid_of(user: str) -> int | None:
    """Return the id of the user called ``user``; None: this machine has no such user."""
    try:
        return pwd.getpwnam(user).pw_uid
    except KeyError:
        return None
