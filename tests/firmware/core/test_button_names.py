"""The buttons of the script format and those of the boards are one list, written twice so that the core asks no hardware."""

from firmware.core.lines import BUTTONS
from hardware import board


def test_the_format_knows_the_buttons_that_a_board_can_have_and_no_other() -> None:
    assert BUTTONS == board.BUTTONS
