"""Files by their names: nothing is set aside onto what is left of another, and no name is given before what it names is on the disk."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from appliance.records.files import beside, set_aside
from appliance.records.sqlite import Schema, create

NOTES = Schema("a notebook", application_id=0x4E4F5445, version=3, tables=("CREATE TABLE notes (line TEXT NOT NULL) STRICT",))
NOW = datetime(2026, 5, 4, 3, 2, 1, tzinfo=UTC)


def test_no_file_is_set_aside_onto_what_only_a_lost_one_left(tmp_path: Path) -> None:
    lost = tmp_path / "notes.db.2026-05-04T03-02-01Z.damaged-wal"
    lost.write_bytes(b"all that is left of a log")
    path = tmp_path / "notes.db"
    path.write_bytes(b"another log")
    beside(path, "-wal").write_bytes(b"another WAL")
    assert set_aside(path, NOW).name == "notes.db.2026-05-04T03-02-01Z.damaged.2"
    assert lost.read_bytes() == b"all that is left of a log"
    assert (tmp_path / "notes.db.2026-05-04T03-02-01Z.damaged.2-wal").read_bytes() == b"another WAL"


def test_a_new_file_is_pressed_to_the_disk_before_it_has_its_name_and_then_its_name_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, pressed = tmp_path / "notes.db", []
    press = os.fsync

    def recorded(descriptor: int) -> None:
        pressed.append((Path(f"/proc/self/fd/{descriptor}").readlink().name, path.exists()))
        press(descriptor)

    monkeypatch.setattr(os, "fsync", recorded)
    create(path, NOTES, lambda connection: None)
    assert pressed == [("notes.db.new", False), (tmp_path.name, True)]
