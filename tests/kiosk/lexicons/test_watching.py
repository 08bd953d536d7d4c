"""The loader: what it hands over when the file changes under its path."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from kiosk.challenge.context import Trouble, TroubleKind
from kiosk.lexicons import watching
from kiosk.lexicons.loading import Expected, Loaded, load
from tests.kiosk.lexicons.files import cut, made, moved_in, written_over
from tests.kiosk.lexicons.watching import PATIENCE_S, still, watched


def test_a_new_list_moved_in_is_handed_over_read_whole_while_the_old_one_still_answers(tmp_path: Path) -> None:
    path = made(tmp_path / "a.dawg")
    with watched(path) as (loader, heard):
        old = loader.first
        assert isinstance(old, Loaded)
        moved_in(path, ("AA", "AB"))
        fetched = heard.get(timeout=PATIENCE_S)
        assert isinstance(fetched.found, Loaded)
        assert (fetched.path, fetched.requested, fetched.found.name.name) == (path, False, "ANOTHER")
        assert fetched.found.lexicon.accepts(("AA", "AB"))
        assert old.lexicon.accepts(("QI", "ZA"))


@pytest.mark.parametrize(
    ("spoil", "trouble_kind"),
    [(Path.unlink, TroubleKind.LEXICON_MISSING), (cut, TroubleKind.LEXICON_DAMAGED), (written_over, TroubleKind.LEXICON_DAMAGED)],
    ids=["removed", "cut", "written over"],
)
def test_a_file_that_goes_bad_is_a_trouble_once_and_the_same_file_back_again_ends_it(
    tmp_path: Path, spoil: Callable[[Path], object], trouble_kind: TroubleKind
) -> None:
    path = made(tmp_path / "a.dawg")
    with watched(path) as (_, heard):
        spoil(path)
        found = heard.get(timeout=PATIENCE_S).found
        assert isinstance(found, Trouble)
        assert found.trouble_kind is trouble_kind
        moved_in(path, ("AA",))
        assert isinstance(heard.get(timeout=PATIENCE_S).found, Loaded)


@pytest.mark.parametrize(
    "becomes",
    [Path.unlink, cut, written_over, lambda path: moved_in(path, ("AA",))],
    ids=["removed", "cut", "written over", "another"],
)
def test_what_became_of_the_file_is_read_and_told_once_however_often_it_is_looked_at(
    tmp_path: Path, becomes: Callable[[Path], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = made(tmp_path / "a.dawg")
    loader, heard = still(path)
    reads = list[Path]()

    def counted(asked: Path, wanted: Expected) -> Loaded | Trouble:
        reads.append(asked)
        return load(asked, wanted)

    monkeypatch.setattr(watching, "load", counted)
    # What may pass is tried again, and then not told.
    monkeypatch.setattr(watching, "AGAIN_LOOKS", 1000)
    becomes(path)
    loader._look()
    assert (reads, len(heard)) == ([path], 1)
    for _ in range(25):
        loader._look()
    assert (reads, len(heard)) == ([path], 1)


def test_a_file_written_over_whose_time_is_set_back_is_seen_to_have_changed(tmp_path: Path) -> None:
    path = made(tmp_path / "a.dawg")
    loader, heard = still(path)
    before = path.stat()
    written_over(path)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert (path.stat().st_size, path.stat().st_mtime_ns) == (before.st_size, before.st_mtime_ns)
    loader._look()
    assert [isinstance(each.found, Trouble) for each in heard] == [True]


def test_a_list_of_another_alphabet_moved_in_is_a_trouble(tmp_path: Path) -> None:
    path = made(tmp_path / "a.dawg")
    with watched(path, "english") as (_, heard):
        moved_in(path, ("CHICA",), "spanish")
        found = heard.get(timeout=PATIENCE_S).found
        assert isinstance(found, Trouble)
        assert found.trouble_kind is TroubleKind.LEXICON_ALPHABET


def test_a_file_whose_times_alone_changed_is_read_again_and_is_the_same_list(tmp_path: Path) -> None:
    path = made(tmp_path / "a.dawg")
    with watched(path) as (loader, heard):
        os.utime(path, (1, 1))
        found = heard.get(timeout=PATIENCE_S).found
        assert isinstance(found, Loaded)
        assert isinstance(loader.first, Loaded)
        assert found.name == loader.first.name


def test_a_file_that_is_missing_at_the_start_is_taken_when_it_comes(tmp_path: Path) -> None:
    path = tmp_path / "late.dawg"
    with watched(path) as (loader, heard):
        assert isinstance(loader.first, Trouble)
        made(path)
        found = heard.get(timeout=PATIENCE_S).found
        # The builder moves whole files in: none is ever seen half.
        assert isinstance(found, Loaded)
