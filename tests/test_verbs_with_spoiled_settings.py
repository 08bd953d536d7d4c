"""`doctor` and `pinout` with spoiled settings files: they say what is wrong, and go on with the last good files, in both programs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import Result

from tests.cells import each_cell
from tests.errors import refused
from tests.programs import CLOCK, STATION, Program, both_programs
from tests.spoiled_settings import LOST, Machine, machine_of

pytestmark = both_programs


@pytest.fixture
def machine(program: Program, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Machine:
    return machine_of(program, monkeypatch, tmp_path)


def findings(doctor: Result) -> dict[str, str]:
    """Return what was checked, and how it was; but not how fast commits are, which changes while this machine is busy."""
    lines = [line for line in doctor.stdout.splitlines() if line.startswith(("ok ", "note ", "fail "))]
    return {name: line.split()[0] for line in lines if (name := line[6:].split("  ")[0]) != "commits"}


def test_a_doctor_of_spoiled_settings_says_so_in_one_finding_and_looks_at_all_else_with_the_last_good_ones(machine: Machine) -> None:
    machine.take()
    well = findings(machine.program.run("doctor"))
    assert well["settings"] == "ok"
    for cell in each_cell(LOST):
        with cell as (text, told):
            machine.spoil(text)
            done = machine.program.run("doctor")
            assert (done.exit_code, done.stderr) == (1, "")
            assert findings(done) == {**well, "settings": "fail"}
            said = "".join(done.stdout.split())
            assert f"fail settings {machine.file}:".replace(" ", "") in said
            assert told.replace(" ", "") in said
            assert "5fromlastgoodcopyof" in said
            assert "Thenrestart." in said
            assert re.search("^ok +board file +board: ", done.stdout, re.MULTILINE)


def test_a_doctor_where_nothing_was_ever_kept_looks_at_all_else_with_the_defaults(machine: Machine) -> None:
    machine.spoil()
    program = machine.program
    done = program.run("doctor", "--pins", "mock", "--screen", "none", f"--{program.record}", machine.folder / "record.db")
    assert (done.exit_code, done.stderr) == (1, "")
    assert findings(done)["settings"] == "fail"
    assert "in force instead: 3 from options" in " ".join(done.stdout.split())
    assert not (machine.folder / "state").exists()


def test_a_doctor_with_an_option_or_a_named_file_at_fault_leaves_with_2_whatever_the_machines_files_are(machine: Machine) -> None:
    machine.take()
    bad = machine.folder / "bad.toml"
    bad.write_text("x", encoding="utf-8")
    for spoiled in (False, True):
        if spoiled:
            machine.spoil()
        for words, where in ((("--settings", str(bad)), str(bad)), (("--width", "3"), "options: screen.width")):
            done = machine.program.run("doctor", *words)
            assert done.stdout == ""
            refused(done, where=where)


def test_the_pinout_is_of_the_settings_board_and_where_they_are_spoiled_of_the_last_good_ones(machine: Machine) -> None:
    machine.take()
    program = machine.program
    shown = program.run("pinout", "--pi", "4")
    assert (shown.exit_code, shown.stderr, shown.stdout.splitlines()[0]) == (0, "", "Ours, on a Raspberry Pi 4 (B, 400)")
    machine.spoil()
    again = program.run("pinout", "--pi", "4")
    assert (again.exit_code, again.stdout) == (0, shown.stdout)
    assert again.stderr.startswith(f"{program.name}: settings not taken: {machine.file}: expected TOML")
    assert again.stderr.count("\n") == 1


def test_the_pinout_is_of_the_shipped_board_where_no_settings_name_another(machine: Machine) -> None:
    machine.spoil(None)
    shipped, said = {
        CLOCK.name: ("full", ""),
        STATION.name: (
            "station",
            'tilekiosk: the settings name no board, so this is the shipped one; to use it: board.file = "station".\n',
        ),
    }[machine.program.name]
    shown, named = machine.program.run("pinout", "--pi", "4"), machine.program.run("pinout", shipped, "--pi", "4")
    assert (shown.exit_code, shown.stdout, shown.stderr) == (0, named.stdout, said)
    assert named.stderr == ""
