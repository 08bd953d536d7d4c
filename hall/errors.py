"""The hall's errors (``appliance.errors`` has the root of them all)."""

from __future__ import annotations

from faults.errors import TileclockError


class HallError(TileclockError, OSError):
    """A part of the hall cannot work: the broker, the desk, the admissions, the book of orders."""


class RequestError(TileclockError, ValueError):
    """What is asked for is unknown, out of range, or opens with another password."""


class HallFolderError(TileclockError, ValueError):
    """A hall's folder is missing, incomplete, or in use for another hall."""


class ListenerError(TileclockError, OSError):
    """No listener answers, or one cannot start."""


class HallUnreachable(TileclockError, OSError):
    """The hall cannot be reached, or it is another one than the pinned."""


class EnrolmentRefused(TileclockError, ValueError):
    """The hall refuses an enrolment or a renewal."""


class ResultsError(TileclockError, ValueError):
    """Results cannot be written in a format, or to a folder."""
