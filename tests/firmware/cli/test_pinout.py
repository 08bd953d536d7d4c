"""``tileclock pinout`` by the real program: what it shows, and with which code it ends."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.firmware.shell.processes import running

LAMP_ON_A_BARE_PIN = """title = "Table 4"
kind = "two-button"
[buttons.left]
gpio = 5
[buttons.right]
gpio = 6
[lamps.left]
gpio = 16
part = "arcade-lamp-5v"
"""


def _ended(*arguments: str) -> tuple[int, str, str]:
    with running("pinout", *arguments) as process:
        output, errors = process.communicate(timeout=20)
    return process.returncode, output, errors


@pytest.mark.parametrize("board", ["full", "two-button", "two-display"])
def test_each_board_of_a_clock_is_shown_and_sound(board: str) -> None:
    code, output, errors = _ended(board, "--pi", "5")
    assert (code, errors) == (0, "")
    assert "GPIO5  29  30  GND" in output
    assert output.endswith("Nothing failed.\n")


def test_a_board_with_an_electrical_fault_ends_with_1_and_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text(LAMP_ON_A_BARE_PIN, encoding="utf-8")
    code, output, _ = _ended(str(tmp_path / "own.toml"), "--pi", "4")
    assert code == 1
    assert 'Fix: Let a transistor switch it: driver = "bc337-40", resistor = 1000.' in output


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ("huge",),
            "expected a shipped board (full, two-button, two-display) or the path of a board file, found 'huge'. Name one of these",
        ),
        (("station",), "found 'station'. Name a shipped board (full, two-button, two-display), or a file of that kind"),
        (
            ("full", "--pi", "2"),
            "expected one of the Pis 3, 4, 5, zero-2-w, found '2'. Name one of these, or the most similar one",
        ),
    ],
)
def test_what_cannot_be_shown_is_one_sentence_and_2(arguments: tuple[str, ...], said: str) -> None:
    code, output, errors = _ended(*arguments)
    assert (code, output) == (2, "")
    assert errors.startswith("tileclock: ")
    assert errors.endswith(f"{said}.\n")
    assert errors.count("\n") == 1
