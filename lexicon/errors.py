"""The errors of the lexicon: one small tree, each leaf also the builtin that a caller might expect.

An error carries fields, and ``str`` renders them as one English sentence: who shows it elsewhere, or in other words, takes the fields.
"""


class LexiconError(Exception):
    """A word list, a word or an alphabet is not as it must be.

    ``str`` gives ``where: expected ..., found .... Remedy.``; programs print that sentence and exit with 2.

    Args:
        expected: what should have been there, as it follows "expected".
        found: what is there, as it follows "found".
        remedy: what to do, as one or more sentences; the last full stop may be left out.
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
    def problem(self) -> str:
        """What is wrong, without what to do, and without a full stop."""
        said = f"expected {self.expected}, found {self.found}"
        return f"{self.where}: {said}" if self.where else said

    def __str__(self) -> str:
        remedy = self.remedy if not self.remedy or self.remedy.endswith((".", "?")) else f"{self.remedy}."
        return f"{self.problem}. {remedy}".rstrip()

    def locate(self, place: object) -> None:
        """Put ``place`` before ``where``: for who knows the file, before raising the error again."""
        self.where = f"{place}: {self.where}" if self.where else str(place)


class Unreadable(LexiconError, OSError):
    """A file cannot be opened or read: it is missing, a folder, or not permitted."""


class Unwritable(LexiconError, OSError):
    """A file cannot be written: no room, no permission, no folder. Nothing half-written is left."""


class NotALexicon(LexiconError, ValueError):
    """A file is no lexicon of ours, or of a version that this program does not read."""


class Damaged(LexiconError, ValueError):
    """A lexicon file does not hold what its header promises."""


class Closed(LexiconError, ValueError):
    """A lexicon was asked after it was closed."""


class Replaced(LexiconError, RuntimeError):
    """Under the path of an open lexicon there is another file than the one that was opened."""


class Unspellable(LexiconError, ValueError):
    """A text cannot be laid with the tiles of the alphabet."""


class Ambiguous(Unspellable):
    """A text can be laid with the tiles of the alphabet in more than one way."""


class BadAlphabet(LexiconError, ValueError):
    """An alphabet is unknown, or its file holds what an alphabet must not."""


class BadText(LexiconError, ValueError):
    """A text file of words is in no encoding that is read, or holds no words."""


class BadLines(BadText):
    """A text file of words holds lines that are no words; ``lines`` lists them, each with its number, for whoever mends the file."""

    def __init__(self, *, expected: str, found: str, lines: tuple[str, ...], remedy: str = "", where: object = "") -> None:
        super().__init__(expected=expected, found=found, remedy=remedy, where=where)
        self.lines = lines

    def __str__(self) -> str:
        return "\n".join([super().__str__(), *self.lines])


class BadName(LexiconError, ValueError):
    """The name or the edition that a lexicon is to have cannot be shown."""


class BadWordFile(LexiconError, ValueError):
    """A word file of another program is damaged, or could be read in more than one way, or as none."""


class TooLarge(LexiconError, ValueError):
    """A list has more words, states or edges than a format can hold."""


def misfit(what: str) -> Damaged:
    """Return the refusal of a header with the right checksum that no builder of this version writes."""
    return Damaged(expected="a header as a builder writes it", found=f"that {what} do not fit", remedy="Build the file anew")


def reason(error: Exception) -> str:
    """Return why the system refused, as it follows "found": neither number nor path, the first letter small."""
    said = getattr(error, "strerror", None) or str(error)
    # Not of a name such as GPIO5.
    return f"{said[:1].lower()}{said[1:]}" if said[1:2].islower() else said
