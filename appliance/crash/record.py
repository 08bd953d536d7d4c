"""The crash record: a file in memory that a program writes without waiting for a disk, and its successor reads after a crash.

It contains a note that is replaced repeatedly (in two slots in turn: a SIGKILL while writing one leaves the other), appended entries that can be restarted, and
the instant of the program's end, which the sentinel (``note_end``) writes. Every part has a checksum or complement; invalid parts are ignored. Written with
``pwrite``, not through a mapping: a full or truncated file then gives an error instead of SIGBUS.

The program and its sentinel lock the file; the successor waits for the lock, so that it never reads before the sentinel has written. The file's folder is private
to the user, and preserved when the program restarts.
"""

import fcntl
import os
import signal
import stat
import struct
import sys
import time
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final, Protocol

from msgspec import Struct

from appliance.errors import NoCrashFolder
from appliance.records.files import UNFINISHED, beside
from faults.errors import reason

SHARED: Final = Path("/dev/shm")  # noqa: S108 - we create a private folder in it and check it
_PRIVATE: Final = 0o700


def crash_folder(name: str, environment: Mapping[str, str], shared: Path = SHARED) -> Path:
    """Return the folder; create it if missing. Raises ``NoCrashFolder`` if none is usable; the message says why.

    The first usable one of: systemd's folder for the service (``RUNTIME_DIRECTORY``), one in the user's ``XDG_RUNTIME_DIR``, one with the user id in its name
    in ``shared``, the folder in memory that all users share.
    """
    why = []
    for folder in _candidates(name, environment, shared):
        try:
            _own(folder)
        except OSError as error:
            why.append(f"{folder}: {reason(error)}")
        else:
            return folder
    raise NoCrashFolder(
        expected="a folder in memory for a record",
        found="; ".join(why),
        remedy="Start the program as a service, or as a user who is logged in",
    )


def _candidates(name: str, environment: Mapping[str, str], shared: Path) -> Iterator[Path]:
    # systemd separates several with colons; ours is the first.
    if runtime := environment.get("RUNTIME_DIRECTORY", "").partition(":")[0]:
        yield Path(runtime) / "crash"
    if session := environment.get("XDG_RUNTIME_DIR"):
        yield Path(session) / name
    yield shared / f"{name}-{os.geteuid()}"


def _own(folder: Path) -> None:
    """Create the folder; reject with ``OSError`` one that another user created or can write to."""
    if not folder.is_absolute():
        raise NotADirectoryError("expected an absolute path")
    try:
        folder.mkdir(_PRIVATE)
    except FileExistsError:
        found = folder.lstat()
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid() or found.st_mode & (stat.S_IRWXG | stat.S_IRWXO):
            raise PermissionError("it exists and is not a private folder of this user") from None
    if not os.access(folder, os.W_OK | os.X_OK, effective_ids=True):
        raise PermissionError("it is not writable")


_SCRIPT: Final = Path(__file__).with_name("note_end.py")


class Sentinel(Protocol):
    def close(self) -> None:
        """End the sentinel: this process ends normally."""


class EndNoter:
    """The sentinel as a separate process.

    It blocks all signals: systemd signals every process of a unit and a terminal every process of its session, but the sentinel must outlive this process. It ends
    by itself right after this process.
    """

    def __init__(self, record: int, offset: int) -> None:
        """Start it for the crash record with this descriptor; it writes at ``offset``, and shares the record's lock until then. Raises ``OSError``."""
        reads, self._writes = os.pipe()
        try:
            self._pid = os.posix_spawn(
                sys.executable,
                # Isolated and without site-packages: load nothing else, run no stray code.
                [sys.executable, "-I", "-S", str(_SCRIPT), str(offset)],
                {},
                file_actions=[
                    (os.POSIX_SPAWN_DUP2, reads, 0),
                    (os.POSIX_SPAWN_DUP2, record, 1),
                    (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
                ],
                setsigmask=signal.valid_signals(),
            )
        except OSError:
            os.close(self._writes)
            raise
        finally:
            os.close(reads)

    def close(self) -> None:
        os.close(self._writes)
        with suppress(ChildProcessError):
            os.waitpid(self._pid, 0)


_MAGIC: Final = b"TCLKCR01"
_END_AT: Final = 64
_SLOTS_AT: Final = (512, 2304)
_SLOT_BYTES: Final = 1792
_ENTRIES_AT: Final = 4096
_HEAD: Final = struct.Struct("<QII")
"""Sequence or generation number, payload length, checksum of number and payload."""
NOTE_BYTES: Final = _SLOT_BYTES - _HEAD.size
_END: Final = struct.Struct("<QQQQ")
_FULL: Final = (1 << 64) - 1
_MAX_BYTES: Final = 16 << 20
_OWN: Final = 0o600
LOCKED_S: Final = 10.0
"""How long the successor waits for the sentinel, which may itself wait for a processor, in s."""
_LOOKS_S: Final = 0.005


class LastEnd(Struct, frozen=True):
    """When the program ended: ns of CLOCK_MONOTONIC."""

    at: int | None
    """The instant of the end, by the kernel's counts; None: unknown."""
    noticed: int


class FoundCrash(Struct, frozen=True):
    note: bytes | None
    entries: tuple[bytes, ...]
    end: LastEnd | None
    """None: the sentinel was killed as well."""


class CrashRecord:
    """The record of the running program. Every writing method may raise ``OSError``; close the record then."""

    def __init__(self, path: Path, watch: Callable[[int, int], Sentinel] = EndNoter) -> None:
        """Create a new record beside ``path``; the previous program's record stays there until ``settle``. Raises ``OSError``.

        ``watch`` starts the sentinel for a descriptor and an offset in it.
        """
        self._path, self._new = path, beside(path, UNFINISHED)
        self._watch = watch
        self._sentinel: Sentinel | None = None
        self._sequence = self._generation = 0
        self._end = _ENTRIES_AT
        self._new.unlink(missing_ok=True)
        self._file = os.open(self._new, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW, _OWN)
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.pwrite(self._file, _MAGIC, 0)
        except OSError:
            self.close(keep=False)
            raise

    def settle(self) -> None:
        self._new.replace(self._path)
        self._new = self._path

    def watch(self) -> None:
        self._sentinel = self._watch(self._file, _END_AT)

    def note(self, payload: bytes) -> None:
        if len(payload) > NOTE_BYTES:
            raise OSError("the note is too long for a crash record")
        self._sequence += 1
        self._write(_sealed(self._sequence, payload), _SLOTS_AT[self._sequence % 2])

    def append(self, payload: bytes, *, afresh: bool) -> None:
        if afresh:
            self._generation, self._end = self._generation + 1, _ENTRIES_AT
        entry = _sealed(self._generation, payload)
        self._write(entry, self._end)
        self._end += len(entry)

    def close(self, *, keep: bool) -> None:
        if not keep:
            with suppress(OSError):
                self._new.unlink(missing_ok=True)
        if self._sentinel is not None:
            self._sentinel.close()
        os.close(self._file)

    def _write(self, content: bytes, at: int) -> None:
        if os.pwrite(self._file, content, at) != len(content):
            raise OSError("the crash record was written only in part")


def read_record(path: Path, locked_s: float = LOCKED_S) -> FoundCrash | None:
    """Return a crashed program's record at ``path``; None if missing or not trustworthy. Never raises for its content. Waits ``locked_s`` s for the sentinel."""
    try:
        file = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return None
    try:
        return _found(file, locked_s)
    except OSError:
        return None
    finally:
        os.close(file)


def _found(file: int, locked_s: float) -> FoundCrash | None:
    found = os.fstat(file)
    strange = not stat.S_ISREG(found.st_mode) or found.st_uid != os.geteuid() or found.st_mode & (stat.S_IRWXG | stat.S_IRWXO)
    if strange or found.st_size > _MAX_BYTES or not _unlocked(file, locked_s):
        return None
    content = os.pread(file, _MAX_BYTES, 0)
    if not content.startswith(_MAGIC):
        return None
    notes = [read for at in _SLOTS_AT if (read := _unsealed(content[at : at + _SLOT_BYTES])) is not None]
    return FoundCrash(max(notes, default=(0, None))[1], tuple(_entries(content)), _end(content))


def _unlocked(file: int, locked_s: float) -> bool:
    limit = time.monotonic() + locked_s
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > limit:
                return False
            time.sleep(_LOOKS_S)
        else:
            return True


def _sealed(number: int, payload: bytes) -> bytes:
    return _HEAD.pack(number, len(payload), _checksum(number, payload)) + payload


def _checksum(number: int, payload: bytes) -> int:
    return zlib.crc32(payload, zlib.crc32(number.to_bytes(8, "little")))


def _unsealed(content: bytes) -> tuple[int, bytes] | None:
    if len(content) < _HEAD.size:
        return None
    number, length, checksum = _HEAD.unpack_from(content)
    payload = content[_HEAD.size : _HEAD.size + length]
    return (number, payload) if number and len(payload) == length and checksum == _checksum(number, payload) else None


def _entries(content: bytes) -> Iterator[bytes]:
    """Yield the entries of one generation; remains of an earlier one may follow them."""
    at, generation = _ENTRIES_AT, None
    while (read := _unsealed(content[at:])) is not None and generation in (None, read[0]):
        generation = read[0]
        yield read[1]
        at += _HEAD.size + len(read[1])


def _end(content: bytes) -> LastEnd | None:
    if len(content) < _END_AT + _END.size:
        return None
    at, noticed, *complements = _END.unpack_from(content, _END_AT)
    if not noticed or complements != [at ^ _FULL, noticed ^ _FULL] or at > noticed:
        return None
    return LastEnd(at or None, noticed)
