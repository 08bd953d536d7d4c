"""What the clock starts with: whose rulebook, how far it is recorded, whether power was lost or the clock switched off, and what is lost."""

import re
from pathlib import Path

import pytest

from appliance.crash.record import LastEnd
from firmware.gestures.clock_state import ClockState
from firmware.journal.memory import Beat, RecoveredMemory
from firmware.journal.recovery import journal_end
from firmware.journal.store import MIN_NS, open_journal
from firmware.journal.writer import JournalRecorder, JournalWriter, stamped
from firmware.menu.setup import Setup
from firmware.settings.places import merge
from firmware.shell.assemble import setup_of
from firmware.shell.notices import Notices
from firmware.shell.resume import Start, start
from game import events as ev
from game.game import Phase
from game.journal.row import Kind, row_of
from game.record import Record, accept, begin
from rules.rulebooks import load_rulebook
from rules.side import BySide, Side
from tests.firmware.shell.rig import Hand, measured

S = 1_000_000_000
OURS = 'id = "ours"\ntitle = "Ours"\nsummary = "Short"\nextends = "club"\n[regulation]\ntime = "{minutes}:00"\nclause = "ours, 1"\n'
SHIPPED = "naspa-2017"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return open_journal(tmp_path / "journal.db").path


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "ours.toml"
    file.write_text(OURS.format(minutes=10))
    return file


def _setup(board: str = "full") -> Setup:
    return setup_of(merge([("test", {"board.file": board})]).settings)


def _new_game(named: str = SHIPPED) -> ev.NewGame:
    return ev.NewGame(load_rulebook(named), named, BySide(None, None))


def _hand(second: int = 0, boot: str = "first boot") -> Hand:
    return Hand(second * S, lambda: f"2026-07-03T12:20:{second % 60:02d}.250+02:00", boot)


def _play(path: Path, *records: Record, frozen: int | None = None, stops_at: int | None = None, marked_at: int | None = None) -> None:
    """Keep each record at its latest instant, then perhaps a mark and an end in order."""
    hand = _hand()
    writer = JournalWriter(path, lambda progress: None)
    keeper = JournalRecorder(writer, hand.clocks(), 0, None)
    for record in records:
        now = record.at
        keeper = _at(keeper, writer, now)
        keeper.record(ClockState(record, _setup()), now)
    last = ClockState(records[-1], _setup(), frozen=frozen)
    if marked_at is not None:
        _at(keeper, writer, marked_at).mark(last, marked_at, counting=True)
    if stops_at is not None:
        _at(keeper, writer, stops_at).stop(last, stops_at)
    assert writer.close(30)


def _at(keeper: JournalRecorder, writer: JournalWriter, now: int) -> JournalRecorder:
    """Return a keeper that goes on from ``keeper`` with the wall clock of ``now``."""
    return JournalRecorder(writer, _hand(now // S).clocks(), keeper._game, keeper._recorded)


def _started(path: Path, new_game: ev.NewGame | None = None) -> Start:
    return start(path, _setup(), new_game or _new_game(), stamped(_hand(50, "second boot").clocks(), 50 * S, 50 * S))


def _running(named: str = SHIPPED) -> tuple[Record, Record]:
    record = begin(_new_game(named), 0)
    return record, accept(record, ev.Press(Side.RIGHT), 5 * S)


def _notice(begun: Start, board: str = "full") -> str:
    notices = Notices(
        _setup(board).texts,
        recovered_s=None if begun.uncertain_ns is None else -(-begun.uncertain_ns // S),
        recovered_until=begun.recorded_until,
        switched_off=begun.switched_off,
        restarted=begun.restarted,
        clocks_stopped=begun.clocks_stopped,
        lost=begun.lost,
    )
    (said,) = notices.lines(ClockState(begun.tables[-1].record, _setup(board)))
    return said


@pytest.mark.parametrize("later", [OURS.format(minutes=5), "no TOML", None])
def test_a_game_comes_back_under_the_rulebook_it_was_played_by_whatever_became_of_the_file_before_it_was_kept(
    path: Path, file: Path, later: str | None
) -> None:
    played = _running(str(file))
    file.unlink() if later is None else file.write_text(later)
    _play(path, *played)
    begun = _started(path)
    assert begun.lost is None
    assert begun.tables[-1].record.game.rulebook.regulation_ns == 600 * S
    assert begun.recorded is not None
    assert [link.event for link in begun.recorded if link.before is None] == [played[0].event]


def test_an_untouched_game_gives_way_when_the_own_rulebook_it_was_set_up_with_has_been_edited(path: Path, file: Path) -> None:
    _play(path, _running(str(file))[0])
    assert len(_started(path, _new_game(str(file))).tables) == 1
    file.write_text(OURS.format(minutes=5))
    ended, fresh = _started(path, _new_game(str(file))).tables
    assert (ended.record.game.phase, fresh.record.game.rulebook.regulation_ns) == (Phase.OVER, 300 * S)


def test_a_game_whose_beginning_cannot_be_read_is_said_and_the_next_one_counts_on(path: Path) -> None:
    writer = JournalWriter(path, lambda progress: None)
    gone = {"do": "new_game", "edition": 4, "rulebook": "gone.toml"}
    writer.put((row_of(Kind.EVENT, 3, stamped(_hand().clocks(), 0, 0), gone, number=1),))
    assert writer.close(30)
    begun = _started(path)
    assert (begun.game, begun.tables[-1].record.game.phase, begun.uncertain_ns) == (3, Phase.READY, None)
    assert _notice(begun) == (
        "Game 3 could not be brought back: its beginning cannot be read. It is kept; `tileclock journal list` says why"
    )


def test_after_a_power_cut_the_last_recorded_time_of_day_is_said_and_a_bound_that_holds_only_if_it_was_recorded(path: Path) -> None:
    _play(path, *_running(), marked_at=6 * S)
    begun = _started(path)
    assert (begun.recorded_until, begun.switched_off) == ("10:20:06", False)
    # A second between two marks, and the last commit: rounded up.
    assert re.match(r"POWER WAS LOST\. Recorded to 10:20:06 UTC; if recording, up to [12]\xa0s missing\. ", _notice(begun))
    assert begun.tables[-1].record.game.reason == "power cut"


@pytest.mark.parametrize(("board", "how"), [("full", "key on"), ("two-button", "both buttons 5\xa0s")])
def test_after_a_power_cut_in_a_stop_no_seconds_are_said_to_be_missing_but_perhaps_a_press(path: Path, board: str, how: str) -> None:
    ready, running = _running()
    _play(measured(path), ready, running, accept(running, ev.Neutralise(), 7 * S))
    begun = _started(path)
    assert begun.uncertain_ns is not None
    assert begun.uncertain_ns == MIN_NS
    assert begun.note is not None
    assert begun.note["uncertain_ns"] == begun.uncertain_ns
    assert _notice(begun, board) == (
        f"POWER WAS LOST, clocks stopped. Recorded to 10:20:07 UTC; if recording, at most a press missing. Director: {how}, confirm the times"
    )


RESTARTS = [
    (
        LastEnd(8 * S, 8 * S),
        8,
        0,
        "THE PROGRAM RESTARTED at 10:20:08 UTC. No time is missing, at most a press of the last 4\xa0s. Director: {how}, confirm the times",
    ),
    (
        LastEnd(None, 8 * S),
        7,
        S,
        "THE PROGRAM RESTARTED. Time is known to 10:20:07 UTC; up to 1\xa0s missing. Director: {how}, confirm the times",
    ),
    (None, 7, 43 * S, "THE PROGRAM RESTARTED. Time is known to 10:20:07 UTC; up to 43\xa0s missing. Director: {how}, confirm the times"),
]


@pytest.mark.parametrize(("end", "known_s", "missing", "said"), RESTARTS)
def test_a_program_that_crashed_is_no_power_cut_and_time_is_known_up_to_its_end(
    path: Path, end: LastEnd | None, known_s: int, missing: int, said: str
) -> None:
    _play(path, *_running(), marked_at=6 * S)
    beat = Beat(stamped(_hand(7).clocks(), 7 * S, 7 * S), 1, 8 * S, asleep=True)
    stamp = stamped(_hand(50).clocks(), 50 * S, 50 * S)
    begun = start(path, _setup(), _new_game(), stamp, RecoveredMemory((), journal_end(path), beat, end))
    assert (begun.uncertain_ns, begun.restarted, begun.switched_off) == (missing, True, False)
    table = begun.tables[-1]
    assert (table.record.game.phase, table.record.game.reason, table.frozen) == (Phase.NEUTRAL, "program restarted", known_s * S)
    assert table.game_at(60 * S).used.left == (known_s - 5) * S
    assert _notice(begun) == said.format(how="key on")
    assert _notice(begun, "two-button") == said.format(how="both buttons 5\xa0s")


def test_a_program_that_crashed_in_a_stop_and_left_nothing_in_memory_may_have_lost_a_press(path: Path) -> None:
    ready, running = _running()
    _play(path, ready, running, accept(running, ev.Neutralise(), 7 * S))
    begun = start(path, _setup(), _new_game(), stamped(_hand(50).clocks(), 50 * S, 50 * S))
    assert _notice(begun) == (
        "THE PROGRAM RESTARTED, clocks stopped. Known to 10:20:07 UTC; at most a press missing. Director: key on, confirm the times"
    )


@pytest.mark.parametrize(("board", "how"), [("full", "key on"), ("two-button", "both buttons 5\xa0s")])
def test_a_clock_that_was_switched_off_in_order_misses_nothing_and_speaks_of_no_power_cut(path: Path, board: str, how: str) -> None:
    _play(path, *_running(), marked_at=6 * S, stops_at=9 * S)
    begun = _started(path)
    assert (begun.uncertain_ns, begun.switched_off, begun.recorded_until) == (0, True, "10:20:09")
    table = begun.tables[-1]
    assert (table.record.game.phase, table.record.game.reason, table.frozen) == (Phase.NEUTRAL, "clock switched off", 9 * S)
    assert table.game_at(60 * S).used.left == 4 * S
    assert _notice(begun, board) == f"SWITCHED OFF at 10:20:09 UTC, nothing is missing. Director: {how}, confirm the times"


def test_switching_off_while_the_times_are_unconfirmed_makes_nothing_more_certain(path: Path) -> None:
    _play(path, *_running(), marked_at=6 * S)
    begun = _started(path)
    writer = JournalWriter(path, lambda progress: None)
    hand = _hand(50, "second boot")
    keeper = JournalRecorder(writer, hand.clocks(), begun.game, begun.recorded)
    keeper.record(begun.tables[-1], hand.now)
    keeper.note(Kind.RECOVERED, begun.tables[-1], hand.now, begun.note or {})
    keeper.stop(begun.tables[-1], hand.now)
    assert writer.close(30)
    again = _started(path)
    assert (again.uncertain_ns, again.recorded_until, again.switched_off) == (begun.uncertain_ns, "10:20:06", False)
    assert again.tables[-1].record.game.reason == "power cut"
