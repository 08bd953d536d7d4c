"""Quackle's order of letters: that of its own alphabet (``data/alphabets``), not the file's, and not always ours.

Its Norwegian and Swedish alphabets differ in order from those of wolges, and the Norwegian lacks Ä, Ö and Ü. Of our other alphabets Quackle has the same order
(English, French, Polish) or none.
"""

from __future__ import annotations

from lexicon.alphabet import Alphabet

_ORDERS = {"norwegian": "ABCDEFGHIJKLMNOPQRSTUVWXYZÆØÅ", "swedish": "ABCDEFGHIJKLMNOPQRSTUVWXYZÅÄÖÆÜ"}


def order(alphabet: Alphabet) -> tuple[int, ...]:
    """Return the tile numbers of ``alphabet`` in Quackle's order."""
    numbers = {tile.text: number for number, tile in enumerate(alphabet.tiles, 1)}
    letters = _ORDERS.get(alphabet.id, "")
    # A user's alphabet may have the id of a shipped one and other tiles.
    return tuple(numbers[letter] for letter in letters) if letters and numbers.keys() >= set(letters) else tuple(numbers.values())


def text(tile: str) -> str:
    """Return a tile as Quackle writes it: several characters between bars, |CH| (``quackleio/util.h``)."""
    return tile if len(tile) == 1 else f"|{tile}|"


def bare(letter: str) -> str:
    """Return the tile of a letter in Quackle's notation."""
    return letter[1:-1] if len(letter) > 2 and letter[0] == letter[-1] == "|" else letter
