"""The strip board is the board's circuit and no other: its copper is followed from hole to hole, through parts and cuts, as a meter would."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from hardware.boards.board import Board, load_board, shipped_boards
from hardware.boards.hookup import Hookup, hookups
from hardware.boards.parts import GROUNDS, ohms, on_hole
from tests.errors import with_fields
from tools.wiring.strip_picture import FIRST, HOLES, ODD, STRIPS, Component, Hole, StripError, StripLayout, layout, place


def _piece(made: StripLayout, hole: Hole) -> tuple[int, int]:
    """Return the piece of copper that a hole lies on: its strip, and how many cuts are left of it. Between the header's rows is one too."""
    cuts = sum(cut.column < hole.column for cut in made.cuts if cut.strip == hole.strip)
    return hole.strip, cuts + (FIRST <= hole.strip < FIRST + 20 and hole.column > ODD)


def _on(made: StripLayout, component: Component) -> list[tuple[int, int]]:
    return [_piece(made, hole) for hole in component.holes]


def _wires(made: StripLayout, piece: tuple[int, int]) -> list[tuple[str, str]]:
    return sorted((lead.colour, lead.to) for lead in made.leads if _piece(made, lead.hole) == piece)


def _grounds(made: StripLayout) -> set[tuple[int, int]]:
    return {_piece(made, place(pin)) for pin in GROUNDS}


def _behind_resistor(made: StripLayout, each: Hookup) -> tuple[int, int]:
    """Return the piece behind the resistor on that hole's piece, which has the right value and is the only one."""
    here = _piece(made, place(each.hole))
    [resistor] = [part for part in made.components if part.sort == "resistor" and here in _on(made, part)]
    assert resistor.value == ohms(each.spec.resistor)
    [behind] = set(_on(made, resistor)) - {here}
    return behind


@pytest.mark.parametrize("name", shipped_boards())
def test_no_two_holes_of_the_header_are_joined_by_copper(name: str) -> None:
    made = layout(load_board(name))
    pieces = [_piece(made, place(pin)) for pin in range(1, 41)]
    assert len(set(pieces)) == 40


@pytest.mark.parametrize("name", shipped_boards())
def test_every_hole_is_used_once_and_lies_on_the_board_clear_of_the_headers_box(name: str) -> None:
    taken = Counter(layout(load_board(name)).taken())
    assert set(taken.values()) == {1}
    assert all(1 <= hole.strip <= STRIPS and 1 <= hole.column <= HOLES and not ODD - 1 <= hole.column <= ODD + 2 for hole in taken)


@pytest.mark.parametrize("name", shipped_boards())
def test_from_each_pin_the_way_leads_through_its_resistor_to_its_own_wire_or_to_a_transistors_base(name: str) -> None:
    made = layout(load_board(name))
    for each in hookups(load_board(name)):
        behind = _behind_resistor(made, each)
        if each.how != "driven":
            assert _wires(made, behind) == [(each.colour, each.title)]
            continue
        [transistor] = [part for part in made.components if part.sort == "transistor" and behind in _on(made, part)]
        collector, base, emitter = _on(made, transistor)
        assert base == behind
        assert emitter in _grounds(made)
        assert collector not in {_piece(made, place(pin)) for pin in range(1, 41)}
        assert _wires(made, collector) == [(each.colour, f"{each.title} -")]
        assert _wires(made, base) == []


@pytest.mark.parametrize("name", shipped_boards())
def test_every_black_wire_is_on_ground_every_red_one_on_5_v_and_each_thing_has_what_it_needs(name: str) -> None:
    board = load_board(name)
    made = layout(board)
    volts = {_piece(made, place(pin)) for pin in (2, 4)}
    assert {on_hole(pin) for pin in (2, 4)} == {"5 V"}
    assert all(_piece(made, lead.hole) in _grounds(made) for lead in made.leads if lead.colour == "black")
    assert all(_piece(made, lead.hole) in volts for lead in made.leads if lead.colour == "red")
    there = hookups(board)
    blacks, reds = (sorted(lead.to for lead in made.leads if lead.colour == colour) for colour in ("black", "red"))
    assert blacks == sorted(each.title for each in there if each.how != "driven")
    assert reds == sorted(f"{each.title} +" if each.how == "driven" else each.title for each in there if each.how in ("driven", "serial"))


def test_the_stations_capacitor_stands_between_its_buttons_pin_and_ground() -> None:
    made = layout(load_board("station"))
    [capacitor] = [part for part in made.components if part.sort == "capacitor"]
    pin, ground = _on(made, capacitor)
    assert (capacitor.value, pin) == ("10 nF", _piece(made, place(29)))
    assert ground in _grounds(made)


@pytest.mark.parametrize("name", shipped_boards())
def test_nothing_is_soldered_in_that_no_hookup_asks_for(name: str) -> None:
    there = hookups(load_board(name))
    made = layout(load_board(name))
    assert Counter(part.sort for part in made.components) == Counter(
        ["resistor" for each in there if each.spec.resistor]
        + ["transistor" for each in there if each.how == "driven"]
        + ["capacitor" for each in there if getattr(each.spec, "capacitor", 0)]
    )


def _with_left_button_on(board: Board, gpio: int, capacitor: int = 0) -> Board:
    return replace(board, buttons={**board.buttons, "left": replace(board.buttons["left"], gpio=gpio, capacitor=capacitor)})


def test_parts_that_find_no_room_are_refused_in_a_sentence() -> None:
    full = load_board("full")
    with pytest.raises(StripError, check=with_fields(where="left lamp", found="hole 36")):
        layout(_with_left_button_on(full, 20))  # GPIO 20 is the free neighbour of the left lamp's pin
    with pytest.raises(StripError, check=with_fields(where="left button", found="hole 19")):
        layout(_with_left_button_on(full, 10, capacitor=10))
