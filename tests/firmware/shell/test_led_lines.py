"""Where the clock looks for its LED displays."""

from __future__ import annotations

from firmware.settings.model import LedSettings
from firmware.shell.displays import led_lines
from hardware.boards.board import load_board
from hardware.boards.pis import load_pi
from hardware.settings import LedLine
from rules.side import BySide

BARE = load_board("full")


def test_the_settings_ports_come_before_the_boards_and_off_means_off() -> None:
    board = load_board("two-display")
    named = led_lines(LedSettings(left=("/dev/a", "/dev/b"), brightness=30), board, None)
    assert named.left == LedLine(("/dev/a", "/dev/b"), 9600, 30)
    assert named.right == LedLine((board.displays["right"].port,), 9600, 30)
    assert led_lines(LedSettings(enabled=False, left=("/dev/a",)), board, None) == BySide(None, None)
    assert led_lines(LedSettings(), BARE, None) == BySide(None, None)
    assert led_lines(LedSettings(right=("/dev/b",)), BARE, None) == BySide(None, LedLine(("/dev/b",)))


def test_on_a_pi_the_boards_displays_are_where_its_pins_send() -> None:
    board, pi = load_board("two-display"), load_pi("4")
    uarts = {side: pi.uart(board.displays[side].tx) for side in ("left", "right")}
    for side, line in led_lines(LedSettings(), board, pi).items():
        uart = uarts[side.value]
        assert line is not None
        assert uart is not None
        assert line.ports == (uart.device,)
