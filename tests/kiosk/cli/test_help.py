"""Every verb explains itself, and none imports a screen to do so."""

from __future__ import annotations

import subprocess
import sys

import pytest
from click.testing import CliRunner

from kiosk.cli.main import VERBS, main


@pytest.mark.parametrize("verb", [verb.name for verb in VERBS])
def test_each_verb_has_its_help(verb: str) -> None:
    done = CliRunner().invoke(main, [verb, "--help"])
    assert done.exit_code == 0
    assert f"Usage: main {verb}" in done.output


def test_the_help_of_run_says_how_long_a_choice_of_the_desk_stands() -> None:
    said = " ".join(CliRunner().invoke(main, ["run", "--help"]).output.split())
    assert "The director's choices at the desk override the settings until these change." in said


def test_the_verbs_are_those_that_the_station_needs() -> None:
    assert {verb.name for verb in VERBS} == {"config", "demo", "doctor", "log", "pinout", "run"}


def test_help_loads_neither_pygame_nor_the_table_clock() -> None:
    program = (
        "import sys, click.testing; from kiosk.cli.main import main; click.testing.CliRunner().invoke(main, ['run', '--help']); "
        "print([name for name in ('pygame', 'firmware.shell', 'firmware.screens') if name in sys.modules])"
    )
    ended = subprocess.run([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, check=True)
    assert ended.stdout.strip() == "[]"
