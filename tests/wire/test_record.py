"""A device's rows as the hall gets them: the chain can be checked on arrival, whatever their size."""

from pathlib import Path

import pytest

from appliance.records.chain import GENESIS, chained
from firmware.journal.store import Store, open_journal
from game.journal.reading import links, reading
from game.journal.row import GameStamp, Kind, row_of
from wire.record import NO_ROWS, DeviceRecord
from wire.reports import MAX_ROW_BYTES, RowBatch

STAMP = GameStamp(1, 2, "boot", "2026-01-01T00:00:00.000+00:00")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return open_journal(tmp_path / "journal.db").path


def _record(path: Path) -> DeviceRecord:
    return DeviceRecord(lambda: reading(path, any_edition=True), links)


def _write(path: Path, *texts: str) -> None:
    store = Store(path)
    store.append([row_of(Kind.NOTE, 0, STAMP, {"text": text}) for text in texts], None)
    store.close()


def _chain(batch: RowBatch, head: str) -> str:
    """Check a batch as the listener does; return the new head."""
    assert batch.previous == head
    for expected, (own, fields) in enumerate(batch.rows, batch.first):
        if fields is not None:
            assert (fields[0], chained(head, fields)) == (expected, own)
        head = own
    return head


def test_every_row_arrives_once_in_order_and_fits_the_chain(path: Path) -> None:
    _write(path, *(f"é {number}" for number in range(250)))
    record, head, after, sizes = _record(path), GENESIS, 0, []
    while (batch := record.rows(after, 100)) is not None:
        batch = RowBatch.model_validate_json(batch.model_dump_json())
        head, after = _chain(batch, head), batch.last
        sizes.append(len(batch.rows))
    assert sizes == [100, 100, 50]
    end = record.end()
    assert (end.seq, end.head) == (250, head)
    first = record.rows(0, 1)
    assert first is not None
    assert end.epoch == first.epoch == first.rows[0][0][:16]


def test_a_batch_stays_within_its_bytes(path: Path) -> None:
    _write(path, *("x" * 25_000 for _ in range(5)))
    record, after, sizes = _record(path), 0, []
    while (batch := record.rows(after, 100)) is not None:
        assert len(batch.model_dump_json()) <= MAX_ROW_BYTES + 500
        after = batch.last
        sizes.append(len(batch.rows))
    assert sizes == [2, 2, 1]


def test_a_row_that_is_too_large_goes_alone_as_its_hash(path: Path) -> None:
    _write(path, "a", "x" * MAX_ROW_BYTES, "b")
    record, head, after, missing = _record(path), GENESIS, 0, []
    while (batch := record.rows(after, 100)) is not None:
        head, after = _chain(batch, head), batch.last
        missing.append([fields is None for _, fields in batch.rows])
    assert missing == [[False], [True], [False]]
    assert record.end().head == head


def test_after_the_end_there_is_nothing(path: Path) -> None:
    _write(path, "a")
    record = _record(path)
    assert record.rows(1, 100) is None
    assert record.rows(99, 100) is None
    assert record.rows((1 << 63) - 1, 100) is None


def test_what_cannot_be_read_is_not_there(tmp_path: Path, path: Path) -> None:
    assert _record(path).end() == NO_ROWS
    assert _record(path).rows(0, 100) is None
    missing = _record(tmp_path / "missing.db")
    assert (missing.end(), missing.rows(0, 100)) == (NO_ROWS, None)
    (tmp_path / "damaged.db").write_bytes(b"no journal")
    damaged = _record(tmp_path / "damaged.db")
    assert (damaged.end(), damaged.rows(0, 100)) == (NO_ROWS, None)
