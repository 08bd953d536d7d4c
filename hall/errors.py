"""The hall's errors (``appliance.errors`` has the root of them all)."""

from collections.abc import Iterator
from contextlib import contextmanager

from faults.errors import TileclockError, reason


class HallError(TileclockError, OSError):
    """A part of the hall cannot work, or not be reached; or what is asked of it is unknown, out of range, or not there."""


class EnrolmentRefused(TileclockError, ValueError):
    """The hall refuses an enrolment or a renewal."""


class ResultsError(TileclockError, ValueError):
    """Results cannot be written in a format, or to a folder."""


@contextmanager
def explained(kind: type[TileclockError], expected: str, *, where: object = "", found: str = "", remedy: str = "") -> Iterator[None]:
    """Raise ``kind`` for what the system refuses within the block, and for values that cannot be read, if ``found`` says what was found then.

    Without ``where`` the system's own file name stands there.
    """
    try:
        yield
    except (OSError, ValueError) as error:
        refused = isinstance(error, OSError)
        if isinstance(error, TileclockError) or not (refused or found):
            raise
        place = where or getattr(error, "filename", None) or ""
        raise kind(where=place, expected=expected, found=reason(error) if refused else found, remedy=remedy) from error
