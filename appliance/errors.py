"""The root of all our errors, and the errors any program may raise. An error carries fields; ``str`` renders them as English sentences.

Each leaf also derives from a builtin error, so that callers can catch it without knowing this package.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


class Explained(Protocol):
    """A problem and its remedy: a ``Diagnosis``, an error of ours or one of the lexicon's."""

    @property
    def problem(self) -> str:
        """What is wrong, without a full stop."""
        ...

    @property
    def remedy(self) -> str:
        """What to do: one or more sentences, the last without a full stop; empty if there is nothing to do."""
        ...


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """A problem and its remedy as a value."""

    problem: str
    remedy: str = ""

    @classmethod
    def of(cls, explained: Explained) -> Diagnosis:
        """Return the diagnosis of an error."""
        return cls(explained.problem, explained.remedy)

    def __str__(self) -> str:
        """Return it as sentences."""
        return f"{self.problem}. {full_stop(self.remedy)}".rstrip()


class TileclockError(Exception):
    """Root of all errors raised on purpose: input or environment does not match what was expected.

    ``str`` gives ``where: expected ..., found .... Remedy.``; programs print it and exit with code 2.

    Args:
        expected: continues the sentence after "expected".
        found: continues the sentence after "found".
        remedy: what to do: one or more sentences, the last without a full stop.
        where: the file, or the place in it; empty if the reader knows.
    """

    def __init__(self, *, expected: str, found: str, remedy: str = "", where: object = "") -> None:
        # A single argument, because OSError interprets two or more.
        super().__init__(found)
        self.expected = expected
        self.found = found
        self.remedy = f"{remedy[:1].upper()}{remedy[1:]}"
        self.where = str(where)

    @property
    def problem(self) -> str:
        """What is wrong, without remedy and full stop."""
        sentence = f"expected {self.expected}, found {self.found}"
        return f"{self.where}: {sentence}" if self.where else sentence

    def __str__(self) -> str:
        return str(Diagnosis.of(self))

    def locate(self, place: object) -> None:
        """Prepend ``place`` to ``where``; call it where the file is known, then raise again."""
        self.where = f"{place}: {self.where}" if self.where else str(place)


def reason(error: Exception) -> str:
    """Return the system's reason, to follow "found": without error number and path, first letter in lower case."""
    text = getattr(error, "strerror", None) or str(error)
    # Leave a name such as GPIO5 as it is.
    return f"{text[:1].lower()}{text[1:]}" if text[1:2].islower() else text


def full_stop(text: str) -> str:
    """Return ``text`` with a full stop, unless it is empty or ends with one already."""
    return text if not text or text.endswith((".", "?")) else f"{text}."


class BoardError(TileclockError, ValueError):
    """A board file is unreadable or does not describe a valid board."""


class PiUnknown(TileclockError, ValueError):
    """The Raspberry Pi model is unknown."""


class PinLibraryMissing(TileclockError, ImportError):
    """The pin library is not installed or fails to load."""


class PinUnavailable(TileclockError, OSError):
    """The library loads but the pins are unavailable: no Raspberry Pi, no permission, or a pin in use."""


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
    """A file of record is unusable for the operation.

    Args:
        clause: what is wrong, as a clause: ``it is a folder``.
        expected: see ``TileclockError``.
        remedy: see ``TileclockError``.
        where: see ``TileclockError``.
    """

    def __init__(self, clause: str, *, expected: str, remedy: str, where: object = "") -> None:
        super().__init__(expected=expected, found=f"that {clause}", remedy=remedy, where=where)
        self.clause = clause


class InUse(DiskError):
    """Another process writes to the file."""


class NoFile(DiskError, FileExistsError):
    """A folder or a device stands at the path."""


class Replaced(DiskError, OSError):
    """The open file was deleted or replaced."""


class NotOurs(DiskError, OSError):
    """The file at the path belongs to another program."""


class MachineError(TileclockError, OSError):
    """The machine's own settings (name, Wi-Fi, keys) cannot be applied."""


class SettingsError(TileclockError, ValueError):
    """A setting is invalid, or a settings file is unusable."""


class TextsError(TileclockError, ValueError):
    """A language file is unusable."""
