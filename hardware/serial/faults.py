"""pyserial's errors for a failing port, and their messages, for all serial devices."""

from __future__ import annotations

import errno
import termios
from typing import Final

FAULTS: Final = (OSError, termios.error, ValueError, OverflowError)
"""pyserial's errors: its own are OSErrors, those of termios are not, and an invalid baud rate is a ValueError."""


def reason(why: Exception, user: str) -> str:
    """Return the system's message without pyserial's wrapping; ``user`` names who may lack permission: ``the station's user``."""
    number = getattr(why, "errno", None)
    if isinstance(why, PermissionError) or number == errno.EACCES:  # pyserial raises it as its own error
        return f"permission denied ({user} must be in the group dialout)"
    if number == errno.EAGAIN:
        return "another program uses it"
    return str(why.args[-1] if why.args else why)
