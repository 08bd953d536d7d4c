"""The command explains itself, and quickly."""

import subprocess
import sys
from importlib.metadata import version

from lexicon.cli.main import main
from tests.cells import each_cell
from tests.lexicon.cli.program import invoke, run


def test_every_verb_explains_itself() -> None:
    for cell in each_cell(sorted(main.commands)):
        with cell as verb:
            done = invoke(verb, "--help")
            assert done.exit_code == 0
            assert len(done.stdout.splitlines()) > 4


def test_help_names_every_verb_and_the_first_thing_to_try() -> None:
    done = invoke("--help")
    assert "tilelexicon build words.txt" in done.stdout
    assert [verb for verb in main.commands if f"\n  {verb} " not in done.stdout] == []


def test_alone_it_prints_help() -> None:
    done = run()
    assert b"Usage: tilelexicon [OPTIONS] COMMAND [ARGS]..." in done.stdout + done.stderr


def test_version_is_that_of_the_package() -> None:
    assert invoke("--version").stdout == f"tilelexicon, version {version('tileclock')}\n"


def test_help_loads_no_library_that_only_some_verb_needs() -> None:
    script = "import sys, lexicon.cli.main; print({'rich', 'pydantic', 'lexicon.build', 'lexicon.formats'} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, check=True).stdout == b"set()\n"
