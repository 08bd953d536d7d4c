"""The hall's errors (``appliance.errors`` has the root of them all)."""

from __future__ import annotations

from faults.errors import TileclockError


class HallError(TileclockError, OSError):
    """A part of the hall cannot work, or cannot be reached: broker, listener, desk, admissions, the book of orders."""


class RequestError(TileclockError, ValueError):
    """What is asked for is unknown, out of range, or opens with another password."""


class HallFolderError(TileclockError, ValueError):
    """A hall's folder is missing, incomplete, or in use for another hall."""


class EnrolmentRefused(TileclockError, ValueError):
    """The hall refuses an enrolment or a renewal."""


class ResultsError(TileclockError, ValueError):
    """Results cannot be written in a format, or to a folder."""
