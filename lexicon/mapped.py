"""A lexicon file mapped into memory, and whether it is still the one that was mapped: what an open ``Lexicon`` looks words up in.

New editions arrive under the same name as another file, which leaves the mapped one whole. A file that is written to or cut where it lies is another matter:
the first changes answers, the second ends the process that reads what is gone. Who must go on whatever becomes of the file maps a sealed copy instead.
"""

import os
from mmap import ACCESS_READ, mmap
from stat import S_ISDIR, S_ISREG
from sys import byteorder

from lexicon.errors import Closed, Damaged, LexiconError, Unreadable, reason
from lexicon.header import Header, header_size

_BEGINNING = 4096
"""Bytes read at once: the header, unless its alphabet is very large."""


class Mapped:
    """The mapped file at ``path``, its header read and checked, its size as the header says.

    Args:
        path: of the file, by which it is named in every sentence.
        copied: what is mapped is a copy of its bytes, made now and sealed: nothing that becomes of the file or of the disk reaches it.

    Raises:
        Unreadable: there is no such file, or it may not be read; or there is no memory for the copy.
        NotALexicon: it is another kind of file, or of another version.
        Damaged: its header or its size is not as it was built.
    """

    __slots__ = ("_map", "_stamp", "closed", "copied", "header", "path", "units")

    def __init__(self, path: "str | bytes | os.PathLike[str]", *, copied: bool = False) -> None:
        # From the root on, so that it can be asked for again from another folder.
        self.path = os.path.join(os.getcwd(), os.fsdecode(path))
        self.closed = False
        self.copied = copied
        try:
            # Not blocking: what was named may be a pipe that nobody writes to.
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
                where=self.path, expected="to map the file into memory", found=reason(error), remedy="Copy it to a sound local disk"
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
        # Read, not mapped: a file that is being cut must not end the process here.
        beginning = os.pread(descriptor, _BEGINNING, 0)
        size = header_size(beginning, file_size)
        header = Header(beginning[:size] if size <= _BEGINNING else os.pread(descriptor, size, 0))
        if file_size != size + 4 * header.units:
            raise Damaged(
                expected=f"{size + 4 * header.units} bytes", found=f"{file_size}: the file was cut or added to", remedy="Copy it anew"
            )
        if self.copied:
            return _copied(descriptor, file_size, header), header
        return mmap(descriptor, file_size, access=ACCESS_READ), header

    def payload(self) -> bytes:
        """Return a copy of all the units' bytes, read from a mapped file if it is still there: what a worn card cannot read is then an error, not the end.

        Raises:
            Closed: the file is closed.
            Unreadable: the disk fails.
        """
        if self.closed:
            raise self.closed_error()
        if not self.copied:
            try:
                with open(self.path, "rb") as file:
                    if _same_file(os.fstat(file.fileno()), self._stamp):
                        file.seek(self.header.size)
                        return file.read()
            except FileNotFoundError:
                pass
            except OSError as error:
                raise Unreadable(
                    where=self.path, expected="to read the file", found=reason(error), remedy="Copy it to a sound disk"
                ) from error
        try:
            return self.units.tobytes()
        except ValueError as error:
            raise self.closed_error() from error

    def sha256(self) -> str:
        """Return the SHA-256 of the header and all units, in hex: that of the file, as it was mapped.

        Raises:
            Closed, Unreadable: as for ``payload``.
        """
        from hashlib import sha256  # noqa: PLC0415 - a look-up does without it

        digest = sha256(self.header.data)
        try:
            # Of a copy where it lies. A slice: the view itself could not be closed meanwhile.
            digest.update(self.units[:] if self.copied else self.payload())
        except ValueError as error:
            raise self.closed_error() from error
        return digest.hexdigest()

    def check(self) -> None:
        """Make sure that the file is still what was mapped; cheap enough for every verdict. A copy always is.

        A mapped file that is cut between this and a look-up would end the process, and nothing in Python can prevent that.

        Raises:
            Damaged: the file was cut, or its units were changed, where it lies.
            Closed: the file is closed.
        """
        if self.closed:
            raise self.closed_error()
        if self.copied:
            return
        try:
            size = self._map.size()
        except ValueError as error:
            # Closed by another thread since the line above.
            raise self.closed_error() from error
        if size < self._stamp.st_size:
            raise Damaged(
                where=self.path,
                expected=f"{self._stamp.st_size} bytes",
                found=f"{size}: the file was cut while it was open",
                remedy="Copy it anew, open it again",
            )
        now = self._there()
        if (
            now is not None
            and _same_file(now, self._stamp)
            and (now.st_mtime_ns, now.st_ctime_ns) != (self._stamp.st_mtime_ns, self._stamp.st_ctime_ns)
        ):
            from hashlib import sha256  # noqa: PLC0415 - loaded only when something touched the file

            if sha256(self.payload()).digest() != self.header.payload_sha256:
                raise Damaged(
                    where=self.path,
                    expected="the file as it was opened",
                    found="it changed in place",
                    remedy="Copy it anew, then open it again",
                )
            self._stamp = now

    @property
    def replaced(self) -> bool:
        """Whether there is no longer this file under its path: removed, or another one in its place."""
        now = self._there()
        return now is None or not _same_file(now, self._stamp)

    def _there(self) -> os.stat_result | None:
        try:
            return os.stat(self.path)
        except OSError:
            return None

    def close(self) -> None:
        """Let go of the file; closing again does nothing."""
        self.closed = True
        self.units.release()
        try:
            self._map.close()
        except BufferError:
            # Another thread is in the middle of a read; the map goes with the last of them.
            return

    def closed_error(self) -> Closed:
        """Return the refusal of whoever asks a closed file."""
        return Closed(where=self.path, expected="an open lexicon", found="it closed", remedy="Open it again")


def _copied(descriptor: int, size: int, header: Header) -> mmap:
    """Map a sealed copy of the file that this header was read from."""
    from lexicon.sealed import sealed  # noqa: PLC0415 - a plain map does without it

    copy = sealed(descriptor, size)
    try:
        if os.pread(copy, header.size, 0) != header.data:
            raise Damaged(expected="a file that stays as it is while it is read", found="it changed", remedy="Copy it anew")
        return mmap(copy, size, access=ACCESS_READ)
    finally:
        os.close(copy)


def _same_file(one: os.stat_result, other: os.stat_result) -> bool:
    return one.st_ino == other.st_ino and one.st_dev == other.st_dev
