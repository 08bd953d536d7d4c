"""The door for word files: opened and recognised first, then, once somebody knows the alphabet, read as words in tiles.

In two steps because our own files and texts are read by others, and because a file that names its alphabet can be looked at without one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO

from lexicon.alphabet import Alphabet
from lexicon.errors import BadWordFile, LexiconError, Unreadable, reason
from lexicon.formats import zyzzyva
from lexicon.formats.found import Format, Found
from lexicon.formats.recognise import FINDERS, HEAD, by_beginning, recognise
from lexicon.formats.siblings import MOST_NODES, Siblings
from lexicon.formats.tiles import doubt, table

LARGEST = 7 * MOST_NODES + HEAD
"""Bytes that are read of a file that is no text: the most nodes, at the most bytes a node, and a header."""

_CHECKSUMS = ("-Checksums.txt", "-checksums.txt")
"""What Zyzzyva, and what older ones, call the file beside a ``.dwg``."""

_CHECKSUMS_READ = 64
"""Bytes: two lines of at most five digits, whatever follows."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A file of words. ``found`` is None for our own files and texts, which are read elsewhere. ``said``: somebody said of which format it is."""

    path: Path
    format: Format
    found: Found | None = None
    said: bool = False


@dataclass(frozen=True, slots=True)
class Words:
    """What was read: the words, a byte a tile, each once, in no promised order; ``notes`` are sentences for whoever relies on them."""

    format: Format
    count: int
    longest: int
    words: Iterable[bytes]
    notes: tuple[str, ...]


def opened(path: Path, said: Format | None = None) -> Opened:
    """Open the word file ``path`` and find out what it is; ``said`` is what somebody says it is, and then it must be that.

    Raises:
        Unreadable: there is no such file, or it may not be read.
        BadWordFile: it is of no format that is read, or damaged, or of more than one, or a list of reversed words, or not what its checksum file says.
    """
    with _named(path):
        data = _contents(path, said)
        if isinstance(data, Format):
            return Opened(path, data, said=said is not None)
        found = FINDERS[said](data) if said else recognise(data)
        if found.format is Format.ZYZZYVA:
            found = replace(found, notes=_beside(path, data))
    return Opened(path, found.format, found, said=said is not None)


def read(file: Opened, alphabet: Alphabet) -> Words:
    """Read the words of a file of another program in ``alphabet``.

    Raises:
        BadWordFile: its letters are not those of ``alphabet``, or it could be something else as well and nobody said what it is.
        ValueError: the file is our own or a text.
    """
    found = file.found
    if found is None:
        raise ValueError(f"expected a file of another program, found {file.format.value}")
    with _named(file.path):
        words = _Laid(found.siblings, table(found, alphabet))
        doubts = [*found.doubts, *filter(None, [doubt(found, alphabet)])]
        if doubts and not file.said:
            raise BadWordFile(
                expected="a file that can be nothing else",
                found=f"what could be {doubts[0]} too",
                remedy=f"If it is not, say --from {found.format.value}",
            )
        _must_lie(words, alphabet)
    named = () if found.letters else (f"The file does not name its alphabet: read as {alphabet.name}.",)
    return Words(found.format, found.siblings.words, found.siblings.longest, words, named + found.notes)


@dataclass(frozen=True, slots=True)
class _Laid:
    """Words of a file in an alphabet's tiles; can be gone through again and again."""

    siblings: Siblings
    table: bytes

    def __iter__(self) -> Iterator[bytes]:
        return (word.translate(self.table) for word in self.siblings)


def _must_lie(words: Iterable[bytes], alphabet: Alphabet) -> None:
    """Refuse words made by somebody who spelled where a tile must be laid: C and H in a row for CH."""
    spelling = alphabet.spelling
    if not spelling.always:
        return
    wrong = next((word for word in words if not spelling.can_lay(word)), None)
    if wrong is not None:
        raise BadWordFile(
            expected=f"every tile of {alphabet.name} whole",
            found=f"one laid letter by letter: {spelling.text(wrong)}",
            remedy="Take the list from another file",
        )


def _contents(path: Path, said: Format | None) -> bytes | Format:
    """The whole file, or what it is if it is read elsewhere."""
    with _file(path) as file:
        head = file.read(HEAD)
        is_format = said or by_beginning(head)
        if is_format and is_format not in FINDERS:
            return is_format
        data = head + file.read(LARGEST + 1 - len(head))
    if len(data) > LARGEST:
        raise BadWordFile(expected=f"at most {LARGEST:,} bytes", found="more", remedy="Give a word file")
    return data


def _beside(path: Path, data: bytes) -> tuple[str, ...]:
    """Hold a ``.dwg`` against the checksum file beside it; what is to be said about it."""
    if path.stem.lower().endswith("-r"):
        raise zyzzyva.reversed_list()
    for beside in (path.with_name(path.stem + ending) for ending in _CHECKSUMS):
        if beside.exists():
            with _file(beside) as file:
                zyzzyva.check(data, file.read(_CHECKSUMS_READ))
            return ("The checksum beside it fits; it covers a quarter of the file.",)
    return (f"There is no {path.stem}{_CHECKSUMS[0]} beside it: nothing tells whether it was changed, or lists reversed words.",)


@contextmanager
def _file(path: Path) -> Iterator[BinaryIO]:
    """The file, to be read."""
    try:
        # A pipe that nobody writes to would be waited for at its opening.
        if path.exists() and not path.is_file():
            raise Unreadable(where=path, expected="a word file", found="a folder, a device or a pipe", remedy="Give a file")
        with path.open("rb") as file:
            yield file
    except (OSError, ValueError) as error:
        if isinstance(error, LexiconError):
            raise
        raise Unreadable(where=path, expected="a word file", found=reason(error), remedy="Give one that can be read") from error


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """Put the file's name before what is wrong with it."""
    try:
        yield
    except BadWordFile as error:
        error.locate(path)
        raise
