"""Spoiled settings files of the machine never block startup: `config take` saves good ones, and `run` uses the last good ones, in both programs."""

from __future__ import annotations

import re
import signal
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import Result

from appliance.errors import SettingsError
from firmware.journal.body import decode
from firmware.journal.row import Kind
from tests.cells import each_cell
from tests.errors import refused
from tests.firmware.shell.rig import rows_in
from tests.kiosk.shell.rig import entries_in
from tests.processes import PATIENCE_S, ready
from tests.programs import CLOCK, STATION, Program, both_programs

OURS = 'id = "ours"\nextends = "club"\ntitle = "Ours"\nsummary = "As in our club."\n'
BOARDS = {
    CLOCK.name: 'title = "Ours"\nkind = "two-button"\n[buttons.left]\ngpio = 5\n[buttons.right]\ngpio = 6\n',
    STATION.name: 'title = "Ours"\nkind = "station"\n[buttons.adjudicate]\ngpio = 5\n',
}
PROGRAM = """
import sys
from pathlib import Path
from {package}.settings import places
folder = Path(sys.argv[1])
places.SYSTEM_FILE, places.BOOT_FILES = folder / "system.toml", (folder / "{name}.toml",)
from {package}.cli.main import main
main(sys.argv[2:])
"""
LOST = [("x", "expected TOML"), ("", "expected settings, found an empty file"), (None, "found no file")]
"""What a failing card leaves of the settings file (None: no file), and the message about it."""

pytestmark = both_programs


@dataclass(frozen=True)
class Machine:
    """A machine whose boot partition has good settings, a rulebook and a board of its own."""

    program: Program
    file: Path

    @property
    def good(self) -> str:
        """The text of the good settings: five of them."""
        return (
            'rulebook = "ours.toml"\n[screen]\nkind = "none"\n[board]\nfile = "board.toml"\npins = "mock"\n'
            f'[{self.program.record}]\npath = "record.db"\n'
        )

    @property
    def folder(self) -> Path:
        return self.file.parent

    @property
    def files(self) -> dict[str, str]:
        """The good files' texts by name."""
        return {self.file.name: self.good, "ours.toml": OURS, "board.toml": BOARDS[self.program.name]}

    def restore(self) -> None:
        for name, text in self.files.items():
            (self.folder / name).write_text(text, encoding="utf-8")

    def spoil(self, text: str | None = "x") -> None:
        if text is None:
            self.file.unlink()
        else:
            self.file.write_text(text, encoding="utf-8")

    def take(self) -> Result:
        done = self.program.run("config", "take")
        assert (done.exit_code, done.stderr) == (0, "")
        return done


@pytest.fixture
def machine(program: Program, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Machine:
    machine = Machine(program, program.own_places(monkeypatch, tmp_path))
    machine.restore()
    return machine


def recorded(machine: Machine) -> str:
    """Return what the program's record says of its start."""
    path = machine.folder / "record.db"
    if machine.program is STATION:
        return entries_in(path)[0].why or ""
    (note,) = [decode(kept.row.body) for kept in rows_in(path) if kept.row.kind == Kind.NOTE]
    return str(note["settings"])


def findings(doctor: Result) -> dict[str, str]:
    """Return what was checked, and how it was; but not how fast commits are, which changes while this machine is busy."""
    lines = [line for line in doctor.stdout.splitlines() if line.startswith(("ok ", "note ", "fail "))]
    return {name: line.split()[0] for line in lines if (name := line[6:].split("  ")[0]) != "commits"}


def test_good_files_are_kept_with_the_rulebook_and_the_board_that_they_name_and_no_other_user_reads_them(machine: Machine) -> None:
    assert machine.take().stdout == f"settings taken: 5 from {machine.file}\n"
    kept = machine.folder / "state" / "last-good" / str(machine.folder).lstrip("/")
    assert {each.name: each.read_text() for each in kept.iterdir()} == machine.files
    assert all(each.stat().st_mode & 0o007 == 0 for each in kept.iterdir())


def test_a_spoiled_file_fails_no_boot_and_is_told_with_its_name_its_place_and_what_was_expected(machine: Machine) -> None:
    good, ours, board = machine.files.values()
    spoiled = [
        (machine.file.name, f"{good}[machine\n", "found a fault: Expected ']' at the end of a table declaration (at line 9, column 9)"),
        (machine.file.name, good.replace('"none"', '"lcd"'), 'screen.kind: expected "window"'),
        (machine.file.name, good.replace("ours", "naspa-2071"), "naspa-2071"),
        (machine.file.name, f'language = "tlh"\n{good}', "'tlh'"),
        (machine.file.name, f'own_rulebooks = ["none.toml"]\n{good}', "none.toml"),
        ("board.toml", board.replace("gpio = 5", "gpio = 60"), "expected a GPIO number on the 40-pin header, 2 to 27, found 60"),
        ("ours.toml", ours.replace('"club"', '"clubb"'), "clubb"),
    ]
    for cell in each_cell(spoiled):
        with cell as (file, text, told):
            machine.restore()
            machine.take()
            (machine.folder / file).write_text(text, encoding="utf-8")
            done = machine.take()
            assert done.stdout.startswith("settings not taken: ")
            assert str(machine.folder / file) in done.stdout
            assert told in done.stdout
            assert "in force instead: 5 from " in done.stdout


def test_a_spoiled_own_rulebook_that_is_only_offered_is_replaced_by_its_last_good_copy(machine: Machine) -> None:
    machine.spoil(machine.good.replace('rulebook = "ours.toml"', 'own_rulebooks = ["ours.toml"]'))
    assert machine.take().stdout == f"settings taken: 5 from {machine.file}\n"
    (machine.folder / "ours.toml").write_text("x", encoding="utf-8")
    for _ in range(2):
        assert f"in force instead: 5 from {machine.file}\n" in machine.take().stdout
    in_force = machine.program.settings.take({}).settings
    assert [Path(each).read_text() for each in in_force.own_rulebooks] == [OURS]


def test_a_file_that_the_card_lost_leaves_its_last_good_copy_in_force_and_kept(machine: Machine) -> None:
    machine.take()
    for cell in each_cell([*LOST[1:], LOST[0]]):
        with cell as (text, told):
            machine.restore()
            machine.spoil(text)
            for _ in range(2):
                done = machine.take()
                assert done.stdout.startswith(f"settings not taken: {machine.file}: expected ")
                assert told in done.stdout
                assert done.stdout.endswith(f"; in force instead: 5 from last good copy of {machine.file}\n")


def test_where_nothing_was_ever_kept_a_spoiled_file_is_left_out(machine: Machine) -> None:
    machine.spoil()
    assert machine.take().stdout.endswith("; in force instead: all at their defaults\n")


def test_where_not_even_the_defaults_can_be_used_taking_leaves_with_2(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: object) -> None:
        raise SettingsError(expected="texts", found="none", remedy="Install it anew")

    monkeypatch.setattr(f"{machine.program.package}.settings.named.require_usable", broken)
    refused(machine.program.run("config", "take"), expected="texts", found="none")
    assert not (machine.folder / "state").exists()


def test_taking_has_no_settings_of_its_own(machine: Machine) -> None:
    done = machine.program.run("config", "--settings", machine.file, "take")
    assert done.exit_code == 2
    assert "expected no settings before `take`" in done.stderr


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("x", "expected TOML in UTF-8, found a fault: Expected '=' after a key in a key/value pair (at end of document)"),
        (None, "expected settings, found no file"),
    ],
)
def test_a_program_whose_settings_are_spoiled_starts_with_the_last_good_ones_and_says_why_in_its_record_and_its_output(
    machine: Machine, text: str | None, why: str
) -> None:
    machine.take()
    machine.spoil(text)
    program = machine.program
    command = (sys.executable, "-c", PROGRAM.format(package=program.package, name=program.name), str(machine.folder), "run")
    with ready(command, machine.folder, STATE_DIRECTORY=str(machine.folder / "state")) as process:
        process.send_signal(signal.SIGTERM)
        output, errors = process.communicate(timeout=PATIENCE_S)
    assert (process.returncode, errors) == (0, "")
    assert f"settings not taken: {machine.file}: {why}" in output
    assert f"in force instead: 5 from last good copy of {machine.file}" in output
    assert f"{machine.file}: {why}" in recorded(machine)


def test_who_asks_for_the_settings_is_told_what_is_wrong_and_nothing_is_made_good(machine: Machine) -> None:
    machine.take()
    for cell in each_cell(LOST):
        with cell as (text, told):
            machine.spoil(text)
            done = machine.program.run("config")
            assert done.stdout == ""
            error = refused(done, where=str(machine.file))
            assert isinstance(error, SettingsError)
            assert told in error.problem


def test_a_file_of_one_remark_says_that_the_defaults_are_meant(machine: Machine) -> None:
    machine.take()
    machine.spoil("# defaults\n")
    assert machine.take().stdout == "settings taken: all at their defaults\n"
    machine.spoil(None)
    assert machine.take().stdout == "settings taken: all at their defaults\n"


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


def test_a_file_that_is_named_and_an_option_are_taken_or_refused_and_never_made_good(machine: Machine) -> None:
    machine.take()
    bad = machine.folder / "bad.toml"
    bad.write_text("x", encoding="utf-8")
    for words in (("--settings", str(bad)), ("--width", "3"), ("--board", "nix")):
        done = machine.program.run("run", *words)
        refused(done)


def test_paths_in_a_file_begin_at_that_file_whichever_folder_the_program_is_started_in(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine.spoil(f'own_rulebooks = ["./ours.toml", "club"]\n{machine.good}')
    monkeypatch.chdir("/")
    done = machine.program.run("config", "--changed")
    said = done.stdout.splitlines()
    for line in (
        f'rulebook = "{machine.folder}/ours.toml"',
        f'own_rulebooks = ["{machine.folder}/ours.toml", "club"]',
        f'board.file = "{machine.folder}/board.toml"',
        f'{machine.program.record}.path = "{machine.folder}/record.db"',
    ):
        assert f"{line}  # {machine.file}" in said
