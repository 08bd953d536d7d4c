"""The page of the arrival by edges alone: who counts as here, and what leaves the page."""

from firmware.arrival import LEAVE_NS, STAYS_NS, Arrival, arriving
from firmware.gestures.contacts import KEY
from rules.contact import MS
from rules.side import BySide, Side

UPTIME = 4_000_000 * MS
NAMES = BySide("Ann", "Bo")


def after(arrival: Arrival, *edges: tuple[int, str, bool], until: int) -> Arrival:
    """Return the page after ``edges`` and then at ``until``, in ms."""
    for ms, button, down in edges:
        arrival = arrival.edge(button, UPTIME + ms * MS, down=down)
    return arrival.until(UPTIME + until * MS)


def press(ms: int, button: str, held: int = 90) -> tuple[tuple[int, str, bool], ...]:
    return (ms, button, True), (ms + held, button, False)


def page(*down: str) -> Arrival:
    return arriving(NAMES, frozenset(down))


def test_a_press_of_the_own_button_says_that_one_player_is_here_however_often_it_is_pressed() -> None:
    one = after(page(), *press(100, "right"), *press(700, "right"), until=60_000)
    assert (one.here, one.present, one.over) == (BySide(left=False, right=True), Side.RIGHT, False)


def test_a_touch_too_short_for_a_press_and_a_button_that_was_down_before_say_nothing() -> None:
    spike = after(page(), *press(100, "left", held=1), until=2_000)
    held = after(page("left"), (4_000, "left", False), until=9_000)
    assert {(each.here, each.present, each.over) for each in (spike, held)} == {(BySide(left=False, right=False), None, False)}


def test_the_page_goes_three_seconds_after_the_second_arrival_and_another_press_does_not_hasten_it() -> None:
    both = after(page(), *press(100, "left"), *press(5_000, "right"), *press(5_600, "right"), until=7_900)
    assert (both.here, both.present, both.over) == (BySide(left=True, right=True), None, False)
    due = min(both.dues(0))
    assert due == UPTIME + 5_000 * MS + STAYS_NS
    assert (both.until(due - 1).over, both.until(due).over) == (False, True)


def test_two_who_press_at_the_same_moment_are_both_here() -> None:
    both = after(page(), (100, "left", True), (130, "right", True), (610, "left", False), (650, "right", False), until=900)
    assert (both.here, both.over) == (BySide(left=True, right=True), False)


def test_both_buttons_held_for_a_second_the_bar_and_the_key_leave_it_with_nobody_here() -> None:
    held = after(page(), (100, "left", True), (250, "right", True), until=260)
    assert min(held.dues(0)) <= UPTIME + 250 * MS + LEAVE_NS
    assert (held.until(UPTIME + 249 * MS + LEAVE_NS).over, held.until(UPTIME + 250 * MS + LEAVE_NS).over) == (False, True)
    left = [after(page(), (100, button, True), until=101) for button in ("centre", KEY)]
    assert [(each.over, each.here) for each in left] == [(True, BySide(left=False, right=False))] * 2
    # The switch was on: turned off it ends what the director did.
    assert after(page(KEY), (100, KEY, False), until=101).over
