"""Spells the lines of a text with tiles, and lists those that no tiles spell.

Invalid lines nearly always mean the wrong file, the wrong alphabet or a typing error. The director must see them: a word silently dropped would be ruled
unacceptable at a table.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from lexicon.alphabet import Alphabet
from lexicon.errors import BadLines, BadText, Unspellable
from lexicon.limits import TILES_ON_BOARD
from lexicon.spelling import UNSURE, shortened
from lexicon.wordtext import OnProgress, decoded, lines, no_progress

_LISTED = 1000
"""The most invalid lines listed: more than anyone reads, and little memory."""


@dataclass(frozen=True, slots=True)
class Invalid:
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
