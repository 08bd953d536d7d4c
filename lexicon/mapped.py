"""A memory-mapped lexicon file, with checks that it is still the same file. An open ``Lexicon`` looks words up in it.

A new edition arrives as another file under the same name, which leaves the mapped file intact. Writing to the mapped file in place would change answers, and
truncating it would kill the process (SIGBUS). A program that must survive that maps a sealed copy instead.
"""

import os
from mmap import ACCESS_READ, mmap
from stat import S_ISDIR, S_ISREG
from sys import byteorder

from faults.errors import Phrase, reason
from lexicon.errors import Closed, Damaged, LexiconError, Unreadable
from lexicon.header import Header, header_size

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_BEGINNING = 4096
"""Bytes of the first read: the header, unless its alphabet is very large."""
_AT_ONCE = 1 << 18
"""Bytes copied at once: all the extra memory that a copy needs."""


class Mapped:
    """The mapped file at ``path``, with its header and size checked; raises as ``Lexicon.open`` does.

    ``copied``: map a sealed copy of its bytes, made now, which no later change or disk fault affects.
    """

    __slots__ = ("_map", "_stamp", "closed", "copied", "header", "path", "units")

    def __init__(self, path: "str | bytes | os.PathLike[str]", *, copied: bool = False) -> None:
        # Absolute, so that it stays valid from another folder.
        self.path = os.path.join(os.getcwd(), os.fsdecode(path))
        self.closed = False
        self.copied = copied
        try:
            # Non-blocking: the path may be a pipe without a writer.
            descriptor = os.open(self.path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        except (OSError, ValueError) as error:
            raise Unreadable(
                where=self.path, expected="a lexicon file", found=reason(error), remedy="Give the path of a .dawg file"
            ) from error
        try:
            self._stamp = os.fstat(descriptor)
            self._map, self.header = self._mapped(descriptor)
        except LexiconError as error:
            error.locate(self.path)
            raise
        except (OSError, ValueError) as error:
            raise Unreadable(
                where=self.path, expected="to map the file into memory", found=reason(error), remedy="Copy it to a working local disk"
            ) from error
        finally:
            os.close(descriptor)
        self.units = memoryview(self._map)[self.header.size :].cast("I")

    def _mapped(self, descriptor: int) -> tuple[mmap, Header]:
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
        if self.copied:
            return _sealed(descriptor, file_size, header), header
        return mmap(descriptor, file_size, access=ACCESS_READ), header

    def payload(self) -> bytes:
        """Return a copy of all units' bytes; raises ``Closed`` or ``Unreadable``. Reads a mapped file if it still exists, so that a worn card gives an error, not a crash."""
        if self.closed:
            raise self.closed_error()
        if not self.copied:
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
            # Hash a sealed copy in place; through a slice, so that the view itself can be closed meanwhile.
            digest.update(self.units[:] if self.copied else self.payload())
        except ValueError as error:
            raise self.closed_error() from error
        return digest.hexdigest()

    def check(self) -> None:
        """Check that the file is still what was mapped; raises ``Damaged`` or ``Closed``. Cheap enough for every verdict. Always true of a copy.

        Truncating a mapped file between this check and a look-up kills the process; Python cannot prevent that.
        """
        if self.closed:
            raise self.closed_error()
        if self.copied:
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
            self._map.close()
        except BufferError:
            # Another thread is reading; the map is freed when the last read ends.
            return

    def closed_error(self) -> Closed:
        return Closed(where=self.path, expected="an open lexicon", found="a closed one", remedy="Open it again")


def _sealed(descriptor: int, size: int, header: Header) -> mmap:
    """Map a copy of a file's first ``size`` bytes in memory, which nothing can change, us included; its header must still be the same.

    It is anonymous (memfd_create(2)) and sealed (fcntl(2), F_ADD_SEALS), so a map of it is always fully readable. Raises ``Damaged``: the file is shorter or
    another now; ``Unreadable``: not enough memory, or it cannot be sealed; ``OSError``: the disk fails.
    """
    import fcntl  # noqa: PLC0415 - not needed for a plain map

    def seal() -> int:
        return fcntl.fcntl(copy, fcntl.F_ADD_SEALS, fcntl.F_SEAL_WRITE | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SEAL)

    copy = _in_memory(lambda: os.memfd_create("lexicon", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING))
    try:
        at = 0
        while at < size:
            some = os.pread(descriptor, min(_AT_ONCE, size - at), at)
            if not some:
                found = Phrase("{size}: the file was cut while it was read", size=at)
                raise Damaged(expected=Phrase("{size} bytes", size=size), found=found, remedy="Copy it again")
            at += _in_memory(os.write, copy, some)
        _in_memory(seal)
        if os.pread(copy, header.size, 0) != header.data:
            raise Damaged(expected="a file that does not change while it is read", found="a change", remedy="Copy it again")
        return mmap(copy, size, access=ACCESS_READ)
    finally:
        os.close(copy)


def _in_memory(call: "Callable[..., int]", *arguments: "int | bytes") -> int:
    """Return what a system call for the copy returns; its errors are those of the memory, not the file's."""
    try:
        return call(*arguments)
    except (OSError, AttributeError) as error:
        # AttributeError: Python was built without memfd_create.
        remedy = "Close other programs; Linux 3.17 or later is needed"
        raise Unreadable(expected="memory for a copy that can be sealed", found=reason(error), remedy=remedy) from error


def _same_file(one: os.stat_result, other: os.stat_result) -> bool:
    return one.st_ino == other.st_ino and one.st_dev == other.st_dev
