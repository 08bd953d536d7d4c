import pytest
from hypothesis import given
from hypothesis import strategies as st

from kiosk.keyboards import WIDEST, keyboard, layouts, load_layout
from lexicon.alphabet import alphabets, load_alphabet
from tests.cells import each_cell

shipped_layouts = pytest.mark.parametrize("layout", layouts())
any_tile = st.text(alphabet=st.characters(min_codepoint=0x41, max_codepoint=0x17F, categories=["Lu"]), min_size=1, max_size=3)


def keys_of(layout: str, alphabet: str) -> list[str]:
    return [" ".join(row) for row in keyboard(layout, load_alphabet(alphabet).spelling.tiles)]


@shipped_layouts
def test_every_tile_of_every_shipped_alphabet_is_exactly_one_key_in_at_most_four_rows(layout: str) -> None:
    for cell in each_cell(alphabets()):
        with cell as alphabet:
            tiles = load_alphabet(alphabet).spelling.tiles
            rows = keyboard(layout, tiles)
            assert sorted(tile for row in rows for tile in row) == sorted(tiles)
            assert len(rows) <= 4
            assert all(0 < len(row) <= WIDEST for row in rows)


@shipped_layouts
@given(tiles=st.lists(any_tile, min_size=1, max_size=63, unique=True))
def test_any_alphabet_has_each_tile_on_one_key_and_no_row_too_long_for_a_finger(layout: str, tiles: list[str]) -> None:
    rows = keyboard(layout, tuple(tiles))
    assert sorted(tile for row in rows for tile in row) == sorted(tiles)
    assert all(0 < len(row) <= WIDEST for row in rows)


@pytest.mark.parametrize(
    ("layout", "alphabet", "rows"),
    [
        # Letters that no tile has are no keys, Ñ stands right of L, and the digraphs end the last row.
        ("qwerty", "spanish", ["Q E R T Y U I O P", "A S D F G H J L Ñ", "Z X C V B N M CH LL RR"]),
        ("azerty", "spanish", [None, "Q S D F G H J L Ñ M", "X C V B N CH LL RR"]),
        # In order, a digraph stands right after its first letter.
        ("abc", "spanish", ["A B C CH D E F G H I", "J L LL M N Ñ O P Q", "R RR S T U V X Y Z"]),
        ("abc", "catalan", ["A B C Ç D E F G H", "I J L L·L M N NY O P", "QU R S T U V X Z"]),
        # The marked letters of the north stand where its keyboards have them.
        ("qwerty", "swedish", ["Q W E R T Y U I O P Å", "A S D F G H J K L Ö Ä", None]),
        ("qwerty", "norwegian", ["Q W E R T Y U I O P Å", "A S D F G H J K L Ø Æ", None]),
        ("qwertz", "german", ["Q W E R T Z U I O P Ü", "A S D F G H J K L Ö Ä", None]),
        # Many are at the ends of all rows, and leave the last a place for the key that erases.
        ("qwerty", "polish", ["W E R T Y U I O P Ą Ć", "A S D F G H J K L Ę Ł", "Z C B N M Ń Ó Ś Ź Ż"]),
        ("qwertz", "croatian", ["E R T Z U I O P Č", "A S D F G H J K L Ć DŽ", "C V B N M Đ LJ NJ Š Ž"]),
        ("abc", "polish", ["A Ą B C Ć D E Ę F G H", "I J K L Ł M N Ń O Ó P", "R S Ś T U W Y Z Ź Ż"]),
        ("abc", "italian", ["A B C D E F G", None, None]),
        # With more than a row of them, and with other letters, the keys are in order.
        ("qwertz", "hungarian", ["A Á B C CS D E É F G", None, None, "T TY U Ú Ü Ű V Z ZS"]),
        ("azerty", "greek", ["Α Β Γ Δ Ε Ζ Η Θ", None, None]),  # noqa: RUF001 - Greek
    ],
)
def test_every_tile_stands_where_its_alphabets_keyboards_have_it(layout: str, alphabet: str, rows: list[str | None]) -> None:
    found = keys_of(layout, alphabet)
    assert [row and found[place] for place, row in enumerate(rows)] == rows
    assert len(found) == len(rows)


def test_a_digraph_takes_the_place_of_a_letter_that_has_no_tile_of_its_own() -> None:
    assert [keys_of("qwerty", "catalan")[0].split()[0], keys_of("azerty", "catalan")[1].split()[0]] == ["QU", "QU"]


@shipped_layouts
def test_a_layout_has_each_letter_once_and_others_to_the_right_of_those_before_them(layout: str) -> None:
    loaded = load_layout(layout)
    there = list("".join(loaded.rows))
    assert not loaded.right_of or there
    for extra, beside in loaded.right_of.items():
        assert beside in there
        there.append(extra)
    assert len(set(there)) == len(there)
    assert "".join(there) == "".join(there).upper()
