"""A diagnosis as a value, and the errors that any program may raise. Each also derives from a builtin error, so that callers need not know this package."""

from __future__ import annotations

import shlex
import sys
from typing import Final

from msgspec import Struct

from faults.errors import Phrase, TileclockError, as_phrase, sentences_of


class Diagnosis(Struct, frozen=True):
    problem: str
    remedy: str = ""

    @classmethod
    def of(cls, error: TileclockError) -> Diagnosis:
        return cls(error.problem, error.remedy)

    @property
    def sentences(self) -> Phrase:
        return sentences_of(self.problem, self.remedy)

    def __str__(self) -> str:
        return str(self.sentences)


DEBIANS: Final = "/usr/lib/python3/dist-packages"
"""Where Debian's packages put libraries. The environment of ``make setup`` does not look there."""


def to_install(requirement: str, package: str) -> Phrase:
    """Return how the Python that runs gets a missing library: as Debian's ``package`` where it sees those, else as PyPI's ``requirement``."""
    if DEBIANS in sys.path:
        return Phrase("Install it: sudo apt install {package}", package=package)
    return Phrase("Install it: {command}", command=shlex.join([sys.executable, "-m", "pip", "install", requirement]))


class BoardError(TileclockError, ValueError):
    """A board file is unreadable or does not describe a valid board."""


class PiUnknown(TileclockError, ValueError):
    """The Raspberry Pi model is unknown."""


class PinLibraryMissing(TileclockError, ImportError):
    """The pin library is not installed or fails to load."""


class PinUnavailable(TileclockError, OSError):
    """The library loads but the pins are unavailable: no Raspberry Pi, no permission, or a pin in use."""


class SoundUnavailable(TileclockError, OSError):
    """No sound card opens."""


class PrinterError(TileclockError, OSError):
    """The slip printer cannot print now: unplugged, off, out of paper, or not accepting data."""


class LedError(TileclockError, OSError):
    """A serial LED module is unreachable now: unplugged, not there yet, in use by another program, or not accepting data."""


class ScreenError(TileclockError, OSError):
    """No display is available."""


class PowerOffError(TileclockError, OSError):
    """The power-off request cannot be written."""


class NoCrashFolder(TileclockError, OSError):
    """No folder in memory is usable for the crash record."""


class DiskError(TileclockError):
    """A file of record is unusable for the operation; ``clause`` says what is wrong: ``it is a folder``. For the rest see ``TileclockError``."""

    def __init__(self, clause: str, *, expected: str, remedy: str, where: object = "") -> None:
        super().__init__(expected=expected, found=Phrase("that {clause}", clause=as_phrase(clause)), remedy=remedy, where=where)
        self.clause = clause


class InUse(DiskError):
    """Another process writes to the file."""


class NoFile(DiskError, FileExistsError):
    """A folder or a device stands at the path."""


class Replaced(DiskError, OSError):
    """The open file was deleted or replaced."""


class NotOurs(DiskError, OSError):
    """The file at the path belongs to another program."""


class RecordError(TileclockError, OSError):
    """A file or a database of record cannot be used as requested."""


class NoRecord(RecordError, FileNotFoundError):
    """No file of record exists at that path."""


class DamagedRecord(RecordError, ValueError):
    """The file exists but is not a readable file of record, or has an unreadable row."""


class MachineError(TileclockError, OSError):
    """The machine's own settings (name, Wi-Fi, keys) cannot be applied."""


class SettingsError(TileclockError, ValueError):
    """A setting is invalid, or a settings file is unusable."""


class TextsError(TileclockError, ValueError):
    """A language file is unusable."""
