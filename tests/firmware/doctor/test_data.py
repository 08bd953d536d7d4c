from __future__ import annotations

from pathlib import Path

import pytest

from appliance.finding import State
from appliance.settings.last_good import check_settings
from appliance.texts import check_texts
from firmware.doctor.examine import check_board, texts_and_reasons
from firmware.settings.places import merge


def test_the_settings_are_told_by_who_changed_how_many() -> None:
    layered = merge([("/etc/clock.toml", {"language": "en", "board.file": "full"}), ("options", {"board.file": "two-button"})])
    finding = check_settings(layered)
    assert (finding.state, finding.found) == (State.OK, "1 from /etc/clock.toml, 1 from options")
    finding = check_settings(merge([]))
    assert finding.found == "all at their defaults"


@pytest.mark.parametrize("language", ["en", "es", "fr"])
def test_the_shipped_texts_and_reasons_are_sound(language: str) -> None:
    assert check_texts(language, texts_and_reasons).state is State.OK


def test_an_unknown_language_fails_with_the_ones_there_are() -> None:
    finding = check_texts("tlh", texts_and_reasons)
    assert finding.state is State.FAIL
    assert "(en, es, fr)" in finding.found


def test_a_board_with_a_pin_used_twice_is_no_board_and_its_fix_says_what_to_change(tmp_path: Path) -> None:
    file = tmp_path / "twice.toml"
    file.write_text('title = "T"\nkind = "two-button"\n[buttons.left]\ngpio = 5\n[buttons.right]\ngpio = 5\n')
    board, finding = check_board(str(file))
    assert board is None
    assert finding.state is State.FAIL
    assert "for both buttons.left and buttons.right" in finding.found
    assert finding.fix == "Give one of them another pin."


def test_a_sound_board_is_returned_and_its_parts_are_counted() -> None:
    board, finding = check_board("two-button")
    assert board is not None
    assert finding.state is State.OK
    assert finding.found.endswith("2 buttons, 2 lamps, no buzzer")
