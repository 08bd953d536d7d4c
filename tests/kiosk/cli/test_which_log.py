"""Which log ``tilekiosk log`` reads: the one that is named, else that of the station's settings, of the last good ones where the files are spoiled."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from kiosk.challenge.entry import Entry, Kind
from kiosk.cli.main import main
from kiosk.cli.settings_source import SETTINGS
from kiosk.log.log import open_log
from kiosk.settings import places
from tests.appliance.records.refusing import bound_by_permissions, open_folder
from tests.kiosk.log.making import CLOCKS, STATION, S

__all__ = ["open_folder"]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A log with one row."""
    with open_log(tmp_path / "station.db", CLOCKS) as log:
        log.append(Entry(Kind.STARTED), S, STATION)
    return log.path


def _run(*words: str | Path) -> Result:
    done = CliRunner().invoke(main, ["log", *map(str, words)])
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


def test_without_a_path_the_log_of_the_settings_is_read(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(places, "SYSTEM_FILE", tmp_path / "station.toml")
    monkeypatch.setattr(places, "BOOT_FILES", ())
    (tmp_path / "station.toml").write_text(f'[log]\npath = "{path}"\n')
    assert _run("verify").exit_code == 0
    (tmp_path / "station.toml").write_text('[log]\npath = "/nowhere/station.db"\n')
    done = _run("list")
    assert done.exit_code == 2
    assert "Name another one with --log, or start the station, which creates it: tilekiosk run." in done.stderr


@pytest.mark.parametrize("verb", ["list", "export", "verify"])
def test_with_settings_named_the_log_is_read_that_a_station_with_them_writes(path: Path, tmp_path: Path, verb: str) -> None:
    folder = tmp_path / "settings"
    folder.mkdir()
    (folder / "station.toml").write_text('name = "Hall A"\n[log]\npath = "../station.db"\n')
    named = ("--settings", folder / "station.toml")
    done = _run(verb, *named)
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout == _run(verb, "--log", path).stdout
    assert "station.db" in CliRunner().invoke(main, ["config", *map(str, named)]).stdout
    other = _run(verb, *named, "--log", tmp_path / "other.db")
    assert (other.exit_code, other.stdout) == (2, "")
    assert "other.db: expected a log, found no such file. Check the path." in other.stderr
    bad = _run(verb, "--settings", tmp_path / "none.toml")
    assert (bad.exit_code, bad.stderr.count("\n")) == (2, 1)
    assert "none.toml" in bad.stderr


@pytest.mark.parametrize("verb", ["list", "export", "verify"])
def test_where_the_settings_file_is_spoiled_the_log_of_the_last_good_one_is_read_and_a_line_says_so(
    path: Path, tmp_path: Path, verb: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "station.toml"
    monkeypatch.setattr(places, "SYSTEM_FILE", file)
    monkeypatch.setattr(places, "BOOT_FILES", ())
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "state"))
    file.write_text(f'[log]\npath = "{path}"\n')
    SETTINGS.take({})
    file.write_text("name = ")
    done = _run(verb)
    assert (done.exit_code, done.stdout) == (0, _run(verb, "--log", path).stdout)
    assert done.stderr.startswith(f"tilekiosk: settings not taken: {file}: expected TOML")
    assert done.stderr.endswith(f"; in force instead: 1 from last good copy of {file}\n")
    bad = _run(verb, "--settings", file)
    assert (bad.exit_code, bad.stdout) == (2, "")


def test_a_log_that_is_named_is_read_whatever_is_wrong_with_the_settings_of_this_machine(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(places, "SYSTEM_FILE", tmp_path / "station.toml")
    monkeypatch.setattr(places, "BOOT_FILES", ())
    (tmp_path / "station.toml").write_text("name = ")
    assert _run("verify", "--log", path).exit_code == 0
    assert _run("verify").exit_code == 2


@pytest.mark.parametrize("words", [("list",), ("export",), ("export", "-o", "log.jsonl"), ("verify",)])
@pytest.mark.parametrize("closed", ["folder", "file"])
def test_whoever_may_not_look_at_the_log_is_told_so_and_not_that_there_is_none(
    path: Path, open_folder: Path, words: tuple[str, ...], closed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = open_folder / "home"
    home.mkdir()
    named = path.rename(home / "station.db")
    monkeypatch.chdir(open_folder)
    monkeypatch.setattr(places, "SYSTEM_FILE", open_folder / "station.toml")
    monkeypatch.setattr(places, "BOOT_FILES", ())
    (open_folder / "station.toml").write_text(f'[log]\npath = "{named}"\n')
    assert _run(*words).exit_code == 0
    (home if closed == "folder" else named).chmod(0)
    with bound_by_permissions():
        of_settings, given = _run(*words), _run(*words, "--log", named)
    home.chmod(0o755)
    assert (of_settings.exit_code, of_settings.stdout) == (2, "")
    assert (
        of_settings.stderr
        == f"tilekiosk: {named}: expected a log, found that you have no permission to read it. Run the command with sudo.\n"
    )
    assert given.stderr == of_settings.stderr
