from __future__ import annotations

import pytest

from hardware.boards.board import load_board, shipped_boards
from hardware.boards.hookup import COLOURS, adaptors, hookups
from hardware.boards.parts import GROUNDS, on_hole
from hardware.boards.pis import load_pi, pi_ids


@pytest.mark.parametrize("name", shipped_boards())
def test_everything_wired_is_there_once_with_a_colour_of_its_own(name: str) -> None:
    board = load_board(name)
    there = hookups(board)
    assert [each.gpio for each in there] == [gpio for _, gpio in board.wired()]
    assert len({each.colour for each in there}) == len(there) <= len(COLOURS)
    assert all(on_hole(each.hole) == f"GPIO{each.gpio}" for each in there)


@pytest.mark.parametrize("name", shipped_boards())
def test_the_ground_that_is_named_is_a_ground_hole_that_the_boards_note_names_too(name: str) -> None:
    for each in hookups(load_board(name)):
        assert each.ground in GROUNDS
        assert str(each.ground) in each.spec.note


@pytest.mark.parametrize("pi_id", pi_ids())
def test_a_display_is_either_on_the_header_or_on_an_adaptor(pi_id: str) -> None:
    board, pi = load_board("two-display"), load_pi(pi_id)
    on_header = {each.user.removeprefix("displays.") for each in hookups(board, pi) if each.how == "serial"}
    beside = {name for name, _ in adaptors(board, pi)}
    assert on_header | beside == {"left", "right"}
    assert not on_header & beside


def test_what_stands_between_a_hole_and_ground_is_told_in_its_order() -> None:
    ways = {each.user: each.way for each in hookups(load_board("station"))}
    assert ways["buttons.adjudicate"] == "1 kΩ, 10 nF to ground, Arcade button 60 mm, domed, with holder for a lamp"
    assert ways["lamps.adjudicate"] == "1 kΩ, NPN transistor BC337-40, LED lamp 5 V for an arcade button"
    assert ways["lamps.acceptable"] == "220 Ω, LED 5 mm, green"


def test_things_are_called_what_people_call_them() -> None:
    assert [each.title for each in hookups(load_board("full"))] == [
        *("left button", "right button", "centre button", "up button", "down button", "OK button"),
        *("key switch", "left lamp", "right lamp", "buzzer", "power button"),
    ]
