"""What must be there, or of one kind, for types that allow more."""

from typing import TypeVar

T = TypeVar("T")


def some(found: T | None) -> T:
    assert found is not None
    return found


def of_kind(kind: type[T], found: object) -> T:
    assert isinstance(found, kind), found
    return found
