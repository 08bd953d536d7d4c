"""Every pull is an edge, in its order, at the kernel's instant: with both processors busy.

A group of pulls waits where more would lie unread than the kernel keeps for the library: what happens beyond that is for ``test_flood``.
"""

from itertools import pairwise
from typing import Final

from tests.kernel.conftest import Ask
from tests.machine.figures import Figures

GROUPS: Final = 100


def test_presses_bounces_chords_and_bursts_come_whole_in_order_and_at_the_instant_they_were_pulled(ask: Ask, figures: Figures) -> None:
    said = ask("watch", pins="gpiod", seed=20260, groups=GROUPS, load=2)
    pulls, edges = said["pulls"], said["edges"]
    assert [(button, down) for button, down, _, _ in edges] == [(button, down) for button, down, _, _ in pulls]
    assert all(before <= at <= after for (_, _, before, after), (_, _, at, _) in zip(pulls, edges, strict=True))
    assert all(one[2] < other[2] for one, other in pairwise(edges))
    assert all(stamped for *_, stamped in edges)
    assert said["lost"] == 0
    figures.add(
        f"gpiod: {len(pulls)} pulls of 7 buttons in {GROUPS} groups, both processors busy: {len(edges)} edges, none lost, none doubled, all in order;"
    )
    figures.add(
        f"gpiod:   each kernel instant between the readings before and after its pull; the next group waited for the library {said['waited']} times"
    )
