"""The loader asked for a list: for another, for the one in use, and for one that is no good."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from kiosk.challenge.context import Trouble
from kiosk.lexicons.loading import Loaded
from tests.kiosk.lexicons.files import made, moved_in, written_over
from tests.kiosk.lexicons.watching import PATIENCE_S, names, still, watched


def linked(path: Path) -> Path:
    """Give the file another name, in another folder."""
    (path.parent / "b").mkdir()
    other = path.parent / "b" / "another name.dawg"
    other.symlink_to(path)
    return other


def same(path: Path) -> Path:
    return path


@pytest.mark.parametrize("called", [same, linked], ids=["by its name", "by another name"])
@pytest.mark.parametrize("looked", [True, False], ids=["found so before", "not looked at since"])
def test_the_list_in_use_asked_for_and_found_damaged_is_a_trouble_of_the_station_once(
    tmp_path: Path, called: Callable[[Path], Path], *, looked: bool
) -> None:
    path = made(tmp_path / "a.dawg")
    name = called(path)
    loader, heard = still(path)
    written_over(path)
    if looked:
        loader._look()
        assert [(each.requested, each.in_use) for each in heard] == [(False, True)]
        heard.clear()
    loader._fetch(name)
    for _ in range(25):
        loader._look()
    assert [(each.path, each.requested, each.in_use, isinstance(each.found, Trouble)) for each in heard] == [(name, True, True, True)]
    # It is watched by its own name still.
    moved_in(path, ("AA",))
    loader._look()
    assert (heard[-1].path, names(heard)) == (path, ["ANOTHER"])


def test_the_list_in_use_asked_for_and_found_removed_is_a_trouble_of_the_station_once(tmp_path: Path) -> None:
    path = made(tmp_path / "a.dawg")
    loader, heard = still(path)
    path.unlink()
    loader._fetch(path)
    loader._look()
    assert [(each.requested, each.in_use) for each in heard] == [(True, True)]


@pytest.mark.parametrize("gone", [False, True], ids=["which is there", "which is gone too"])
def test_another_list_asked_for_and_found_missing_is_no_trouble_of_the_one_in_use(tmp_path: Path, *, gone: bool) -> None:
    path = made(tmp_path / "a.dawg")
    if gone:
        path.unlink()
    loader, heard = still(path)
    loader._fetch(tmp_path / "nowhere.dawg")
    loader._look()
    assert [(each.requested, each.in_use) for each in heard] == [(True, False)]


def test_of_two_wishes_the_later_one_is_watched(tmp_path: Path) -> None:
    path, first, later = made(tmp_path / "a.dawg"), made(tmp_path / "b.dawg", name="B"), made(tmp_path / "c.dawg", name="C")
    loader, heard = still(path)
    loader.fetch(first)
    loader.fetch(later)
    loader._turn()
    assert names(heard) == ["B", "C"]
    moved_in(first, ("AA",), name="NOT WATCHED")
    moved_in(later, ("AA",), name="WATCHED")
    loader._turn()
    assert names(heard) == ["B", "C", "WATCHED"]


def test_a_list_that_is_asked_for_and_sound_is_watched_from_then_on_and_a_bad_one_is_not(tmp_path: Path) -> None:
    path, bad, good = made(tmp_path / "a.dawg"), tmp_path / "bad.dawg", made(tmp_path / "good.dawg", ("AA",))
    with watched(path) as (loader, heard):
        loader.fetch(bad)
        fetched = heard.get(timeout=PATIENCE_S)
        assert fetched.requested
        assert isinstance(fetched.found, Trouble)
        moved_in(path, ("AB",))
        assert heard.get(timeout=PATIENCE_S).path == path
        loader.fetch(good)
        fetched = heard.get(timeout=PATIENCE_S)
        assert (fetched.path, fetched.requested, isinstance(fetched.found, Loaded)) == (good, True, True)
        path.unlink()
        moved_in(good, ("AD",))
        assert heard.get(timeout=PATIENCE_S).path == good
