"""What pyserial raises when a port fails, and how that is told: the same for every device on a serial line."""

from __future__ import annotations

import errno
import termios
from typing import Final

FAULTS: Final = (OSError, termios.error, ValueError, OverflowError)
"""What pyserial raises: its own errors are OSErrors, those of termios are not, and a baud rate that cannot be is a ValueError."""


def reason(why: Exception, user: str) -> str:
    """Return the system's own words where pyserial wraps them in its own; ``user`` is whose permission may be missing: ``the station's user``."""
    number = getattr(why, "errno", None)
    if isinstance(why, PermissionError) or number == errno.EACCES:  # which pyserial raises as an error of its own
        return f"permission denied ({user} must be in the group dialout)"
    if number == errno.EAGAIN:
        return "another program holds it"
    return str(why.args[-1] if why.args else why)
