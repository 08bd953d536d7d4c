"""Which of the kernel's gpiochips has the header's pins: told by its label, never by its number, which differs from kernel to kernel."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from gpiozero.exc import PinUnknownPi

MODEL: Final = Path("/proc/device-tree/model")
HEADER: Final = ("pinctrl-bcm", "pinctrl-rp1")
"""How the label of the chip behind the header begins: the Pi's processor up to the 4, the RP1 on a 5."""
_PI_4B: Final = 0xC03114
"""Revision code of a Pi 4B: its 40-pin header is that of every Pi since the B+."""


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


def _is_pi() -> bool:
    return MODEL.exists() and MODEL.read_bytes().startswith(b"Raspberry Pi")


class NamedChip:
    """For a gpiozero factory: the header is taken for one with 40 pins where nothing says the Pi's revision, which Debian's kernel has from the firmware alone.

    Likewise for a chip that is named, even where this is no Pi (the kernel's gpio-sim).
    """

    _wanted: str | None = None

    def _get_revision(self) -> int:
        pi: Any = super()
        try:
            return int(pi._get_revision())  # noqa: SLF001 - this is how gpiozero has it overridden
        except PinUnknownPi:
            if self._wanted is not None or _is_pi():
                return _PI_4B
            raise
