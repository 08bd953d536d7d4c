"""Enum members as plain attributes of their class, as Python 3.12 has them."""

from __future__ import annotations

from enum import Enum
from typing import TypeVar

E = TypeVar("E", bound=Enum)


def plain_members(kind: type[E]) -> type[E]:
    """Return ``kind`` with its members as plain attributes.

    Python 3.11 calls a function written in Python at each ``kind.MEMBER``, which an event does some twenty times: a tenth of replay's time.
    """
    for member in kind:
        type.__setattr__(kind, member.name, member)
    return kind
