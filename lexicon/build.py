"""Builds lexicon files: spells words with tiles, sorts them, builds a minimal graph, lays it out, hashes it, and writes the file atomically.

    text or words -> tiles -> sorted, without duplicates -> minimal graph -> units -> file

The same words, names and alphabet always give the same bytes. Words are sorted in memory: a million take some 70 MB.

A file is written into a draft beside it, flushed to disk, then renamed. Never in place: truncation would kill processes that map the old file, and a power cut must
not leave half a word list.
"""

import hashlib
import os
import secrets
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import groupby, islice
from pathlib import Path
from typing import BinaryIO

from msgspec import Struct

from faults.errors import reason
from lexicon.alphabet import Alphabet
from lexicon.dawg import Dawg, minimal, place
from lexicon.errors import TILES_IN_WORD, TILES_TO_READ, WORDS_IN_LEXICON, BadText, LexiconError, TooLarge, Unspellable, Unwritable
from lexicon.header import pack_header
from lexicon.spelling import Spelling
from lexicon.verify import check_names
from lexicon.wordtext import AS_IT_IS, OnProgress, Reading, Spelled, no_progress

_PERMISSIONS = 0o666
"""Before the umask, which the kernel applies: reading the umask means changing it briefly for all threads. A ``tempfile`` would be readable by its owner only."""


@contextmanager
def atomic_write(path: Path, permissions: int = _PERMISSIONS) -> Iterator[BinaryIO]:
    """Open a file that replaces ``path`` when the block ends without error, and otherwise leaves no trace.

    The draft and the new file have ``permissions``, less the umask. A killed process leaves its draft, ``.NAME.*.part``, which can be deleted. Raises
    ``Unwritable``: no such folder, no permission, no room, or ``path`` is not a regular file.
    """
    # Keep a link and replace its target.
    place = Path(os.path.realpath(path))
    if os.path.exists(place) and not os.path.isfile(place):  # noqa: PTH110, PTH113 - Path raises where there is no right to look
        found = "a folder" if place.is_dir() else "a device or a pipe"
        raise Unwritable(where=path, expected="a file to write", found=found, remedy="Give the name of a file")
    draft = place.with_name(f".{place.name[:50]}.{secrets.token_hex(4)}.part")
    try:
        with ExitStack() as opened:
            # First, since it must be flushed at the end, so that the new name survives a power cut.
            folder = os.open(place.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            opened.callback(os.close, folder)
            with open(draft, "xb", opener=partial(os.open, mode=permissions)) as file:
                opened.callback(draft.unlink, missing_ok=True)
                yield file
                file.flush()
                os.fsync(file.fileno())
            draft.replace(place)
            os.fsync(folder)
    except OSError as error:
        # An error of the block's own reading is not about this file.
        if isinstance(error, LexiconError) or error.filename not in (None, *map(str, (draft, place, place.parent))):
            raise
        raise Unwritable(
            where=path, expected="to write the file", found=reason(error), remedy="Nothing was changed; choose another place or make room"
        ) from error


def in_order(words: Iterable[bytes]) -> tuple[list[bytes], int]:
    """Return the distinct words in order, and the number of repetitions."""
    every = sorted(words)
    once = [word for word, _ in groupby(every)]
    return once, len(every) - len(once)


_SOME = 2000


class Label(Struct, frozen=True):
    """A list's alphabet, name and edition; raises ``BadName`` as ``check_names`` does."""

    alphabet: Alphabet
    name: str
    edition: str = ""
    """The date of the edition, as YYYY-MM-DD, YYYY-MM or YYYY; empty if it has none."""

    def __post_init__(self) -> None:
        check_names(self.name, self.edition)


class BuildReport(Struct, frozen=True):
    words: int
    duplicates: int
    size: int
    sha256: str
    """SHA-256 of the file, as ``sha256sum`` prints it."""
    words_sha256: str


def build(words: Iterable[bytes], to: Path, label: Label, watch: OnProgress = no_progress) -> BuildReport:
    """Build the file ``to`` from ``words``.

    ``words``: one byte per tile, as from ``label.alphabet.spelling.codes``; in any order, repetitions allowed.

    Raises:
        BadText: there are no words.
        Unspellable: a word spells with other tiles the text of a tile that must stay whole.
        ValueError: a word is empty or has a tile outside the alphabet.
        TooLarge: the list exceeds a limit of the format.
        Unwritable: the file cannot be written. After every error the old file is unchanged.
    """
    spelling = label.alphabet.spelling
    with atomic_write(to) as file:
        once, duplicates = in_order(words)
        listed = _Listed(once, spelling, watch)
        dawg = minimal(listed)
        _require_within(dawg)
        watch("placing", 0, 1)
        content = _content(dawg, label, listed.digest.digest())
        file.write(content)
    watch("done", 1, 1)
    return BuildReport(
        words=dawg.words,
        duplicates=duplicates,
        size=len(content),
        sha256=hashlib.sha256(content).hexdigest(),
        words_sha256=listed.digest.hexdigest(),
    )


def build_text(text: Path, to: Path, label: Label, watch: OnProgress = no_progress, how: Reading = AS_IT_IS) -> tuple[BuildReport, Spelled]:
    """Build the file ``to`` from a text file (UTF-8, one word per line); also return the text, with the lines left out.

    Raises:
        Unreadable: the text is unreadable.
        BadText: it is not UTF-8 text, has no words, or has invalid ones.
        TooLarge, Unwritable: see ``build``.
    """
    spelled = Spelled(text, label.alphabet, watch, how)
    return build(spelled.accepted(), to, label, watch), spelled


def _require_within(dawg: Dawg) -> None:
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


class _Listed:
    def __init__(self, words: Iterable[bytes], spelling: Spelling, watch: OnProgress) -> None:
        self._words, self._spelling, self._watch = words, spelling, watch
        self._numbers = bytes(range(1, len(spelling.tiles) + 1))
        self.digest = hashlib.sha256()

    def __iter__(self) -> Iterator[bytes]:
        done, words = 0, iter(self._words)
        while some := list(islice(words, _SOME)):
            if b"".join(some).translate(None, self._numbers) or b"" in some:
                raise ValueError(f"expected words of tiles 1 to {len(self._numbers)}, found one with another, or without any")
            self._require_whole_tiles(some)
            self.digest.update("".join([f"{self._spelling.text(word)}\n" for word in some]).encode())
            yield from some
            done += len(some)
            self._watch("building", done, 0)
            if done > WORDS_IN_LEXICON:
                raise TooLarge(expected=f"at most {WORDS_IN_LEXICON:,} words", found="more", remedy="Split the list")

    def _require_whole_tiles(self, words: list[bytes]) -> None:
        wrong = next((word for word in words if not self._spelling.can_spell(word)), None) if self._spelling.always else None
        if wrong is not None:
            raise Unspellable(
                expected="every tile whole",
                found=f"one spelled with others: {self._spelling.text(wrong)}",
                remedy="Use another file of the list",
            )


def _content(dawg: Dawg, label: Label, words_sha256: bytes) -> bytes:
    placed = place(dawg)
    units = placed.units.tobytes()
    header = pack_header(
        names=(label.name, label.edition, label.alphabet.id),
        spelling=label.alphabet.spelling,
        figures=(len(placed.units), dawg.words, len(dawg.states) - 1, dawg.edges, placed.root, dawg.longest),
        payload_sha256=hashlib.sha256(units).digest(),
        words_sha256=words_sha256,
    )
    return header + units
