"""``tilekiosk doctor``: its lines, its exit codes."""

from __future__ import annotations

from pathlib import Path

from tests.kiosk.lexicons.files import made
from tests.kiosk.shell.programs import running
from tests.processes import PATIENCE_S


def test_it_prints_what_it_found_and_what_to_do_and_fails_where_something_does(tmp_path: Path) -> None:
    options = ("--lexicon", str(made(tmp_path / "list.dawg")), "--log", str(tmp_path / "station.db"), "--screen", "none")
    with running("doctor", *options) as doctor:
        said, errors = doctor.communicate(timeout=PATIENCE_S)
    assert (doctor.returncode, errors) == (1, "")
    assert "EXAMPLE 2026" in said
    assert "Fix: Create one with `tilekiosk config pin`" in said
    assert said.splitlines()[-1].startswith("1 of ")


def test_settings_that_cannot_be_are_one_sentence_and_exit_code_2(tmp_path: Path) -> None:
    with running("doctor", "--settings", str(tmp_path / "nowhere.toml")) as doctor:
        said, errors = doctor.communicate(timeout=PATIENCE_S)
    assert (doctor.returncode, said) == (2, "")
    assert errors.startswith("tilekiosk: ")
