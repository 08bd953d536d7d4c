"""Which of the kernel's gpiochips has the header's pins: told by its label, never by its number, which differs from kernel to kernel."""

from __future__ import annotations

from pathlib import Path
from typing import Final

MODEL: Final = Path("/proc/device-tree/model")
HEADER: Final = ("pinctrl-bcm", "pinctrl-rp1")
"""How the label of the chip behind the header begins: the Pi's processor up to the 4, the RP1 on a 5."""


def numbers() -> list[int]:
    """Return the N of every ``/dev/gpiochipN``."""
    return sorted(int(node.name.removeprefix("gpiochip")) for node in Path("/dev").glob("gpiochip[0-9]*"))


def fits(label: str, wanted: str | None) -> bool:
    """Tell whether a chip with ``label`` is the ``wanted`` one, or behind a Pi's header where none is named."""
    return label == wanted if wanted is not None else label.startswith(HEADER)


def none_fits(labels: list[str], wanted: str | None) -> str:
    """Say that no chip fits, and which there are."""
    expected = wanted if wanted is not None else f"{' or '.join(HEADER)}..."
    return f"no gpiochip is labelled {expected}, only {', '.join(labels) or 'none at all'}"


def is_pi() -> bool:
    """Return whether the kernel's device tree is that of a Raspberry Pi."""
    return MODEL.exists() and MODEL.read_bytes().startswith(b"Raspberry Pi")
