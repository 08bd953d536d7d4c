"""The open lexicons: one whose file was spoiled after it was read whole judges as it was proven; one that is not open judges nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from kiosk.challenge.context import Trouble, TroubleKind
from kiosk.lexicons.loading import Loaded, load
from kiosk.shell.judging import OpenLexicons
from tests.kiosk.lexicons.files import cut, made, written_over


def loaded(path: Path) -> Loaded:
    found = load(path)
    assert isinstance(found, Loaded)
    return found


@pytest.mark.parametrize("spoil", [cut, written_over, Path.unlink], ids=["cut", "written over", "removed"])
def test_a_list_spoiled_between_its_reading_and_its_taking_judges_as_it_was_read(tmp_path: Path, spoil: Callable[[Path], None]) -> None:
    found, open_lexicons = loaded(made(tmp_path / "list.dawg")), OpenLexicons()
    spoil(tmp_path / "list.dawg")
    open_lexicons.add(found)
    assert open_lexicons.judge(found.name, ("CAT", "QI")) is True
    assert open_lexicons.judge(found.name, ("CAT", "ZZ")) is False
    open_lexicons.close()


def test_a_list_that_is_not_open_judges_nothing_and_says_so(tmp_path: Path) -> None:
    found, open_lexicons = loaded(made(tmp_path / "list.dawg")), OpenLexicons()
    for name in (None, found.name):
        judged = open_lexicons.judge(name, ("CAT",))
        assert isinstance(judged, Trouble)
        assert judged.trouble_kind is TroubleKind.LEXICON_MISSING
        assert "Choose one at the director's desk" in judged.what.remedy
    open_lexicons.add(found)
    found.close()
    judged = open_lexicons.judge(found.name, ("CAT",))
    assert isinstance(judged, Trouble)
    assert judged.trouble_kind is TroubleKind.LEXICON_MISSING
    assert "found a closed one" in judged.what.problem


def test_of_the_same_list_in_another_file_the_older_is_closed_and_the_newer_judges(tmp_path: Path) -> None:
    older, newer, open_lexicons = loaded(made(tmp_path / "a.dawg")), loaded(made(tmp_path / "b.dawg")), OpenLexicons()
    open_lexicons.add(older)
    open_lexicons.add(newer)
    assert older.lexicon.closed
    assert open_lexicons.judge(older.name, ("CAT", "QI")) is True
    open_lexicons.close()
    assert newer.lexicon.closed
