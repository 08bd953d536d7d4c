"""Settings of the director's desk are written in their order, and no card is waited for."""

from __future__ import annotations

import errno
import threading
from collections.abc import Mapping
from pathlib import Path

import pytest

from firmware.settings.desk_file import DeskFile, read_desk_file
from firmware.shell.hall_messages import SettingsWriter
from tests.processes import PATIENCE_S, until
from wire.proposals import SettingValue

KEEP = DeskFile.keep


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "desk.toml"


def write_two_languages(path: Path) -> None:
    writer = SettingsWriter(DeskFile(path, frozenset()))
    for language in ("fr", "es"):
        writer.write({"language": language})


def until_the_last_is_written(path: Path) -> None:
    until(lambda: read_desk_file(path).layer[1] == {"language": "es"}, "the last language")


def test_a_card_that_hangs_is_not_waited_for_and_the_settings_come_in_their_order(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hangs = threading.Event()

    def slow(desk: DeskFile, settings: Mapping[str, SettingValue]) -> None:
        assert hangs.wait(PATIENCE_S)
        KEEP(desk, settings)

    monkeypatch.setattr(DeskFile, "keep", slow)
    write_two_languages(path)
    assert not path.exists()
    hangs.set()
    until_the_last_is_written(path)


def test_settings_that_the_card_does_not_take_are_logged_and_the_next_are_written(
    path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def full(desk: DeskFile, settings: Mapping[str, SettingValue]) -> None:
        if settings["language"] == "fr":
            raise OSError(errno.ENOSPC, "No space left on device")
        KEEP(desk, settings)

    monkeypatch.setattr(DeskFile, "keep", full)
    write_two_languages(path)
    until_the_last_is_written(path)
    assert "the settings of the director's desk are not written" in "".join(capfd.readouterr())
