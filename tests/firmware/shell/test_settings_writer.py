"""Settings of the director's desk are written in their order, and no card is waited for."""

from __future__ import annotations

import errno
import threading
from collections.abc import Mapping
from pathlib import Path

import pytest

from firmware.settings.desk_file import DeskFile, read_desk_file
from firmware.shell.settings_writer import SettingsWriter
from tests.processes import PATIENCE_S, until
from wire.desk_settings import SettingValue


def test_a_card_that_hangs_is_not_waited_for_and_the_settings_come_in_their_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hangs, keep = threading.Event(), DeskFile.keep

    def slow(desk: DeskFile, settings: Mapping[str, SettingValue]) -> None:
        assert hangs.wait(PATIENCE_S)
        keep(desk, settings)

    monkeypatch.setattr(DeskFile, "keep", slow)
    path = tmp_path / "desk.toml"
    writer = SettingsWriter(DeskFile(path, frozenset()))
    for language in ("fr", "es"):
        writer.write({"language": language})
    assert not path.exists()
    hangs.set()
    until(lambda: read_desk_file(path).layer[1] == {"language": "es"}, "the last language")


def test_settings_that_the_card_does_not_take_are_logged_and_the_next_are_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    keep = DeskFile.keep

    def full(desk: DeskFile, settings: Mapping[str, SettingValue]) -> None:
        if settings["language"] == "fr":
            raise OSError(errno.ENOSPC, "No space left on device")
        keep(desk, settings)

    monkeypatch.setattr(DeskFile, "keep", full)
    path = tmp_path / "desk.toml"
    writer = SettingsWriter(DeskFile(path, frozenset()))
    for language in ("fr", "es"):
        writer.write({"language": language})
    until(lambda: read_desk_file(path).layer[1] == {"language": "es"}, "the second language")
    assert "the settings of the director's desk are not written" in "".join(capfd.readouterr())
