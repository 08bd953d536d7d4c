from __future__ import annotations

import pytest

from hardware.boards.board import load_board
from hardware.buttons.reader import ButtonPins, Edge
from hardware.pins.mock import MockBoard


def test_a_contact_that_is_closed_twice_makes_one_edge() -> None:
    mock = MockBoard(load_board("two-button"))
    edges: list[Edge] = []
    pins = ButtonPins(mock.board, mock.factory, edges.append)
    mock.down("left", 1)
    mock.down("left", 2)
    mock.up("left", 3)
    mock.up("left", 4)
    assert [edge.at for edge in edges] == [1, 3]
    pins.close()


def test_a_press_with_no_instant_is_as_long_as_it_is_said_to_be() -> None:
    mock = MockBoard(load_board("two-button"))
    edges: list[Edge] = []
    pins = ButtonPins(mock.board, mock.factory, edges.append)
    mock.press("right", held_ns=1_234_567)
    assert edges[1].at - edges[0].at == 1_234_567
    pins.close()


def test_a_button_that_the_board_lacks_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        MockBoard(load_board("two-button")).down("centre", 1)


def test_a_board_that_was_given_back_can_be_used_again() -> None:
    mock = MockBoard(load_board("two-button"))
    mock.down("left", 1)
    mock.close()
    pins = ButtonPins(mock.board, mock.factory, lambda _edge: None)
    assert pins.levels() == frozenset()
    pins.close()


def test_ticks_apart_are_seconds_for_gpiozeros_own_devices() -> None:
    factory = MockBoard(load_board("two-button")).factory
    assert factory.ticks_diff(2_500_000_000, 1_000_000_000) == 1.5
