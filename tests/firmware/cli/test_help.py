"""The command explains itself."""

import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import version

import click
import pytest
from click.testing import CliRunner

from firmware.cli.main import main
from kiosk.cli.main import main as tilekiosk
from lexicon.cli.main import main as tilelexicon
from tests.cells import each_cell


def test_every_verb_explains_itself() -> None:
    for cell in each_cell(sorted(main.commands)):
        with cell as verb:
            done = CliRunner().invoke(main, [verb, "--help"])
            assert done.exit_code == 0
            assert len(done.stdout.splitlines()) > 4


def test_help_names_every_verb_and_the_first_thing_to_try() -> None:
    done = CliRunner().invoke(main, ["--help"])
    assert "tileclock demo" in done.stdout
    assert [verb for verb in main.commands if f"\n  {verb} " not in done.stdout] == []


def test_version_is_that_of_the_package() -> None:
    assert CliRunner().invoke(main, ["--version"]).stdout.split()[-1] == version("tileclock")


def _verbs(command: click.Command, name: str) -> Iterator[tuple[str, click.Command]]:
    yield name, command
    if isinstance(command, click.Group):
        for each in command.commands.values():
            yield from _verbs(each, f"{name} {each.name}")


EVERY_VERB = [
    verb
    for program, name in ((main, "tileclock"), (tilekiosk, "tilekiosk"), (tilelexicon, "tilelexicon"))
    for verb in _verbs(program, name)
]


def test_no_verb_has_an_option_twice() -> None:
    for cell in each_cell(EVERY_VERB, lambda named: named[0]):
        with cell as (_, verb):
            options = [option for parameter in verb.params for option in (*parameter.opts, *parameter.secondary_opts)]
            assert sorted(options) == sorted(set(options))
            names = [parameter.name for parameter in verb.params]
            assert sorted(map(str, names)) == sorted(set(map(str, names)))


@pytest.mark.filterwarnings("error")
def test_the_displays_of_the_doctor_are_asked_for_without_a_word_of_clicks() -> None:
    done = CliRunner().invoke(main, ["doctor", "--led", "--led-off", "--help"])
    assert (done.exit_code, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("module", "program"),
    [
        (f"{package}.cli{file}", f"tile{name}")
        for package, name in (("firmware", "clock"), ("kiosk", "kiosk"), ("lexicon", "lexicon"))
        for file in ("", ".main")
    ],
)
def test_each_program_answers_by_its_name_where_python_is_given_its_module(module: str, program: str) -> None:
    done = subprocess.run([sys.executable, "-m", module, "--version"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{program}, version {version('tileclock')}\n", "")
