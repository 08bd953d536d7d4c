"""``pins = "rpigpio"`` where rpi-lgpio provides the module RPi.GPIO, as on today's Raspberry Pi OS: the real package, over the real lgpio, on a kernel's pins."""

import statistics
from itertools import pairwise

from tests.kernel.conftest import Ask
from tests.machine.figures import Figures


def test_the_doctor_opens_the_pins_by_rpi_lgpio_and_names_it(ask: Ask, figures: Figures) -> None:
    said = ask("rpi_lgpio_doctor")
    assert said["code"] == 0, said
    assert "rpigpio, by rpi-lgpio; Python stamps each edge" in said["said"]
    assert "9 pins of board full opened" in said["said"]
    figures.add("rpigpio, by rpi-lgpio: tileclock doctor: nothing failed")


def test_presses_come_after_their_pulls_and_pins_open_again(ask: Ask, figures: Figures) -> None:
    said = ask("rpi_lgpio_presses", rounds=3)
    pulls, edges = said["pulls"], said["edges"]
    assert [(button, down) for button, down, _, _ in edges] == [(button, down) for button, down, _, _ in pulls]
    late = [at - before for (_, _, before, _), (_, _, at, _) in zip(pulls, edges, strict=True)]
    assert min(late) > 0
    assert not any(stamped for *_, stamped in edges)
    figures.add(
        f"rpigpio, by rpi-lgpio: {len(pulls)} pulls, each an edge; stamped by Python {min(late) / 1e6:.2f} to {max(late) / 1e6:.2f} ms after its pull"
    )


def test_a_pitched_buzzer_makes_each_tone_on_its_pin_and_is_silent_between(ask: Ask, figures: Figures) -> None:
    melody = [(440, 1000), (0, 400), (880, 1000)]
    rises = ask("rpi_lgpio_tones", melody=melody)["rises"]
    low, silent, high = ([at for at in rises if begins <= at < ends] for begins, ends in ((0.2, 0.8), (1.15, 1.35), (1.7, 2.2)))
    assert silent == []
    pitches = [1 / statistics.median(after - before for before, after in pairwise(tone)) for tone in (low, high)]
    assert [round(pitch / wanted, 1) for pitch, wanted in zip(pitches, (440, 880), strict=True)] == [1.0, 1.0]
    figures.add(f"rpigpio, by rpi-lgpio: tones of 440 and 880 Hz: {pitches[0]:.0f} and {pitches[1]:.0f} Hz at the pin")


def test_a_pin_that_another_program_holds_is_named(ask: Ask) -> None:
    said = ask("rpi_lgpio_doctor", held="left")
    assert said["code"] == 1, said
    assert "for buttons.left" in said["said"]
    assert "GPIO busy" in said["said"]
    assert "Traceback" not in said["said"] + said["stderr"]
