"""The root of all our errors, and those that any program may raise: every message says what was expected, what was found and what to do.

Each leaf is a builtin error too, so that a caller who knows nothing of this package still catches it by its kind.
"""

from __future__ import annotations


class TileclockError(Exception):
    """Something from outside is not as it must be: the root of all errors that we raise on purpose.

    The message is written for the person at the machine. Programs turn it into that sentence and exit code 2, never into a traceback.
    """


class BoardError(TileclockError, ValueError):
    """A board file that cannot be read or does not describe a board."""


class PiUnknown(TileclockError, ValueError):
    """A model of Raspberry Pi whose facts nobody has written down."""


class PinLibraryMissing(TileclockError, ImportError):
    """The library that drives the pins is not installed, or does not load."""


class PinUnavailable(TileclockError, OSError):
    """The library is there, the pins are not: no Raspberry Pi, no permission, or a pin that something else holds."""


class PrinterError(TileclockError, OSError):
    """The slip printer cannot print now: unplugged, switched off, out of paper, or it takes nothing more."""

    __str__ = Exception.__str__


class LedError(TileclockError, OSError):
    """A serial LED module cannot be reached now: unplugged, not there yet, held by another program, or it takes nothing."""

    __str__ = Exception.__str__


class ScreenError(TileclockError, OSError):
    """There is nothing to draw on: the message says what was asked for, what the system answered, and what to do instead."""


class PowerOffError(TileclockError, OSError):
    """The wish to switch the machine off cannot be left."""

    __str__ = Exception.__str__


class NoCrashFolder(TileclockError, OSError):
    """There is no place in memory for a record that outlives a crash."""

    __str__ = Exception.__str__


class DiskError(TileclockError):
    """A file of record cannot be used as asked."""


class InUse(DiskError):
    """Another process writes to the file."""


class Replaced(DiskError, OSError):
    """The file was deleted while it was open, or another stands in its place."""

    # OSError would write an errno that there is none of.
    __str__ = Exception.__str__


class NotOurs(DiskError, OSError):
    """What stands at the path is somebody else's file."""

    __str__ = Exception.__str__


class MachineError(TileclockError, OSError):
    """The machine's own settings (name, Wi-Fi, keys) cannot be put into force."""

    __str__ = Exception.__str__


class SettingsError(TileclockError, ValueError):
    """A setting that cannot be: file, key, value found, what is allowed."""


class TextsError(TileclockError, ValueError):
    """A language file that cannot be used; the message names file, key and what is expected."""
