"""The log out of the station: onto a stick where one is mounted, else into the settings' folder; whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from game.challenge_log.row import LogError
from kiosk.shell.deskwork import exported, stick
from tests.errors import with_fields
from tests.kiosk.log.making import written


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
