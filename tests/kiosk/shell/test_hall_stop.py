"""What a stop leaves behind of a station in a hall."""

from __future__ import annotations

import shutil
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from game.challenge_log.entry import Kind
from game.challenge_log.reading import reading
from kiosk.log.log import Log
from kiosk.shell import hall
from tests.kiosk.shell.rig import entries_in, rig

pytestmark = pytest.mark.usefixtures("dummy_display")

LIMIT_S = 30


def test_a_stop_leaves_one_whole_file_though_the_hall_reads_it_while_the_log_closes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ends, reads, closed = threading.Event(), threading.Event(), threading.Event()
    close = Log.close

    @contextmanager
    def reading_long(path: Path) -> Iterator[sqlite3.Connection]:
        with reading(path) as connection:
            if ends.is_set():
                reads.set()
                assert closed.wait(LIMIT_S)
            yield connection

    def closed_while_read(log: Log) -> None:
        ends.set()
        assert log._on_rows is not None
        log._on_rows()
        assert reads.wait(LIMIT_S)
        close(log)
        closed.set()

    monkeypatch.setattr(hall, "reading", reading_long)
    monkeypatch.setattr(Log, "close", closed_while_read)
    (tmp_path / "station").mkdir()
    with rig(tmp_path / "station", hall__enabled=True, hall__socket=str(tmp_path / "sock"), hall__key=str(tmp_path / "key")) as station:
        assert station.loop._hall is not None
        station.loop._hall.begin()
        station.judged("TILE", table=7)
    assert not list(station.log.parent.glob("station.db-[ws]*"))
    alone = shutil.copy(station.log, tmp_path)
    assert Kind.STOPPED in {entry.kind for entry in entries_in(Path(alone))}
