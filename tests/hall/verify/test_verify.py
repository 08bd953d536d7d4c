"""``tilehall verify`` and ``tilehall heads``: what is shown, and that a change by a single digit is found."""

from __future__ import annotations

import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from firmware.journal.store import Store as JournalStore
from firmware.journal.store import open_journal
from game.journal.reading import links, reading
from game.journal.row import GameStamp, Kind, row_of
from hall.cli.main import main
from kiosk.log.log import open_log
from tests.hall.listener.listening import TILEHALL
from tests.hall.reporting import TOPICS, Device, Rig
from tests.hall.reporting import rig as made
from tests.in_process import ran
from tests.processes import PATIENCE_S


def _said(verb: str, folder: Path, *arguments: str, alone: bool = False) -> tuple[int, str]:
    """Run a verb on the store in ``folder``; ``alone``: as a process of its own."""
    words = (verb, "--store", str(folder / "hall.db"), *arguments)
    if alone:
        done = subprocess.run([*TILEHALL, *words], capture_output=True, text=True, timeout=PATIENCE_S, check=False)
        assert "Traceback" not in done.stderr
    else:
        done = ran(main, *words)
    return done.returncode, done.stdout + done.stderr


def _root(rig: Rig) -> str:
    """Have a root made, and return it as a device notes it."""
    rig.sent.clear()
    rig.pass_time(61)
    (root,) = (message for topic, message in rig.sent if topic == TOPICS.root)
    return f"{root['n']}:{root['root']}"


def _vouched(folder: Path) -> tuple[Device, Device]:
    """Leave a store in which the head of one device is known to another one since then."""
    one, other = Device("one"), Device("other")
    with made(folder) as rig:
        for device in (one, other):
            device.write(3)
            rig.report(device, "rows", device.batch(1, 3))
        rig.report(one, "beat", one.beat(signed=one.signed(3)))
        rig.report(other, "beat", other.beat(signed=other.signed(2, root=_root(rig))))
        _root(rig)
    return one, other


def test_the_three_levels_are_shown_each_up_to_its_row(tmp_path: Path) -> None:
    one, other = _vouched(tmp_path)
    code, said = _said("verify", tmp_path, alone=True)
    assert code == 0, said
    vouched = next(line for line in said.splitlines() if line.startswith(one.id))
    assert "whole up to row 3" in vouched
    assert "signed by this device up to row 3; known to other devices up to row 3." in vouched
    alone = next(line for line in said.splitlines() if line.startswith(other.id))
    assert "signed by this device up to row 2; not yet known to other devices." in alone


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ("UPDATE rows SET fields = replace(fields, 'note', 'nota') WHERE seq = 2", "row 2 is missing or was changed"),
        ("DELETE FROM rows WHERE seq = 2", "row 2 is missing or was changed"),
        ("UPDATE roots SET root = replace(root, substr(root, 1, 1), 'x') WHERE n = 1", "Root 1 does not follow"),
        ("DELETE FROM roots WHERE n = 1", "Root 2 does not follow"),
        ("DELETE FROM heads WHERE root = 1", "Root 1 covers a head that the hall no longer holds"),
    ],
)
def test_a_change_of_the_hall_s_own_file_is_found(tmp_path: Path, change: str, says: str) -> None:
    _vouched(tmp_path)
    with closing(sqlite3.connect(tmp_path / "hall.db", isolation_level=None)) as connection:
        connection.execute(change)
    code, said = _said("verify", tmp_path)
    assert code == 1
    assert says in said


def test_heads_are_printed_for_the_devices_own_verification(tmp_path: Path) -> None:
    one, other = _vouched(tmp_path)
    code, said = _said("heads", tmp_path, alone=True)
    assert code == 0
    assert set(said.splitlines()) == {
        f"{one.id} {one.epoch} 3 {one.head}",
        f"{other.id} {other.epoch} 2 {other.rows[1][0]}",
        f"{other.id} {other.epoch} 3 {other.head}",
    }


class Recorded:
    """A clock's journal as a file, and a hall that holds its first rows."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.path = folder / "journal.db"
        self.append(5)
        self.device = Device()
        with reading(self.path) as connection:
            self.device.rows = [(link.hash, list(link.row)) for link in links(connection, 1)]
        with made(folder) as rig:
            rig.report(self.device, "rows", self.device.batch(1, 5))

    def append(self, count: int, text: str = "") -> None:
        open_journal(self.path)
        journal = JournalStore(self.path)
        stamp = GameStamp(5, 6, "boot", "2026-01-01T00:00:00Z")
        journal.append([row_of(Kind.NOTE, 1, stamp, {"n": number, "text": text}) for number in range(count)], None)
        journal.close()

    def change(self, *statements: str) -> None:
        with closing(sqlite3.connect(self.path, isolation_level=None)) as connection:
            for trigger in ("rows_stay", "rows_are_kept", "rows_follow"):
                connection.execute(f"DROP TRIGGER {trigger}")
            for statement in statements:
                connection.execute(statement)

    def verified(self) -> tuple[int, str]:
        return _said("verify", self.folder, str(self.path))


@pytest.fixture
def recorded(tmp_path: Path) -> Any:
    return Recorded(tmp_path)


def test_a_journal_that_went_on_agrees_with_the_hall(recorded: Recorded) -> None:
    assert recorded.verified() == (0, f"The hall holds the same 5 rows of {recorded.device.id}.\n")
    recorded.append(2)
    code, said = recorded.verified()
    assert (code, said) == (0, f"The hall holds the same 5 rows of {recorded.device.id}. Row 6 to row 7 have not come to the hall.\n")


def test_a_row_that_was_changed_is_found_even_if_its_stated_hash_was_left(recorded: Recorded) -> None:
    recorded.change("UPDATE rows SET wall = '2026-01-02T00:00:00Z' WHERE seq = 4")
    code, said = recorded.verified()
    assert code == 1
    assert "Rewritten: row 4 is not the one that the hall holds" in said


def test_a_journal_that_was_cut_is_found(recorded: Recorded) -> None:
    recorded.change("DELETE FROM rows WHERE seq > 3")
    code, said = recorded.verified()
    assert code == 1
    assert "Cut: it ends at row 3; the hall holds 5 rows" in said


def test_a_chain_that_was_computed_anew_from_the_first_row_is_unknown(recorded: Recorded) -> None:
    recorded.path.unlink()
    recorded.append(5, "anew")
    code, said = recorded.verified()
    assert code == 2
    assert "expected a journal or log that the hall knows" in said


@pytest.mark.parametrize("content", [None, b"", b"words\n"], ids=["missing", "empty", "text"])
def test_what_is_no_record_or_no_store_is_refused(tmp_path: Path, content: bytes | None) -> None:
    if content is not None:
        (tmp_path / "hall.db").write_bytes(content)
    assert _said("verify", tmp_path)[0] == 2
    _vouched(tmp_path / "good")
    if content is not None:
        (tmp_path / "record").write_bytes(content)
    code, said = _said("verify", tmp_path / "good", str(tmp_path / "record"))
    assert code == 2
    # It does not guess which of both was meant.
    found = {None: "a clock's journal or a station's log, found no such file", b"": "found that it is empty"}
    assert found.get(content, "a clock's journal or a station's log, found another kind of file") in said


def test_a_log_that_its_station_has_open_is_no_journal(tmp_path: Path) -> None:
    _vouched(tmp_path)
    with closing(open_log(tmp_path / "log.db")):
        code, said = _said("verify", tmp_path, str(tmp_path / "log.db"))
    assert (code, "expected a journal or log that the hall knows" in said) == (2, True), said
