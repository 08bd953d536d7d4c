"""What a stop leaves behind of a clock in a hall: one whole file, and a signature at its end."""

from __future__ import annotations

import shutil
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from firmware.journal.recovery import recover
from firmware.journal.writer import HeadSigned, JournalWriter
from firmware.shell import hall
from game.journal.reading import reading, verify
from game.journal.row import Kind
from rules.rulebooks import load_rulebook
from tests.firmware.shell.live_clock import live
from tests.firmware.shell.rig import rows_in
from tests.processes import until
from wire.keys import load_key
from wire.proof import signed_by
from wire.reports import SignedHead
from wire.topics import CLOCK

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


def test_the_end_of_a_game_and_the_stop_are_signed_without_any_link(tmp_path: Path) -> None:
    with live(tmp_path) as clock:
        clock.client.close()
        # A new game is signed, since it may end one before.
        until(lambda: bool(_signed(clock.journal)), "the first signature")
    signed, kinds = _signed(clock.journal), [stored.row.kind for stored in rows_in(clock.journal)]
    assert kinds[-2:] == [Kind.STOPPED, Kind.SIGNED]
    stop, signature = rows_in(clock.journal)[-2:]
    assert (signed[-1].seq, signed[-1].head, signature.row.at) == (stop.seq, stop.hash, stop.row.at)
    key = load_key(tmp_path / "device.pem", CLOCK)
    with reading(clock.journal) as connection:
        assert verify(connection).fault is None
        assert signed_by(connection, CLOCK, signature.seq, signed[-1].model_dump(mode="json"), key.device).holds
        # The stop in order is still seen as one.
        recovered = recover(clock.journal, load_rulebook)
    assert recovered is not None
    assert recovered.switched_off


def test_the_stop_is_signed_where_the_signature_of_an_earlier_row_comes_right_after_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with live(tmp_path) as clock:
        clock.client.close()
        until(lambda: bool(_signed(clock.journal)), "the first signature")
        table, stop, inbox = clock.loop._clock, clock.loop._clock.stop, clock.loop.inbox
        late = HeadSigned(_signed(clock.journal)[0].model_dump(mode="json"), of_stop=False)

        def stop_and_hear_late(now: int) -> None:
            inbox.put(late)
            stop(now)

        monkeypatch.setattr(table, "stop", stop_and_hear_late)
    rows = rows_in(clock.journal)
    assert [stored.row.kind for stored in rows[-3:]] == [Kind.STOPPED, Kind.SIGNED, Kind.SIGNED]
    assert _signed(clock.journal)[-1].head == rows[-3].hash


def _signed(journal: Path) -> list[SignedHead]:
    return [SignedHead.model_validate_json(stored.row.body) for stored in rows_in(journal) if stored.row.kind == Kind.SIGNED]
