"""LED displays on an I2C bus of a real kernel (i2c-stub): what the driver writes arrives in the chips' memory."""

from hardware.led.picture import DARK, cells, lit
from hardware.led.port import memory
from tests.kernel.conftest import Ask
from tests.machine.figures import Figures


def test_two_displays_on_one_bus_each_hold_their_own_picture_and_end_dark_and_a_third_address_is_an_error(
    ask: Ask, figures: Figures
) -> None:
    said = ask("displays")
    assert said["held"] == {"left": memory(lit(cells("25.00"))).hex(), "right": memory(lit(cells("-1.59"))).hex()}
    assert (said["ended"], said["trouble"]) == ([True, True], [True, True])
    assert said["dark"] == [memory(DARK).hex()] * 2
    assert said["absent"].startswith("expected the left LED display on /dev/i2c-")
    figures.add("i2c-stub: two HT16K33 at 0x70 and 0x71 hold their pictures, written by smbus2 through the kernel; both end dark")
