"""A data partition that is full when the station starts: it says so and judges nothing, without a traceback, and begins once there is room."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
from pathlib import Path

from kiosk.challenge.entry import Kind
from kiosk.log.errors import LogError
from tests.appliance.records.full import FullDisk
from tests.kiosk.lexicons.files import made
from tests.kiosk.shell.programs import PATIENCE_S, TILEKIOSK, UNSET, until
from tests.kiosk.shell.rig import entries_in


def _kinds(log: Path) -> list[Kind]:
    try:
        return [entry.kind for entry in entries_in(log)]
    except LogError:
        return []


def test_the_real_program_starts_on_a_full_disk_says_why_nothing_is_logged_and_goes_on_by_itself_once_there_is_room(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    disk = FullDisk(folder)
    lexicon = made(tmp_path / "list.dawg")
    command = disk.command(*TILEKIOSK, "run", "--screen", "none", "--lexicon", str(lexicon), "--log", str(folder / "station.db"))
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as told:
        told.bind(str(tmp_path / "notify"))
        told.settimeout(PATIENCE_S)
        environment = {**{key: value for key, value in os.environ.items() if key not in UNSET}, "NOTIFY_SOCKET": str(tmp_path / "notify")}
        with subprocess.Popen(command, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            try:
                while told.recv(100) != b"READY=1":
                    pass
                assert _kinds(disk.copied(process.pid, tmp_path / "copy") / "station.db") == []
                disk.room(process.pid)
                until(lambda: Kind.STARTED in _kinds(disk.copied(process.pid, tmp_path / "copy") / "station.db"))
                process.send_signal(signal.SIGTERM)
                output, errors = process.communicate(timeout=PATIENCE_S)
            finally:
                process.kill()
    assert (process.returncode, errors) == (0, "")
    assert "nothing is judged" in output
    assert "The log cannot be written: " in output
    assert "the log is written again" in output
