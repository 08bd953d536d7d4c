"""What is left in memory after a crash of the program: whose it is, what of it is on the disk already, and what follows for the game."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.crash.record import CrashRecord, FoundCrash, LastEnd, read_record
from firmware.journal.memory import SERVED_NS, START, Anchor, Beat, CrashMemory, RecoveredMemory, parse_memory, record_path
from firmware.journal.recovery import journal_end, recover
from firmware.journal.store import Store, open_journal
from game import events as ev
from game.journal.reading import reading, rows_from
from game.journal.row import GameStamp, Row, rows_of
from game.record import Record, accept, begin
from rules.rulebooks import load_rulebook
from rules.side import BySide, Side

S = 1_000_000_000
BOOT = "this boot"
NOW = GameStamp(100 * S, 100 * S, BOOT, "2026-07-03T10:20:40+00:00")


class _Nobody:
    def __init__(self, record: int, offset: int) -> None:
        pass

    def close(self) -> None:
        pass


def _stamp(at: int) -> GameStamp:
    return GameStamp(at, at, BOOT, "2026-07-03T10:20:00.250+00:00")


def _game() -> tuple[Record, list[tuple[Row, ...]]]:
    """Return a game of four events, each in a put of its own: left runs from 5 s, right from 20 s, left again from 30 s."""
    record = begin(ev.NewGame(load_rulebook("naspa-2017"), "naspa-2017", BySide(None, None)), 0)
    puts = [rows_of(None, record, 1, _stamp(0))]
    for at, side in ((5 * S, Side.RIGHT), (20 * S, Side.LEFT), (30 * S, Side.RIGHT)):
        after = accept(record, ev.Press(side), at)
        puts.append(rows_of(record, after, 1, _stamp(at)))
        record = after
    return record, puts


def _journal(folder: Path, *puts: tuple[Row, ...]) -> Path:
    path = open_journal(folder / "journal.db").path
    store = Store(path)
    for rows in puts:
        store.append(rows, None)
    store.close()
    return path


def _beat(at: int, *, due: int | None = None, asleep: bool = True) -> Beat:
    return Beat(_stamp(at), 1, due, asleep)


def _kept(path: Path, anchor: Anchor | None, puts: list[tuple[Row, ...]], beat: Beat | None) -> RecoveredMemory | None:
    """Write to a record and read it again."""
    memory = CrashMemory(CrashRecord(path, _Nobody), lambda error: pytest.fail(str(error)))
    memory.settle()
    for place, rows in enumerate(puts):
        memory.put(rows, anchor, afresh=place == 0)
    if beat is not None:
        memory.beat(beat)
    memory.close(keep=True)
    return parse_memory(read_record(path), BOOT)


def test_what_was_written_is_read_again(tmp_path: Path) -> None:
    _, puts = _game()
    beat = _beat(31 * S, due=32 * S)
    assert _kept(tmp_path / "a", Anchor(3, "head", 2), puts, beat) == RecoveredMemory(tuple(puts), Anchor(3, "head", 2), beat, None)


@pytest.mark.parametrize("written", range(5))
def test_rows_that_were_not_on_the_disk_come_back_in_order_and_those_that_were_come_once(tmp_path: Path, written: int) -> None:
    record, puts = _game()
    path = _journal(tmp_path, *puts[:written])
    memory = _kept(tmp_path / "a", START, puts, _beat(31 * S, due=32 * S))
    recovered = recover(path, load_rulebook, memory)
    assert recovered is not None
    assert recovered.record is not None
    assert recovered.memory is not None
    assert recovered.memory.batches == tuple(puts[written:])
    assert [(link.number, link.at, link.event) for link in recovered.record] == [(link.number, link.at, link.event) for link in record]


def test_time_is_known_up_to_the_programs_end_where_it_was_served_until_then(tmp_path: Path) -> None:
    record, puts = _game()
    path = _journal(tmp_path, *puts)
    end = LastEnd(31 * S + 7, 31 * S + 9)
    recovered = recover(path, load_rulebook, RecoveredMemory(tuple(puts), START, _beat(31 * S, due=32 * S), end))
    assert recovered is not None
    assert (recovered.last_at, recovered.last.mono, recovered.uncertain_ns(NOW)) == (31 * S + 7, 31 * S + 7, 0)
    assert recovered.record is not None
    assert recovered.record.game_at(recovered.last_at).used_at(Side.LEFT, recovered.last_at) == 15 * S + S + 7
    assert record.number == 4


@pytest.mark.parametrize(
    ("beat", "end", "known", "missing"),
    [
        # It overslept by more than a moment: from the last sign of life on nothing is known.
        (_beat(31 * S, due=32 * S), LastEnd(32 * S + SERVED_NS, 37 * S), 32 * S + SERVED_NS, 0),
        (_beat(31 * S, due=32 * S), LastEnd(32 * S + SERVED_NS + 1, 37 * S), 31 * S, 6 * S),
        (_beat(31 * S, due=None), LastEnd(90 * S, 91 * S), 90 * S, 0),
        # It was awake, and hung.
        (_beat(31 * S, asleep=False), LastEnd(31 * S + SERVED_NS, 37 * S), 31 * S + SERVED_NS, 0),
        (_beat(31 * S, asleep=False), LastEnd(41 * S, 42 * S), 31 * S, 11 * S),
        # It hung while it took in the last press, which is newer than its beat.
        (_beat(29 * S, due=40 * S), LastEnd(30 * S + SERVED_NS + 1, 35 * S), 30 * S, 5 * S),
        # When it ended is known by the sentinel's waking only, or only by our own start.
        (_beat(31 * S, due=32 * S), LastEnd(None, 31 * S + 9), 31 * S, 9),
        (_beat(31 * S, due=32 * S), None, 31 * S, 69 * S),
        (None, None, 30 * S, 70 * S),
        # No end before a sign of life: the kernel's counts are not to be believed.
        (_beat(31 * S, due=32 * S), LastEnd(30 * S, 32 * S), 31 * S, S),
    ],
)
def test_the_player_is_charged_up_to_the_last_sign_of_life_and_the_rest_is_said_to_be_missing(
    tmp_path: Path, beat: Beat | None, end: LastEnd | None, known: int, missing: int
) -> None:
    _, puts = _game()
    recovered = recover(_journal(tmp_path, *puts), load_rulebook, RecoveredMemory(tuple(puts), START, beat, end))
    assert recovered is not None
    assert (recovered.last_at, recovered.uncertain_ns(NOW)) == (known, missing)


def test_memory_of_another_journal_or_one_that_went_on_is_not_believed(tmp_path: Path) -> None:
    _, puts = _game()
    other = [rows_of(None, begin(ev.NewGame(load_rulebook("club"), "club", BySide(None, None)), 1), 1, _stamp(1))]
    path = _journal(tmp_path, *puts)
    end = journal_end(path)
    assert end is not None
    for memory in (
        RecoveredMemory(tuple(other), START, None, None),
        RecoveredMemory(tuple(other), Anchor(end.seq, "another head"), None, None),
        RecoveredMemory(tuple(other), Anchor(99, end.head), None, None),
        RecoveredMemory(tuple(puts[:2]), START, _beat(90 * S), LastEnd(91 * S, 91 * S)),
    ):
        with reading(path) as connection:
            assert memory.not_in_journal(connection) is None
        recovered = recover(path, load_rulebook, memory)
        assert recovered is not None
        assert (recovered.memory, recovered.last_at) == (None, 30 * S)


def test_a_beat_of_another_game_says_nothing_about_this_one(tmp_path: Path) -> None:
    _, puts = _game()
    beat = Beat(_stamp(90 * S), 2, None, asleep=True)
    recovered = recover(_journal(tmp_path, *puts), load_rulebook, RecoveredMemory(tuple(puts), START, beat, None))
    assert recovered is not None
    assert recovered.last_at == 30 * S


def test_games_are_numbered_as_in_the_journal_they_were_written_to(tmp_path: Path) -> None:
    _, puts = _game()
    path = _journal(tmp_path, *puts)
    end = journal_end(path)
    assert end is not None
    again = [tuple(rows) for rows in puts]
    recovered = recover(path, load_rulebook, RecoveredMemory(tuple(again), Anchor(end.seq, end.head, 1), _beat(31 * S), None))
    assert recovered is not None
    assert recovered.memory is not None
    assert (recovered.game, recovered.memory.beat and recovered.memory.beat.game) == (2, 2)
    assert recovered.last_at == 31 * S


@pytest.mark.parametrize("written", [True, False])
def test_a_game_that_was_played_before_the_journal_could_be_opened_comes_after_those_in_it(tmp_path: Path, *, written: bool) -> None:
    _, puts = _game()
    _, earlier = _game()
    path = _journal(tmp_path, *[tuple(_moved(row) for row in rows) for rows in earlier])
    if written:
        store = Store(path)
        store.append([_moved(row, by=0, game=2) for rows in puts for row in rows], None)
        store.close()
    with reading(path) as connection:
        beyond = RecoveredMemory(tuple(puts), None, _beat(31 * S), None).not_in_journal(connection)
        count = len(list(rows_from(connection, 1)))
    assert beyond is not None
    assert count == (8 if written else 4)
    assert {row.game for rows in beyond.batches for row in rows} == (set() if written else {2})
    assert beyond.beat is not None
    assert beyond.beat.game == 2


def _moved(row: Row, by: int = 1, game: int = 1) -> Row:
    return Row(row.kind, game, row.number, row.at, row.mono + by, row.boot, row.wall, row.body)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5), lambda inner: st.lists(inner, max_size=9), max_leaves=20
)


@given(st.none() | JSON | st.binary(max_size=30), st.lists(JSON | st.binary(max_size=30), max_size=3))
def test_whatever_stands_in_a_record_raises_nothing(note: object, entries: list[object]) -> None:
    def raw(value: object) -> bytes:
        return value if isinstance(value, bytes) else json.dumps(value).encode()

    found = FoundCrash(None if note is None else raw(note), tuple(map(raw, entries)), None)
    left = parse_memory(found, BOOT)
    assert left is None or isinstance(left, RecoveredMemory)


def test_numbers_that_no_journal_can_hold_and_other_boots_are_not_believed() -> None:
    beat = [1, 2, BOOT, "", 1, None, True]
    assert parse_memory(FoundCrash(json.dumps(beat).encode(), (), None), BOOT) is not None
    assert parse_memory(FoundCrash(json.dumps([1 << 70, *beat[1:]]).encode(), (), None), BOOT) is None
    assert parse_memory(FoundCrash(json.dumps(beat).encode(), (), None), "another boot") is None
    assert parse_memory(None, BOOT) is None


def test_each_journal_and_boot_has_a_record_of_its_own(tmp_path: Path) -> None:
    names = {record_path(tmp_path, tmp_path / journal, boot) for journal in ("a", "b") for boot in ("1", "2")}
    assert len(names) == 4


def test_a_full_memory_ends_the_record_and_not_the_clock(tmp_path: Path) -> None:
    lost: list[OSError] = []
    memory = CrashMemory(CrashRecord(tmp_path / "a", _Nobody), lost.append)
    memory.settle()
    memory.beat(Beat(GameStamp(0, 0, "b" * 5000, ""), 1, None, asleep=True))
    memory.beat(_beat(1))
    memory.put((), None, afresh=True)
    memory.close(keep=True)
    assert len(lost) == 1
    assert list(tmp_path.iterdir()) == []
