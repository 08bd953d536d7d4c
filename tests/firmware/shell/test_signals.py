"""What the pins show and sound: the buzzer as settings and desk want it, whenever the pins come."""

from __future__ import annotations

import pytest

from firmware.shell.displays import Signals
from hardware.boards.board import load_board
from hardware.buttons.board_pins import BoardPins
from hardware.pins.mock import MockPins
from tests.firmware.hall.hall_faces import look


@pytest.mark.parametrize("first", [True, False])
def test_the_buzzer_is_as_the_last_order_wants_it_even_if_the_settings_have_not_reached_the_pins_yet(*, first: bool) -> None:
    given_up: list[str] = []
    signals = Signals(lambda what, _, __: given_up.append(what), buzzer=first)
    with BoardPins(load_board("full"), MockPins(), lambda _: None) as pins:
        assert signals.try_buzzer(pins, enabled=not first)
        signals.show(pins, look("5"), 0)
        assert (pins._buzzer._buzzer is not None, given_up) == (not first, [])
        # Without pins it waits for them.
        assert signals.try_buzzer(None, enabled=first)
        signals.show(pins, look("5"), 0)
        assert (pins._buzzer._buzzer is not None, given_up) == (first, [])
