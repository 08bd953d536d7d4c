import re
import unicodedata
from pathlib import Path

import pytest

from lexicon.alphabet import Alphabet, Tile, alphabets, load_alphabet
from lexicon.errors import BadAlphabet, Unreadable, Unspellable
from tests.cells import each_cell
from tests.errors import with_fields

# Sorting order as tile numbers in KWG files have it (wolges, src/alphabets); those that it lacks (such as Italian, Croatian, Greek) as their alphabets have it.
# Then tiles in the published set with its blanks, the blanks, and the points on all tiles: added up from the tables of wolges, for Italian from the rules of
# the FIGS, for Portuguese from Crosswords (xwords4/dawg), for Romanian and Turkish from Wikipedia, for Croatian, Czech, Danish, Greek, Hungarian and Slovene
# from Xanado, not from our files.
PUBLISHED = {
    "catalan": ("A B C Ç D E F G H I J L L·L M N NY O P QU R S T U V X Z", (100, 2, 189)),
    "croatian": ("A B C Č Ć D DŽ Đ E F G H I J K L LJ M N NJ O P R S Š T U V Z Ž", (103, 2, 182)),
    "czech": ("A Á B C Č D Ď E É Ě F G H I Í J K L M N Ň O Ó P R Ř S Š T Ť U Ú Ů V X Y Ý Z Ž", (100, 2, 205)),
    "danish": ("A B C D E F G H I J K L M N O P Q R S T U V W X Y Z Æ Ø Å", (100, 2, 247)),
    "dutch": ("A B C D E F G H I J K L M N O P Q R S T U V W X Y Z", (102, 2, 230)),
    "english": ("A B C D E F G H I J K L M N O P Q R S T U V W X Y Z", (100, 2, 187)),
    "french": ("A B C D E F G H I J K L M N O P Q R S T U V W X Y Z", (102, 2, 197)),
    "german": ("A Ä B C D E F G H I J K L M N O Ö P Q R S T U Ü V W X Y Z", (102, 2, 202)),
    "greek": ("Α Β Γ Δ Ε Ζ Η Θ Ι Κ Λ Μ Ν Ξ Ο Π Ρ Σ Τ Υ Φ Χ Ψ Ω", (104, 2, 206)),  # noqa: RUF001 - Greek
    "hungarian": ("A Á B C CS D E É F G GY H I Í J K L LY M N NY O Ó Ö Ő P R S SZ T TY U Ú Ü Ű V Z ZS", (100, 2, 235)),
    "italian": ("A B C D E F G H I L M N O P Q R S T U V Z", (120, 2, 293)),
    "norwegian": ("A B C D E F G H I J K L M N O P Q R S T U V W X Y Ü Z Æ Ä Ø Ö Å", (100, 2, 202)),
    "polish": ("A Ą B C Ć D E Ę F G H I J K L Ł M N Ń O Ó P R S Ś T U W Y Z Ź Ż", (100, 2, 190)),
    "portuguese": ("A B C Ç D E F G H I J L M N O P Q R S T U V X Z", (120, 3, 204)),
    "romanian": ("A B C D E F G H I J K L M N O P Q R S T U V W X Y Z", (100, 2, 211)),
    "slovene": ("A B C Č D E F G H I J K L M N O P R S Š T U V Z Ž", (100, 2, 180)),
    "spanish": ("A B C CH D E F G H I J L LL M N Ñ O P Q R RR S T U V X Y Z", (100, 2, 192)),
    "swedish": ("A B C D E F G H I J K L M N O P Q R S T U V W X Y Ü Z Å Ä Æ Ö", (100, 2, 194)),
    "turkish": ("A B C Ç D E F G Ğ H I İ J K L M N O Ö P R S Ş T U Ü V Y Z", (100, 2, 201)),
}


def tiles_of(alphabet_id: str, text: str) -> str:
    alphabet = load_alphabet(alphabet_id)
    return " ".join(alphabet.tiles[number - 1].text for number in alphabet.spelling.codes(text))


def test_the_shipped_alphabets_are_known_by_their_sorted_ids() -> None:
    assert alphabets() == tuple(sorted(PUBLISHED))
    assert [load_alphabet(each).id for each in alphabets()] == list(alphabets())


@pytest.mark.parametrize("alphabet_id", PUBLISHED)
def test_tiles_stand_in_the_published_order_and_number_and_are_spelled_by_all_their_texts(alphabet_id: str) -> None:
    alphabet = load_alphabet(alphabet_id)
    spelling = alphabet.spelling
    points = sum(tile.score * tile.count for tile in alphabet.tiles)
    figures = sum(tile.count for tile in alphabet.tiles) + alphabet.blanks, alphabet.blanks, points
    assert (" ".join(tile.text for tile in alphabet.tiles), figures) == PUBLISHED[alphabet_id]
    # Every tile is spelled by its own text in either case, composed or not, and in brackets.
    for number, tile in enumerate(spelling.tiles, 1):
        small = "\u0131" if spelling.dotted and tile == "I" else tile.lower()
        for text in (tile, small, f"[{tile}]", unicodedata.normalize("NFD", tile), unicodedata.normalize("NFD", small)):
            assert spelling.codes(text) == bytes([number])
        assert spelling.text(bytes([number])) == tile
    # Everything typed is spelled with the tiles it stands for, in either case.
    for text, tiles in alphabet.typed.items():
        for form in (text, text.lower(), unicodedata.normalize("NFD", text)):
            assert tiles_of(alphabet_id, form) == " ".join(tiles)


LAID = [
    ("spanish", "chillarra[ch]i[ll]a[rr]a", "CH I LL A RR A CH I LL A RR A"),
    ("spanish", "pingüino", "P I N G U I N O"),
    ("spanish", "ñandú", "Ñ A N D U"),
    ("spanish", "clrhle", "C L R H L E"),
    ("catalan", "col·legi", "C O L·L E G I"),
    ("catalan", "co\u0140legi", "C O L·L E G I"),
    ("catalan", "llull", "L L U L L"),
    ("catalan", "canya", "C A NY A"),
    ("catalan", "qüestió", "QU E S T I O"),
    ("french", "cœur", "C O E U R"),
    ("french", "ex æquo", ""),
    ("french", "æquo", "A E Q U O"),
    ("german", "straßeSTRAẞE", "S T R A S S E S T R A S S E"),
    ("dutch", "\u0133s", "I J S"),
    ("portuguese", "coração", "C O R A Ç A O"),
    ("english", "café", ""),
    ("spanish", "kilo", ""),
    ("spanish", "[c][h]a", ""),
    ("catalan", "kiwi", ""),
    ("catalan", "iaq", ""),
    ("german", "ping-pong", ""),
    ("romanian", "știință", "S T I I N T A"),
    ("romanian", "\u015ftiin\u0163ă", "S T I I N T A"),
    ("turkish", "\u0131l\u0131k", "I L I K"),
    ("turkish", "i\u0307LIK", "İ L I K"),
    ("turkish", "kâtipMAHKÛM", "K A T İ P M A H K U M"),
    ("turkish", "millî", ""),
    ("english", "k\u0131ta", ""),
    ("croatian", "konji[n]jekcijaNADŽIVJETI", "K O NJ I N J E K C I J A N A DŽ I V J E T I"),
    ("croatian", "nad[ž]ivjetidžepl[j]", "N A D Ž I V J E T I DŽ E P L J"),
    ("hungarian", "egészséghosszú", "E G É SZ S É G H O S SZ Ú"),
    ("hungarian", "as[zs]a[s]zs", "A S ZS A S ZS"),
    ("hungarian", "y", ""),
    ("greek", "οδόςπροϋπόθεση\u0390", "Ο Δ Ο Σ Π Ρ Ο Υ Π Ο Θ Ε Σ Η Ι"),  # noqa: RUF001 - Greek
    ("czech", "chlapův", "C H L A P Ů V"),
    ("danish", "idéåen", "I D E Å E N"),
]
"""No tiles: it is refused, not guessed at."""


def test_words_are_laid_as_the_language_lays_them() -> None:
    for cell in each_cell(LAID):
        with cell as (alphabet_id, text, tiles):
            if tiles:
                assert tiles_of(alphabet_id, text) == tiles
            else:
                with pytest.raises(Unspellable):
                    tiles_of(alphabet_id, text)


OWN = 'id = "ours"\nname = "Ours"\nsource = "Made at home"\nblanks = 2\n'
TILES = 'tiles = [{ tile = "A", score = 1, count = 9 }, { tile = "CH", score = 5, count = 1, always = true }]\n'


def written(folder: Path, text: str | bytes) -> str:
    file = folder / "ours.toml"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return str(file)


def refusal(id_or_path: str) -> BadAlphabet:
    with pytest.raises(BadAlphabet) as caught:
        load_alphabet(id_or_path)
    return caught.value


def test_a_file_of_ones_own_is_loaded_by_path_and_read_anew_each_time(tmp_path: Path) -> None:
    path = written(tmp_path, OWN + TILES + '[typed]\n"Á" = ["A"]\n"1" = ["CH"]\n"Å" = ["A", "A"]\n')
    ours = load_alphabet(path)
    assert ours == Alphabet(
        "ours", "Ours", "Made at home", (Tile("A", 1, 9), Tile("CH", 5, 1, always=True)), 2, {"Á": ("A",), "1": ("CH",), "Å": ("A", "A")}
    )
    assert ours.spelling.codes("cháå1") == b"\x02\x01\x01\x01\x02"
    written(tmp_path, OWN + TILES)
    assert load_alphabet(path).typed == {}


def test_an_unknown_id_is_answered_with_the_known_ones_and_a_missing_file_as_unreadable(tmp_path: Path) -> None:
    error = refusal("spansh")
    assert (error.found, error.remedy) == ('"spansh"', "Did you mean spanish?")
    assert all(each in error.expected for each in alphabets())
    assert refusal("Catalan").remedy == "Did you mean catalan?"
    assert str(refusal("")).endswith('found "".')
    # A file that is not there, or no file, is unreadable.
    for path in (str(tmp_path / "none.toml"), f"{tmp_path}/", "none.toml", "nul\0.toml"):
        with pytest.raises(Unreadable, check=with_fields(expected=re.compile("an alphabet's file$"))):
            load_alphabet(path)


_TILES = "a list of 1 to 63 tiles, each with tile, score and count, in sorting order"
_TEXTS = "a list of 1 to 4 texts of tiles"
_NUMBER = "a whole number from 0 to 1000"

BAD_FILES: list[tuple[str | bytes, str, str, str]] = [
    (b"\xff\xfei\0d\0", "", "TOML in UTF-8", "letters of another kind in line 1"),
    ("tiles = [", "", "TOML in UTF-8", "a fault: Invalid value (at end of document): tiles = ["),
    ("a = " + "[" * 5000, "", "TOML in UTF-8", "tables nested too deep"),
    ("a." * 20_000 + "b = 1", "", "TOML in UTF-8", "a fault: more than 100 dots in a line"),
    ("", "id", "lower-case letters, digits and hyphens, at most 64", "nothing"),
    (OWN, "tiles", _TILES, "nothing"),
    (OWN + 'tiles = "ABC"', "tiles", _TILES, '"ABC"'),
    (OWN + 'tiles = ["A"]', "tiles.0", "a table with tile, score, count, always, joined", '"A"'),
    (OWN + 'tiles = [{ tile = "A", score = 1 }]', "tiles.0.count", _NUMBER, "nothing"),
    (OWN + 'tiles = [{ tile = "A", score = -1, count = 1 }]', "tiles.0.score", _NUMBER, "-1"),
    (OWN + 'tiles = [{ tile = "A", score = 1, count = 1.0 }]', "tiles.0.count", _NUMBER, "1.0"),
    (OWN + 'tiles = [{ tile = "A", score = true, count = 1 }]', "tiles.0.score", _NUMBER, "true"),
    (OWN + TILES.replace("always", "alway"), "tiles.1", "one of the keys tile, score, count, always, joined", '"alway"'),
    (OWN + TILES.replace("true", '"yes"'), "tiles.1.always", "true or false", '"yes"'),
    (OWN + TILES.replace("always", "joined").replace("true", "1"), "tiles.1.joined", "true or false", "1"),
    (OWN.replace("name", "nam") + TILES, "", "one of the keys id, name, source, tiles, blanks, typed, coded", '"nam"'),
    (OWN.replace('"ours"', '"Our own"') + TILES, "id", "lower-case letters, digits and hyphens, at most 64", '"Our own"'),
    (OWN.replace('"Ours"', '" "') + TILES, "name", "one line of text, at most 200 characters", '" "'),
    (OWN.replace("2", "-2") + TILES, "blanks", _NUMBER, "-2"),
    (OWN + TILES.replace("CH", "A"), "", "each tile once", '"A" as tiles 1 and 2'),
    (OWN + TILES + 'typed = { "Á" = "A" }', "typed.Á", _TEXTS, '"A"'),
    (OWN + TILES + 'typed = { "Á" = [] }', "typed.Á", _TEXTS, "[]"),
    (OWN + TILES + 'typed = { "Á" = ["X"] }', "", "tiles that typed texts stand for", '"X", for which "Á" stands'),
    (OWN + TILES + 'typed = { "CH" = ["A"] }', "", "typed texts with a character that no tile has", '"CH", which has none'),
    (
        OWN + TILES + 'coded = { "KK" = "CH" }',
        "",
        "coded characters of their own, each for a tile",
        '"KK" for "CH"',
    ),
    (OWN + TILES + 'coded = { "K" = "LL" }', "", "coded characters of their own, each for a tile", '"K" for "LL"'),
    (OWN + TILES + 'coded = { "A" = "CH" }', "", "coded characters of their own, each for a tile", '"A" for "CH"'),
    (OWN + TILES + 'coded = { "Á" = "CH" }\ntyped = { "Á" = ["A"] }', "", "coded characters of their own, each for a tile", '"Á" for "CH"'),
    (OWN + TILES.replace("CH", "\u0301"), "", "tiles that stay as they are side by side", '"A" and "\u0301"'),
]


def test_a_bad_file_is_answered_with_the_place_what_is_expected_and_what_was_found(tmp_path: Path) -> None:
    for cell in each_cell(BAD_FILES, lambda bad: bad[0]):
        with cell as (text, place, expected, found):
            path = written(tmp_path, text)
            error = refusal(path)
            assert (error.where, error.expected, error.found) == (f"{path}: {place}" if place else path, expected, found)
            assert error.remedy
            assert str(error).isprintable()
    # A slip in a key is answered with the nearest in a sentence.
    path = written(tmp_path, OWN + TILES.replace("always", "alway"))
    expected = 'expected one of the keys tile, score, count, always, joined, found "alway". Did you mean always?'
    assert str(refusal(path)) == f"{path}: tiles.1: {expected}"


def test_texts_are_in_capitals_composed_not_empty_and_without_spaces_brackets_and_control_characters(tmp_path: Path) -> None:
    for cell in each_cell(["", "a", "ß", "A\u0301", "A B", "A\\t", "A\\u200b", "[A]", "\u0140l", "A" * 17, "A\\u00a0", "\u0131", "\ufb01"]):
        with cell as text:
            expected = "expected 1 to 4 characters, in capitals, composed (NFC), without spaces, brackets or control characters"
            assert expected in str(refusal(written(tmp_path, OWN + f'tiles = [{{ tile = "{text}", score = 1, count = 1 }}]')))
            assert expected in str(refusal(written(tmp_path, OWN + TILES + f'typed = {{ "{text}" = ["A"] }}')))
    # 63 tiles are taken and 64 are not.
    lines = [f'{{ tile = "{chr(0x4E00 + each)}", score = 0, count = 0 }}' for each in range(64)]
    path = written(tmp_path, OWN + f"tiles = [{', '.join(lines[:63])}]")
    assert load_alphabet(path).spelling.codes("\u4e3e") == b"\x3f"
    assert "expected a list of 1 to 63 tiles" in str(refusal(written(tmp_path, OWN + f"tiles = [{', '.join(lines)}]")))
