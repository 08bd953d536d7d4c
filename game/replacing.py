"""Replace fields of a frozen value quickly: every event makes a new game and a new clock state."""

from __future__ import annotations

from typing import Any, TypeVar

T = TypeVar("T")


def changed(value: T, changes: dict[str, Any]) -> T:
    """Return a copy of ``value``, a frozen dataclass without slots, with ``changes`` to its fields.

    Ten times as fast as ``dataclasses.replace``, which calls ``__init__`` and sets each field. One new dictionary takes half the time of filling the
    copy's own, above all from the 31st field on, where Python no longer shares the keys between instances.
    """
    kind = type(value)
    copy = kind.__new__(kind)
    # Past a frozen dataclass's own __setattr__.
    object.__setattr__(copy, "__dict__", value.__dict__ | changes)
    return copy
