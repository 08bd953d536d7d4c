"""Spoiled settings files of the machine never block startup: `config take` saves good ones, and `run` uses the last good ones, in both programs."""

from __future__ import annotations

import signal
import sys
from pathlib import Path

import pytest

from appliance.errors import SettingsError
from game.journal.row import Kind, decode
from tests.cells import each_cell
from tests.errors import refused
from tests.firmware.shell.rig import rows_in
from tests.kiosk.shell.rig import entries_in
from tests.processes import PATIENCE_S, ready
from tests.programs import STATION, Program, both_programs
from tests.spoiled_settings import LOST, OURS, Machine, machine_of

PROGRAM = """
import sys
from pathlib import Path
from {package}.settings import places
folder = Path(sys.argv[1])
places.SYSTEM_FILE, places.BOOT_FILES = folder / "system.toml", (folder / "{name}.toml",)
from {package}.cli.main import main
main(sys.argv[2:])
"""

pytestmark = both_programs


@pytest.fixture
def machine(program: Program, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Machine:
    return machine_of(program, monkeypatch, tmp_path)


def recorded(machine: Machine) -> str:
    """Return what the program's record says of its start."""
    path = machine.folder / "record.db"
    if machine.program is STATION:
        return entries_in(path)[0].why or ""
    (note,) = [decode(kept.row.body) for kept in rows_in(path) if kept.row.kind == Kind.NOTE]
    return str(note["settings"])


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

    monkeypatch.setattr(f"{machine.program.package}.settings.places.require_usable", broken)
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
