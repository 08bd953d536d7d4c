"""A data partition that is full when the clock starts: the game is played and shown all the same, the screen says why nothing is kept, and all is kept once there is room."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
from pathlib import Path

import pytest

from firmware.journal.row import Kind
from tests.appliance.records.full import FullDisk
from tests.appliance.records.refusing import no_file_larger
from tests.firmware.shell.processes import TILECLOCK, said_in, until
from tests.firmware.shell.rig import PATIENCE_S, ns, rig, rows_in


def test_the_real_program_starts_on_a_full_disk_says_so_without_a_traceback_and_keeps_its_game_once_there_is_room(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    disk = FullDisk(folder)
    command = disk.command(str(TILECLOCK), "run", "--pins", "mock", "--screen", "none", "--journal", str(folder / "journal.db"))
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as told:
        told.bind(str(tmp_path / "notify"))
        told.settimeout(PATIENCE_S)
        environment = {**os.environ, "NOTIFY_SOCKET": str(tmp_path / "notify")}
        with subprocess.Popen(command, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            try:
                while told.recv(100) != b"READY=1":
                    pass
                assert said_in(disk.copied(process.pid, tmp_path / "copy") / "journal.db") == []
                disk.room(process.pid)
                until(lambda: said_in(disk.copied(process.pid, tmp_path / "copy") / "journal.db") == ["new_game"])
                process.send_signal(signal.SIGTERM)
                output, errors = process.communicate(timeout=PATIENCE_S)
            finally:
                process.kill()
    assert (process.returncode, errors) == (0, "")
    assert "The game is not being recorded: " in output
    assert "over: everything is written again" in output


def test_on_a_disk_that_is_full_from_the_start_the_screen_says_so_and_the_times_are_right_to_the_nanosecond(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with no_file_larger(0), rig(monkeypatch, tmp_path / "journal.db") as table:
        table.play(table.press("5", "right"), table.press("15.5", "left"), table.press("30", "centre"), until="40")
        for at in ("1", "10", "39"):
            assert table.face(at).notices[0].startswith("The game is not being recorded: ")
            assert "Traceback" not in table.face(at).notices[0]
        assert table.used() == (ns("10.5"), ns("14.5"))


def test_a_disk_that_fills_up_in_a_game_is_said_at_once_and_nothing_of_the_game_is_lost_once_there_is_room(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with rig(monkeypatch, tmp_path / "journal.db") as table:
        until(lambda: len(said_in(table.path)) == 1)
        with no_file_larger(0):
            table.play(table.press("5", "right"), [(table.at("9"), lambda: table.screen.woken.wait(PATIENCE_S))], until="10", cut=True)
            assert table.face("9.5").notices[0].startswith("The game is not being recorded: ")
        table.play(table.press("15.5", "left"), table.press("30", "centre"), until="40")
        assert table.used() == (ns("10.5"), ns("14.5"))
    assert [kept.row.kind for kept in rows_in(table.path)].count(Kind.EVENT) == 4
