"""The root of all our errors, and those that any program may raise. An error carries fields; ``str`` renders them in English, ``Texts.render`` in any language.

Each leaf also derives from a builtin error, so that callers can catch it without knowing this package.
"""

from __future__ import annotations

import termios
from dataclasses import dataclass
from typing import Protocol

from appliance.phrase import Phrase, as_phrase, in_a_row


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

    @property
    def sentences(self) -> Phrase:
        """The whole of it, for a reader of any language."""
        sentences = (Phrase("{said}.", said=as_phrase(self.problem)), full_stop(self.remedy))
        return in_a_row(*filter(None, sentences))

    def __str__(self) -> str:
        """Return it in whole sentences, in English."""
        return str(self.sentences)


def problem_of(where: str, expected: str, found: str) -> Phrase:
    """Return the sentence of an error's fields, without a full stop."""
    said = Phrase("expected {expected}, found {found}", expected=as_phrase(expected), found=as_phrase(found))
    return Phrase("{where}: {said}", where=where, said=said) if where else said


class TileclockError(Exception):
    """Root of all errors raised on purpose: input or environment does not match what was expected.

    ``str`` gives ``where: expected ..., found .... Remedy.``; programs print it and exit with code 2.

    Args:
        expected: what should have been there, as it follows "expected".
        found: what is there, as it follows "found".
        remedy: what to do, as one or more sentences with their capitals, the last without a full stop.
        where: the file, or the place in it; empty where the reader knows.
    """

    def __init__(self, *, expected: str, found: str, remedy: str = "", where: object = "") -> None:
        # A single argument, because OSError interprets two or more.
        super().__init__(found)
        self.expected = expected
        self.found = found
        self.remedy = remedy
        self.where = str(where)

    @property
    def problem(self) -> Phrase:
        """What is wrong, without what to do, and without a full stop."""
        return problem_of(self.where, self.expected, self.found)

    @property
    def sentences(self) -> Phrase:
        """The whole of it, for a reader of any language; ``str`` has it in English."""
        return Diagnosis.of(self).sentences

    def __str__(self) -> str:
        return str(self.sentences)

    def locate(self, place: object) -> None:
        """Prepend ``place`` to ``where``; call it where the file is known, then raise again."""
        self.where = f"{place}: {self.where}" if self.where else str(place)


def reason(error: Exception) -> str:
    """Return why the system refused, as it follows "found": neither number nor path, the first letter small."""
    # An error of termios holds a number and a text, as an OSError does, without naming them.
    said = getattr(error, "strerror", None) or str(error.args[-1] if isinstance(error, termios.error) else error)
    # Not of a name such as GPIO5.
    return f"{said[:1].lower()}{said[1:]}" if said[1:2].islower() else said


def full_stop(text: str) -> Phrase:
    """Return ``text`` with a full stop at its end, where it does not end a sentence already."""
    said = as_phrase(text)
    # A question has its own sign in every language.
    return said if not text or text.endswith((".", "?")) else Phrase("{said}.", said=said)


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


class MachineError(TileclockError, OSError):
    """The machine's own settings (name, Wi-Fi, keys) cannot be applied."""


class SettingsError(TileclockError, ValueError):
    """A setting is invalid, or a settings file is unusable."""


class TextsError(TileclockError, ValueError):
    """A language file is unusable."""
