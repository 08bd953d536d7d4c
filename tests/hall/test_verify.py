"""``tilehall verify`` and ``heads``: a change by a single digit is found, and a history that its owner wrote and signed anew too (docs/spec/wire.md)."""

import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import click
import pytest
from msgspec import Struct

from appliance.records.rows import links
from firmware.cli.main import main as tileclock
from firmware.journal.store import Store as JournalStore
from firmware.journal.store import open_journal
from hall.cli.main import main as tilehall
from hall.store.reading import reading_store
from kiosk.log.log import open_log
from records.journal import GameStamp, Kind, reading, row_of
from tests.firmware.shell.rig import rows_in
from tests.firmware.signed_journal import played
from tests.hall.reporting import TOPICS, Device, Rig
from tests.hall.reporting import rig as made
from tests.in_process import ran
from tests.some import some
from wire.keys import DeviceKey, load_key
from wire.record import DeviceRecord
from wire.topics import CLOCK


def _run(program: click.Command, *words: str) -> tuple[int, str]:
    done = ran(program, *words)
    return done.returncode, done.stdout + done.stderr


def _said(verb: str, folder: Path, *arguments: str) -> tuple[int, str]:
    return _run(tilehall, verb, "--store", str(folder / "hall.db"), *arguments)


def _root(rig: Rig) -> str:
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


def test_the_three_levels_are_shown_each_up_to_its_row_and_heads_are_printed(tmp_path: Path) -> None:
    one, other = _vouched(tmp_path)
    code, said = _said("verify", tmp_path)
    assert code == 0, said
    lines = {device.id: next(line for line in said.splitlines() if line.startswith(device.id)) for device in (one, other)}
    assert "whole up to row 3" in lines[one.id]
    assert "signed by this device up to row 3; known to other devices up to row 3." in lines[one.id]
    assert "signed by this device up to row 2; not yet known to other devices." in lines[other.id]
    code, said = _said("heads", tmp_path)
    assert code == 0
    known = ((one, 3), (other, 2), (other, 3))
    assert set(said.splitlines()) == {f"{device.id} {device.epoch} {seq} {device.rows[seq - 1][0]}" for device, seq in known}


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
    assert (code, says in said) == (1, True)


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
    with closing(open_log(recorded.folder / "log.db")):
        for found in (recorded.verified(), _said("verify", recorded.folder, str(recorded.folder / "log.db"))):
            assert (found[0], "expected a journal or log that the hall knows" in found[1]) == (2, True)


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


class Hall(Struct, frozen=True, dict=True):
    """Two clocks that a listener has heard, and what the owner of the first one's card has made of its journal."""

    folder: Path
    key: DeviceKey
    true: Path
    forged: Path
    witness: Path
    """The journal of the other clock."""
    neighbour: str

    def tileclock(self, journal: Path, *words: str) -> tuple[int, str]:
        return _run(tileclock, "journal", "verify", "--journal", str(journal), *words)

    def exported(self, *words: str) -> str:
        file = self.folder / "_".join(("heads", *words)).replace("-", "")
        code, said = _said("heads", self.folder, *words)
        assert code == 0, said
        file.write_text(said, encoding="ascii")
        return str(file)


def _reported(rig: Rig, device: str, journal: Path) -> str:
    """Have the listener take a whole journal, as its link sends it; return the root that it publishes then."""
    batch = some(DeviceRecord(partial(reading, journal)).rows(0, 100))
    rig.listener.take(TOPICS.of_device(device, "rows"), batch.model_dump_json().encode(), rig.now)
    return _root(rig)


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Hall:
    folder = tmp_path_factory.mktemp("hall")
    key, other = load_key(folder / "device.pem", CLOCK), load_key(folder / "other.pem", CLOCK)
    true, witness = played(folder / "journal.db", key, root=""), folder / "other.db"
    with made(folder) as rig:
        seen = _reported(rig, key.device, true)
        _reported(rig, other.device, played(witness, other, root=seen, boot="other"))
    forged = played(folder / "forged.db", key, first_press=4, root="")
    # The same first row, so the same journal by name.
    assert rows_in(true)[0].hash == rows_in(forged)[0].hash
    return Hall(folder, key, true, forged, witness, other.device)


def test_a_history_that_its_owner_wrote_anew_is_whole_and_signed_but_the_heads_that_the_hall_has_kept_find_it_out(hall: Hall) -> None:
    for journal in (hall.true, hall.forged):
        code, said = hall.tileclock(journal, "--key", hall.key.device)
        assert code == 0, said
        assert ("Whole: 5 rows" in said, "Signed up to row 3 by this device." in said) == (True, True)
    heads = hall.exported()
    assert hall.tileclock(hall.true, "--known", heads)[0] == 0
    code, said = hall.tileclock(hall.forged, "--key", hall.key.device, "--known", heads)
    assert (code, "Rewritten: others have kept row 3, which is another one here." in said) == (1, True)


def test_another_device_finds_it_out_with_roots_that_need_no_trust(hall: Hall) -> None:
    words = ("--witness", str(hall.witness), "--roots", hall.exported("--roots"))
    code, said = hall.tileclock(hall.true, *words)
    assert code == 0, said
    assert f"Known to {hall.neighbour} since then, up to row 3." in said
    code, said = hall.tileclock(hall.forged, "--key", hall.key.device, *words)
    assert (code, f"Rewritten: {hall.neighbour} vouched for row 3, which is another one here." in said) == (1, True)
    # Changed roots vouch for nothing, and a device is no witness of itself.
    roots, changed = hall.exported("--roots"), hall.folder / "changed"
    text = Path(roots).read_text()
    changed.write_text(text.replace(rows_in(hall.true)[2].hash, rows_in(hall.forged)[2].hash), encoding="ascii")
    assert changed.read_text() != text
    with reading_store(hall.folder / "hall.db") as store:
        last = f"{store.last_root().n}:{store.last_root().root}"
    own = played(hall.folder / "own.db", hall.key, first_press=9, root=last)
    for journal, witness, given in ((hall.forged, hall.witness, str(changed)), (hall.true, own, roots)):
        code, said = hall.tileclock(journal, "--witness", str(witness), "--roots", given)
        assert (code, "No other device vouches for a row of this file." in said) == (1, True)


def test_the_hall_s_own_rows_find_it_out(hall: Hall) -> None:
    asked = ("--key", hall.key.device, "--known", hall.exported(), "--witness", str(hall.witness))
    code, said = _said("verify", hall.folder, str(hall.true), *asked)
    assert code == 0, said
    assert said.splitlines() == [
        f"The hall holds the same 5 rows of {hall.key.device}.",
        "Signed up to row 3 by this device.",
        "Known to others up to row 5.",
        f"Known to {hall.neighbour} since then, up to row 3.",
    ]
    code, said = _said("verify", hall.folder, str(hall.forged), *asked)
    assert code == 1
    assert said.startswith("Rewritten: row 2 is not the one that the hall holds")
    assert f"Rewritten: {hall.neighbour} vouched for row 3" in said


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--witness", "journal.db"), "--witness and --roots go together"),
        (("--roots", "heads"), "--witness and --roots go together"),
        (("--witness", "missing.db", "--roots", "no_roots"), "expected the journal or log of another device"),
        (("--witness", "text", "--roots", "no_roots"), "expected the journal or log of another device"),
        (("--witness", "unsigned.db", "--roots", "no_roots"), "found no signature that fits"),
        (("--witness", "other.db", "--roots", "second_only"), "expected root 1, found 2"),
        (("--witness", "other.db", "--roots", "text"), "expected root 1, found words"),
    ],
)
def test_what_is_no_witness_or_no_list_of_roots_is_refused(hall: Hall, words: tuple[str, ...], says: str) -> None:
    (hall.folder / "text").write_text("words that are no heads\n")
    (hall.folder / "no_roots").write_text("")
    (hall.folder / "second_only").write_text(f"2 {hall.neighbour} {'0' * 16} 1 {'0' * 64}\n")
    if not (hall.folder / "unsigned.db").exists():
        played(hall.folder / "unsigned.db", None)
    paths = [word if word.startswith("--") else str(hall.folder / word) for word in words]
    code, said = hall.tileclock(hall.true, *paths)
    assert code == 2
    assert says in " ".join(said.split())
    assert _said("verify", hall.folder, "--key", hall.key.device)[0] == 2
