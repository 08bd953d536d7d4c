"""Files that a person writes: settings, rulebooks, boards, alphabets. Whatever stands in their place, reading them ends soon and takes little memory."""

from __future__ import annotations

import errno
import os
import stat
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any, BinaryIO, Final

from faults.errors import Phrase, TileclockError, reason

MOST: Final = 64 * 1024
"""Bytes. The largest that is shipped has 4,000."""
_NOTHING: Final = Path(os.devnull)
"""As an option it asks for the defaults."""
_MOST_DOTS: Final = 100
"""In a line: for a key of thousands of parts the parser takes minutes."""


_read: Final[ContextVar[dict[str, bytes] | None]] = ContextVar("read", default=None)


@contextmanager
def read_once() -> Iterator[Mapping[str, bytes]]:
    """Within the block ``read_small`` reads each file once: a second read returns the same bytes. Yields them by absolute path."""
    found: dict[str, bytes] = {}
    token = _read.set(found)
    try:
        yield found
    finally:
        _read.reset(token)


def read_small(path: Path | str) -> bytes:
    """Return the content of the file at ``path``. Raises OSError, also where a folder, a pipe, a device or a larger file is there."""
    if Path(path) == _NOTHING:
        return b""
    known, place = _read.get(), os.path.abspath(path)  # noqa: PTH100 - Path.resolve would follow links
    if known is not None and place in known:
        return known[place]
    with open_regular(path) as file:
        content = file.read(MOST + 1)
    if len(content) > MOST:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
    if known is not None:
        known[place] = content
    return content


def open_regular(path: Path | str) -> BinaryIO:
    """Open the file at ``path`` for reading. Raises OSError, also where a folder, a pipe or a device is there, even if only since a moment ago."""
    # O_PATH does not open it yet: a pipe would block, and some devices act at once.
    place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        mode = os.fstat(place).st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if not stat.S_ISREG(mode):
            raise OSError(errno.EINVAL, "no regular file")
        return Path(f"/proc/self/fd/{place}").open("rb")
    finally:
        os.close(place)


def read_written(path: str, what: str, unreadable: type[TileclockError]) -> bytes:
    """Return the content of a file that a person names; raises ``unreadable``. ``what``: such as "a rulebook's file"."""
    try:
        return read_small(path)
    except OSError as error:
        raise unreadable(where=path, expected=what, found=reason(error), remedy="Check the path") from error
    except ValueError as error:  # a NUL in the path
        raise unreadable(where=repr(path), expected=what, found=reason(error), remedy="Check the path") from error


def toml_in(file: Path | str, content: bytes, wrong: type[TileclockError]) -> dict[str, Any]:
    """Return the tables in the ``content`` of ``file``; raises ``wrong``."""
    try:
        return parsed_toml(content)
    except UnicodeDecodeError as error:
        found = Phrase("letters of another kind in line {line}", line=content.count(b"\n", 0, error.start) + 1)
        raise wrong(where=file, expected="TOML in UTF-8", found=found, remedy="Save it as UTF-8") from error
    # The parser raises a plain ValueError for a number of thousands of digits, and recurses into tables.
    except (ValueError, RecursionError) as error:
        raise no_toml(file, error, wrong) from error


def no_toml(file: Path | str, error: Exception, wrong: type[TileclockError]) -> TileclockError:
    """Return the error for a file that the parser, or a walk through its tables, rejects."""
    found = "tables nested too deep" if isinstance(error, RecursionError) else Phrase("a fault: {error}", error=str(error))
    return wrong(where=file, expected="TOML in UTF-8", found=found, remedy="Correct the line")


def parsed_toml(content: bytes) -> dict[str, Any]:
    """Return the tables in ``content``, with or without byte order mark. Raises UnicodeDecodeError, another ValueError, or RecursionError."""
    text = content.decode("utf-8-sig")
    if any(line.count(".") > _MOST_DOTS for line in text.splitlines() if not line.lstrip().startswith("#")):
        raise ValueError(f"more than {_MOST_DOTS} dots in a line")
    return tomllib.loads(text)
