"""What systemd hears: a beat each half of the watchdog's time and no more, nothing where nobody asked."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from appliance.supervisor import Heartbeat

NS = 1_000_000_000


@dataclass
class Systemd:
    heard: list[str] = field(default_factory=list)

    def notify(self, state: str) -> None:
        self.heard.append(state)


def test_it_beats_at_half_of_the_watchdogs_time_whenever_it_is_asked() -> None:
    systemd = Systemd()
    heart = Heartbeat(systemd, {"WATCHDOG_USEC": "20000000", "WATCHDOG_PID": "7"}, 7)
    beats = []
    for second in range(5, 41):
        before = len(systemd.heard)
        due = heart.beat(second * NS)
        assert due is not None
        assert second * NS < due <= (second + 10) * NS
        beats += [second] * (len(systemd.heard) - before)
    assert beats == [5, 15, 25, 35]
    assert set(systemd.heard) == {"WATCHDOG=1"}


def test_after_a_late_beat_the_next_is_half_of_the_time_from_then() -> None:
    heart = Heartbeat(Systemd(), {"WATCHDOG_USEC": "20000000"}, 7)
    assert heart.beat(5 * NS) == 15 * NS
    assert heart.beat(18 * NS) == 28 * NS


@pytest.mark.parametrize(
    "environment", [{}, {"WATCHDOG_USEC": "20000000", "WATCHDOG_PID": "8"}, {"WATCHDOG_USEC": "-1"}, {"WATCHDOG_USEC": "0"}]
)
def test_it_is_silent_where_nobody_asked_or_another_process_was_meant(environment: dict[str, str]) -> None:
    systemd = Systemd()
    heart = Heartbeat(systemd, environment, 7)
    assert [heart.beat(second * NS) for second in range(100)] == [None] * 100
    assert systemd.heard == []


def test_a_long_beginning_is_asked_for() -> None:
    systemd = Systemd()
    Heartbeat(systemd, {}, 7).extend_startup(180)
    assert systemd.heard == ["EXTEND_TIMEOUT_USEC=180000000"]
