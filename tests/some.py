"""What must be there, for types that allow None."""

from typing import TypeVar

T = TypeVar("T")


def some(found: T | None) -> T:
    assert found is not None
    return found
