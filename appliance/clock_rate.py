"""How fast this machine's crystal is, without a hall: what the kernel corrects at the word of a time service (adjtimex(2)).

systemd-timesyncd, chrony and ntpsec measure the crystal against their servers and have the kernel make up for it. CLOCK_MONOTONIC, by which a game counts, is corrected too.
"""

import ctypes
from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from appliance.errors import Finding, note, ok

_UNSYNCHRONISED: Final = 0x0040
_PPM: Final = 1 << 16
"""The kernel's frequency is in 2^-16 ppm."""
_USUAL_TICK_US: Final = 10_000
_TICK_PPM: Final = 100
"""What a change of the tick by 1 us comes to. chrony uses it for a large correction."""
EXACT_PPM: Final = 20
"""What a clock may be off: 1 s in 14 hours."""


class Timex(ctypes.Structure):
    """The kernel's ``struct timex`` as far as it is read, and room for the rest."""

    _fields_ = (
        ("modes", ctypes.c_uint),
        ("offset", ctypes.c_long),
        ("freq", ctypes.c_long),
        ("maxerror", ctypes.c_long),
        ("esterror", ctypes.c_long),
        ("status", ctypes.c_int),
        ("constant", ctypes.c_long),
        ("precision", ctypes.c_long),
        ("tolerance", ctypes.c_long),
        ("time", ctypes.c_long * 2),
        ("tick", ctypes.c_long),
        ("rest", ctypes.c_long * 32),
    )


class Correction(Struct, frozen=True):
    ppm: float
    """How much faster than its crystal the kernel makes this machine's time go."""
    synchronised: bool


def correction() -> Correction | None:
    """Return what the kernel corrects now; None: it does not say."""
    found = Timex()
    if ctypes.CDLL(None, use_errno=True).adjtimex(ctypes.byref(found)) < 0:
        return None
    return correction_of(found)


def correction_of(found: Timex) -> Correction:
    ppm = (found.tick - _USUAL_TICK_US) * _TICK_PPM + found.freq / _PPM
    return Correction(ppm, not found.status & _UNSYNCHRONISED)


def check_rate(found: Correction | None) -> Iterator[Finding]:
    """Yield how fast the crystal is, as the time service has measured it; not synchronised: as it was last known."""
    if found is None or (not found.synchronised and not found.ppm):
        yield note("clock rate", "not measured here: it takes a time server, or a hall, whose desk shows it on the Devices page")
        return
    said = f"the crystal is {abs(found.ppm):.1f} ppm {'slow' if found.ppm > 0 else 'fast'}, and the kernel makes up for it"
    said += "" if found.synchronised else "; as last known, for no time server is in reach"
    yield (ok if abs(found.ppm) <= EXACT_PPM else note)("clock rate", said)
