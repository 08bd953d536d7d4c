from __future__ import annotations

from hardware.buttons.self_test import SeenPress, Watch, begin
from rules.contact import MS

START = 60 * 86400 * 1_000_000_000
"""Sixty days of uptime, in ns."""


def _watch(*instants_ms: int, down: bool = False, button: str = "left") -> Watch:
    """Return the watch after edges that turn the contact over at these instants."""
    watch = begin(button, down=down)
    for number, at in enumerate(instants_ms):
        watch = watch.with_edge(button, START + at * MS, down=(number % 2 == 0) is not down)
    return watch


def test_a_clean_press_is_down_from_first_edge_to_first_edge_and_has_no_bounce() -> None:
    watch = _watch(0, 80).until(START + 200 * MS)
    assert (watch.press, watch.spikes) == (SeenPress(80 * MS, 0), 0)


def test_a_press_is_not_over_until_the_contact_has_been_up_for_35_ms() -> None:
    watch = _watch(0, 80)
    assert watch.until(START + 115 * MS - 1).press is None
    assert watch.until(START + 115 * MS).press is not None


def test_every_edge_beyond_the_first_down_and_first_up_is_a_bounce() -> None:
    watch = _watch(0, 1, 2, 80, 81, 82).until(START + 200 * MS)
    assert watch.press == SeenPress(80 * MS, 4)


def test_a_touch_too_short_for_a_press_is_counted_and_does_not_add_to_the_bounces_of_the_press_after_it() -> None:
    watch = _watch(0, 1, 500, 600).until(START + 900 * MS)
    assert (watch.press, watch.spikes) == (SeenPress(100 * MS, 0), 1)


def test_a_button_that_was_down_before_has_to_come_up_first() -> None:
    watch = _watch(0, down=True).until(START + 500 * MS)
    assert watch.press is None
    watch = _watch(0, 1_000, 1_200, down=True).until(START + 2_000 * MS)
    assert watch.press == SeenPress(200 * MS, 0)


def test_edges_of_another_button_are_no_press_but_are_told() -> None:
    watch = _watch().with_edge("right", START, down=True)
    watch = watch.until(START + 500 * MS)
    assert watch.press is None
    assert watch.others == {"right"}


def test_what_it_waits_for_is_told_and_whether_it_is_down() -> None:
    assert (_watch().down, _watch().due) == (False, None)
    assert _watch(0).down
    assert _watch(0, 80).due == START + 115 * MS


def test_what_comes_after_the_press_changes_nothing_any_more() -> None:
    seen = _watch(0, 80).until(START + 200 * MS)
    assert seen.with_edge("right", START + 300 * MS, down=True) == seen
