"""Lines that fit the paper: broken between words, inside a word only where it is longer than a line."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from hardware.printer.slip import SlipLine

_INDENT: Final = "  "
"""Before what is left of a line, unless it is centred: so that no second half is taken for a line of its own."""


def fitted(line: SlipLine, width: int) -> Iterator[SlipLine]:
    """Yield the line in as many lines as it takes on paper of ``width`` characters, at least 8. A large one with a word that does not fit is not large."""
    room = width // 2 if line.large else width
    if line.large and max(map(len, line.text.split()), default=0) > room:
        yield from fitted(replace(line, large=False), width)
        return
    indent = "" if line.centred else _INDENT
    # No hyphen is a place to break at: a word on the paper is one that was played.
    for text in textwrap.wrap(line.text, room, subsequent_indent=indent, break_on_hyphens=False) or [""]:
        yield replace(line, text=text)
