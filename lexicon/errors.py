"""The errors of the lexicon, one small tree, each leaf also derived from a builtin error; and the limits that header, builders, converters and spellings share."""

from faults.errors import Phrase, TileclockError, as_phrase

TILES_IN_ALPHABET = 63
"""Tile numbers have 6 bits, and 0 means none."""

TILES_IN_WORD = 255
"""The format's own limit; a list that is built has none longer than a row of the board."""

TILES_ON_BOARD = 15
"""The tiles of a row: no play makes a longer word, and no station types one."""

WORDS_IN_LEXICON = 1 << 24
"""Several times the longest list of any game, and few enough to verify all."""

TILES_TO_READ = 1 << 28
"""The most tiles of all words together: bounds the time to verify hostile files."""


class LexiconError(TileclockError):
    """Root of the lexicon's errors: a word list, word or alphabet is invalid."""


class Unreadable(LexiconError, OSError):
    """A file cannot be opened or read: missing, a folder, or no permission."""


class Unwritable(LexiconError, OSError):
    """A file cannot be written: no room, no permission, no folder. No partial file is left."""


class NotALexicon(LexiconError, ValueError):
    """A file is not a Tileclock lexicon, or of an unsupported version."""


class Damaged(LexiconError, ValueError):
    """A lexicon file does not match its header."""


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
        expected="a header as a builder writes it", found=Phrase("that {what} do not fit", what=as_phrase(what)), remedy="Rebuild the file"
    )
