"""From the journals to the results: each signed result is there once, through outages, restarts and repeated rows, and none is invented."""

import asyncio
import random
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct, field

from game.events import Call, End, Event, LateStart, Press, Reopen, Result, Undo
from game.history import History, accept, begin
from game.table import Assignment
from hall.desk.desk import DirectorsDesk
from hall.desk.rows import ResultKeeper, ResultWatch
from hall.event.model import Event as HallEvent
from hall.event.model import Pairing, Player
from hall.results.book import GameResult, KeptRow, Source, applied, said_of
from hall.results.standings import standings
from hall.store.events import kept_game_results
from records.journal import Kind as RowKind
from records.journal import assigned_body, row_of
from rules.side import BySide, Side
from tests.examples import THOROUGH
from tests.hall.desk.journalled import BEGIN, keep, keep_events, stamp
from tests.hall.reporting import NS, Device, Rig, rig
from tests.some import some

PLAYERS = tuple(Player("A", number, name) for number, name in enumerate(("Ann", "Bo", "Cy", "Di"), 1))
EVENT = HallEvent(PLAYERS, (Pairing("A", 1, 1, 2, table=7), Pairing("A", 2, 1, 3, table=7), Pairing("A", 2, 2, 4, table=8)))
ROUND_1, ROUND_2, _ = EVENT.pairings


def result(left: int, right: int, names: BySide[str], table: int | None = 7) -> Result:
    scores = BySide(left, right)
    return Result(scores=scores, taken_off=False, final=scores, signed=BySide(NS, 0), names=names, table=table)


class Journal:
    """A clock's journal that is written game by game."""

    def __init__(self, name: str = "one") -> None:
        self.device = Device(name)
        self.game, self.at = 0, 0
        self.history: History | None = None

    def begin(self, names: BySide[str], table: int = 7) -> None:
        self.game += 1
        self.at = self.game * 10_000 * NS
        self.history = begin(BEGIN, self.at)
        keep_events(self.device, None, self.history, self.game, self.at)
        keep(self.device, [row_of(RowKind.ASSIGNED, self.game, stamp(self.device, self.at), assigned_body(Assignment(table, names)))])

    def say(self, *events: Event) -> None:
        for event in events:
            self.at += 20 * NS
            after = accept(some(self.history), event, self.at)
            keep_events(self.device, self.history, after, self.game, self.at)
            self.history = after

    def play(self, left: int, right: int, names: BySide[str]) -> None:
        self.begin(names)
        self.say(Press(Side.RIGHT), End("six zeros"), result(left, right, names))


class Hall:
    """A listener's store with a desk on it that can be started again."""

    def __init__(self, listener: Rig, folder: Path) -> None:
        self.listener, self.place = listener, folder / "hall.db"
        self.start()

    def start(self, current: int = 2, event: HallEvent = EVENT) -> None:
        self.desk = DirectorsDesk("trial", lambda: nullcontext(self.listener.hall), self.place)
        self.desk.event, self.desk.round = event, current
        self.keeper = ResultKeeper(self.desk, self.place)
        self.watch = ResultWatch(self.desk, self.place, self.keeper)

    def rows(self, journal: Journal, first: int = 1, last: int | None = None, **state: Any) -> None:
        """Report rows of a journal, and its clock's state; and let the desk look."""
        device = journal.device
        self.listener.report(device, "up", device.up(table=7))
        if state:
            self.listener.report(device, "state", device.state(**state))
            self.listener.report(device, "beat", device.beat())
        self.listener.report(device, "rows", device.batch(first, last or len(device.rows)))
        self.desk.heard(device.id)
        self.look()

    def look(self) -> None:
        self.desk.changes(0)
        asyncio.run(self.watch.look())

    def scores(self, pairing: Pairing) -> tuple[int, int] | None:
        return some(found).scores if (found := self.result(pairing)) is not None else None

    def result(self, pairing: Pairing) -> GameResult | None:
        return self.desk.results.settled(pairing).result

    @property
    def kept(self) -> int:
        return len(kept_game_results(self.place, "trial"))


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    with rig(tmp_path) as listener:
        yield Hall(listener, tmp_path)


ANN_BO, CY_ANN = BySide("Ann", "Bo"), BySide("Cy", "Ann")


def test_a_signed_result_is_there_once_through_repeated_rows_and_restarts(hall: Hall) -> None:
    journal = Journal()
    journal.play(412, 388, ANN_BO)
    hall.rows(journal)
    assert (hall.scores(ROUND_1), some(hall.result(ROUND_1)).source) == ((412, 388), Source.CLOCK)
    hall.rows(journal)
    hall.start()
    hall.look()
    hall.rows(journal, 3)
    assert (hall.scores(ROUND_1), hall.kept) == ((412, 388), 1)
    journal.say(Call(on=True), Call(on=False))
    hall.rows(journal, 3)
    assert hall.kept == 1


def test_all_that_came_while_the_desk_was_down_goes_to_its_rounds(hall: Hall) -> None:
    journal, other = Journal(), Journal("two")
    journal.play(412, 388, ANN_BO)
    journal.play(301, 440, CY_ANN)
    other.begin(BySide("Bo", "Di"), table=8)
    other.say(Press(Side.RIGHT), End("x"))
    for each in (journal, other):
        hall.listener.report(each.device, "up", each.device.up(table=7))
        hall.listener.report(each.device, "rows", each.device.batch(1, len(each.device.rows)))
    hall.start()
    # The desk reads the rows on its disk, without a device; an unsigned game has no result.
    hall.look()
    assert [hall.scores(each) for each in EVENT.pairings] == [(412, 388), (440, 301), None]
    assert (hall.kept, hall.desk.results.unplaced) == (2, {})


def test_a_clock_without_connection_all_day_brings_each_game_to_its_round_once(hall: Hall) -> None:
    journal = Journal()
    for current, (left, right, names) in enumerate(((412, 388, ANN_BO), (301, 440, CY_ANN)), 1):
        hall.start(current)
        journal.play(left, right, names)
        hall.look()
    assert hall.kept == 0
    for first in (1, len(journal.device.rows) // 2, 1):
        hall.rows(journal, first)
    assert [hall.scores(each) for each in (ROUND_1, ROUND_2)] == [(412, 388), (440, 301)]
    assert (hall.kept, hall.desk.results.unplaced) == (2, {})


def test_rows_that_come_late_or_out_of_order_give_the_same_results(hall: Hall) -> None:
    journal = Journal()
    journal.play(412, 388, ANN_BO)
    middle = len(journal.device.rows)
    journal.play(301, 440, CY_ANN)
    hall.rows(journal, 1, 3)
    hall.rows(journal, middle, middle + 3)  # a gap before them: asked for again
    assert hall.kept == 0
    hall.rows(journal, 1, middle - 1)
    assert hall.kept == 0
    hall.rows(journal, 2, middle)
    hall.rows(journal, middle - 1)
    assert [hall.scores(each) for each in (ROUND_1, ROUND_2)] == [(412, 388), (440, 301)]


def test_a_director_who_reopens_the_game_takes_the_result_back_until_it_is_signed_again(hall: Hall) -> None:
    journal = Journal()
    journal.play(412, 388, ANN_BO)
    hall.rows(journal)
    journal.say(Reopen("found tiles"))
    hall.rows(journal, 2)
    assert hall.desk.results.settled(ROUND_1).is_missing
    journal.say(End("six zeros"), result(402, 388, ANN_BO))
    hall.rows(journal, 2)
    assert (hall.scores(ROUND_1), hall.kept) == ((402, 388), 3)
    journal.say(Undo("wrong table"))
    hall.rows(journal, 2)
    assert (hall.scores(ROUND_1), hall.kept) == (None, 4)


def test_a_player_who_disputes_the_signed_result_leaves_it_to_a_director(hall: Hall) -> None:
    journal = Journal()
    journal.play(412, 388, ANN_BO)
    hall.rows(journal)
    journal.say(Call(on=True, disputes=True))
    hall.rows(journal, 3)
    assert (hall.desk.results.settled(ROUND_1).is_disputed, hall.kept) == (True, 2)
    journal.say(Call(on=False))
    hall.rows(journal, 3)
    assert (hall.desk.results.settled(ROUND_1).is_disputed, hall.kept) == (True, 2), "the director has come, and not decided"
    settles = said_of(ROUND_1, Source.SLIP, scores=(402, 388), who="ruth", reason="recount", replaces=hall.desk.results.newest)
    hall.keeper.add({"form 1": KeptRow(settles)})
    assert hall.scores(ROUND_1) == (402, 388)


def test_a_disputed_result_is_signed_anew_once_the_director_reopens_the_game(hall: Hall) -> None:
    journal = Journal()
    journal.play(412, 388, ANN_BO)
    journal.say(Call(on=True, disputes=True), Reopen("found tiles"), End("six zeros"), result(402, 388, ANN_BO))
    hall.rows(journal)
    assert hall.scores(ROUND_1) == (402, 388)


def test_a_forfeit_by_a_row_names_the_loser(hall: Hall) -> None:
    journal = Journal()
    journal.begin(ANN_BO)
    journal.say(Press(Side.RIGHT), End("forfeit", Side.RIGHT))
    hall.rows(journal)
    found = some(hall.result(ROUND_1))
    assert (found.source, some(found.forfeit).losers, found.scores, found.margins()) == (Source.END, (2,), None, (50, -50))


def test_a_forfeit_by_time_alone_counts_when_the_clock_says_so_or_the_next_game_has_begun(hall: Hall) -> None:
    journal = Journal()
    journal.begin(ANN_BO)
    journal.say(LateStart(Side.LEFT))
    # The clock may be cut off, and the player have come since: that time has gone by proves nothing.
    hall.rows(journal)
    hall.look()
    assert hall.kept == 0
    at = journal.at + 3000 * NS
    hall.rows(journal, 2, game=1, at=at, phase="over", running=None, turn=None, between_games=True)
    assert some(some(hall.result(ROUND_1)).forfeit).losers == (1,)
    # Seen again without the report it is no other.
    hall.start()
    hall.look()
    assert (hall.kept, some(hall.result(ROUND_1)).is_withdrawal) == (1, False)
    journal.begin(CY_ANN)
    hall.rows(journal, 2)
    assert hall.kept == 1


def test_what_fits_no_pairing_waits_until_its_round_is_current(hall: Hall) -> None:
    hall.start(current=1)
    journal = Journal()
    journal.play(301, 440, CY_ANN)
    hall.rows(journal)
    (waiting,) = hall.desk.results.unplaced.values()
    assert waiting.why == "these players meet in round 2, which is not current yet"
    hall.desk.round = 2
    hall.look()
    assert (hall.scores(ROUND_2), hall.desk.results.unplaced) == ((440, 301), {})


def test_two_clocks_at_one_table_are_one_result_and_a_question(hall: Hall) -> None:
    for name, scores in (("one", (412, 388)), ("two", (300, 200))):
        journal = Journal(name)
        journal.play(*scores, ANN_BO)
        hall.rows(journal)
    assert hall.scores(ROUND_1) == (412, 388)
    assert [each.why for each in hall.desk.results.unplaced.values()] == ["the pairing has the result of another game already"]


def test_a_store_that_is_away_loses_nothing(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    journal = Journal()
    journal.play(412, 388, ANN_BO)
    with monkeypatch.context() as away:
        away.setattr("hall.desk.rows.keep_game_results", _refuse)
        with pytest.raises(OSError, match="no space left"):
            hall.rows(journal)
        assert hall.kept == 0
    hall.look()
    assert (hall.scores(ROUND_1), hall.kept) == ((412, 388), 1)


def _refuse(*_: object) -> None:
    raise OSError("no space left on device")


TABLES, ROUNDS = 200 if THOROUGH else 60, 3
CUT = range(40, 46)
"""Tables whose clocks have no connection until the last round is over."""
SIMULATED = HallEvent(
    tuple(Player("A", number, f"player {number}") for number in range(1, 2 * TABLES + 1)),
    # No two players meet twice, so each result fits one pairing.
    tuple(
        Pairing("A", number, 2 * table, (2 * (table + number)) % (2 * TABLES) + 1, table=table)
        for number in range(1, ROUNDS + 1)
        for table in range(1, TABLES + 1)
    ),
)


class Simulated(Struct):
    """A round at all tables, and what really happened."""

    hall: Hall
    chance: random.Random
    journals: Mapping[int, Journal]
    sent: Counter[int] = field(default_factory=Counter[int])
    sources: dict[Pairing, set[tuple[int, int]]] = field(default_factory=dict[Pairing, set[tuple[int, int]]])
    """What players and slips say of each game."""

    def play(self, pairing: Pairing) -> None:
        journal, chance, said = self.journals[some(pairing.table)], self.chance, self.sources.setdefault(pairing, set())
        names, scores = (pairing.first, pairing.second), (chance.randint(250, 550), chance.randint(250, 550))
        turn = chance.choice((1, -1))
        names_by_side = BySide(*(f"player {each}" for each in names[::turn]))
        left, right = scores[::turn]
        journal.begin(names_by_side, some(pairing.table))
        journal.say(Press(Side.RIGHT), End("six zeros"))
        if chance.random() < 0.95:
            journal.say(result(left, right, names_by_side, pairing.table))
            if chance.random() < 0.1:
                scores = scores[0] + 7, scores[1]
                left, right = scores[::turn]
                journal.say(Reopen("found tiles"), End("six zeros"), result(left, right, names_by_side, pairing.table))
            said.add(scores)
        if chance.random() < 0.1:
            # One slip in two says otherwise than the clock.
            said.add(slip := (scores[0] + chance.choice((0, 10)), scores[1]))
            row = GameResult(row=0, division="A", round=pairing.round, first=names[0], second=names[1], source=Source.SLIP, scores=slip)
            self.hall.keeper.add({f"{pairing}": KeptRow(row)})

    def send(self, table: int, *, everything: bool) -> None:
        """Report what is new, and some of what the hall has already."""
        device = self.journals[table].device
        first = max(1, self.sent[table] - self.chance.randint(0, 4))
        self.sent[table] = len(device.rows) - (0 if everything else self.chance.randint(0, 2))
        self.hall.listener.report(device, "up", device.up(table=table))
        self.hall.listener.report(device, "rows", device.batch(first, self.sent[table]))
        self.hall.desk.heard(device.id)


def test_all_tables_with_cuts_repeats_restarts_and_mismatches_come_to_the_models_standings(hall: Hall) -> None:
    journals = {table: Journal(f"clock {table}") for table in range(1, TABLES + 1)}
    simulated = Simulated(hall, random.Random(48), journals)  # noqa: S311 - the same games each time
    for number in range(1, ROUNDS + 1):
        hall.start(number, SIMULATED)
        for pairing in SIMULATED.round(number):
            simulated.play(pairing)
            if some(pairing.table) not in CUT:
                simulated.send(some(pairing.table), everything=number == ROUNDS)
            if simulated.chance.random() < 0.05:
                hall.look()
    for table in CUT:
        simulated.send(table, everything=True)
    hall.look()
    found = {each: hall.desk.results.settled(each) for each in SIMULATED.pairings}
    model: dict[int, tuple[float, int]] = {each.number: (0, 0) for each in SIMULATED.players}
    for pairing, sources in simulated.sources.items():
        assert (found[pairing].is_missing, found[pairing].is_disputed) == (not sources, len(sources) > 1), pairing
        for one, two in sources if len(sources) == 1 else ():
            assert some(found[pairing].result).scores == (one, two)
            for number, margin in ((pairing.first, one - two), (pairing.second, two - one)):
                wins, spread = model[number]
                model[number] = wins + (margin > 0) + (margin == 0) / 2, spread + margin
    assert hall.desk.results.unplaced == {}
    assert {len(each) for each in simulated.sources.values()} == {0, 1, 2}
    shown = standings(applied(SIMULATED, hall.desk.results))["A"]
    assert {each.player.number: (each.wins, each.spread) for each in shown} == model
