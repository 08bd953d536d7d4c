"""A lexicon file, open: words looked up in the file's own bytes, mapped into memory; nothing is loaded.

The way of every verdict: text -> tile numbers -> one unit a tile (FORMAT.md) -> a word or not. This module and what it imports are all that a look-up needs;
verifying and walking are loaded when asked for, because a station that has just been switched on answers sooner without them.
"""

from lexicon.errors import Closed, Damaged, Replaced, Unspellable
from lexicon.mapped import Mapped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from os import PathLike
    from types import TracebackType
    from typing import Self

    from lexicon.spelling import Spelling

_UNSURE = 0xFF


class Lexicon:
    """An open word list. Threads may share it; a child process may use what it inherits, or a pickled copy, which opens the same list again.

    ``word in lexicon`` takes text as players type it: either case, accents composed or not. A text that no tiles spell is no word; one that tiles spell in
    more than one way raises ``Ambiguous``. Made by ``Lexicon.open``; closed by ``close`` or ``with``.
    """

    __slots__ = ("_mapped", "_quick", "_root", "_spelling", "_units", "header", "path")

    def __init__(self, mapped: Mapped) -> None:
        self._mapped = mapped
        self._units = mapped.units
        self.path = mapped.path
        self.header = mapped.header
        """The names, counts and hashes that the file states."""
        self._quick = self.header.quick
        self._root = self.header.root << 8
        self._spelling: Spelling | None = None

    @classmethod
    def open(cls, path: "str | bytes | PathLike[str]", *, copied: bool = False) -> "Self":
        """Map the lexicon file at ``path``, having checked its header and its size. ``verify`` checks the rest.

        Args:
            path: of the file.
            copied: look words up in a sealed copy in memory, made now. Later changes to the file, or a failing disk, then change no answer and end no
                process. The copy takes as much memory as the file is long.

        Raises:
            Unreadable: there is no such file, or it may not be read; or there is no memory for the copy.
            NotALexicon: it is another kind of file, or of another version.
            Damaged: its header or its size is not as it was built.
        """
        return cls(Mapped(path, copied=copied))

    def __contains__(self, word: str) -> bool:
        """Tell whether ``word`` is in the list. For verdicts use ``accepts``: this does not check whether the file has changed.

        Raises:
            Ambiguous: it can be laid in more than one way, and the list has words that begin as it does.
            Damaged: the file leads out of itself; it was never verified, or has changed since.
            Closed: the lexicon is closed.
        """
        # A unit (FORMAT.md): tile in bits 0 to 5, a word ends in bit 6, base from bit 8 on. In numbers: named ones would cost a twentieth of the time.
        units, unit = self._units, self._root
        try:
            for tile in word.encode("ascii").translate(self._quick):
                unit = units[(unit >> 8) + tile]
                if unit & 63 != tile:
                    # Up to here each character could only be its own tile. Only if this one could be more is there more to find out.
                    if tile != _UNSURE:
                        return False
                    break
            else:
                return unit & 64 != 0
        except (UnicodeEncodeError, IndexError):
            pass
        except ValueError as error:
            raise self._mapped.closed_error() from error
        except AttributeError as error:
            raise TypeError(f"expected a word as str, found {type(word).__name__}") from error
        # Outside the block above, whose ValueError an Ambiguous would be taken for.
        return self.holds(self._laid(word))

    def _laid(self, word: str) -> bytes:
        """The tiles of a word; none if none spell it."""
        try:
            return self.spelling.codes(word)
        except Unspellable as error:
            if type(error) is Unspellable:
                return b""
            raise

    def holds(self, codes: bytes) -> bool:
        """Tell whether the word laid with the tiles of these numbers (``spelling.codes``) is in the list.

        Raises:
            Damaged: as for ``in``.
            Closed: the lexicon is closed.
        """
        return self.reach(codes) & 64 != 0

    def reach(self, codes: bytes) -> int:
        """Return the unit that the last of these tiles lies on, laid from the root; 0 if no word begins so; the root's for no tiles at all.

        Raises:
            Damaged, Closed: as for ``in``.
        """
        units, unit = self._units, self._root
        try:
            for tile in codes:
                unit = units[(unit >> 8) + tile]
                if unit & 63 != tile:
                    return 0
        except IndexError as error:
            # Behind the last states of a whole file there need not be a unit for every tile; their bases are always in it.
            if unit >> 8 < len(units):
                return 0
            raise self._astray() from error
        except ValueError as error:
            raise self._mapped.closed_error() from error
        return unit

    def edges(self, unit: int) -> list[int]:
        """Return the units that can follow ``unit``, in order of their tiles.

        Raises:
            Damaged, Closed: as for ``in``.
        """
        base = unit >> 8
        if not base:
            return []
        try:
            following = self._units[base + 1 : base + 1 + self.header.tiles]
        except ValueError as error:
            raise self._mapped.closed_error() from error
        edges = [edge for tile, edge in enumerate(following, 1) if edge & 63 == tile]
        if not edges:
            raise self._astray()
        return edges

    def accepts(self, play: "Iterable[str]") -> bool:
        """Judge a whole play: tell whether all its words are in the list. All are looked up, whatever the first ones gave.

        Each look-up ends where no word goes on so, as any does: who times a play of eight to a microsecond learns how long it was right, not which word failed.

        Raises:
            TypeError: a text came in place of the words.
            Ambiguous: a word can be laid in more than one way; that depends on its text alone.
            Damaged: as for ``in``, or the file was changed in place since it was opened.
            Closed: the lexicon is closed.
            ValueError: the play has no words.
        """
        if isinstance(play, str):
            raise TypeError("expected the words of a play, found one text; put it in a list")
        self.check()
        words = list(play)
        if not words:
            raise ValueError("expected a play of at least one word, found none")
        for word in words:
            if _UNSURE in word.encode("ascii", "replace").translate(self._quick):
                self._laid(word)
        # Not one after the other until one fails: how long it takes would tell which.
        found = [word in self for word in words]
        return all(found)

    def __len__(self) -> int:
        """Return how many words the list has, by its header."""
        return int(self.header.words)

    def __iter__(self) -> "Iterator[str]":
        """Yield every word, in the alphabet's order."""
        return self.starting("")

    def starting(self, prefix: str) -> "Iterator[str]":
        """Yield the words that begin with the tiles of ``prefix``, in the alphabet's order.

        Raises:
            Unspellable, Ambiguous: ``prefix`` cannot be laid, or not in one way.
            Damaged: while walking; the file does not hold what it says.
            Closed: the lexicon is closed, or was while walking.
        """
        from lexicon.walk import walk  # noqa: PLC0415 - a look-up does without it

        spelling = self.spelling
        return map(spelling.text, walk(self, spelling.codes(prefix)))

    @property
    def spelling(self) -> "Spelling":
        """How words are laid with the tiles of the file's alphabet."""
        if self._spelling is None:
            try:
                self._spelling = self.header.spelling()
            except Damaged as error:
                error.locate(self.path)
                raise
        return self._spelling

    def verify(self) -> None:
        """Read the whole file and prove it: both hashes, the graph's structure, its counts, the words' order. Takes well under a second.

        Raises:
            Damaged: something is not as it was built; the message says what.
            Closed: the lexicon is closed.
        """
        from lexicon.verify import verify  # noqa: PLC0415 - a look-up does without it

        self.check()
        verify(self)

    def check(self) -> None:
        """Make sure that the file is still what was opened; cheap enough for every verdict, and part of ``accepts``. A copy always is.

        Raises:
            Damaged: the file was cut, or its units were changed, in place.
            Closed: the lexicon is closed.
        """
        self._mapped.check()

    def payload(self) -> bytes:
        """Return a copy of all the units' bytes.

        Raises:
            Closed: the lexicon is closed.
        """
        return self._mapped.payload()

    def sha256(self) -> str:
        """Return the SHA-256 of the whole file as it was opened, in hex. Of a copy it is that of the very bytes that words are looked up in.

        Raises:
            Closed: the lexicon is closed.
            Unreadable: the disk fails; never of a copy.
        """
        return self._mapped.sha256()

    @property
    def replaced(self) -> bool:
        """Whether the path names another file now, or none. This lexicon goes on as it was opened."""
        return self._mapped.replaced

    @property
    def closed(self) -> bool:
        """Whether ``close`` was called."""
        return self._mapped.closed

    def close(self) -> None:
        """Let go of the file. Every later look-up raises ``Closed``, in every thread; closing again does nothing."""
        self._mapped.close()

    def __enter__(self) -> "Self":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: "TracebackType | None") -> None:
        self.close()

    def __reduce__(self) -> "tuple[Callable[[str, bytes, bool], Lexicon], tuple[str, bytes, bool]]":
        return reopened, (self.path, self.header.words_sha256, self._mapped.copied)

    def __repr__(self) -> str:
        return f"<Lexicon {self.header.name!r} {self.header.edition} {len(self):,} words {self.header.short_hash}>"

    def closed_error(self) -> Closed:
        """Return the refusal of whoever asks a closed lexicon."""
        return self._mapped.closed_error()

    def _astray(self) -> Damaged:
        return Damaged(
            where=self.path,
            expected="a graph within the file",
            found="a way out of it",
            remedy="Run: tilelexicon verify. Copy the file anew",
        )


def reopened(path: str, words_sha256: bytes, copied: bool) -> Lexicon:
    """Open the list again that had this hash: what a pickled lexicon becomes in another process. Of a copied one it is another copy of the file.

    Raises:
        Replaced: there is another list under ``path`` now.
        Unreadable, NotALexicon, Damaged: as for ``Lexicon.open``.
    """
    lexicon = Lexicon.open(path, copied=copied)
    found = lexicon.header.words_sha256
    if found != words_sha256:
        lexicon.close()
        raise Replaced(
            where=path, expected=f"the list {words_sha256.hex()[:8]}", found=f"{found.hex()[:8]} in its place", remedy="Open it anew"
        )
    return lexicon
