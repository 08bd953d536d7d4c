"""An open lexicon file, mapped into memory: look-ups in the file itself, without loading it, and checks that it is still the same file.

A look-up: text -> tile numbers -> one unit per tile (FORMAT.md) -> word or not. A look-up needs only this module and its imports; verifying and walking are
loaded on demand, so that a station answers sooner after power-on.

A new edition arrives as another file under the same name, which leaves the mapped file intact. Writing to the mapped file in place would change answers, and
truncating it would kill the process (SIGBUS). A program that must survive that has a copy of its bytes instead.
"""

import os
from mmap import ACCESS_READ, mmap
from stat import S_ISDIR, S_ISREG
from sys import byteorder

from faults.errors import Phrase, reason
from lexicon.errors import Damaged, LexiconError, Unreadable, Unspellable
from lexicon.header import Header, header_size

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from types import TracebackType
    from typing import Self

    from lexicon.spelling import Spelling

_UNSURE = 0xFF
_BEGINNING = 4096
"""Bytes of the first read: the header, unless its alphabet is very large."""


class Lexicon:
    """An open word list. Threads may share it, and a child process that inherits it.

    ``word in lexicon`` accepts text as players type it: either case, accents composed or not. A text that no tiles spell is not a word; one that tiles spell in
    several ways raises ``Ambiguous``. Create it with ``Lexicon.open``; close it with ``close`` or ``with``. ``header`` has the file's names, counts and hashes.
    """

    __slots__ = ("_map", "_quick", "_root", "_spelling", "_stamp", "header", "path", "units")

    def __init__(self, path: "str | bytes | os.PathLike[str]", *, copied: bool = False) -> None:
        # Absolute, so that it stays valid from another folder.
        self.path = os.path.join(os.getcwd(), os.fsdecode(path))
        self._map: mmap | None = None
        """None: the units are a copy."""
        try:
            # Non-blocking: the path may be a pipe without a writer.
            descriptor = os.open(self.path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        except (OSError, ValueError) as error:
            raise Unreadable(
                where=self.path, expected="a lexicon file", found=reason(error), remedy="Give the path of a .dawg file"
            ) from error
        try:
            self._stamp = os.fstat(descriptor)
            self.header, content = self._opened(descriptor, copied=copied)
        except LexiconError as error:
            error.locate(self.path)
            raise
        except (OSError, ValueError) as error:
            raise Unreadable(
                where=self.path, expected="to map the file into memory", found=reason(error), remedy="Copy it to a working local disk"
            ) from error
        finally:
            os.close(descriptor)
        self.units = memoryview(content)[self.header.size :].cast("I")
        self._quick = self.header.quick
        self._root = self.header.root << 8
        self._spelling: Spelling | None = None

    @classmethod
    def open(cls, path: "str | bytes | os.PathLike[str]", *, copied: bool = False) -> "Self":
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

    def _opened(self, descriptor: int, *, copied: bool) -> tuple[Header, mmap | bytes]:
        mode, file_size = self._stamp.st_mode, self._stamp.st_size
        if not S_ISREG(mode):
            found = "a folder" if S_ISDIR(mode) else "a device or a pipe"
            raise Unreadable(expected="a lexicon file", found=found, remedy="Give the path of a .dawg file")
        if byteorder != "little":
            raise Unreadable(expected="a little-endian machine, as the file is", found="a big-endian one", remedy="Use another machine")
        # Read, not mapped: a file being truncated must not kill the process here.
        beginning = os.pread(descriptor, _BEGINNING, 0)
        size = header_size(beginning, file_size)
        header = Header(beginning[:size] if size <= _BEGINNING else os.pread(descriptor, size, 0))
        if file_size != size + 4 * header.units:
            raise Damaged(
                expected=Phrase("{size} bytes", size=size + 4 * header.units),
                found=Phrase("{size}: the file was cut or added to", size=file_size),
                remedy="Copy it again",
            )
        if not copied:
            self._map = mmap(descriptor, file_size, access=ACCESS_READ)
            return header, self._map
        with open(descriptor, "rb", closefd=False) as file:
            content = file.read(file_size)
        if len(content) < file_size:
            found = Phrase("{size}: the file was cut while it was read", size=len(content))
            raise Damaged(expected=Phrase("{size} bytes", size=file_size), found=found, remedy="Copy it again")
        return header, content

    def payload(self) -> bytes:
        """Return a copy of all units' bytes; raises ``Unreadable``. Reads a mapped file if it still exists, so that a worn card gives an error, not a crash."""
        if self._map is not None:
            from faults.small_file import open_regular  # noqa: PLC0415 - not needed for look-ups

            try:
                with open_regular(self.path) as file:
                    if _same_file(os.fstat(file.fileno()), self._stamp):
                        file.seek(self.header.size)
                        return file.read()
            except FileNotFoundError:
                pass
            except OSError as error:
                raise Unreadable(
                    where=self.path, expected="to read the file", found=reason(error), remedy="Copy it to a working disk"
                ) from error
        return self.units.tobytes()

    def sha256(self) -> str:
        """Return the SHA-256 of header and units in hex: that of the file as mapped. Raises as ``payload``."""
        from hashlib import sha256  # noqa: PLC0415 - not needed for look-ups

        digest = sha256(self.header.data)
        # Hash a copy in place; through a slice, so that another thread can close the view meanwhile.
        digest.update(self.units[:] if self._map is None else self.payload())
        return digest.hexdigest()

    def check(self) -> None:
        """Check that the file is still what was mapped; raises ``Damaged``. Cheap enough for every verdict. Always true of a copy.

        Truncating a mapped file between this check and a look-up kills the process; Python cannot prevent that.
        """
        if self._map is None:
            return
        size = self._map.size()
        if size < self._stamp.st_size:
            raise Damaged(
                where=self.path,
                expected=Phrase("{size} bytes", size=self._stamp.st_size),
                found=Phrase("{size}: the file was cut while it was open", size=size),
                remedy="Copy it again, then reopen it",
            )
        try:
            now = os.stat(self.path)
        except OSError:
            return
        if _same_file(now, self._stamp) and (now.st_mtime_ns, now.st_ctime_ns) != (self._stamp.st_mtime_ns, self._stamp.st_ctime_ns):
            self._check_units()
            self._stamp = now

    def _check_units(self) -> None:
        from hashlib import sha256  # noqa: PLC0415 - only needed if the file was touched

        if sha256(self.payload()).digest() != self.header.payload_sha256:
            raise Damaged(
                where=self.path, expected="the file as it was opened", found="it changed in place", remedy="Copy it again, then reopen it"
            )

    def close(self) -> None:
        """Release the file and its memory; what reads the lexicon after that raises Python's own ``ValueError``."""
        self.units.release()
        if self._map is not None:
            self._map.close()

    def __contains__(self, word: str) -> bool:
        """Return whether ``word`` is in the list. For verdicts use ``accepts``: this does not check whether the file has changed.

        Raises:
            Ambiguous: tiles spell it in several ways, and the list has words that begin like it.
            Damaged: the graph leads out of the file, which was never verified or has changed since.
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
        """Return whether the word with these tile numbers (``spelling.codes``) is in the list; raises ``Damaged``, see ``__contains__``."""
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
        return unit

    def edges(self, unit: int) -> list[int]:
        """Return the units that can follow ``unit``, in tile order; raises as ``holds``."""
        base = unit >> 8
        if not base:
            return []
        following = self.units[base + 1 : base + 1 + self.header.tiles]
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
        """
        return map(self.spelling.text, self.walk(self.spelling.codes(prefix)))

    def walk(self, prefix: bytes = b"") -> "Iterator[bytes]":
        """Yield the words that begin with the tiles ``prefix``, as tile numbers, in order.

        Bounded also for a file that was not verified. Raises ``Damaged`` if the file has longer or more words than its header says, or leads out of itself.
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

        Raises ``Damaged`` with a message that says what is wrong.
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


def _same_file(one: os.stat_result, other: os.stat_result) -> bool:
    return one.st_ino == other.st_ino and one.st_dev == other.st_dev
