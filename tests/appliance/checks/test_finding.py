from __future__ import annotations

import pytest

from appliance.errors import PinUnavailable
from appliance.finding import Finding, State, counted, error_finding


def test_a_failure_without_a_fix_cannot_be_made_nor_a_fix_without_a_failure() -> None:
    with pytest.raises(ValueError, match="expected a fix"):
        Finding("pins", State.FAIL, "none")
    with pytest.raises(ValueError, match="expected a fix"):
        Finding("pins", State.OK, "seven", "Do nothing.")


def test_what_to_do_in_an_error_of_the_hardware_becomes_the_fix() -> None:
    finding = error_finding("pins", PinUnavailable(expected="GPIO5", found="it is busy", remedy="End the program that holds it"))
    assert finding == Finding("pins", State.FAIL, "expected GPIO5, found it is busy", "End the program that holds it.")


def test_one_is_counted_as_one_and_more_as_several() -> None:
    assert [counted(1, "touch", "touches"), counted(2, "touch", "touches"), counted(0, "bounce")] == ["1 touch", "2 touches", "0 bounces"]
