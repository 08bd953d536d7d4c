"""The loader where the program itself fails: its own error at a list, and a result that nothing takes."""

from __future__ import annotations

import os
import queue
from pathlib import Path

import pytest

from kiosk.challenge.context import Trouble
from kiosk.lexicons import watching
from kiosk.lexicons.loading import ANYTHING, Expected, Loaded, Passing, load
from kiosk.lexicons.watching import Fetched, LexiconLoader
from tests.kiosk.lexicons.files import made, moved_in
from tests.kiosk.lexicons.watching import PATIENCE_S, still, watched


class Fails:
    """A reader with an error of its own, so many times."""

    def __init__(self, times: int) -> None:
        self._times = times

    def __call__(self, path: Path, wanted: Expected) -> Loaded | Trouble:
        if self._times:
            self._times -= 1
            raise ZeroDivisionError("nobody thought of that")
        return load(path, wanted)


def test_an_error_of_the_programs_own_is_a_trouble_that_may_pass_and_its_traceback_is_in_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = made(tmp_path / "a.dawg")
    monkeypatch.setattr(watching, "AGAIN_LOOKS", 2)
    with watched(path) as (_, heard):
        monkeypatch.setattr(watching, "load", Fails(3))
        os.utime(path, (1, 1))
        fetched = heard.get(timeout=PATIENCE_S)
        assert isinstance(fetched.found, Passing)
        assert fetched.in_use
        assert fetched.found.what.problem == f"{path}: expected to read it whole, found that the program failed at it (ZeroDivisionError)"
        # Told once, tried on.
        assert isinstance(heard.get(timeout=PATIENCE_S).found, Loaded)
    logged = capsys.readouterr().out
    assert logged.count("\nZeroDivisionError: nobody thought of that") == 3
    assert logged.count("Traceback") == 3


def test_an_error_of_the_programs_own_at_another_file_leaves_the_list_in_use_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, other = made(tmp_path / "a.dawg"), made(tmp_path / "b.dawg")
    loader, heard = still(path)
    monkeypatch.setattr(watching, "load", Fails(1))
    loader._fetch(other)
    assert [(each.path, each.requested, each.in_use, isinstance(each.found, Passing)) for each in heard] == [(other, True, False, True)]


def test_a_station_begins_with_the_trouble_where_the_program_failed_at_the_list(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "load", Fails(1))
    loader, _ = still(made(tmp_path / "a.dawg"))
    assert isinstance(loader.first, Passing)


def test_whoever_fails_to_take_what_was_found_does_not_end_the_watch(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, heard = made(tmp_path / "a.dawg"), queue.SimpleQueue[Fetched]()

    def take(fetched: Fetched) -> None:
        heard.put(fetched)
        if fetched.path == path:
            raise OSError("nobody listens")

    with LexiconLoader(path, ANYTHING, take, look_s=0.01) as loader:
        moved_in(path, ("AA",))
        assert heard.get(timeout=PATIENCE_S).path == path
        loader.fetch(made(tmp_path / "b.dawg"))
        assert heard.get(timeout=PATIENCE_S).path == tmp_path / "b.dawg"
    assert "nobody listens" in capsys.readouterr().out
