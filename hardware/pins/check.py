"""What ``doctor`` says of an open pin library, the same in both programs."""

from __future__ import annotations

from typing import Final

from appliance.checks.finding import Finding, note, ok
from hardware.pins.contract import PinFactory, Stamps

_STAMPS: Final[dict[Stamps, str]] = {
    "kernel": "each edge is stamped by the kernel, at the edge itself",
    "python": "each edge is stamped in Python when it hears of it: weaker, a press counts late by as much as the machine is busy",
}


def check_library(name: str, factory: PinFactory) -> Finding:
    """Return which library drives the pins, and how well it stamps edges.

    Args:
        name: as ``board.pins`` has it.
        factory: what it has opened.
    """
    if name == "mock":
        return note("pin library", "mock: pins that are only pretended; no button works")
    found = name if factory.library == name else f"{name}, by {factory.library}"
    return (ok if factory.stamps == "kernel" else note)("pin library", f"{found}; {_STAMPS[factory.stamps]}")
