"""The errors of the lexicon: one small tree; each leaf also derives from a builtin error.

An error carries fields, and ``str`` renders them as English sentences. To show it in another language, use the fields' templates and values.
"""

from __future__ import annotations

from collections.abc import Mapping


class Message(str):
    """English text with values in it, and its parts, for a program that shows it in another language.

    Args:
        template: the English words, with braces for the values. Without values, braces are plain text.
        values: fill the braces. Messages among them are text too; all else is data: names, paths, numbers.
    """

    __slots__ = ("template", "values")
    template: str
    values: Mapping[str, object]

    def __new__(cls, template: str, /, **values: object) -> Message:  # noqa: PYI034 - importing typing takes longer than opening a lexicon
        """Fill in the braces."""
        message = super().__new__(cls, template.format(**values) if values else template)
        message.template, message.values = template, values
        return message

    @classmethod
    def of(cls, text: str) -> Message:
        """Return ``text`` itself if it is a message, otherwise a message of just these words."""
        return text if isinstance(text, Message) else cls(text)


class LexiconError(Exception):
    """Root of the lexicon's errors: a word list, word or alphabet is invalid.

    ``str`` gives ``where: expected ..., found .... Remedy.``; programs print it and exit with code 2.

    Args:
        expected: continues the sentence after "expected"; a ``Message`` if it contains values.
        found: continues the sentence after "found", likewise.
        remedy: what to do: one or more sentences; the last full stop is optional.
        where: the file, or the place in it; empty if the reader knows.
    """

    def __init__(self, *, expected: str, found: str, remedy: str = "", where: object = "") -> None:
        # A single argument, because OSError interprets two or more.
        super().__init__(found)
        self.expected = expected
        self.found = found
        self.remedy = remedy
        self.where = str(where)

    @property
    def problem(self) -> Message:
        """What is wrong, without remedy and full stop."""
        said = Message("expected {expected}, found {found}", expected=Message.of(self.expected), found=Message.of(self.found))
        return Message("{where}: {said}", where=self.where, said=said) if self.where else said

    def __str__(self) -> str:
        remedy = self.remedy if not self.remedy or self.remedy.endswith((".", "?")) else f"{self.remedy}."
        return f"{self.problem}. {remedy}".rstrip()

    def locate(self, place: object) -> None:
        """Prepend ``place`` to ``where``; call it where the file is known, then raise again."""
        self.where = f"{place}: {self.where}" if self.where else str(place)


class Unreadable(LexiconError, OSError):
    """A file cannot be opened or read: missing, a folder, or no permission."""


class Unwritable(LexiconError, OSError):
    """A file cannot be written: no room, no permission, no folder. No partial file is left."""


class NotALexicon(LexiconError, ValueError):
    """A file is not a Tileclock lexicon, or of an unsupported version."""


class Damaged(LexiconError, ValueError):
    """A lexicon file does not match its header."""


class Closed(LexiconError, ValueError):
    """The lexicon is closed."""


class Replaced(LexiconError, RuntimeError):
    """The path of an open lexicon now names another file."""


class Unspellable(LexiconError, ValueError):
    """The alphabet's tiles cannot spell a text."""


class Ambiguous(Unspellable):
    """The alphabet's tiles can spell a text in more than one way."""


class BadAlphabet(LexiconError, ValueError):
    """An alphabet is unknown or its file invalid."""


class BadText(LexiconError, ValueError):
    """A text file of words has an unsupported encoding or no words."""


class BadLines(BadText):
    """A text file of words has invalid lines; ``lines`` lists them with their numbers."""

    def __init__(self, *, expected: str, found: str, lines: tuple[str, ...], remedy: str = "", where: object = "") -> None:
        super().__init__(expected=expected, found=found, remedy=remedy, where=where)
        self.lines = lines

    def __str__(self) -> str:
        return "\n".join([super().__str__(), *self.lines])


class BadName(LexiconError, ValueError):
    """The name or edition of a lexicon is invalid."""


class BadWordFile(LexiconError, ValueError):
    """A word file of another program is damaged, ambiguous or unknown."""


class TooLarge(LexiconError, ValueError):
    """A list exceeds a limit of the format."""


def inconsistent_header(what: str) -> Damaged:
    """Return the error for a header with a valid checksum that no builder of this version writes."""
    return Damaged(
        expected="a header as a builder writes it", found=Message("that {what} do not fit", what=Message(what)), remedy="Rebuild the file"
    )


def reason(error: Exception) -> str:
    """Return the system's reason, to follow "found": without error number and path, first letter in lower case."""
    text = getattr(error, "strerror", None) or str(error)
    # Leave an abbreviation as it is.
    return f"{text[:1].lower()}{text[1:]}" if text[1:2].islower() else text
