"""The errors of the lexicon: one small tree, each leaf also the builtin that a caller might expect."""


class LexiconError(Exception):
    """A word list, a word or an alphabet is not as it must be.

    The message is written for a person: what was expected, what was found, what to do. Programs turn it into that sentence and exit code 2.
    """


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
    """A text file of words is in no encoding that is read, or holds no words, or words that cannot be laid."""


class BadName(LexiconError, ValueError):
    """The name or the edition that a lexicon is to have cannot be shown."""


class BadWordFile(LexiconError, ValueError):
    """A word file of another program is damaged, or could be read in more than one way, or as none."""


class TooLarge(LexiconError, ValueError):
    """A list has more words, states or edges than a format can hold."""


def misfit(what: str) -> Damaged:
    """Return the refusal of a header with the right checksum that no builder of this version writes."""
    return Damaged(f"expected a header as a builder writes it, found that {what} do not fit. Build the file anew.")
