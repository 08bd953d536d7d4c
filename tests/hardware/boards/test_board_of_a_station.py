"""A station's board: what it needs, what it may not have, and that neither appliance takes the other's."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from appliance.errors import BoardError
from hardware.boards.board import load_board
from hardware.boards.kinds import CLOCK, STATION, Appliance
from tests.errors import with_fields
from tests.hardware.board_files import STAND, TWO, refused


def test_the_station_board_has_the_adjudication_button_the_directors_key_and_three_lamps() -> None:
    board = load_board("station", STATION)
    assert (board.id, board.kind, board.buzzer) == ("station", "station", None)
    assert set(board.buttons) == {"adjudicate", "key"}
    assert set(board.lamps) == {"adjudicate", "acceptable", "unacceptable"}


def test_the_stations_buttons_are_pulled_up_from_reset_and_its_lamps_down() -> None:
    board = load_board("station")
    assert all(pin.gpio <= 8 for pin in board.buttons.values())
    assert all(pin.gpio >= 9 for pin in board.lamps.values())


def test_a_station_needs_no_more_than_the_adjudication_button(tmp_path: Path) -> None:
    path = tmp_path / "door.toml"
    path.write_text(STAND, encoding="utf-8")
    board = load_board(path, STATION)
    assert (list(board.buttons), dict(board.lamps)) == (["adjudicate"], {})


@pytest.mark.parametrize(
    ("file", "appliance", "said"),
    [
        (
            STAND,
            CLOCK,
            "table clock (full, two-button), found 'station'. Name a shipped board (full, two-button, two-display), or a file of that kind.",
        ),
        (TWO, STATION, "challenge station (station), found 'two-button'. Name a shipped board (station), or a file of that kind."),
    ],
)
def test_the_board_of_one_appliance_is_refused_on_the_other(tmp_path: Path, file: str, appliance: Appliance, said: str) -> None:
    path = tmp_path / "other.toml"
    path.write_text(file, encoding="utf-8")
    with pytest.raises(BoardError) as caught:
        load_board(path, appliance)
    assert str(caught.value) == f"{path}: kind: expected the board of a {said}"


def test_an_unknown_board_is_answered_with_the_boards_of_that_appliance() -> None:
    with pytest.raises(BoardError, check=with_fields(expected=re.compile("station"), found="'huge'")):
        load_board("huge", STATION)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (STAND + "[buttons.left]\ngpio = 6\n", "buttons.left: expected only the names adjudicate, key on a station board, found 'left'"),
        (
            STAND + "[lamps.right]\ngpio = 16\n",
            "lamps.right: expected only the names adjudicate, acceptable, unacceptable on a station board, found 'right'",
        ),
        (
            TWO + "[buttons.adjudicate]\ngpio = 4\n",
            "buttons.adjudicate: expected only the names left, right, centre, up, down, ok, key on a two-button board, found 'adjudicate'",
        ),
        (
            TWO.replace("two-button", "full") + "[lamps.acceptable]\ngpio = 16\n",
            "lamps.acceptable: expected only the names left, right on a full board, found 'acceptable'",
        ),
    ],
)
def test_a_name_of_the_other_appliance_is_refused(tmp_path: Path, text: str, said: str) -> None:
    assert refused(tmp_path, text) == f"{said}. Rename it or take it out."


def test_a_station_board_with_a_buzzer_is_refused(tmp_path: Path) -> None:
    said = refused(tmp_path, STAND + "[buzzer]\ngpio = 12\n")
    assert said == "buzzer: expected none on a station board, which makes no sound, found one. Take it out."


def test_a_station_board_without_its_button_is_refused(tmp_path: Path) -> None:
    said = refused(tmp_path, STAND.replace("buttons.adjudicate", "buttons.key"))
    assert said == (
        "kind: expected the buttons adjudicate on a station board, found no adjudicate. Add [buttons.adjudicate] with its gpio."
    )
