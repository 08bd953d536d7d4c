"""The cost of open pins while no button is pressed."""

from typing import Final

from tests.kernel.conftest import Ask
from tests.machine.figures import Figures

SECONDS: Final = 30


def test_the_pins_sleep_until_there_is_an_edge(ask: Ask, figures: Figures) -> None:
    said = ask("idle", pins="gpiod", seconds=SECONDS)
    share = said["cpu_ns"] / (SECONDS * 1e7)
    figures.add(f"gpiod: idle for {SECONDS} s: {share:.2f} % of a processor, woken {said['wakes'] / SECONDS:.1f} times a second")
    assert said["wakes"] <= SECONDS
