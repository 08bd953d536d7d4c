"""Words of a text in tiles; the lines that are none are listed with their numbers, and never pass unseen."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from lexicon.alphabet import Alphabet, load_alphabet
from lexicon.errors import BadLines, BadText, Unreadable
from lexicon.wordtext import Spelled
from tests.cells import each_cell
from tests.errors import with_fields
from tests.lexicon.making import ENGLISH, EXAMPLE, alphabet, coded

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
