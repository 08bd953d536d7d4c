"""The time of a clock on another machine: how far off it may be is known, and a clock that is not heard is stale."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hall.picture.remote_clock import Exchange, Offsets, RemoteClock
from rules.duration import reading
from rules.side import BySide, Side
from tests.hall.reporting import NS, TOPICS, Device, Rig
from wire.reports import ClockReport, FourStamps

MS = 1_000_000
DELAY = st.integers(0, 400 * MS)


@given(offset=st.integers(-(10**15), 10**15), there=DELAY, back=DELAY, thinking=DELAY)
def test_the_true_offset_is_within_the_bound_whatever_the_delays(offset: int, there: int, back: int, thinking: int) -> None:
    t1 = 5 * NS
    t2 = t1 + there + offset
    t3 = t2 + thinking
    exchange = Exchange.of(FourStamps(t1=t1, t2=t2, t3=t3, t4=t3 - offset + back))
    assert exchange is not None
    assert abs(exchange.offset - offset) <= exchange.bound(t3) + 1


@pytest.mark.parametrize(
    "stamps", [(10, 0, 0, 9), (0, 5, 4, 9), (0, 0, 50, 10)], ids=["t4 before t1", "t3 before t2", "no time on the way"]
)
def test_stamps_that_contradict_each_other_are_no_exchange(stamps: tuple[int, int, int, int]) -> None:
    assert Exchange.of(FourStamps(t1=stamps[0], t2=stamps[1], t3=stamps[2], t4=stamps[3])) is None


def test_the_best_of_the_last_eight_counts() -> None:
    offsets = Offsets("b")
    for round_trip in (5, 90, 80, 70, 60, 50, 40, 30):
        offsets = offsets.after(Exchange(0, round_trip, 0))
    assert offsets.best == Exchange(0, 5, 0)
    assert offsets.after(Exchange(0, 99, 0)).best == Exchange(0, 30, 0)


def _beats(rig: Rig, device: Device, offset: int, chance: random.Random, count: int = 9) -> None:
    echo = None
    for _ in range(count):
        there, back = chance.randint(5, 113) * MS, chance.randint(5, 113) * MS
        rig.now += 250 * MS
        sent = rig.now - there - offset
        rig.report(device, "beat", device.beat(sent=sent, echo=echo))
        answer = next(message for topic, message in reversed(rig.sent) if topic == TOPICS.to_device(device.id, "time"))
        assert (answer["t1"], answer["boot"]) == (sent, device.boot)
        echo = (answer["t1"], answer["t2"], answer["t3"], rig.now - offset + back)


def test_a_remote_clock_reads_as_the_table_does_within_50_ms_through_5_to_113_ms_of_delay(rig: Rig) -> None:
    chance, apart = random.Random(7), []  # noqa: S311 - a test
    for number in range(300):
        device = Device(str(number))
        device.write()
        offset = chance.randint(-(10**14), 10**14)
        rig.report(device, "state", device.state(at=rig.now - offset))
        began = rig.now
        _beats(rig, device, offset, chance)
        remote = rig.known(device).remote_clock()
        left = remote.remaining(rig.now).left
        apart.append(abs(left - (1500 * NS - (rig.now - began))))
        assert apart[-1] <= remote.bound(rig.now)
    assert sorted(apart)[int(0.99 * len(apart))] <= 50 * MS


def _clock(exchange: Exchange | None, **changes: object) -> RemoteClock:
    device = Device()
    device.write()
    return RemoteClock(ClockReport.model_validate({**device.state(), **changes}), exchange)


def test_a_reading_that_may_be_further_off_than_250_ms_says_about() -> None:
    shown = [_clock(Exchange(0, 2 * bound, 100 * NS)).reading(100 * NS) for bound in (250 * MS, 250 * MS + 1)]
    assert [each.shown for each in shown] == [BySide("23:20", "25:00"), BySide("~23:20", "25:00")]
    assert [each.running for each in shown] == [Side.LEFT, Side.LEFT]


def test_a_clock_that_stands_is_exact_without_any_exchange() -> None:
    assert _clock(None, running=None).reading(10**18).shown == BySide("25:00", "25:00")


def test_a_clock_that_runs_on_a_machine_of_unknown_time_has_no_reading() -> None:
    found = _clock(None).reading(10**18)
    assert (found.shown, found.bound_ns) == (BySide("?", "25:00"), None)


def test_the_reading_follows_the_rule_of_the_table() -> None:
    assert _clock(Exchange(0, 0, 0)).reading(1501 * NS + 1).shown.left == reading(-NS - 1)


def test_an_echo_that_the_listener_did_not_send_is_dropped(rig: Rig) -> None:
    device = Device()
    rig.report(device, "beat", device.beat(sent=5, echo=(1, 2, 3, 4)))
    assert rig.known(device).offsets.best is None


def test_an_echo_counts_once(rig: Rig) -> None:
    device = Device()
    rig.report(device, "beat", device.beat(sent=5))
    echo = (5, rig.now, rig.now, 9)
    rig.report(device, "beat", device.beat(sent=10, echo=echo))
    rig.report(device, "beat", device.beat(sent=15, echo=echo))
    assert len(rig.known(device).offsets.exchanges) == 1


def test_the_exchanges_of_the_boot_before_are_forgotten(rig: Rig) -> None:
    device = Device()
    _beats(rig, device, 0, random.Random(1))  # noqa: S311 - a test
    assert rig.known(device).offsets.best is not None
    device.boot = "boot-2"
    rig.report(device, "beat", device.beat())
    assert rig.known(device).offsets.best is None


def test_a_device_is_stale_15_s_after_its_last_beat_whatever_else_it_says(rig: Rig) -> None:
    device = Device()
    device.write()
    rig.report(device, "beat", device.beat())
    beaten = rig.now
    rig.pass_time(15)
    rig.report(device, "up", device.up())
    rig.report(device, "state", device.state())
    assert rig.known(device).stale_since(rig.now) is None
    assert rig.known(device).stale_since(rig.now + 1) == beaten


def test_a_device_without_a_beat_yet_is_stale(rig: Rig) -> None:
    device = Device()
    rig.report(device, "up", device.up())
    assert rig.known(device).stale_since(rig.now) == rig.now
