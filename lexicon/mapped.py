"""A memory-mapped lexicon file, with checks that it is still the same file. An open ``Lexicon`` looks words up in it.

A new edition arrives as another file under the same name, which leaves the mapped file intact. Writing to the mapped file in place would change answers, and
truncating it would kill the process (SIGBUS). A program that must survive that has a copy of its bytes instead.
"""

import os
from mmap import ACCESS_READ, mmap
from stat import S_ISDIR, S_ISREG
from sys import byteorder

from faults.errors import Phrase, reason
from lexicon.errors import Closed, Damaged, LexiconError, Unreadable
from lexicon.header import Header, header_size

_BEGINNING = 4096
"""Bytes of the first read: the header, unless its alphabet is very large."""


class Mapped:
    """The mapped file at ``path``, with its header and size checked; raises as ``Lexicon.open`` does.

    ``copied``: have a copy of its bytes in memory, made now, which no later change or disk fault affects.
    """

    __slots__ = ("_map", "_stamp", "closed", "header", "path", "units")

    def __init__(self, path: "str | bytes | os.PathLike[str]", *, copied: bool = False) -> None:
        # Absolute, so that it stays valid from another folder.
        self.path = os.path.join(os.getcwd(), os.fsdecode(path))
        self.closed = False
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
        """Return a copy of all units' bytes; raises ``Closed`` or ``Unreadable``. Reads a mapped file if it still exists, so that a worn card gives an error, not a crash."""
        if self.closed:
            raise self.closed_error()
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
        try:
            return self.units.tobytes()
        except ValueError as error:
            raise self.closed_error() from error

    def sha256(self) -> str:
        """Return the SHA-256 of header and units in hex: that of the file as mapped. Raises as ``payload``."""
        from hashlib import sha256  # noqa: PLC0415 - not needed for look-ups

        digest = sha256(self.header.data)
        try:
            # Hash a copy in place; through a slice, so that the view itself can be closed meanwhile.
            digest.update(self.units[:] if self._map is None else self.payload())
        except ValueError as error:
            raise self.closed_error() from error
        return digest.hexdigest()

    def check(self) -> None:
        """Check that the file is still what was mapped; raises ``Damaged`` or ``Closed``. Cheap enough for every verdict. Always true of a copy.

        Truncating a mapped file between this check and a look-up kills the process; Python cannot prevent that.
        """
        if self.closed:
            raise self.closed_error()
        if self._map is None:
            return
        try:
            size = self._map.size()
        except ValueError as error:
            # Another thread has closed it since.
            raise self.closed_error() from error
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
        self.closed = True
        self.units.release()
        try:
            if self._map is not None:
                self._map.close()
        except BufferError:
            # Another thread is reading; the map is freed when the last read ends.
            return

    def closed_error(self) -> Closed:
        return Closed(where=self.path, expected="an open lexicon", found="a closed one", remedy="Open it again")


def _same_file(one: os.stat_result, other: os.stat_result) -> bool:
    return one.st_ino == other.st_ino and one.st_dev == other.st_dev
