from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from faults.guard import Guarded
from firmware.cli.run import doctor
from hardware.pins.mock import MockPins


def _doctor(*options: str) -> Result:
    group = Guarded(program="tileclock")
    group.add_command(doctor)
    return CliRunner().invoke(group, ["doctor", *options])


def test_a_machine_where_nothing_fails_leaves_with_0_and_one_line_a_check(tmp_path: Path) -> None:
    result = _doctor("--pins", "mock", "--screen", "none", "--journal", str(tmp_path / "journal.db"))
    assert result.exit_code == 0
    names = [
        "settings",
        "rulebooks",
        "texts",
        "board file",
        "pin library",
        "pins",
        "buttons",
        "time source",
        "boot id",
        "wall time",
        "time keeper",
        "power",
    ]
    names += ["journal folder", "commits", "disk space", "journal", "crash record", "screen"]
    lines = result.output.splitlines()
    assert [line[6:].split("  ")[0] for line in lines[: len(names)]] == names
    assert lines[-1] == "Nothing failed."
    assert not any(line.endswith(" ") for line in lines)


def test_a_failure_leaves_with_1_and_its_fix_stands_under_it(tmp_path: Path) -> None:
    journal = tmp_path / "journal.db"
    journal.write_text("a shopping list")
    (tmp_path / "journal.db-lock").touch()
    result = _doctor("--pins", "none", "--screen", "none", "--journal", str(journal))
    assert result.exit_code == 1
    assert "it is no SQLite file" in result.output
    assert "Fix: Copy it to a safe place" in result.output
    assert result.output.splitlines()[-1].startswith("1 of ")


def test_settings_that_cannot_be_used_leave_with_2_and_a_sentence(tmp_path: Path) -> None:
    settings = tmp_path / "clock.toml"
    settings.write_text('[board]\npin = "gpiod"\n')
    result = _doctor("--settings", str(settings))
    assert result.exit_code == 2
    assert (
        result.output
        == f'tileclock: {settings}: board: expected one of the keys file, pins, chip, remap, found "pin". Did you mean pins?\n'
    )


@pytest.mark.parametrize("pins", ["mock", "none"])
def test_presses_cannot_be_asked_for_where_there_are_no_buttons(pins: str) -> None:
    result = _doctor("--press", "--pins", pins)
    assert result.exit_code == 2
    assert f"board.pins is {pins}" in result.output


def test_the_mock_pins_are_given_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    closed: list[MockPins] = []

    def close(factory: MockPins) -> None:
        closed.append(factory)

    monkeypatch.setattr(MockPins, "close", close)
    _doctor("--pins", "mock", "--screen", "none", "--journal", str(tmp_path / "journal.db"))
    assert len(closed) == 1
