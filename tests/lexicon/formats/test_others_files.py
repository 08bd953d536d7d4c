"""Word files made by the other programs themselves are read as the words they were made of, and recognised as what they are."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from lexicon.alphabet import load_alphabet
from lexicon.dawg import minimal
from lexicon.errors import BadWordFile, LexiconError
from lexicon.formats import files
from lexicon.formats.files import FINDERS, open_word_file
from lexicon.formats.siblings import Format
from tests.cells import each_cell
from tests.errors import with_fields
from tests.lexicon.formats.others import FILES, READABLE, alphabet_of, format_of, read_file, words_of


@pytest.mark.parametrize("name", READABLE)
def test_a_file_of_another_program_holds_the_words_it_was_made_of(name: str) -> None:
    read = read_file(FILES / name, alphabet_of(name))
    assert sorted(read.words) == words_of(name)
    assert read.count == len(words_of(name))
    assert read.longest == max(map(len, words_of(name)))


@pytest.mark.parametrize("name", READABLE)
def test_a_file_is_recognised_as_what_it_is_whatever_it_is_called(name: str, tmp_path: Path) -> None:
    renamed = Path(shutil.copy(FILES / name, tmp_path / "words.bin"))
    assert open_word_file(renamed).format is format_of(name)


@pytest.mark.parametrize("name", READABLE)
def test_a_file_is_nothing_but_what_it_is_even_if_somebody_says_so(name: str) -> None:
    for cell in each_cell(FINDERS):
        with cell as said:
            if said is format_of(name):
                assert open_word_file(FILES / name, said).format is said
            else:
                with pytest.raises(BadWordFile, check=with_fields(where=re.compile(re.escape(name)))):
                    open_word_file(FILES / name, said)


@pytest.mark.parametrize("name", READABLE)
def test_words_can_be_gone_through_again(name: str) -> None:
    read = read_file(FILES / name, alphabet_of(name))
    assert list(read.words) == list(read.words)


@pytest.mark.parametrize("name", ["tiny.kbwg", "tiny.gaddag.kbwg"])
def test_a_node24_file_is_named_and_refused(name: str) -> None:
    with pytest.raises(BadWordFile, check=with_fields(found=re.compile("Node24"))):
        open_word_file(FILES / name)


def test_a_kad_file_is_refused_unless_somebody_says_that_it_is_none() -> None:
    english = load_alphabet("english")
    with pytest.raises(BadWordFile, check=with_fields(found=re.compile("KAD"))):
        read_file(FILES / "tiny.kad", english)
    assert sorted(read_file(FILES / "tiny.kad", english, Format.KWG).words) == sorted(
        {bytes(sorted(word)) for word in words_of("tiny.kwg")}
    )


@pytest.mark.parametrize("name", ["polish.kwg", "polish.gaddag.kwg", "polish.v0.dawg", "polish.v1.dawg", "spanish.dwg", "spanish.v1.dawg"])
def test_a_file_with_tiles_that_the_alphabet_lacks_is_refused_whatever_somebody_says(name: str) -> None:
    with pytest.raises(BadWordFile, check=with_fields(remedy=re.compile("--alphabet"))):
        read_file(FILES / name, load_alphabet("english"), format_of(name))


@pytest.mark.parametrize("name", ["tiny.kwg", "tiny.v0.dawg"])
def test_a_file_that_may_be_in_an_alphabet_of_fewer_tiles_is_refused_unless_somebody_says_what_it_is(name: str) -> None:
    with pytest.raises(BadWordFile, check=with_fields(found=re.compile("another alphabet"))):
        read_file(FILES / name, load_alphabet("polish"))
    assert sorted(read_file(FILES / name, load_alphabet("polish"), format_of(name)).words) == words_of(name)


def test_a_quackle_file_that_names_fewer_letters_is_refused_whatever_somebody_says() -> None:
    with pytest.raises(BadWordFile, check=with_fields(found=re.compile("without Ä"))):
        read_file(FILES / "tiny.v1.dawg", load_alphabet("german"), Format.QUACKLE)


def test_what_a_file_does_not_say_is_said_to_whoever_reads_it() -> None:
    assert any("does not name its alphabet" in note for note in read_file(FILES / "polish.kwg", load_alphabet("polish")).notes)
    assert any("does not name its alphabet" in note for note in read_file(FILES / "polish.v0.dawg", load_alphabet("polish")).notes)
    assert read_file(FILES / "polish.v1.dawg", load_alphabet("polish")).notes == ()


def test_zyzzyvas_files_are_written_byte_for_byte_as_its_own_maker_writes_them(tmp_path: Path) -> None:
    made = files.files(Format.ZYZZYVA, minimal(words_of("tiny.dwg")), load_alphabet("english"), tmp_path / "tiny.dwg")
    assert {path.name: data for path, data in made.items()} == {
        name: (FILES / name).read_bytes() for name in ("tiny.dwg", "tiny-R.dwg", "tiny-Checksums.txt")
    }


@pytest.mark.parametrize("name", ["tiny", "polish", "spanish"])
def test_quackles_header_is_written_byte_for_byte_as_quackle_writes_it(name: str) -> None:
    path = FILES / f"{name}.v1.dawg"
    made = files.files(Format.QUACKLE, minimal(words_of(path.name)), alphabet_of(path.name), path)[path]
    header = path.read_bytes().partition(b"\0\0\1\xfc\0\0\0")[0]
    assert made.startswith(header + b"\0\0\1\xfc\0\0\0")


@pytest.mark.parametrize("name", ["tiny", "polish", "spanish"])
def test_a_kwg_file_is_written_with_as_few_nodes_as_wolges_needs(name: str) -> None:
    path = FILES / f"{name}.kwg"
    assert len(files.files(Format.KWG, minimal(words_of(path.name)), alphabet_of(path.name), path)[path]) == path.stat().st_size


def test_no_file_but_a_readable_one_is_read() -> None:
    others = [path for path in FILES.iterdir() if path.name not in READABLE and path.suffix in {".kad", ".kbwg", ".dwg"}]
    assert len(others) == 5
    for path in others:
        with pytest.raises(LexiconError):
            read_file(path, alphabet_of(path.name))
