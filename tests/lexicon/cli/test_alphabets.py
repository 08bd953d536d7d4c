"""``tilelexicon alphabets``: the list of them, and each in full."""

import re
from pathlib import Path

import pytest

from lexicon.alphabet import alphabets, load_alphabet
from tests.lexicon.cli.program import PAIR, invoke, refusal


def test_all_are_listed_with_their_source() -> None:
    lines = invoke("alphabets").stdout.splitlines()
    assert [line.split()[0] for line in lines] == list(alphabets())
    assert all(load_alphabet(line.split()[0]).source in line for line in lines)


@pytest.mark.parametrize("alphabet_id", alphabets())
def test_each_shows_its_tiles_in_order_and_what_is_typed_for_them(alphabet_id: str) -> None:
    alphabet = load_alphabet(alphabet_id)
    head, tiles, *typed = invoke("alphabets", alphabet_id).stdout.split("\n\n")
    assert alphabet.source in head
    assert [tuple(line.split()[:4]) for line in tiles.splitlines()[1:]] == [
        (str(number), tile.text, str(tile.score), str(tile.count)) for number, tile in enumerate(alphabet.tiles, 1)
    ]
    assert {line.split()[1] for line in tiles.splitlines() if "always" in line} == {tile.text for tile in alphabet.tiles if tile.always}
    shown = [tuple(line.split()) for line in "".join(typed).splitlines()[1:]]
    assert shown == [(text, *stands_for) for text, stands_for in alphabet.typed.items()]


def test_an_alphabet_of_ones_own_is_shown_by_its_path(tmp_path: Path) -> None:
    (tmp_path / "pair.toml").write_text(PAIR, encoding="utf-8")
    assert "Pair (pair): made up" in invoke("alphabets", tmp_path / "pair.toml").stdout
    (tmp_path / "bad.toml").write_text("tiles = 1", encoding="utf-8")
    refusal("alphabets", tmp_path / "bad.toml", where=re.compile("bad.toml"))


def test_an_unknown_one_is_refused_with_those_that_are_known() -> None:
    refusal("alphabets", "englisch", expected=re.compile(", ".join(alphabets())), found='"englisch"')
