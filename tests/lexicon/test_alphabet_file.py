"""An alphabet's file of one's own, and every way in which one can be wrong."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lexicon.alphabet import Alphabet, Tile, alphabets, load_alphabet
from lexicon.errors import BadAlphabet, LexiconError, Unreadable

OWN = 'id = "ours"\nname = "Ours"\nsource = "Made at home"\nblanks = 2\n'
TILES = 'tiles = [{ tile = "A", score = 1, count = 9 }, { tile = "CH", score = 5, count = 1, always = true }]\n'


def written(folder: Path, text: str | bytes) -> str:
    file = folder / "ours.toml"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return str(file)


def refusal(id_or_path: str) -> str:
    with pytest.raises(BadAlphabet) as caught:
        load_alphabet(id_or_path)
    return str(caught.value)


def test_a_file_of_ones_own_is_loaded_by_path_and_read_anew_each_time(tmp_path: Path) -> None:
    path = written(tmp_path, OWN + TILES + '[typed]\n"Á" = ["A"]\n"1" = ["CH"]\n"Å" = ["A", "A"]\n')
    ours = load_alphabet(path)
    assert ours == Alphabet(
        "ours", "Ours", "Made at home", (Tile("A", 1, 9), Tile("CH", 5, 1, always=True)), {"Á": ("A",), "1": ("CH",), "Å": ("A", "A")}, 2
    )
    assert ours.spelling.codes("cháå1") == b"\x02\x01\x01\x01\x02"
    written(tmp_path, OWN + TILES)
    assert load_alphabet(path).typed == {}


def test_an_unknown_id_is_answered_with_the_known_ones_and_the_nearest() -> None:
    assert refusal("spansh").endswith('found "spansh"; did you mean spanish?')
    assert all(each in refusal("xx") for each in alphabets())
    assert refusal("Catalan").endswith("did you mean catalan?")
    assert refusal("").endswith('found "".')


def test_a_file_that_is_not_there_or_no_file_is_said_to_be_unreadable(tmp_path: Path) -> None:
    for path in (str(tmp_path / "none.toml"), f"{tmp_path}/", "none.toml", "nul\0.toml"):
        with pytest.raises(Unreadable, match="expected"):
            load_alphabet(path)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (b"\xff\xfei\0d\0", "expected text in UTF-8; byte 0 is not. Save the file as UTF-8."),
        ("tiles = [", "expected TOML; "),
        ("a = " + "[" * 5000, "expected TOML"),
        ("", "expected small letters, digits and hyphens, at most 64 as id, found nothing. Add it."),
        (TILES, "as id, found nothing. Add it."),
        (OWN, "expected a list of 1 to 63 tiles, each with tile, score and count, in sorting order as tiles, found nothing."),
        (OWN + "tiles = []", "tiles is []; expected a list of 1 to 63 tiles"),
        (OWN + 'tiles = "ABC"', 'tiles is "ABC"; expected a list of 1 to 63 tiles'),
        (OWN + 'tiles = ["A"]', 'tile 1 is "A"; expected a table with tile, score and count. Mend it.'),
        (OWN + 'tiles = [{ tile = "A", score = 1 }]', "as count of tile 1, found nothing. Add it."),
        (OWN + 'tiles = [{ tile = "A", score = -1, count = 1 }]', "score of tile 1 is -1; expected a whole number from 0 to 1000."),
        (OWN + 'tiles = [{ tile = "A", score = 1, count = 1.0 }]', "count of tile 1 is 1.0; expected a whole number from 0 to 1000."),
        (OWN + 'tiles = [{ tile = "A", score = true, count = 1 }]', "score of tile 1 is true; expected a whole number"),
        (OWN + TILES.replace("always", "alway"), "allowed there: tile, score, count, always; did you mean always?"),
        (OWN + TILES.replace("true", '"yes"'), 'always of tile 2 is "yes"; expected true or false.'),
        (OWN.replace("name", "nam") + TILES, "unknown key nam; allowed there: id, name, source, blanks, tiles, typed; did you mean name?"),
        (OWN.replace('"ours"', '"Our own"') + TILES, 'id is "Our own"; expected small letters, digits and hyphens, at most 64. Mend it.'),
        (OWN.replace('"Ours"', '" "') + TILES, 'name is " "; expected one line of text'),
        (OWN.replace("Made at home", "Made\\nat home") + TILES, 'source is "Made\\nat home"; expected one line of text'),
        (OWN.replace("2", "-2") + TILES, "blanks is -2; expected a whole number from 0 to 1000. Mend it."),
        (OWN + TILES.replace("CH", "A"), 'tiles 1 and 2 are both "A"; expected each tile once. Remove one.'),
        (OWN + TILES + 'typed = ["Á"]', 'typed is ["Á"]; expected a table of at most 500 texts'),
        (OWN + TILES + 'typed = { "Á" = "A" }', 'typed "Á" is "A"; expected a list of 1 to 4 texts of tiles. Mend it.'),
        (OWN + TILES + 'typed = { "Á" = [] }', 'typed "Á" is []; expected a list of 1 to 4 texts of tiles. Mend it.'),
        (OWN + TILES + 'typed = { "Á" = [1] }', 'typed "Á" is 1; expected a list of 1 to 4 texts of tiles. Mend it.'),
        (OWN + TILES + 'typed = { "Á" = ["X"] }', 'typed "Á" stands for "X"; expected texts of tiles. Add that tile or mend it.'),
        (OWN + TILES + 'typed = { "{X}" = ["{Y}"] }', 'typed "{X}" stands for "{Y}"; expected texts of tiles.'),
        (
            OWN + TILES + 'typed = { "CH" = ["A"] }',
            'typed "CH" has only characters of tiles; expected one at least that no tile has. Remove it.',
        ),
        (
            OWN + 'tiles = [{ tile = "A", score = 1, count = 1 }, { tile = "\u0301", score = 1, count = 1 }]',
            "become another text side by side",
        ),
    ],
)
def test_a_bad_file_is_answered_with_one_sentence_that_says_file_fault_and_remedy(tmp_path: Path, text: str | bytes, sentence: str) -> None:
    path = written(tmp_path, text)
    found = refusal(path)
    assert found.startswith(f"{path}: ")
    assert sentence in found
    assert found.isprintable()


@pytest.mark.parametrize(
    "text",
    ["", "a", "ß", "A\u0301", " ", "A B", "A\\t", "A\\u0000", "A\\u200b", "[A]", "A]", "\u0140l", "A" * 17, "A\\u00a0", "\u0131", "\ufb01"],
)
def test_texts_are_in_capitals_composed_not_empty_and_without_spaces_brackets_and_control_characters(tmp_path: Path, text: str) -> None:
    expected = "expected 1 to 4 characters, in capitals, composed (NFC), without spaces, brackets or control characters"
    assert expected in refusal(written(tmp_path, OWN + f'tiles = [{{ tile = "{text}", score = 1, count = 1 }}]'))
    assert expected in refusal(written(tmp_path, OWN + TILES + f'typed = {{ "{text}" = ["A"] }}'))


def test_63_tiles_are_taken_and_64_are_not(tmp_path: Path) -> None:
    lines = [f'{{ tile = "{chr(0x4E00 + each)}", score = 0, count = 0 }}' for each in range(64)]
    path = written(tmp_path, OWN + f"tiles = [{', '.join(lines[:63])}]")
    assert load_alphabet(path).spelling.codes("\u4e3e") == b"\x3f"
    assert "expected a list of 1 to 63 tiles" in refusal(written(tmp_path, OWN + f"tiles = [{', '.join(lines)}]"))


VALUES = st.recursive(
    st.sampled_from(['"A"', '"a"', '"CH"', "1", "-1", "1.5", "true", "2000-01-01", "99999999999999999999", '""', "nan"]),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda each: f"[{', '.join(each)}]"),
        st.dictionaries(st.sampled_from(["tile", "score", "count", "always", '"Á"', "x"]), inner, max_size=3).map(
            lambda each: "{" + ", ".join(f"{key} = {value}" for key, value in each.items()) + "}"
        ),
    ),
    max_leaves=8,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(values=st.dictionaries(st.sampled_from(["id", "name", "source", "blanks", "tiles", "typed", "tile"]), VALUES))
def test_whatever_a_file_holds_it_is_loaded_or_refused_with_a_sentence(tmp_path: Path, values: dict[str, str]) -> None:
    whole = {"id": '"a"', "name": '"A"', "source": '"A"', "blanks": "0", "tiles": '[{ tile = "A", score = 1, count = 1 }]'} | values
    path = written(tmp_path, "\n".join(f"{key} = {value}" for key, value in whole.items()))
    with contextlib.suppress(BadAlphabet):
        assert load_alphabet(path).spelling.tiles


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=st.binary(max_size=200))
def test_no_bytes_give_anything_but_an_error_of_ours(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(LexiconError):
        load_alphabet(written(tmp_path, content))
