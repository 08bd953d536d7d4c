"""The on-screen keys for an alphabet: its tiles, in rows by layout and alphabet. Pure but for reading the layouts.

Every tile is one key, even CH and L·L, and there are no others: touch input contains only tiles. A layout is data, checked on loading: the letters of each
row, and additional ones beside them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType
from typing import Final, TypeGuard

from msgspec import Struct

from faults.errors import TileclockError
from faults.small_file import toml_in

_SUFFIX: Final = ".toml"
_FOLDER: Final = Path(__file__).parent
_KNOWN: Final = frozenset({"id", "in_order", "rows", "right_of"})


class KeyboardError(TileclockError, ValueError):
    """A keyboard layout is unknown, or its file unusable."""


class KeyboardLayout(Struct, frozen=True):
    """The places of letters, independent of the alphabet."""

    id: str
    in_order: bool
    """Use the alphabet's own order, without rows of letters."""
    rows: tuple[str, ...]
    right_of: Mapping[str, str]
    """For a tile, the letter to its left; of several tiles, the first is next to it."""


@cache
def layouts() -> tuple[str, ...]:
    files = (item.name for item in _FOLDER.iterdir())
    return tuple(sorted(name.removesuffix(_SUFFIX) for name in files if name.endswith(_SUFFIX)))


@cache
def load_layout(layout: str) -> KeyboardLayout:
    """Return a shipped layout. Raises KeyboardError: it does not exist."""
    if layout not in layouts():
        raise KeyboardError(
            expected=f"a keyboard layout that is shipped ({', '.join(layouts())})", found=repr(layout[:40]), remedy="Choose one of them"
        )
    return parse_layout((_FOLDER / f"{layout}{_SUFFIX}").read_bytes(), layout)


def parse_layout(content: bytes, layout: str) -> KeyboardLayout:
    """Return the layout in a file's content; ``layout`` is its required id. Raises KeyboardError: it is not TOML, or not a layout."""
    found = toml_in(_named(layout), content, KeyboardError)
    if found.keys() - _KNOWN or found.get("id") != layout:
        raise _wrong(layout, f"id = {layout!r} and of {sorted(_KNOWN)} only", f"{sorted(found)} with the id {found.get('id')!r}")
    in_order, rows, right_of = found.get("in_order", False), found.get("rows", []), found.get("right_of", {})
    if not isinstance(in_order, bool) or not _texts(rows) or in_order is bool(rows):
        raise _wrong(layout, "in_order = true, or rows of letters, and not both", f"in_order {in_order} and rows {rows}")
    letters = "".join(rows)
    if len(set(letters)) != len(letters) or letters != letters.upper():
        raise _wrong(layout, "every letter once and in capitals", f"{rows}")
    _check_beside(layout, right_of, letters)
    return KeyboardLayout(layout, in_order, tuple(rows), MappingProxyType(right_of))


def _check_beside(layout: str, right_of: object, letters: str) -> None:
    """Require that each additional tile has a letter of the rows, or an earlier additional tile, to its left."""
    if not isinstance(right_of, dict):
        raise _wrong(layout, "right_of as a table", f"{right_of!r}")
    there = set(letters)
    for extra, beside in right_of.items():
        if not isinstance(beside, str) or beside not in there or extra in there:
            raise _wrong(layout, "letters to the right of others that come before them", f"{extra!r} right of {beside!r}")
        there.add(extra)


def _texts(rows: object) -> TypeGuard[list[str]]:
    return isinstance(rows, list) and all(isinstance(row, str) and row for row in rows)


def _wrong(layout: str, expected: str, found: str) -> KeyboardError:
    return KeyboardError(where=_named(layout), expected=expected, found=found, remedy="Correct the file, or reinstall the station")


def _named(layout: str) -> str:
    return f"keyboards/{layout}{_SUFFIX}"


__all__ = ["WIDEST", "Keyboard", "KeyboardError", "KeyboardLayout", "keyboard", "layouts", "load_layout"]

Keyboard = tuple[tuple[str, ...], ...]
"""Rows of tiles, from the top."""

WIDEST: Final = 11
"""The most keys in a row, so that no key is narrower than a finger."""
_IN_ORDER: Final = 10
_ROWS: Final = 3
"""The most keys in a row in the alphabet's own order, unless it then needs more than so many rows."""


@cache
def keyboard(layout: str, tiles: tuple[str, ...]) -> Keyboard:
    """Return the rows of keys for ``tiles`` (the alphabet's, in order): every tile once, at most ``WIDEST`` in a row. Raises KeyboardError: no such layout."""
    chosen = load_layout(layout)
    if chosen.in_order:
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
