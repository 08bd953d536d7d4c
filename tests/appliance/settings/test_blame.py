"""A setting that names an unavailable thing: the error has its key and its file."""

from __future__ import annotations

import pytest

from appliance.errors import BoardError
from appliance.settings.layers import OPTIONS, Layered, blame_setting
from tests.hardware.sheds import Shed


def _look_up(origins: dict[str, str], fault: Exception) -> None:
    with blame_setting(Layered(Shed(), origins), "plan"):
        raise fault


def test_a_files_fault_is_told_with_file_and_key() -> None:
    with pytest.raises(BoardError) as caught:
        _look_up({"plan": "/boot/shed.toml"}, BoardError(expected="one", found="none", where="line 1"))
    assert caught.value.where == "/boot/shed.toml: plan: line 1"


@pytest.mark.parametrize("origins", [{}, {"plan": OPTIONS}, {"plans": "/boot/shed.toml"}])
def test_what_no_file_says_stays_as_it_is(origins: dict[str, str]) -> None:
    with pytest.raises(BoardError) as caught:
        _look_up(origins, BoardError(expected="one", found="none"))
    assert caught.value.where == ""


def test_an_error_that_nobody_named_is_none_of_the_settings() -> None:
    with pytest.raises(KeyError):
        _look_up({"plan": "/boot/shed.toml"}, KeyError("x"))
