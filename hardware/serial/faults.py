"""pyserial's errors for a failing port, and their messages, for all serial devices."""

from __future__ import annotations

import errno
import termios
from typing import Final

from faults.errors import Phrase, as_phrase, reason

FAULTS: Final = (OSError, termios.error, ValueError, OverflowError)
"""pyserial's errors: its own are OSErrors, those of termios are not, and an invalid baud rate is a ValueError."""


def describe_fault(fault: Exception, user: str) -> str:
    """Return why a port failed, as it follows "found"; ``user`` is whose permission may be missing: ``the station's user``."""
    number = getattr(fault, "errno", None)
    if isinstance(fault, PermissionError) or number == errno.EACCES:  # which pyserial raises as an error of its own
        return Phrase("permission denied ({user} must be in the group dialout)", user=as_phrase(user))
    if number == errno.EAGAIN:
        return "another program uses it"
    return reason(fault)
