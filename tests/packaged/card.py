"""A card that has a cache of its own, and loses it with the power: what the machine wrote and had not flushed may be there, or not, or a part of it.

An emulator that is killed loses nothing that its machine had handed over, for this computer still writes it: kinder than a card. So every write is logged, by
qemu's blklogwrites driver, with the flushes between (the format is that of the kernel's dm-log-writes), and what the card holds is made of that log: all up
to the last flush, and of the rest what a die decides.
"""

import os
import random
import shutil
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

SECTOR: Final = 512
PAGE: Final = 4096
"""What a card writes whole or not at all; a longer write may be cut between two pages."""
_MAGIC: Final = 0x6A736677736872
_HEAD: Final = struct.Struct("<QQQL")
_ENTRY: Final = struct.Struct("<QQQQ")
_FLUSH: Final = 1
_DISCARD: Final = 4


@dataclass(frozen=True, slots=True)
class Write:
    """What the machine wrote at a byte of the disk."""

    at: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Cut:
    """What became of the writes of one life."""

    safe: int
    """So many were flushed."""
    lost: int
    """Of those that were not flushed, so many are gone, wholly or in part,"""
    stayed: int
    """and so many are there."""


def written(log: Path) -> list[Write | None]:
    """Return what the machine wrote, in its order; None is a flush.

    Raises:
        AssertionError: the log is none.
    """
    return list(_entries(log.read_bytes()))


def settle(entries: Sequence[Write | None], before: Path, card: Path, chance: random.Random) -> Cut:
    """Make ``card``: what a card that held ``before`` holds when the power is cut after ``entries``."""
    safe, cached = _by_flush(entries)
    shutil.copyfile(before, card)
    stayed = 0
    with card.open("r+b") as disk:
        for write in safe:
            os.pwrite(disk.fileno(), write.data, write.at)
        for write in cached:
            pages = -(-len(write.data) // PAGE)
            kept = chance.choice((0, pages, chance.randrange(pages + 1)))
            stayed += kept == pages
            os.pwrite(disk.fileno(), write.data[: kept * PAGE], write.at)
    return Cut(len(safe), len(cached) - stayed, stayed)


def _by_flush(entries: Sequence[Write | None]) -> tuple[list[Write], list[Write]]:
    last = max((place for place, entry in enumerate(entries) if entry is None), default=-1)
    safe, cached = ([entry for entry in part if entry is not None] for part in (entries[: max(0, last)], entries[last + 1 :]))
    return safe, cached


def _entries(raw: bytes) -> Iterator[Write | None]:
    """Yield the writes of a log; None is a flush. An entry that was being logged when the power went was never the machine's to rely on."""
    magic, _version, _count, sector = _HEAD.unpack_from(raw)
    assert (magic, sector) == (_MAGIC, SECTOR), f"not a log of writes: {raw[:32]!r}"
    place = SECTOR
    # The count in the head is behind; what was never logged is zero.
    while place + SECTOR <= len(raw) and any(raw[place : place + _ENTRY.size]):
        at, sectors, flags, _ = _ENTRY.unpack_from(raw, place)
        assert not flags & _DISCARD, "a data partition is mounted without discard"
        data = raw[place + SECTOR : place + SECTOR + sectors * SECTOR]
        if len(data) < sectors * SECTOR:
            return
        place += SECTOR + len(data)
        if data:
            yield Write(at * SECTOR, data)
        if flags & _FLUSH:
            yield None
