"""What a mark promises of the next one: never too little for what was seen, forgotten slowly, and kept over a restart."""

from hypothesis import given
from hypothesis import strategies as st

from firmware.journal.store import MIN_NS, Lateness, from_promise

MS = 1_000_000
DELAYS = st.lists(st.integers(0, 60_000 * MS), min_size=1, max_size=50)


def test_a_disk_that_is_always_quick_has_a_second() -> None:
    lateness = Lateness()
    for _ in range(100):
        lateness = lateness.after(5 * MS)
    assert lateness.promise_ns == MIN_NS


@given(DELAYS)
def test_the_next_promise_covers_twice_what_was_just_seen(delays: list[int]) -> None:
    lateness = Lateness()
    for delay in delays:
        lateness = lateness.after(delay)
        assert lateness.promise_ns >= 2 * delay


def test_a_bad_minute_is_forgotten_within_ten_minutes_and_half_of_it_takes_longer_than_one() -> None:
    worst = [Lateness().after(10_000 * MS)]
    for _ in range(600):
        worst.append(worst[-1].after(0))
    assert worst[60].worst_ns > 5_000 * MS > worst[120].worst_ns
    assert worst[600].promise_ns == MIN_NS


@given(DELAYS)
def test_the_next_program_goes_on_from_the_promise_on_the_disk(delays: list[int]) -> None:
    lateness = Lateness()
    for delay in delays:
        lateness = lateness.after(delay)
    again = from_promise(lateness.promise_ns)
    assert lateness.promise_ns - again.promise_ns in (0, 1)
