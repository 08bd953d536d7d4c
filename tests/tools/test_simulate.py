import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from appliance.records.rows import links
from firmware.gestures.clock_state import ClockState
from firmware.gestures.hands import Hands
from firmware.hall.orders import HallState
from firmware.journal.writer import Store as JournalStore
from firmware.journal.writer import open_journal
from firmware.menu.setup import Setup
from firmware.texts import load_reasons, load_texts
from game.events import NewGame
from game.game import Phase
from game.history import begin
from game.table import Assignment, OfferedGame
from hall.cli.main import main
from hall.store.store import open_store
from records.journal import GameStamp, Kind, reading, row_of
from rules.duration import NS
from rules.rulebooks import DEFAULT_RULEBOOK, load_rulebook, shipped_ids
from rules.side import BySide
from tests.hall.listener.listening import TILEHALL
from tests.in_process import ran
from tests.installed import require
from tests.some import some
from tools.simulate.listening import Heard
from tools.simulate.measure import result
from tools.simulate.plan import SimulationPlan
from tools.simulate.players import CALL, ON_THE_WAY_S, UNANSWERED_S, PlayersMove, TrialPlayers, next_move
from tools.simulate.worker import UNKNOWN, Played, Samples, apart

DEVICE = "c-" + "a" * 16
USED = {"cores": 0.0, "rss_mb": 0.0}
KEYS = {"tables", "presses", "rows", "lost", "doubled", "press_to_row_ms", "remote_clock_ms", "messages_per_s", "bytes_per_table"}


@pytest.mark.waits(30)
def test_every_row_of_every_table_comes_to_the_listener_once_over_slow_links_and_an_outage_of_all(tmp_path: Path) -> None:
    require("mosquitto")
    arguments = ("--tables", "2", "--seconds", "14", "--press", "1", "--outage", "4", "--delay", "5:40", "--folder", str(tmp_path / "new"))
    done = subprocess.run([*TILEHALL, "simulate", "--json", *arguments], capture_output=True, text=True, timeout=280, check=False)
    assert "Traceback" not in done.stderr, done.stderr
    found = json.loads(done.stdout)
    assert set(found) >= KEYS
    assert (done.returncode, found["lost"], found["doubled"], found["journals_complete"]) == (0, 0, 0, True)
    # Each journal has at least a new game beside the presses.
    assert found["rows"] >= found["press_to_row_ms"]["count"] + 2
    assert found["presses"] >= 12
    # Readings count until the outage.
    assert found["remote_clock_ms"]["count"] >= 8
    assert "All links are cut for 4 s." in done.stderr
    # What was pressed during the outage came after it.
    assert found["press_to_row_ms"]["max"] > 2000
    assert found["press_to_row_ms"]["p50"] >= 5
    assert (tmp_path / "new" / "hall.db").exists()


def test_bad_parameters_are_refused() -> None:
    for arguments, says in (
        (("--delay", "9:5"), "expected two numbers of milliseconds, the smaller first"),
        (("--delay", "x"), "expected two numbers of milliseconds"),
        (("--seconds", "10", "--outage", "11"), "expected an outage of at most 10 s, found 11"),
        (("--tables", "0"), "0 is not in the range"),
        (("--folder", "."), "expected an empty or new folder, found files"),
    ):
        done = ran(main, "simulate", *arguments)
        assert (done.returncode, done.stdout) == (2, "")
        assert says in " ".join(done.stderr.split())


class Measured:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.plan = SimulationPlan(1, 3)
        open_journal(folder / "journal.db")
        journal = JournalStore(folder / "journal.db")
        stamp = GameStamp(5, 6, "boot", "2026-01-01T00:00:00Z")
        journal.append([row_of(Kind.NOTE, 1, stamp, {"n": number}) for number in range(5)], None)
        journal.close()
        with reading(folder / "journal.db") as connection:
            self.rows = [(link.hash, list(link.row)) for link in links(connection, 1)]
        self.store, _ = open_store(folder / "hall.db", "h")
        self.store.begin_epoch(DEVICE, self.rows[0][0][:16])
        self.store.append(DEVICE, self.rows[0][0][:16], 1, self.rows)
        self.store.commit()
        for name in ("samples-0", "samples-listener"):
            Samples(range(1), 3).write(folder / name)
        (folder / "latencies").write_bytes(b"")

    def result(self, came: int = 5) -> tuple[int, int]:
        journals = [(DEVICE, self.folder / "journal.db")]
        used = dict.fromkeys(("broker", "listener", "link"), USED)
        heard = Heard(came, 10, 1000)
        found = result(self.plan, journals, [Played(3, complete=True)], heard, used, folder=self.folder, store=self.folder / "hall.db")
        return found["lost"], found["doubled"]


@pytest.fixture
def measured(tmp_path: Path) -> Iterator[Measured]:
    made = Measured(tmp_path)
    yield made
    made.store.close()


def test_rows_are_neither_lost_nor_doubled_unless_the_store_has_more_or_one_came_twice(measured: Measured) -> None:
    assert measured.result() == (0, 0)
    assert measured.result(came=6) == (0, 1)
    measured.store._connection().exec_driver_sql("INSERT INTO rows SELECT hall, device, epoch, 6, 'cd', fields FROM rows WHERE seq = 5")
    assert measured.result() == (0, 1)
    # One that the store lacks, or has otherwise, is lost.
    for change in ("UPDATE rows SET hash = 'ab' WHERE seq = 3", "DELETE FROM rows WHERE seq = 3"):
        measured.store._connection().exec_driver_sql(change)
        assert measured.result()[0] == 1


def test_readings_that_are_unknown_or_of_the_outage_do_not_count() -> None:
    true, seen = Samples(range(2, 4), 4), Samples(range(5), 4)
    for second in range(4):
        for table in (2, 3):
            true.put(table, second, 100, 200)
            seen.put(table, second, 100 + second, 200 - 2 * table)
    seen.put(3, 3, UNKNOWN, 0)
    assert list(apart(true, seen, range(1))) == [4, 4, 4, 6, 6]


def after(clock: ClockState, move: PlayersMove, now: int, until: int) -> ClockState:
    """Return what is shown at ``until`` after a move at ``now``."""
    hands = Hands(clock, 0)
    for at, down in ((now, True), (now + move.held, False)):
        for button in move.buttons:
            hands = hands.edge(button, at, down=down)
    return hands.tick(until).shown


@pytest.mark.parametrize("seed", range(8))
def test_players_never_stand_still(seed: int) -> None:
    # In every state that they reach: challenges, verdicts, holds, menus left open.
    event = NewGame(load_rulebook(DEFAULT_RULEBOOK), DEFAULT_RULEBOOK, BySide(None, None))
    table = ClockState(begin(event, 0), Setup(two_button=False, rulebooks=(), texts=load_texts("en"), reasons={}))
    now, chance = 0, Random(seed)  # noqa: S311 - a test
    changed, phases = 0, set()
    while now < 20 * 60 * NS:
        move = some(next_move(table, now, chance))
        before = table.history.number
        until = now + move.held + round(20 * move.pause * chance.uniform(0.5, 1.5) * NS)
        table, now = after(table, move, now, until), until
        phases.add(table.game_at(now).phase)
        if table.history.number != before:
            changed = now
        assert now - changed < 90 * NS, (now, table.game_at(now).phase)
    assert Phase.RUNNING in phases


NOBODY = HallState()
SEATED = replace(NOBODY, place=Assignment(1, BySide("Ann Abel", "Bo Brown")))
PAIRED_AGAIN = replace(SEATED, played=SEATED.place.names)
"""The names of the next game have come while the last one still stands here."""


class PlayedGame:
    def __init__(self, *calls: int) -> None:
        began = NewGame(load_rulebook(DEFAULT_RULEBOOK), DEFAULT_RULEBOOK, BySide.both(None))
        setup = Setup(two_button=False, rulebooks=(), texts=load_texts("en"), reasons=load_reasons())
        self.clock, self.now = ClockState(begin(began, 0), setup), NS
        self.players = TrialPlayers(12, frozenset(calls), Random(5))  # noqa: S311 - a test

    def phase(self) -> Phase:
        return self.clock.game_at(self.now).phase

    def called(self) -> bool:
        return self.clock.game_at(self.now).called

    def offer(self, rulebook: str) -> None:
        following = NewGame(load_rulebook(rulebook), rulebook, BySide.both(None))
        began = self.clock.history.oldest_first()[0].event
        assert isinstance(began, NewGame)
        self.clock = replace(self.clock, setup=replace(self.clock.setup, offered=OfferedGame(following, began)))

    def go_on(self, hall: HallState, seconds: int, until: Phase | None = None) -> None:
        """Let them play for so long, or until a phase; each moves some seconds after the one before."""
        end = self.now + seconds * NS
        while self.now < end and (until is None or self.phase() is not until):
            self.make(self.players.move(self.clock, hall, self.now))
        assert until is None or self.phase() is until, self.phase()

    def make(self, move: PlayersMove) -> None:
        until = self.now + move.held + round(8 * NS * move.pause)
        self.clock, self.now = after(self.clock, move, self.now, until), until


@pytest.mark.parametrize("rulebook", shipped_ids())
def test_they_play_a_game_under_the_rulebook_set_up_and_another_once_its_names_have_come(rulebook: str) -> None:
    played = PlayedGame()
    played.offer(rulebook)
    played.go_on(NOBODY, 60)
    assert (played.phase(), played.clock.history.number) == (Phase.READY, 1)
    played.go_on(SEATED, 600, Phase.OVER)
    assert played.clock.history.game.rulebook.id == rulebook
    over = played.clock.history
    played.go_on(SEATED, 60)
    assert played.clock.history is over
    played.go_on(PAIRED_AGAIN, 60, Phase.READY)
    played.go_on(SEATED, 600, Phase.OVER)
    assert played.clock.history.game.rulebook.id == rulebook


def test_a_call_waits_for_the_director_who_comes_soon_if_somebody_at_the_desk_goes_and_later_if_nobody_does() -> None:
    played = PlayedGame(0, 1)
    for goes, waits_s in ((True, ON_THE_WAY_S), (False, UNANSWERED_S)):
        while not played.called():
            assert played.phase() is not Phase.OVER
            played.go_on(SEATED, 1)
        began = played.now
        played.players.director_comes(played.clock, played.now)
        if not goes:
            played.players.director_comes(played.clock, played.now, comes=False)
        while played.called():
            played.go_on(SEATED, 1)
        assert waits_s * NS <= played.now - began < (waits_s + 15) * NS
        # A director who comes again answers no later call.
        played.players.director_comes(played.clock, played.now)
        played.go_on(SEATED, 600, Phase.OVER)
        played.go_on(PAIRED_AGAIN, 60, Phase.READY)
    # They do not call in every game.
    played.go_on(SEATED, 600, Phase.OVER)
    assert not [link for link in played.clock.history if type(link.event).__name__ == "Call"]


def test_asked_to_stop_they_do_in_play_and_in_a_hold_and_play_on_when_it_is_taken_back() -> None:
    played = PlayedGame()
    asked = replace(SEATED, stop="Stop, please")
    played.go_on(SEATED, 60, Phase.RUNNING)
    played.go_on(asked, 60)
    assert played.phase() is Phase.NEUTRAL
    played.go_on(SEATED, 60, Phase.RUNNING)
    running = some(played.clock.history.game.running)
    played.make(PlayersMove((running.other.value,), CALL))
    assert played.phase() is Phase.HOLD
    played.go_on(asked, 60)
    assert played.phase() is Phase.NEUTRAL
    # Stopped for the out play they cannot declare it a minute later.
    played.go_on(SEATED, 600, Phase.OUT_PLAY)
    played.clock = replace(played.clock, history=played.clock.history.before or played.clock.history)
    played.go_on(asked, 60)
    assert played.phase() is Phase.NEUTRAL
    played.go_on(SEATED, 600, Phase.OVER)
