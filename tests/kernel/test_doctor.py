from tests.kernel.conftest import Ask
from tests.machine.figures import Figures


def test_the_doctor_finds_the_chip_by_its_label_and_says_who_stamps_the_edges(ask: Ask, figures: Figures) -> None:
    said = ask("doctor", pins="gpiod")
    assert said["code"] == 0, said
    found = [line.split(maxsplit=1) for line in said["said"].splitlines() if line]
    assert any(rest.startswith("pin library") and "gpiod; the kernel stamps each edge" in rest for _, rest in found)
    assert "9 pins of board full opened" in said["said"]
    assert "none is down" in said["said"]
    assert "CLOCK_MONOTONIC" in said["said"]
    figures.add("gpiod: tileclock doctor: nothing failed")
