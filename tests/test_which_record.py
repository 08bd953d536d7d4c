"""Which journal or log a verb reads where none is named: that of the settings, or of the last good ones if the files are spoiled."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import pytest

from firmware.journal.store import open_journal
from firmware.journal.writer import JournalWriter
from game import events as ev
from game.challenge_log.entry import Entry, Kind
from game.journal.row import GameStamp, rows_of
from game.record import begin
from kiosk.log.log import open_log
from rules.rulebooks import load_rulebook
from rules.side import BySide
from tests.appliance.records.refusing import bound_by_permissions, open_folder
from tests.cells import each_cell
from tests.errors import refused
from tests.kiosk.log.making import CLOCKS, S
from tests.kiosk.log.making import STATION as STATION_NAME
from tests.programs import CLOCK, Program, both_programs

__all__ = ["open_folder"]

VERBS = {"tileclock": ("list", "show", "export", "verify"), "tilekiosk": ("list", "export", "verify")}
"""The verbs that read a record."""

pytestmark = both_programs


@pytest.fixture
def path(program: Program, tmp_path: Path) -> Path:
    """A journal with a game that was set up, or a log with one row."""
    path = tmp_path / "record.db"
    if program is not CLOCK:
        with open_log(path, CLOCKS) as log:
            log.append(Entry(Kind.STARTED), S, STATION_NAME)
        return path
    writer = JournalWriter(open_journal(path).path, lambda progress: None)
    record = begin(ev.NewGame(load_rulebook("club"), "club", BySide(None, None)), 0)
    writer.put(rows_of(None, record, 1, GameStamp(0, 0, "boot", "2026-07-03T10:00:00Z")))
    assert writer.close(30)
    return path


@pytest.fixture
def file(program: Program, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The settings file, which is not there yet."""
    return program.own_places(monkeypatch, tmp_path)


def naming(program: Program, path: Path | str) -> str:
    """Return settings that name the record."""
    return f'[{program.record}]\npath = "{path}"\n'


def test_without_an_option_every_verb_reads_the_record_that_the_settings_name(program: Program, path: Path, file: Path) -> None:
    file.write_text(naming(program, path))
    for cell in each_cell(VERBS[program.name]):
        with cell as verb:
            done, named = program.run(program.record, verb), program.run(program.record, verb, f"--{program.record}", path)
            assert (done.exit_code, done.stdout, done.stderr) == (0, named.stdout, "")


def test_a_record_that_is_not_there_is_an_error_that_says_how_to_name_another(program: Program, file: Path) -> None:
    file.write_text(naming(program, "/nowhere/record.db"))
    done = program.run(program.record, "list")
    assert done.stdout == ""
    remedy = re.compile(f"^Name another one with --{program.record}, or start the ")
    refused(done, where="/nowhere/record.db", found="no such file", remedy=remedy)


def test_the_option_wins_over_the_settings_and_does_not_even_read_them(program: Program, path: Path, file: Path) -> None:
    file.write_text("no TOML")
    assert program.run(program.record, "verify", f"--{program.record}", path).exit_code == 0


def test_where_the_settings_file_is_spoiled_the_record_of_the_last_good_one_is_read_and_a_line_says_so(
    program: Program, path: Path, file: Path
) -> None:
    file.write_text(naming(program, path))
    program.settings.take({})
    file.write_text(f"[{program.record}]\npath = 7\n")
    for cell in each_cell(VERBS[program.name]):
        with cell as verb:
            done, named = program.run(program.record, verb), program.run(program.record, verb, f"--{program.record}", path)
            assert (done.exit_code, done.stdout) == (0, named.stdout)
            assert done.stderr.startswith(
                f"{program.name}: settings not taken: {file}: {program.record}.path: expected a valid string, found 7"
            )
            assert done.stderr.endswith(f"; in force instead: 1 from last good copy of {file}\n")
            assert done.stderr.count("\n") == 1


def test_where_no_good_settings_were_ever_kept_the_record_is_the_usual_one(
    program: Program, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("appliance.records.files.is_missing", lambda _: True)
    file.write_text(f"[{program.record}]\npath = 7\n")
    usual = {"tileclock": "/var/lib/tileclock/journal.db", "tilekiosk": "/var/lib/tilekiosk/station.db"}[program.name]
    for cell in each_cell(VERBS[program.name]):
        with cell as verb:
            done = program.run(program.record, verb)
            assert (done.exit_code, done.stdout) == (2, "")
            said, missing = done.stderr.splitlines()
            assert said.endswith("in force instead: all at their defaults")
            assert missing.startswith(f"{program.name}: {usual}: expected a {program.record}, found no such file. ")
            assert not (file.parent / "state").exists()


def test_whoever_may_not_look_at_the_record_is_told_so_and_not_that_there_is_none(
    program: Program, path: Path, open_folder: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = open_folder / "home"
    home.mkdir()
    named = path.rename(home / "record.db")
    file.write_text(naming(program, named))
    monkeypatch.chdir(open_folder)
    for cell in each_cell(product([*((verb,) for verb in VERBS[program.name]), ("export", "-o", "record.txt")], (home, named))):
        with cell as (words, closed):
            assert program.run(program.record, *words).exit_code == 0
            mode = closed.stat().st_mode
            closed.chmod(0)
            with bound_by_permissions():
                done = program.run(program.record, *words)
                given = program.run(program.record, *words, f"--{program.record}", named)
            closed.chmod(mode)
            assert (done.exit_code, done.stdout) == (2, "")
            assert done.stderr == (
                f"{program.name}: {named}: expected a {program.record}, found that you have no permission to read it. "
                "Run the command with sudo.\n"
            )
            assert given.stderr == done.stderr
