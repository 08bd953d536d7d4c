"""What is sent and what a module makes of it: the one is the other's answer, whatever came before."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.led.emulator import Panel
from hardware.led.picture import ALL_LIT, DARK, Lit, brightness, changes, whole

SEGMENTS = st.integers(0, 0x7F)
LITS = st.builds(Lit, st.tuples(SEGMENTS, SEGMENTS, SEGMENTS, SEGMENTS), st.integers(0, 0xF), st.booleans(), st.booleans())


def after(panel: Panel, data: bytes) -> Lit:
    for _ in panel.feed(data):
        pass
    return panel.lit


@given(LITS)
def test_a_whole_picture_is_what_is_lit(lit: Lit) -> None:
    assert after(Panel(), whole(lit)) == lit


@given(LITS, LITS)
def test_changes_take_a_module_from_any_picture_to_any_other(before: Lit, now: Lit) -> None:
    panel = Panel()
    after(panel, whole(before))
    assert after(panel, changes(before, now)) == now


@given(LITS)
def test_what_has_not_changed_is_not_sent(lit: Lit) -> None:
    assert changes(lit, lit) == b""


@given(LITS, LITS)
def test_nothing_that_is_not_wanted_is_lit_between_two_pictures_of_the_same_points(before: Lit, now: Lit) -> None:
    panel = Panel()
    after(panel, whole(before))
    for between in panel.feed(whole(now)):
        assert all(digit in pair for digit, *pair in zip(between.digits, before.digits, now.digits, strict=True))


@given(LITS, st.integers(0x77, 0xFF).filter(lambda command: command != 0x78))
def test_a_module_that_waits_for_an_argument_is_in_step_again_with_the_next_whole_picture(lit: Lit, command: int) -> None:
    panel = Panel()
    after(panel, bytes((command,)))
    assert after(panel, whole(lit)) == lit
    if command != 0x7F:
        assert panel.speed_changes == 0


@given(LITS, st.binary(max_size=40))
def test_whatever_noise_came_before_two_whole_pictures_are_what_is_lit(lit: Lit, noise: bytes) -> None:
    panel = Panel()
    after(panel, noise)
    assert after(panel, whole(lit) * 2) == lit


@given(LITS)
def test_no_picture_writes_what_is_kept_without_power(lit: Lit) -> None:
    panel = Panel()
    after(panel, whole(lit) + changes(lit, DARK) + changes(DARK, lit))
    assert panel.eeprom_writes == 0


def test_a_whole_picture_is_out_in_thirteen_ms_at_9600_baud() -> None:
    assert len(whole(ALL_LIT)) == 12
    assert len(whole(ALL_LIT)) * 10 / 9600 <= 0.0125


@pytest.mark.parametrize("percent", [0, 50, 100])
def test_brightness_is_set(percent: int) -> None:
    panel = Panel()
    after(panel, brightness(percent))
    assert (panel.brightness, panel.eeprom_writes) == (percent, 1)


@pytest.mark.parametrize("percent", [-1, 101])
def test_a_brightness_that_cannot_be_is_refused(percent: int) -> None:
    with pytest.raises(ValueError, match="expected a brightness of 0 to 100"):
        brightness(percent)
