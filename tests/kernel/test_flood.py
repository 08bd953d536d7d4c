"""A flood that nobody can read in time: what was lost is noticed, and the clock believes of the button what is true of it."""

import pytest

from tests.kernel.conftest import Ask
from tests.machine.figures import Figures


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
