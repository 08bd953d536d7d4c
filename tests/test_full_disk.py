import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec import Struct

from appliance.errors import RecordError
from records.entry import Kind
from tests.appliance.records.full import FullDisk
from tests.firmware.shell.processes import TILECLOCK, said_in
from tests.kiosk.lexicons.files import made
from tests.kiosk.shell.programs import TILEKIOSK
from tests.kiosk.shell.rig import entries_in
from tests.processes import PATIENCE_S, ready, until

pytestmark = pytest.mark.waits(12)


def _kinds(log: Path) -> list[str]:
    try:
        return [entry.kind.value for entry in entries_in(log)]
    except RecordError:
        return []


class Program(Struct, frozen=True, dict=True):
    command: tuple[str, ...]
    record: str
    recorded: Callable[[Path], list[str]]
    """What its record holds; nothing if there is none."""
    first: str
    says: tuple[str, ...]


CLOCK = Program(
    (*TILECLOCK, "run", "--pins", "mock"),
    "--journal",
    said_in,
    "new_game",
    ("The game is not being recorded: ", "the journal is written again"),
)
STATION = Program(
    (*TILEKIOSK, "run", "--lexicon", "list.dawg"),
    "--log",
    _kinds,
    Kind.STARTED.value,
    ("nothing is judged", "The log cannot be written: ", "the log is written again"),
)


@pytest.mark.parametrize("program", [CLOCK, STATION], ids=["tileclock", "tilekiosk"])
def test_a_program_starts_on_a_full_disk_says_so_without_a_traceback_and_records_by_itself_once_there_is_room(
    program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    made(tmp_path / "list.dawg")
    folder = tmp_path / "data"
    folder.mkdir()
    disk = FullDisk(folder)

    def recorded(pid: int) -> list[str]:
        return program.recorded(disk.copied(pid, tmp_path / "copy") / "record.db")

    with ready(disk.command(*program.command, "--screen", "none", program.record, str(folder / "record.db")), tmp_path) as process:
        assert recorded(process.pid) == []
        disk.room(process.pid)
        until(lambda: program.first in recorded(process.pid))
        process.send_signal(signal.SIGTERM)
        output, errors = process.communicate(timeout=PATIENCE_S)
    assert (process.returncode, errors) == (0, "")
    assert [each for each in program.says if each not in output] == []
