"""The numerals of the terminal: five rows of blocks. Pure."""

from __future__ import annotations

from typing import Final

ROWS: Final = 5
_DRAWN: Final = {
    "0": ("▄▀▀▀▄", "█   █", "█   █", "█   █", "▀▄▄▄▀"),
    "1": ("  ▄█ ", " ▀ █ ", "   █ ", "   █ ", "  ▄█▄"),
    "2": ("▄▀▀▀▄", "    █", "  ▄▀ ", "▄▀   ", "█▄▄▄▄"),
    "3": ("▄▀▀▀▄", "    █", "  ▀▀▄", "    █", "▀▄▄▄▀"),
    "4": ("▄   █", "█   █", "▀▀▀▀█", "    █", "    █"),
    "5": ("█▀▀▀▀", "█    ", "▀▀▀▀▄", "    █", "▀▄▄▄▀"),
    "6": ("▄▀▀▀▄", "█    ", "█▀▀▀▄", "█   █", "▀▄▄▄▀"),
    "7": ("▀▀▀▀█", "   ▄▀", "  ▄▀ ", "  █  ", "  █  "),
    "8": ("▄▀▀▀▄", "█   █", "▄▀▀▀▄", "█   █", "▀▄▄▄▀"),
    "9": ("▄▀▀▀▄", "█   █", "▀▄▄▄█", "    █", "▀▄▄▄▀"),
    ":": (" ", "▄", " ", "▄", " "),
    "-": ("   ", "   ", "▀▀▀", "   ", "   "),
}


def block_rows(reading: str) -> tuple[str, ...]:
    """Return a reading (``24:59``, ``-0:07``) as rows of blocks, all equally long.

    Raises:
        KeyError: a character that is neither a digit, a colon nor a minus.
    """
    return tuple(" ".join(_DRAWN[character][row] for character in reading) for row in range(ROWS))
