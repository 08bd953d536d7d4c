"""What doctor says of the crystal, by what the kernel corrects."""

import pytest

from appliance.errors import State
from firmware.doctor.examine import Correction, Timex, check_rate, correction, correction_of

UNSYNCHRONISED = 0x40


@pytest.mark.parametrize(
    ("freq", "tick", "ppm"),
    [(0, 10_000, 0.0), (65_536 * 12 + 32_768, 10_000, 12.5), (-65_536 * 3, 10_000, -3.0), (-65_536, 10_002, 199.0)],
)
def test_a_correction_is_of_frequency_and_tick(freq: int, tick: int, ppm: float) -> None:
    assert correction_of(Timex(freq=freq, tick=tick)) == Correction(ppm, synchronised=True)
    assert not correction_of(Timex(freq=freq, tick=tick, status=UNSYNCHRONISED | 1)).synchronised


@pytest.mark.parametrize(
    ("found", "state", "said"),
    [
        (Correction(12.5, synchronised=True), State.OK, "the crystal is 12.5 ppm slow, and the kernel makes up for it"),
        (Correction(-20.1, synchronised=True), State.NOTE, "the crystal is 20.1 ppm fast, and the kernel makes up for it"),
        (Correction(3.0, synchronised=False), State.OK, "as last known, for no time server is in reach"),
        (Correction(0.0, synchronised=False), State.NOTE, "not measured here"),
        (None, State.NOTE, "not measured here"),
    ],
)
def test_a_crystal_above_20_ppm_is_noted_and_one_that_was_never_measured_is_said_to_be(
    found: Correction | None, state: State, said: str
) -> None:
    (finding,) = check_rate(found)
    assert (finding.state, said in finding.found) == (state, True)


def test_the_kernel_answers_within_what_it_may_correct() -> None:
    found = correction()
    assert found is None or abs(found.ppm) <= 100_500
