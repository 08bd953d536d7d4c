"""Words as tiles, and back."""

from __future__ import annotations

import re
import time
import unicodedata
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lexicon.alphabet import Alphabet, load_alphabet
from lexicon.errors import Ambiguous, BadLines, BadText, Unreadable, Unspellable
from lexicon.limits import TILES_IN_ALPHABET
from lexicon.spelling import UNSURE, Spelling, normalised, shortened
from lexicon.wordtext import Spelled
from tests.cells import each_cell
from tests.errors import with_fields
from tests.examples import examples
from tests.lexicon.making import ENGLISH, EXAMPLE, alphabet, coded

LETTERS = "ABÉ"
"""Of these the random tiles are made: few, so that texts overlap."""

TYPED_LETTERS = "1·Ñ"
"""Of these, at least one is in whatever is typed: so nothing typed is part of a tile's text."""


@dataclass(frozen=True)
class Small:
    """A small alphabet, in the words of ``Spelling``."""

    tiles: tuple[str, ...]
    typed: dict[str, bytes]
    always: frozenset[int]

    def spelling(self) -> Spelling:
        return Spelling(self.tiles, self.typed, self.always)

    def ways(self, text: str) -> set[bytes]:
        """Every way to lay a normalised text, by trying every piece everywhere."""
        return {way for way in self._any(text) if not self._breaks_up_a_tile(way)}

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
    return Small(tuple(tiles), typed, frozenset(always))


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
def test_the_text_of_tiles_is_read_as_these_tiles_again(small: Small, data: st.DataObject) -> None:
    spelling = small.spelling()
    codes = bytes(data.draw(st.lists(st.integers(1, len(small.tiles)), max_size=6)))
    bracketed = "".join(f"[{small.tiles[code - 1]}]" for code in codes)
    # Tiles that break up another stand for no word: there is no text for them.
    assert outcome(spelling, spelling.text(codes)) == expected(small.ways(bracketed))


@settings(max_examples=examples(300), deadline=None)
@given(small=small_alphabets(), data=st.data())
def test_a_digit_typed_for_each_tile_is_as_good_as_the_tile_and_breaks_up_no_other(small: Small, data: st.DataObject) -> None:
    digits = Small(small.tiles, {str(number): bytes([number]) for number in range(1, len(small.tiles) + 1)}, small.always)
    text = data.draw(st.text("".join(digits.typed), min_size=1, max_size=4))
    assert outcome(digits.spelling(), text) == expected(digits.ways(text))


@settings(max_examples=examples(150), deadline=None)
@given(small=small_alphabets(), data=st.data())
def test_brackets_stand_in_a_text_only_where_it_would_be_read_otherwise_without(small: Small, data: st.DataObject) -> None:
    codes = bytes(data.draw(st.lists(st.integers(1, len(small.tiles)), max_size=6)))
    plain = "".join(small.tiles[code - 1] for code in codes)
    if small.ways(plain) == {codes}:
        assert small.spelling().text(codes) == plain


@settings(max_examples=examples(150), deadline=None)
@given(both=alphabets_with_a_text())
def test_upper_and_lower_case_composed_and_decomposed_are_one_text(both: tuple[Small, str]) -> None:
    small, text = both
    spelling = small.spelling()
    forms = [text, text.lower(), unicodedata.normalize("NFD", text), unicodedata.normalize("NFD", text.lower())]
    assert len({outcome(spelling, form) for form in forms}) == 1


@settings(max_examples=examples(150), deadline=None)
@given(small=small_alphabets())
def test_the_quick_table_says_what_codes_says_of_each_character_or_nothing(small: Small) -> None:
    spelling = small.spelling()
    assert len(spelling.quick) == 256
    for byte, tile in enumerate(spelling.quick):
        if tile != UNSURE:
            assert byte < 128
            assert spelling.codes(chr(byte)) == bytes([tile])


@settings(max_examples=examples(150), deadline=None)
@given(small=small_alphabets(), text=st.text("AB1ab", max_size=6))
def test_a_text_that_the_quick_table_settles_has_no_other_way(small: Small, text: str) -> None:
    quick = text.encode("ascii").translate(small.spelling().quick)
    if UNSURE not in quick:
        assert small.ways(text.upper()) == {quick}


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


@settings(deadline=None)
@given(text=st.text())
def test_normalising_twice_is_normalising_once(text: str) -> None:
    assert normalised(normalised(text)) == normalised(text)


def test_an_empty_text_has_no_tiles() -> None:
    assert Spelling(["A"], {}).codes("") == b""
    assert Spelling(["A"], {}).text(b"") == ""


def test_a_tile_of_an_alphabet_of_most_tiles_is_its_number() -> None:
    tiles = [chr(0x4E00 + number) for number in range(TILES_IN_ALPHABET)]
    spelling = Spelling(tiles, {})
    assert spelling.codes("".join(tiles)) == bytes(range(1, TILES_IN_ALPHABET + 1))
    assert spelling.text(bytes(range(1, TILES_IN_ALPHABET + 1))) == "".join(tiles)


def test_an_ambiguous_text_is_answered_with_two_ways_to_write_it() -> None:
    spelling = Spelling(["A", "N", "NG", "G"], {})
    with pytest.raises(Ambiguous, check=with_fields(found=re.compile(r"A\[N\]G or A\[NG\]|A\[NG\] or A\[N\]G"))):
        spelling.codes("ang")
    assert [spelling.codes(text) for text in ("a[n]g", "a[ng]")] == [b"\1\2\4", b"\1\3"]
    assert [spelling.text(codes) for codes in (b"\1\2\4", b"\1\3")] == ["A[N]G", "A[NG]"]


def test_tiles_side_by_side_that_read_as_one_that_is_always_itself_are_no_word_even_in_brackets() -> None:
    spelling = Spelling(["A", "C", "CH", "H"], {"1": b"\3"}, {3})
    assert [spelling.codes(text) for text in ("ACHA", "A1A", "A[CH]A")] == [b"\1\3\1"] * 3
    with pytest.raises(Unspellable):
        spelling.codes("A[C][H]A")


def test_a_tile_that_is_always_itself_is_not_laid_in_any_of_three_other_ways() -> None:
    assert Spelling(["A", "B", "C", "AB", "BC", "ABC"], {}, {6}).codes("ABC") == b"\6"


@pytest.mark.parametrize("text", ["ÇH", "AÇHA", "1H"])
def test_a_letter_typed_in_another_way_does_not_break_up_a_tile_either(text: str) -> None:
    with pytest.raises(Unspellable):
        Spelling(["A", "C", "CH", "H"], {"Ç": b"\2", "1": b"\2"}, {3}).codes(text)


def test_the_character_that_is_in_no_tile_is_named() -> None:
    with pytest.raises(Unspellable, check=with_fields(found="'CAF\u00c9', where '\u00c9' is on no tile")):
        Spelling(list("ACEF"), {}).codes("CAFÉ")


def test_a_dotless_i_is_named_and_not_the_letters_beside_it() -> None:
    with pytest.raises(Unspellable, check=with_fields(found=re.compile("where '\u0131' is on no tile"))):
        Spelling(list("AIT"), {}).codes("t\u0131")


def test_a_long_text_is_cut_in_the_sentence() -> None:
    assert shortened("A" * 40) == "A" * 40
    assert shortened("A" * 41) == "A" * 40 + "…"


def test_a_long_text_of_overlapping_tiles_is_answered_without_trying_every_way() -> None:
    with pytest.raises(Ambiguous):
        Spelling(["L", "LL"], {}).codes("L" * 1500)
    with pytest.raises(Unspellable, check=with_fields(found="64,000 characters")):
        Spelling(["L", "LL"], {}).codes("L" * 64_000)


def test_what_could_be_forbidden_is_kept_apart_only_as_far_as_it_matters() -> None:
    # All ways of As end alike, as none begins a broken CHCH: if each were kept, they would double with every letter.
    spelling = Spelling(["A", "AA", "AAA", "AAAA", "C", "H", "CHCH"], {"Ç": b"\5", "Ħ": b"\6"}, [7])
    for text in ("A" * 200, "A" * 1500, "A" * 200 + "Ç", "Ħ" + "A" * 200 + "CHÇA"):
        begun = time.process_time()
        with pytest.raises(Ambiguous):
            spelling.codes(text)
        assert time.process_time() - begun < 10
    with pytest.raises(Unspellable):
        spelling.codes("A" * 200 + "CHÇH")


def test_a_text_longer_than_any_word_is_refused_at_once() -> None:
    spanish = load_alphabet("spanish").spelling
    begun = time.process_time()
    for text in ("L" * 64_000, "Ñ" * 1531, "[LL]" * 400):
        with pytest.raises(Unspellable, check=with_fields(expected="a word of at most 255 tiles")):
            spanish.codes(text)
    assert time.process_time() - begun < 10
    assert len(spanish.codes("[LL]" * 255)) == 255


@pytest.mark.parametrize("text", ["\u0131", "\u017fET", "\ufb01T", "\ufb06"])
def test_what_only_looks_like_letters_is_not_made_letters(text: str) -> None:
    with pytest.raises(Unspellable):
        load_alphabet("english").spelling.codes(text)


def test_sharp_s_is_two_tiles_in_german() -> None:
    german = load_alphabet("german").spelling
    assert german.codes("groß") == german.codes("GROSS")


@settings(max_examples=examples(100), deadline=None)
@given(small=small_alphabets(), data=st.data())
def test_a_text_depends_on_the_tiles_and_their_flags_and_not_on_what_is_typed(small: Small, data: st.DataObject) -> None:
    codes = data.draw(st.lists(st.integers(1, len(small.tiles)), max_size=6).map(bytes))
    assert small.spelling().text(codes) == Spelling(small.tiles, {}, small.always).text(codes)


def test_two_ways_that_break_up_a_tile_only_later_do_not_hide_a_third() -> None:
    typed = {"XYZ": b"\1\3", "YZ": b"\2\3", "X": b"\1", "Y": b"\4", "Z": b"\4"}
    assert Spelling(["A", "B", "C", "D", "H", "CH"], typed, [6]).codes("XYZH") == b"\1\4\4\5"


FRENCH = load_alphabet("french")


def spelled(path: Path, text: str | bytes, of: Alphabet = ENGLISH) -> tuple[list[bytes], Spelled]:
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    words = Spelled(path, of)
    return list(words), words


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "words.txt"


def test_either_case_and_spaces_around_are_as_one_types(path: Path) -> None:
    words, listed = spelled(path, "tile\n Clock \n\tRACK\t\r\nqUIZ")
    assert words == coded(["TILE", "CLOCK", "RACK", "QUIZ"])
    assert (listed.invalid, listed.invalid_count) == ([], 0)
    listed.refuse_invalid()


@pytest.mark.parametrize("accented", ["ÉTÉ", "été", "E\u0301TE\u0301", "e\u0301te\u0301"])
def test_accents_composed_or_not_are_one_text_which_french_folds_and_english_refuses(path: Path, accented: str) -> None:
    assert spelled(path, accented, FRENCH)[0] == coded(["ETE"], FRENCH)
    words, listed = spelled(path, f"TILE\n\n{accented}\n")
    assert words == coded(["TILE"])
    assert [(each.line, each.text) for each in listed.invalid] == [(3, accented)]


def test_a_line_that_no_tiles_spell_is_left_out_and_listed(path: Path) -> None:
    for cell in each_cell(
        [
            "TWO WORDS",
            "M1X",
            "42",
            "TILE-CLOCK",
            "IT'S",
            "TI\u200bLE",
            "\u200bTILE",
            "TILE\u200d",
            "TI\u00adLE",
            "TILE\u00a0",
            "\ufeffTILE",
            "TIL€",
            "[TIL",
            "#",
        ]
    ):
        with cell as line:
            words, listed = spelled(path, f"TILE\r\n{line}\r\nCLOCK")
            assert words == coded(["TILE", "CLOCK"])
            assert [(each.line, each.text) for each in listed.invalid] == [(2, line)]
            with pytest.raises(BadText, check=with_fields(found="1 line that is not")) as refused:
                listed.refuse_invalid()
            assert str(refused.value).startswith(f"{path}: expected words that the alphabet's tiles spell")
            assert f"\nline 2: {line!r}: expected a text that the alphabet's tiles spell" in str(refused.value)


def test_a_line_that_can_be_laid_in_two_ways_is_listed_and_one_with_brackets_is_not(path: Path) -> None:
    words, listed = spelled(path, "AB\n[AB]\nBA\n", alphabet(("A", "AB", "B")))
    assert words == [b"\x02", b"\x03\x01"]
    assert [(each.line, each.text) for each in listed.invalid] == [(1, "AB")]
    assert "one way to spell" in listed.invalid[0].why


def test_tiles_of_several_letters_and_typed_forms_are_laid(path: Path) -> None:
    words, listed = spelled(path, "CHAT\nChÁt\nCAT\n", EXAMPLE)
    assert words == [b"\x02\x01\x04", b"\x02\x01\x04"]
    assert [each.text for each in listed.invalid] == ["CAT"]


@pytest.mark.parametrize(("line", "fits"), [("T" * 15, True), ("T" * 16, False), ("CH" * 15, True), ("CH" * 16, False)])
def test_a_word_longer_than_a_row_of_the_board_is_left_out(path: Path, line: str, fits: bool) -> None:
    words, listed = spelled(path, line, EXAMPLE)
    assert (len(words), listed.invalid_count) == ((1, 0) if fits else (0, 1))
    if not fits:
        assert str(listed.invalid[0]) == f"line 1: {line!r}: expected at most 15 tiles, as the board has in a row, found 16."


def test_of_many_invalid_lines_a_thousand_are_kept_and_all_are_counted(path: Path) -> None:
    _, listed = spelled(path, "1\n" * 2500)
    assert (len(listed.invalid), listed.invalid_count, listed.invalid[-1].line) == (1000, 2500, 1000)
    with pytest.raises(BadLines, check=with_fields(found="2,500 lines that are not")) as refused:
        listed.refuse_invalid()
    assert (len(refused.value.lines), refused.value.lines[-1]) == (1001, "and 1,500 more")


def test_a_long_invalid_line_is_shown_in_part(path: Path) -> None:
    _, listed = spelled(path, "x" * 30 + "1" * 4000)
    assert len(str(listed.invalid[0])) < 250


def test_latin_1_is_refused_with_its_line_rather_than_listed(path: Path) -> None:
    with pytest.raises(BadText, check=with_fields(found=re.compile("in line 3: probably an 8-bit encoding like Latin-1"))):
        spelled(path, "TILE\nCLOCK\nÉTÉ\n".encode("latin-1"), FRENCH)


def test_a_missing_text_is_a_sentence(path: Path) -> None:
    with pytest.raises(Unreadable, check=with_fields(where=str(path), expected="a text file of words")):
        list(Spelled(path, ENGLISH))
