"""In which order Quackle numbers letters: by its own alphabet of the language (``data/alphabets``), not by what a file says, and not always by ours.

Its Norwegian and Swedish alphabets are in another order than those of wolges, and the Norwegian has no Ä, Ö and Ü. Of our other alphabets Quackle has the same
order (English, French, Polish) or none.
"""

from __future__ import annotations

from lexicon.alphabet import Alphabet

_ORDERS = {"norwegian": "ABCDEFGHIJKLMNOPQRSTUVWXYZÆØÅ", "swedish": "ABCDEFGHIJKLMNOPQRSTUVWXYZÅÄÖÆÜ"}


def order(alphabet: Alphabet) -> tuple[int, ...]:
    """Return the tile numbers of ``alphabet`` in Quackle's order."""
    numbers = {tile.text: number for number, tile in enumerate(alphabet.tiles, 1)}
    letters = _ORDERS.get(alphabet.id, "")
    # An alphabet of somebody's own may have the id of one of ours and other tiles.
    return tuple(numbers[letter] for letter in letters) if letters and numbers.keys() >= set(letters) else tuple(numbers.values())


def text(tile: str) -> str:
    """Return what Quackle writes for a tile: more than one character between bars, |CH| (``quackleio/util.h``)."""
    return tile if len(tile) == 1 else f"|{tile}|"


def bare(letter: str) -> str:
    """Return the tile of a letter as Quackle writes it."""
    return letter[1:-1] if len(letter) > 2 and letter[0] == letter[-1] == "|" else letter
