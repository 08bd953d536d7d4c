"""Going through the words, all or those that begin alike, is what a sorted list would give; and it ends in a file that leads in circles."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexicon import Lexicon
from lexicon.alphabet import Alphabet
from lexicon.dawg import walk
from lexicon.errors import Ambiguous, Closed, Damaged, Unspellable
from tests.errors import with_fields
from tests.lexicon.crafting import Crafted, taken_apart
from tests.lexicon.making import EXAMPLE, alphabet, alphabets, built, coded, example, words_in

ENDS = 0x40


@given(data=st.data())
def test_the_words_that_begin_alike_come_as_a_sorted_list_has_them(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    of: Alphabet = data.draw(alphabets())
    words = data.draw(words_in(of))
    path = tmp_path_factory.getbasetemp() / "walk.dawg"
    built(path, words, of)
    prefixes = {word[:at] for word in words for at in range(len(word) + 1)} | {words[0] + b"\x01", bytes((len(of.tiles),))}
    with Lexicon.open(path) as lexicon:
        for prefix in prefixes:
            assert list(walk(lexicon, prefix)) == sorted({word for word in words if word.startswith(prefix)})


def test_a_prefix_is_tiles_not_letters(tmp_path: Path) -> None:
    with Lexicon.open(example(tmp_path / "x.dawg")) as lexicon:
        assert list(lexicon) == ["AT", "CHA", "CHAT", "CHATS"]
        assert list(lexicon.starting("ch")) == ["CHA", "CHAT", "CHATS"]
        assert list(lexicon.starting("á")) == ["AT"]
        assert list(lexicon.starting("CHATS")) == ["CHATS"]
        assert list(lexicon.starting("S")) == []
        with pytest.raises(Unspellable):
            lexicon.starting("C")


def test_a_prefix_of_two_ways_is_refused(tmp_path: Path) -> None:
    of = alphabet(("A", "AB", "B"))
    built(tmp_path / "x.dawg", [b"\x02", b"\x01\x03"], of)
    with Lexicon.open(tmp_path / "x.dawg") as lexicon, pytest.raises(Ambiguous):
        lexicon.starting("AB")


def opened(path: Path, **changed: object) -> Lexicon:
    """The example with things changed in it, sealed as if nothing were."""
    crafted = taken_apart(example(path).read_bytes())
    path.write_bytes(Crafted(**{**vars(crafted), **changed}).sealed())
    return Lexicon.open(path)


def test_a_circle_ends_at_the_longest_word(tmp_path: Path) -> None:
    with opened(tmp_path / "x.dawg", units=(0, 0, 1 << 8 | ENDS | 1), words=1 << 24) as lexicon:
        words = iter(lexicon)
        assert list(itertools.islice(words, 4)) == ["A", "AA", "AAA", "AAAA"]
        with pytest.raises(Damaged, check=with_fields(expected=re.compile("of at most 4 tiles"), found="more")):
            next(words)


def test_a_graph_that_branches_without_words_ends_at_once(tmp_path: Path) -> None:
    # Tiles 1 and 2 at each of 255 states, both on to the next: 2 to the 255 ways and not a word.
    bases = range(1, 1 + 3 * 255, 3)
    units = [0] * (bases[-1] + 6)
    for base in bases:
        to = base + 3 if base != bases[-1] else 0
        units[base + 1 : base + 3] = [to << 8 | 1, to << 8 | 2]
    with opened(tmp_path / "x.dawg", units=tuple(units), longest=255, words=1 << 20) as lexicon, pytest.raises(Damaged):
        list(lexicon)


def test_more_words_than_the_header_says_are_not_given(tmp_path: Path) -> None:
    with opened(tmp_path / "x.dawg", words=2) as lexicon:
        words = iter(lexicon)
        assert list(itertools.islice(words, 2)) == ["AT", "CHA"]
        with pytest.raises(Damaged, check=with_fields(expected=re.compile("2 words"))):
            next(words)


def test_an_edge_out_of_the_file_is_told(tmp_path: Path) -> None:
    with (
        opened(tmp_path / "x.dawg", units=(0, 0, 0xFFFFFF << 8 | 1)) as lexicon,
        pytest.raises(Damaged, check=with_fields(found=re.compile("way out"))),
    ):
        list(lexicon)


def test_a_lexicon_closed_while_it_is_walked_through_ends_the_walk(tmp_path: Path) -> None:
    tiles = range(1, 5)
    built(tmp_path / "x.dawg", [bytes((*word, word[0])) for word in itertools.product(tiles, repeat=3)], EXAMPLE)
    lexicon = Lexicon.open(tmp_path / "x.dawg")
    words = walk(lexicon, b"")
    assert next(words) == coded(["AAAA"], EXAMPLE)[0]
    lexicon.close()
    with pytest.raises(Closed):
        list(words)
    with pytest.raises(Closed):
        next(walk(lexicon, b""))
