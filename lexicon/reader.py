"""An open lexicon file: look-ups in the memory-mapped file itself, without loading it.

A look-up: text -> tile numbers -> one unit per tile (FORMAT.md) -> word or not. A look-up needs only this module and its imports; verifying and walking are
loaded on demand, so that a station answers sooner after power-on.
"""

from lexicon.errors import Damaged, Unspellable
from lexicon.mapped import Mapped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from os import PathLike
    from types import TracebackType
    from typing import Self

    from lexicon.spelling import Spelling

_UNSURE = 0xFF


class Lexicon(Mapped):
    """An open word list. Threads may share it, and a child process that inherits it.

    ``word in lexicon`` accepts text as players type it: either case, accents composed or not. A text that no tiles spell is not a word; one that tiles spell in
    several ways raises ``Ambiguous``. Create it with ``Lexicon.open``; close it with ``close`` or ``with``. ``header`` has the file's names, counts and hashes.
    """

    __slots__ = ("_quick", "_root", "_spelling")

    def __init__(self, path: "str | bytes | PathLike[str]", *, copied: bool = False) -> None:
        super().__init__(path, copied=copied)
        self._quick = self.header.quick
        self._root = self.header.root << 8
        self._spelling: Spelling | None = None

    @classmethod
    def open(cls, path: "str | bytes | PathLike[str]", *, copied: bool = False) -> "Self":
        """Map the lexicon file at ``path`` and check its header and size. ``verify`` checks the rest.

        Args:
            copied: look words up in a copy in memory, made now. Later changes to the file or disk faults then neither change answers nor kill the
                process. The copy takes as much memory as the file's size.

        Raises:
            Unreadable: the file is missing or unreadable, or there is no memory for the copy.
            NotALexicon: it is another kind of file or version.
            Damaged: its header or size is wrong.
        """
        return cls(path, copied=copied)

    def __contains__(self, word: str) -> bool:
        """Return whether ``word`` is in the list. For verdicts use ``accepts``: this does not check whether the file has changed.

        Raises:
            Ambiguous: tiles spell it in several ways, and the list has words that begin like it.
            Damaged: the graph leads out of the file, which was never verified or has changed since.
            Closed: the lexicon is closed.
        """
        # A unit (FORMAT.md): tile in bits 0 to 5, "a word ends" in bit 6, base from bit 8 on. Literals: named constants would cost 5 % of the time.
        units, unit = self.units, self._root
        try:
            for tile in word.encode("ascii").translate(self._quick):
                unit = units[(unit >> 8) + tile]
                if unit & 63 != tile:
                    # So far each character was one certain tile. Only an uncertain one needs the slow path.
                    if tile != _UNSURE:
                        return False
                    break
            else:
                return unit & 64 != 0
        except (UnicodeEncodeError, IndexError):
            pass
        except ValueError as error:
            raise self.closed_error() from error
        except AttributeError as error:
            raise TypeError(f"expected a word as str, found {type(word).__name__}") from error
        # Outside the block above, because Ambiguous is a ValueError.
        return self.holds(self._codes_of(word))

    def _codes_of(self, word: str) -> bytes:
        try:
            return self.spelling.codes(word)
        except Unspellable as error:
            if type(error) is Unspellable:
                return b""
            raise

    def holds(self, codes: bytes) -> bool:
        """Return whether the word with these tile numbers (``spelling.codes``) is in the list; raises ``Damaged`` or ``Closed``, see ``__contains__``."""
        return self.reach(codes) & 64 != 0

    def reach(self, codes: bytes) -> int:
        """Return the unit reached by these tiles from the root; 0 if no word begins with them; the root's unit for no tiles. Raises as ``holds``."""
        units, unit = self.units, self._root
        try:
            for tile in codes:
                unit = units[(unit >> 8) + tile]
                if unit & 63 != tile:
                    return 0
        except IndexError as error:
            # Near the end of a sound file not every tile has a unit, but every base is within the file.
            if unit >> 8 < len(units):
                return 0
            raise self._corrupt() from error
        except ValueError as error:
            raise self.closed_error() from error
        return unit

    def edges(self, unit: int) -> list[int]:
        """Return the units that can follow ``unit``, in tile order; raises as ``holds``."""
        base = unit >> 8
        if not base:
            return []
        try:
            following = self.units[base + 1 : base + 1 + self.header.tiles]
        except ValueError as error:
            raise self.closed_error() from error
        edges = [edge for tile, edge in enumerate(following, 1) if edge & 63 == tile]
        if not edges:
            raise self._corrupt()
        return edges

    def accepts(self, play: "Iterable[str]") -> bool:
        """Judge a whole play: return whether all its words are in the list. Always looks up every word.

        A look-up stops where no word continues. The total time, measured to a microsecond, shows at most how many tiles matched, not which word failed.

        Raises:
            TypeError: a single text instead of words.
            Ambiguous: tiles spell a word in several ways; that depends on its text alone.
            Damaged: see ``__contains__``; or the file was changed in place since it was opened.
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
                self._codes_of(word)
        # Do not stop at the first failure: the time would reveal which word failed.
        found = [word in self for word in words]
        return all(found)

    def __len__(self) -> int:
        return int(self.header.words)

    def __iter__(self) -> "Iterator[str]":
        return self.starting("")

    def starting(self, prefix: str) -> "Iterator[str]":
        """Yield the words that begin with the tiles of ``prefix``, in the alphabet's order.

        Raises:
            Unspellable, Ambiguous: no tiles spell ``prefix``, or several ways do.
            Damaged: during iteration, if the file contradicts its header.
            Closed: the lexicon is closed, also during iteration.
        """
        return map(self.spelling.text, self.walk(self.spelling.codes(prefix)))

    def walk(self, prefix: bytes = b"") -> "Iterator[bytes]":
        """Yield the words that begin with the tiles ``prefix``, as tile numbers, in order.

        Bounded also for a file that was not verified. Raises ``Closed``, or ``Damaged`` if the file has longer or more words than its header says, or leads out of
        itself.
        """
        start = self.reach(prefix)
        if start & 64:
            yield prefix
        steps, words = self.header.longest, self.header.words
        path = bytearray(prefix)
        # Cache: most states are visited repeatedly.
        following: dict[int, list[int]] = {}
        trail = [iter(self.edges(start))] if start else []
        while trail:
            unit = next(trail[-1], None)
            if unit is None:
                trail.pop()
                del path[-1:]
                continue
            if self.closed:
                raise self.closed_error()
            path.append(unit & 63)
            steps -= 1
            # In a sound file every step leads to the next word.
            if steps < 0 or not words or len(path) > self.header.longest:
                raise self._corrupt("no word longer than the header says", "a longer one, or a circle")
            if unit & 64:
                steps, words = self.header.longest, words - 1
                yield bytes(path)
            base = unit >> 8
            if base not in following:
                following[base] = self.edges(unit)
            trail.append(iter(following[base]))

    @property
    def spelling(self) -> "Spelling":
        if self._spelling is None:
            try:
                self._spelling = self.header.spelling()
            except Damaged as error:
                error.locate(self.path)
                raise
        return self._spelling

    def verify(self) -> None:
        """Read and verify the whole file: both hashes, the graph's structure, counts, the words' order. Takes well under a second.

        Raises ``Closed``, or ``Damaged`` with a message that says what is wrong.
        """
        from lexicon.verify import verify  # noqa: PLC0415 - not needed for look-ups

        self.check()
        try:
            verify(self.header, self.payload(), self.walk)
        except Damaged as error:
            error.where, error.remedy = self.path, "Copy the file again or rebuild it"
            raise

    def __enter__(self) -> "Self":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: "TracebackType | None") -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Lexicon {self.header.name!r} {self.header.edition} {len(self):,} words {self.header.short_hash}>"

    def _corrupt(self, expected: str = "a graph within the file", found: str = "a way out of it") -> Damaged:
        return Damaged(where=self.path, expected=expected, found=found, remedy="Run: tilelexicon verify. Copy the file again")
