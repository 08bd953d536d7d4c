"""The desk's clock on another machine, by what comes from the desk alone."""

from __future__ import annotations

from hall.desk.worker import DeskClock

NS = 1_000_000_000
AHEAD = 7 * 3600 * NS


def test_the_smallest_delay_seen_gives_the_desks_clock() -> None:
    ours = 100 * NS
    clock = DeskClock(lambda: ours)
    errors = []
    for delay_ms in (300, 40, 900, 500):
        ours += NS
        clock.learn(ours + AHEAD - delay_ms * 1_000_000)
        errors.append((ours + AHEAD - clock.now()) // 1_000_000)
    # Later ones that were slower change it by no more than what two clocks drift apart.
    assert errors == [300, 40, 40, 40]


def test_a_clock_that_drifts_is_followed() -> None:
    ours = 100 * NS
    clock = DeskClock(lambda: ours)
    clock.learn(ours + AHEAD)
    for second in range(1, 3600):
        # The desk's clock loses 50 parts in a million.
        ours += NS
        clock.learn(ours + AHEAD - second * 50_000)
    assert abs(ours + AHEAD - 3599 * 50_000 - clock.now()) < 1_000_000


def test_another_desk_begins_anew() -> None:
    clock = DeskClock(lambda: 100 * NS)
    clock.learn(AHEAD)
    clock.forget()
    clock.learn(5 * NS)
    assert clock.now() == 5 * NS
