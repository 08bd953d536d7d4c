"""The machine's settings on a disk: what is written, what is taken away, who may read it."""

from __future__ import annotations

import os
import socket
from pathlib import Path
from typing import Any

import pytest

from appliance.errors import MachineError
from appliance.machine import apply as applying
from appliance.machine.apply import HOSTS, KEYS, WIFI, apply
from appliance.machine.model import MachineSettings
from tests.errors import with_fields


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """Where it is written; this machine keeps its own name."""
    volatile, kept = tmp_path / "run", tmp_path / "lib"
    kept.mkdir()
    monkeypatch.setattr(applying, "MACHINE_ID", tmp_path / "machine-id")
    (tmp_path / "machine-id").write_text("0123456789abcdef0123456789abcdef\n")
    monkeypatch.setattr(socket, "sethostname", (tmp_path / "name").write_text)
    return volatile, kept


def _settings(**table: Any) -> MachineSettings:
    return MachineSettings.model_validate(table)


def test_what_is_set_is_in_force_and_what_is_no_longer_set_is_gone(tmp_path: Path, folders: tuple[Path, Path]) -> None:
    volatile, kept = folders
    key = "ssh-rsa AAAA me"
    wifi = {"network": "Hall", "password": "eight or more"}
    assert apply(_settings(table=7, time_zone="Europe/Madrid", ssh_keys=[key], wifi=wifi), "tilekiosk", *folders) == "tilekiosk-7"
    assert (tmp_path / "name").read_text() == "tilekiosk-7"
    assert (volatile / KEYS).read_text() == f"{key}\n"
    assert "127.0.1.1\ttilekiosk-7\n" in (volatile / HOSTS).read_text()
    assert (volatile / WIFI).stat().st_mode & 0o777 == 0o600
    assert (kept / "localtime").readlink() == Path("/usr/share/zoneinfo/Europe/Madrid")
    apply(_settings(table=7), "tilekiosk", *folders)
    assert [file.name for file in volatile.iterdir()] == [HOSTS]
    assert (kept / "localtime").readlink() == Path("/usr/share/zoneinfo/UTC")


def test_keys_are_readable_though_the_service_hides_what_it_writes(folders: tuple[Path, Path]) -> None:
    before = os.umask(0o077)
    try:
        apply(_settings(ssh_keys=["ssh-rsa AAAA me"]), "tileclock", *folders)
    finally:
        os.umask(before)
    assert (folders[0] / KEYS).stat().st_mode & 0o777 == 0o644


def test_where_it_cannot_be_written_a_sentence_says_so(tmp_path: Path, folders: tuple[Path, Path]) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(MachineError, check=with_fields(found="not a directory")):
        apply(_settings(ssh_keys=["ssh-rsa AAAA me"]), "tileclock", tmp_path / "file", folders[1])
