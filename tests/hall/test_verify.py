"""``tilehall verify``: a change by a single digit is found, and a history that its owner wrote and signed anew too (docs/spec/wire.md)."""

import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import click
import pytest

from appliance.records.rows import links
from firmware.cli.main import main as tileclock
from firmware.journal.writer import Store as JournalStore
from firmware.journal.writer import open_journal
from game.events import Call, Reopen
from hall.cli.main import main as tilehall
from kiosk.log import Log
from records.journal import GameStamp, Kind, reading, row_of
from tests.firmware.shell.rig import rows_in
from tests.firmware.signed_journal import played
from tests.hall.reporting import TOPICS, Device
from tests.hall.reporting import rig as made
from tests.hall.signed_clock import clock_with_result
from tests.in_process import ran
from tests.some import some
from wire.keys import load_key, signed_head
from wire.record import SIGNED, DeviceRecord
from wire.topics import CLOCK


def _run(program: click.Command, *words: str) -> tuple[int, str]:
    done = ran(program, *words)
    return done.returncode, done.stdout + done.stderr


def _said(verb: str, folder: Path, *arguments: str) -> tuple[int, str]:
    return _run(tilehall, verb, "--store", str(folder / "hall.db"), *arguments)


def _two(folder: Path) -> tuple[Device, Device]:
    """Leave a store with the rows of two devices, of which one has signed its head."""
    one, other = Device("one", rows=3), Device("other", text="other", rows=4)
    one.sign(2)
    with made(folder) as rig:
        for device in (one, other):
            rig.report(device, "rows", device.batch(1, len(device.rows)))
    return one, other


def _shown(folder: Path, device: Device) -> str:
    code, said = _said("verify", folder)
    assert code == 0, said
    return next(line for line in said.splitlines() if line.startswith(device.id))


def test_each_journal_is_shown_with_the_rows_up_to_which_it_is_whole_and_signed(tmp_path: Path) -> None:
    one, other = _two(tmp_path)
    assert f"whole up to row 4, whose hash begins {one.head[:16]}; signed by this device up to row 2." in _shown(tmp_path, one)
    assert f"whole up to row 4, whose hash begins {other.head[:16]}; not signed." in _shown(tmp_path, other)


def test_a_signature_counts_if_the_device_itself_has_signed_a_row_that_the_hall_holds(tmp_path: Path) -> None:
    device, other = Device("one", rows=5), Device("other", text="other", rows=5)
    device.sign(3)
    # A signature may come after the one of a later row.
    device.sign(2)
    for changes in (
        {"signature": signed_head(device.device_key, device.epoch, 5, other.head).signature},
        signed_head(device.device_key, device.epoch, 5, other.head).model_dump(),
        {"seq": 4},
        {"seq": 1 << 62},
        {"v": 1},
        {"key": other.key},
        signed_head(other.device_key, device.epoch, 5, device.rows[4][0]).model_dump(),
    ):
        device.sign(5, **changes)
    for body in ("{", "[]", "{}", "[" * 5000):
        device.write(1, SIGNED, body)
    device.write(1, "note", signed_head(device.device_key, device.epoch, 4, device.rows[3][0]).model_dump_json())
    with made(tmp_path) as rig:
        rig.report(device, "rows", device.batch(1, 19))
        assert "signed by this device up to row 3." in _shown(tmp_path, device)
        device.sign(5)
        rig.report(device, "rows", device.batch(20, 20))
    assert "signed by this device up to row 5." in _shown(tmp_path, device)


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE rows SET fields = replace(fields, 'note', 'nota') WHERE seq = 2",
        "DELETE FROM rows WHERE seq = 2",
        "DELETE FROM rows WHERE seq = 2; UPDATE rows SET fields = NULL WHERE seq = 3",
    ],
)
def test_a_change_of_the_hall_s_own_file_is_found(tmp_path: Path, change: str) -> None:
    _two(tmp_path)
    with closing(sqlite3.connect(tmp_path / "hall.db", isolation_level=None)) as connection:
        connection.executescript(change)
    code, said = _said("verify", tmp_path)
    assert (code, said.count("row 2 is missing or was changed"), "2 journals and logs; 2 broken." in said) == (1, 2, True)


class Recorded:
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

    def change(self, statement: str) -> None:
        with closing(sqlite3.connect(self.path, isolation_level=None)) as connection:
            for trigger in ("rows_stay", "rows_are_kept", "rows_follow"):
                connection.execute(f"DROP TRIGGER {trigger}")
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


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ("UPDATE rows SET wall = '2026-01-02T00:00:00Z' WHERE seq = 4", "Rewritten: row 4 is not the one that the hall holds"),
        ("DELETE FROM rows WHERE seq > 3", "Cut: it ends at row 3; the hall holds 5 rows"),
    ],
)
def test_a_journal_that_was_changed_or_cut_is_found_even_if_the_hashes_were_left(recorded: Recorded, change: str, says: str) -> None:
    recorded.change(change)
    code, said = recorded.verified()
    assert (code, says in said) == (1, True)


def test_a_chain_that_was_computed_anew_or_that_its_station_has_open_is_unknown(recorded: Recorded) -> None:
    recorded.path.unlink()
    recorded.append(5, "anew")
    with closing(Log(recorded.folder / "log.db")):
        for found in (recorded.verified(), _said("verify", recorded.folder, str(recorded.folder / "log.db"))):
            assert (found[0], "expected a journal or log that the hall knows" in found[1]) == (2, True)


def test_a_device_that_copies_anothers_first_row_later_is_not_the_one_that_a_journal_is_compared_with(
    recorded: Recorded, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hall.store.store.wall_time", lambda: "2999-01-01T00:00:00.000+00:00")
    copies = [Device(f"copy {number}") for number in range(5)]
    assert min(copies, key=lambda copy: copy.id).id < recorded.device.id < max(copies, key=lambda copy: copy.id).id
    with made(recorded.folder) as rig:
        for copy in copies:
            copy.rows = recorded.device.rows[:2]
            copy.write(1, body="forged")
            rig.report(copy, "rows", copy.batch(1, 3))
    assert recorded.verified() == (0, f"The hall holds the same 5 rows of {recorded.device.id}.\n")


@pytest.mark.parametrize("content", [None, b"", b"words\n"], ids=["missing", "empty", "text"])
def test_what_is_no_record_or_no_store_is_refused(tmp_path: Path, content: bytes | None) -> None:
    if content is not None:
        (tmp_path / "hall.db").write_bytes(content)
    assert _said("verify", tmp_path)[0] == 2
    _two(tmp_path / "good")
    if content is not None:
        (tmp_path / "record").write_bytes(content)
    code, said = _said("verify", tmp_path / "good", str(tmp_path / "record"))
    assert code == 2
    found = {None: "no such file", b"": "that it is empty"}.get(content, "that it is another kind of file")
    assert f"expected a clock's journal or a station's log, found {found}" in said


def test_a_history_that_its_owner_wrote_and_signed_anew_is_whole_but_the_rows_that_the_hall_holds_find_it_out(tmp_path: Path) -> None:
    key, other = load_key(tmp_path / "device.pem", CLOCK), load_key(tmp_path / "other.pem", CLOCK)
    true, forged = played(tmp_path / "journal.db", key), played(tmp_path / "forged.db", key, first_press=4)
    # The same first row, so the same journal by name.
    assert rows_in(true)[0].hash == rows_in(forged)[0].hash
    with made(tmp_path) as rig:
        batch = some(DeviceRecord(partial(reading, true)).rows(0, 100))
        rig.listener.receive(TOPICS.of_device(key.device, "rows"), batch.model_dump_json().encode(), rig.now)
        rig.listener.turn(rig.now)
    signed = "Signed up to row 3 by this device.\n"
    for journal in (true, forged):
        code, said = _run(tileclock, "journal", "verify", "--journal", str(journal), "--key", key.device)
        assert (code, "Whole: 5 rows" in said, signed in said) == (0, True, True)
    held = f"The hall holds the same 5 rows of {key.device}.\n"
    assert _said("verify", tmp_path, str(true)) == (0, held)
    assert _said("verify", tmp_path, str(true), "--key", key.device) == (0, held + signed)
    assert _said("verify", tmp_path, str(true), "--key", other.device) == (1, f"{held}Signed by another device, {key.device}.\n")
    rewritten = f"Rewritten: row 2 is not the one that the hall holds of {key.device}; the rows before it are.\n"
    assert _said("verify", tmp_path, str(forged), "--key", key.public) == (1, rewritten + signed)
    assert _said("verify", tmp_path, "--key", key.device)[0] == 2


def _with_result(folder: Path, *after: Any, key: bool = True) -> tuple[Device, str]:
    """Leave a hall with a clock's journal that has a signed result, and return the clock and the receipt that it shows."""
    device, receipt = clock_with_result(folder, *after, key=key)
    with made(folder) as rig:
        rig.report(device, "rows", device.batch(1, len(device.rows)))
    return device, receipt


def _checked(folder: Path, text: str) -> tuple[int, str]:
    (folder / "receipt.txt").write_text(text, encoding="utf-8")
    return _said("verify", folder, "--receipt", str(folder / "receipt.txt"))


def test_a_receipt_is_genuine_if_the_hall_s_own_rows_read_like_it_and_the_clock_has_signed_them(tmp_path: Path) -> None:
    device, text = _with_result(tmp_path)
    said = f"Genuine: row 6 of the hall's own rows, signed by {device.id}.\n"
    # A phone may pass it on with other line ends, and without its signature, which the hall has itself.
    for given in (text, text.replace("\n", "\r\n"), text.rsplit("\n", 1)[0], f"\n{text} \n"):
        assert _checked(tmp_path, given) == (0, said)
    for forged in (text.replace("412", "512"), text.replace("Ada", "Eve"), text.replace("#7", "#8"), text[:-2] + "A="):
        code, why = _checked(tmp_path, forged)
        assert (code, why.startswith("Not genuine: no result in the journal")) == (1, True)
    assert _checked(tmp_path, "Ada 412") == (1, "This is no receipt of a clock: it names no row of a journal.\n")
    code, why = _checked(tmp_path, text.replace(device.epoch, "0" * 16))
    assert (code, "its rows may not have come yet" in why) == (1, True)


def test_a_receipt_says_what_has_happened_to_the_result_since_and_that_nothing_is_signed(tmp_path: Path) -> None:
    device, text = _with_result(tmp_path, Call(on=True, disputes=True), Reopen("tiles found"), key=False)
    said = f"Genuine: row 4 of the hall's own rows, not yet signed by {device.id}. In that game since: call, reopen.\n"
    assert _checked(tmp_path, text) == (0, said)
