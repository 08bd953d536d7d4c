"""The shipped alphabets against the published tile sets."""

from __future__ import annotations

import subprocess
import sys
import unicodedata

import pytest

from lexicon.alphabet import Tile, alphabets, load_alphabet
from lexicon.errors import Unspellable
from tests.cells import each_cell

# Sorting order as tile numbers in KWG files have it (wolges, src/alphabets); Italian and Portuguese, which it lacks, as their alphabets have it.
ORDERS = {
    "catalan": "A B C Ç D E F G H I J L L·L M N NY O P QU R S T U V X Z",
    "dutch": "A B C D E F G H I J K L M N O P Q R S T U V W X Y Z",
    "english": "A B C D E F G H I J K L M N O P Q R S T U V W X Y Z",
    "french": "A B C D E F G H I J K L M N O P Q R S T U V W X Y Z",
    "german": "A Ä B C D E F G H I J K L M N O Ö P Q R S T U Ü V W X Y Z",
    "italian": "A B C D E F G H I L M N O P Q R S T U V Z",
    "norwegian": "A B C D E F G H I J K L M N O P Q R S T U V W X Y Ü Z Æ Ä Ø Ö Å",
    "polish": "A Ą B C Ć D E Ę F G H I J K L Ł M N Ń O Ó P R S Ś T U W Y Z Ź Ż",
    "portuguese": "A B C Ç D E F G H I J L M N O P Q R S T U V X Z",
    "spanish": "A B C CH D E F G H I J L LL M N Ñ O P Q R RR S T U V X Y Z",
    "swedish": "A B C D E F G H I J K L M N O P Q R S T U V W X Y Ü Z Å Ä Æ Ö",
}


# Tiles in the published set with its blanks, the blanks, and the points on all tiles: added up from the tables of wolges, for Italian from the rules of the FIGS,
# for Portuguese from Crosswords (xwords4/dawg), not from our files.
SETS = {
    "catalan": (100, 2, 189),
    "dutch": (102, 2, 230),
    "english": (100, 2, 187),
    "french": (102, 2, 197),
    "german": (102, 2, 202),
    "italian": (120, 2, 293),
    "norwegian": (100, 2, 202),
    "polish": (100, 2, 190),
    "portuguese": (120, 3, 204),
    "spanish": (100, 2, 192),
    "swedish": (100, 2, 194),
}


def tiles_of(alphabet_id: str, text: str) -> str:
    """The tiles that ``text`` is laid with, a space between them."""
    alphabet = load_alphabet(alphabet_id)
    return " ".join(alphabet.tiles[number - 1].text for number in alphabet.spelling.codes(text))


def test_the_shipped_alphabets_are_known_by_their_sorted_ids() -> None:
    assert alphabets() == tuple(sorted(ORDERS))
    assert [load_alphabet(each).id for each in alphabets()] == list(alphabets())


@pytest.mark.parametrize("alphabet_id", ORDERS)
def test_tiles_stand_in_the_published_order(alphabet_id: str) -> None:
    assert " ".join(tile.text for tile in load_alphabet(alphabet_id).tiles) == ORDERS[alphabet_id]


@pytest.mark.parametrize("alphabet_id", SETS)
def test_a_set_has_its_published_tiles_blanks_and_points(alphabet_id: str) -> None:
    alphabet = load_alphabet(alphabet_id)
    points = sum(tile.score * tile.count for tile in alphabet.tiles)
    assert (sum(tile.count for tile in alphabet.tiles) + alphabet.blanks, alphabet.blanks, points) == SETS[alphabet_id]


@pytest.mark.parametrize("alphabet_id", ORDERS)
def test_every_tile_is_spelled_by_its_own_text_in_either_case_composed_or_not_and_in_brackets(alphabet_id: str) -> None:
    spelling = load_alphabet(alphabet_id).spelling
    for number, tile in enumerate(spelling.tiles, 1):
        for text in (tile, tile.lower(), f"[{tile}]", unicodedata.normalize("NFD", tile), unicodedata.normalize("NFD", tile.lower())):
            assert spelling.codes(text) == bytes([number])
        assert spelling.text(bytes([number])) == tile


@pytest.mark.parametrize("alphabet_id", ORDERS)
def test_everything_typed_is_spelled_with_the_tiles_it_stands_for_in_either_case(alphabet_id: str) -> None:
    alphabet = load_alphabet(alphabet_id)
    for text, tiles in alphabet.typed.items():
        for form in (text, text.lower(), unicodedata.normalize("NFD", text)):
            assert tiles_of(alphabet_id, form) == " ".join(tiles)


LAID = [
    ("spanish", "chillarra", "CH I LL A RR A"),
    ("spanish", "1i2a3a", "CH I LL A RR A"),
    ("spanish", "[ch]i[ll]a[rr]a", "CH I LL A RR A"),
    ("spanish", "pingüino", "P I N G U I N O"),
    ("spanish", "ñandú", "Ñ A N D U"),
    ("spanish", "clrhle", "C L R H L E"),
    ("catalan", "col·legi", "C O L·L E G I"),
    ("catalan", "col.legi", "C O L·L E G I"),
    ("catalan", "col\u2027legi", "C O L·L E G I"),
    ("catalan", "co\u0140legi", "C O L·L E G I"),
    ("catalan", "CO\u013fLEGI", "C O L·L E G I"),
    ("catalan", "col\u0387legi", "C O L·L E G I"),
    ("catalan", "llull", "L L U L L"),
    ("catalan", "canya", "C A NY A"),
    ("catalan", "qüestió", "QU E S T I O"),
    ("catalan", "plaça", "P L A Ç A"),
    ("french", "cœur", "C O E U R"),
    ("french", "ex æquo", ""),
    ("french", "æquo", "A E Q U O"),
    ("french", "garçon", "G A R C O N"),
    ("german", "straße", "S T R A S S E"),
    ("german", "STRAẞE", "S T R A S S E"),
    ("german", "café", "C A F E"),
    ("german", "äöü", "Ä Ö Ü"),
    ("polish", "żółw", "Ż Ó Ł W"),
    ("norwegian", "idé", "I D E"),
    ("norwegian", "æøå", "Æ Ø Å"),
    ("dutch", "\u0133s", "I J S"),
    ("dutch", "reünie", "R E U N I E"),
    ("italian", "città", "C I T T A"),
    ("portuguese", "coração", "C O R A Ç A O"),
    ("swedish", "crêpe", "C R E P E"),
    ("swedish", "müsli", "M Ü S L I"),
]


def test_words_are_laid_as_the_language_lays_them() -> None:
    for cell in each_cell(LAID):
        with cell as (alphabet_id, text, tiles):
            if tiles:
                assert tiles_of(alphabet_id, text) == tiles
            else:
                with pytest.raises(Unspellable):
                    tiles_of(alphabet_id, text)


def test_what_the_game_has_no_tile_for_is_refused_not_guessed_at() -> None:
    for cell in each_cell(
        [
            ("english", "café"),
            ("english", "naïve"),
            ("spanish", "kilo"),
            ("spanish", "[c][h]a"),
            ("catalan", "kiwi"),
            ("catalan", "iaq"),
            ("polish", "quiz"),
            ("italian", "yoga"),
            ("portuguese", "web"),
            ("german", "ping-pong"),
        ]
    ):
        with cell as (alphabet_id, text), pytest.raises(Unspellable):
            tiles_of(alphabet_id, text)


def test_an_alphabet_is_a_value_that_keeps_its_spelling() -> None:
    spanish = load_alphabet("spanish")
    assert spanish.tiles[3] == Tile("CH", score=5, count=1, always=True)
    assert spanish.typed["1"] == ("CH",)
    assert spanish.spelling is spanish.spelling
    assert len({spanish, load_alphabet("spanish"), load_alphabet("french")}) == 2


def test_importing_the_module_does_not_load_pydantic() -> None:
    code = "import sys, lexicon.alphabet; sys.exit('pydantic' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
