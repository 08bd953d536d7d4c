"""The command explains itself."""

from importlib.metadata import version

import pytest
from click.testing import CliRunner

from firmware.cli.main import main


@pytest.mark.parametrize("verb", sorted(main.commands))
def test_every_verb_explains_itself(verb: str) -> None:
    done = CliRunner().invoke(main, [verb, "--help"])
    assert done.exit_code == 0
    assert len(done.stdout.splitlines()) > 4


def test_help_names_every_verb_and_the_first_thing_to_try() -> None:
    done = CliRunner().invoke(main, ["--help"])
    assert "tileclock demo" in done.stdout
    assert [verb for verb in main.commands if f"\n  {verb} " not in done.stdout] == []


def test_version_is_that_of_the_package() -> None:
    assert CliRunner().invoke(main, ["--version"]).stdout.split()[-1] == version("tileclock")
