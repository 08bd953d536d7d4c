"""The open lexicons: one whose file was spoiled after it was read whole judges as it was proven; one that is not open judges nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from kiosk.challenge.context import Ailment, Trouble
from kiosk.lexicons.shelf import Loaded, load
from kiosk.shell.judging import Books
from tests.kiosk.lexicons.files import cut, made, written_over


def loaded(path: Path) -> Loaded:
    found = load(path)
    assert isinstance(found, Loaded)
    return found


@pytest.mark.parametrize("spoil", [cut, written_over, Path.unlink], ids=["cut", "written over", "removed"])
def test_a_list_spoiled_between_its_reading_and_its_taking_judges_as_it_was_read(tmp_path: Path, spoil: Callable[[Path], None]) -> None:
    found, books = loaded(made(tmp_path / "list.dawg")), Books()
    spoil(tmp_path / "list.dawg")
    books.add(found)
    assert books.judge(found.name, ("CAT", "QI")) is True
    assert books.judge(found.name, ("CAT", "ZZ")) is False
    books.close()


def test_a_list_that_is_not_open_judges_nothing_and_says_so(tmp_path: Path) -> None:
    found, books = loaded(made(tmp_path / "list.dawg")), Books()
    for name in (None, found.name):
        judged = books.judge(name, ("CAT",))
        assert isinstance(judged, Trouble)
        assert judged.ailment is Ailment.LEXICON_MISSING
        assert "Choose one at the director's desk" in judged.what.remedy
    books.add(found)
    found.close()
    judged = books.judge(found.name, ("CAT",))
    assert isinstance(judged, Trouble)
    assert judged.ailment is Ailment.LEXICON_MISSING
    assert "found a closed one" in judged.what.problem


def test_of_the_same_list_in_another_file_the_older_is_closed_and_the_newer_judges(tmp_path: Path) -> None:
    older, newer, books = loaded(made(tmp_path / "a.dawg")), loaded(made(tmp_path / "b.dawg")), Books()
    books.add(older)
    books.add(newer)
    assert older.lexicon.closed
    assert books.judge(older.name, ("CAT", "QI")) is True
    books.close()
    assert newer.lexicon.closed
