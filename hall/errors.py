"""The hall's errors (``appliance.errors`` has the root of them all)."""

from __future__ import annotations

from faults.errors import TileclockError


class BrokerError(TileclockError, OSError):
    """mosquitto is missing, or does not start."""


class HallFolderError(TileclockError, ValueError):
    """A hall's folder is missing, incomplete, or in use for another hall."""


class ListenerError(TileclockError, OSError):
    """No listener answers, or one cannot start."""


class UnknownRecord(TileclockError, ValueError):
    """The hall holds nothing of a journal or log."""


class NoSuchClock(TileclockError, LookupError):
    """No clock of the hall is meant."""


class DeskError(TileclockError, OSError):
    """The desk's pages cannot be served."""


class AdmissionsError(TileclockError, OSError):
    """The enrolment's service cannot serve."""


class HallUnreachable(TileclockError, OSError):
    """The hall cannot be reached, or it is another one than the pinned."""


class EnrolmentRefused(TileclockError, ValueError):
    """The hall refuses an enrolment or a renewal."""


class ResultsError(TileclockError, ValueError):
    """Results cannot be written in a format, or to a folder."""
