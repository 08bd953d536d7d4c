"""The keys of the screen's keyboard for one alphabet: the tiles themselves, in rows, as the layout and the alphabet have them. Pure but for reading the layouts.

Every tile is one key, CH and L·L too, and nothing else is: what cannot be laid cannot be typed by touch.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import Final

from kiosk.keyboards.layouts import KeyboardError, Layout, layouts, load_layout

__all__ = ["WIDEST", "Keyboard", "KeyboardError", "Layout", "keyboard", "layouts", "load_layout"]

Keyboard = tuple[tuple[str, ...], ...]
"""Rows of tiles, from the top."""

WIDEST: Final = 11
"""Keys in a row at most: a key must not be narrower than a finger."""
_IN_ORDER: Final = 10
"""Keys in a row at most, where nothing but the alphabet's order says where they stand."""


@cache
def keyboard(layout: str, tiles: tuple[str, ...]) -> Keyboard:
    """Return the rows of keys for ``tiles`` (the alphabet's, in its order): every tile once, at most ``WIDEST`` a row.

    Raises:
        KeyboardError: no such layout.
    """
    chosen = load_layout(layout)
    if chosen.in_order:
        return _cut(tiles, _IN_ORDER)
    standing = _in_places(tiles, chosen.rows)
    rows = [list(_filled(row, standing, chosen.right_of))[:WIDEST] for row in chosen.rows]
    placed = {tile for row in rows for tile in row}
    others = tuple(tile for tile in tiles if tile not in placed)
    shown = [tuple(row) for row in rows if row]
    if shown and len(shown[-1]) + len(others) <= WIDEST:
        return (*shown[:-1], shown[-1] + others)
    return (*shown, *_cut(others, WIDEST))


def _in_places(tiles: Sequence[str], rows: Iterable[str]) -> dict[str, str]:
    """Which tile stands at which letter: that letter or, where the alphabet has only a digraph for it, that one (Catalan QU at Q)."""
    at = {tile: tile for tile in tiles}
    for letter in "".join(rows):
        begun = [tile for tile in tiles if len(tile) > 1 and tile.startswith(letter)]
        if letter not in at and len(begun) == 1:
            at[letter] = begun[0]
    return at


def _filled(letters: Iterable[str], standing: Mapping[str, str], right_of: Mapping[str, str]) -> Iterator[str]:
    """Yield the tiles of a row: what stands at its letters, each followed by what belongs to the right of it."""
    for letter in letters:
        if letter in standing:
            yield standing[letter]
            yield from _filled((extra for extra, beside in right_of.items() if beside == letter), standing, right_of)


def _cut(tiles: tuple[str, ...], widest: int) -> Keyboard:
    """Return ``tiles`` in as few rows as ``widest`` allows, the upper ones longer by one at most."""
    rows = -(-len(tiles) // widest)
    ends = [-(-len(tiles) * row // rows) for row in range(rows + 1)] if rows else [0]
    return tuple(tiles[start:end] for start, end in pairwise(ends))
