import json
import re
import subprocess
import sys
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from random import Random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from appliance.crash.record import CrashRecord, FoundCrash, LastEnd, read_record
from appliance.records.chain import GENESIS, ChainLink
from firmware.gestures.clock_state import ClockState
from firmware.gestures.hands import Hands
from firmware.journal.export import export
from firmware.journal.recovery import (
    MARK_EVERY_NS,
    MIN_NS,
    SERVED_NS,
    START,
    Anchor,
    Beat,
    CrashMemory,
    Recovered,
    RecoveredMemory,
    journal_end,
    parse_memory,
    record_path,
    recover,
    recover_rows,
)
from firmware.journal.writer import Store, open_journal
from game import events as ev
from game.exact_json import decode
from game.history import History, accept, begin
from records.games import fold
from records.journal import AcceptedMessage, GameStamp, Kind, Mark, Row, last_set_up, reading, row_of, rows_from, rows_of, stop_asked_at
from rules.contact import MS
from rules.rulebooks import load_rulebook
from rules.side import Side
from tests.examples import examples
from tests.firmware.gestures.random_play import BOARDS, RandomPlay
from tests.firmware.gestures.trains import Edge, said
from tests.firmware.journal.short_game import NoSentinel
from tests.firmware.saying import new_game
from tests.some import some

S = 1_000_000_000
PROMISED = 5_000_000
RUNS, EDGES = 40, 120
OURS = 'id = "ours"\ntitle = "Ours"\nsummary = "Twenty"\nextends = "club"\n[regulation]\ntime = "20:00"\nclause = "ours, 1"\n'


def _stamp(at: int, boot: str = "a") -> GameStamp:
    return GameStamp(at, at + 7, boot, f"wall {at}")


def _kept(rows: Iterable[Row]) -> tuple[ChainLink[Row], ...]:
    return tuple(ChainLink(seq, row, GENESIS) for seq, row in enumerate(rows, 1))


def _recovered(rows: Iterable[Row], marked_s: int | None = None, game: int = 1) -> Recovered:
    stamp = _stamp((marked_s or 0) * S)
    mark = None if marked_s is None else Mark(2, GENESIS, stamp.at, stamp.mono, stamp.boot, stamp.wall, game, PROMISED)
    return recover_rows(_kept(rows), mark, load_rulebook)


def _running() -> tuple[History, list[Row]]:
    """Return a game in which left's clock runs from 10 s on, and its rows."""
    history = begin(new_game("naspa-2017"), 0)
    after = accept(history, ev.Press(Side.RIGHT), 10 * S)
    return after, [*rows_of(None, history, 1, _stamp(0)), *rows_of(history, after, 1, _stamp(11 * S))]


def _then(event: ev.GameEvent, at_s: int, boot: str = "a") -> list[Row]:
    history, rows = _running()
    return [*rows, *rows_of(history, accept(history, event, at_s * S), 1, _stamp(at_s * S, boot))]


STOPPED = row_of(Kind.STOPPED, 1, _stamp(15 * S), {})
STARTED = row_of(Kind.BOOT, 1, _stamp(9000 * S, "b"), {"version": "0.1.0"})
RECOVERED = row_of(Kind.RECOVERED, 1, _stamp(15 * S, "b"), {"uncertain_ns": 5})
CONFIRMED = row_of(Kind.CONFIRMED, 1, _stamp(16 * S, "b"), {})


RUNNING = _running()[1]
IN_ORDER = [*RUNNING, STOPPED]


@pytest.mark.parametrize(
    ("rows", "marked_s", "known", "uncertain"),
    [
        (RUNNING, 14, (14, "a", True), MARK_EVERY_NS + PROMISED),
        # While all clocks stand a press may have set one going within the promised delay.
        *((_then(stop, 12), 11, (12, "a", False), PROMISED) for stop in (ev.Neutralise(), ev.Challenge(), ev.OutPlay())),
        # Nothing is uncertain before the first press and after the end.
        (RUNNING[:1], 12, (12, "a", False), 0),
        (_then(ev.End("score agreed"), 12), 12, (12, "a", False), 0),
        # Nothing more is, while an earlier recovery waits for the director's confirmation.
        ([*_then(ev.Neutralise("power cut"), 14, "b"), RECOVERED], 14, (15, "b", False), 0),
        ([*_then(ev.Neutralise("power cut"), 14, "b"), RECOVERED, CONFIRMED], 15, (16, "b", False), PROMISED),
        # A program's start is not on the game's timeline.
        ([*RUNNING, STARTED], 14, (14, "a", True), MARK_EVERY_NS + PROMISED),
        # Nothing is uncertain of what was switched off in order, even if the next start was cut short, until it went on.
        (IN_ORDER, 14, (15, "a", True), 0),
        ([*IN_ORDER, STARTED], 14, (15, "a", True), 0),
        ([*IN_ORDER, _then(ev.Press(Side.LEFT), 16)[-1]], None, (16, "a", True), MARK_EVERY_NS + MIN_NS),
    ],
)
def test_time_is_known_up_to_row_or_mark(rows: list[Row], marked_s: int | None, known: tuple[int, str, bool], uncertain: int) -> None:
    recovered = _recovered(rows, marked_s)
    last_s, boot, clock_ran = known
    assert (recovered.last.at, recovered.last.boot, recovered.clock_ran) == (last_s * S, boot, clock_ran)
    assert recovered.uncertain_ns(_stamp(0, "next")) == uncertain
    # After a restart within the same boot no more than has passed.
    assert recovered.uncertain_ns(_stamp(last_s * S + 3, boot)) == min(3, uncertain)
    assert recovered.switched_off is (rows[: len(IN_ORDER)] == IN_ORDER and marked_s is not None)


def test_the_player_is_charged_up_to_the_mark_of_this_game() -> None:
    recovered = _recovered(RUNNING, 14)
    assert some(recovered.at_last).used_at(Side.LEFT, recovered.last.at) == 4 * S
    assert _recovered(RUNNING, 9000, game=0).last.at == 11 * S - S


def test_a_recovery_is_open_until_it_is_confirmed_and_has_the_wall_time_of_before_the_interruption() -> None:
    unconfirmed = some(_recovered([*RUNNING, RECOVERED], 14).unconfirmed)
    assert unconfirmed.row == RECOVERED
    assert _recovered([*RUNNING, RECOVERED, CONFIRMED]).unconfirmed is None
    again = row_of(Kind.RECOVERED, 1, GameStamp(14 * S, 5, "b", "later"), {"uncertain_ns": 5})
    assert _recovered([*RUNNING, again], 14).last == _stamp(14 * S)


def test_rows_that_the_core_refuses_are_named_and_the_rest_stands_and_a_beginning_that_cannot_be_read_is_reported() -> None:
    history, rows = _running()
    bodies = ('{"do": "arrive", "side": "left"}', '{"do": "dance"}', "no JSON")
    wrong = [
        *(Row("event", 1, number, 12 * S, 0, "a", "", body) for number, body in enumerate(bodies, 3)),
        Row("event", 1, 2, 12 * S, 0, "a", "", '{"do": "undo", "reason": "x"}'),
        Row("taken_back", 1, 99, 12 * S, 0, "a", "", "{}"),
    ]
    recovered = _recovered([*rows, *wrong])
    assert sorted(unfit.seq for unfit in recovered.refused) == [3, 4, 5, 6]
    assert recovered.refused[-1].why == "the event is not in its place"
    assert some(recovered.history).game == history.game
    recovered = _recovered(_running()[1][1:])
    assert (recovered.history, recovered.clock_ran, len(recovered.refused)) == (None, False, 1)


@pytest.mark.parametrize("later", [False, True])
def test_a_game_that_began_or_went_on_under_an_own_rulebook_is_the_same_when_its_file_is_gone(tmp_path: Path, *, later: bool) -> None:
    file = tmp_path / "ours.toml"
    file.write_text(OURS)
    game = begin(new_game("club" if later else str(file)), 0)
    rows = [*rows_of(None, game, 1, _stamp(0))]
    if later:
        changed = accept(game, ev.ChangeRulebook(load_rulebook(str(file)), str(file), "announced late"), S)
        rows += rows_of(game, changed, 1, _stamp(S))
        game = changed
    file.unlink()
    folded = fold(_kept(rows), load_rulebook)
    assert folded.refused == ()
    assert (some(folded.history).game, some(folded.history).event) == (game.game, game.event)
    lines = list(export([_kept(rows)], load_rulebook))
    assert all(f"// {line}" in lines for line in OURS.splitlines())
    saved: list[str] = []
    lines = list(export([_kept(rows)], load_rulebook, save_rulebook=lambda text: saved.append(text) or "ours.toml"))  # type: ignore[func-returns-value]  # of append
    assert (len(saved), ['"rulebook": "ours.toml"' in line for line in lines].index(True)) == (1, int(later))


def test_of_the_messages_of_a_game_the_first_request_to_stop_that_stands_and_the_last_set_up_count() -> None:
    messages: list[AcceptedMessage] = [(at, {"what": what, "setup": {"rulebook": what + str(at)}}) for at, what in enumerate(
        ("stop", "stop", "setup", "clear", "assign", "stop", "setup", "stop"), 3
    )]  # fmt: skip
    assert [stop_asked_at(messages[:count]) for count in (0, 2, 5, 6, 8)] == [None, 3, 3, 8, 8]
    assert [last_set_up(messages[:count]) for count in (2, 6, 8)] == [None, {"rulebook": "setup5"}, {"rulebook": "setup9"}]


def test_a_directors_event_and_a_new_game_are_kept_with_before_and_after_and_an_edge_with_its_own_instant() -> None:
    history, _ = _running()
    undone = accept(history, ev.Undo("slip"), 12 * S)
    fields = decode(rows_of(history, undone, 1, _stamp(13 * S))[0].body)
    assert (fields["do"], fields["event"]) == ("undo", 2)
    assert (fields["before"]["phase"], fields["before"]["left"]["used_ns"], fields["before"]["t"]) == ("running", 2 * S, "12")
    assert (fields["after"]["phase"], fields["after"]["left"]["used_ns"]) == ("ready", 0)
    over = accept(_running()[0], ev.End("score agreed"), 20 * S)
    (row,) = rows_of(over, accept(over, new_game("club"), 30 * S), 2, _stamp(30 * S))
    fields = decode(row.body)
    assert (row.game, row.number) == (2, 1)
    assert (fields["before"]["reason"], fields["after"]["phase"]) == ("score agreed", "ready")
    history, _ = _running()
    (row,) = rows_of(history, accept(history, ev.Press(Side.LEFT), 12 * S), 1, GameStamp(13 * S, 113 * S, "b", "wall"))
    assert (row.at, row.mono) == (12 * S, 112 * S)


class Recorded:
    """A table whose changes become rows one by one, as the live clock records them."""

    def __init__(self, state: ClockState) -> None:
        self.hands = Hands(state, 0, late=0)
        self.rows: list[Row] = []
        self._record: History | None = None
        for link in state.history.oldest_first():
            self._note(link, link.at)

    @property
    def state(self) -> ClockState:
        return self.hands.decided

    def edge(self, one: Edge) -> None:
        self.until(one.at - 1)
        self.hands = self.hands.edge(one.button, one.at, down=one.down)

    def until(self, now: int) -> None:
        self.hands = self.hands.tick(now)
        for at, decided in self.hands.newly_decided:
            self._note(decided.history, at)
        self.hands = self.hands.advanced

    def recovered(self) -> History:
        return some(fold(_kept(self.rows), load_rulebook).history)

    def _note(self, history: History, now: int) -> None:
        if history is self._record:
            return
        if history.before is None:
            self.rows = []
        old = None if history.before is None else self._record
        self.rows += rows_of(old, history, 1, GameStamp(now, now, "boot", "2026-01-01T00:00:00+00:00"))
        self._record = history


@pytest.mark.parametrize("buttons", BOARDS)
def test_a_cut_after_any_edge_gives_back_the_game_as_it_stood(buttons: tuple[str, ...]) -> None:
    play = RandomPlay(Random(1), buttons, longest=12_000 * MS)  # noqa: S311 - no secret
    for _ in range(RUNS):
        clock = Recorded(play.begun())
        for count, one in enumerate(islice(play.edges(), EDGES)):
            clock.edge(one)
            if count % 20 == 0:
                assert said(clock.recovered()) == said(clock.state.history)


BOOT = "this boot"
NOW = GameStamp(100 * S, 100 * S, BOOT, "2026-07-03T10:20:40+00:00")
Puts = list[tuple[Row, ...]]


def _stamped(at: int) -> GameStamp:
    return GameStamp(at, at, BOOT, "2026-07-03T10:20:00.250+00:00")


def _game() -> tuple[History, Puts]:
    """Return a game of four events, each in a put of its own: left runs from 5 s, right from 20 s, left again from 30 s."""
    history = begin(new_game("naspa-2017"), 0)
    puts = [rows_of(None, history, 1, _stamped(0))]
    for at, side in ((5 * S, Side.RIGHT), (20 * S, Side.LEFT), (30 * S, Side.RIGHT)):
        after = accept(history, ev.Press(side), at)
        puts.append(rows_of(history, after, 1, _stamped(at)))
        history = after
    return history, puts


RECORD, PUTS = _game()


def _append(path: Path, puts: Puts) -> Path:
    store = Store(open_journal(path).path)
    for rows in puts:
        store.append(rows, None)
    store.close()
    return path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return _append(tmp_path / "journal.db", PUTS)


def _recovered_with(path: Path, memory: RecoveredMemory | None) -> Recovered:
    return some(recover(path, load_rulebook, memory))


def _beat(at: int, *, due: int | None = None, asleep: bool = True, game: int = 1) -> Beat:
    return Beat(_stamped(at), game, due, asleep)


@pytest.mark.parametrize(("later", "comes"), [(1, True), (0, False)])
def test_what_was_undecided_at_a_crash_comes_back_unless_it_has_been_decided_since(tmp_path: Path, later: int, *, comes: bool) -> None:
    # An event that was recorded after the last beat has the number of one that was undecided in it.
    newest = max((row for rows in PUTS for row in rows if row.number is not None), key=lambda row: (row.game, row.number))
    undecided = replace(newest, number=some(newest.number) + later)
    left = some(_left(tmp_path / "a", START, replace(_beat(31 * S, due=32 * S), undecided=(undecided,))))
    recovered = _recovered_with(_append(tmp_path / "journal.db", PUTS[:2]), left)
    rows = [row for rows in some(recovered.memory).batches for row in rows]
    assert rows == [row for rows in PUTS[2:] for row in rows] + ([undecided] if comes else [])


def _crash_memory(path: Path, lost: list[OSError]) -> CrashMemory:
    memory = CrashMemory(CrashRecord(path, NoSentinel), lost.append)
    memory.settle()
    return memory


def _left(path: Path, anchor: Anchor, beat: Beat) -> RecoveredMemory | None:
    lost: list[OSError] = []
    memory = _crash_memory(path, lost)
    for place, rows in enumerate(PUTS):
        memory.put(rows, anchor, afresh=place == 0)
    memory.beat(beat)
    memory.close(keep=True)
    assert not lost
    return parse_memory(read_record(path), BOOT)


def test_what_was_written_is_read_again_and_a_full_memory_ends_the_record_and_not_the_clock(tmp_path: Path) -> None:
    anchor, beat = Anchor(3, "head", 2), _beat(31 * S, due=32 * S)
    assert _left(tmp_path / "a", anchor, beat) == RecoveredMemory(tuple(PUTS), anchor, beat, None)
    lost: list[OSError] = []
    memory = _crash_memory(tmp_path / "a", lost)
    memory.beat(Beat(GameStamp(0, 0, "b" * 5000, ""), 1, None, asleep=True))
    memory.beat(_beat(1))
    memory.put((), None, afresh=True)
    memory.close(keep=True)
    assert len(lost) == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("written", range(5))
def test_rows_that_were_not_on_the_disk_come_back_in_order_and_those_that_were_come_once(tmp_path: Path, written: int) -> None:
    path = _append(tmp_path / "journal.db", PUTS[:written])
    recovered = _recovered_with(path, _left(tmp_path / "a", START, _beat(31 * S, due=32 * S)))
    assert some(recovered.memory).batches == tuple(PUTS[written:])
    assert [(link.number, link.at, link.event) for link in some(recovered.history)] == [
        (link.number, link.at, link.event) for link in RECORD
    ]


def test_time_is_known_up_to_the_programs_end_and_games_are_numbered_as_in_the_journal_they_were_written_to(path: Path) -> None:
    end = LastEnd(31 * S + 7, 31 * S + 9)
    recovered = _recovered_with(path, RecoveredMemory(tuple(PUTS), START, _beat(31 * S, due=32 * S), end))
    assert (recovered.last.at, recovered.last.mono, recovered.uncertain_ns(NOW)) == (31 * S + 7, 31 * S + 7, 0)
    assert some(recovered.history).game_at(recovered.last.at).used_at(Side.LEFT, recovered.last.at) == 15 * S + S + 7
    last = some(journal_end(path))
    recovered = _recovered_with(path, RecoveredMemory(tuple(PUTS), Anchor(last.seq, last.head, 1), _beat(31 * S), None))
    assert (recovered.game, some(some(recovered.memory).beat).game) == (2, 2)
    assert recovered.last.at == 31 * S


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
        # A beat of another game says nothing about this one.
        (_beat(90 * S, game=2), None, 30 * S, 70 * S),
        # No end before a sign of life: the kernel's counts are not to be believed.
        (_beat(31 * S, due=32 * S), LastEnd(30 * S, 32 * S), 31 * S, S),
    ],
)
def test_the_player_is_charged_up_to_the_last_sign(path: Path, beat: Beat | None, end: LastEnd | None, known: int, missing: int) -> None:
    recovered = _recovered_with(path, RecoveredMemory(tuple(PUTS), START, beat, end))
    assert (recovered.last.at, recovered.uncertain_ns(NOW)) == (known, missing)


def test_memory_of_another_journal_or_one_that_went_on_is_not_believed(path: Path) -> None:
    other = (rows_of(None, begin(new_game("club"), 1), 1, _stamped(1)),)
    end = some(journal_end(path))
    for memory in (
        RecoveredMemory(other, START, None, None),
        RecoveredMemory(other, Anchor(end.seq, "another head"), None, None),
        RecoveredMemory(other, Anchor(99, end.head), None, None),
        RecoveredMemory(tuple(PUTS[:2]), START, _beat(90 * S), LastEnd(91 * S, 91 * S)),
    ):
        with reading(path) as connection:
            assert memory.not_in_journal(connection) is None
        recovered = _recovered_with(path, memory)
        assert (recovered.memory, recovered.last.at) == (None, 30 * S)


@pytest.mark.parametrize("written", [True, False])
def test_a_game_that_was_played_before_the_journal_could_be_opened_comes_after_those_in_it(tmp_path: Path, *, written: bool) -> None:
    def moved(row: Row, by: int, game: int) -> Row:
        return Row(row.kind, game, row.number, row.at, row.mono + by, row.boot, row.wall, row.body)

    path = _append(tmp_path / "journal.db", [tuple(moved(row, 1, 1) for row in rows) for rows in PUTS])
    if written:
        _append(path, [tuple(moved(row, 0, 2) for rows in PUTS for row in rows)])
    with reading(path) as connection:
        beyond = RecoveredMemory(tuple(PUTS), None, _beat(31 * S), None).not_in_journal(connection)
        count = len(list(rows_from(connection, 1)))
    assert beyond is not None
    assert count == (8 if written else 4)
    assert {row.game for rows in beyond.batches for row in rows} == (set() if written else {2})
    assert some(beyond.beat).game == 2


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5), lambda inner: st.lists(inner, max_size=9), max_leaves=20
)


@given(st.none() | JSON | st.binary(max_size=30), st.lists(JSON | st.binary(max_size=30), max_size=3))
def test_whatever_stands_in_a_record_raises_nothing(note: object, entries: list[object]) -> None:
    def raw(value: object) -> bytes:
        return value if isinstance(value, bytes) else json.dumps(value).encode()

    left = parse_memory(FoundCrash(None if note is None else raw(note), tuple(map(raw, entries)), None), BOOT)
    assert left is None or isinstance(left, RecoveredMemory)


def test_each_journal_and_boot_has_its_record(tmp_path: Path) -> None:
    assert len({record_path(tmp_path, tmp_path / journal, boot) for journal in ("a", "b") for boot in ("1", "2")}) == 4
    beat = Beat(GameStamp(1, 2, BOOT, ""), 1, None, asleep=True)
    for boot, believed in ((BOOT, True), ("another boot", False)):
        assert (parse_memory(FoundCrash(msgspec.json.encode(beat), (), None), boot) is not None) is believed
    assert parse_memory(None, BOOT) is None


KILLS = Path(__file__).parents[2] / "benchmarks" / "kills.py"
CLOCK_KILLS = KILLS.with_name("clock_kills.py")


@pytest.mark.waits(3)
def test_after_kills_at_random_instants_no_durable_row_is_lost_and_every_journal_is_whole() -> None:
    kills = examples(64)
    done = subprocess.run([sys.executable, KILLS, str(kills)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    found = some(re.match(rf"{kills} kills, (\d+) rows said to be durable, (\d+) there, none lost", done.stdout))
    assert 0 < int(found[1]) <= int(found[2])


@pytest.mark.waits(8)
def test_after_kills_of_a_whole_clock_no_less_is_stated_than_is_missing_and_no_row_is_lost() -> None:
    kills = examples(64)
    done = subprocess.run([sys.executable, CLOCK_KILLS, str(kills), "--at-once", "3"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    # Above the figures stands what the clocks logged: late marks, on a busy machine.
    found = re.search(rf"(?m)^{kills} kills, (\d+) while a clock ran: .*; (\d+) exact", done.stdout)
    assert found is not None, done.stdout
    # On a machine that keeps its programs waiting for seconds some are not; what is stated covers it then.
    assert int(found[1]) > 0
    assert int(found[2]) > 0
