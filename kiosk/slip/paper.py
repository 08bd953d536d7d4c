"""Break lines to fit the paper: between words, or inside a word longer than a line."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from hardware.printer.slip import SlipLine

_INDENT: Final = "  "
"""Indents the continuation of a line unless it is centred, so that it does not look like a line of its own."""


def fitted(line: SlipLine, width: int) -> Iterator[SlipLine]:
    """Yield the line as lines of ``width`` characters (at least 8). A large line becomes normal if one of its words does not fit."""
    room = width // 2 if line.large else width
    if line.large and max(map(len, line.text.split()), default=0) > room:
        yield from fitted(replace(line, large=False), width)
        return
    indent = "" if line.centred else _INDENT
    # Do not break at hyphens: a word on the paper is a play's word.
    for text in textwrap.wrap(line.text, room, subsequent_indent=indent, break_on_hyphens=False) or [""]:
        yield replace(line, text=text)
