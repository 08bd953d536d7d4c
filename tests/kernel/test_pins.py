"""The real library on the kernel's pins: every pull is an edge, in its order, at the kernel's instant, with the processor busy; a flood; rest; the self-test."""

from itertools import pairwise
from typing import Final

import pytest

from tests.kernel.conftest import Ask
from tests.machine.figures import Figures

GROUPS: Final = 100
"""A group of pulls waits where more would lie unread than the kernel keeps for the library: what happens beyond that is the flood's."""
SECONDS: Final = 30


@pytest.mark.parametrize("checkout", [False, True], ids=["installed", "checkout"])
def test_the_doctor_finds_the_chip_by_its_label_and_says_who_stamps_the_edges(ask: Ask, figures: Figures, *, checkout: bool) -> None:
    said = ask("doctor", pins="gpiod", checkout=checkout)
    assert said["code"] == 0, said
    found = [line.split(maxsplit=1) for line in said["said"].splitlines() if line]
    assert any(rest.startswith("pin library") and "gpiod; the kernel stamps each edge" in rest for _, rest in found)
    assert "9 pins of board full opened" in said["said"]
    assert "none is down" in said["said"]
    figures.add(f"gpiod: tileclock doctor{' from a checkout' if checkout else ''}: nothing failed")


def test_presses_bounces_chords_and_bursts_come_whole_in_order_and_at_the_instant_they_were_pulled(ask: Ask, figures: Figures) -> None:
    said = ask("watch", pins="gpiod", seed=20260, groups=GROUPS, load=2)
    pulls, edges = said["pulls"], said["edges"]
    assert [(button, down) for button, down, _, _ in edges] == [(button, down) for button, down, _, _ in pulls]
    assert all(before <= at <= after for (_, _, before, after), (_, _, at, _) in zip(pulls, edges, strict=True))
    assert all(one[2] < other[2] for one, other in pairwise(edges))
    assert all(stamped for *_, stamped in edges)
    assert said["lost"] == 0
    figures.add(
        f"gpiod: {len(pulls)} pulls of 7 buttons in {GROUPS} groups, the processor busy: {len(edges)} edges, none lost, none doubled, all in order;"
    )
    figures.add(
        f"gpiod:   each kernel instant between the readings before and after its pull; the next group waited for the library {said['waited']} times"
    )


@pytest.mark.parametrize("times", [4000, 4001])
def test_after_a_flood_the_button_is_believed_to_be_where_it_is_and_losses_are_known(ask: Ask, figures: Figures, times: int) -> None:
    said = ask("flood", pins="gpiod", times=times)
    pulled_down = times % 2 == 1
    assert said["pulled_down"] is pulled_down
    assert said["down"] == (["left"] if pulled_down else [])
    assert said["last"][0][:2] == ["left", pulled_down]
    lost = times - said["came"]
    assert (said["lost"] > 0) is (lost > 0)
    figures.add(
        f"gpiod: {times} edges in {said['took_ns'] / 1e9:.2f} s on one button: {lost} lost, known to be lost: {said['lost']}; its level is known"
    )


def test_the_kernels_numbers_say_exactly_what_was_lost(ask: Ask) -> None:
    said = ask("flood", pins="gpiod", times=4000)
    assert said["came"] + said["lost"] == 4000


def test_the_pins_sleep_until_there_is_an_edge(ask: Ask, figures: Figures) -> None:
    said = ask("idle", pins="gpiod", seconds=SECONDS)
    share = said["cpu_ns"] / (SECONDS * 1e7)
    figures.add(f"gpiod: idle for {SECONDS} s: {share:.2f} % of a processor, woken {said['wakes'] / SECONDS:.1f} times a second")
    assert said["wakes"] <= SECONDS
