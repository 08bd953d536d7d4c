"""The librarian: what it hands over when the file changes under its path, and when it is asked for another."""

from __future__ import annotations

import os
import queue
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from kiosk.challenge.standing import Ailment, Trouble
from kiosk.lexicons.librarian import Fetched, Librarian
from kiosk.lexicons.shelf import ANYTHING, Loaded, expected
from tests.kiosk.lexicons.files import cut, made, moved_in, written_over

PATIENCE_S = 20


@contextmanager
def watched(path: Path, alphabet: str | None = None) -> Iterator[tuple[Librarian, queue.SimpleQueue[Fetched]]]:
    heard: queue.SimpleQueue[Fetched] = queue.SimpleQueue()
    wanted = ANYTHING if alphabet is None else expected(alphabet, None)
    with Librarian(path, wanted, heard.put, look_s=0.01) as librarian:
        yield librarian, heard
    assert heard.empty()


def test_a_new_list_moved_in_is_handed_over_read_whole_while_the_old_one_still_answers(tmp_path: Path) -> None:
    path = made(tmp_path / "a.dawg")
    with watched(path) as (librarian, heard):
        old = librarian.first
        assert isinstance(old, Loaded)
        moved_in(path, ("AA", "AB"))
        fetched = heard.get(timeout=PATIENCE_S)
        assert isinstance(fetched.found, Loaded)
        assert (fetched.path, fetched.asked, fetched.found.name.name) == (path, False, "ANOTHER")
        assert fetched.found.lexicon.accepts(("AA", "AB"))
        assert old.lexicon.accepts(("QI", "ZA"))


@pytest.mark.parametrize(
    ("spoil", "ailment"),
    [(Path.unlink, Ailment.LEXICON_MISSING), (cut, Ailment.LEXICON_DAMAGED), (written_over, Ailment.LEXICON_DAMAGED)],
    ids=["removed", "cut", "written over"],
)
def test_a_file_that_goes_bad_is_a_trouble_once_and_the_same_file_back_again_ends_it(
    tmp_path: Path, spoil: Callable[[Path], object], ailment: Ailment
) -> None:
    path = made(tmp_path / "a.dawg")
    with watched(path) as (_, heard):
        spoil(path)
        found = heard.get(timeout=PATIENCE_S).found
        assert isinstance(found, Trouble)
        assert found.ailment is ailment
        moved_in(path, ("AA",))
        assert isinstance(heard.get(timeout=PATIENCE_S).found, Loaded)


def test_a_list_of_another_alphabet_moved_in_is_a_trouble(tmp_path: Path) -> None:
    path = made(tmp_path / "a.dawg")
    with watched(path, "english") as (_, heard):
        moved_in(path, ("CHICA",), "spanish")
        found = heard.get(timeout=PATIENCE_S).found
        assert isinstance(found, Trouble)
        assert found.ailment is Ailment.LEXICON_ALPHABET


def test_a_file_whose_times_alone_changed_is_read_again_and_is_the_same_list(tmp_path: Path) -> None:
    path = made(tmp_path / "a.dawg")
    with watched(path) as (librarian, heard):
        os.utime(path, (1, 1))
        found = heard.get(timeout=PATIENCE_S).found
        assert isinstance(found, Loaded)
        assert isinstance(librarian.first, Loaded)
        assert found.name == librarian.first.name


def test_a_list_that_is_asked_for_and_sound_is_watched_from_then_on_and_a_bad_one_is_not(tmp_path: Path) -> None:
    path, bad, good = made(tmp_path / "a.dawg"), tmp_path / "bad.dawg", made(tmp_path / "good.dawg", ("AA",))
    with watched(path) as (librarian, heard):
        librarian.fetch(bad)
        fetched = heard.get(timeout=PATIENCE_S)
        assert fetched.asked
        assert isinstance(fetched.found, Trouble)
        moved_in(path, ("AB",))
        assert heard.get(timeout=PATIENCE_S).path == path
        librarian.fetch(good)
        fetched = heard.get(timeout=PATIENCE_S)
        assert (fetched.path, fetched.asked, isinstance(fetched.found, Loaded)) == (good, True, True)
        path.unlink()
        moved_in(good, ("AD",))
        assert heard.get(timeout=PATIENCE_S).path == good


def test_a_file_that_is_missing_at_the_start_is_taken_when_it_comes(tmp_path: Path) -> None:
    path = tmp_path / "late.dawg"
    with watched(path) as (librarian, heard):
        assert isinstance(librarian.first, Trouble)
        made(path)
        found = heard.get(timeout=PATIENCE_S).found
        # The builder moves whole files in: none is ever seen half.
        assert isinstance(found, Loaded)
