"""The finding on an open pin library, for both programs' ``doctor``."""

from __future__ import annotations

from typing import Final

from appliance.checks.finding import Finding, note, ok
from hardware.pins.contract import PinFactory, Stamps

_STAMPS: Final[dict[Stamps, str]] = {
    "kernel": "the kernel stamps each edge at the edge itself",
    "python": "Python stamps each edge when it is notified: less exact, on a busy machine a press counts late",
}


def check_library(name: str, factory: PinFactory) -> Finding:
    """Return which library drives the pins and how exactly it stamps edges.

    Args:
        name: the setting ``board.pins``.
        factory: the open factory.
    """
    if name == "mock":
        return note("pin library", "mock: simulated pins; no button works")
    found = name if factory.library == name else f"{name}, by {factory.library}"
    return (ok if factory.stamps == "kernel" else note)("pin library", f"{found}; {_STAMPS[factory.stamps]}")
