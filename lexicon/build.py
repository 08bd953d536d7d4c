"""From words to a lexicon file: laid with tiles, put in order, made a minimal graph, placed, hashed, and written so that it appears whole or not at all.

    text or words -> spelled -> in order, each once -> minimal graph -> units -> file

The same words, names and alphabet always give the same bytes.
"""

from __future__ import annotations

import hashlib
import sys
from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from lexicon.alphabet import Alphabet
from lexicon.dawg import Dawg, minimal
from lexicon.errors import BadText, TooLarge, Unspellable
from lexicon.files import appearing
from lexicon.header import pack_header
from lexicon.layout import place
from lexicon.limits import TILES_IN_WORD, TILES_TO_READ, WORDS_IN_LEXICON
from lexicon.naming import check_names
from lexicon.sorting import InOrder
from lexicon.spelled import Spelled
from lexicon.spelling import Spelling
from lexicon.wordtext import Watch, unwatched

_SOME = 2000
"""Words between one report of progress and the next."""


@dataclass(frozen=True, slots=True)
class Label:
    """What a list is: its alphabet, and what it is called wherever it is shown.

    Raises:
        BadName: the name is empty, cannot be printed or is longer than 100 bytes; the edition is no date.
    """

    alphabet: Alphabet
    name: str
    edition: str = ""
    """The date of the edition, as YYYY-MM-DD, YYYY-MM or YYYY; empty if it has none."""

    def __post_init__(self) -> None:
        check_names(self.name, self.edition)


@dataclass(frozen=True, slots=True)
class BuildReport:
    """What was built."""

    words: int
    duplicates: int
    """Words that came more than once: each time but the first."""
    states: int
    edges: int
    size: int
    """Bytes of the file."""
    sha256: str
    """Of the file, as ``sha256sum`` gives it."""
    words_sha256: str
    """Of the canonical list."""


def build(words: Iterable[bytes], to: Path, label: Label, watch: Watch = unwatched) -> BuildReport:
    """Build the file ``to`` of ``words``.

    Args:
        words: each a byte a tile, as ``label.alphabet.spelling.codes`` gives them; in any order, with repetitions.
        to: the file that appears, or is replaced, when all is done.
        label: what the list is; it goes into the file.
        watch: is told of the progress.

    Raises:
        BadText: there are no words.
        Unspellable: a word lays the text of a tile with others that must not be.
        ValueError: a word has no tiles, or one that the alphabet has not.
        TooLarge: there are more than the format holds.
        Unwritable: the file cannot be written. Nothing is changed then, as with every error.
    """
    spelling = label.alphabet.spelling
    with appearing(to) as file:
        listed = _Listed(InOrder(words, Path(to).absolute().parent), spelling, watch)
        dawg = minimal(listed)
        if not dawg.words:
            raise BadText(expected="words", found="none", remedy="Give a list of at least one word")
        if dawg.longest > TILES_IN_WORD:
            raise TooLarge(expected=f"words of at most {TILES_IN_WORD} tiles", found=f"one of {dawg.longest}", remedy="Leave it out")
        if dawg.words * dawg.longest > TILES_TO_READ:
            raise TooLarge(
                expected=f"words times the longest's tiles to be at most {TILES_TO_READ:,}",
                found=f"{dawg.words * dawg.longest:,}",
                remedy="Leave out the longest",
            )
        watch("placing", 0, 1)
        content = _content(dawg, label, listed.digest.digest())
        file.write(content)
    watch("done", 1, 1)
    return BuildReport(
        words=dawg.words,
        duplicates=listed.duplicates,
        states=len(dawg.states) - 1,
        edges=dawg.edges,
        size=len(content),
        sha256=hashlib.sha256(content).hexdigest(),
        words_sha256=listed.digest.hexdigest(),
    )


def build_text(text: Path, to: Path, label: Label, watch: Watch = unwatched, *, skip_invalid: bool = False) -> tuple[BuildReport, Spelled]:
    """Build the file ``to`` from a text file: UTF-8, one word a line.

    Args:
        text: the list.
        to: as for ``build``.
        label: as for ``build``.
        watch: as for ``build``.
        skip_invalid: leave out lines that the alphabet cannot lay, instead of refusing them.

    Returns:
        What was built, and the text's lines, with those that were left out.

    Raises:
        Unreadable: the text cannot be read.
        BadText: it is not UTF-8 text, holds no words, or holds invalid ones.
        TooLarge: as ``build``.
        Unwritable: as ``build``.
    """
    spelled = Spelled(text, label.alphabet, watch)
    return build(spelled.accepted(skip_invalid=skip_invalid), to, label, watch), spelled


class _Listed:
    """The words on their way into the graph, hashed as the canonical list in passing."""

    def __init__(self, words: InOrder, spelling: Spelling, watch: Watch) -> None:
        self._words, self._spelling, self._watch = words, spelling, watch
        self._numbers = bytes(range(1, len(spelling.tiles) + 1))
        self.digest = hashlib.sha256()

    @property
    def duplicates(self) -> int:
        return self._words.duplicates

    def __iter__(self) -> Iterator[bytes]:
        done, words = 0, iter(self._words)
        while some := list(islice(words, _SOME)):
            if b"".join(some).translate(None, self._numbers) or b"" in some:
                raise ValueError(f"expected words of tiles 1 to {len(self._numbers)}, found one with another, or without any")
            self._must_lie(some)
            self.digest.update("".join([f"{self._spelling.text(word)}\n" for word in some]).encode())
            yield from some
            done += len(some)
            self._watch("building", done, 0)
            if done > WORDS_IN_LEXICON:
                raise TooLarge(expected=f"at most {WORDS_IN_LEXICON:,} words", found="more", remedy="Split the list")

    def _must_lie(self, words: list[bytes]) -> None:
        wrong = next((word for word in words if not self._spelling.can_lay(word)), None) if self._spelling.always else None
        if wrong is not None:
            raise Unspellable(
                expected="every tile whole",
                found=f"one laid with others: {self._spelling.text(wrong)}",
                remedy="Take the list from another file",
            )


def _content(dawg: Dawg, label: Label, words_sha256: bytes) -> bytes:
    """The bytes of the file: header and units."""
    placed = place(dawg)
    units = _little_endian(placed.units)
    header = pack_header(
        names=(label.name, label.edition, label.alphabet.id),
        spelling=label.alphabet.spelling,
        figures=(len(placed.units), dawg.words, len(dawg.states) - 1, dawg.edges, placed.root, dawg.longest),
        payload_sha256=hashlib.sha256(units).digest(),
        words_sha256=words_sha256,
    )
    return header + units


def _little_endian(units: array[int]) -> bytes:
    if sys.byteorder == "big":
        units = units[:]
        units.byteswap()
    return units.tobytes()
