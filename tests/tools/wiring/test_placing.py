from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, pairwise

from hypothesis import given
from hypothesis import strategies as st

from hardware.boards.board import DisplaySpec, PinSpec
from hardware.boards.hookup import COLOURS, Hookup, How
from hardware.boards.parts import HEADER
from tools.wiring.placing import Place, bottom, placed

Line = tuple[tuple[float, float], tuple[float, float]]


def _hookup(gpio: int, how: How, capacitor: int, pull_up: int) -> Hookup:
    if how == "serial":
        return Hookup("displays.left", gpio, COLOURS[0], DisplaySpec("/dev/ttyUSB0", gpio), how)
    return Hookup("buttons.left", gpio, COLOURS[0], PinSpec(gpio, "", capacitor=capacitor, pull_up=pull_up), how)


hows: st.SearchStrategy[How] = st.sampled_from(["contact", "led", "fed", "driven", "serial"])
headers = st.lists(
    st.builds(_hookup, st.sampled_from(sorted(HEADER)), hows, st.sampled_from([0, 10]), st.sampled_from([0, 10_000])),
    unique_by=lambda each: each.gpio,
    max_size=26,
)


def _lines(place: Place) -> list[Line]:
    corners = [(place.hand * 2.3, place.row), (place.lane, place.row), (place.lane, place.y), (place.start, place.y)]
    return list(pairwise(corners))


def _meet(one: Line, other: Line) -> bool:
    """Whether two lines, each level or upright, have a point in common."""
    return all(
        max(min(one[0][axis], one[1][axis]), min(other[0][axis], other[1][axis]))
        <= min(max(one[0][axis], one[1][axis]), max(other[0][axis], other[1][axis]))
        for axis in (0, 1)
    )


@given(headers)
def test_no_wire_meets_another_whatever_hangs_on_the_header(there: Sequence[Hookup]) -> None:
    for one, other in combinations(placed(there), 2):
        assert not any(_meet(line, crossing) for line in _lines(one) for crossing in _lines(other))


@given(headers)
def test_no_part_stands_on_another_and_all_are_above_the_bottom(there: Sequence[Hookup]) -> None:
    places = placed(there)
    assert {place.hookup.gpio for place in places} == {each.gpio for each in there}
    for hand in (-1, 1):
        heights = [place.y for place in places if place.hand == hand]
        assert all(upper - lower >= 1.8 for upper, lower in pairwise(heights))
    assert all(place.y > bottom(places) for place in places)


@given(headers)
def test_each_part_is_on_the_side_of_its_hole_and_beyond_its_lane(there: Sequence[Hookup]) -> None:
    for place in placed(there):
        assert (place.hookup.hole % 2 == 0) == (place.hand == 1)
        assert 2.3 < abs(place.lane) < abs(place.start)
