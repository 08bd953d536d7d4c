"""Reads word files in two steps: open and recognise, then read words as tiles of a given alphabet.

Two steps, because other modules read our own files and texts, and because a file that names its alphabet can be examined without one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO

from faults.errors import reason
from lexicon.alphabet import Alphabet
from lexicon.errors import BadWordFile, LexiconError, Unreadable
from lexicon.formats import zyzzyva
from lexicon.formats.found import Format, Found
from lexicon.formats.recognise import FINDERS, HEAD, by_beginning, recognise
from lexicon.formats.siblings import MOST_NODES, Siblings
from lexicon.formats.tiles import doubt, table

LARGEST = 7 * MOST_NODES + HEAD
"""The largest binary file, in bytes: the most nodes of the largest size, and a header."""

_CHECKSUMS = ("-Checksums.txt", "-checksums.txt")
"""Suffixes of the file beside a ``.dwg``, of current and older Zyzzyvas."""

_CHECKSUMS_READ = 64
"""In bytes: enough for two lines of at most five digits."""


@dataclass(frozen=True, slots=True)
class WordFile:
    """A word file. ``found`` is None for our own files and texts, which other modules read. ``claimed``: the caller named the format."""

    path: Path
    format: Format
    found: Found | None = None
    claimed: bool = False


@dataclass(frozen=True, slots=True)
class ReadWords:
    """The words read, one byte per tile, without duplicates, in no defined order; ``notes`` are sentences for the user."""

    format: Format
    count: int
    longest: int
    words: Iterable[bytes]
    notes: tuple[str, ...]


def open_word_file(path: Path, claimed: Format | None = None) -> WordFile:
    """Open the word file ``path`` and recognise its format; if ``claimed`` is given, it must be that format.

    Raises:
        Unreadable: the file is missing or unreadable.
        BadWordFile: its format is unknown or ambiguous, or it is damaged, a list of reversed words, or contradicts its checksum file.
    """
    with _named(path):
        data = _contents(path, claimed)
        if isinstance(data, Format):
            return WordFile(path, data, claimed=claimed is not None)
        found = FINDERS[claimed](data) if claimed else recognise(data)
        if found.format is Format.ZYZZYVA:
            found = replace(found, notes=_beside(path, data))
    return WordFile(path, found.format, found, claimed=claimed is not None)


def read(file: WordFile, alphabet: Alphabet) -> ReadWords:
    """Read the words of another program's file in ``alphabet``.

    Raises:
        BadWordFile: its letters are not those of ``alphabet``, or it is ambiguous and no format was named.
        ValueError: the file is our own or a text.
    """
    found = file.found
    if found is None:
        raise ValueError(f"expected a file of another program, found {file.format.value}")
    with _named(file.path):
        words = _TileWords(found.siblings, table(found, alphabet))
        doubts = [*found.doubts, *filter(None, [doubt(found, alphabet)])]
        if doubts and not file.claimed:
            raise BadWordFile(
                expected="an unambiguous file",
                found=f"what could be {doubts[0]} too",
                remedy=f"If it is not, add --from {found.format.value}",
            )
        _require_whole_tiles(words, alphabet)
    named = () if found.letters else (f"The file does not name its alphabet: read as {alphabet.name}.",)
    return ReadWords(found.format, found.siblings.words, found.siblings.longest, words, named + found.notes)


@dataclass(frozen=True, slots=True)
class _TileWords:
    """A file's words in an alphabet's tiles; can be iterated repeatedly."""

    siblings: Siblings
    table: bytes

    def __iter__(self) -> Iterator[bytes]:
        return (word.translate(self.table) for word in self.siblings)


def _require_whole_tiles(words: Iterable[bytes], alphabet: Alphabet) -> None:
    """Reject words that spell a tile that must stay whole: C and H for CH."""
    spelling = alphabet.spelling
    if not spelling.always:
        return
    wrong = next((word for word in words if not spelling.can_spell(word)), None)
    if wrong is not None:
        raise BadWordFile(
            expected=f"every tile of {alphabet.name} whole",
            found=f"one spelled letter by letter: {spelling.text(wrong)}",
            remedy="Use another file of the list",
        )


def _contents(path: Path, claimed: Format | None) -> bytes | Format:
    """Return the whole file, or its format if other modules read it."""
    with _file(path) as file:
        head = file.read(HEAD)
        is_format = claimed or by_beginning(head)
        if is_format and is_format not in FINDERS:
            return is_format
        data = head + file.read(LARGEST + 1 - len(head))
    if len(data) > LARGEST:
        raise BadWordFile(expected=f"at most {LARGEST:,} bytes", found="more", remedy="Give a word file")
    return data


def _beside(path: Path, data: bytes) -> tuple[str, ...]:
    """Check a ``.dwg`` against the checksum file beside it; return notes."""
    if path.stem.lower().endswith("-r"):
        raise zyzzyva.reversed_list()
    for beside in (path.with_name(path.stem + ending) for ending in _CHECKSUMS):
        if beside.exists():
            with _file(beside) as file:
                zyzzyva.check(data, file.read(_CHECKSUMS_READ))
            return ("The checksum beside it matches; it covers a quarter of the file.",)
    return (f"There is no {path.stem}{_CHECKSUMS[0]} beside it: unknown whether it was changed or lists reversed words.",)


@contextmanager
def _file(path: Path) -> Iterator[BinaryIO]:
    """Open a file for reading."""
    try:
        # Opening a pipe without a writer would block.
        if path.exists() and not path.is_file():
            raise Unreadable(where=path, expected="a word file", found="a folder, a device or a pipe", remedy="Give a file")
        with path.open("rb") as file:
            yield file
    except (OSError, ValueError) as error:
        if isinstance(error, LexiconError):
            raise
        raise Unreadable(where=path, expected="a word file", found=reason(error), remedy="Give a readable file") from error


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """Prepend the file's name to errors."""
    try:
        yield
    except BadWordFile as error:
        error.locate(path)
        raise
