"""What a device hears from its link."""

from __future__ import annotations

from msgspec import Struct


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
