"""A station whose pins are unavailable when it starts: as a service it judges by touch, tells the director, and takes the board once it is there."""

from __future__ import annotations

import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from appliance.errors import PinUnavailable
from appliance.supervisor import Supervisor
from appliance.voltage import Power
from game.challenge_log.entry import Kind
from hardware.boards.board import load_board
from hardware.boards.kinds import STATION
from hardware.pins import opening
from hardware.pins.mock import MockBoard
from tests.hardware.waiting import Library, Systemd
from tests.kiosk.kept_pin import KEPT_PIN
from tests.kiosk.shell.programs import running
from tests.kiosk.shell.rig import Rig, entries_in, rig
from tests.kiosk.shell.test_power_cut import opened
from tests.kiosk.shell.test_program import options
from tests.processes import PATIENCE_S

pytestmark = pytest.mark.usefixtures("dummy_display")
WHY = PinUnavailable(where="board station", expected="GPIO5", found="it is busy", remedy="End the program that holds the pin")
NOTICE = "Director: adjudication button, lamps and key switch do not work. See the desk."


@contextmanager
def without(
    monkeypatch: pytest.MonkeyPatch, folder: Path, systemd: Systemd, **more: Any
) -> Iterator[tuple[Rig, MockBoard, Callable[[], None]]]:
    """Give a watched station that has no pins, the board on them, and what has them be there."""
    library, board = Library(WHY), MockBoard(load_board("station", STATION))

    def come() -> None:
        library.there = board

    monkeypatch.setattr(opening, "open_factory", library.open)
    with rig(folder, supervisor=Supervisor(notifier=systemd), board__file="station", board__pins="gpiod", **more) as station:
        yield station, board, come


def told(station: Rig) -> list[str | None]:
    return [entry.why for entry in station.entries() if entry.kind is Kind.SELF_TEST]


def test_it_judges_by_touch_and_tells_the_director_until_the_board_is_there_and_then_its_button_adjudicates(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    systemd = Systemd()
    with without(monkeypatch, tmp_path, systemd, door__pin=KEPT_PIN) as (station, board, come):
        assert NOTICE in station.said
        assert station.page == "idle"
        assert "ACCEPTABLE" in station.judged("TILE")
        station.tap("done")
        assert told(station) == [f"the board's pins cannot be opened: {WHY}"]
        come()
        station.goes_by(6)
        assert "Director" not in station.said
        station.asked("TILE", table=13)
        station.goes_by(1)
        assert board.lit("adjudicate")
        board.press("adjudicate", station.hand.now)
        station.goes_by(0.5)
        assert station.page.startswith("verdict")
        assert told(station)[1:] == ["the board's pins are there"]
        assert systemd.heard == [f"STATUS=No pins,retrying: {WHY}", "STATUS="]
    assert not board.factory.pins


def test_the_desk_has_the_whole_reason_behind_the_pin_and_the_notice_is_quiet_once_it_was_seen(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with without(monkeypatch, tmp_path, Systemd(), door__pin=KEPT_PIN, door__key_switch=True) as (station, board, come):
        opened(station)
        assert f"The board's pins cannot be opened: {WHY} It is tried again every 5 s." in station.said
        assert "no key switch opens this desk, the PIN does" in station.said
        bad = [finding.what for finding in station.loop._handler.judge_desk.examine() if not finding.fine]
        assert "pins: board station: expected GPIO5, found it is busy. End the program that holds the pin." in bad
        station.tap("close")
        assert "Director" not in station.said
        station.goes_by(60)
        assert "Director" not in station.said
        come()
        station.goes_by(6)
        board.down("key", station.hand.now)
        station.goes_by(1)
        assert station.page == "desk.menu"
        assert "GPIO5" not in station.said
        assert "pins: gpiod: all pins of the station are open" in [finding.what for finding in station.loop._handler.judge_desk.examine()]


def test_a_key_switch_that_is_on_when_the_board_comes_opens_the_desk_and_a_button_that_is_down_is_no_press(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with without(monkeypatch, tmp_path, Systemd(), door__key_switch=True) as (station, board, come):
        station.asked("TILE")
        for each in ("adjudicate", "key"):
            board.down(each, station.hand.now)
        come()
        station.goes_by(6)
        assert not station.page.startswith("verdict")
        board.up("key", station.hand.now)
        station.goes_by(1)
        assert station.page == "checking"


def test_advice_about_another_matter_stays_when_the_pins_come(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with without(monkeypatch, tmp_path, Systemd(), door__pin=KEPT_PIN) as (station, _, come):
        station.loop.inbox.put(Power(low=True))
        station.goes_by(1)
        opened(station)
        assert "The voltage has been too low" in station.said
        assert "GPIO5" in station.said
        come()
        station.goes_by(6)
        assert "The voltage has been too low" in station.said
        assert "GPIO5" not in station.said
        station.tap("close")
        # It was seen, and nothing new is to be told.
        assert "Director" not in station.said


def test_the_program_itself_is_ready_without_its_pins_as_a_service_and_ends_with_the_sentence_by_hand(tmp_path: Path) -> None:
    arguments = ("run", *options(tmp_path, "--board", "station", "--pins", "gpiod"))
    with running(*arguments, SDL_VIDEODRIVER="dummy") as station:
        said, errors = station.communicate(timeout=PATIENCE_S)
    assert (station.returncode, said, errors.count("\n")) == (2, "", 1)
    assert errors.startswith("tilekiosk: expected a Raspberry Pi with its GPIO header, found ")
    heard: list[str] = []
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(tmp_path / "notify"))
        systemd.settimeout(PATIENCE_S)
        with running(*arguments, SDL_VIDEODRIVER="dummy", NOTIFY_SOCKET=str(tmp_path / "notify")) as station:
            while "READY=1" not in heard:
                heard.append(systemd.recv(1000).decode())
            station.send_signal(signal.SIGTERM)
            _, errors = station.communicate(timeout=PATIENCE_S)
    assert (station.returncode, errors) == (0, "")
    assert any(each.startswith("STATUS=No pins,retrying: expected a Raspberry Pi") for each in heard)
    assert [entry.kind for entry in entries_in(tmp_path / "station.db")] == [Kind.STARTED, Kind.SELF_TEST, Kind.STOPPED]
