"""The on-screen keys for an alphabet: its tiles, in rows by layout and alphabet. Pure but for reading the layouts.

Every tile is one key, even CH and L·L, and there are no others: touch input contains only tiles. A layout is data: the letters of each row, and additional ones
beside them. All are shipped, and a test checks them.
"""

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Final

from msgspec import convert, field

from kiosk.context import Value

_FOLDER: Final = Path(__file__).parent


class KeyboardLayout(Value, frozen=True):
    """The places of letters, independent of the alphabet."""

    rows: tuple[str, ...] = ()
    """Empty: the alphabet's own order."""
    right_of: Mapping[str, str] = field(default_factory=dict)
    """For a tile, the letter to its left; of several tiles, the first is next to it."""


@cache
def layouts() -> tuple[str, ...]:
    return tuple(sorted(file.stem for file in _FOLDER.glob("*.toml")))


@cache
def load_layout(layout: str) -> KeyboardLayout:
    return convert(tomllib.loads((_FOLDER / f"{layout}.toml").read_text(encoding="utf-8")), KeyboardLayout)


Keyboard = tuple[tuple[str, ...], ...]
"""Rows of tiles, from the top."""

WIDEST: Final = 11
"""The most keys in a row, so that no key is narrower than a finger."""
_IN_ORDER: Final = 10
_ROWS: Final = 3
"""The most keys in a row in the alphabet's own order, unless it then needs more than so many rows."""


@cache
def keyboard(layout: str, tiles: tuple[str, ...]) -> Keyboard:
    """Return the rows of keys for ``tiles`` (the alphabet's, in order): every tile once, at most ``WIDEST`` in a row."""
    chosen = load_layout(layout)
    if not chosen.rows:
        return _in_order(tiles)
    at_letter = _in_places(tiles, chosen.rows)
    rows = [list(_filled(row, at_letter, chosen.right_of))[:WIDEST] for row in chosen.rows]
    placed = {tile for row in rows for tile in row}
    others = tuple(tile for tile in tiles if tile not in placed)
    if len(others) > WIDEST:
        # A fifth row has no room on a page: the many marked letters of Czech and Hungarian.
        return _in_order(tiles)
    shown = [tuple(row) for row in rows if row]
    ended = _at_the_ends(shown, others)
    return ended if ended is not None else (*shown, *_cut(others, WIDEST))


def _in_order(tiles: tuple[str, ...]) -> Keyboard:
    return _cut(tiles, min(WIDEST, max(_IN_ORDER, -(-len(tiles) // _ROWS))))


def _at_the_ends(rows: Sequence[tuple[str, ...]], others: tuple[str, ...]) -> Keyboard | None:
    """Return the rows with ``others`` at their ends, from the last one upwards, where the key that erases has a place too; None: there is too little room."""
    ended: list[tuple[str, ...]] = []
    for index, row in enumerate(reversed(rows)):
        kept = max(0, len(others) - max(0, WIDEST - (index == 0) - len(row)))
        ended.append(row + others[kept:])
        others = others[:kept]
    return None if others else tuple(reversed(ended))


def _in_places(tiles: Sequence[str], rows: Iterable[str]) -> dict[str, str]:
    """Return the tile at each letter's place: that letter or, if the alphabet has only a digraph for it, the digraph (Catalan QU at Q)."""
    at = {tile: tile for tile in tiles}
    for letter in "".join(rows):
        begun = [tile for tile in tiles if len(tile) > 1 and tile.startswith(letter)]
        if letter not in at and len(begun) == 1:
            at[letter] = begun[0]
    return at


def _filled(letters: Iterable[str], at_letter: Mapping[str, str], right_of: Mapping[str, str]) -> Iterator[str]:
    for letter in letters:
        if letter in at_letter:
            yield at_letter[letter]
            yield from _filled((extra for extra, beside in right_of.items() if beside == letter), at_letter, right_of)


def _cut(tiles: tuple[str, ...], widest: int) -> Keyboard:
    """Return ``tiles`` in as few rows as ``widest`` allows, the upper ones longer by at most one."""
    rows = -(-len(tiles) // widest)
    ends = [-(-len(tiles) * row // rows) for row in range(rows + 1)] if rows else [0]
    return tuple(tiles[start:end] for start, end in pairwise(ends))
