"""Files and their names: companion files, identity, permissions, renaming damaged files, atomic writes; and one writer per file.

Two programs on one file would mix two histories in one chain. The lock is the kernel's (flock): it ends with the process that holds it, however that ends.
"""

import fcntl
import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, TypeAlias

from appliance.errors import InUse, NoFile, RecordError
from faults.errors import Phrase, as_phrase, reason

SIDECARS: Final = ("-wal", "-shm")
LOCK: Final = "-lock"
"""Suffix of the lock file (``lock``). It stays, and shows that a file of record had that name."""
UNFINISHED: Final = ".new"
"""Suffix of a new file until it is complete (``sqlite.create``)."""
FILE_SUFFIXES: Final = ("", *SIDECARS, "-journal", LOCK, UNFINISHED)
PRIVATE: Final = 0o640
"""Permissions of a new private file, before the umask."""
OWNER_ONLY: Final = 0o600
PUBLIC: Final = 0o644
"""Permissions of a new file that all may read, such as the access list, before the umask. Only its owner writes it, whatever the umask."""
MAGIC: Final = b"SQLite format 3\0"
_ID_BYTES: Final = 4
_APPLICATION_ID: Final = slice(68, 68 + _ID_BYTES)
"""The place of the application id (SQLite's file format, 1.3)."""
FileIdentity: TypeAlias = tuple[int, int] | None


def beside(path: Path, suffix: str) -> Path:
    return path.with_name(f"{path.name}{suffix}")


def identity(path: Path) -> FileIdentity:
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino


def is_missing(path: Path) -> bool:
    """Return whether nothing exists at ``path``; False if permissions hide it."""
    try:
        path.lstat()
    except PermissionError:
        return False
    except OSError:
        return True
    return False


def is_closed(path: Path) -> bool:
    """Return whether permissions hide ``path`` or deny reading the file there; any other reason raises ``OSError``."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return False
    except PermissionError:
        return True
    # Do not open it: a pipe would block.
    return stat.S_ISREG(found.st_mode) and not os.access(path, os.R_OK, effective_ids=True)


def require_file(path: Path, expected: str) -> None:
    """Check that ``path`` is a regular file or does not exist; raises ``NoFile`` for a folder, device or pipe, or ``OSError``."""
    if path.is_dir():
        raise NoFile("it is a folder", expected=expected, remedy="Name a file in it", where=path)
    if path.exists() and not path.is_file():
        raise NoFile("it is not a regular file", expected=expected, remedy="Name a regular file", where=path)


def belongs(target: Path, record: Path, suffixes: Sequence[str] = FILE_SUFFIXES) -> bool:
    """Return whether ``target`` is the file of record or (by ``suffixes``) a companion, existing or not, under any name; raises ``OSError``."""
    found, place = identity(target), os.path.realpath(target)
    # SQLite puts its companions beside a link's target, ours are beside the link.
    own_paths = {beside(each, suffix) for each in (record, Path(os.path.realpath(record))) for suffix in suffixes}
    return any(os.path.realpath(own) == place or (found is not None and identity(own) == found) for own in own_paths)


def is_foreign(path: Path, application_id: int | None = None) -> bool:
    """Return whether the file at ``path`` was never a file of record, by its first bytes and the lack of companion files; raises ``OSError``.

    An empty file, or one that begins with zeros, may have been one before a power cut. The check does not open the database, which would create files beside it.
    An ``application_id`` of None accepts any SQLite file.
    """
    if not path.is_file() or any(beside(path, suffix).exists() for suffix in (*SIDECARS, LOCK)):
        return False
    with path.open("rb") as file:
        head = file.read(_APPLICATION_ID.stop)
    if head.startswith(MAGIC):
        found = head[_APPLICATION_ID]
        return application_id is not None and len(found) == _ID_BYTES and int.from_bytes(found, "big") != application_id
    return any(head[: len(MAGIC)])


def deny_others(path: Path) -> None:
    with suppress(OSError):
        mode = path.stat().st_mode
        if stat.S_ISREG(mode) and mode & stat.S_IRWXO:
            path.chmod(stat.S_IMODE(mode) & ~stat.S_IRWXO)


def set_aside(path: Path, now: datetime, suffixes: Sequence[str] = ("", *SIDECARS)) -> Path:
    """Rename the file and (by ``suffixes``) SQLite's companions, never onto an existing file; return the new path. Raises ``OSError``."""
    stem = f"{path.name}.{now.astimezone(UTC):%Y-%m-%dT%H-%M-%SZ}.damaged"
    target, count = path.with_name(stem), 1
    while any(beside(target, suffix).exists() for suffix in ("", *SIDECARS)):
        count += 1
        target = path.with_name(f"{stem}.{count}")
    for suffix in suffixes:
        if beside(path, suffix).exists():
            beside(path, suffix).rename(beside(target, suffix))
    return target


def write_whole(path: Path, content: bytes, permissions: int = PRIVATE, *, for_owner: bool = False) -> None:
    """Write ``content`` to ``path`` atomically: into a draft beside it, flushed to the disk, then renamed. After an ``OSError`` the old file is unchanged.

    The draft's name is unique: two processes may write the same file. A killed process leaves its draft, ``.NAME.*.part``, which can be deleted. ``permissions``
    count before the umask; ``for_owner``: written by root, it belongs to the owner of the folder.
    """
    draft = path.with_name(f".{path.name[:50]}.{os.urandom(4).hex()}.part")
    try:
        with open(draft, "xb", opener=lambda name, flags: os.open(name, flags, permissions)) as file:
            if for_owner:
                give_to_owner(file.fileno(), path.parent)
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except OSError:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
        raise
    sync(path.parent)


def require_another(target: Path, record: Path, kind: str, suffixes: Sequence[str] = FILE_SUFFIXES) -> None:
    """Raise RecordError if ``target`` is the file of record or one of its files, under any name, or cannot be examined; but not for lack of permission.

    ``kind``: which file it is, for the sentence: ``the journal``.
    """
    try:
        own = belongs(target, record, suffixes)
    except PermissionError:
        # Without the permission to look, reading or writing fails next, with its own message.
        return
    except OSError as error:
        raise RecordError(where=target, expected="a file to write", found=reason(error), remedy="Check the path and the disk") from error
    if own:
        found = Phrase("{record} itself, or one of its files", record=as_phrase(kind))
        raise RecordError(where=target, expected="a file to write an export to", found=found, remedy="Give another name")


def write_export(target: Path, lines: Iterable[str], permissions: int) -> int:
    """Write ``lines`` to ``target`` in UTF-8, whole or not at all; return their number once they are on the disk.

    Raises RecordError: it cannot be written; NoFile: ``target`` is a folder, a device or a pipe.
    """
    whole = [line.encode() for line in lines]
    require_file(target, "a file to write")
    try:
        # Keep a link and replace its target.
        write_whole(target.resolve(), b"".join(whole), permissions)
    except OSError as error:
        raise RecordError(where=target, expected="a file to write", found=reason(error), remedy="Check the path and the disk") from error
    return len(whole)


def make_folder(path: Path) -> None:
    """Make a folder and those above it that are missing. Made by root, each belongs to the owner of the one above it. Raises ``OSError``."""
    if path.is_dir():
        return
    make_folder(path.parent)
    path.mkdir(exist_ok=True)
    # The owner of the folder above might put a link in its place.
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        give_to_owner(descriptor, path.parent)
    finally:
        os.close(descriptor)


def give_to_owner(descriptor: int, folder: Path) -> None:
    """Give a new file or folder, made by root, to the owner of its folder: a service that root prepares runs as another user. Raises ``OSError``."""
    if os.geteuid() == 0:
        owner = folder.stat()
        os.fchown(descriptor, owner.st_uid, owner.st_gid)


def sync(path: Path) -> None:
    """Flush the file, or a folder's entries, to the disk; raises ``OSError``."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


EXPECTED: Final = "a file that no other program writes to"
REMEDY: Final = "End that program, or name another file"


@contextmanager
def only_writer(path: Path, expected: str = EXPECTED, remedy: str = REMEDY, application_id: int | None = None) -> Iterator[bool]:
    """Lock the file at ``path`` for this process; yield whether it is locked. Raises ``InUse``, with ``expected`` and ``remedy``.

    Without a lock file (a read-only disk) nothing can be written either; other code reports that, and the program goes on. It also goes on, without a lock file,
    if a foreign file (by ``application_id``; None: accept any database) stands at ``path``, which is not the lock file.
    """
    descriptor = _opened(path, application_id)
    if descriptor is None:
        yield False
        return
    try:
        _hold(descriptor, path, expected, remedy)
        yield True
    finally:
        os.close(descriptor)


@contextmanager
def folder_lock(folder: Path) -> Iterator[None]:
    """Hold the lock of ``folder`` within the block; wait while another process holds it. Raises ``OSError`` if there is no such folder."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _opened(path: Path, application_id: int | None) -> int | None:
    with suppress(OSError):
        if not is_foreign(path, application_id):
            path.parent.mkdir(parents=True, exist_ok=True)
            return os.open(beside(path, LOCK), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, PRIVATE)
    return None


def _hold(descriptor: int, path: Path, expected: str, remedy: str) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        holder = os.pread(descriptor, 20, 0).decode(errors="replace").strip() or "unknown"
        raise InUse(Phrase("it is in use by process {process}", process=holder), expected=expected, remedy=remedy, where=path) from error
    # Only so that another program can say who: it is held on a full disk too.
    with suppress(OSError):
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
