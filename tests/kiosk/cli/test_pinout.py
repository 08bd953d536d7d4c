"""``tilekiosk pinout``: the station's board, and only a station's."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from kiosk.cli.main import main
from tests.errors import refused


def test_the_stations_board_is_shown_if_none_is_named() -> None:
    done = CliRunner().invoke(main, ["pinout", "--pi", "5"])
    assert done.exit_code == 0
    assert "adjudicate button, blue   GPIO5  29  30  GND" in done.stdout
    assert done.stdout.endswith("Nothing failed.\n")


def test_a_clocks_board_is_refused_in_one_sentence() -> None:
    done = CliRunner().invoke(main, ["pinout", "full"])
    assert done.stdout == ""
    refused(done, expected="the board of a challenge station (station)", found="'full'")


def test_a_faulty_board_of_ones_own_ends_with_1(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text('title = "Own"\nkind = "station"\n[buttons.adjudicate]\ngpio = 5\n[lamps.adjudicate]\ngpio = 7\n', encoding="utf-8")
    done = CliRunner().invoke(main, ["pinout", str(path), "--pi", "3"])
    assert done.exit_code == 1
    assert "Fix: Take one of GPIO 9 to 27." in done.stdout
