from __future__ import annotations

import re

import pytest

from appliance.errors import BoardError, PiUnknown
from hardware.boards.board import load_board, shipped_boards
from hardware.boards.hookup import hookups
from hardware.boards.kinds import CLOCK, STATION
from hardware.boards.parts import on_hole
from hardware.boards.pis import load_pi, pi_ids
from hardware.electrics import check
from hardware.pinout import pinout, report
from tests.cells import each_cell


def _lines(name: str, pi_id: str = "4") -> list[str]:
    board, pi = load_board(name), load_pi(pi_id)
    return list(pinout(board, pi, check(board, pi)))


@pytest.mark.parametrize("name", shipped_boards())
def test_all_forty_holes_are_shown_two_a_line_with_what_they_are(name: str) -> None:
    header = _lines(name)[2:22]
    for row, line in enumerate(header):
        odd, even = 2 * row + 1, 2 * row + 2
        assert f"{on_hole(odd)}  {odd:2}  {even:2}  {on_hole(even)}" in line


@pytest.mark.parametrize("name", shipped_boards())
def test_everything_stands_beside_its_hole_and_in_the_list_of_wires(name: str) -> None:
    for cell in each_cell(pi_ids()):
        with cell as pi_id:
            lines = _lines(name, pi_id)
            for each in hookups(load_board(name), load_pi(pi_id)):
                (row,) = [line for line in lines[2:22] if f"{each.title}, {each.colour}" in line]
                assert f"GPIO{each.gpio}" in row
                assert f"{each.hole}" in row
                assert any(line.startswith(each.title) and line.endswith(each.way) for line in lines[23:])


def test_a_display_on_an_adaptor_is_told_with_its_port_and_not_shown_on_the_header() -> None:
    lines = _lines("two-display", "zero-2-w")
    assert "right display: on a USB adaptor at /dev/ttyUSB*, not on the header" in lines
    assert not any("right display" in line for line in lines[2:22])


def test_what_is_piped_is_plain_and_of_a_bearable_width() -> None:
    assert all(len(line) <= 160 and "\x1b" not in line for line in _lines("full"))


@pytest.mark.parametrize("width", [40, 80, 120])
def test_a_narrow_terminal_gets_narrow_lines_with_nothing_left_out(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    wide = "".join("".join(_lines("two-button")[1:]).split())
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", str(width))
    lines = [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in _lines("two-button")[1:]]
    assert all(len(line) <= width for line in lines)
    assert sorted("".join("".join(lines).split())) == sorted(wide)


def test_the_check_ends_the_picture() -> None:
    assert _lines("full")[-1] == "Nothing failed."


def test_off_a_pi_it_is_said_for_which_one_it_was_reckoned() -> None:
    lines, sound = report("full", None, CLOCK)
    assert lines[0] == "This is not a known Pi: checked for a Raspberry Pi 4 (B, 400). Name another with --pi."
    assert sound
    lines, sound = report("station", "5", STATION)
    assert lines[0] == "Challenge station: adjudication button, director's key, verdict lamps, on a Raspberry Pi 5"


def test_a_bad_board_and_an_unknown_pi_are_errors_of_ours() -> None:
    with pytest.raises(BoardError):
        report("station", "4", CLOCK)
    with pytest.raises(PiUnknown):
        report("full", "6", CLOCK)
