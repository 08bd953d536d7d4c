"""What open pins cost while nobody presses: a figure of the emulator, to compare the libraries with."""

from __future__ import annotations

from typing import Final

from tests.kernel.conftest import Ask
from tests.machine.figures import Figures

SECONDS: Final = 30


def test_libgpiod_sleeps_until_there_is_an_edge_and_lgpio_looks_all_the_time(ask: Ask, figures: Figures) -> None:
    said = {pins: ask("idle", pins=pins, seconds=SECONDS) for pins in ("lgpio", "gpiod")}
    for pins, each in said.items():
        share = each["cpu_ns"] / (SECONDS * 1e7)
        figures.add(f"{pins}: idle for {SECONDS} s: {share:.2f} % of a processor, woken {each['wakes'] / SECONDS:.1f} times a second")
    assert said["gpiod"]["wakes"] <= SECONDS
    assert said["lgpio"]["wakes"] > 100 * SECONDS
