from __future__ import annotations

from gpiozero.pins.mock import MockFactory

from hardware.boards.parts import GROUNDS, HEADER, header_pin


def test_the_header_table_agrees_with_gpiozeros_own_on_a_40_pin_board() -> None:
    header = MockFactory(revision="c03114").board_info.headers["J8"]
    theirs = {int(pin.name.removeprefix("GPIO")): pin.number for pin in header.pins.values() if pin.name.startswith("GPIO")}
    assert {gpio: header_pin(gpio) for gpio in HEADER} == {gpio: hole for gpio, hole in theirs.items() if gpio >= 2}
    assert tuple(sorted(pin.number for pin in header.pins.values() if pin.name == "GND")) == GROUNDS
