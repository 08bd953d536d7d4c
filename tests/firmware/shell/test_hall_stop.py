"""What a stop leaves behind of a clock in a hall."""

from __future__ import annotations

import shutil
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from firmware.journal.reading import reading
from firmware.journal.row import Kind
from firmware.journal.writer import JournalWriter
from firmware.shell import hall
from tests.firmware.shell.rig import rows_in
from tests.firmware.shell.test_hall import live

LIMIT_S = 30


def test_a_stop_leaves_one_whole_file_though_the_hall_reads_it_while_the_writer_closes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ends, reads, closed = threading.Event(), threading.Event(), threading.Event()
    close = JournalWriter.close

    @contextmanager
    def reading_long(path: Path, *, any_edition: bool) -> Iterator[sqlite3.Connection]:
        with reading(path, any_edition=any_edition) as connection:
            if ends.is_set():
                reads.set()
                assert closed.wait(LIMIT_S)
            yield connection

    def closed_while_read(writer: JournalWriter) -> bool:
        ends.set()
        assert writer._on_rows is not None
        writer._on_rows()
        assert reads.wait(LIMIT_S)
        written = close(writer)
        closed.set()
        return written

    monkeypatch.setattr(hall, "reading", reading_long)
    monkeypatch.setattr(JournalWriter, "close", closed_while_read)
    (tmp_path / "clock").mkdir()
    with live(tmp_path / "clock") as clock:
        clock.press("right")
        clock.state("running", "left")
    assert not list(clock.folder.glob("journal.db-[ws]*"))
    alone = shutil.copy(clock.journal, tmp_path)
    assert Kind.STOPPED in {link.row.kind for link in rows_in(Path(alone))}
