from __future__ import annotations

import dataclasses
import re
import threading
from typing import Any

import gpiozero
import pytest

from appliance.errors import PinUnavailable
from hardware.boards.board import Board, load_board
from hardware.buttons.board_pins import Buzzer, Lamps
from hardware.buttons.reader import ButtonPins
from hardware.pins.mock import MockBoard
from tests.errors import with_fields


@pytest.fixture
def mock() -> MockBoard:
    return MockBoard(load_board("full"))


def bare() -> Board:
    """Return a board with neither lamps nor buzzer."""
    return dataclasses.replace(load_board("two-button"), lamps={}, buzzer=None)


def watched(mock: MockBoard, gpio: int, monkeypatch: pytest.MonkeyPatch) -> tuple[list[bool], threading.Event]:
    """Return what the pin is set to from now on, and an event for its third change."""
    pin = mock.factory.pin(f"GPIO{gpio}")
    seen: list[bool] = []
    enough = threading.Event()
    really = type(pin)._change_state

    def change(self: Any, value: bool) -> bool:
        changed: bool = really(self, value)
        if self is pin and changed:
            seen.append(value)
            if len(seen) >= 3:
                enough.set()
        return changed

    monkeypatch.setattr(type(pin), "_change_state", change)
    return seen, enough


def test_both_lamps_are_dark_at_first_and_only_one_is_lit_at_a_time(mock: MockBoard) -> None:
    lamps = Lamps(mock.board, mock.factory)
    assert not mock.lit("left")
    assert not mock.lit("right")
    for name, other in (("left", "right"), ("right", "left")):
        lamps.light(frozenset({name}))
        assert mock.lit(name)
        assert not mock.lit(other)
    lamps.light(frozenset())
    assert not mock.lit("right")


def test_a_stations_lamps_are_lit_one_at_a_time_or_each_by_itself() -> None:
    mock = MockBoard(load_board("station"))
    lamps = Lamps(mock.board, mock.factory)
    for name in mock.board.lamps:
        lamps.light(frozenset({name}))
        assert [lamp for lamp in mock.board.lamps if mock.lit(lamp)] == [name]
    lamps.set("adjudicate", on=True)
    assert mock.lit("adjudicate")
    assert mock.lit("unacceptable")
    with pytest.raises(KeyError):
        lamps.set("left", on=True)
    lamps.close()


def test_a_lamp_whose_library_fails_is_said_and_can_still_be_closed(mock: MockBoard, monkeypatch: pytest.MonkeyPatch) -> None:
    lamps = Lamps(mock.board, mock.factory)
    pin = mock.factory.pin(mock.board.lamps["left"].name)

    def torn_off(_pin: object, _value: object) -> None:
        raise gpiozero.PinSetInput("the wire is off")

    monkeypatch.setattr(type(pin), "_set_state", torn_off)
    monkeypatch.setattr(type(pin), "state", property(type(pin)._get_state, torn_off))
    with pytest.raises(PinUnavailable, check=with_fields(expected=re.compile("lamp left"), found="the wire is off")):
        lamps.set("left", on=True)
    lamps.close()
    lamps.close()


def test_a_lamp_that_the_board_lacks_does_nothing_and_one_that_no_board_has_is_an_error() -> None:
    lamps = Lamps(bare(), MockBoard(bare()).factory)
    lamps.light(frozenset({"left"}))
    lamps.close()
    with pytest.raises(KeyError):
        lamps.set("top", on=True)


def test_a_lamp_on_a_pin_that_is_taken_is_named(mock: MockBoard) -> None:
    first = Lamps(mock.board, mock.factory)
    with pytest.raises(PinUnavailable, check=with_fields(expected="GPIO16 (header pin 36) for lamps.left")):
        Lamps(mock.board, mock.factory)
    first.light(frozenset({"left"}))
    assert mock.lit("left")


def test_lamps_and_buttons_share_a_factory(mock: MockBoard) -> None:
    lamps = Lamps(mock.board, mock.factory)
    pins = ButtonPins(mock.board, mock.factory, lambda edge: lamps.set(edge.button, on=edge.down))
    mock.down("right", 1)
    assert mock.lit("right")
    pins.close()


def test_the_buzzer_sounds_once_and_falls_silent_by_itself(mock: MockBoard, monkeypatch: pytest.MonkeyPatch) -> None:
    assert mock.board.buzzer is not None
    buzzer = Buzzer(mock.board, mock.factory, enabled=True)
    seen, enough = watched(mock, mock.board.buzzer.gpio, monkeypatch)
    buzzer.short(length_ns=1_000_000)
    buzzer._buzzer._blink_thread.join(10)
    assert seen == [True, False]
    assert not enough.is_set()
    assert not mock.sounding()
    buzzer.close()
    buzzer.close()


def test_the_buzzer_sounds_while_it_lasts_and_is_cut_off_by_close(mock: MockBoard) -> None:
    buzzer = Buzzer(mock.board, mock.factory, enabled=True)
    buzzer._buzzer.on()
    assert mock.sounding()
    buzzer.close()
    assert not mock.sounding()


@pytest.mark.parametrize(("board", "enabled"), [(load_board("full"), False), (bare(), True)], ids=["not enabled", "none on the board"])
def test_a_buzzer_that_is_off_or_not_there_takes_no_pin_and_makes_no_sound(board: Board, enabled: bool) -> None:
    mock = MockBoard(board)
    buzzer = Buzzer(board, mock.factory, enabled=enabled)
    buzzer.short()
    assert not mock.sounding()
    assert not mock.factory._reservations
    buzzer.close()


def test_a_buzzer_is_let_sound_and_silenced_while_the_clock_runs(mock: MockBoard) -> None:
    buzzer = Buzzer(mock.board, mock.factory)
    for _ in range(2):
        buzzer.enable(enabled=True)
    buzzer._buzzer.on()
    assert mock.sounding()
    buzzer.enable(enabled=False)
    assert not mock.sounding()
    assert not any(mock.factory._reservations.values())
    buzzer.close()


def test_a_buzzer_on_a_pin_that_is_taken_is_named(mock: MockBoard) -> None:
    first = Buzzer(mock.board, mock.factory, enabled=True)
    with pytest.raises(PinUnavailable, check=with_fields(expected="GPIO12 (header pin 32) for buzzer")):
        Buzzer(mock.board, mock.factory, enabled=True)
    first.close()
