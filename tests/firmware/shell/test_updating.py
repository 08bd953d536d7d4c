"""An update that the desk orders: no game begins, the answer goes out before the request, and a clock that is not stopped goes on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from appliance.supervisor import UpdateRequest
from firmware.hall.state import HallState
from firmware.shell.hall_messages import ANSWERS_NS, TAKEN_NS, HallMessages
from game.game import Phase
from game.journal.row import Kind
from rules.duration import NS
from tests.firmware.hall.hall_table import order
from tests.firmware.shell.clock_of_a_hall import Table
from wire.proposals import RefusalReason

OVER = ("1 press right", "2 end reason=x")
AT = 20 * NS


class Updatable(Table):
    def __init__(self, folder: Path, *lines: str) -> None:
        super().__init__(folder, *lines)
        self.request = UpdateRequest(folder / "update", folder / "outcome")
        self.hall = HallMessages(self.clock, self.source, HallState(updates=True), update=self.request)

    def ordered(self, at: int = AT) -> RefusalReason | None:
        return self.take(order("update", number=self.clock.table.record.highest), at / NS)[0]

    def press(self, button: str, at: int, held: int = NS // 10) -> None:
        self.clock.edge(button, at, down=True)
        self.clock.edge(button, at + held, down=False)
        self.clock.tick(at + held + NS)

    @property
    def began(self) -> bool:
        return self.clock.table.game_at(AT + 500 * NS).phase not in (Phase.READY, Phase.OVER)


@pytest.fixture
def ready(tmp_path: Path) -> Iterator[Updatable]:
    made = Updatable(tmp_path)
    yield made
    made.writer.close(20)


@pytest.fixture
def over(tmp_path: Path) -> Iterator[Updatable]:
    made = Updatable(tmp_path, *OVER)
    yield made
    made.writer.close(20)


def test_an_update_is_answered_and_recorded_before_the_machine_is_asked(ready: Updatable) -> None:
    assert ready.ordered() is None
    assert ready.clock.face(AT).called == "THIS CLOCK IS BEING UPDATED"
    assert ready.hall.next_wake == AT + ANSWERS_NS
    ready.hall.show(AT + ANSWERS_NS - 1)
    assert not ready.request.path.exists()
    ready.hall.show(AT + ANSWERS_NS)
    assert ready.request.path.exists()
    assert {key: ready.rows(Kind.PROPOSAL)[-1][key] for key in ("what", "answer")} == {"what": "update", "answer": "accepted"}


@pytest.mark.parametrize("at", [AT - NS // 100, AT + NS, AT + 10 * NS])
def test_no_press_begins_a_game_once_it_is_accepted_not_even_one_that_comes_late(ready: Updatable, at: int) -> None:
    ready.ordered()
    for button in ("left", "right", "centre", "ok"):
        ready.press(button, at)
    assert not ready.began


def test_without_an_update_the_same_press_begins_the_game(ready: Updatable) -> None:
    ready.press("right", AT + NS)
    assert ready.began


def test_a_press_that_came_before_the_order_counts_and_the_update_is_refused(ready: Updatable) -> None:
    ready.clock.edge("right", AT - NS // 100, down=True)
    assert ready.ordered() is RefusalReason.NOT_BETWEEN_GAMES
    assert ready.began
    ready.hall.show(AT + ANSWERS_NS)
    assert not ready.request.path.exists()


def test_a_held_press_ends_with_it(over: Updatable) -> None:
    # NEXT GAME: the bar, held for 2 s.
    over.clock.edge("centre", AT - NS, down=True)
    over.ordered()
    over.clock.tick(AT + 5 * NS)
    over.clock.edge("centre", AT + 5 * NS, down=False)
    over.clock.tick(AT + 6 * NS)
    assert (over.clock.table.record.highest, over.clock.game) == (3, 1)


def test_the_directors_menu_closes_and_opens_no_more(over: Updatable) -> None:
    over.clock.edge("key", AT - 2 * NS, down=True)
    over.clock.tick(AT - NS)
    assert over.clock.table.menu is not None
    over.ordered()
    over.press("ok", AT + NS)
    assert over.clock.table.menu is None


def test_a_clock_that_nobody_stops_withdraws_its_request_and_is_the_players_again(ready: Updatable) -> None:
    ready.ordered()
    ready.hall.show(AT + ANSWERS_NS)
    end = AT + ANSWERS_NS + TAKEN_NS
    # Ordered once more meanwhile: it does not begin anew.
    assert ready.take(order("update", name="0e" * 16), (AT + 9 * NS) / NS)[0] is None
    ready.hall.show(end - 1)
    assert ready.request.path.exists()
    ready.hall.show(end)
    assert not ready.request.path.exists()
    assert (ready.source.updated, ready.hall.next_wake) == ("failed", None)
    assert ready.clock.face(end).called == ""
    ready.press("right", end + NS)
    assert ready.began
    assert ready.rows(Kind.NOTE)[-1]["given_up"] == "update"


def test_a_request_that_cannot_be_written_is_given_up_at_once(ready: Updatable, tmp_path: Path) -> None:
    gone = UpdateRequest(tmp_path / "gone/update", tmp_path / "outcome")
    ready.hall = HallMessages(ready.clock, ready.source, HallState(updates=True), update=gone)
    ready.ordered()
    ready.hall.show(AT + ANSWERS_NS)
    assert ready.source.updated == "failed"
    ready.press("right", AT + 5 * NS)
    assert ready.began
