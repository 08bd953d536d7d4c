"""Two buttons within each other's bounce: the first edges decide the order, whichever contact settles first."""

import pytest

from tests.firmware.gestures.trains import MS, Edge, Press, chatter, drive, said, table

LATE_TO_SETTLE = (0, 500_000, 12_000_000)  # touches, leaves, and stays down only after 12 ms


def _told(first: str, second: Press, offsets: tuple[int, ...]) -> list[tuple[int, str]]:
    """What ``first`` pressed at 5 s and ``second`` come to while left's clock runs."""
    train = [*chatter(first, 5_000 * MS, offsets, down=True), Edge(5_300 * MS, first, down=False)]
    start = ("0 press right",)
    return said(drive(table("naspa-2017", *start), [*train, *second.edges(bouncy=False)], 9_000).record)[len(start) + 1 :]


@pytest.mark.parametrize("offsets", [(0,), LATE_TO_SETTLE])
def test_a_stop_by_the_bar_comes_before_the_players_press_that_settled_sooner(offsets: tuple[int, ...]) -> None:
    assert _told("centre", Press("right", 5_005), offsets) == [(5_000, "neutralise"), (5_005, "press right")]


@pytest.mark.parametrize("offsets", [(0,), LATE_TO_SETTLE])
def test_both_player_buttons_are_the_bar_at_the_first_edge_whichever_settles_first(offsets: tuple[int, ...]) -> None:
    assert _told("left", Press("right", 5_005, 200), offsets) == [(5_000, "neutralise")]
    assert _told("right", Press("left", 5_005, 200), offsets) == [(5_000, "neutralise")]
