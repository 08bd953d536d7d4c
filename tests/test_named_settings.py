"""Unusable things that settings name: every verb of clock and station reports them with key and file, and ``config`` refuses what ``run`` refuses."""

from __future__ import annotations

from pathlib import Path

import pytest

from appliance.errors import BoardError, Explained
from tests.cells import each_cell
from tests.errors import refused
from tests.programs import CLOCK, STATION, Program, both_programs

NAMED = [
    ('[board]\nfile = "ful"\n', "board.file", "'ful'"),
    ('rulebook = "naspa-2071"\n', "rulebook", '"naspa-2071"'),
    ('own_rulebooks = ["naspa-2071"]\n', "own_rulebooks", '"naspa-2071"'),
    ('language = "xx"\n', "language", "'xx'"),
    ('[board]\nfile = "own.toml"\n', "board.file", "no such file or directory"),
    ('own_rulebooks = ["none.toml"]\n', "own_rulebooks", "no such file or directory"),
]


WRONG = {
    CLOCK.name: NAMED,
    STATION.name: [
        *NAMED,
        ('[lexicon]\nalphabet = "runes"\n', "lexicon.alphabet", '"runes"'),
        ('[lexicon]\nalphabet = "runes.toml"\n', "lexicon.alphabet", "no such file or directory"),
    ],
}

pytestmark = both_programs


@pytest.fixture
def file(program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The boot partition's file, the only one."""
    return program.own_places(monkeypatch, tmp_path)


def refusal(program: Program) -> Explained:
    """Return why the program does not take the settings that are there."""
    rejected = program.settings.take({}).refused
    assert rejected is not None
    return rejected.why


def test_config_and_run_refuse_what_the_settings_name_wrongly_with_key_and_file(program: Program, file: Path) -> None:
    for cell in each_cell(WRONG[program.name]):
        with cell as (text, key, found):
            file.write_text(text)
            why = refusal(program)
            assert why.problem.startswith(f"{file}: {key}: ")
            assert why.problem.endswith(f"found {found}")
            for words in (("config",), ("config", "--settings", str(file)), ("run", "--settings", str(file))):
                done = program.run(*words)
                assert (done.exit_code, done.stderr) == (2, f"{program.name}: {why}\n")


def test_the_self_test_tells_it_too_and_goes_on(program: Program, file: Path, tmp_path: Path) -> None:
    file.write_text(NAMED[0][0])
    done = program.run("doctor", "--pins", "none", "--screen", "none", f"--{program.record}", str(tmp_path / "record.db"))
    assert done.exit_code == 1
    assert f"{file}: board.file:" in done.stdout
    assert "checks failed" in done.stdout


@pytest.mark.usefixtures("file")
def test_an_options_wrong_name_has_no_file_before_it(program: Program) -> None:
    done = program.run("config", "--board", "ful")
    assert isinstance(refused(done, where="", found="'ful'"), BoardError)


def test_a_file_that_windows_has_named_txt_is_told_of_by_taking_and_by_the_self_test(program: Program, file: Path, tmp_path: Path) -> None:
    strange = file.with_name(f"{file.name}.txt")
    strange.write_text("# mine\n")
    taken = program.run("config", "take")
    assert (taken.exit_code, taken.stdout.startswith(f"settings not taken: {strange}: expected the name {file.name}")) == (0, True)
    done = program.run("doctor", "--pins", "none", "--screen", "none", f"--{program.record}", str(tmp_path / "record.db"))
    assert done.exit_code == 1
    assert "Rename the file" in " ".join(done.stdout.split())
