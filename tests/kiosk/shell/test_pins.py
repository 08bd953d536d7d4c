"""A real board of mock pins, its edges made presses, its lamps as the station's state has them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from appliance.errors import PinUnavailable
from game.challenge_log.entry import Way
from hardware.boards.board import load_board
from hardware.boards.kinds import STATION
from hardware.buttons.board_pins import BoardPins, Lamps
from hardware.buttons.reader import Edge
from hardware.pins.mock import MockBoard
from kiosk.challenge.flow import Step
from kiosk.director.door import Lock
from kiosk.effects import Effect
from kiosk.events import Adjudicate
from kiosk.shell.front import ButtonPanel
from kiosk.station.board import BUTTON, ContactChange, apply_edge, lit, tick
from kiosk.station.board import begin as contacts_at
from kiosk.station.station import apply, begin
from rules.contact import MS
from tests.errors import with_fields
from tests.kiosk.challenge.making import S, context
from tests.kiosk.face.flows import checking, verdict


@pytest.fixture
def mock() -> MockBoard:
    return MockBoard(load_board("station", STATION))


@pytest.fixture
def heard() -> list[Edge]:
    return []


@pytest.fixture
def pins(mock: MockBoard, heard: list[Edge]) -> Iterator[BoardPins]:
    with BoardPins(mock.board, mock.factory, heard.append) as opened:
        yield opened


def shining(mock: MockBoard) -> set[str]:
    return {lamp for lamp in mock.board.lamps if mock.lit(lamp)}


def turned(heard: list[Edge], down: frozenset[str] = frozenset()) -> list[ContactChange]:
    """Return what the edges come to, long after."""
    contacts, told = contacts_at(down, 0)
    for edge in heard:
        contacts, more = apply_edge(contacts, edge.button, edge.at, down=edge.down)
        told += more
    return [*told, *tick(contacts, 10**18)[1]]


def test_a_press_of_the_button_and_a_turn_of_the_key_come_as_edges_with_their_instants(
    mock: MockBoard, pins: BoardPins, heard: list[Edge]
) -> None:
    mock.press("adjudicate", 100 * MS)
    mock.down("key", 500 * MS)
    assert pins.down() == {"key"}
    assert [(edge.button, edge.down, edge.at) for edge in heard] == [
        ("adjudicate", True, 100 * MS),
        ("adjudicate", False, 180 * MS),
        ("key", True, 500 * MS),
    ]
    assert turned(heard) == [
        ContactChange("adjudicate", on=True, at=100 * MS),
        ContactChange("adjudicate", on=False, at=180 * MS),
        ContactChange("key", on=True, at=500 * MS),
    ]


def test_a_press_of_the_lit_button_adjudicates_once_however_it_bounces_and_however_long_it_is_held(
    mock: MockBoard, pins: BoardPins, heard: list[Edge]
) -> None:
    flow = checking()
    station = begin(context(), Lock(pin=True)).replace(flow=flow)
    pressed_at = flow.since + S
    pins.light(lit(station, pressed_at))
    assert shining(mock) == {"adjudicate"}
    mock.bounce("adjudicate", [pressed_at, pressed_at + MS, pressed_at + 3 * MS])
    mock.up("adjudicate", pressed_at + 60 * S)
    asked: list[Effect] = []
    for each in turned(heard):
        if each.button == BUTTON and each.on:
            station, effects = apply(station, Adjudicate(Way.BUTTON), each.at)
            asked += effects
    assert len(asked) == 1
    assert station.flow.step is Step.JUDGING
    pins.light(lit(station, pressed_at))
    assert shining(mock) == set()


def test_a_button_that_is_stuck_from_the_start_never_adjudicates(mock: MockBoard, heard: list[Edge]) -> None:
    mock.down("adjudicate", 0)
    with BoardPins(mock.board, mock.factory, heard.append) as pins:
        assert pins.down() == {"adjudicate"}
        assert turned(heard, pins.down()) == []


def test_a_verdicts_lamp_is_lit_as_long_as_it_stands_and_never_both(mock: MockBoard, pins: BoardPins) -> None:
    for acceptable, lamp in ((True, "acceptable"), (False, "unacceptable")):
        flow = verdict(acceptable=acceptable)
        pins.light(lit(begin(context(), Lock(pin=True)).replace(flow=flow), flow.since))
        assert shining(mock) == {lamp}
    pins.light(frozenset())
    assert shining(mock) == set()


def test_from_one_verdict_to_the_other_never_both_lamps_are_lit(mock: MockBoard, pins: BoardPins, monkeypatch: pytest.MonkeyPatch) -> None:
    put, seen = Lamps.set, list[set[str]]()

    def watched(lamps: Lamps, name: str, *, on: bool) -> None:
        put(lamps, name, on=on)
        seen.append(shining(mock))

    monkeypatch.setattr(Lamps, "set", watched)
    for lamp in ("acceptable", "unacceptable", "acceptable", "adjudicate", "unacceptable"):
        pins.light(frozenset({lamp}))
        assert shining(mock) == {lamp}
    assert all(len(lit_then) <= 1 for lit_then in seen)


def test_when_the_pins_are_closed_the_lamps_are_dark_and_no_edge_comes(mock: MockBoard, heard: list[Edge]) -> None:
    with BoardPins(mock.board, mock.factory, heard.append) as pins:
        pins.light(frozenset({"acceptable"}))
        assert shining(mock) == {"acceptable"}
    pins.close()
    again = MockBoard(mock.board)
    with BoardPins(again.board, again.factory, heard.append):
        assert shining(again) == set()
    mock.press("adjudicate", 1)
    assert heard == []


def test_a_board_with_neither_key_nor_lamps_is_enough(tmp_path: Path, heard: list[Edge]) -> None:
    file = tmp_path / "door.toml"
    file.write_text('title = "By the door"\nkind = "station"\n[buttons.adjudicate]\ngpio = 5\n', encoding="utf-8")
    mock = MockBoard(load_board(file, STATION))
    with BoardPins(mock.board, mock.factory, heard.append) as pins:
        pins.light(frozenset({"adjudicate", "unacceptable"}))
        mock.press("adjudicate", 10 * MS)
    assert [each.at for each in turned(heard) if each.on] == [10 * MS]


def test_a_pin_that_is_taken_is_named_and_the_others_are_given_back(mock: MockBoard, pins: BoardPins, heard: list[Edge]) -> None:
    with pytest.raises(PinUnavailable, check=with_fields(where="board station", expected="GPIO16 (header pin 36) for lamps.adjudicate")):
        BoardPins(mock.board, mock.factory, heard.append)


def test_when_lamps_are_given_up_none_stays_lit_for_the_next_players_and_the_button_goes_on(
    mock: MockBoard, pins: BoardPins, heard: list[Edge], monkeypatch: pytest.MonkeyPatch
) -> None:
    station = begin(context(), Lock(pin=True))
    panel = ButtonPanel(pins, 0)
    panel.show(station.replace(flow=verdict(acceptable=True)), 0)
    assert len(shining(mock)) == 1

    def fails(_: object, name: str, *, on: bool) -> None:
        raise PinUnavailable(expected=f"to switch the lamp {name}", found="it fails")

    monkeypatch.setattr(Lamps, "set", fails)
    panel.show(station, S)
    assert not shining(mock)
    panel.show(station.replace(flow=verdict(acceptable=True)), 2 * S)
    assert not shining(mock)
    mock.press("adjudicate", 3 * S)
    assert [edge.down for edge in heard] == [True, False]


def test_lamps_that_failed_once_are_given_up_for_good_and_that_is_said_once(
    mock: MockBoard, pins: BoardPins, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    station, tried = begin(context(), Lock(pin=True)), list[str]()
    shows = (station.replace(flow=verdict(acceptable=True)), station, station.replace(flow=verdict(acceptable=False)))
    panel = ButtonPanel(pins, 0)

    def fails(_: object, name: str, *, on: bool) -> None:
        tried.append(name)
        raise PinUnavailable(expected=f"to switch the lamp {name}", found="it fails")

    monkeypatch.setattr(Lamps, "set", fails)
    for second, each in enumerate(shows * 2):
        panel.show(each, second * S)
    assert tried == ["acceptable"]
    assert capsys.readouterr().out.count("lamps given up") == 1


@pytest.fixture
def deaf(mock: MockBoard, pins: BoardPins, monkeypatch: pytest.MonkeyPatch) -> MockBoard:
    """A board of which no edge comes any more."""
    monkeypatch.setattr(mock.factory.pin(mock.board.buttons[BUTTON].name), "_call_when_changed", lambda: None)
    return mock


def test_a_press_whose_edges_were_lost_is_told_by_a_look_at_the_line(deaf: MockBoard, pins: BoardPins, heard: list[Edge]) -> None:
    panel = ButtonPanel(pins, 0)
    deaf.down(BUTTON)
    again = panel.reread(MS)
    assert again is not None
    assert panel.reread(again) is None
    assert [(edge.button, edge.down, edge.at, edge.stamped) for edge in heard] == [(BUTTON, True, MS, False)]


def test_a_library_that_fails_at_a_look_is_not_asked_again_and_the_panel_goes_on(
    mock: MockBoard, pins: BoardPins, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel = ButtonPanel(pins, 0)
    asked: list[int] = []

    def fails(now: int) -> int | None:
        asked.append(now)
        raise PinUnavailable(expected="to read the buttons' pins", found="gone")

    monkeypatch.setattr(pins, "reread", fails)
    assert [panel.reread(1), panel.reread(2)] == [None, None]
    assert asked == [1]
