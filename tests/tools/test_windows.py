from itertools import combinations, product

import pytest

from appliance.display.layout import Box
from tests.cells import each_cell
from tests.firmware.screens.test_legible import FACING, PANELS
from tests.kiosk.screens.test_legible import SIZES
from tools.windows import CLOCK, SMALL, STATION, alone, overlap, pair, trio

SCREENS = ((2560, 1440), (1920, 1080), (1680, 1050), (1366, 768), (1280, 1024), (1280, 800), (1080, 1920), (1024, 768), (800, 600))


def size(box: Box) -> tuple[int, int]:
    return box.width, box.height


def test_on_every_screen_each_window_of_a_demo_lies_whole_on_it_in_a_size_whose_texts_are_tested() -> None:
    for cell in each_cell(product(SCREENS, (pair, trio))):
        with cell as (screen, windows):
            *clocks, station = windows(screen)
            assert {(size(clock), FACING) for clock in clocks} <= set(PANELS)
            assert SIZES[size(station)] >= 16
            assert all(box.x >= 0 and box.right <= screen[0] and box.y >= 0 and box.bottom <= screen[1] for box in (*clocks, station))
            assert len({(box.x, box.y) for box in (*clocks, station)}) == len(clocks) + 1 or screen == (800, 600)


@pytest.mark.parametrize(
    ("screen", "sizes"),
    [
        ((2560, 1440), (CLOCK, STATION)),
        ((1920, 1080), (CLOCK, STATION)),
        ((1680, 1050), (SMALL, SMALL)),
        ((1280, 1024), (SMALL, SMALL)),
        ((1080, 1920), (CLOCK, STATION)),
    ],
)
def test_where_both_windows_fit_in_a_size_that_can_be_read_neither_hides_a_part_of_the_other(
    screen: tuple[int, int], sizes: tuple[tuple[int, int], ...]
) -> None:
    clock, station = pair(screen)
    assert (size(clock), size(station)) == sizes
    assert not overlap(clock, station)


@pytest.mark.parametrize("screen", [(1366, 768), (1280, 800), (1024, 768)])
def test_where_they_do_not_fit_each_is_small_and_shows_its_title_bar_and_a_corner(screen: tuple[int, int]) -> None:
    clock, station = pair(screen)
    assert (size(clock), size(station)) == (SMALL, SMALL)
    assert station.x - clock.x >= 200
    assert station.y - clock.y >= 200


def test_the_three_windows_of_a_hall_do_not_overlap_on_the_usual_screen_and_begin_apart_on_a_small_one() -> None:
    assert not any(overlap(*boxes) for boxes in combinations(trio((1920, 1080)), 2))
    for screen in ((1366, 768), (1280, 800), (1024, 768)):
        first, second, station = trio(screen)
        assert second.y - first.y >= 200
        assert station.x - first.x >= 200


def test_a_window_alone_is_smaller_where_the_usual_size_leaves_its_title_bar_no_room() -> None:
    assert [alone(screen) for screen in ((1920, 1080), (1024, 768), (1024, 600), (800, 600))] == [CLOCK, CLOCK, SMALL, SMALL]
