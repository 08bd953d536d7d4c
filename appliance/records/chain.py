"""The hash chain of a file of record, whatever the program that wrote it records: each row's hash covers the previous row's.

So changed, inserted and removed rows are detected. It shows tampering to anyone who noted an earlier head. It cannot prevent the writing of a whole new chain.
Loads no SQLite: command lines use it.
"""

import hashlib
import json
from collections.abc import Sequence
from typing import Final, Generic, TypeAlias, TypeVar

from msgspec import Struct
from msgspec.structs import astuple

GENESIS: Final = "0" * 64
"""The hash "before" the first row."""


def chained(previous: str, fields: Sequence[object]) -> str:
    """Return the SHA-256, in hexadecimal, of the previous row's hash ``previous`` and this row's ``fields`` as compact JSON."""
    canonical = json.dumps(fields, separators=(",", ":"))
    return hashlib.sha256(f"{previous}\n{canonical}".encode()).hexdigest()


def covered(seq: int, row: Struct) -> list[object]:
    """Return what a row's hash covers besides the hash of the row before: all other columns, which are the fields of ``row``."""
    return [seq, *astuple(row)]


NOTED_DIGITS: Final = 16
"""How much of a hash proves something: rows whose hash begins with eight given digits are found by trying in seconds, 16 in no lifetime."""


def short(full: str) -> str:
    return full[:NOTED_DIGITS]


_Content_co = TypeVar("_Content_co", covariant=True)


class ChainLink(Struct, Generic[_Content_co], frozen=True):
    seq: int
    row: _Content_co
    hash: str


HashedLink: TypeAlias = ChainLink[Sequence[object]]
"""A stored row as the fields that its hash covers: all that verification and the hall need of it."""
