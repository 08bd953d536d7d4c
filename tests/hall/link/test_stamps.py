"""Beats and the four stamps."""

from __future__ import annotations

from typing import Any

import pytest

from hall.link.pace import BEAT_MAX_NS, BEAT_MIN_NS, FIRST_PAUSES_NS, Stamps

NS = 1_000_000_000
MS = 1_000_000


def _pause(stamps: Stamps) -> int:
    before = stamps.due
    stamps.asked(before)
    return stamps.due - before


@pytest.mark.parametrize("connections", [1, 2])
def test_the_first_beats_follow_each_other_at_growing_pauses_and_then_at_random(connections: int) -> None:
    stamps = Stamps()
    for at in range(1000, 1000 + connections):
        stamps.connected(at)
        assert stamps.due == at
        for longest in FIRST_PAUSES_NS:
            assert longest // 2 <= _pause(stamps) <= longest
        pauses = {_pause(stamps) for _ in range(50)}
        assert all(BEAT_MIN_NS <= pause <= BEAT_MAX_NS for pause in pauses)
        assert len(pauses) > 10


def test_devices_that_connect_together_do_not_beat_together() -> None:
    hall = [Stamps() for _ in range(50)]
    for stamps in hall:
        stamps.connected(0)
    assert len({_pause(stamps) for stamps in hall}) > 10


def _answer(stamps: Stamps, sent: int, at: int) -> None:
    stamps.sent(sent)
    assert stamps.answered({"t1": sent, "t2": 1, "t3": 1}, at)


def test_a_listener_that_was_away_soon_has_good_exchanges() -> None:
    stamps = Stamps()
    stamps.connected(0)
    for _ in FIRST_PAUSES_NS:
        stamps.asked(stamps.due)
    for at in (0, 8 * NS):
        stamps.asked(at)
        stamps.sent(at)
    _answer(stamps, 16 * NS, 16 * NS + NS // 2)
    assert stamps.due <= 16 * NS + NS // 2 + FIRST_PAUSES_NS[0]
    assert _pause(stamps) <= FIRST_PAUSES_NS[0]


@pytest.mark.parametrize(("sent", "answered"), [((0, 2 * NS), 2 * NS + 1), ((0, 8 * NS), 9 * NS + 1)], ids=["prompt", "behind"])
def test_a_listener_that_is_there_gets_no_more_beats(sent: tuple[int, int], answered: int) -> None:
    stamps = Stamps()
    stamps.connected(0)
    for _ in FIRST_PAUSES_NS:
        stamps.asked(stamps.due)
    stamps.asked(sent[1])
    due = stamps.due
    stamps.sent(sent[0])
    _answer(stamps, sent[1], answered)
    assert stamps.due == due


def _settled(*round_trips: int) -> Stamps:
    """A link after its first beats, with answers after these round trips."""
    stamps = Stamps()
    stamps.connected(0)
    for _ in FIRST_PAUSES_NS:
        stamps.asked(stamps.due)
    for number, round_trip in enumerate(round_trips):
        _answer(stamps, number * NS, number * NS + round_trip)
    stamps.asked(60 * NS)
    return stamps


def test_the_listener_soon_learns_of_an_exchange_that_is_much_better_than_its_poor_ones() -> None:
    stamps = _settled(600 * MS, 500 * MS)
    _answer(stamps, 60 * NS, 60 * NS + 2 * MS)
    assert stamps.due <= 60 * NS + 2 * MS + FIRST_PAUSES_NS[0]
    assert _pause(stamps) >= BEAT_MIN_NS


@pytest.mark.parametrize(
    ("before", "round_trip"),
    [((), 2 * MS), ((90 * MS,), 2 * MS), ((600 * MS,), 400 * MS), ((600 * MS, 2 * MS), 1 * MS)],
    ids=["the first", "good before", "little better", "much better before"],
)
def test_other_exchanges_wait_for_the_next_beat(before: tuple[int, ...], round_trip: int) -> None:
    stamps = _settled(*before)
    due = stamps.due
    _answer(stamps, 60 * NS, 60 * NS + round_trip)
    assert stamps.due == due


def test_a_new_connection_begins_with_no_round_trip() -> None:
    stamps = _settled(600 * MS)
    stamps.connected(61 * NS)
    stamps.asked(61 * NS)
    due = stamps.due
    _answer(stamps, 61 * NS, 61 * NS + 2 * MS)
    assert stamps.due == due


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
