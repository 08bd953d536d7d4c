"""One button: what is a press, what is bounce and what a spike (docs/spec/events.md, "Gestures")."""

import pytest

from tests.firmware.gestures.trains import MS, Edge, Press, drive, said, table

US = 1000
RUNNING = ("0 press right",)


def _pulse(at_us: int, width_us: int, button: str = "left") -> list[Edge]:
    return [Edge(at_us * US, button, down=True), Edge((at_us + width_us) * US, button, down=False)]


@pytest.mark.parametrize("width_us", [1, 100, 1999])
def test_a_contact_that_is_never_down_for_two_ms_is_a_spike_counted_and_not_acted_on(width_us: int) -> None:
    after = drive(table("naspa-2017", *RUNNING), _pulse(5_000_000, width_us), 6_000)
    assert said(after.record)[2:] == []
    assert after.button_state.spikes == 1


def test_many_short_touches_that_are_never_down_for_two_ms_on_end_are_one_spike() -> None:
    edges = [edge for index in range(4) for edge in _pulse(5_000_000 + 4_000 * index, 1_900)]
    after = drive(table("naspa-2017", *RUNNING), edges, 6_000)
    assert said(after.record)[2:] == []
    assert after.button_state.spikes == 1


@pytest.mark.parametrize("width_us", [5_000, 20_000, 999_000])
def test_five_ms_on_end_is_a_press_from_its_first_edge(width_us: int) -> None:
    after = drive(table("naspa-2017", *RUNNING), _pulse(5_000_000, width_us), 7_000)
    assert said(after.record)[2:] == [(5_000, "press left")]
    assert after.button_state.spikes == 0


def test_a_press_that_chatters_first_counts_from_the_first_edge() -> None:
    edges = [*_pulse(5_000_000, 500), *_pulse(5_003_000, 900), *_pulse(5_010_000, 100_000)]
    after = drive(table("naspa-2017", *RUNNING), edges, 7_000)
    assert said(after.record)[2:] == [(5_000, "press left")]
    assert after.game_at(7_000 * MS).used.left == 5_000 * MS


def test_a_down_edge_after_less_than_thirty_five_ms_up_is_bounce() -> None:
    edges = [*_pulse(5_000_000, 100_000, "centre"), *_pulse(5_134_999, 100_000, "centre")]
    after = drive(table("naspa-2017", *RUNNING), edges, 7_000)
    assert said(after.record)[2:] == [(5_000, "neutralise")]


def test_a_down_edge_after_thirty_five_ms_up_begins_a_press() -> None:
    edges = [*_pulse(5_000_000, 100_000, "centre"), *_pulse(5_135_000, 100_000, "centre")]
    after = drive(table("naspa-2017", *RUNNING), edges, 7_000)
    assert said(after.record)[2:] == [(5_000, "neutralise"), (5_135, "resume left")]


@pytest.mark.parametrize("button", ["left", "right", "centre"])
def test_a_button_that_is_stuck_is_one_press(button: str) -> None:
    start = table("naspa-2017", *RUNNING)
    after = drive(start, [Edge(5_000 * MS, button, down=True)], 900_000)
    longer = drive(after, [Edge(900_001 * MS, button, down=True)], 1_200_000)
    assert len(said(longer.record)) == 3


def test_a_level_that_is_told_twice_changes_nothing() -> None:
    edges = [Edge(5_000 * MS, "left", down=True), Edge(5_010 * MS, "left", down=True), Edge(5_100 * MS, "left", down=False)]
    after = drive(table("naspa-2017", *RUNNING), [*edges, Edge(5_110 * MS, "left", down=False)], 7_000)
    assert said(after.record)[2:] == [(5_000, "press left")]


def test_nothing_waits_for_anybody_to_look_and_due_says_when_to_look_next() -> None:
    press = Press("centre", 5_000, 1_500).edges(bouncy=False)
    start = table("naspa-2017", *RUNNING)
    looked = start
    for one in press:
        looked = drive(looked, [one], one.at // MS)
        looked = drive(looked, [], 5_500 if one.down else 6_600)
    assert said(looked.record) == said(drive(start, press, 9_000).record)
