"""What the station takes for a lexicon, and what it says of a file that it does not take."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from kiosk.challenge.standing import Ailment, Trouble
from kiosk.lexicons.listing import listing
from kiosk.lexicons.shelf import Expected, Loaded, expected, load
from lexicon import LexiconError
from lexicon.practice import PRACTICE
from tests.kiosk.lexicons.files import WORDS, cut, made, written_over


def taken(found: Loaded | Trouble) -> Loaded:
    assert isinstance(found, Loaded), found
    return found


def refused(found: Loaded | Trouble) -> Trouble:
    assert isinstance(found, Trouble), found
    return found


def test_a_sound_file_is_named_by_its_own_header_and_is_no_practice_list(tmp_path: Path) -> None:
    loaded = taken(load(made(tmp_path / "a.dawg")))
    assert (loaded.name.name, loaded.name.edition, loaded.name.words, loaded.name.alphabet) == ("EXAMPLE", "2026", len(WORDS), "english")
    assert loaded.name.sha256.startswith(loaded.name.short_hash)
    assert len(loaded.name.sha256) == 64
    assert not loaded.name.practice
    assert loaded.lexicon.accepts(("QI", "ZA"))
    loaded.close()


def test_the_practice_list_is_known_by_its_words_under_any_name_and_in_any_place(tmp_path: Path) -> None:
    elsewhere = tmp_path / "world-championship.dawg"
    shutil.copy(PRACTICE, elsewhere)
    assert taken(load(elsewhere)).name.practice


def test_a_list_that_calls_itself_as_the_practice_list_does_is_not_it(tmp_path: Path) -> None:
    name = taken(load(PRACTICE)).name.name
    assert not taken(load(made(tmp_path / "practice.dawg", name=name))).name.practice


@pytest.mark.parametrize(
    ("spoil", "ailment"),
    [
        (Path.unlink, Ailment.LEXICON_MISSING),
        (cut, Ailment.LEXICON_DAMAGED),
        (written_over, Ailment.LEXICON_DAMAGED),
        (lambda path: path.write_bytes(b""), Ailment.LEXICON_DAMAGED),
        (lambda path: path.write_text("QI\nZA\n"), Ailment.LEXICON_DAMAGED),
        (lambda path: (path.unlink(), path.mkdir()), Ailment.LEXICON_MISSING),
    ],
    ids=["removed", "cut", "written over", "emptied", "a text file", "a folder"],
)
def test_what_cannot_be_used_is_refused_with_the_file_what_was_found_and_what_to_do(
    tmp_path: Path, spoil: Callable[[Path], object], ailment: Ailment
) -> None:
    path = made(tmp_path / "a.dawg")
    spoil(path)
    trouble = refused(load(path))
    assert trouble.ailment is ailment
    assert str(path) in trouble.what
    assert "expected" in trouble.what
    assert "found" in trouble.what
    assert trouble.what.count(". ") >= 1


def test_the_list_of_another_alphabet_is_refused_by_its_tiles_and_one_of_the_expected_is_taken(tmp_path: Path) -> None:
    spanish = made(tmp_path / "spanish.dawg", ("CHICA", "LLAMA"), "spanish")
    trouble = refused(load(spanish, expected("english", None)))
    assert trouble.ailment is Ailment.LEXICON_ALPHABET
    assert "english" in trouble.what
    assert "spanish" in trouble.what
    assert taken(load(spanish, expected("spanish", None))).spelling.tiles[3] == "CH"


def test_where_a_hash_is_expected_only_the_list_that_has_it_is_taken(tmp_path: Path) -> None:
    path = made(tmp_path / "a.dawg")
    name = taken(load(path)).name
    assert taken(load(path, expected(None, name.short_hash.upper()))).name == name
    trouble = refused(load(made(tmp_path / "b.dawg", WORDS[1:]), expected(None, name.sha256)))
    assert trouble.ailment is Ailment.LEXICON_DAMAGED
    assert name.short_hash in trouble.what


def test_an_alphabet_that_there_is_none_of_is_an_error_of_its_own() -> None:
    with pytest.raises(LexiconError, match="klingon"):
        expected("klingon", None)
    assert expected(None, None) == Expected()


def test_a_folder_is_listed_by_headers_with_the_fault_of_each_file_that_has_one(tmp_path: Path) -> None:
    made(tmp_path / "b.dawg")
    (tmp_path / "a.dawg").write_text("no lexicon")
    (tmp_path / "c.txt").write_text("QI")
    first, second = listing(tmp_path)
    assert (first.path.name, first.name) == ("a.dawg", None)
    assert first.fault is not None
    assert str(first.path) in first.fault
    assert second.name is not None
    assert second.name.words == len(WORDS)
    assert listing(tmp_path / "nowhere") == ()


def test_a_path_that_cannot_be_looked_at_is_passed_over_in_the_listing(tmp_path: Path) -> None:
    made(tmp_path / "sound.dawg")
    found = listing(tmp_path, (tmp_path / ("a" * 300),))
    assert [each.path.name for each in found] == ["sound.dawg"]
