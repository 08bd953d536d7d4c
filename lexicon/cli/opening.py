"""A lexicon file as verbs need it: verified before anything is read from it, and its hash as ``sha256sum`` gives it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lexicon.cli.output import counted
from lexicon.errors import Replaced, Unreadable
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
    """Return the SHA-256 of the whole file that is open, in hex.

    Raises:
        Unreadable: the file can no longer be read.
        Replaced: there is another one in its place.
    """
    try:
        with Path(lexicon.path).open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise Unreadable(f"{lexicon.path}: expected to read the file, found: {error.strerror}. Try again.") from error
    if lexicon.replaced:
        raise Replaced(f"{lexicon.path}: expected the file as it was opened, found another in its place. Try again.")
    return digest


def titled(lexicon: Lexicon) -> str:
    """Return what the list is in one line: name, edition, alphabet, count, short hash."""
    header = lexicon.header
    return ", ".join(filter(None, (header.name, header.edition, header.alphabet, counted(header.words, "word"), header.short_hash)))
