"""Opening a damaged journal: it is set aside and never overwritten, whatever the damage."""

import random
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from appliance.records.files import LOCK, beside, only_writer
from appliance.records.sqlite import connect
from firmware.journal.store import open_journal
from firmware.journal.writer import JournalWriter
from game.journal.reading import reading
from game.journal.row import JOURNAL, GameStamp, Kind, row_of
from tests.appliance.records.damage import tamper
from tests.firmware.journal.short_game import S, rows_whole

NOW = datetime(2026, 7, 3, 10, 20, 30, tzinfo=UTC)
ASIDE = "journal.db.2026-07-03T10-20-30Z.damaged"


def test_a_wal_that_was_cut_or_has_a_flipped_bit_costs_its_last_rows_at_the_most(path: Path) -> None:
    writer = JournalWriter(path, lambda progress: None)
    with reading(path):  # while somebody reads, the WAL stays
        for at in range(14, 40):
            writer.put([row_of(Kind.NOTE, 1, GameStamp(at * S, at * S, "boot", ""), {"text": "spike"})])
        assert writer.close(30)
        whole, wal = path.read_bytes(), (path.parent / "journal.db-wal").read_bytes()
    chance = random.Random(8)  # noqa: S311 - the same places each time
    counts = set()
    for trial in range(60):
        folder = path.parent / f"wal{trial}"
        folder.mkdir()
        spot = chance.randrange(len(wal))
        flipped = wal[:spot] if trial % 2 else wal[:spot] + bytes([wal[spot] ^ 1]) + wal[spot + 1 :]
        (folder / "journal.db").write_bytes(whole)
        (folder / "journal.db-wal").write_bytes(flipped)
        assert open_journal(folder / "journal.db", NOW).set_aside is None
        counts.add(rows_whole(folder / "journal.db"))
    assert counts <= set(range(14, 41))
    assert min(counts) < 40


def _a_letter(path: Path) -> None:
    path.write_bytes(b"Dear director, " * 100)


def _another_programs(path: Path) -> None:
    tamper(path, "PRAGMA application_id = 3")


@pytest.mark.parametrize("put", [_a_letter, _another_programs])
def test_somebody_elses_file_is_left_as_it_was_and_the_sentence_says_what_to_do(path: Path, put: Callable[[Path], None]) -> None:
    put(path)
    before, names = path.read_bytes(), sorted(path.parent.iterdir())
    with only_writer(path, application_id=JOURNAL.application_id):
        opened = open_journal(path, NOW)
    assert (opened.set_aside, opened.reason) == (None, None)
    assert opened.trouble is not None
    assert opened.trouble.problem.endswith("left as it was")
    assert opened.trouble.remedy.startswith("Move it to another place, or name another file")
    assert path.read_bytes() == before
    assert sorted(path.parent.iterdir()) == names


def test_a_second_damaged_journal_in_the_same_second_does_not_overwrite_the_first(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    path.write_bytes(b"first")
    beside(path, LOCK).touch()
    (tmp_path / "journal.db-wal").write_bytes(b"first wal")
    open_journal(path, NOW)
    path.write_bytes(b"second")
    for suffix in ("-wal", "-shm"):
        (tmp_path / f"journal.db{suffix}").unlink(missing_ok=True)
    opened = open_journal(path, NOW)
    assert (tmp_path / ASIDE).read_bytes() == b"first"
    assert (tmp_path / f"{ASIDE}-wal").read_bytes() == b"first wal"
    assert opened.set_aside == tmp_path / f"{ASIDE}.2"
    assert opened.set_aside.read_bytes() == b"second"


def test_a_wal_without_its_file_is_set_aside_and_not_taken_for_the_new_journals(path: Path) -> None:
    with closing(connect(path)) as writing:
        writing.execute("INSERT INTO rows SELECT seq + 1, kind, game, number, at, mono, boot, wall, body, hash FROM rows WHERE seq = 14")
        wal = (path.parent / "journal.db-wal").read_bytes()
    path.unlink()
    (path.parent / "journal.db-wal").write_bytes(wal)
    opened = open_journal(path, NOW)
    assert opened.reason == "the file is gone, its WAL is there"
    assert (path.parent / f"{ASIDE}-wal").read_bytes() == wal
    assert rows_whole(path) == 0
