"""Beats and the four stamps."""

from __future__ import annotations

from typing import Any

from hall.link.stamps import BEAT_LEAST_NS, BEAT_MOST_NS, BURST, BURST_EVERY_NS, Stamps


def test_eight_beats_follow_each_other_quickly_and_then_at_random() -> None:
    stamps = Stamps()
    stamps.connected(1000)
    for number in range(BURST - 1):
        assert stamps.due == 1000 + number * BURST_EVERY_NS
        stamps.asked(stamps.due)
    last = stamps.due
    pauses = set()
    for _ in range(50):
        before = stamps.due
        stamps.asked(before)
        pauses.add(stamps.due - before)
    assert last == 1000 + (BURST - 1) * BURST_EVERY_NS
    assert all(BEAT_LEAST_NS <= pause <= BEAT_MOST_NS for pause in pauses)
    assert len(pauses) > 10


def test_an_answer_completes_the_exchange_once() -> None:
    stamps = Stamps()
    stamps.connected(0)
    stamps.sent(5)
    assert stamps.answered({"t1": 5, "t2": 100, "t3": 101}, 9)
    assert stamps.echo == {"t1": 5, "t2": 100, "t3": 101, "t4": 9}
    assert not stamps.answered({"t1": 5, "t2": 200, "t3": 201}, 12)


def test_other_answers_change_nothing() -> None:
    stamps = Stamps()
    stamps.connected(0)
    stamps.sent(5)
    messages: tuple[Any, ...] = (
        None,
        [],
        "x",
        {},
        {"t1": 6, "t2": 1, "t3": 2},
        {"t1": 5, "t2": "1", "t3": 2},
        {"t1": 5, "t2": 1},
        {"t1": [], "t2": 1, "t3": 1},
    )
    for message in messages:
        assert not stamps.answered(message, 9)
    assert stamps.echo is None


def test_a_new_connection_forgets_the_old_ones_exchange() -> None:
    stamps = Stamps()
    stamps.connected(0)
    stamps.sent(5)
    stamps.answered({"t1": 5, "t2": 100, "t3": 101}, 9)
    stamps.connected(50)
    assert stamps.echo is None
