"""No clock rule cuts a hold or a challenge off before the out play (2017 IV.I.1): the bag may be empty, and the clock does not know."""

import pytest

from tests.cells import each_cell
from tests.firmware.saying import RULEBOOKS, play


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_a_hold_may_be_said_long_into_the_turn_and_lasts_until_the_holder_ends_it(rulebook: str) -> None:
    told = play(rulebook, "0 press right", "900 hold")
    assert told.states("1499") == ("hold", "left", "left")
    assert told.then("1499 release").states("1499") == ("running", "left", "left")


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_a_challenge_may_come_long_into_the_turn_a_hold_or_a_stop(rulebook: str) -> None:
    for cell in each_cell([(), ("900 hold",), ("900 neutralise",)]):
        with cell as before:
            told = play(rulebook, "0 press right", *before, "1499 challenge")
            assert told.states("1499") == ("adjudication", None, "left")
