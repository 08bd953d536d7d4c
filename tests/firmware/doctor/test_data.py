from __future__ import annotations

from pathlib import Path

from appliance.checks.finding import State
from firmware.doctor.data import check_board, check_rulebooks, check_settings, check_texts
from firmware.settings import Settings
from firmware.settings.places import merge


def test_the_settings_are_told_by_who_changed_how_many() -> None:
    layered = merge([("/etc/clock.toml", {"language": "en", "board.file": "full"}), ("options", {"board.file": "two-button"})])
    (finding,) = check_settings(layered)
    assert (finding.state, finding.found) == (State.OK, "1 from /etc/clock.toml, 1 from options")
    (finding,) = check_settings(merge([]))
    assert finding.found == "all at their defaults"


def test_the_shipped_rulebooks_and_texts_are_sound() -> None:
    (rulebooks,) = check_rulebooks(Settings())
    (texts,) = check_texts("en")
    assert (rulebooks.state, texts.state) == (State.OK, State.OK)
    assert rulebooks.found.startswith("7 shipped, 0 own; a game begins with ")


def test_each_rulebook_that_cannot_be_used_is_a_failure_of_its_own(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text("no_such_key = 1\n")
    findings = list(check_rulebooks(Settings(rulebook="naspa-1999", own_rulebooks=(str(own),))))
    assert [finding.name for finding in findings] == ["rulebook naspa-1999", f"rulebook {own}"]
    assert {finding.state for finding in findings} == {State.FAIL}
    assert 'found "naspa-1999"' in findings[0].found
    assert "no_such_key" in findings[1].found


def test_an_unknown_language_fails_with_the_ones_there_are() -> None:
    (finding,) = check_texts("tlh")
    assert finding.state is State.FAIL
    assert "(en)" in finding.found


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
