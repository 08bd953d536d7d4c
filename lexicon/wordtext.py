"""Lists of words, as federations and publishers provide them: reads the lines of texts, spells them with tiles, and checks the words of every format alike.

UTF-8, one word per line; a byte order mark and any line ends are accepted. Other encodings are rejected by name: misread, a list would silently lose words. Files
are read in pieces, so that neither a large file nor a long line fills the memory.

Words that no tiles spell nearly always mean the wrong file, the wrong alphabet or a typing error. The director must see them: a word silently dropped would be
ruled unacceptable at a table.
"""

import codecs
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from io import BufferedReader, TextIOWrapper
from pathlib import Path
from types import MappingProxyType

from msgspec import Struct

from faults.errors import reason
from lexicon.alphabet import Alphabet
from lexicon.errors import TILES_ON_BOARD, BadAlphabet, BadLines, BadText, Unreadable, Unspellable
from lexicon.spelling import UNSURE, shortened

_PIECE = 1 << 20
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
                raise BadText(
                    where=path,
                    expected="one word per line",
                    found=f"more than {_LONGEST_LINE} bytes in line {number}",
                    remedy="Put each word on its own line",
                )
            word = line.strip(b" \t")
            if word:
                yield number, word


def decoded(path: Path, number: int, word: bytes) -> str:
    """Raises ``BadText`` if the line is not UTF-8."""
    try:
        return word.decode()
    except UnicodeDecodeError as error:
        like, remedy = "binary data", "Give the list as a text file."
        if all(byte >= 0xA0 or 0x20 <= byte < 0x7F or byte in b"\t\x8a\x8c\x8e\x9a\x9c\x9e\x9f\x92" for byte in word):
            like = "probably an 8-bit encoding like Latin-1 or Windows-1252"
            remedy = "Convert it: iconv -f WINDOWS-1252 -t UTF-8 (WINDOWS-1250 if it is of central Europe)."
        raise BadText(
            where=path, expected="UTF-8", found=f"the byte 0x{word[error.start]:02X} in line {number}: {like}", remedy=remedy
        ) from error


def _pieces(path: Path, watch: OnProgress) -> Iterator[list[bytes]]:
    try:
        with path.open("rb") as file:
            size, done, rest = os.fstat(file.fileno()).st_size, 0, b""
            _begin(path, file)
            # Read as an 8-bit encoding, which changes line ends only: all become LF.
            text = TextIOWrapper(file, "latin-1")
            while read := text.read(_PIECE).encode("latin-1"):
                done += len(read)
                watch("reading", done, max(size, done))
                if b"\0" in read:
                    raise BadText(
                        where=path,
                        expected="text",
                        found="zero bytes: binary data, or UTF-16",
                        remedy="Give the list as a text file in UTF-8; another program's word file is for tilelexicon convert --to tileclock",
                    )
                *whole, rest = (rest + read).split(b"\n")
                # Yield an overlong line unfinished, to be rejected before it grows.
                yield [*whole, rest] if len(rest) > _LONGEST_LINE else whole
            yield [rest]
    except OSError as error:
        raise Unreadable(where=path, expected="a text file of words", found=reason(error), remedy="Give a readable file") from error


def _begin(path: Path, file: BufferedReader) -> None:
    """Pass over the byte order mark, if the encoding is supported."""
    read = file.peek()
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
    if read.startswith(codecs.BOM_UTF8):
        file.read(len(codecs.BOM_UTF8))


_FLAGGED = re.compile(r"[^/\s]+/\S+")
_LISTED = 1000
"""The most invalid words listed: more than anyone reads, and little memory."""


class Reading(Struct, frozen=True):
    """How the words of a file of any format are read.

    ``longest``: the most tiles of a word; ``skip_invalid``: leave out words that are longer or that the alphabet cannot spell, instead of raising an error;
    ``coded``: the file writes tiles as in the alphabet's ``coded``.
    """

    longest: int = TILES_ON_BOARD
    skip_invalid: bool = False
    coded: bool = False


AS_IT_IS = Reading()


class Invalid(Struct, frozen=True):
    """A word that the alphabet cannot spell, or that is too long; ``line``: its line in a text, else 0."""

    line: int
    text: str
    why: str

    def __str__(self) -> str:
        return f"{f'line {self.line}: ' if self.line else ''}{shortened(self.text)!r}: {self.why}"


class Checked:
    """The words of the file ``path``, one byte per tile, in the file's order; can be iterated once.

    Invalid words are left out, listed in ``invalid`` (the first 1,000) and counted in ``invalid_count``.
    """

    def __init__(self, path: Path, alphabet: Alphabet, how: Reading = AS_IT_IS) -> None:
        if how.coded and not alphabet.coded:
            expected = "an alphabet with coded letters for --coded"
            raise BadAlphabet(where=path, expected=expected, found=alphabet.id, remedy="Leave --coded out")
        self._path, self._alphabet, self._how = path, alphabet, how
        self._spelling = alphabet.spelling
        self._targets = {number for number, tile in enumerate(alphabet.tiles, 1) if tile.text in alphabet.coded.values()}
        self._long = self._coded = 0
        self._whole = False
        self.invalid: list[Invalid] = []
        self.invalid_count = 0

    def __iter__(self) -> Iterator[bytes]:
        raise NotImplementedError

    def accepted(self) -> Iterator[bytes]:
        """Yield the words; after the last one, raise an error if the file has invalid ones or none.

        Raises:
            Unreadable: see ``wordtext.lines``.
            BadText: see ``wordtext.lines``; or invalid words that are not to be skipped; or no words.
        """
        found = False
        for word in self:
            found = True
            yield word
        if not (found and self._how.skip_invalid):
            self.refuse_invalid()
        if not found:
            raise BadText(where=self._path, expected="words", found="none", remedy="Give a list of at least one word, one a line")

    def remedy(self) -> str:
        if self._is_coded():
            code = ", ".join(f"{text} for {tile}" for text, tile in self._alphabet.coded.items())
            return f"The list seems to write {code}. To read it so, add --coded."
        if self._long == self.invalid_count:
            return "No play can make such a word."
        if self._is_hunspell():
            return (
                "The list seems to be a Hunspell dictionary, whose .aff file makes more words of the letters behind a slash. "
                "To write them out, with the .aff file beside it: npx hunspell-reader words NAME.dic -o words.txt"
            )
        columns = [each.text for each in self.invalid if len(each.text.split()) > 1]
        if 2 * len(columns) > len(self.invalid):
            cut = "cut -f 1" if all("\t" in text for text in columns) else "cut -d ' ' -f 1"
            return f"If definitions follow the words, keep the first column ({cut})."
        return "Is it the right file and alphabet?"

    def refuse_invalid(self) -> None:
        """Raise an error if words were left out.

        Raises:
            BadText: with the listed words.
        """
        if not self.invalid:
            return
        more = self.invalid_count - len(self.invalid)
        listed = (*map(str, self.invalid), *([f"and {more:,} more"] if more else []))
        raise BadLines(
            lines=listed,
            where=self._path,
            expected=f"words of at most {self._how.longest} tiles that the alphabet's tiles spell",
            found=f"{self.invalid_count:,} that {'is' if self.invalid_count == 1 else 'are'} not{self._too_long()}",
            remedy=f"{self.remedy()}{self._ways_on()}",
        )

    def _too_long(self) -> str:
        return f", {self._long:,} of them only too long" if 0 < self._long < self.invalid_count else ""

    def _ways_on(self) -> str:
        if self._is_coded() or self._is_hunspell():
            # Skipping would leave out good words: the station would refuse LLAMA.
            return ""
        if self._long == self.invalid_count:
            return " To leave them out, add --skip-invalid"
        return " Correct them, choose another alphabet, or leave them out with --skip-invalid"

    def _is_coded(self) -> bool:
        """Whether the list seems to write tiles as in the alphabet's ``coded``: most that is invalid has such a letter, and no word has such a tile."""
        return not self._whole and 2 * self._coded > self.invalid_count - self._long

    def _is_hunspell(self) -> bool:
        """Whether most of what is invalid is as in a ``.dic`` file, ``word/flags`` (hunspell(5))."""
        return 2 * sum(_FLAGGED.match(each.text) is not None for each in self.invalid) > len(self.invalid)

    def _is_valid(self, word: bytes, line: int, text: str = "") -> bool:
        """Return whether the word is short enough; list it otherwise, as ``text`` or in tiles."""
        self._whole = self._whole or not self._targets.isdisjoint(word)
        if len(word) > self._how.longest:
            self._long += 1
            row = ", as the board has in a row" if self._how.longest == TILES_ON_BOARD else ""
            self._leave_out(line, text or self._spelling.text(word), f"expected at most {self._how.longest} tiles{row}, found {len(word)}.")
            return False
        return True

    def _leave_out(self, line: int, text: str, why: str) -> None:
        self.invalid_count += 1
        self._coded += not self._alphabet.coded.keys().isdisjoint(self._spelling.normalised(text))
        if len(self.invalid) < _LISTED:
            self.invalid.append(Invalid(line, text, why))


class Spelled(Checked):
    """The words of a text file."""

    def __init__(self, path: Path, alphabet: Alphabet, watch: OnProgress = no_progress, how: Reading = AS_IT_IS) -> None:
        super().__init__(path, alphabet, how)
        self._watch = watch
        self._decoding = str.maketrans({text: f"[{tile}]" for text, tile in alphabet.coded.items()}) if how.coded else {}

    def __iter__(self) -> Iterator[bytes]:
        quick = self._spelling.quick
        for number, line in lines(self._path, self._watch):
            codes = line.translate(quick)
            if UNSURE not in codes and len(codes) <= self._how.longest:
                yield codes
            else:
                yield from self._slowly(number, line)

    def _slowly(self, number: int, line: bytes) -> Iterator[bytes]:
        """Yield the word of a line that needs more than one character per tile, if it is valid."""
        text = decoded(self._path, number, line)
        try:
            codes = self._spelling.codes(self._spelling.normalised(text).translate(self._decoding) if self._decoding else text)
        except Unspellable as error:
            self._leave_out(number, text, str(error))
            return
        if self._is_valid(codes, number, text):
            yield codes


class Laid(Checked):
    """The words of another program's file or a lexicon, in the alphabet's tiles; ``strange``: the letters on no tile, by the numbers that stand for them."""

    def __init__(
        self,
        path: Path,
        alphabet: Alphabet,
        words: Iterable[bytes],
        strange: Mapping[int, str] = MappingProxyType({}),
        how: Reading = AS_IT_IS,
    ) -> None:
        super().__init__(path, alphabet, how)
        self._words, self._texts = words, {number: tile.text for number, tile in enumerate(alphabet.tiles, 1)} | dict(strange)
        self._strange = frozenset(strange)

    def __iter__(self) -> Iterator[bytes]:
        for word in self._words:
            found = self._strange.intersection(word) if self._strange else ()
            if found:
                self._leave_out(0, self._text(word), f"expected tiles of {self._alphabet.name}, found {self._texts[min(found)]!r}.")
            elif self._spelling.always and not self._spelling.can_spell(word):
                self._leave_out(
                    0, self._text(word), f"expected every tile of {self._alphabet.name} whole, found one spelled letter by letter."
                )
            elif self._is_valid(word, 0):
                yield word

    def _text(self, word: bytes) -> str:
        return "".join(self._texts[number] for number in word)
