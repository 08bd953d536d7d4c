import errno
import os
import queue
import random
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from functools import reduce
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from appliance.clocks import Clocks
from appliance.errors import Diagnosis
from appliance.records.chain import GENESIS, chained, covered
from appliance.records.sqlite import connect
from firmware.journal.recovery import MIN_NS, Recovered, recover
from firmware.journal.writer import (
    Durable,
    JournalRecorder,
    JournalWriter,
    OpenedJournal,
    Progress,
    Store,
    not_recorded,
    open_journal,
    promise,
    promised_worst,
    worst_after,
)
from game import events as ev
from game.event_table import format_event
from game.history import History, accept, begin
from records import journal as rows
from records.journal import (
    NEVER,
    AnotherEdition,
    GameStamp,
    Kind,
    Mark,
    Row,
    games,
    read_mark,
    reading,
    row_of,
    rows_from,
    rows_of,
    verify,
)
from rules.contact import MS
from rules.rulebooks import load_rulebook
from rules.side import Side
from tests.appliance.records import losing
from tests.appliance.records.refusing import no_file_larger
from tests.cells import each_cell
from tests.firmware.gestures.trains import table
from tests.firmware.journal.short_game import S, play, rows_whole
from tests.firmware.saying import new_game
from tests.processes import until
from tests.some import some

NOW = datetime(2026, 7, 3, 10, 20, 30, tzinfo=UTC)
ASIDE = "journal.db.2026-07-03T10-20-30Z.damaged"
ROW = Row("event", 1, 2, 10, 11, "boot", "wall", '{"do": "press", "side": "left"}')
DELAYS = st.lists(st.integers(0, 60_000 * MS), min_size=1, max_size=50)


def test_a_new_journal_is_begun_where_there_is_none_with_its_folders(tmp_path: Path) -> None:
    opened = open_journal(tmp_path / "a" / "b" / "journal.db")
    assert opened == OpenedJournal(tmp_path / "a" / "b" / "journal.db")
    assert rows_whole(opened.path) == 0
    assert recover(opened.path, load_rulebook) is None


def test_a_whole_journal_is_left_as_it_is(path: Path) -> None:
    before = path.read_bytes()
    assert open_journal(path) == OpenedJournal(path)
    assert path.read_bytes() == before


def test_a_folder_a_device_and_a_failed_beginning_are_said_and_leave_nothing_behind(tmp_path: Path) -> None:
    assert str(open_journal(tmp_path).trouble).endswith("it is a folder. Name a file in it.")
    assert "it is not a regular file. Name a regular file." in str(open_journal(Path("/dev/null")).trouble)
    (tmp_path / "journal.db.new-wal").mkdir()
    assert open_journal(tmp_path / "journal.db").trouble is not None
    assert [each.name for each in tmp_path.iterdir()] == ["journal.db.new-wal"]


def test_a_full_disk_says_who_tells_how_to_make_room_and_any_other_trouble_does_not() -> None:
    path, beginning = Path("/data/journal.db"), "The game is not being recorded: /data/journal.db: "
    full = Diagnosis(f"{beginning}the disk is full", "Free some space: `tileclock doctor` says how")
    assert not_recorded(path, OSError(errno.ENOSPC, "x")) == full
    error = not_recorded(path, OSError(errno.EIO, os.strerror(errno.EIO)))
    assert str(error) == f"{beginning}input/output error. Check the path and the disk."


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


@pytest.mark.parametrize(("edition", "found"), [({"edition": 2}, "2"), ({"edition": None}, "none"), ({"edition": True}, "True")])
def test_a_game_of_another_edition_is_set_aside(monkeypatch: pytest.MonkeyPatch, path: Path, edition: dict[str, Any], found: str) -> None:
    stamp, new = GameStamp(0, 0, "boot", "2026-07-03T11:00:00Z"), begin(new_game("club"), 0)

    def another(event: Any, by: Any = None) -> dict[str, Any]:
        return {key: value for key, value in (format_event(event, by) | edition).items() if value is not None}

    path = path.with_name("older.db")
    writer = JournalWriter(path, lambda progress: None)
    with monkeypatch.context() as patch:
        patch.setattr(rows, "format_event", another)
        writer.put(rows_of(None, new, 2, stamp))
    writer.put(rows_of(None, new, 3, stamp))
    assert writer.close(30)
    sentence = f"new_game: edition: expected 5, found {found}: this file was written for another edition of the events"
    with pytest.raises(AnotherEdition) as caught, reading(path):
        pass
    assert str(caught.value) == f"{path}: {sentence}."
    before = path.read_bytes()
    opened = open_journal(path)
    assert opened.trouble is None
    assert str(opened.reason) == sentence
    assert some(opened.set_aside).read_bytes() == before
    assert rows_whole(path) == 0


def test_a_rows_columns_its_place_and_the_row_before_it_are_in_its_hash_and_how_far_time_is_known_in_the_seal() -> None:
    columns = [{"kind": "note"}, {"game": 2}, {"number": None}, {"at": 9}, {"mono": 9}, {"boot": "b"}, {"wall": "w"}, {"body": "{}"}]
    for cell in each_cell(columns):
        with cell as change:
            assert chained(GENESIS, covered(1, replace(ROW, **change))) != chained(GENESIS, covered(1, ROW))  # type: ignore[arg-type]  # one field of several types
    assert len({chained(head, covered(seq, replace(ROW))) for head, seq in ((GENESIS, 1), (GENESIS, 1), (GENESIS, 2), ("1" * 64, 1))}) == 3
    assert replace(Mark(), at=2).sealed != Mark().sealed


def _worst(*delays: int) -> int:
    return reduce(worst_after, delays, 0)


@given(DELAYS)
def test_the_next_promise_covers_twice_what_was_just_seen_and_the_next_program_goes_on_from_the_one_on_the_disk(delays: list[int]) -> None:
    for count in range(1, len(delays) + 1):
        assert promise(_worst(*delays[:count])) >= 2 * delays[count - 1]
    promised = promise(_worst(*delays))
    assert promised - promise(promised_worst(promised)) in (0, 1)


def test_a_quick_disk_has_a_second_and_a_bad_minute_is_forgotten_within_ten_and_half_of_it_takes_longer_than_one() -> None:
    after = [_worst(10_000 * MS, *[0] * seconds) for seconds in (60, 120, 600)]
    assert after[0] > 5_000 * MS > after[1]
    assert promise(after[2]) == MIN_NS
    assert promise(_worst(*[5 * MS] * 100)) == MIN_NS


LIMIT_S = 30


def _note(at: int, size: int = 10) -> Row:
    return row_of(Kind.NOTE, 1, _stamp(at), {"text": "x" * size})


def _stamp(at: int) -> GameStamp:
    return GameStamp(at, at + 100, "boot", "2026-01-01T00:00:00Z")


class Written:
    def __init__(self, path: Path) -> None:
        self.path = path
        self.said: queue.Queue[Progress] = queue.Queue()
        self.seqs: list[int] = []
        self.writer = JournalWriter(path, self.said.put, on_rows=self._note, first_pause_s=0.001, longest_pause_s=0.01)

    def put(self, *ats: int, size: int = 10) -> None:
        for at in ats:
            self.writer.put([_note(at, size)])

    def _note(self) -> None:
        self.seqs.append(self.writer._store.seq)

    def until(self, wanted: Callable[[Progress], bool]) -> Diagnosis:
        while not wanted(progress := self.said.get(timeout=LIMIT_S)):
            pass
        return some(progress.trouble)

    def troubled(self) -> Diagnosis:
        return self.until(lambda said: said.trouble is not None)

    def well(self, *, seq: int | None = None, at: int | None = None) -> None:
        """Wait until there is no trouble, and the row ``seq`` and the instant ``at`` are the last on the disk."""
        writer = self.writer
        until(lambda: writer.trouble is None and seq in (None, writer._store.seq) and at in (None, writer.durable.mono - 100))

    def begun(self) -> History:
        new = begin(new_game("club"), 0)
        self.writer.put(rows_of(None, new, 1, _stamp(0)))
        self.well(at=0)
        return new

    def pressed(self, old: History, turn: int) -> History:
        new = accept(old, ev.Press(Side.LEFT if turn % 2 else Side.RIGHT), turn * S)
        self.writer.put(rows_of(old, new, 1, _stamp(turn * S)))
        return new


@contextmanager
def writing(path: Path) -> Iterator[Written]:
    written = Written(path)
    try:
        yield written
    finally:
        written.writer.close(LIMIT_S)


@pytest.fixture
def written(tmp_path: Path) -> Iterator[Written]:
    with writing(open_journal(tmp_path / "journal.db").path) as written:
        written.well(seq=0)
        yield written


def _texts(path: Path) -> list[int]:
    with reading(path) as connection:
        assert verify(connection).fault is None
        return [kept.row.at for kept in rows_from(connection, 1)]


def test_what_was_put_is_on_the_disk_in_order_and_the_writer_says_how_far_it_got(written: Written) -> None:
    written.put(*range(200))
    written.writer.mark(_stamp(500))
    written.well(seq=200, at=500)
    assert _texts(written.path) == list(range(200))
    with reading(written.path) as connection:
        mark = read_mark(connection)
    assert mark is not None
    assert (mark.stamp, mark.seq) == (_stamp(500), 200)


def test_while_another_program_holds_the_file_rows_wait_and_are_written_when_it_lets_go(written: Written) -> None:
    with closing(connect(written.path)) as other:
        other.execute("BEGIN IMMEDIATE")
        written.put(1)
        trouble = str(written.troubled())
        assert "The game is not being recorded" in trouble
        assert "another program holds the file" in trouble
        written.put(2)
        other.execute("ROLLBACK")
    written.well(seq=2)
    assert _texts(written.path) == [1, 2]


def test_a_disk_that_takes_no_more_is_said_once_and_everything_is_written_when_there_is_room(written: Written) -> None:
    with no_file_larger(64 * 1024):
        written.put(*range(100), size=4000)
        written.troubled()
        assert written.writer._store.seq < 100
    written.well(seq=100)
    assert _texts(written.path) == list(range(100))


def test_a_missing_folder_that_cannot_be_made_is_trouble_said_a_single_time(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with writing(tmp_path / "file" / "journal.db") as written:
        written.put(1)
        written.troubled()
        # Tries go on (every 10 ms at the most); the next thing it says is that it could write.
        (tmp_path / "file").unlink()
        assert written.said.get(timeout=LIMIT_S).trouble is None
        written.well(seq=1)


def test_close_writes_what_is_left_and_says_whether_it_could(tmp_path: Path, written: Written) -> None:
    written.put(*range(50))
    assert written.writer.close(LIMIT_S)
    written.put(51)
    assert _texts(written.path) == list(range(50))
    (tmp_path / "folder").mkdir()
    unable = JournalWriter(tmp_path / "folder", lambda progress: None)
    unable.put([_note(1)])
    assert not unable.close(LIMIT_S)


def test_a_file_that_is_opened_again_keeps_its_wal_which_stays_while_somebody_reads(path: Path) -> None:
    with reading(path), closing(Store(path)) as store:
        for at in (50, 51):
            store.opened()
            store.append([_note(at)], None)
            store.close()
        assert {each.name for each in path.parent.glob("journal.db*")} == {"journal.db", "journal.db-wal", "journal.db-shm"}
    assert _texts(path)[-2:] == [50, 51]


def test_a_mark_is_late_after_the_promise_of_the_last_one_and_says_how_far_behind_it_is(written: Written) -> None:
    assert written.writer.close(30)
    written.writer.durable = Durable(5 * S, 2 * S)
    recorder, running = JournalRecorder(written.writer, Clocks(wall=lambda: "", boot=lambda: "b"), 0, None), table("club", "0 press right")
    # The clock runs since the very instant up to which the disk knows.
    for known, now, lag, late in ((5 * S, 5 * S, 0, False), (7 * S, 8 * S, S, False), (8 * S, 8 * S + 1, S, True)):
        recorder.mark(running, known, now, counting=True)
        assert (written.writer.lag_ns, recorder.late) == (lag, late)


def test_rows_that_were_put_together_are_committed_together(written: Written) -> None:
    for at in range(100):
        written.writer.put([_note(at)] * 3)
    until(lambda: 300 in written.seqs)
    assert all(seq % 3 == 0 for seq in written.seqs)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")  # its traceback is for the log
def test_a_writer_that_an_error_of_the_program_ends_says_that_nothing_is_recorded_any_more(written: Written) -> None:
    written.put(1)
    written.well(seq=1)
    # SQLite has no room for that: an error of the program's own, not of the disk.
    written.writer.mark(_stamp(2**63))
    said = str(written.troubled())
    assert said == f"The game is not being recorded: {written.path}: the program failed at it. Start the clock again."
    assert not written.writer.close(LIMIT_S)
    assert _texts(written.path) == [1]


def _another_journal(path: Path) -> None:
    other = path.with_name("other.db")
    play(other)
    other.replace(path)


def _replaced(said: Progress) -> bool:
    return said.trouble is not None and "deleted or replaced while the program ran" in said.trouble.problem


def _recovered(path: Path) -> tuple[Recovered, History]:
    recovered = some(recover(path, load_rulebook))
    assert recovered.refused == ()
    return recovered, some(recovered.history)


LOSSES = [losing.deleted, losing.only_the_wal, losing.another_program, _another_journal]


@pytest.mark.parametrize("lose", LOSSES)
def test_a_file_lost_while_the_clock_runs_is_said_and_the_whole_game_comes_back(tmp_path: Path, lose: Callable[[Path], None]) -> None:
    path = open_journal(tmp_path / "a" / "journal.db").path
    with writing(path) as written:
        history = written.begun()
        lose(path)
        history = written.pressed(history, 1)
        assert str(path) in str(written.until(_replaced))
        written.well(at=S)
        history = written.pressed(history, 2)
        written.well(at=2 * S)
    rows_whole(path)
    recovered, found = _recovered(path)
    assert (found.game, recovered.last.at) == (history.game, 2 * S)


def test_a_game_that_an_earlier_program_began_is_written_anew_as_well(path: Path) -> None:
    _, history = _recovered(path)
    with writing(path) as written:
        written.well(seq=14)
        history = written.pressed(history, 15)
        written.well(at=15 * S)
        losing.deleted(path)
        history = written.pressed(history, 16)
        written.well(at=16 * S)
    assert _recovered(path)[1].game == history.game


def test_the_mark_of_a_running_clock_is_enough_to_notice(path: Path) -> None:
    with writing(path) as written:
        written.writer.mark(_stamp(20 * S))
        written.well(at=20 * S)
        losing.deleted(path)
        written.writer.mark(_stamp(21 * S))
        written.until(_replaced)
        written.well(at=21 * S)
    assert _recovered(path)[0].last.at == 21 * S


@pytest.mark.parametrize(("lose", "known"), [(losing.another_program, (1,)), (_another_journal, (1, 2))])
def test_a_foreign_file_is_set_aside_and_a_journal_kept(tmp_path: Path, lose: Callable[[Path], None], known: tuple[int, ...]) -> None:
    path = open_journal(tmp_path / "journal.db").path
    with writing(path) as written:
        history = written.begun()
        lose(path)
        written.pressed(history, 1)
        written.well(at=S)
    with reading(path) as connection:
        assert (tuple(rows[0].row.game for rows in games(connection)), verify(connection).fault) == (known, None)
    aside = [each.read_bytes() for each in tmp_path.glob("*.damaged*") if not each.name.endswith(("-wal", "-shm"))]
    assert aside == ([losing.LETTER] if lose is losing.another_program else [])


def _event(game: int, number: int, at: int) -> Row:
    return Row(Kind.EVENT, game, number, at, at + 1, "boot", "wall", '{"edition": 5}')


def _kept(path: Path) -> tuple[list[tuple[int, int | None, int]], Mark | None]:
    with reading(path) as connection:
        return [(kept.row.game, kept.row.number, kept.row.at) for kept in rows_from(connection, 1)], read_mark(connection)


def test_a_lost_game_comes_after_the_games_that_stand_there_with_its_mark_and_so_does_all_that_follows(tmp_path: Path) -> None:
    path, first, second = (tmp_path / name for name in ("journal.db", "first.db", "second.db"))
    for game, found in ((5, first), (7, second)):
        with closing(Store(found)) as other:
            other.append([_event(game, 1, 70)], None)
    with closing(Store(path)) as store:
        store.append([_event(2, 1, 20), _event(3, 1, 30), _event(3, 2, 33)], _stamp(35), 9)
        # Lost, and another one opened and lost once more before anything is written.
        for found in (first, second):
            store.close()
            found.replace(path)
            store.opened()
        store.append([], None)
        assert some(_kept(path)[1]).game == 8
        stored = store.append([_event(3, 3, 36)], None)
        assert [row.game for row in stored] == [8]
        rows, mark = _kept(path)
        assert rows == [(7, 1, 70), (8, 1, 30), (8, 2, 33), (8, 3, 36)]
        assert some(mark) == Mark(4, store.head, 35, 135, "boot", "2026-01-01T00:00:00Z", 8, 9)
        store.append([_event(4, 1, 40)], None)
        rows, mark = _kept(path)
        assert rows[4:] == [(9, 1, 40)]
        assert (some(mark).stamp, some(mark).game) == (NEVER, 9)


def test_the_numbers_of_games_follow_the_file_where_it_was_not_known_at_the_start(path: Path) -> None:
    with closing(Store(path, None)) as store:
        assert [row.game for row in store.append([_event(1, 1, 90)], None)] == [2]
