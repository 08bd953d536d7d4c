"""What the clock's settings name and cannot be had is told with the key and the file that names it, by every verb that looks for it."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from firmware.cli.main import main
from firmware.cli.settings_source import SETTINGS
from firmware.settings import layers

WRONG = [
    ('[board]\nfile = "ful"\n', "board.file", "expected a shipped board (full, two-button"),
    ('rulebook = "naspa-2071"\n', "rulebook", "naspa-2071"),
    ('own_rulebooks = ["none.toml"]\n', "own_rulebooks", "none.toml"),
    ('language = "xx"\n', "language", "xx"),
    ('[board]\nfile = "own.toml"\n', "board.file", "own.toml"),
]


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The boot partition's file, the only one."""
    monkeypatch.setattr(layers, "SYSTEM_FILE", tmp_path / "clock.toml")
    monkeypatch.setattr(layers, "BOOT_FILES", (tmp_path / "tileclock.toml",))
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "state"))
    return tmp_path / "tileclock.toml"


def _run(*words: str) -> Result:
    return CliRunner().invoke(main, words)


@pytest.mark.parametrize(("text", "key", "told"), WRONG)
def test_a_wrong_name_is_told_with_its_key_and_file(file: Path, text: str, key: str, told: str) -> None:
    file.write_text(text)
    refused = SETTINGS.take({}).refused
    assert refused is not None
    assert refused.why.problem.startswith(f"{file}: {key}: ")
    assert told in str(refused.why)
    done = _run("config")
    assert (done.exit_code, done.stderr) == (2, f"tileclock: {refused.why}\n")
    for verb in ("config", "run"):
        named = _run(verb, "--settings", str(file))
        assert (named.exit_code, named.stderr) == (2, f"tileclock: {refused.why}\n")


def test_the_self_test_tells_it_too_and_goes_on(file: Path, tmp_path: Path) -> None:
    file.write_text(WRONG[0][0])
    done = _run("doctor", "--pins", "none", "--screen", "none", "--journal", str(tmp_path / "journal.db"))
    assert done.exit_code == 1
    assert f"{file}: board.file:" in done.stdout
    assert "time source" in done.stdout


def test_an_options_wrong_name_stays_as_short_as_it_was(file: Path) -> None:
    done = _run("config", "--board", "ful")
    assert (done.exit_code, done.stderr.startswith("tileclock: expected a shipped board (full, ")) == (2, True)


def test_a_file_that_windows_has_named_txt_is_told_of_by_taking_and_by_the_self_test(file: Path, tmp_path: Path) -> None:
    strange = file.with_name("tileclock.toml.txt")
    strange.write_text("# mine\n")
    taken = _run("config", "take")
    assert (taken.exit_code, taken.stdout.startswith(f"settings not taken: {strange}: expected the name tileclock.toml")) == (0, True)
    done = _run("doctor", "--pins", "none", "--screen", "none", "--journal", str(tmp_path / "journal.db"))
    assert done.exit_code == 1
    assert "Rename the file" in " ".join(done.stdout.split())
