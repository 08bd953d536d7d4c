import os
import queue
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from appliance.errors import Diagnosis
from kiosk.context import Trouble, TroubleKind
from kiosk.lexicons import loading
from kiosk.lexicons.loading import AGAIN_LOOKS, ANYTHING, Expected, Fetched, LexiconLoader, Loaded, Passing, Proven, load
from tests.kiosk.lexicons.files import cut, made, moved_in, proven_here, written_over
from tests.some import of_kind

PATIENCE_S = 20


@pytest.fixture(autouse=True)
def _here() -> Iterator[None]:
    with proven_here():
        yield


@contextmanager
def watched(path: Path) -> Iterator[tuple[LexiconLoader, queue.SimpleQueue[Fetched]]]:
    heard: queue.SimpleQueue[Fetched] = queue.SimpleQueue()
    with LexiconLoader(path, ANYTHING, heard.put, look_s=0.01) as loader:
        yield loader, heard
    assert heard.empty()


def still(path: Path) -> tuple[LexiconLoader, list[Fetched]]:
    """A loader whose thread is not started: the looks are the test's. What it hands over is put into the list."""
    heard: list[Fetched] = []
    return LexiconLoader(path, ANYTHING, heard.append), heard


def look(loader: LexiconLoader, times: int) -> None:
    for _ in range(times):
        loader._look()


def names(heard: list[Fetched]) -> list[str]:
    return [each.found.name.name for each in heard if isinstance(each.found, Loaded)]


def test_a_new_list_moved_in_is_handed_over_read_whole_while_the_old_one_still_answers(tmp_path: Path) -> None:
    path = made(tmp_path / "a.dawg")
    with watched(path) as (_, heard):
        old = of_kind(Loaded, load(path))
        moved_in(path, ("AA", "AB"))
        fetched = heard.get(timeout=PATIENCE_S)
        assert isinstance(fetched.found, Loaded)
        assert (fetched.path, fetched.requested, fetched.found.name.name) == (path, False, "ANOTHER")
        assert fetched.found.lexicon.accepts(("AA", "AB"))
        assert old.lexicon.accepts(("QI", "ZA"))


@pytest.mark.parametrize(
    "becomes", [Path.unlink, cut, written_over, lambda path: moved_in(path, ("AA",))], ids=["removed", "cut", "written over", "another"]
)
def test_what_became_of_the_file_is_read_and_told_once_however_often_it_is_looked_at(
    tmp_path: Path, becomes: Callable[[Path], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = made(tmp_path / "a.dawg")
    loader, heard = still(path)
    reads = list[Path]()

    def counted(asked: Path, wanted: Expected, _proven: Proven | None) -> Loaded | Trouble:
        reads.append(asked)
        return load(asked, wanted)

    monkeypatch.setattr(loading, "load", counted)
    # What may pass is tried again, and then not told.
    monkeypatch.setattr(loading, "AGAIN_LOOKS", 1000)
    becomes(path)
    loader._look()
    assert (reads, len(heard)) == ([path], 1)
    look(loader, 25)
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


def linked(path: Path) -> Path:
    (path.parent / "b").mkdir()
    other = path.parent / "b" / "another name.dawg"
    other.symlink_to(path)
    return other


def same(path: Path) -> Path:
    return path


@pytest.mark.parametrize("called", [same, linked], ids=["by its name", "by another name"])
@pytest.mark.parametrize("looked", [True, False], ids=["found so before", "not looked at since"])
def test_the_list_in_use_found_damaged_is_a_trouble_once(tmp_path: Path, called: Callable[[Path], Path], *, looked: bool) -> None:
    path = made(tmp_path / "a.dawg")
    name = called(path)
    loader, heard = still(path)
    written_over(path)
    if looked:
        loader._look()
        assert [(each.requested, each.in_use) for each in heard] == [(False, True)]
        heard.clear()
    loader._fetch(name)
    look(loader, 25)
    assert [(each.path, each.requested, each.in_use, isinstance(each.found, Trouble)) for each in heard] == [(name, True, True, True)]
    # It is watched by its own name still.
    moved_in(path, ("AA",))
    loader._look()
    assert (heard[-1].path, names(heard)) == (path, ["ANOTHER"])


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


class Fails:
    def __init__(self, times: int) -> None:
        self._times = times

    def __call__(self, path: Path, wanted: Expected, _proven: Proven | None) -> Loaded | Trouble:
        if self._times:
            self._times -= 1
            raise ZeroDivisionError("unforeseen")
        return load(path, wanted)


def test_an_error_of_the_programs_own_is_a_trouble_that_may_pass_and_its_traceback_is_in_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = made(tmp_path / "a.dawg")
    monkeypatch.setattr(loading, "AGAIN_LOOKS", 2)
    with watched(path) as (_, heard):
        monkeypatch.setattr(loading, "load", Fails(3))
        os.utime(path, (1, 1))
        fetched = heard.get(timeout=PATIENCE_S)
        assert isinstance(fetched.found, Passing)
        assert fetched.in_use
        assert fetched.found.what.problem == f"{path}: expected to read it whole, found that the program failed at it (ZeroDivisionError)"
        # Told once, tried on.
        assert isinstance(heard.get(timeout=PATIENCE_S).found, Loaded)
    logged = capsys.readouterr().out
    assert logged.count("\nZeroDivisionError: unforeseen") == 3
    assert logged.count("Traceback") == 3


def test_a_receiver_that_fails_does_not_end_the_watch(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, heard = made(tmp_path / "a.dawg"), queue.SimpleQueue[Fetched]()

    def take(fetched: Fetched) -> None:
        heard.put(fetched)
        if fetched.path == path:
            raise OSError("no listener")

    with LexiconLoader(path, ANYTHING, take, look_s=0.01) as loader:
        moved_in(path, ("AA",))
        assert heard.get(timeout=PATIENCE_S).path == path
        loader.fetch(made(tmp_path / "b.dawg"))
        assert heard.get(timeout=PATIENCE_S).path == tmp_path / "b.dawg"
    assert "no listener" in capsys.readouterr().out


class Hasty:
    """A reader under whose hands the file becomes another as soon as it has read it, so many times."""

    def __init__(self, *lists: str) -> None:
        self._lists = list(lists)

    def __call__(self, path: Path, wanted: Expected, _proven: Proven | None) -> Loaded | Trouble:
        found = load(path, wanted)
        if self._lists:
            moved_in(path, ("AA",), name=self._lists.pop(0))
        return found


def test_a_file_that_changes_while_it_is_read_is_read_again_at_the_next_look(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = made(tmp_path / "a.dawg", name="FIRST")
    monkeypatch.setattr(loading, "load", Hasty("SECOND", "THIRD"))
    loader, heard = still(path)
    assert isinstance(loader.first, Loaded)
    assert loader.first.name.name == "FIRST"
    look(loader, 4)
    assert names(heard) == ["SECOND", "THIRD"]


class Reads:
    def __init__(self, *found: Loaded | Trouble) -> None:
        self._found = list(found)
        self.count = 0

    def __call__(self, *_: object) -> Loaded | Trouble:
        self.count += 1
        return self._found.pop(0)


KILLED = Passing(TroubleKind.LEXICON_MISSING, Diagnosis("its reader ended by code -9"))
CUT = Trouble(TroubleKind.LEXICON_DAMAGED, Diagnosis("the file was cut"))


def test_what_may_have_passed_is_tried_again_every_so_many_looks_and_told_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = made(tmp_path / "a.dawg")
    sound = load(path)
    reads = Reads(KILLED, KILLED, KILLED, sound)
    monkeypatch.setattr(loading, "load", reads)
    loader, heard = still(path)
    assert loader.first is KILLED
    for tried in (1, 2, 3):
        look(loader, AGAIN_LOOKS - 1)
        assert (reads.count, heard) == (tried, [])
        loader._look()
        assert reads.count == tried + 1
    assert heard == [Fetched(path, sound, requested=False, in_use=True)]
    look(loader, 3 * AGAIN_LOOKS)
    assert reads.count == 4


def test_what_cannot_pass_is_read_again_only_when_the_file_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = made(tmp_path / "a.dawg")
    reads = Reads(CUT, KILLED, CUT, CUT)
    monkeypatch.setattr(loading, "load", reads)
    loader, heard = still(path)
    look(loader, 3 * AGAIN_LOOKS)
    assert reads.count == 1
    os.utime(path, (1, 1))
    loader._look()
    assert [each.found for each in heard] == [KILLED]
    look(loader, AGAIN_LOOKS)
    # The machine has memory again, and the file is found cut after all.
    assert [each.found for each in heard] == [KILLED, CUT]
    os.utime(path, (2, 2))
    loader._look()
    assert [each.found for each in heard] == [KILLED, CUT, CUT]


def test_a_list_asked_for_in_vain_is_not_tried_again_but_the_one_in_use_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, other = made(tmp_path / "a.dawg"), made(tmp_path / "b.dawg")
    sound = load(path)
    reads = Reads(sound, KILLED, KILLED, sound)
    monkeypatch.setattr(loading, "load", reads)
    loader, heard = still(path)
    loader._fetch(other)
    look(loader, AGAIN_LOOKS)
    assert [(each.found, each.in_use) for each in heard] == [(KILLED, False)]
    loader._fetch(path)
    look(loader, AGAIN_LOOKS)
    assert [(each.found, each.in_use) for each in heard[1:]] == [(KILLED, True), (sound, True)]
