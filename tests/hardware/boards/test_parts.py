from __future__ import annotations

import pytest

from hardware.boards.parts import of_sorts, ohms, parts
from tests.cells import each_cell


def test_every_part_can_be_ordered_and_has_a_price_range() -> None:
    for cell in each_cell(list(parts())):
        with cell as name:
            part = parts()[name]
            assert part.name
            assert len(part.order) > 10
            assert 0 < part.eur[0] <= part.eur[1]


def test_no_order_term_names_a_supplier() -> None:
    for cell in each_cell(["http", "www", ".com", "amazon", "adafruit", "sparkfun", "mouser", "digikey", "farnell", "reichelt"]):
        with cell as word:
            assert not [name for name, part in parts().items() if word in (part.order + part.name).lower()]


@pytest.mark.parametrize("name", of_sorts("lamp", "buzzer", "display"))
def test_what_is_fed_has_the_figures_that_the_check_reckons_with(name: str) -> None:
    assert parts()[name].volts > 0
    assert parts()[name].milliamps > 0


@pytest.mark.parametrize("name", of_sorts("led"))
def test_a_led_has_its_own_voltage_and_the_most_it_bears(name: str) -> None:
    assert 1.5 < parts()[name].forward < 3.3
    assert parts()[name].milliamps > 0


@pytest.mark.parametrize("name", of_sorts("display"))
def test_a_display_says_from_where_its_input_reads_high(name: str) -> None:
    assert 0.3 <= parts()[name].input_high <= 0.7


@pytest.mark.parametrize(("value", "said"), [(220, "220 Ω"), (1000, "1 kΩ"), (4700, "4.7 kΩ"), (10_000, "10 kΩ")])
def test_a_resistors_value_is_said_as_it_is_printed_on_the_bag(value: int, said: str) -> None:
    assert ohms(value) == said
