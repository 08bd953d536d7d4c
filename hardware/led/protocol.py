"""Pictures as bytes for a serial LED module, in the protocol of SparkFun's Serial7Segment and OpenSegment (their wiki, "Special Commands").

| byte | command | its one argument |
| --- | --- | --- |
| 0x76 | clear, cursor to the left | none |
| 0x77 | points, colon, apostrophe | bits 0 to 3 the points from the left, 4 the colon, 5 the apostrophe |
| 0x79 | cursor | 0 to 3 |
| 0x7A | brightness | 0 to 100 |
| 0x7B to 0x7E | one digit's segments, from the left | bits 0 to 6 are A to G |

The module writes every brightness command to an EEPROM that endures about 100,000 writes: brightness is sent only when a port is opened. After a loss of power a
module has its old brightness and digits of its own (some firmware shows 1234): everything else is sent again every second.
"""

from __future__ import annotations

from typing import Final

from hardware.led.picture import Lit

POINTS_COMMAND: Final = 0x77
CURSOR_COMMAND: Final = 0x79
BRIGHTNESS_COMMAND: Final = 0x7A
DIGIT_COMMANDS: Final = (0x7B, 0x7C, 0x7D, 0x7E)
COLON_BIT: Final = 1 << 4
APOSTROPHE_BIT: Final = 1 << 5
IN_STEP: Final = bytes((CURSOR_COMMAND, 0))
"""Sent before each whole picture: a module still waiting for an argument takes the first byte as that argument, harmlessly, and shows the second as a digit that is
overwritten at once. Without it, the segments of an 8 would be the command that changes the speed."""
BRIGHTEST: Final = 100


def changes(before: Lit, now: Lit) -> bytes:
    """Return the bytes that change a module from one display to the next; empty if equal."""
    sent = bytearray()
    for command, old, new in zip(DIGIT_COMMANDS, before.digits, now.digits, strict=True):
        if old != new:
            sent += bytes((command, new))
    if _marks(before) != _marks(now):
        sent += bytes((POINTS_COMMAND, _marks(now)))
    return bytes(sent)


def whole(lit: Lit) -> bytes:
    """Return the bytes of the whole display, valid whatever state the module is in."""
    digits = (byte for pair in zip(DIGIT_COMMANDS, lit.digits, strict=True) for byte in pair)
    return IN_STEP + bytes((*digits, POINTS_COMMAND, _marks(lit)))


def brightness(percent: int) -> bytes:
    """Return the command for a brightness of 0 (dimmest) to 100.

    Raises:
        ValueError: out of range.
    """
    if not 0 <= percent <= BRIGHTEST:
        raise ValueError(f"expected a brightness of 0 to {BRIGHTEST}, found {percent}")
    return bytes((BRIGHTNESS_COMMAND, percent))


def _marks(lit: Lit) -> int:
    return lit.points | (COLON_BIT if lit.colon else 0) | (APOSTROPHE_BIT if lit.apostrophe else 0)
