"""The buttons of the script format and those of the boards are one list, written twice so that the core asks no hardware."""

from game.script import BUTTONS
from hardware.boards import kinds


def test_the_format_knows_the_buttons_that_a_clocks_board_can_have_and_no_other() -> None:
    assert BUTTONS == kinds.BUTTONS
