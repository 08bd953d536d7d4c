"""What is our own file, what is a text, and what is neither: told by what is in a file, not by what it is called."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from lexicon.alphabet import load_alphabet
from lexicon.errors import BadText, BadWordFile
from lexicon.formats.files import open_word_file, read
from lexicon.formats.siblings import Format
from lexicon.header import MAGIC
from lexicon.wordtext import decoded, lines
from tests.errors import with_fields
from tests.lexicon.formats.others import FILES


def put(folder: Path, data: bytes) -> Path:
    path = folder / "words.dwg"
    path.write_bytes(data)
    return path


@pytest.mark.parametrize(
    "data",
    ["AB\nBA\n", "\ufeffAB\n", "ŁĄKA\r\nŻÓŁW\r\n", "CHE", "\n\n", "A" * 100_000, "@ABC" * 100],
    ids=["lines", "mark", "polish", "word", "blank", "long", "looks like a root"],
)
def test_text_in_utf_8_is_text(tmp_path: Path, data: str) -> None:
    assert open_word_file(put(tmp_path, data.encode())).format is Format.TEXT


@pytest.mark.parametrize(
    ("data", "named"),
    [
        ("ŁĄKA".encode("utf-16"), "UTF-16"),
        ("ŁĄKA".encode("utf-32"), "UTF-32"),
        ("ÉTÉ\n".encode("latin-1"), "Latin-1"),
        (b"\x1f\x8bwords", "gzip"),
    ],
)
def test_text_in_another_encoding_is_left_to_the_reader_of_texts_which_names_it(tmp_path: Path, data: bytes, named: str) -> None:
    file = open_word_file(put(tmp_path, data))
    assert file.format is Format.TEXT
    with pytest.raises(BadText, check=with_fields(found=re.compile(named))):
        [decoded(file.path, number, word) for number, word in lines(file.path)]


def test_our_own_file_is_known_by_its_magic(tmp_path: Path) -> None:
    file = open_word_file(put(tmp_path, MAGIC + bytes(100)))
    assert (file.format, file.found) == (Format.TILECLOCK, None)


@pytest.mark.parametrize(
    "data", [b"\0", bytes(4096), b"\x89PNG\r\n\x1a\n" + bytes(100), "WORDS\n".encode("utf-16-le"), b"\1" + bytes(40), b"words\0words"]
)
def test_what_is_none_of_them_is_refused_and_what_was_looked_for_is_named(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(
        BadWordFile,
        check=with_fields(
            expected=re.compile(r"Tileclock, text in UTF-8, KWG, Zyzzyva \.dwg, Quackle \.dawg version 1, Quackle \.dawg version 0")
        ),
    ):
        open_word_file(put(tmp_path, data))


@pytest.mark.parametrize("said", [Format.TEXT, Format.TILECLOCK])
def test_a_file_of_which_somebody_says_that_it_is_read_elsewhere_is_given_back(said: Format) -> None:
    file = open_word_file(FILES / "tiny.kwg", said)
    assert (file.format, file.found, file.claimed) == (said, None, True)


def test_a_text_is_not_read_as_a_file_of_another_program(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="another program, found text"):
        read(open_word_file(put(tmp_path, b"AB\n")), load_alphabet("english"))


def test_a_text_is_no_kwg_file_even_if_somebody_says_so(tmp_path: Path) -> None:
    with pytest.raises(BadWordFile, check=with_fields(expected=re.compile("a KWG file"))):
        open_word_file(put(tmp_path, b"AB\nBA\n"), Format.KWG)
