"""Tiles: what the desk shows of each table is what its clock shows, also through a freeze; and who has to be helped first."""

import json
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any, Final, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.records.chain import covered
from appliance.version import VERSION
from firmware.gestures.clock_state import ClockState
from firmware.hall.report import clock_report
from firmware.menu.setup import Setup
from firmware.texts import load_texts
from game.event_table import BY_NAME
from game.events import Call, End, Hold, Neutralise, NewGame, OutPlay, Release, Result, Resume, StartWindow, Undo
from game.game import Phase
from game.history import History, accept, begin
from game.script import show_line
from game.table import NO_NAMES, Assignment
from hall.desk.tiles.device import StorageWords, amount, device_tiles, station_tiles, storage_words
from hall.desk.tiles.folded import FloorPosition, FoldedGame, TableSeat, agrees, assigned, folded, of_game, seats_of
from hall.desk.tiles.history import _SENTENCES, TurnUse, history, turns, turns_now
from hall.desk.tiles.round import _STARTED, RoundView, player_names, round_view, unfinished
from hall.desk.tiles.table import Known, TableTile, table_tile, weak_power
from hall.desk.web.pages import tile_reading
from hall.desk.web.public import public_tile
from hall.event.model import BYE, Event, Pairing, Player, TableAssignment, TablePlace
from hall.picture import Exchange, Offsets, Rate, RemoteDevice
from hall.status import phase_words
from hall.store.events import StoredEvent
from hall.store.store import stored_rows
from records.journal import GameStamp, Kind, Row, row_of, rows_of
from rules.duration import reading
from rules.rulebooks import DEFAULT_RULEBOOK, load_rulebook
from rules.side import BySide, Side
from tests.cells import each_cell
from tests.examples import examples
from tests.firmware.random_games import Played, played
from tests.firmware.saying import play
from tests.hall.desk.trial_hall import NS, TrialHall
from tests.hall.reporting import Device
from tests.some import some
from wire.reports import CardHealth, ClockReport, DeviceBeat, NamedLexicon, OpenCall, Presence, StationReport, WireRow
from wire.reports import Phase as WirePhase

SETUP = Setup(two_button=False, rulebooks=(), texts=load_texts("en"), reasons={})
PLACE = Assignment(12, BySide("Ann", "Bo"))
RESULT = Result(BySide(412, 389), False, BySide(412, 389), BySide(0, 7), BySide("", ""))
STAMP: dict[str, Any] = {"boot": "boot", "nonce": "0e" * 16, "epoch": "0011223344556677"}


class Journal:
    def __init__(self, offset: int) -> None:
        self.offset = offset
        self.rows: list[WireRow] = []
        self._record: History | None = None

    def take(self, history: History, at: int) -> FoldedGame:
        before, self._record = self._record, history
        return self.add(*rows_of(before, history, 1, self.stamp(at)))

    def stamp(self, at: int) -> GameStamp:
        return GameStamp(at, at - self.offset, "boot", "2026-01-01T00:00:00.000+00:00")

    def add(self, *rows: Row) -> FoldedGame:
        for seq, row in enumerate(rows, len(self.rows) + 1):
            self.rows.append((f"{seq:064x}", json.loads(json.dumps(covered(seq, row)))))
        return some(folded(tuple(stored_rows(self.rows))))


def records(game: Played) -> Iterator[tuple[History, int]]:
    beginning, script = game
    history = begin(beginning, 0)
    yield history, 0
    for line in script:
        history = accept(history, line.event, line.at)
        yield history, line.at


def steps(game: Played, restarted: int) -> Iterator[tuple[FoldedGame, ClockState, int]]:
    """Yield after each event what the desk has folded, the clock, and the instant of the clock's machine (ns)."""
    journal = Journal(restarted)
    for link, at in records(game):
        yield journal.take(link, at), ClockState(link, SETUP, offset=restarted), at - restarted


@given(played(), st.integers(-(10**14), 10**14), st.integers(-(10**13), 10**13), st.integers(0, 2000 * NS))
@settings(max_examples=examples(600), deadline=None)
def test_desk_and_clock_have_one_face(game: Played, restarted: int, apart: int, later: int) -> None:
    for seen, clock, hands in steps(game, restarted):
        for now in (hands, hands + later):
            own, instant = clock.game_at(now), clock.instant(now)
            desk = some(seen.at(now))
            assert show_line(desk, seen.instant(now), "") == show_line(own, instant, "")
            assert some(of_game(seen, now)).since <= now
            device = device_of(clock, now, apart)
            # A report is of the instant at which a change is seen, also one without an event.
            assert agrees(seen, some(device.clock))
            shown = table_tile(device, Known(seen), now + apart)
            # A remote clock never shows more than it knows: here its machine's time is known exactly.
            assert {side: tile_reading(shown, side, now + apart) for side in Side} == {
                side: reading(own.remaining(side, instant)) for side in Side
            }
            assert shown.phase == own.phase.value
            assert all(some(shown.sides).of(side).penalty == own.penalty(side, instant) for side in Side)
            # Also of a clock whose report the desk does not have.
            device.clock = None
            assert table_tile(device, Known(seen), now + apart).phase == own.phase.value


def test_after_a_power_cut_the_times_stand_until_they_are_confirmed_unless_no_game_goes_on() -> None:
    for lines, stands in (((), None), (("0 press right",), 60 * NS), (("0 press right", "4 end reason=x"), None)):
        journal = Journal(7 * NS)
        journal.take(play("naspa-2017", *lines).history, 5 * NS)
        found = [journal.add(row_of(kind, 1, journal.stamp(60 * NS), {})).frozen for kind in (Kind.RECOVERED, Kind.CONFIRMED)]
        assert found == [stands, None]


@given(played(), st.integers(-(10**14), 10**14), st.integers(-(10**13), 10**13), st.integers(0, 2000 * NS))
@settings(max_examples=examples(200), deadline=None)
def test_the_turns_of_a_side_make_up_what_its_clock_has_used(game: Played, restarted: int, apart: int, later: int) -> None:
    for seen, clock, hands in steps(game, restarted):
        for now in (hands, hands + later):
            bars = turns_now(seen, device_of(clock, now, apart), now + apart)
            own, instant = clock.game_at(now), clock.instant(now)
            assert {side: sum(bar.used for bar in bars if bar.side is side) for side in Side} == {
                side: own.used_at(side, instant) for side in Side
            }
            assert all(bar.used >= 0 for bar in bars)


@given(played(), st.integers(1, 10**9))
@settings(max_examples=examples(100), deadline=None)
def test_rows_that_say_something_else_than_the_clock_are_noticed(game: Played, more: int) -> None:
    journal, last = Journal(0), None
    for link, at in records(game):
        seen, last = journal.take(link, at), (link, at)
    link, at = some(last)
    report = some(device_of(ClockState(link, SETUP), at, 0).clock)
    lying = report.model_copy(update={"left": report.left.model_copy(update={"remaining_ns": report.left.remaining_ns + more})})
    assert not agrees(seen, lying)
    assert agrees(seen, report)


def device_of(clock: ClockState, now: int, apart: int) -> RemoteDevice:
    """Return a device that has just reported; its machine's time lies ``apart`` (ns) from the listener's."""
    here = now + apart
    device = RemoteDevice("c-aaaaaaaaaaaaaaaa", here)
    device.clock = clock_report(clock, PLACE, 1, now, **STAMP)
    device.beat_at = here
    device.offsets = Offsets("boot", (Exchange(apart, 0, here),))
    return device


class Time:
    now = 1_000_000 * NS


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def hall(tmp_path: Path, time: Time) -> TrialHall:
    hall = TrialHall(tmp_path, 1, lambda: time.now)
    hall.begin(1, ago_s=60)
    return hall


def tile(hall: TrialHall) -> TableTile:
    hall.beat_all()
    hall.desk.changes(hall.now())
    return some(hall.desk.tile("1"))


def test_time_alone_changes_a_tile_and_nothing_else_does(tmp_path: Path, time: Time) -> None:
    hall = TrialHall(tmp_path, 3, lambda: time.now)
    hall.begin(1, ago_s=1498)
    hall.begin(2, ago_s=40)
    hall.say(2, Hold(), 20)
    hall.beat_all()
    found = []
    for _ in range(18):
        found.append(len(hall.desk.changes(time.now)[0].get("tiles", ())))
        time.now += NS
    # Both that have begun, the overtime of the first 3 s later, and all when none has been heard for more than 15 s.
    assert found == [2, 0, 0, 1, *[0] * 12, 3, 0]


def wants(hall: TrialHall) -> list[str]:
    return [need.words for need in tile(hall).needs]


def warnings(hall: TrialHall) -> list[str]:
    tile(hall)
    return [each.text for each in hall.desk.warnings]


def shown_history(hall: TrialHall, names: BySide[str] = NO_NAMES) -> list[str]:
    game = some(hall.desk.game(tile(hall)))
    return [f"{line.what}{line.row.fate and f' ({line.row.fate})'}" for line in history(game, names)]


def test_a_clock_that_stops_itself_is_frozen_by_the_desk_and_nobody_has_called(hall: TrialHall, time: Time) -> None:
    hall.order(1, "stop", hard=True)
    assert (tile(hall).doing, tile(hall).frozen, wants(hall)) == ("frozen by the desk", True, [])
    assert public_tile(tile(hall))["doing"] == ["stopped", {}]
    assert shown_history(hall)[-2:] == ["Frozen by the desk", "Freeze from desk-1: “Fire alarm”"]
    time.now += 600 * NS
    assert wants(hall) == []
    # A call is one, also of a table that is frozen.
    hall.say(1, Call(on=True))
    assert (tile(hall).doing, wants(hall)) == ("frozen by the desk", ["calls the director"])


def test_after_the_freeze_a_clock_that_stays_stopped_is_a_need(hall: TrialHall, time: Time) -> None:
    hall.order(1, "stop", hard=True)
    time.now += 600 * NS
    hall.order(1, "clear")
    assert (tile(hall).freeze, wants(hall)) == (None, [])
    assert shown_history(hall)[-1] == "Freeze and notice taken back by desk-1"
    time.now += 121 * NS
    assert wants(hall) == ["not started again after the freeze"]
    hall.say(1, Resume(Side.LEFT))
    assert (tile(hall).doing, wants(hall)) == ("plays", [])
    # Another stop is the players' own.
    hall.say(1, Neutralise("spilled tiles"))
    assert tile(hall).doing == "stopped: spilled tiles"


def test_players_who_are_asked_are_a_need_until_they_stop_their_clock(hall: TrialHall, time: Time) -> None:
    hall.order(1, "stop")
    assert (tile(hall).doing, wants(hall)) == ("plays", [])
    time.now += 11 * NS
    assert wants(hall) == ["asked to stop, still running"]
    hall.say(1, Neutralise(None))
    time.now += 600 * NS
    assert (tile(hall).doing, wants(hall)) == ("frozen by its players", [])


def test_every_page_says_how_many_a_freeze_has_stopped(hall: TrialHall) -> None:
    assert warnings(hall) == []
    hall.order(1, "stop", 90)
    assert warnings(hall) == ["Freeze (Fire alarm): 0 frozen, 1 still running."]
    hall.say(1, Neutralise(None))
    assert warnings(hall) == ["Freeze (Fire alarm): 1 frozen, 0 still running."]
    # 1,000,000 s after the first day began, less 90 s.
    assert [each.since for each in hall.desk.warnings] == ["2026-01-12T13:45:10+00:00"]
    assert hall.desk.warnings[0].links == ((f"/orders/{'0' * 32}", "Show"), ("/notices?do=clear", "Take back"))
    # A second order for the same freeze changes neither.
    hall.order(1, "stop", 5)
    tile(hall)
    assert [each.since for each in hall.desk.warnings] == ["2026-01-12T13:45:10+00:00"]
    hall.order(1, "clear")
    assert warnings(hall) == []


def test_a_freeze_of_games_that_are_over_can_be_taken_back_from_every_page(hall: TrialHall) -> None:
    hall.say(1, End("x"), 30)
    hall.order(1, "stop", 20)
    assert warnings(hall) == ["Freeze (Fire alarm): the game is over at each of its tables."]
    assert hall.desk.warnings[0].links == ((f"/orders/{'0' * 32}", "Show"), ("/notices?do=clear", "Take back"))
    # The next game of a clock is not asked to stop.
    hall.begin(1)
    assert warnings(hall) == []
    hall.say(1, End("x"))
    hall.order(1, "stop")
    hall.order(1, "clear")
    assert warnings(hall) == []


def test_a_freeze_without_words_is_quoted_nowhere(hall: TrialHall) -> None:
    hall.order(1, "stop", text="")
    assert (warnings(hall), shown_history(hall)[-1]) == (["Freeze: 0 frozen, 1 still running."], "Freeze from desk-1")


def test_a_clock_that_stood_before_keeps_its_reason(hall: TrialHall, time: Time) -> None:
    hall.say(1, Neutralise("spilled tiles"), 30)
    hall.order(1, "stop")
    time.now += 600 * NS
    assert (tile(hall).doing, wants(hall)) == ("stopped: spilled tiles", [])
    hall.order(1, "clear")
    assert wants(hall) == ["stopped: spilled tiles"]


def test_a_call_counts_from_the_clocks_own_instant_if_it_has_run_since(hall: TrialHall, time: Time) -> None:
    hall.say(1, Call(on=True), 7)
    clock = hall.clocks[1]
    for boot, ago_s in (("boot", 9), ("another", 7)):
        clock.device.call = OpenCall(boot=boot, since=time.now - 9 * NS - clock.offset, table=1)
        assert [time.now - some(need.since) for need in tile(hall).needs] == [ago_s * NS]


def test_before_the_rows_come_a_clock_that_stops_itself_only_stands(hall: TrialHall) -> None:
    clock = hall.clocks[1]
    hall.say(1, Neutralise("director called"))
    assert clock.device.clock is not None
    # The report of a later event, whose rows are still on their way.
    clock.device.clock = clock.device.clock.model_copy(update={"number": 9, "freeze": "hard"})
    assert tile(hall).doing == "stopped"
    clock.device.clock = clock.device.clock.model_copy(update={"called": True})
    assert tile(hall).doing == "stopped: director called"


@pytest.mark.parametrize(
    ("names", "events", "shown"),
    [
        (
            BySide("Ann", ""),
            ((40, Hold()), (30, Neutralise("spilled tiles")), (20, Resume(Side.LEFT))),
            ["Hold by Ann (left)", "Clock of Ann (left) stopped: spilled tiles", "Clock of Ann (left) started"],
        ),
        (
            BySide("Ann", "Bo"),
            ((40, Hold()), (35, Release()), (30, Hold()), (20, OutPlay()), (10, Release())),
            ["Hold by Ann (left)", "Hold released", "Hold by Ann (left)", "Out play by Ann (left)", "Out play accepted by Bo (right)"],
        ),
        (
            NO_NAMES,
            ((40, StartWindow("missed_press", ago=10 * NS)), (30, StartWindow("between_rounds", length=300 * NS))),
            ["Time frame: missed_press, 10 s ago", "Time frame: between_rounds, 300 s"],
        ),
        (NO_NAMES, ((40, Call(on=True)), (30, Call(on=False))), ["Director called", "Call answered"]),
        (
            NO_NAMES,
            ((40, End("x")), (30, RESULT), (20, Call(on=True, disputes=True)), (10, Call(on=False))),
            ["Game ended: x", "result signed by both: left 412, right 389", "Result disputed by a player", "Call answered"],
        ),
        (BySide("Ann", ""), ((40, Hold()), (30, Undo("a slip", 3))), ["Hold by Ann (left) (struck by event 4)", "Undone: event 3: a slip"]),
    ],
    ids=["stop", "out play", "time frames", "call", "dispute", "undo"],
)
def test_each_event_says_whose_it_was(hall: TrialHall, names: BySide[str], events: tuple[tuple[int, Any], ...], shown: list[str]) -> None:
    for ago_s, event in events:
        hall.say(1, event, ago_s)
    assert shown_history(hall, names)[2:] == shown


def test_each_event_has_a_sentence_and_only_the_rows_of_a_verdict_and_a_result_are_one_already() -> None:
    assert _SENTENCES.keys() == BY_NAME.keys() - {"verdict", "result"}


def test_a_new_game_says_the_times_that_are_not_its_rulebooks(hall: TrialHall) -> None:
    hall.begin(1, left_s=1200)
    assert shown_history(hall)[0] == "New game: naspa-2017, left 20:00"


@pytest.mark.parametrize(
    ("lines", "used"),
    [
        (("0 press right", "11.2 hold", "13.8 press left", "20 press right"), "left 13.8, right 6.2, left 10"),
        (("0 press right", "11.2 hold", "12 release", "12.5 hold", "13.8 press left"), "left 13.8, right 16.2"),
        (("0 press right", "4 hold", "5 neutralise reason=x", "9 resume left", "10 release"), "left 26"),
        (("0 press right", "4 hold", "5 challenge", "9 verdict acceptable=false", "10 press right"), "left 25"),
        (("0 press right", "4 call on=true", "5 neutralise reason=x", "6 decide right", "8 press right"), "left 5, right 2, left 22"),
        (("0 press right", "7 press left", "7 press right"), "left 7, right 0, left 23"),
        (("0 press right", "7 press left", "9 neutralise reason=x", "10 swap reason=x", "11 resume left"), "right 7, left 21"),
        (("0 late_start both", "9 arrive left", "12 arrive right", "15 press right"), "right 12, left 15"),
        (("0 press right", "7 hold", "9 undo reason=x", "10 press left"), "left 10, right 20"),
    ],
)
def test_a_turn_is_what_the_clock_charged_in_it(lines: tuple[str, ...], used: str) -> None:
    assert words_of(turns(play("naspa-2017", *lines).history, 30 * NS)) == used


def test_the_turns_that_an_undo_moves_are_the_other_sides() -> None:
    lines = ("0 press right", "5 press left", "8 press right", "12 press left")
    undone = play("naspa-2017", *lines, "20 undo reason=x event=3").history
    assert (words_of(turns(undone, 30 * NS)), undone.game.used) == ("left 12, right 18", BySide(12 * NS, 8 * NS))
    assert words_of(turns(play("naspa-2017", "0 press right", "5 neutralise", "9 undo reason=x event=3").history, 30 * NS)) == "left 30"


def test_a_turn_ends_where_the_limit_ends_the_game() -> None:
    assert words_of(turns(play("naspa-2017 left_seconds=40", "0 press right", "5 hold").history, 5000 * NS)) == "left 641"


def test_a_turn_that_runs_lasts_until_now_after_a_hold(hall: TrialHall) -> None:
    hall.say(1, Hold(), 40)
    game, device = hall.desk.game(tile(hall)), hall.clocks[1].device
    assert game is not None
    assert words_of(turns_now(game, device, hall.now())) == "left 60"
    # The clock reports an event whose row is still on its way.
    assert device.clock is not None
    device.clock = device.clock.model_copy(update={"number": 9})
    assert words_of(turns_now(game, device, hall.now())) == "left 20"


def words_of(found: tuple[TurnUse, ...]) -> str:
    assert [turn.number for turn in found] == list(range(1, len(found) + 1))
    return ", ".join(f"{turn.side.value} {(Decimal(turn.used) / NS).normalize():f}" for turn in found)


NOW = Time.now


def view(hall: TrialHall) -> RoundView:
    hall.desk.changes(NOW)
    return round_view(tuple(hall.desk.tiles.values()), hall.desk.seats, None, NOW)


def test_early_in_a_round_only_the_earliest_overtime_is_said(tmp_path: Path) -> None:
    hall = TrialHall(tmp_path, 2, lambda: NOW)
    assert view(hall).earliest is None
    hall.begin(1, ago_s=30)
    hall.begin(2, ago_s=300)
    found = view(hall)
    assert (found.too_early, found.forecast) == (True, ())
    assert found.earliest is not None
    # 25 minutes, and -0:00 is no overtime.
    assert (found.earliest.tile.table, found.earliest.side, found.earliest.earliest) == (2, Side.LEFT, NOW + (1500 + 1 - 300) * NS)


def test_later_a_pace_is_known_and_after_all_games_there_is_no_forecast(tmp_path: Path) -> None:
    hall = TrialHall(tmp_path, 1, lambda: NOW)
    hall.begin(1, ago_s=400)
    assert not view(hall).too_early
    hall.say(1, End("x"))
    assert (view(hall).earliest, view(hall).playing) == (None, 0)


def test_after_the_next_round_is_current_the_games_of_the_last_one_are_not_its_games(tmp_path: Path) -> None:
    hall = TrialHall(tmp_path, 3, lambda: NOW)
    hall.desk.seats = {table: TableSeat(clock.names) for table, clock in hall.clocks.items()}
    for table in hall.clocks:
        hall.begin(table, ago_s=400)
    hall.say(1, End("x"))
    hall.say(2, End("x"))
    before = view(hall)
    assert (before.playing, before.elsewhere, before.over, before.not_started) == (1, 0, 2, ())
    assert unfinished(hall.desk.tiles.values(), hall.desk.seats) == (3,)
    # Table 2 has the same players again: their game may be either round's.
    others = {table: TableSeat(BySide(f"Cy {table}", f"Di {table}")) for table in (1, 3)}
    hall.desk.begin_round(NOW - 60 * NS)
    hall.desk.take_event(StoredEvent(hall.desk.event, 2, 1, {}), {**hall.desk.seats, **others})
    after = view(hall)
    assert (after.playing, after.elsewhere, after.over) == (0, 1, 1)
    assert [tile.table for tile in after.not_started] == [1]
    assert unfinished(hall.desk.tiles.values(), hall.desk.seats) == (1, 3)
    assert {tile.table: [need.words for need in tile.needs] for tile in hall.desk.tiles.values()} == {1: ["not started"], 2: [], 3: []}


def test_a_round_seats_its_players_at_the_tables_of_their_boards() -> None:
    event = Event(
        players=tuple(Player("A", number, name) for number, name in enumerate(("Ann", "Bo", "Cy"), 1)),
        pairings=(Pairing("A", 1, 2, 1, board=1), Pairing("A", 1, 3, BYE), Pairing("A", 2, 1, 3, table=9)),
        tables=(TableAssignment("A", 1, 12),),
        floor=(TablePlace(12, 10, 20), TablePlace(13, 30, 20), TablePlace(14, 20, 60)),
    )
    first = seats_of(event, 1)
    assert first[12] == TableSeat(BySide("Bo", "Ann"), "A", FloorPosition(0.0, 0.0))
    assert (first[13].place, first[14].place) == (FloorPosition(1.0, 0.0), FloorPosition(0.5, 1.0))
    assert {table for table, seat in first.items() if seat.division} == {12}
    assert seats_of(event, 2)[9].names == BySide("Ann", "Cy")
    same = Event(players=tuple(Player("A", number, name) for number, name in enumerate(("Ann", "Ann", "Cy"), 1)))
    named = [player_names(same, Pairing("A", 1, 1, second)) for second in (2, 3)]
    assert named == [("Ann (1)", "Ann (2)"), ("Ann", "Cy")]
    # A plan of one table: it stands in the middle.
    assert seats_of(Event(floor=(TablePlace(1, 7, 7),)), 1)[1].place == FloorPosition(0.5, 0.5)


GB = 1_000_000_000
HEALTH = (
    ((2_100_000_000, 40_000_000, None), StorageWords("", "ok", "2.1 GB free")),
    ((840_000_000, 0, None), StorageWords("", "ok", "840 MB free")),
    ((None, 0, None), StorageWords("", "ok", "")),
    ((1_000_000, 0, None), StorageWords("bad", "full", "1 MB free")),
    ((GB, 1_400_000_000, None), StorageWords("soft", "slow", "1.4 s for a row, 1.0 GB free")),
    ((None, NS, None), StorageWords("soft", "slow", "1.0 s for a row")),
    ((0, 9 * NS, "The disk is full"), StorageWords("bad", "cannot be written", "The disk is full")),
)


def known(name: str, version: str, *, free: bool = True, heard: bool = True, **beat: Any) -> RemoteDevice:
    device = Device(name, rows=1)
    found = RemoteDevice(device.id, 0)
    found.presence = Presence.model_validate(device.up(name=name, versions={"tileclock": version}))
    found.clock = ClockReport.model_validate(device.state(between_games=free))
    found.beat, found.beat_at = DeviceBeat.model_validate(device.beat(**beat)), NOW if heard else NOW - 100 * NS
    return found


def test_storage_is_put_in_words_the_gravest_first() -> None:
    for cell in each_cell(HEALTH):
        with cell as ((free, slowest, fault), words):
            assert storage_words(CardHealth(free=free, slowest_ns=slowest, fault=fault)) == words
    # In gigabytes from one on.
    assert [amount(size) for size in (999_999, 999_999_999, GB)] == ["0 MB", "999 MB", "1.0 GB"]


def test_a_device_of_an_earlier_release_says_nothing_of_its_card_and_one_that_cannot_write_comes_first() -> None:
    faulty = {"free": GB, "slowest_ns": 0, "fault": "gone", "later": 1}
    first, second = device_tiles((known("a", "9.0"), known("b", "9.0", card=faulty)), NOW)
    assert (first.device.name, first.storage) == ("b", StorageWords("bad", "cannot be written", "gone"))
    assert second.storage is None


CHARGES = [
    ({"power": "low", "battery": {"percent": 9, "discharging": True, "low": True}}, "weak power"),
    ({"power": "low", "battery": None}, "weak power"),
    ({"battery": {"percent": 17, "discharging": True, "low": True}}, "battery 17\u00a0%"),
    ({"battery": {"percent": 62, "discharging": True, "low": False}}, None),
    ({"battery": None}, None),
    ({}, None),
]


@pytest.mark.parametrize(("beat", "need"), CHARGES)
def test_a_weak_supply_and_a_battery_that_is_nearly_empty_are_needs_and_come_first(beat: dict[str, Any], need: str | None) -> None:
    device = known("b", "9.0", **beat)
    assert weak_power(device) == need
    assert device_tiles((known("a", "9.0"), device), NOW)[0].device.name == ("a" if need is None else "b")


def test_a_clock_with_a_worn_button_comes_first_and_says_how_it_has_changed() -> None:
    worn = [
        {"button": "left", "sign": "bounces", "before": 2, "now": 9, "later": 1},
        {"button": "ok", "sign": "opens", "before": 0, "now": 3},
    ]
    first, second = device_tiles((known("a", "9.0"), known("b", "9.0", worn=worn)), NOW)
    assert (second.device.worn, [str(each) for each in first.device.worn]) == (
        (),
        [
            "left button is wearing: bounce 2 ms before, 9 ms now",
            "ok button is wearing: opens while held, 0 % of presses before, 3 % now",
        ],
    )


@pytest.mark.parametrize(
    ("versions", "older"),
    [(("9.10.0", "9.9.0"), {"two"}), (("9.11", "9.10.0"), set()), (("0.0.1", "0.0.1"), {"one", "two"}), (("", "999"), {"one"})],
)
def test_versions_compare_by_their_numbers_and_only_with_this_desk(
    monkeypatch: pytest.MonkeyPatch, versions: tuple[str, str], older: set[str]
) -> None:
    monkeypatch.setattr("hall.desk.tiles.device.VERSION", "9.10.0")
    tiles = device_tiles((known("one", versions[0]), known("two", versions[1])), NOW)
    assert {tile.device.name for tile in tiles if tile.older} == older


@pytest.mark.parametrize(
    ("rate", "ppm", "drifts"),
    [
        (None, "", False),
        (Rate(-3_240, 800), "-3.2 ppm ±0.8", False),
        (Rate(20_100, 900), "+20.1 ppm ±0.9", True),
        (Rate(-200_000, 10_000), "-200.0 ppm ±10.0", True),
        (Rate(90_000, 10_001), "", False),
    ],
)
def test_a_rate_is_shown_once_it_is_known_to_10_ppm_and_marked_above_20(
    monkeypatch: pytest.MonkeyPatch, rate: Rate | None, ppm: str, *, drifts: bool
) -> None:
    monkeypatch.setattr(Offsets, "rate", rate)
    (tile,) = device_tiles((known("one", VERSION),), NOW)
    assert (tile.ppm, tile.drifts) == (ppm, drifts)


def test_a_station_differs_whose_list_is_not_the_one_of_most() -> None:
    stations = [RemoteDevice(f"s-{number}", 0) for number in range(5)]
    for station, sha256 in zip(stations, ("a" * 64, "b" * 64, "b" * 64, None), strict=False):
        lexicon = None if sha256 is None else NamedLexicon(name="LIST", edition="1", words=9, sha256=sha256)
        station.station = StationReport(boot="boot", epoch=None, at=0, busy=False, table=None, lexicon=lexicon, trouble=None)
    assert [each.differs for each in station_tiles(stations, NOW)] == [True, False, False, False, False]
    assert not any(each.differs for each in station_tiles(stations[1:], NOW))


def test_what_to_do_about_older_software_depends_on_the_game() -> None:
    old = {"free": known("free", "0.0.1"), "plays": known("plays", "0.0.1", free=False), "unheard": known("unheard", "0.0.1", heard=False)}
    tiles = device_tiles((known("new", VERSION), *old.values()), NOW)
    assert {tile.device.name: tile.update for tile in tiles} == {
        "new": "",
        "free": "update now",
        "plays": "update after the game",
        "unheard": "",
    }


BODIES: Final = (
    '{"table": 7}', '{"do": {}}', '{"do": ["undo"], "event": 1}', '{"what": []}', "[" * 5000, '{"a":' * 5000, "{}", "[]", '"x"', "NaN",
    '{"do": "adjust", "side": "left", "seconds": 1e999999999}', '{"timer": {"seconds": %s}}' % ("9" * 4299),
    '{"uncertain_ns": %s}' % ("9" * 4299), '{"do": "adjust", "seconds": -1E-999999999}', '{"before": {"left": []}}',
)  # fmt: skip


@pytest.mark.parametrize("kind", Kind)
def test_whatever_a_clock_sends_as_a_row_the_desk_shows_it(kind: Kind) -> None:
    for body in BODIES:
        journal = Journal(0)
        journal.take(begin(NewGame(load_rulebook(DEFAULT_RULEBOOK), DEFAULT_RULEBOOK, BySide(None, None)), 0), 0)
        for number in (None, 1, 2):
            seq = len(journal.rows) + 1
            journal.rows.append((f"{seq:064x}", [seq, kind.value, 1, number, 5, 5, "boot", "", body]))
        game = some(folded(tuple(stored_rows(journal.rows))))
        assert len(history(game, NO_NAMES)) == len(journal.rows)
        place = assigned(Assignment(None, NO_NAMES), game.rows)
        assert (place.names, place.table) == (NO_NAMES, 7 if kind is Kind.ASSIGNED and body == '{"table": 7}' else None)


def test_wire_watch_and_round_page_know_each_phase_of_a_game() -> None:
    phases = {phase.value for phase in Phase}
    assert set(get_args(WirePhase)) == phases
    assert all(phase_words(phase, None) for phase in phases)
    # A new phase is under way, or it is named here.
    assert phases - {"ready", "late", "over"} == _STARTED
