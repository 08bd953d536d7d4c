"""A listening socket that bounds the connections of each address and of all together: a crowd never locks out an address that has few."""

import os
import socket
from asyncio import sslproto
from contextlib import suppress
from ipaddress import IPv6Address, ip_address
from itertools import count
from typing import Any, Final, Self

ACCEPTED_IN_A_TURN: Final = 32
"""In one turn of the event loop."""
_IPV6_NETWORK_BITS: Final = 64


def shortened(address: str) -> str:
    """Return the address that the limits count: of IPv6 its network, since one machine can have any number of addresses there."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if not isinstance(found, IPv6Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(IPv6Address(int(found) >> _IPV6_NETWORK_BITS << _IPV6_NETWORK_BITS))


class LimitedSocket(socket.socket):
    """It counts before TLS begins, because a silent connection is never a request."""

    of_one: int
    """Open connections from one address. Further ones are closed at once, so one machine cannot take all of the process's descriptors."""
    of_all: int
    """Open connections of all addresses. For one more, the oldest one of the address with the most is closed."""

    def __init__(self, fileno: int) -> None:
        # The kernel names the protocol, without which asyncio does not send at once: each answer would wait 40 ms for an acknowledgement.
        super().__init__(fileno=fileno)
        self._taken: dict[str, list[socket.socket]] = {}
        """By address, the oldest first; closed ones stay until a limit is reached."""
        self._turns = count(1)

    @classmethod
    def bound(cls, host: str, port: int, backlog: int) -> Self:
        """Return one that listens; without ``host`` at all addresses of the machine. Raises OSError."""
        all_families = not host and socket.has_dualstack_ipv6()
        family = socket.AF_INET6 if ":" in host or all_families else socket.AF_INET
        try:
            return cls(socket.create_server((host, port), family=family, backlog=backlog, dualstack_ipv6=all_families).detach())
        except OSError as error:
            # Its own sentence repeats the address.
            raise OSError(error.errno, os.strerror(error.errno or 0)) from error

    def accept(self) -> tuple[socket.socket, Any]:
        """Take the next connection.

        Raises:
            BlockingIOError: enough for this turn of the loop.
            ConnectionAbortedError: its address has too many; asyncio goes on with the next one.
        """
        if next(self._turns) % (ACCEPTED_IN_A_TURN + 1) == 0:
            raise BlockingIOError
        accepted, place = super().accept()
        address = shortened(place[0])
        if len(self._taken.get(address, ())) >= self.of_one or self._count() >= self.of_all:
            still = {each: [one for one in taken if one.fileno() >= 0] for each, taken in self._taken.items()}
            self._taken = {each: taken for each, taken in still.items() if taken}
        if len(self._taken.get(address, ())) >= self.of_one:
            accepted.close()
            raise ConnectionAbortedError
        self._taken.setdefault(address, []).append(accepted)
        if self._count() > self.of_all:
            crowded = max(self._taken, key=lambda each: len(self._taken[each]))
            oldest = self._taken[crowded].pop(0)
            with suppress(OSError):
                oldest.shutdown(socket.SHUT_RDWR)
        return accepted, place

    def _count(self) -> int:
        return sum(map(len, self._taken.values()))


# A buffer of each connection over TLS, which asyncio fills with zeros: at its own 256 KiB a silent crowd takes a gigabyte.
sslproto.SSLProtocol.max_size = 32 * 1024
