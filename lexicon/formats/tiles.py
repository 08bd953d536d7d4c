"""Maps the letters of another program's file to an alphabet's tiles: by text if the file names them, otherwise by number."""

from __future__ import annotations

from lexicon.alphabet import Alphabet
from lexicon.errors import BadWordFile
from lexicon.formats.found import Format, Found
from lexicon.formats.quackle_letters import bare, order

_REMEDY = "Choose the list's alphabet with --alphabet."


def table(found: Found, alphabet: Alphabet) -> bytes:
    """Return the tile number in ``alphabet`` for each letter of the file, 0 to 255; 0 for unused letters.

    Raises:
        BadWordFile: the file has another alphabet.
    """
    if found.letters is None:
        return _by_number(max(found.siblings.used), _order(found, alphabet), alphabet.name)
    tiles = _numbers(alphabet)
    numbers = bytearray(256)
    for letter, text in found.letters.items():
        number = tiles.get(bare(text), 0)
        if not number:
            raise BadWordFile(expected=f"tiles of {alphabet.name}", found=f"the letter {text!r}", remedy=_REMEDY)
        if number in numbers:
            raise BadWordFile(
                expected=f"one letter for the tile {alphabet.tiles[number - 1].text}", found=f"{text!r} as well", remedy=_REMEDY
            )
        numbers[letter] = number
    missing = [tile.text for number, tile in enumerate(alphabet.tiles, 1) if tile.count and number not in numbers]
    if found.whole and missing:
        raise BadWordFile(expected=f"the tiles of {alphabet.name}", found=f"an alphabet without {missing[0]}", remedy=_REMEDY)
    return bytes(numbers)


def doubt(found: Found, alphabet: Alphabet) -> str | None:
    """Return a doubt about reading the file in ``alphabet``, or None: if tiles are numbers, an alphabet of fewer tiles would fit too."""
    highest, tiles = max(found.siblings.used), len(_order(found, alphabet))
    if found.letters is not None or highest == tiles:
        return None
    return f"a list in another alphabet (its highest tile is {highest}, and {alphabet.name} has {tiles})"


def _order(found: Found, alphabet: Alphabet) -> tuple[int, ...]:
    """Return the tiles in the order in which a file without names numbers them."""
    return order(alphabet) if found.format is Format.QUACKLE0 else tuple(range(1, len(alphabet.tiles) + 1))


def _by_number(highest: int, tiles: tuple[int, ...], name: str) -> bytes:
    if highest > len(tiles):
        raise BadWordFile(expected=f"the {len(tiles)} tiles of {name}", found=f"tile {highest}", remedy=_REMEDY)
    return bytes((0, *tiles)).ljust(256, b"\0")


def _numbers(alphabet: Alphabet) -> dict[str, int]:
    """Return tile numbers by text, and by typed forms of a single tile (Spanish 1 for CH)."""
    numbers = {tile.text: number for number, tile in enumerate(alphabet.tiles, 1)}
    typed = {text: numbers[tiles[0]] for text, tiles in alphabet.typed.items() if len(tiles) == 1}
    return typed | numbers
