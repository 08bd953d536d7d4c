"""Opens verified lexicons for the verbs, and returns a file's hash as ``sha256sum`` prints it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lexicon.cli.output import counted
from lexicon.reader import Lexicon


@contextmanager
def verified(path: Path) -> Iterator[Lexicon]:
    """Open and fully verify the lexicon at ``path``.

    Raises:
        Unreadable, NotALexicon, Damaged: see ``Lexicon.open`` and ``Lexicon.verify``.
    """
    with Lexicon.open(path) as lexicon:
        lexicon.verify()
        yield lexicon


def file_sha256(lexicon: Lexicon) -> str:
    """Return the SHA-256 of the whole open file in hex, even if another file has replaced it since.

    Raises:
        Unreadable: the file can no longer be read.
    """
    return lexicon.sha256()


def titled(lexicon: Lexicon) -> str:
    """Return the list's name, edition, alphabet, count and short hash in one line."""
    header = lexicon.header
    return ", ".join(filter(None, (header.name, header.edition, header.alphabet, counted(header.words, "word"), header.short_hash)))
