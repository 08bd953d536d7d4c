"""The adjudication button and the key switch: bounces, spikes, what is down at the start."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kiosk.station.board import BUTTON, KEY, ContactChange, Contacts, apply_edge, begin, contacts_wake_at, tick
from rules.contact import MS, REST_NS

NEVER = 10**18
MINUTE = 60_000 * MS

Edges = list[tuple[int, bool]]


def heard(edges: Edges, name: str = BUTTON, *, down: frozenset[str] = frozenset()) -> list[ContactChange]:
    """Return all that turned, long after these edges (instant in ns, down) of one contact."""
    contacts, turned = begin(down, 0)
    told = list(turned)
    for at, closed in edges:
        contacts, turned = apply_edge(contacts, name, at, down=closed)
        told += turned
    return told + list(tick(contacts, NEVER)[1])


def presses(edges: Edges, *, down: frozenset[str] = frozenset()) -> list[int]:
    """Return the instants at which the adjudication button was pressed."""
    return [each.at for each in heard(edges, down=down) if each.on]


def test_a_press_is_one_from_its_first_edge_and_is_let_go_at_the_first_edge_of_that() -> None:
    assert heard([(100 * MS, True), (180 * MS, False)]) == [
        ContactChange(BUTTON, on=True, at=100 * MS),
        ContactChange(BUTTON, on=False, at=180 * MS),
    ]


def test_a_button_held_for_a_minute_is_pressed_once() -> None:
    assert presses([(5 * MS, True), (5 * MS + MINUTE, False)]) == [5 * MS]


def test_a_press_is_told_while_the_button_is_still_held() -> None:
    contacts, _ = apply_edge(begin((), 0)[0], BUTTON, 10 * MS, down=True)
    wake = contacts_wake_at(contacts)
    assert wake is not None
    assert wake <= 15 * MS
    assert tick(contacts, wake - 1)[1] == ()
    contacts, turned = tick(contacts, wake)
    assert turned == (ContactChange(BUTTON, on=True, at=10 * MS),)
    assert contacts_wake_at(contacts) is None
    assert tick(contacts, MINUTE)[1] == ()


def test_a_contact_that_bounces_on_the_way_down_and_up_is_one_press() -> None:
    bounce = [0, 1, 3, 4, 9, 10, 14]
    down = [(100 * MS + at * MS, closed) for at, closed in zip(bounce, itertools.cycle((True, False)))]
    up = [(300 * MS + at * MS, closed) for at, closed in zip(bounce, itertools.cycle((False, True)))]
    assert presses(down + up) == [100 * MS]


def test_a_spike_is_no_press() -> None:
    assert heard([(100 * MS, True), (101 * MS, False)]) == []


def test_a_button_that_is_down_at_the_start_is_no_press_until_it_was_let_go() -> None:
    stuck = frozenset({BUTTON})
    assert heard([], down=stuck) == []
    assert heard([(MINUTE, False)], down=stuck) == []
    assert presses([(MINUTE, False), (2 * MINUTE, True)], down=stuck) == [2 * MINUTE]


def test_a_key_that_is_on_at_the_start_is_told_once_and_so_is_its_turning_off() -> None:
    assert heard([(MINUTE, False)], KEY, down=frozenset({KEY})) == [
        ContactChange(KEY, on=True, at=0),
        ContactChange(KEY, on=False, at=MINUTE),
    ]


def test_button_and_key_do_not_touch_each_other() -> None:
    contacts, _ = apply_edge(begin((), 0)[0], KEY, 10 * MS, down=True)
    contacts, turned = apply_edge(contacts, BUTTON, 11 * MS, down=True)
    assert turned == ()
    assert tick(contacts, 20 * MS)[1] == (ContactChange(KEY, on=True, at=10 * MS), ContactChange(BUTTON, on=True, at=11 * MS))


def test_a_button_that_no_station_has_is_an_error() -> None:
    with pytest.raises(KeyError):
        apply_edge(Contacts(), "left", 0, down=True)


@given(st.lists(st.integers(1, 100 * MS), max_size=60), st.booleans())
def test_whatever_the_edges_on_and_off_take_turns_and_presses_are_apart_by_the_time_of_rest(gaps: list[int], stuck: bool) -> None:
    edges = [(at, (number % 2 == 0) is not stuck) for number, at in enumerate(itertools.accumulate(gaps))]
    told = heard(edges, down=frozenset({BUTTON} if stuck else ()))
    assert all(one.on is not other.on for one, other in itertools.pairwise(told))
    assert not told or told[0].on
    pressed = [each.at for each in told if each.on]
    assert all(later - earlier >= REST_NS for earlier, later in itertools.pairwise(pressed))
    assert set(pressed) <= {at for at, closed in edges if closed}
