"""Durations and readings: from whole nanoseconds to the display.

One function converts the remaining time to displayed seconds. Digits and penalty both use it, so they never disagree ("not in overtime when it reads 0:00 or
-0:00", NASPA 2017 V.G.2).
"""

import re
from decimal import Decimal
from typing import NewType

from faults.errors import TileclockError

GameTime = NewType("GameTime", int)
"""An instant of a game's timeline (ns): it outlives a boot."""
MachineTime = NewType("MachineTime", int)
"""An instant of the machine's CLOCK_MONOTONIC (ns), with which the kernel stamps edges."""
NS = 1_000_000_000

_NANO = Decimal("1e-9")
_LARGEST_EXPONENT = 9
_INSTANT = re.compile(r"([0-9]{1,12})(?:\.([0-9]{1,9}))?").fullmatch


class NotSeconds(TileclockError, ValueError):
    """A text or number is not an exact number of seconds."""


def seconds_shown(remaining_ns: int) -> int:
    """Return the displayed whole seconds for ``remaining_ns``: rounded up, so 25:00 shows until a full second is used."""
    return -(-remaining_ns // NS)


def reading(remaining_ns: int) -> str:
    """Return ``m:ss`` for ``remaining_ns``, with ``-`` below zero: the second after time runs out reads ``-0:00``."""
    minutes, seconds = divmod(abs(seconds_shown(remaining_ns)), 60)
    return f"{'-' if remaining_ns < 0 else ''}{minutes}:{seconds:02d}"


def parse_instant(text: str) -> int:
    """Return the ns of a decimal string of seconds (``"12.000000001"``), read exactly; raises ``NotSeconds`` unless it has at most nine decimals."""
    found = _INSTANT(text)
    if found is None:
        raise NotSeconds(expected="seconds as up to 12 digits with up to 9 decimals", found=repr(text[:40]))
    whole, fraction = found.groups("")
    return int(whole + fraction.ljust(9, "0"))


def parse_seconds(number: int | Decimal) -> int:
    """Return the ns of a number of seconds that may be negative; raises ``NotSeconds`` if it is finer than a nanosecond, or of more than ten digits."""
    exact = Decimal(number)
    if not exact.is_finite() or exact.adjusted() > _LARGEST_EXPONENT:
        raise NotSeconds(expected="seconds below 10000000000", found="a number out of bounds")
    if exact != exact.quantize(_NANO):
        raise NotSeconds(expected="seconds with up to 9 decimals", found=str(number))
    return int(exact.scaleb(9))


def format_seconds(ns: int) -> str:
    """Return ``ns`` as the shortest exact decimal number of seconds: ``-300.5``, ``60``."""
    whole, fraction = divmod(abs(ns), NS)
    digits = f".{fraction:09d}".rstrip("0") if fraction else ""
    return f"{'-' if ns < 0 else ''}{whole}{digits}"
