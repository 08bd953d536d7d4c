"""A lexicon file as verbs need it: verified before anything is read from it, and its hash as ``sha256sum`` gives it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lexicon.cli.output import counted
from lexicon.reader import Lexicon


@contextmanager
def verified(path: Path) -> Iterator[Lexicon]:
    """Open the lexicon at ``path``, all of it read and proved.

    Raises:
        Unreadable, NotALexicon, Damaged: as ``Lexicon.open`` and ``Lexicon.verify``.
    """
    with Lexicon.open(path) as lexicon:
        lexicon.verify()
        yield lexicon


def file_sha256(lexicon: Lexicon) -> str:
    """Return the SHA-256 of the whole file that is open, in hex: of the list that was opened, were there another file in its place by now.

    Raises:
        Unreadable: the file can no longer be read.
    """
    return lexicon.sha256()


def titled(lexicon: Lexicon) -> str:
    """Return what the list is in one line: name, edition, alphabet, count, short hash."""
    header = lexicon.header
    return ", ".join(filter(None, (header.name, header.edition, header.alphabet, counted(header.words, "word"), header.short_hash)))
