"""What pyserial raises when a port fails, in words: the same for every device on a serial line."""

from __future__ import annotations

import errno
import termios
from typing import Final

from appliance.errors import reason
from appliance.phrase import Phrase, as_phrase

FAULTS: Final = (OSError, termios.error, ValueError, OverflowError)
"""What pyserial raises: its own errors are OSErrors, those of termios are not, and a baud rate that cannot be is a ValueError."""


def describe_fault(fault: Exception, user: str) -> str:
    """Return why a port failed, as it follows "found"; ``user`` is whose permission may be missing: ``the station's user``."""
    number = getattr(fault, "errno", None)
    if isinstance(fault, PermissionError) or number == errno.EACCES:  # which pyserial raises as an error of its own
        return Phrase("permission denied ({user} must be in the group dialout)", user=as_phrase(user))
    if number == errno.EAGAIN:
        return "another program holds it"
    return reason(fault)
