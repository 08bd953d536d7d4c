"""The rate that each device's clock goes at, from exchanges over a link that delays as it likes."""

import random

import pytest

from hall.picture import MAX_EXCHANGES, STRETCHES, Exchange, Offsets, Rate
from tests.some import some
from wire.reports import FourStamps

NS = 1_000_000_000
US = 1_000
STARTED = 4_711 * NS
"""When the device was switched on, by the listener's clock."""


def beaten(ppm: float, minutes: int, *, seed: int, slowest_us: int = 9_000) -> Offsets:
    """Return what the listener knows of a device whose clock goes ``ppm`` fast, by a beat every 9 s."""
    chance, offsets, now = random.Random(seed), Offsets("boot"), STARTED + 77 * NS  # noqa: S311 - a test

    def on_device(at: int) -> int:
        return round((at - STARTED) * (1_000_000 + ppm) / 1_000_000)

    def delay() -> int:
        return 300 * US + round(chance.expovariate(1 / (slowest_us * US / 6)))

    while now < STARTED + (77 + 60 * minutes) * NS:
        taken = now + delay()
        answered = taken + 200 * US
        stamps = FourStamps(t1=on_device(now), t2=taken, t3=answered, t4=on_device(answered + delay()))
        offsets = offsets.after(some(Exchange.of(stamps)))
        now += 9 * NS
    return offsets


@pytest.mark.parametrize("ppm", [200.0, -200.0, 21.5, -0.3])
@pytest.mark.parametrize("seed", range(4))
def test_ten_minutes_measure_a_known_rate_to_1_ppm_and_the_bound_holds(ppm: float, seed: int) -> None:
    rate = some(beaten(ppm, 10, seed=seed).rate)
    assert abs(rate.ns - 1000 * ppm) <= min(1000, rate.bound)
    assert rate.bound < 2000


def test_the_bound_holds_however_slow_the_network_is_and_narrows_with_time() -> None:
    early, late = (some(beaten(-200.0, minutes, seed=5, slowest_us=400_000).rate) for minutes in (2, 19))
    assert all(abs(rate.ns + 200_000) <= rate.bound for rate in (early, late))
    assert late.bound < early.bound


def test_one_stretch_has_no_rate_and_another_boot_begins_again() -> None:
    assert Offsets("boot").rate is None
    once = Offsets("boot").after(Exchange(5, 90, 31 * NS)).after(Exchange(7, 30, 59 * NS)).after(Exchange(9, 60, 59 * NS))
    assert (once.course, once.rate) == ((Exchange(7, 30, 59 * NS),), None)
    # It gains 30 us in 30 s: 1 ppm.
    twice = once.after(Exchange(7 - 30_000, 30, 89 * NS))
    assert twice.rate == Rate(1000, 2)
    assert twice.of_boot("later").rate is None


def test_a_clock_that_changes_its_rate_has_a_wide_bound() -> None:
    offsets = Offsets("boot")
    for minute in range(12):
        offsets = offsets.after(Exchange(-6_000 * minute if minute < 6 else 0, 2, minute * 60 * NS))
    assert some(offsets.rate).bound > 100


def test_what_is_kept_does_not_grow() -> None:
    offsets = beaten(3.0, 45, seed=1)
    assert (len(offsets.course), len(offsets.exchanges)) == (STRETCHES, MAX_EXCHANGES)
