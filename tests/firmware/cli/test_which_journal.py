"""Which journal ``tileclock journal`` reads where none is named: that of the clock's settings, of the last good ones where the files are spoiled."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from firmware.cli.main import main
from firmware.cli.settings_source import SETTINGS
from firmware.core import events as ev
from firmware.core.record import begin
from firmware.journal.opening import open_journal
from firmware.journal.row import GameStamp, rows_of
from firmware.journal.writer import JournalWriter
from firmware.settings import places
from rules.rulebooks import load_rulebook
from rules.side import BySide
from tests.appliance.records.refusing import bound_by_permissions, open_folder

__all__ = ["open_folder"]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A journal with a game that was set up."""
    path = open_journal(tmp_path / "journal.db").path
    writer = JournalWriter(path, lambda progress: None)
    record = begin(ev.NewGame(load_rulebook("club"), "club", BySide(None, None)), 0)
    writer.put(rows_of(None, record, 1, GameStamp(0, 0, "boot", "2026-07-03T10:00:00Z")))
    assert writer.close(30)
    return path


def _run(*words: str) -> Result:
    return CliRunner().invoke(main, ["journal", *words])


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Return the place of the machine's settings, where there are none yet."""
    monkeypatch.setattr(places, "SYSTEM_FILE", tmp_path / "clock.toml")
    monkeypatch.setattr(places, "BOOT_FILES", ())
    return tmp_path / "clock.toml"


@pytest.mark.parametrize("verb", ["list", "show", "export", "verify"])
def test_without_an_option_every_verb_reads_the_journal_that_the_clocks_settings_name(path: Path, machine: Path, verb: str) -> None:
    machine.write_text(f'[journal]\npath = "{path}"\n')
    done = _run(verb)
    assert (done.exit_code, done.stdout) == (0, _run(verb, "--journal", str(path)).stdout)


def test_the_option_wins_over_the_settings_and_does_not_even_read_them(path: Path, machine: Path) -> None:
    machine.write_text("no TOML")
    assert _run("verify", "--journal", str(path)).exit_code == 0


@pytest.mark.parametrize("verb", ["list", "show", "export", "verify"])
def test_where_the_settings_file_is_spoiled_the_journal_of_the_last_good_one_is_read_and_a_line_says_so(
    path: Path, machine: Path, verb: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(machine.parent / "state"))
    machine.write_text(f'[journal]\npath = "{path}"\n')
    SETTINGS.take({})
    machine.write_text("[journal]\npath = 7\n")
    done = _run(verb)
    assert (done.exit_code, done.stdout) == (0, _run(verb, "--journal", str(path)).stdout)
    assert done.stderr.startswith(f"tileclock: settings not taken: {machine}: journal.path: expected a valid string, found 7")
    assert done.stderr.endswith(f"; in force instead: 1 from last good copy of {machine}\n")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("verb", ["list", "show", "export", "verify"])
def test_where_no_good_settings_were_ever_kept_the_journal_is_the_usual_one(
    tmp_path: Path, machine: Path, verb: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "state"))
    monkeypatch.setattr("appliance.records.files.is_missing", lambda _: True)
    machine.write_text("[journal]\npath = 7\n")
    done = _run(verb)
    assert (done.exit_code, done.stdout) == (2, "")
    said, missing = done.stderr.splitlines()
    assert said.endswith("in force instead: all at their defaults")
    assert missing.startswith("tileclock: /var/lib/tileclock/journal.db: expected a journal, found no such file. ")
    assert not (tmp_path / "state").exists()


@pytest.mark.parametrize("verb", ["list", "show", "export", "verify"])
@pytest.mark.parametrize("closed", ["folder", "file"])
def test_whoever_may_not_look_at_the_journal_is_told_so_and_not_that_there_is_none(
    path: Path, open_folder: Path, machine: Path, verb: str, closed: str
) -> None:
    home = open_folder / "home"
    home.mkdir()
    named = path.rename(home / "journal.db")
    machine.write_text(f'[journal]\npath = "{named}"\n')
    assert _run(verb).exit_code == 0
    (home if closed == "folder" else named).chmod(0)
    with bound_by_permissions():
        of_settings, given = _run(verb), _run(verb, "--journal", str(named))
    home.chmod(0o755)
    assert (of_settings.exit_code, of_settings.stdout) == (2, "")
    assert (
        of_settings.stderr
        == f"tileclock: {named}: expected a journal, found that you have no permission to read it. Run the command with sudo.\n"
    )
    assert given.stderr == of_settings.stderr


def test_an_export_to_a_file_is_refused_alike_where_the_journal_may_not_be_looked_at(path: Path, open_folder: Path, machine: Path) -> None:
    home = open_folder / "home"
    home.mkdir()
    named = path.rename(home / "journal.db")
    machine.write_text(f'[journal]\npath = "{named}"\n')
    output = str(open_folder / "games.txt")
    assert _run("export", "-o", output).exit_code == 0
    home.chmod(0)
    with bound_by_permissions():
        done = _run("export", "-o", output)
    home.chmod(0o755)
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
    assert "with sudo" in done.stderr
