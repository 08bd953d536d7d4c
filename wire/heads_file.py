"""Files of heads that the hall has kept, and of the roots that cover them, as `tilehall heads` writes them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Final

from faults.errors import TileclockError, reason
from wire.roots import FIRST, KnownHead, RootOfHeads, next_root
from wire.topics import is_device

_FIELDS: Final = 4
_REMEDY: Final = "Let the hall write the file anew"


class BadHeads(TileclockError, ValueError):
    """The file is unusable."""


def read_heads(path: Path) -> tuple[KnownHead, ...]:
    """Return the heads in a file with a line ``device epoch seq head`` for each, as `tilehall` writes them.

    Raises:
        BadHeads: it cannot be read, or has another line.
    """
    return tuple(_known(where, line.split()) for where, line in _lines(path))


def read_roots(path: Path) -> tuple[RootOfHeads, ...]:
    """Return the roots, computed from a file with a line ``n device epoch seq head`` for each head that root n covers.

    Raises:
        BadHeads: it cannot be read, has another line, or lacks a root before another one.
    """
    found = FIRST
    roots: list[RootOfHeads] = []
    for number, group in groupby(_lines(path), key=lambda each: each[1].split()[0]):
        where, _ = each = next(group)
        if number != str(found.n + 1):
            raise BadHeads(where=where, expected=f"root {found.n + 1}", found=number[:80], remedy=_REMEDY)
        found = next_root(found, (_known(at, line.split()[1:]) for at, line in (each, *group)))
        roots.append(found)
    return tuple(roots)


def _lines(path: Path) -> Iterator[tuple[str, str]]:
    """Yield where each line stands, and the line."""
    try:
        lines = path.read_text(encoding="ascii").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        found = reason(error) if isinstance(error, OSError) else "another kind of file"
        raise BadHeads(where=path, expected="a file with heads", found=found, remedy="Check the path") from error
    return ((f"{path}, line {number}", line) for number, line in enumerate(lines, 1) if line.strip())


def _known(where: str, fields: Sequence[str]) -> KnownHead:
    if len(fields) == _FIELDS and is_device(fields[0]) and fields[2].isdigit():
        return KnownHead(fields[0], fields[1], int(fields[2]), fields[3])
    raise BadHeads(where=where, expected="device, epoch, row and hash", found=" ".join(fields)[:80], remedy=_REMEDY)
