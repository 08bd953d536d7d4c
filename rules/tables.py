"""Table numbers as people write them, such as ``1-20, 25``: in settings, options and forms; and the limits that clock, station and hall share."""

import re
from typing import Final

MAX_TABLE: Final = 999
_RANGE: Final = re.compile(r"\s*([0-9]{1,3})\s*(?:-\s*([0-9]{1,3})\s*)?", re.ASCII)


def tables_of(text: str) -> tuple[range, ...]:
    """Return the table numbers in ``text``, as ranges; raises ``ValueError`` unless it lists numbers from 1 to 999 and ranges of them."""
    return tuple(map(_range, text.split(",")))


def _range(text: str) -> range:
    found = _RANGE.fullmatch(text)
    if found is None:
        raise ValueError(f"expected a number or a range, found {text!r}")
    first = int(found[1])
    last = int(found[2] or first)
    if not 1 <= first <= last <= MAX_TABLE:
        raise ValueError(f"expected numbers from 1 to {MAX_TABLE}, the lower one first, found {text!r}")
    return range(first, last + 1)


WORDS_IN_CHALLENGE: Final = 8
"""The most words one play can make: its own and one across each of seven tiles."""
