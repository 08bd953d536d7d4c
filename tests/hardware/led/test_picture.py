from __future__ import annotations

import pytest

from hardware.led.picture import ALL_LIT, DARK, Frame, Lit, Picture, still
from tests.cells import each_cell

ON, OFF = Lit(colon=True), DARK


def test_one_frame_stands_for_ever() -> None:
    assert [still(ON).at(ms) for ms in (0, 1, 10_000_000)] == [(ON, None)] * 3


def test_frames_follow_one_another_over_and_over() -> None:
    for cell in each_cell([(0, (ON, 500)), (499, (ON, 1)), (500, (OFF, 200)), (699, (OFF, 1)), (700, (ON, 500)), (7_000_650, (OFF, 50))]):
        with cell as (ms, expected):
            assert Picture((Frame(ON, 500), Frame(OFF, 200))).at(ms) == expected


@pytest.mark.parametrize("frames", [(), (Frame(ON, 0), Frame(OFF, 5))])
def test_a_picture_without_lasting_frames_is_refused(frames: tuple[Frame, ...]) -> None:
    with pytest.raises(ValueError, match="expected frames that last"):
        Picture(frames)


def test_all_that_a_module_has_can_be_lit() -> None:
    assert Lit((0x7F, 0x7F, 0x7F, 0x7F), 0b1111, colon=True, apostrophe=True) == ALL_LIT
