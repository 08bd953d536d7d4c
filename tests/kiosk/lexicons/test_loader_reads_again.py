"""When the loader reads a file again: it changed while it was read, or what was wrong with it may have passed."""

from __future__ import annotations

import os
import queue
from pathlib import Path

import pytest

from appliance.errors import Diagnosis
from kiosk.challenge.context import Trouble, TroubleKind
from kiosk.lexicons import loading, watching
from kiosk.lexicons.loading import ANYTHING, Expected, Loaded, Passing, load
from kiosk.lexicons.proof import prove
from kiosk.lexicons.watching import AGAIN_LOOKS, Fetched, LexiconLoader
from tests.kiosk.lexicons.files import made, moved_in
from tests.kiosk.lexicons.watching import PATIENCE_S, names, still, watched


class Hasty:
    """A reader under whose hands the file becomes another as soon as it has read it, so many times."""

    def __init__(self, *lists: str) -> None:
        self._lists = list(lists)

    def __call__(self, path: Path, wanted: Expected) -> Loaded | Trouble:
        found = load(path, wanted)
        if self._lists:
            moved_in(path, ("AA",), name=self._lists.pop(0))
        return found


def test_a_file_that_changes_while_it_is_read_is_read_again_at_the_next_look(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = made(tmp_path / "a.dawg", name="FIRST")
    monkeypatch.setattr(watching, "load", Hasty("SECOND", "THIRD"))
    loader, heard = still(path)
    assert isinstance(loader.first, Loaded)
    assert loader.first.name.name == "FIRST"
    for _ in range(4):
        loader._look()
    assert names(heard) == ["SECOND", "THIRD"]


def test_a_file_that_was_asked_for_and_changes_while_it_is_read_is_read_again_at_the_next_look(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, other = made(tmp_path / "a.dawg"), made(tmp_path / "b.dawg", name="OTHER")
    loader, heard = still(path)
    monkeypatch.setattr(watching, "load", Hasty("LATER"))
    loader._fetch(other)
    for _ in range(3):
        loader._look()
    assert [(each.path, each.requested) for each in heard] == [(other, True), (other, False)]
    assert names(heard) == ["OTHER", "LATER"]


class Reads:
    """A reader that gives what it is told to, one after the other, and counts."""

    def __init__(self, *found: Loaded | Trouble) -> None:
        self._found = list(found)
        self.count = 0

    def __call__(self, *_: object) -> Loaded | Trouble:
        self.count += 1
        return self._found.pop(0)


KILLED = Passing(TroubleKind.LEXICON_MISSING, Diagnosis("its reader ended by code -9"))
CUT = Trouble(TroubleKind.LEXICON_DAMAGED, Diagnosis("the file was cut"))


def test_what_may_have_passed_is_tried_again_every_so_many_looks_and_told_only_when_it_is_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, heard = made(tmp_path / "a.dawg"), list[Fetched]()
    sound = load(path)
    reads = Reads(KILLED, KILLED, KILLED, sound)
    monkeypatch.setattr(watching, "load", reads)
    # Its thread is not started: the looks are the test's.
    loader = LexiconLoader(path, ANYTHING, heard.append)
    assert loader.first is KILLED
    for tried in (1, 2, 3):
        for _ in range(AGAIN_LOOKS - 1):
            loader._look()
        assert (reads.count, heard) == (tried, [])
        loader._look()
        assert reads.count == tried + 1
    assert heard == [Fetched(path, sound, requested=False, in_use=True)]
    for _ in range(3 * AGAIN_LOOKS):
        loader._look()
    assert reads.count == 4


def test_what_cannot_pass_is_read_again_only_when_the_file_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, heard = made(tmp_path / "a.dawg"), list[Fetched]()
    reads = Reads(CUT, KILLED, CUT, CUT)
    monkeypatch.setattr(watching, "load", reads)
    loader = LexiconLoader(path, ANYTHING, heard.append)
    for _ in range(3 * AGAIN_LOOKS):
        loader._look()
    assert reads.count == 1
    os.utime(path, (1, 1))
    loader._look()
    assert [each.found for each in heard] == [KILLED]
    for _ in range(AGAIN_LOOKS):
        loader._look()
    # The machine has memory again, and the file is found cut after all.
    assert [each.found for each in heard] == [KILLED, CUT]
    os.utime(path, (2, 2))
    loader._look()
    assert [each.found for each in heard] == [KILLED, CUT, CUT]


def test_a_list_asked_for_in_vain_is_not_tried_again_but_the_one_in_use_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, other, heard = made(tmp_path / "a.dawg"), made(tmp_path / "b.dawg"), list[Fetched]()
    sound = load(path)
    reads = Reads(sound, KILLED, KILLED, sound)
    monkeypatch.setattr(watching, "load", reads)
    loader = LexiconLoader(path, ANYTHING, heard.append)
    loader._fetch(other)
    for _ in range(AGAIN_LOOKS):
        loader._look()
    assert [(each.found, each.in_use) for each in heard] == [(KILLED, False)]
    loader._fetch(path)
    for _ in range(AGAIN_LOOKS):
        loader._look()
    assert [(each.found, each.in_use) for each in heard[1:]] == [(KILLED, True), (sound, True)]


def test_a_reader_that_died_at_the_start_is_followed_by_another_and_the_file_need_not_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = made(tmp_path / "a.dawg")
    with monkeypatch.context() as short:
        short.setenv("PYTHONHASHSEED", "no number")
        heard: queue.SimpleQueue[Fetched] = queue.SimpleQueue()
        loader = LexiconLoader(path, ANYTHING, heard.put, look_s=0.01)
    assert isinstance(loader.first, Passing)
    with loader:
        assert isinstance(heard.get(timeout=PATIENCE_S).found, Loaded)
    assert heard.empty()


def test_a_file_that_changes_between_its_opening_and_its_proof_is_read_again_by_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, changes = made(tmp_path / "a.dawg"), [("AA",), ("AB",)]

    def prove_later(asked: str, sha256: str) -> None:
        if changes:
            moved_in(path, changes.pop(0))
        prove(asked, sha256)

    monkeypatch.setattr(loading, "prove", prove_later)
    with watched(path) as (loader, heard):
        assert isinstance(loader.first, Passing)
        assert isinstance(heard.get(timeout=PATIENCE_S).found, Passing)
        found = heard.get(timeout=PATIENCE_S).found
        assert isinstance(found, Loaded)
        assert found.lexicon.accepts(("AB",))


def test_bytes_that_differ_from_one_reading_to_the_next_are_read_again_though_nothing_shows_at_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, hashes = made(tmp_path / "a.dawg"), ["0" * 64]
    monkeypatch.setattr(loading, "prove", lambda asked, sha256: prove(asked, hashes.pop() if hashes else sha256))
    with watched(path) as (loader, heard):
        assert isinstance(loader.first, Passing)
        assert isinstance(heard.get(timeout=PATIENCE_S).found, Loaded)
