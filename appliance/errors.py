"""The root of all our errors, and those that any program may raise. An error carries fields; ``str`` renders them in English, ``Texts.render`` in any language.

Each leaf is a builtin error too, so that a caller who knows nothing of this package still catches it by its kind.
"""

from __future__ import annotations

import termios
from dataclasses import dataclass
from typing import Protocol

from appliance.phrase import Phrase, as_phrase, in_a_row


class Explained(Protocol):
    """What is wrong and what to do about it: a ``Diagnosis`` or an error of ours."""

    @property
    def problem(self) -> str:
        """What is wrong, without a full stop."""
        ...

    @property
    def remedy(self) -> str:
        """What to do, as one or more sentences, the last without a full stop; empty where there is nothing to do."""
        ...


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What is wrong and what to do about it, as a value: it can be kept, compared and shown."""

    problem: str
    remedy: str = ""

    @classmethod
    def of(cls, explained: Explained) -> Diagnosis:
        """Return what an error says."""
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
    """Something from outside is not as it must be: the root of all errors that we raise on purpose.

    ``str`` gives ``where: expected ..., found .... Remedy.``; programs print that sentence and exit with 2.

    Args:
        expected: what should have been there, as it follows "expected".
        found: what is there, as it follows "found".
        remedy: what to do, as one or more sentences with their capitals, the last without a full stop.
        where: the file, or the place in it; empty where the reader knows.
    """

    def __init__(self, *, expected: str, found: str, remedy: str = "", where: object = "") -> None:
        # With one argument no builtin among the leaves' bases takes it apart.
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
        """Put ``place`` before ``where``: for who knows the file, before raising the error again."""
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
    """A board file that cannot be read or does not describe a board."""


class PiUnknown(TileclockError, ValueError):
    """A model of Raspberry Pi that this program does not know."""


class PinLibraryMissing(TileclockError, ImportError):
    """The library that drives the pins is not installed, or does not load."""


class PinUnavailable(TileclockError, OSError):
    """The library is there, the pins are not: no Raspberry Pi, no permission, or a pin that something else holds."""


class PrinterError(TileclockError, OSError):
    """The slip printer cannot print now: unplugged, switched off, out of paper, or it takes nothing more."""


class LedError(TileclockError, OSError):
    """A serial LED module cannot be reached now: unplugged, not there yet, held by another program, or it takes nothing."""


class ScreenError(TileclockError, OSError):
    """There is nothing to draw on."""


class PowerOffError(TileclockError, OSError):
    """The wish to switch the machine off cannot be left."""


class NoCrashFolder(TileclockError, OSError):
    """There is no place in memory for a record that outlives a crash."""


class DiskError(TileclockError):
    """A file of record cannot be used as asked.

    Args:
        clause: what is wrong, as a clause that follows the file's name: ``it is a folder``.
        expected: see ``TileclockError``; so are the others.
        remedy: likewise.
        where: likewise.
    """

    def __init__(self, clause: str, *, expected: str, remedy: str, where: object = "") -> None:
        super().__init__(expected=expected, found=Phrase("that {clause}", clause=as_phrase(clause)), remedy=remedy, where=where)
        self.clause = clause


class InUse(DiskError):
    """Another process writes to the file."""


class NoFile(DiskError, FileExistsError):
    """A folder or a device stands at the path."""


class Replaced(DiskError, OSError):
    """The file was deleted while it was open, or another stands in its place."""


class NotOurs(DiskError, OSError):
    """What stands at the path is somebody else's file."""


class MachineError(TileclockError, OSError):
    """The machine's own settings (name, Wi-Fi, keys) cannot be put into force."""


class SettingsError(TileclockError, ValueError):
    """A setting that is not allowed, or a settings file that cannot be used."""


class TextsError(TileclockError, ValueError):
    """A language file that cannot be used."""
