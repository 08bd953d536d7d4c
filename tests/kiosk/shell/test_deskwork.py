"""The desk's work beside the loop: errands, exports, and the rulebooks to choose from."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from queue import SimpleQueue

import pytest

from game.challenge_log.row import LogError
from kiosk.shell import threads as module
from kiosk.shell.judge_desk_work import Catalogue, exported, stick
from kiosk.shell.threads import Errand, Errands
from rules.rulebooks import load, shipped_ids
from tests.errors import with_fields
from tests.kiosk.log.making import written

PATIENCE_S = 20.0


def errand(name: str, done: str) -> Errand[str]:
    return Errand(name, lambda: done, lambda why: f"{done}: {why}")


def hanging(name: str, until: threading.Event, begun: threading.Event) -> Errand[str]:
    def hangs() -> str:
        begun.set()
        assert until.wait(PATIENCE_S)
        return "at last"

    return Errand(name, hangs, lambda why: why)


def test_an_errand_that_fails_comes_back_with_that_its_traceback_is_in_the_journal_and_the_next_is_done(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def fails() -> str:
        pin = "24" + "68"
        raise RuntimeError("a fault of the program's") if pin else AssertionError

    heard: SimpleQueue[str] = SimpleQueue()
    with Errands[str](heard.put) as errands:
        errands.run(Errand("list", fails, lambda why: f"it failed: {why}"))
        assert heard.get(timeout=PATIENCE_S) == "it failed: RuntimeError: a fault of the program's"
        errands.run(errand("list", "another"))
        assert heard.get(timeout=PATIENCE_S) == "another"
    said = capsys.readouterr().out
    assert "errand failed" in said
    assert "Traceback (most recent call last)" in said
    assert "in fails" in said
    assert "2468" not in said


def test_one_that_hangs_holds_up_none_of_another_name_and_of_its_own_name_one_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: SimpleQueue[str] = SimpleQueue()
    until, begun = threading.Event(), threading.Event()
    with Errands[str](heard.put) as errands:
        errands.run(hanging("self-test", until, begun))
        assert begun.wait(PATIENCE_S)
        for name in ("list", "export"):
            errands.run(errand(name, name))
            assert heard.get(timeout=PATIENCE_S) == name
        for number in range(3):
            errands.run(errand("self-test", f"again {number}"))
        until.set()
        assert [heard.get(timeout=PATIENCE_S) for _ in range(2)] == ["at last", "again 0"]
    assert heard.empty()


def test_the_end_waits_for_what_is_being_run_and_not_for_what_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LEAVE_S", 0.1)
    heard: SimpleQueue[str] = SimpleQueue()
    until, begun = threading.Event(), threading.Event()
    with Errands[str](heard.put) as errands:
        errands.run(hanging("export", until, begun))
        errands.run(errand("list", "quick"))
        assert begun.wait(PATIENCE_S)
    assert heard.get_nowait() == "quick"
    assert heard.empty()
    errands.close()
    until.set()
    assert heard.get(timeout=PATIENCE_S) == "at last"


@pytest.fixture
def media(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of mount points, of which those named STICK have something mounted on them."""
    monkeypatch.setattr(Path, "is_mount", lambda path: path.name == "STICK")
    return tmp_path / "media"


def test_without_a_stick_it_goes_into_the_folder_of_the_settings(tmp_path: Path, media: Path) -> None:
    (media / "somebody" / "EMPTY").mkdir(parents=True)
    came = exported(written(tmp_path / "station.db"), tmp_path / "out" / "deep", media)
    count, path = came
    assert path.parent == tmp_path / "out" / "deep"
    assert len(path.read_text(encoding="utf-8").splitlines()) == count + 1


@pytest.mark.parametrize("place", ["STICK", "somebody/STICK"])
def test_a_stick_that_is_mounted_is_preferred(tmp_path: Path, media: Path, place: str) -> None:
    (media / place).mkdir(parents=True)
    came = exported(written(tmp_path / "station.db"), tmp_path / "out", media)
    assert came[1].parent == media / place == stick(media)


def test_a_stick_that_is_write_protected_is_passed_over_for_one_that_may_be_written(
    tmp_path: Path, media: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    locked, free = media / "anna" / "STICK", media / "bert" / "STICK"
    for each in (locked, free):
        each.mkdir(parents=True)
    access = os.access
    # Who tests as root may write everywhere: a mount that is read-only says no to root too.
    monkeypatch.setattr(os, "access", lambda path, mode, **more: path != locked and access(path, mode, **more))
    assert stick(media) == free
    came = exported(written(tmp_path / "station.db"), tmp_path / "out", media)
    assert came[1].parent == free


def test_what_goes_wrong_is_an_error_and_leaves_nothing(tmp_path: Path, media: Path) -> None:
    with pytest.raises(LogError, check=with_fields(found="no such file")):
        exported(tmp_path / "nowhere.db", tmp_path / "out", media)
    assert list((tmp_path / "out").iterdir()) == []
    (tmp_path / "file").write_text("")
    with pytest.raises(LogError, check=with_fields(expected="a folder that can be written to")):
        exported(written(tmp_path / "station.db"), tmp_path / "file", media)


OWN = 'extends = "club"\nid = "own"\ntitle = "Our own"\nsummary = "As we play"\n'


def test_a_file_of_ones_own_is_there_as_long_as_it_can_be_used(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    catalogue = Catalogue((str(file), "club"))
    shipped = set(shipped_ids())
    assert {choice.id for choice in catalogue.choices()} == shipped
    file.write_text(OWN, encoding="utf-8")
    assert ("own", "Our own") in [(choice.id, choice.title) for choice in catalogue.choices()]
    found = catalogue.find("own")
    assert found is not None
    assert (found[0], found[1].title) == (str(file), "Our own")
    file.write_text("title =", encoding="utf-8")
    assert {choice.id for choice in catalogue.choices()} == shipped
    assert catalogue.find("own") is None


def test_a_file_that_is_gone_after_it_was_read_once_ends_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "own.toml"
    file.write_text(OWN, encoding="utf-8")
    read = load._read

    def pulled(path: str) -> bytes:
        content = read(path)
        file.unlink()
        return content

    monkeypatch.setattr(load, "_read", pulled)
    assert "Our own" in [choice.title for choice in Catalogue((str(file),)).choices()]
