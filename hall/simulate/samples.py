"""Readings once a second, kept in flat arrays: a million of them fit in memory and are quick to compare."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from rules.side import BySide

UNKNOWN: Final = -(1 << 63)
"""No reading: the clock was not known, or stale."""


class Samples:
    """The remaining ns of both sides, for each of some tables and each second."""

    def __init__(self, tables: range, seconds: int) -> None:
        self.tables, self.seconds = tables, seconds
        self._values = array("q", [UNKNOWN]) * (len(tables) * seconds * 2)

    def put(self, table: int, second: int, left: int, right: int) -> None:
        """Keep a reading."""
        place = self._place(table, second)
        self._values[place], self._values[place + 1] = left, right

    def at(self, table: int, second: int) -> BySide[int]:
        """Return a reading."""
        place = self._place(table, second)
        return BySide(self._values[place], self._values[place + 1])

    def write(self, path: Path) -> None:
        """Write them to a file."""
        with path.open("wb") as file:
            self._values.tofile(file)

    @classmethod
    def read(cls, path: Path, tables: range, seconds: int) -> Samples:
        """Read them again."""
        samples = cls(tables, seconds)
        samples._values = array("q")
        with path.open("rb") as file:
            samples._values.fromfile(file, path.stat().st_size // samples._values.itemsize)
        return samples

    def _place(self, table: int, second: int) -> int:
        return ((table - self.tables.start) * self.seconds + second) * 2


def apart(true: Samples, seen: Samples, left_out: range) -> Iterator[int]:
    """Yield how far ``seen`` is from ``true``, the worse of both sides, in ns.

    Args:
        true: of some tables.
        seen: of all tables.
        left_out: seconds that do not count.
    """
    for table in true.tables:
        for second in range(true.seconds):
            if second in left_out:
                continue
            own, remote = true.at(table, second), seen.at(table, second)
            if UNKNOWN not in (own.left, own.right, remote.left, remote.right):
                yield max(abs(own.left - remote.left), abs(own.right - remote.right))
