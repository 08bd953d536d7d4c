"""What lies beside a ``.dwg`` is believed: its checksums, and a name that says the words are reversed."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from lexicon.alphabet import load_alphabet
from lexicon.dawg import minimal
from lexicon.errors import BadAlphabet, BadName, BadWordFile, Unreadable
from lexicon.formats import files, zyzzyva
from lexicon.formats.files import open_word_file
from lexicon.formats.siblings import Format
from tests.errors import with_fields
from tests.lexicon.formats.test_round_trips import FILES, read_file, words_of

ENGLISH = load_alphabet("english")


@pytest.fixture
def dwg(tmp_path: Path) -> Path:
    """A ``.dwg`` without anything beside it."""
    return Path(shutil.copy(FILES / "tiny.dwg", tmp_path))


def test_the_checksum_is_crc_16_x_25() -> None:
    # The check value that catalogues of CRCs give: of "123456789", at the place of the edges it is to cover.
    covered = b"123456789"
    assert zyzzyva.checksum((len(covered)).to_bytes(4, "little") + covered.ljust(4 * len(covered), b"\0")) == 0x906E


@pytest.mark.parametrize("name", ["tiny-Checksums.txt", "tiny-checksums.txt"])
def test_a_file_that_fits_the_checksums_beside_it_is_read_and_that_is_said(dwg: Path, name: str) -> None:
    shutil.copy(FILES / "tiny-Checksums.txt", dwg.with_name(name))
    assert any("matches" in note for note in read_file(dwg, ENGLISH).notes)


def test_a_file_without_checksums_is_read_and_that_is_said(dwg: Path) -> None:
    assert any("no tiny-Checksums.txt" in note for note in read_file(dwg, ENGLISH).notes)


def test_a_file_that_does_not_fit_the_checksum_is_refused(dwg: Path) -> None:
    dwg.with_name("tiny-Checksums.txt").write_text("1\n2\n", encoding="ascii")
    with pytest.raises(BadWordFile, check=with_fields(expected=re.compile("the checksum 1 "))):
        open_word_file(dwg)


@pytest.mark.parametrize("text", ["", "words\n", "-1\n2\n", "12345678\n", "0x12\n", "\0\0", "²\n"])
def test_checksums_that_are_none_are_refused(dwg: Path, text: str) -> None:
    dwg.with_name("tiny-Checksums.txt").write_text(text, encoding="utf-8")
    with pytest.raises(BadWordFile, check=with_fields(expected=re.compile("checksums"))):
        open_word_file(dwg)


def test_checksums_that_cannot_be_read_are_no_missing_ones(dwg: Path) -> None:
    dwg.with_name("tiny-Checksums.txt").mkdir()
    with pytest.raises(Unreadable, check=with_fields(where=re.compile("tiny-Checksums"))):
        open_word_file(dwg)


@pytest.mark.parametrize("name", ["tiny-R.dwg", "tiny-r.dwg"])
def test_reversed_words_are_known_by_their_files_name(dwg: Path, name: str) -> None:
    with pytest.raises(BadWordFile, check=with_fields(found=re.compile("reversed"))):
        open_word_file(dwg.rename(dwg.with_name(name)), Format.ZYZZYVA)


def test_reversed_words_under_another_name_are_known_by_their_checksum(dwg: Path) -> None:
    shutil.copy(FILES / "tiny-R.dwg", dwg)
    shutil.copy(FILES / "tiny-Checksums.txt", dwg.parent)
    with pytest.raises(BadWordFile, check=with_fields(found=re.compile("reversed"))):
        open_word_file(dwg)


@pytest.mark.parametrize("alphabet", ["spanish", "polish", "german", "catalan"])
def test_an_alphabet_with_other_tiles_than_a_to_z_is_not_written(alphabet: str, tmp_path: Path) -> None:
    with pytest.raises(BadAlphabet, check=with_fields(expected=re.compile("A to Z"))):
        files.files(Format.ZYZZYVA, minimal([b"\1\2"]), load_alphabet(alphabet), tmp_path / "x.dwg")


def test_no_words_are_written_under_the_name_of_reversed_ones(tmp_path: Path) -> None:
    with pytest.raises(BadName, check=with_fields(expected=re.compile("-R"))):
        files.files(Format.ZYZZYVA, minimal(words_of("tiny.dwg")), ENGLISH, tmp_path / "x-R.dwg")


def test_letters_side_by_side_that_are_one_tile_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.dwg"
    for name, data in files.files(Format.ZYZZYVA, minimal([ENGLISH.spelling.codes("CHATO")]), ENGLISH, path).items():
        name.write_bytes(data)
    with pytest.raises(BadWordFile, check=with_fields(found=re.compile(r"letter by letter: \[C\]HATO"))):
        read_file(path, load_alphabet("spanish"))
