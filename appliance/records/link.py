"""A row in the hash chain of a file of record, whatever the program that wrote it records."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

_Content_co = TypeVar("_Content_co", covariant=True)


@dataclass(frozen=True, slots=True)
class ChainLink(Generic[_Content_co]):
    """A stored row."""

    seq: int
    """Its number in the file, from 1."""
    row: _Content_co
    """What the program recorded."""
    hash: str
    """Covers number and content, and the hash of the row before."""


HashedLink: TypeAlias = ChainLink[Sequence[object]]
"""A stored row as the fields that its hash covers: all that verification and the hall need of it."""
