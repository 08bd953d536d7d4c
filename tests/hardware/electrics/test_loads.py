from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.boards.board import PinSpec
from hardware.boards.parts import of_sorts, parts
from hardware.boards.pis import load_pi, pi_ids
from hardware.electrics import pin_milliamps
from tests.hardware.electrics.boards import BUZZER, LAMP, LED, board, said, wrong


def _of(spec: PinSpec, pi: str = "4", **changed: Any) -> list[tuple[str, str]]:
    return [(fault.found, fault.fix) for fault in wrong(board({"left": dataclasses.replace(spec, **changed)}), pi)]


def test_a_lamp_by_a_transistor_a_led_by_its_resistor_and_a_piezo_buzzer_are_sound() -> None:
    assert wrong(board({"left": LAMP, "right": dataclasses.replace(LED, gpio=26)}, BUZZER)) == []


def test_a_lamp_on_a_pin_that_is_pulled_up_at_reset_is_refused_since_it_would_glow() -> None:
    ((found, fix),) = _of(LAMP, gpio=7)[:1]
    assert found == (
        "expected a pin that is pulled down at reset, found GPIO7 (header pin 26), which is pulled up: it glows or sounds while the Pi starts"
    )
    assert fix == "Take one of GPIO 9 to 27."


def test_a_lamp_of_5_v_on_a_bare_pin_is_refused() -> None:
    assert _of(LAMP, driver="", resistor=0) == [
        (
            "expected at most 3.3 V and 16 mA where a pin feeds it, found LED lamp 5 V for an arcade button of 5 V and 20 mA on GPIO16 (header pin 36)",
            'Let a transistor switch it: driver = "bc337-40", resistor = 1000.',
        )
    ]


def test_a_lamp_of_12_v_is_refused_since_the_header_gives_5() -> None:
    assert _of(LAMP, part="arcade-lamp-12v") == [
        ("expected a part of 5 V, as the header gives, found LED lamp 12 V for an arcade button of 12 V", "Take the one of 5 V.")
    ]


@pytest.mark.parametrize(("ohms", "shown"), [(0, "none"), (100, "100"), (10_000, "10000")])
def test_a_base_resistor_that_is_missing_too_small_or_too_great_is_refused_with_the_range(ohms: int, shown: str) -> None:
    assert _of(LAMP, resistor=ohms) == [
        (
            f"expected 162 to 2600 ohm between GPIO16 (header pin 36) and the transistor's base, found {shown}",
            "Take 1000 ohm: resistor = 1000.",
        )
    ]


def test_the_pin_of_a_pi_5_gives_less_so_its_base_resistor_is_greater() -> None:
    assert _of(LAMP, "4", resistor=180) == []
    assert _of(LAMP, "5", resistor=180)[0][0].startswith("expected 217 to 2600 ohm")


def test_a_coil_without_a_diode_is_refused_and_with_one_it_is_sound() -> None:
    coil = dataclasses.replace(BUZZER, part="magnetic-buzzer-5v")
    (fault,) = wrong(board(buzzer=coil))
    assert fault.found.startswith("expected a diode across the coil of Magnetic buzzer 5 V, sounds by itself, found none")
    assert fault.fix == 'Put one across it, its ring to 5 V: diode = "1n4148".'
    assert wrong(board(buzzer=dataclasses.replace(coil, diode="1n4148"))) == []


@pytest.mark.parametrize(("ohms", "shown"), [(0, "none"), (68, "68")])
def test_a_led_without_enough_of_a_resistor_is_refused_with_the_least(ohms: int, shown: str) -> None:
    assert _of(LED, resistor=ohms) == [
        (
            f"expected a resistor of 81 ohm or more before the led on GPIO16 (header pin 36) (at most 16 mA), found {shown}",
            "Take 220 ohm: resistor = 220.",
        )
    ]


def test_a_led_that_would_hardly_be_seen_is_noted() -> None:
    assert said(board({"left": dataclasses.replace(LED, resistor=4700)})) == [
        "lamps.left: 0.3 mA through 4700 ohm: hardly seen in a lit hall; 220 ohm are usual"
    ]


def test_a_led_with_a_transistor_is_refused_since_nothing_would_limit_its_current() -> None:
    assert _of(LED, driver="bc337-40") == [
        ("expected a led on its resistor alone, found the driver bc337-40", "Take the driver out, or name a lamp of 5 V.")
    ]


def _parts_with(monkeypatch: pytest.MonkeyPatch, name: str, **changed: Any) -> None:
    """Let the check read another figure in the part's data sheet."""
    monkeypatch.setattr("hardware.electrics.parts", lambda: {**parts(), name: dataclasses.replace(parts()[name], **changed)})


def test_a_led_that_needs_more_than_a_pin_gives_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    _parts_with(monkeypatch, "led-5mm-red", forward=3.4)
    assert _of(LED) == [("expected a led of less than 3.3 V, found 3.4 V", "Take a red, yellow or green one of about 2 V.")]


def test_a_lamp_that_is_too_much_for_the_transistor_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    _parts_with(monkeypatch, "bc337-40", milliamps=15)
    assert _of(LAMP) == [
        ("expected at most 15 mA through NPN transistor BC337-40, found 20 mA", "Use a smaller lamp, or a ready-made driver board.")
    ]


@given(
    part=st.sampled_from(of_sorts("lamp", "led", "buzzer")),
    driver=st.sampled_from(["", *of_sorts("transistor")]),
    resistor=st.integers(0, 10**6),
    gpio=st.integers(2, 27),
    pi=st.sampled_from(pi_ids()),
)
def test_what_the_check_lets_pass_never_takes_more_of_a_pin_than_it_gives(
    part: str, driver: str, resistor: int, gpio: int, pi: str
) -> None:
    spec = PinSpec(gpio, "", part=part, driver=driver, resistor=resistor)
    if not wrong(board({"left": spec}), pi):
        assert 0 < pin_milliamps(spec, load_pi(pi)) <= load_pi(pi).pin_milliamps
        assert gpio >= 9
