from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass

import pytest

from game.game import Phase
from rules.side import Side
from tests.hall.joined import CALL_NS, MENU_NS, JoinedHall, PlayedClock, joined_hall
from tests.installed import require
from tests.kiosk.shell.rig import Rig
from tests.processes import until
from tests.some import some

pytestmark = pytest.mark.waits(25)


@dataclass
class JoinedTable:
    clock: PlayedClock
    station: Rig
    other: Rig

    def challenged(self) -> None:
        if self.clock.game.phase is Phase.ADJUDICATION:
            return
        if self.clock.game.running is None:
            turn = self.clock.game.turn
            self.clock.press((Side.LEFT if turn is None else turn).other.value)
            until(lambda: self.clock.game.running is not None, "a clock that runs")
        player = some(self.clock.game.running)
        # A play, which can be challenged.
        self.clock.press(player.value)
        until(lambda: self.clock.game.running is player.other, "the next turn")
        self.clock.press("centre", CALL_NS)
        self.clock.until("adjudication")

    def withdrawn(self) -> None:
        self.asked(self.other)
        self.other.tap("ways", "withdraw")
        until(lambda: self.clock.game.phase is not Phase.ADJUDICATION, "the withdrawal")

    def asked(self, station: Rig, word: str = "TILE") -> None:
        station.tap("12", "next")
        station.until(lambda: station.page == "words")
        station.tap(word, "finish")
        assert station.page == "checking", (station.page, station.said)


@pytest.fixture(scope="module")
def joined(tmp_path_factory: pytest.TempPathFactory) -> Iterator[JoinedTable]:
    require("mosquitto")
    with ExitStack() as stack, pytest.MonkeyPatch.context() as patch:
        patch.setenv("SDL_VIDEODRIVER", "dummy")
        hall: JoinedHall = stack.enter_context(joined_hall(tmp_path_factory.mktemp("t")))
        clock = stack.enter_context(hall.clock("red", 12))
        stations = [stack.enter_context(hall.station(name)) for name in "AB"]
        for station in stations:
            _hears_clock(station)
        yield JoinedTable(clock, *stations)


def _hears_clock(station: Rig) -> None:
    """Wait until the clock's presence has come to the station's link: before, the station asks its players at once."""
    line = some(station.loop._hall).line
    line.focus(12)
    until(lambda: line.stale_at is not None, "the clock of table 12")


@pytest.fixture
def table(joined: JoinedTable) -> Iterator[JoinedTable]:
    joined.challenged()
    yield joined
    for station in (joined.station, joined.other):
        if any(target.id == "done" for target in station.shown.actions):
            station.tap("done")


def test_a_look_up_asks_only_the_words_and_its_verdict_stands_on_the_clock(table: JoinedTable) -> None:
    table.asked(table.station)
    table.station.tap("adjudicate")
    table.clock.until("neutral")
    table.station.reads("The clock of table 12 has accepted it.")
    assert "The station: TILE · +5 points" in table.clock.face.details
    assert table.clock.game.ruling == "acceptable"


def test_of_two_stations_the_first_counts_and_the_second_and_the_clock_say_so(table: JoinedTable) -> None:
    table.asked(table.station)
    table.asked(table.other, "TILA")
    table.station.reads("has accepted it", "adjudicate")
    table.other.reads("The challenge already has a verdict at the clock of table 12.", "adjudicate")
    assert table.clock.game.ruling == "acceptable"
    assert "Another verdict from a station: the first one counts" in table.clock.face.details


def test_a_verdict_for_an_earlier_challenge_changes_nothing_and_both_say_so(table: JoinedTable) -> None:
    table.asked(table.station)
    table.withdrawn()
    # The station has been left alone meanwhile: what it shows is the challenge that is over.
    table.challenged()
    table.station.reads("The clock of table 12 has another challenge.", "adjudicate")
    assert table.clock.game.phase is Phase.ADJUDICATION
    assert "Verdict from the station: for another challenge. Call the director" in table.clock.face.details


def test_a_call_at_the_clock_s_own_buttons_shows_at_the_station_until_the_director_comes(table: JoinedTable) -> None:
    table.asked(table.station)
    table.clock.show_menus()
    table.clock.press("centre", MENU_NS)
    until(lambda: table.clock.loop._clock.table.table_menu is not None, "the table menu")
    while (menu := table.clock.loop._clock.table.table_menu) is None or menu.chosen != "call":
        assert menu is not None
        table.clock.press("right")
    table.clock.press("centre")
    until(lambda: table.clock.game.called, "the call")
    assert table.clock.face.called
    table.station.reads("The director is called at your clock.")
    # The key answers the call, and leads back to the challenge.
    table.clock.press("key")
    until(lambda: not table.clock.game.called, "the answer")
    assert table.clock.game.phase is Phase.ADJUDICATION
    table.station.tap("ways", "withdraw")
    until(lambda: table.clock.game.phase is not Phase.ADJUDICATION, "the withdrawal")


def test_a_call_at_a_station_shows_on_the_clock_and_what_the_clock_calls_shows_at_the_station(table: JoinedTable) -> None:
    table.asked(table.station)
    table.asked(table.other)
    assert not table.clock.game.called
    table.other.tap("director")
    table.other.until(lambda: table.clock.game.called)
    assert table.clock.face.called
    table.station.reads("The director is called at your clock.")
