"""What a device's program offers its link, and hears from it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from msgspec import Struct

from wire.reports import RowBatch


class JoinRequest(Struct, frozen=True):
    """This device asks a hall to take it in."""

    hall: str
    digits: str
    """What the director compares, as 1234-5678."""
    code: tuple[str, ...] = ()
    """The QR code to scan in place of that: its rows, of 0 and 1 each; empty: none."""


class LinkState(Struct, frozen=True):
    """Whether the hall is reachable."""

    up: bool
    why: str = ""
    """Why not, as a sentence; empty: no reason is known."""
    refused: bool = False
    """The broker refuses what this device publishes."""
    joins: JoinRequest | None = None
    """In the place of a link, `tilehall enrol` is connected, and waits for the director."""


class LocalDevice(Protocol):
    """A device's program, as the socket's server calls it, always from the server's thread."""

    def hello(self) -> dict[str, object]:
        """Return ``kind``, ``id``, ``key``, ``boot``, ``name`` and ``version``.

        Raises:
            TileclockError: the device does not know who it is: there is no link then, and its state says why.
        """
        ...

    def rows(self, after: int, limit: int) -> RowBatch | None:
        """Return at most ``limit`` committed rows after row ``after``; None: there are none yet."""
        ...

    def new_rows(self) -> None:
        """Take that rows were committed, with or without a link."""
        ...

    def beat(self) -> dict[str, object]:
        """Return the device's part of a beat, with a new nonce."""
        ...

    def receive(self, topic: str, payload: str, *, retained: bool) -> None:
        """Take a message as it came from the broker; ``topic`` is what follows ``cmd/{id}/``."""
        ...

    def heard(self, packet: Mapping[str, object]) -> None:
        """Station: take what a clock published."""
        ...

    def link(self, state: LinkState) -> None:
        """Take a change of the link's state, once a second at most. Without news for 15 s, and without a link, it is down."""
        ...
