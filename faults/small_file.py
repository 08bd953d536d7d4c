"""Files that a person writes: settings, rulebooks, boards, alphabets. Whatever stands in their place, reading them ends soon and takes little memory."""

from __future__ import annotations

import errno
import os
import stat
import tomllib
from pathlib import Path
from typing import Any, Final

MOST: Final = 64 * 1024
"""Bytes. The largest that is shipped has 4,000."""
_NOTHING: Final = Path(os.devnull)
"""As an option it asks for the defaults."""
_MOST_DOTS: Final = 100
"""In a line: for a key of thousands of parts the parser takes minutes."""


def read_small(path: Path | str) -> bytes:
    """Return the content of the file at ``path``. Raises OSError, also where a folder, a pipe, a device or a larger file is there."""
    path = Path(path)
    if path == _NOTHING:
        return b""
    mode = path.stat().st_mode
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not stat.S_ISREG(mode):
        # It is not opened: a pipe would block, and some devices act at once.
        raise OSError(errno.EINVAL, "no regular file")
    with path.open("rb") as file:
        content = file.read(MOST + 1)
    if len(content) > MOST:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
    return content


def parsed_toml(content: bytes) -> dict[str, Any]:
    """Return the tables in ``content``, with or without byte order mark. Raises UnicodeDecodeError, another ValueError, or RecursionError."""
    text = content.decode("utf-8-sig")
    if any(line.count(".") > _MOST_DOTS for line in text.splitlines() if not line.lstrip().startswith("#")):
        raise ValueError(f"more than {_MOST_DOTS} dots in a line")
    return tomllib.loads(text)
