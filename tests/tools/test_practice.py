"""Which words of SCOWL become practice words, and what the script refuses; nothing here reaches a network."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from lexicon.errors import Unreadable
from tests.cells import each_cell
from tests.errors import with_fields
from tools.practice import main
from tools.scowl import SIZES, SPELLINGS, practice_words


@pytest.fixture
def scowl(tmp_path: Path) -> Path:
    for spelling in SPELLINGS:
        for size in SIZES:
            (tmp_path / f"{spelling}-words.{size}").touch()
    return tmp_path


def test_every_size_up_to_70_of_the_three_spellings_gives_its_words_in_capitals_and_in_order(scowl: Path) -> None:
    numerals = ("ten", "twenty", "thirtyfive", "forty", "fifty", "fiftyfive", "sixty", "seventy")
    for spelling in ("english", "american", "british"):
        for size, numeral in zip((10, 20, 35, 40, 50, 55, 60, 70), numerals, strict=True):
            (scowl / f"{spelling}-words.{size}").write_text(f"{spelling[0]}{numeral}\n")
    assert practice_words(scowl) == sorted(f"{spelling}{numeral.upper()}" for spelling in "ABE" for numeral in numerals)


ACCENTED = "éclair\ncafé\nsmörgåsbord\nfaçade\nfacade\n"
OTHERS = """
english-words.80 english-words.95 american-words.80 english-upper.10 english-proper-names.50
english-abbreviations.10 english-contractions.10 special-hacker.50 special-roman-numerals.35
variant_1-words.10 british_variant_1-words.10 british_z-words.10 canadian-words.10
australian-words.10
"""
NO_WORDS = ("can't", "tile's", "kHz", "OK", "Tile", "co-op", "a b", "mp3", "ab.", " ab", "ab\t", "a", "c" * 16, "")
READ: list[tuple[dict[str, bytes], list[str]]] = [
    # Words of several files are there once.
    ({"english-words.10": b"tile\nrack\ntile\n", "american-words.70": b"tile\n", "british-words.35": b"rack\n"}, ["RACK", "TILE"]),
    ({"english-words.20": f"ab\n{'b' * 15}\n".encode()}, ["AB", "B" * 15]),
    *(({"english-words.50": f"{word}\ntile\n".encode()}, ["TILE"]) for word in NO_WORDS),
    # As SCOWL and as Debian write them, accented words are left out whole.
    *(({"english-words.60": ACCENTED.encode(encoding)}, ["FACADE"]) for encoding in ("iso-8859-1", "utf-8")),
    # A last line without its line feed counts; carriage returns are no part of a word.
    ({"english-words.10": b"rack\r\ntile"}, ["RACK", "TILE"]),
    *(({name: b"unasked\n"}, []) for name in OTHERS.split()),
]


def test_words_of_two_to_fifteen_letters_a_to_z_are_read_from_the_files_of_these_sizes_and_spellings(scowl: Path) -> None:
    for cell in each_cell(READ):
        with cell as (files, words):
            before = {name: (scowl / name).exists() for name in files}
            for name, content in files.items():
                (scowl / name).write_bytes(content)
            found = practice_words(scowl)
            for name, was in before.items():
                (scowl / name).unlink()
                if was:
                    (scowl / name).touch()
            assert found == words


def test_a_missing_folder_a_file_in_its_place_and_a_missing_size_are_named(scowl: Path) -> None:
    for path in (scowl / "nowhere", scowl / "english-words.10"):
        with pytest.raises(Unreadable, check=with_fields(where=str(path), found="no such folder")):
            practice_words(path)
    for name in (f"{spelling}-words.{size}" for spelling in ("english", "american", "british") for size in (10, 70)):
        (scowl / name).unlink()
        with pytest.raises(Unreadable, check=with_fields(where=str(scowl / name), found="no such file or directory")):
            practice_words(scowl)
        (scowl / name).touch()
    (scowl / "british-words.40").unlink()
    (scowl / "british-words.40").mkdir()
    with pytest.raises(Unreadable, check=with_fields(where=str(scowl / "british-words.40"), found="a directory")):
        practice_words(scowl)


def make(tmp_path: Path, *arguments: str) -> Result:
    return CliRunner().invoke(main, ["-o", str(tmp_path / "out.dawg"), *arguments])


def refused(result: Result, tmp_path: Path) -> str:
    assert isinstance(result.exception, SystemExit)
    assert result.exit_code == 2
    assert list(tmp_path.glob("out.dawg*")) == []
    return result.stderr


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    return folder


def program(folder: Path, name: str, script: str) -> None:
    (folder / name).write_text(f"#!/bin/sh\n{script}\n", encoding="ascii")
    (folder / name).chmod(0o755)


def test_what_apt_get_lacks_or_says_of_its_failure_is_passed_on(tmp_path: Path, path: Path) -> None:
    said = refused(make(tmp_path), tmp_path)
    assert "expected Debian's program apt-get" in said
    assert "--scowl" in said
    program(path, "apt-get", "echo 'E: no such version' >&2; exit 100")
    assert "found E: no such version" in refused(make(tmp_path), tmp_path)


def test_a_fetched_package_is_asked_for_by_its_version_and_checked_before_it_is_unpacked(tmp_path: Path, path: Path) -> None:
    asked, unpacked = tmp_path / "asked", tmp_path / "unpacked"
    program(path, "apt-get", f'echo "$*" > {asked}; echo tampered > scowl_2020.12.07-2_all.deb')
    program(path, "dpkg-deb", f"echo > {unpacked}")
    said = refused(make(tmp_path), tmp_path)
    assert asked.read_text(encoding="ascii") == "download scowl=2020.12.07-2\n"
    assert "with SHA-256 de692546df9b169f2cbdf4d8d88111a374733a9c382b820a6f943914ca705718, found" in said
    assert not unpacked.exists()


def test_what_is_given_and_is_not_of_this_scowl_is_refused(tmp_path: Path) -> None:
    package = tmp_path / "scowl_2018.deb"
    package.write_bytes(b"!<arch>\n")
    assert f"{package}: expected scowl 2020.12.07-2 with SHA-256" in refused(make(tmp_path, "--scowl", str(package)), tmp_path)
    assert "english-words.10: expected a word file of SCOWL" in refused(make(tmp_path, "--scowl", str(tmp_path)), tmp_path)
    assert "nowhere.deb" in refused(make(tmp_path, "--scowl", str(tmp_path / "nowhere.deb")), tmp_path)
    folder = tmp_path / "unpacked" / "usr" / "share" / "dict" / "scowl"
    folder.mkdir(parents=True)
    for spelling in SPELLINGS:
        for size in SIZES:
            (folder / f"{spelling}-words.{size}").write_text("tile\n", encoding="ascii")
    assert "found 1 words with" in refused(make(tmp_path, "--scowl", str(tmp_path / "unpacked")), tmp_path)
