"""Finds the gpiochip of the header by its label, never by its number, which differs between kernels."""

from __future__ import annotations

from pathlib import Path
from typing import Final

MODEL: Final = Path("/proc/device-tree/model")
HEADER: Final = ("pinctrl-bcm", "pinctrl-rp1")
"""Label prefixes of the header's chip: the processor up to the Pi 4, the RP1 on a Pi 5."""


def numbers() -> list[int]:
    """Return the N of every ``/dev/gpiochipN``."""
    return sorted(int(node.name.removeprefix("gpiochip")) for node in Path("/dev").glob("gpiochip[0-9]*"))


def matches(label: str, wanted: str | None) -> bool:
    """Return whether ``label`` is the ``wanted`` one or, if that is None, the label of a Pi's header chip."""
    return label == wanted if wanted is not None else label.startswith(HEADER)


def no_match_text(labels: list[str], wanted: str | None) -> str:
    """Return a message that no chip matches, and which exist."""
    expected = wanted if wanted is not None else f"{' or '.join(HEADER)}..."
    return f"no gpiochip is labelled {expected}, only {', '.join(labels) or 'none at all'}"


def is_pi() -> bool:
    """Return whether the kernel's device tree is that of a Raspberry Pi."""
    return MODEL.exists() and MODEL.read_bytes().startswith(b"Raspberry Pi")
