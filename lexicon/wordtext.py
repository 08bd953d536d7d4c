"""Texts of words, as federations and publishers provide them: reads their lines, and spells them with tiles.

UTF-8, one word per line; a byte order mark and any line ends are accepted. Other encodings are rejected by name: misread, a list would silently lose words. Files
are read in pieces, so that neither a large file nor a long line fills the memory.

Lines that no tiles spell nearly always mean the wrong file, the wrong alphabet or a typing error. The director must see them: a word silently dropped would be
ruled unacceptable at a table.
"""

from __future__ import annotations

import codecs
import os
import select
from collections.abc import Callable, Iterator
from io import FileIO
from pathlib import Path

from msgspec import Struct

from faults.errors import reason
from lexicon.alphabet import Alphabet
from lexicon.errors import BadLines, BadText, Unreadable, Unspellable
from lexicon.limits import TILES_ON_BOARD
from lexicon.spelling import UNSURE, shortened

_PIECE = 1 << 20
_LOOK_UP_MS = 500
_LONGEST_LINE = 1 << 12
"""The longest line in bytes: no word is that long."""

_MARKS = (
    (codecs.BOM_UTF32_LE, "UTF-32"),
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
)

_KINDS = (
    (b"\x1f\x8b", "a gzip archive"),
    (b"PK\x03\x04", "a ZIP archive or an office document"),
    (b"\xfd7zXZ", "an xz archive"),
    (b"BZh", "a bzip2 archive"),
    (b"7z\xbc\xaf", "a 7z archive"),
    (b"%PDF", "a PDF document"),
    (b"{\\rtf", "a rich text document"),
    (b"SQLite format 3", "an SQLite database"),
    (b"\x89DAWG", "an already built lexicon"),
)

OnProgress = Callable[[str, int, int], None]
"""Called with the step's name, the amount done, and the total (0: unknown)."""


def no_progress(what: str, done: int, of: int) -> None:
    """Ignore progress."""


def lines(path: Path, watch: OnProgress = no_progress) -> Iterator[tuple[int, bytes]]:
    """Yield the non-blank lines of a text: number (from 1) and content, in UTF-8, without surrounding blanks.

    Raises ``Unreadable``, or ``BadText``: it is not UTF-8, not text, or has a line far longer than any word.
    """
    number = 0
    for piece in _pieces(path, watch):
        for line in piece:
            number += 1
            if len(line) > _LONGEST_LINE:
                raise _too_long(path, number)
            word = line.strip(b" \t")
            if word:
                yield number, word


def decoded(path: Path, number: int, word: bytes) -> str:
    """Return a line's content as text; raises ``BadText`` if it is not UTF-8."""
    try:
        return word.decode()
    except UnicodeDecodeError as error:
        like = "probably an 8-bit encoding like Latin-1 or Windows-1252" if _looks_latin(word) else "binary data"
        remedy = (
            "Convert it: iconv -f WINDOWS-1252 -t UTF-8 (WINDOWS-1250 if it is of central Europe)."
            if _looks_latin(word)
            else "Give the list as a text file."
        )
        raise BadText(
            where=path, expected="UTF-8", found=f"the byte 0x{word[error.start]:02X} in line {number}: {like}", remedy=remedy
        ) from error


def _pieces(path: Path, watch: OnProgress) -> Iterator[list[bytes]]:
    """Yield the lines of the file in batches."""
    with _opened(path) as file:
        size = os.fstat(file.fileno()).st_size
        rest, first, done = b"", True, 0
        while read := _read(path, file):
            done += len(read)
            watch("reading", done, max(size, done))
            if first:
                read, first = _begun(path, read), False
            if b"\0" in read:
                raise BadText(
                    where=path, expected="text", found="zero bytes: binary data, or UTF-16", remedy="Give the list as a text file in UTF-8"
                )
            text = rest + read
            # A CR at the end may be half of a CR LF.
            held = b"\r" if text.endswith(b"\r") else b""
            *whole, rest = text[: len(text) - len(held)].replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
            rest += held
            # Yield an overlong line unfinished, to be rejected before it grows.
            yield [*whole, rest] if len(rest) > _LONGEST_LINE + 1 else whole
        if rest.strip(b"\r"):
            yield [rest.strip(b"\r")]


def _opened(path: Path) -> FileIO:
    try:
        return path.open("rb", buffering=0)
    except (OSError, ValueError) as error:
        raise Unreadable(where=path, expected="a text file of words", found=reason(error), remedy="Give a readable file") from error


def _read(path: Path, file: FileIO) -> bytes:
    """Return the next piece, of full size unless it is the last."""
    parts: list[bytes] = []
    room = _PIECE
    try:
        while room and (part := _part(file, room)):
            parts.append(part)
            room -= len(part)
        return b"".join(parts)
    except OSError as error:
        raise Unreadable(where=path, expected="to read the file", found=reason(error), remedy="Copy the file to a working disk") from error


def _part(file: FileIO, most: int) -> bytes | None:
    # A pipe may be silent for long. A signal that arrives just before a blocking read is not handled until there is data, so wait with a timeout. A file on a disk
    # is always ready.
    ready = select.poll()
    ready.register(file, select.POLLIN)
    while not ready.poll(_LOOK_UP_MS):
        pass
    return file.read(most)


def _begun(path: Path, read: bytes) -> bytes:
    """Return the first piece without its byte order mark, if its encoding is supported."""
    for mark, name in _MARKS:
        if read.startswith(mark):
            raise BadText(where=path, expected="UTF-8", found=name, remedy=f"Convert it: iconv -f {name} -t UTF-8")
    for beginning, name in _KINDS:
        if read.startswith(beginning):
            raise BadText(where=path, expected="a text file of words", found=name, remedy="Give the list itself, as text")
    even, odd = read[0:200:2], read[1:200:2]
    for upper, lower, order, name in ((odd, even, "little", "UTF-16LE"), (even, odd, "big", "UTF-16BE")):
        # In Latin text the upper byte is mostly zero, the lower never.
        if 2 * upper.count(0) > len(upper) and not lower.count(0):
            raise BadText(where=path, expected="UTF-8", found=f"UTF-16 ({order}-endian)", remedy=f"Convert it: iconv -f {name} -t UTF-8")
    return read.removeprefix(codecs.BOM_UTF8)


def _looks_latin(word: bytes) -> bool:
    return all(byte >= 0xA0 or 0x20 <= byte < 0x7F or byte in b"\t\x8a\x8c\x8e\x9a\x9c\x9e\x9f\x92" for byte in word)


def _too_long(path: Path, number: int) -> BadText:
    return BadText(
        where=path,
        expected="one word per line",
        found=f"more than {_LONGEST_LINE} bytes in line {number}",
        remedy="Put each word on its own line",
    )


_LISTED = 1000
"""The most invalid lines listed: more than anyone reads, and little memory."""


class Invalid(Struct, frozen=True):
    """A line that the alphabet cannot spell, or that is longer than a row of the board."""

    line: int
    text: str
    why: str

    def __str__(self) -> str:
        return f"line {self.line}: {shortened(self.text)!r}: {self.why}"


class Spelled:
    """The words of the text file ``path``, one byte per tile, in the file's order; can be iterated once.

    Invalid lines are left out, listed in ``invalid`` (the first 1,000) and counted in ``invalid_count``.
    """

    def __init__(self, path: Path, alphabet: Alphabet, watch: OnProgress = no_progress) -> None:
        self._path, self._watch = path, watch
        self._spelling = alphabet.spelling
        self.invalid: list[Invalid] = []
        self.invalid_count = 0

    def __iter__(self) -> Iterator[bytes]:
        """Yield the words.

        Raises:
            Unreadable, BadText: see ``wordtext.lines``.
        """
        quick = self._spelling.quick
        for number, line in lines(self._path, self._watch):
            codes = line.translate(quick)
            if UNSURE not in codes and len(codes) <= TILES_ON_BOARD:
                yield codes
            else:
                yield from self._slowly(number, line)

    def _slowly(self, number: int, line: bytes) -> Iterator[bytes]:
        """Yield the word of a line that needs more than one character per tile, if it is valid."""
        text = decoded(self._path, number, line)
        try:
            codes = self._spelling.codes(text)
        except Unspellable as error:
            self._leave_out(number, text, str(error))
            return
        if len(codes) > TILES_ON_BOARD:
            self._leave_out(number, text, f"expected at most {TILES_ON_BOARD} tiles, as the board has in a row, found {len(codes)}.")
            return
        yield codes

    def _leave_out(self, number: int, text: str, why: str) -> None:
        self.invalid_count += 1
        if len(self.invalid) < _LISTED:
            self.invalid.append(Invalid(number, text, why))

    def accepted(self, *, skip_invalid: bool) -> Iterator[bytes]:
        """Yield the words; after the last one, raise an error if the text is invalid.

        Raises:
            Unreadable: see ``wordtext.lines``.
            BadText: see ``wordtext.lines``; or invalid lines without ``skip_invalid``; or no words.
        """
        found = False
        for word in self:
            found = True
            yield word
        if not (found and skip_invalid):
            self.refuse_invalid()
        if not found:
            raise BadText(where=self._path, expected="words", found="none", remedy="Give a list of at least one word, one a line")

    def remedy(self) -> str:
        """Return the most likely remedy for the invalid lines."""
        columns = sum(len(each.text.split()) > 1 for each in self.invalid)
        return (
            "If definitions follow the words, keep the first column (cut -d ' ' -f 1)."
            if 2 * columns > len(self.invalid)
            else "Is it the right file and alphabet?"
        )

    def refuse_invalid(self) -> None:
        """Raise an error if lines were left out.

        Raises:
            BadText: with the listed lines.
        """
        if not self.invalid:
            return
        more = self.invalid_count - len(self.invalid)
        listed = (*map(str, self.invalid), *([f"and {more:,} more"] if more else []))
        lines_found = "1 line that is not" if self.invalid_count == 1 else f"{self.invalid_count:,} lines that are not"
        raise BadLines(
            lines=listed,
            where=self._path,
            expected="words that the alphabet's tiles spell",
            found=lines_found,
            remedy=f"{self.remedy()} Correct them, choose another alphabet, or leave them out with --skip-invalid",
        )
