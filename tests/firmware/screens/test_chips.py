from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.display.layout import Box
from firmware.screens.paint_half import chips
from tests.firmware.screens.boxes import covers, meet

WORDS = st.lists(st.text(alphabet="abcdefgh WMi", min_size=1, max_size=60), min_size=1, max_size=4)
BOXES = st.builds(Box, st.just(0), st.just(0), st.integers(30, 900), st.integers(14, 300))


def half_as_wide_as_tall(text: str, size: int) -> int:
    return len(text) * size // 2


@given(WORDS, BOXES, st.sampled_from([0.0, 0.5, 1.0]))
def test_no_mark_leaves_its_box_or_covers_another(texts: list[str], box: Box, place: float) -> None:
    placed = chips(texts, box, half_as_wide_as_tall, place)
    assert all(covers(box, chip.box) for chip in placed)
    assert not any(meet(one.box, other.box) for index, one in enumerate(placed) for other in placed[:index])
    assert [chip.text for chip in placed] == texts[: len(placed)]


@pytest.mark.parametrize("place", [0.0, 1.0])
def test_marks_stand_on_the_side_they_are_told_to(place: float) -> None:
    (chip,) = chips(["OVERTIME"], Box(10, 0, 600, 40), half_as_wide_as_tall, place)
    assert (chip.box.x == 10) is (place == 0.0)
    assert (chip.box.right == 610) is (place == 1.0)
