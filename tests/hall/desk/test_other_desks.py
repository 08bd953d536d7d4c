"""Two desks of a hall, each with rows and an event of its own: what a director enters at one is at the other too, once, and overwrites nothing there."""

import os
import signal
from collections.abc import Callable
from contextlib import nullcontext
from multiprocessing import get_context
from pathlib import Path

import pytest
from click.testing import CliRunner
from sqlalchemy import Engine

from hall.cli.main import main
from hall.desk.desk import DirectorsDesk
from hall.desk.other_desks import OtherDesks
from hall.desk.rows import ResultKeeper, settling
from hall.desk.store import BEGAN_ANEW, ENTERED_RESULT, DeskStore, open_store
from hall.event.model import Event, Pairing, Player
from hall.picture import Hall
from hall.results.book import LEFT, RIGHT, ClockResult, Forfeit, GameResult, KeptRow, Settled, Source, key_of, said_of
from hall.store.events import kept_game_results, make_store, write_event
from rules.side import BySide

PLAYERS = tuple(Player("A", number, name) for number, name in enumerate(("Ann", "Bo", "Cy", "Di"), 1))
EVENT = Event(PLAYERS, (Pairing("A", 1, 1, 2, table=7), Pairing("A", 1, 3, 4, table=8), Pairing("A", 2, 1, 3, table=7)))
ANN_BO, CY_DI, ANN_CY = EVENT.pairings


class Desk:
    """A desk with its rows in a file of its own, and the log that all share."""

    def __init__(self, folder: Path, log: Engine, name: str, event: Event = EVENT) -> None:
        self.place, self.log = folder / f"{name}.db", DeskStore(log, "trial", name)
        make_store(self.place)
        self.start(event)

    def start(self, event: Event = EVENT) -> None:
        self.desk = DirectorsDesk("trial", lambda: nullcontext(Hall("trial")), self.place)
        self.desk.event, self.desk.round = event, 2
        self.keeper = ResultKeeper(self.desk, self.place)
        self.others = OtherDesks(self.desk, self.log, self.keeper)
        self.others.look()

    def enter(self, pairing: Pairing, scores: tuple[int, int] | None, *, forfeit: Forfeit | None = None, decides: bool = False) -> None:
        """Enter a slip, or decide about all rows of the pairing, as the pages do."""
        rows = self.desk.results.rows.get(key_of(pairing), ())
        number = rows[-1].row if decides else 0
        wall = self.log.newest() + 1
        made = said_of(
            pairing, Source.SLIP, scores=scores, forfeit=forfeit, wall=wall, who="ruth", reason="slip" if decides else "", replaces=number
        )
        self._keep(f"form {self.log.desk} {wall}", KeptRow(made))

    def settle(self, n: int, pairing: Pairing | None) -> None:
        """Give a clock's result its pairing, the first player on the left; or discard it."""
        result = None if pairing is None else self.desk.results.unplaced[n].clock.of(pairing, first_sits_left=True)
        self._keep(settling(n), KeptRow(result, settles=n, who="ruth"))

    def _keep(self, key: str, row: KeptRow) -> None:
        assert self.keeper.add({key: row})
        self.others.publish()

    def signed(self, left: str, right: str, scores: tuple[int, int], game: str = "e/1", seq: int = 9) -> None:
        said = GameResult(
            row=0, division="", round=0, first=LEFT, second=RIGHT, source=Source.CLOCK, scores=scores, device="c-one", game=game
        )
        self.keeper.add_clock(ClockResult(BySide(left, right), None, said, seq))

    def found(self, pairing: Pairing = ANN_BO) -> Settled:
        return self.desk.results.settled(pairing)

    def scores(self, pairing: Pairing = ANN_BO) -> tuple[int, int] | None:
        result = self.found(pairing).result
        return None if result is None else result.scores

    @property
    def kept(self) -> int:
        return len(kept_game_results(self.place, "trial"))


@pytest.fixture
def log(tmp_path: Path) -> Engine:
    return open_store(str(tmp_path / "desk.db"))


@pytest.fixture
def first(tmp_path: Path, log: Engine) -> Desk:
    return Desk(tmp_path, log, "desk-1")


@pytest.fixture
def second(tmp_path: Path, log: Engine) -> Desk:
    return Desk(tmp_path, log, "desk-2")


def test_a_slip_is_at_the_other_desk_once_also_after_restarts(first: Desk, second: Desk) -> None:
    first.enter(ANN_BO, (412, 388))
    for _ in range(2):
        second.others.look()
        second.start()
        first.others.look()
    assert (second.scores(), second.kept, first.kept) == ((412, 388), 1, 1)
    # What the desk that takes over enters goes back to the first one.
    second.enter(CY_DI, None, forfeit=Forfeit((4,), 50))
    first.others.look()
    assert first.found(CY_DI).result == second.found(CY_DI).result
    assert first.found(CY_DI).rows[0].margins() == (50, -50)


def test_a_correction_decides_about_the_same_rows_under_the_numbers_of_the_other_desk(first: Desk, second: Desk) -> None:
    first.signed("Ann", "Bo", (412, 388))
    second.signed("Cy", "Di", (300, 500), "e/7")
    second.signed("Bo", "Ann", (388, 412))
    first.enter(ANN_BO, (402, 388))
    second.others.look()
    assert (first.found().is_disputed, second.found().is_disputed) == (True, True)
    first.enter(ANN_BO, (402, 388), decides=True)
    second.others.look()
    assert (second.scores(), len(second.found().rows), second.found().is_signed) == ((402, 388), 1, True)
    first.enter(ANN_BO, None, decides=True)
    second.others.look()
    assert (second.found().is_missing, second.scores(CY_DI)) == (True, (300, 500))


def test_a_decision_waits_for_the_clocks_row_that_it_is_about(first: Desk, second: Desk) -> None:
    first.signed("Ann", "Bo", (412, 388))
    first.enter(ANN_BO, (402, 388), decides=True)
    second.others.look()
    assert (second.kept, len(second.desk.elsewhere)) == (0, 1)
    second.signed("Ann", "Bo", (412, 388))
    second.others.look()
    assert (second.scores(), second.desk.elsewhere) == ((402, 388), ())


def test_what_the_director_did_not_see_is_not_overwritten(first: Desk, second: Desk) -> None:
    first.signed("Ann", "Bo", (412, 388))
    second.keeper.add({"import": KeptRow(said_of(ANN_BO, Source.IMPORT, scores=(300, 200), device="import"))})
    second.signed("Ann", "Bo", (412, 388))
    first.enter(ANN_BO, (402, 388), decides=True)
    second.others.look()
    assert (first.scores(), second.found().is_disputed) == ((402, 388), True)
    second.enter(ANN_BO, (402, 388), decides=True)
    first.others.look()
    assert (first.scores(), second.scores()) == ((402, 388), (402, 388))


def test_a_clock_that_says_something_else_since_is_a_dispute_there(first: Desk, second: Desk) -> None:
    first.signed("Ann", "Bo", (412, 388))
    second.signed("Ann", "Bo", (412, 380), seq=12)
    first.enter(ANN_BO, (402, 388), decides=True)
    second.others.look()
    assert (second.found().is_disputed, second.desk.elsewhere) == (True, ())


def test_a_result_waits_where_the_event_has_other_players_or_not_this_pairing(tmp_path: Path, log: Engine, first: Desk) -> None:
    renamed = Event((Player("A", 1, "Zoe"), *PLAYERS[1:]), EVENT.pairings)
    second = Desk(tmp_path, log, "desk-2", renamed)
    first.enter(ANN_BO, (412, 388))
    first.enter(ANN_CY, (1, 2))
    second.others.look()
    assert (second.kept, len(second.desk.elsewhere)) == (0, 2)
    second.desk.event = Event(PLAYERS, EVENT.pairings[:2])
    second.others.look()
    assert (second.scores(), second.scores(ANN_CY), len(second.desk.elsewhere)) == ((412, 388), None, 1)
    second.desk.event = EVENT
    second.others.look()
    assert (second.scores(ANN_CY), second.desk.elsewhere) == ((1, 2), ())


def test_a_clocks_result_that_gets_its_pairing_or_is_discarded_is_settled_at_the_other_desk(first: Desk, second: Desk) -> None:
    second.signed("Ann", "Bo", (350, 350), "e/3")
    for desk in (first, second):
        desk.signed("Zed", "Bo", (412, 388))
        desk.signed("Zed", "Yan", (200, 100), "e/2")
    one, two = first.desk.results.unplaced
    first.settle(one, CY_DI)
    first.settle(two, None)
    second.others.look()
    assert (second.scores(CY_DI), second.desk.results.unplaced, second.kept) == ((412, 388), {}, 5)
    second.start()
    assert (second.kept, second.desk.elsewhere) == (5, ())


def test_a_clocks_result_that_has_its_pairing_there_keeps_it(first: Desk, second: Desk) -> None:
    first.desk.round = 0
    for desk in (first, second):
        desk.signed("Ann", "Bo", (412, 388))
    (waiting,) = first.desk.results.unplaced
    first.settle(waiting, CY_DI)
    second.others.look()
    assert (second.scores(), second.scores(CY_DI), second.kept, second.desk.elsewhere) == ((412, 388), None, 1, ())


def test_what_was_entered_before_a_desk_began_its_event_anew_stays_behind(tmp_path: Path, log: Engine, first: Desk) -> None:
    first.enter(ANN_BO, (412, 388))
    # By a command, while the desk is there: what it enters before its next look comes after that in the log too.
    write_event(first.place, "trial", EVENT, anew=True)
    first.enter(CY_DI, (301, 440))
    second = Desk(tmp_path, log, "desk-2")
    assert (second.scores(), second.scores(CY_DI), second.kept) == (None, (301, 440), 1)
    # Nor does it come back where this desk has begun anew.
    write_event(second.place, "trial", EVENT, anew=True)
    second.others.look()
    assert (second.found(CY_DI).is_missing, second.desk.elsewhere) == (True, ())


def test_an_event_that_a_command_begins_anew_at_a_desk_that_is_down_is_said_once(tmp_path: Path, log: Engine, first: Desk) -> None:
    first.enter(ANN_BO, (412, 388))
    (tmp_path / "a.csv").write_text("name\nAnn\nBo\nCy\nDi\n")
    (tmp_path / "b.csv").write_text("round,player1,player2\n1,Ann,Bo\n1,Cy,Di\n2,Ann,Cy\n")
    done = CliRunner().invoke(
        main, ["event", "import", *map(str, tmp_path.glob("?.csv")), "--new", "--hall", "trial", "--store", str(first.place)]
    )
    assert done.exit_code == 0, done.output
    first.start()
    first.start()
    second = Desk(tmp_path, log, "desk-2")
    assert (second.found().is_missing, second.kept, second.desk.elsewhere) == (True, 0, ())
    assert [(each.who, each.what) for each in first.log.results()] == [("ruth", ENTERED_RESULT), ("command line", BEGAN_ANEW)]
    # A log that is lost gets nothing of an event that is over.
    lost = Desk(tmp_path, open_store(str(tmp_path / "lost.db")), "desk-1")
    assert [each.what for each in lost.log.results()] == [BEGAN_ANEW]


def _correct(desk: Desk) -> None:
    desk.enter(ANN_BO, (402, 388), decides=True)


def _place(desk: Desk) -> None:
    desk.settle(1, CY_DI)


def _discard(desk: Desk) -> None:
    desk.settle(1, None)


def _dies_before_the_log(folder: Path, act: Callable[[Desk], None]) -> None:
    desk = Desk(folder, open_store(str(folder / "desk.db")), "desk-1")
    desk.signed("Zed", "Bo", (300, 200))
    desk.enter(ANN_BO, (412, 388))
    DeskStore.add = lambda *_: os.kill(os.getpid(), signal.SIGKILL)  # type: ignore[method-assign, assignment] # it dies
    act(desk)


@pytest.mark.parametrize(
    ("act", "scores", "placed", "waiting"),
    [(_correct, (402, 388), None, 1), (_place, (412, 388), (300, 200), 0), (_discard, (412, 388), None, 0)],
)
def test_what_a_desk_has_kept_and_died_before_it_was_in_the_log_is_at_the_other_one_once_it_runs_again(
    tmp_path: Path, act: Callable[[Desk], None], scores: tuple[int, int], placed: tuple[int, int] | None, waiting: int
) -> None:
    child = get_context("spawn").Process(target=_dies_before_the_log, args=(tmp_path, act))
    child.start()
    child.join()
    assert child.exitcode == -signal.SIGKILL
    log = open_store(str(tmp_path / "desk.db"))
    second = Desk(tmp_path, log, "desk-2")
    second.signed("Zed", "Bo", (300, 200))
    assert (second.scores(), len(second.desk.results.unplaced)) == ((412, 388), 1)
    for _ in range(2):
        first = Desk(tmp_path, log, "desk-1")
        second.others.look()
        second.start()
        assert (first.kept, second.kept, [each.who for each in first.log.results()]) == (3, 3, ["ruth", "ruth"])
        for desk in (first, second):
            assert (desk.scores(), desk.scores(CY_DI), len(desk.desk.results.unplaced)) == (scores, placed, waiting)


def test_entries_of_a_release_before_and_damaged_ones_are_passed_over(first: Desk, second: Desk) -> None:
    for detail in ({"text": "412 - 388"}, {"text": "x", "sent": {"key": 1}}, {"text": "y", "sent": []}):
        first.log.add("ruth", ENTERED_RESULT, detail)
    first.enter(ANN_BO, (412, 388))
    second.others.look()
    assert (second.scores(), second.desk.elsewhere) == ((412, 388), ())
