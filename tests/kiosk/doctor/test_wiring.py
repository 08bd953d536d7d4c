"""On a Pi the station's self-test tells how its board is wired."""

from __future__ import annotations

from pathlib import Path

from appliance.finding import State
from hardware.boards.board import load_board
from hardware.boards.pis import load_pi
from hardware.pins.mock import MockBoard
from kiosk.doctor.parts import check_pins
from kiosk.settings.model import BoardSettings


def test_a_sound_board_is_told_in_a_line_on_a_pi_and_not_at_all_elsewhere() -> None:
    settings = BoardSettings(file="station", pins="mock")
    here = [finding.name for finding in check_pins(settings, lambda _, **_more: MockBoard(load_board("station")).factory, load_pi("5"))]
    elsewhere = [finding.name for finding in check_pins(settings, lambda _, **_more: MockBoard(load_board("station")).factory)]
    assert here[:2] == ["board file", "wiring"]
    assert "wiring" not in elsewhere


def test_a_faulty_board_is_told_with_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(
        'title = "Own"\nkind = "station"\n[buttons.adjudicate]\ngpio = 5\n[lamps.adjudicate]\ngpio = 16\npart = "arcade-lamp-5v"\n',
        encoding="utf-8",
    )
    settings = BoardSettings(file=str(path), pins="mock")
    findings = list(check_pins(settings, lambda _, **_more: MockBoard(load_board(path)).factory, load_pi("3")))
    (fault,) = [finding for finding in findings if finding.state is State.FAIL]
    assert fault.fix == 'Let a transistor switch it: driver = "bc337-40", resistor = 1000.'
