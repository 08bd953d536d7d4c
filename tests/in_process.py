"""A verb of our programs without a process of its own: the same arguments, output, sentences and exit codes, without a third of a second of imports."""

import subprocess

import click
from click.testing import CliRunner


def ran(main: click.Command, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the command with these words; an exception that would be a traceback is the test's."""
    done = CliRunner().invoke(main, words)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return subprocess.CompletedProcess(words, done.exit_code, done.stdout, done.stderr)
