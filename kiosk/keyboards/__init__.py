"""The on-screen keys for an alphabet: its tiles, in rows by layout and alphabet. Pure but for reading the layouts.

Every tile is one key, even CH and L·L, and there are no others: touch input contains only tiles.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import Final

from kiosk.keyboards.layouts import KeyboardError, KeyboardLayout, layouts, load_layout

__all__ = ["WIDEST", "Keyboard", "KeyboardError", "KeyboardLayout", "keyboard", "layouts", "load_layout"]

Keyboard = tuple[tuple[str, ...], ...]
"""Rows of tiles, from the top."""

WIDEST: Final = 11
"""The most keys in a row, so that no key is narrower than a finger."""
_IN_ORDER: Final = 10
"""The most keys in a row in the alphabet's own order."""


@cache
def keyboard(layout: str, tiles: tuple[str, ...]) -> Keyboard:
    """Return the rows of keys for ``tiles`` (the alphabet's, in order): every tile once, at most ``WIDEST`` in a row.

    Raises:
        KeyboardError: the layout does not exist.
    """
    chosen = load_layout(layout)
    if chosen.in_order:
        return _cut(tiles, _IN_ORDER)
    at_letter = _in_places(tiles, chosen.rows)
    rows = [list(_filled(row, at_letter, chosen.right_of))[:WIDEST] for row in chosen.rows]
    placed = {tile for row in rows for tile in row}
    others = tuple(tile for tile in tiles if tile not in placed)
    shown = [tuple(row) for row in rows if row]
    if shown and len(shown[-1]) + len(others) <= WIDEST:
        return (*shown[:-1], shown[-1] + others)
    return (*shown, *_cut(others, WIDEST))


def _in_places(tiles: Sequence[str], rows: Iterable[str]) -> dict[str, str]:
    """Return the tile at each letter's place: that letter or, if the alphabet has only a digraph for it, the digraph (Catalan QU at Q)."""
    at = {tile: tile for tile in tiles}
    for letter in "".join(rows):
        begun = [tile for tile in tiles if len(tile) > 1 and tile.startswith(letter)]
        if letter not in at and len(begun) == 1:
            at[letter] = begun[0]
    return at


def _filled(letters: Iterable[str], at_letter: Mapping[str, str], right_of: Mapping[str, str]) -> Iterator[str]:
    """Yield the tiles of a row: those at its letters, each followed by those to the right of it."""
    for letter in letters:
        if letter in at_letter:
            yield at_letter[letter]
            yield from _filled((extra for extra, beside in right_of.items() if beside == letter), at_letter, right_of)


def _cut(tiles: tuple[str, ...], widest: int) -> Keyboard:
    """Return ``tiles`` in as few rows as ``widest`` allows, the upper ones longer by at most one."""
    rows = -(-len(tiles) // widest)
    ends = [-(-len(tiles) * row // rows) for row in range(rows + 1)] if rows else [0]
    return tuple(tiles[start:end] for start, end in pairwise(ends))
