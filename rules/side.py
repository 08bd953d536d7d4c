"""The two sides of the table, and pairs of values.

Every value per side (time used, points, readings) is a ``BySide``: never use ``left_x`` and ``right_x``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import Enum
from operator import attrgetter
from typing import Generic, TypeVar

from msgspec import Struct

E = TypeVar("E", bound=Enum)


def plain_members(kind: type[E]) -> type[E]:
    """Return ``kind`` with its members as plain attributes, hashed by identity.

    Python 3.11 calls a function written in Python at each ``kind.MEMBER``, which an event does some twenty times: a tenth of replay's time; likewise to hash one, and for its value.
    """
    type.__setattr__(kind, "__hash__", object.__hash__)
    type.__setattr__(kind, "value", property(attrgetter("_value_")))
    for member in kind:
        type.__setattr__(kind, member.name, member)
    return kind


T = TypeVar("T")
U = TypeVar("U")


@plain_members
class Side(Enum):
    LEFT = "left"
    RIGHT = "right"

    other: Side

    def __str__(self) -> str:
        return str(self.value)


# Plain attributes for speed, not a property: every press uses them.
Side.LEFT.other = Side.RIGHT
Side.RIGHT.other = Side.LEFT


class BySide(Struct, Generic[T], frozen=True):
    left: T
    right: T

    @classmethod
    def both(cls, value: T) -> BySide[T]:
        return cls(value, value)

    def of(self, side: Side) -> T:
        return self.left if side is Side.LEFT else self.right

    def replace(self, side: Side, value: T) -> BySide[T]:
        return BySide(value, self.right) if side is Side.LEFT else BySide(self.left, value)

    def swapped(self) -> BySide[T]:
        return BySide(self.right, self.left)

    def map(self, change: Callable[[T], U]) -> BySide[U]:
        return BySide(change(self.left), change(self.right))

    def items(self) -> Iterator[tuple[Side, T]]:
        yield Side.LEFT, self.left
        yield Side.RIGHT, self.right
