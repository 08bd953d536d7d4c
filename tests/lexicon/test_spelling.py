import re
import time
import unicodedata
from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Struct

from lexicon.alphabet import load_alphabet
from lexicon.errors import Ambiguous, Unspellable
from lexicon.spelling import Spelling, normalised
from tests.errors import with_fields
from tests.examples import examples

LETTERS = "ABÉ"
"""Of these the random tiles are made: few, so that texts overlap."""

TYPED_LETTERS = "1·Ñ"
"""Of these, at least one is in whatever is typed: so nothing typed is part of a tile's text."""


class Small(Struct, frozen=True, dict=True):
    tiles: tuple[str, ...]
    typed: dict[str, bytes]
    always: frozenset[int]
    joined: frozenset[int] = frozenset()

    def spelling(self) -> Spelling:
        return Spelling(self.tiles, self.typed, self.always, self.joined)

    def ways(self, text: str) -> set[bytes]:
        return {way for way in self._any(self._joined_up(text)) if not self._breaks_up_a_tile(way)}

    def _joined_up(self, text: str) -> str:
        joined = {self.tiles[number - 1] for number in self.joined}
        pieces = sorted([*(f"[{tile}]" for tile in self.tiles), *self.typed, *joined], key=len, reverse=True)
        return re.sub("|".join(map(re.escape, pieces)), lambda at: f"[{at[0]}]" if at[0] in joined else at[0], text) if joined else text

    def _any(self, text: str) -> set[bytes]:
        if not text:
            return {b""}
        numbered = [(tile, bytes([number])) for number, tile in enumerate(self.tiles, 1)]
        pieces = [*numbered, *((f"[{tile}]", number) for tile, number in numbered), *self.typed.items()]
        return {tiles + rest for piece, tiles in pieces if text.startswith(piece) for rest in self._any(text.removeprefix(piece))}

    def _breaks_up_a_tile(self, way: bytes) -> bool:
        """Whether tiles side by side read as one that is always laid as itself."""
        whole = {self.tiles[number - 1] for number in self.always}
        runs = (way[start:end] for start in range(len(way)) for end in range(start + 2, len(way) + 1))
        return any("".join(self.tiles[number - 1] for number in run) in whole for run in runs)


@st.composite
def small_alphabets(draw: st.DrawFn) -> Small:
    """Single letters, and tiles of several letters that mostly can be laid with others too; single letters are typed in other ways most."""
    single = draw(st.lists(st.sampled_from(LETTERS), min_size=1, max_size=3, unique=True))
    longer = draw(st.lists(st.text(LETTERS, min_size=2, max_size=3), max_size=4, unique=True))
    tiles = draw(st.permutations([*single, *longer]))
    numbers = st.integers(1, len(tiles))
    mixed = st.text(LETTERS + TYPED_LETTERS, min_size=1, max_size=3).filter(lambda text: bool(set(text) & set(TYPED_LETTERS)))
    texts = st.one_of(st.sampled_from(TYPED_LETTERS), mixed)
    stands_for = st.one_of(numbers.map(lambda number: [number]), st.lists(numbers, min_size=1, max_size=3))
    typed = draw(st.dictionaries(texts, stands_for.map(bytes), max_size=4))
    always = [number for number, tile in enumerate(tiles, 1) if len(tile) > 1 and draw(st.booleans())]
    joined = [number for number, tile in enumerate(tiles, 1) if len(tile) > 1 and draw(st.booleans())]
    return Small(tuple(tiles), typed, frozenset(always), frozenset(joined))


@st.composite
def alphabets_with_a_text(draw: st.DrawFn) -> tuple[Small, str]:
    """An alphabet and a text that is mostly put together of what can be laid with it."""
    small = draw(small_alphabets())
    pieces = st.sampled_from([*small.tiles, *small.typed, *(f"[{tile}]" for tile in small.tiles)])
    return small, "".join(draw(st.lists(st.one_of(pieces, pieces, st.sampled_from([*LETTERS, *TYPED_LETTERS, "[", "]"])), max_size=5)))


def outcome(spelling: Spelling, text: str) -> bytes | type[Unspellable]:
    try:
        return spelling.codes(text)
    except Unspellable as error:
        return type(error)


def expected(ways: set[bytes]) -> bytes | type[Unspellable]:
    if len(ways) == 1:
        return next(iter(ways))
    return Ambiguous if ways else Unspellable


@settings(max_examples=examples(300), deadline=None)
@given(both=alphabets_with_a_text())
def test_a_text_gives_its_only_way_and_is_unspellable_with_none_and_ambiguous_with_more(both: tuple[Small, str]) -> None:
    small, text = both
    assert outcome(small.spelling(), text) == expected(small.ways(text))


@settings(max_examples=examples(300), deadline=None)
@given(small=small_alphabets(), data=st.data())
def test_texts_of_tiles_and_digits_typed_for_them_are_read_as_these_tiles(small: Small, data: st.DataObject) -> None:
    spelling = small.spelling()
    codes = bytes(data.draw(st.lists(st.integers(1, len(small.tiles)), max_size=6)))
    bracketed = "".join(f"[{small.tiles[code - 1]}]" for code in codes)
    # Tiles that break up another stand for no word: there is no text for them.
    assert outcome(spelling, spelling.text(codes)) == expected(small.ways(bracketed))
    # A digit typed for each tile is as good as the tile, and breaks up no other.
    digits = Small(small.tiles, {str(number): bytes([number]) for number in range(1, len(small.tiles) + 1)}, small.always, small.joined)
    text = data.draw(st.text("".join(digits.typed), min_size=1, max_size=4))
    assert outcome(digits.spelling(), text) == expected(digits.ways(text))


@settings(max_examples=examples(150), deadline=None)
@given(both=alphabets_with_a_text())
def test_upper_and_lower_case_composed_and_decomposed_are_one_text(both: tuple[Small, str]) -> None:
    small, text = both
    spelling = small.spelling()
    forms = [text, text.lower(), unicodedata.normalize("NFD", text), unicodedata.normalize("NFD", text.lower())]
    assert len({outcome(spelling, form) for form in forms}) == 1


@settings(deadline=None)
@given(text=st.text())
def test_whatever_is_typed_is_laid_or_refused_with_a_printable_sentence(text: str) -> None:
    spelling = Spelling(["A", "CH", "C", "H"], {"1": b"\2"}, {2})
    found = outcome(spelling, text)
    if isinstance(found, bytes):
        assert outcome(spelling, spelling.text(found)) == found
    else:
        with pytest.raises(found, check=with_fields(expected=re.compile("tile"))) as refused:
            spelling.codes(text)
        assert str(refused.value).isprintable()
    # Normalising twice is normalising once.
    assert normalised(normalised(text)) == normalised(text)


def test_the_character_that_is_in_no_tile_is_named() -> None:
    with pytest.raises(Unspellable, check=with_fields(found="'CAF\u00c9', where '\u00c9' is on no tile")):
        Spelling(list("ACEF"), {}).codes("CAFÉ")
    # A dotless i is named, and not the letters beside it.
    with pytest.raises(Unspellable, check=with_fields(found=re.compile("where '\u0131' is on no tile"))):
        Spelling(list("AIT"), {}).codes("t\u0131")
    # What only looks like letters is not made letters.
    for text in ("\u0131", "\u017fET", "\ufb01T", "\ufb06"):
        with pytest.raises(Unspellable):
            load_alphabet("english").spelling.codes(text)


def test_a_long_text_is_answered_without_trying_every_way_or_refused_at_once() -> None:
    with pytest.raises(Ambiguous):
        Spelling(["L", "LL"], {}).codes("L" * 1500)
    with pytest.raises(Unspellable, check=with_fields(found="64,000 characters")):
        Spelling(["L", "LL"], {}).codes("L" * 64_000)
    # A text longer than any word is refused at once.
    spanish = load_alphabet("spanish").spelling
    begun = time.process_time()
    for text in ("L" * 64_000, "Ñ" * 1531, "[LL]" * 400):
        with pytest.raises(Unspellable, check=with_fields(expected="a word of at most 255 tiles")):
            spanish.codes(text)
    assert time.process_time() - begun < 10
    assert len(spanish.codes("[LL]" * 255)) == 255


@settings(max_examples=examples(150), deadline=None)
@given(codes=st.lists(st.integers(1, 29), max_size=15).map(bytes), form=st.sampled_from(["NFC", "NFD"]))
def test_small_letters_of_turkish_words_are_those_of_their_tiles(codes: bytes, form: Literal["NFC", "NFD"]) -> None:
    spelling = load_alphabet("turkish").spelling
    assert spelling.normalised("i\u0302") == "Î"
    text = spelling.text(codes)
    assert spelling.codes(text) == codes
    for small in (text.replace("I", "\u0131").replace("İ", "i").lower(), text.replace("I", "\u0131").lower()):
        assert spelling.codes(unicodedata.normalize(form, small)) == codes
    # Capitals of no language are another word: they are never taken for this one.
    assert (spelling.codes(text.replace("İ", "I")) == codes) is ("İ" not in text)
