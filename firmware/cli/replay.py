"""``tileclock replay``: the output of a script or an exported journal."""

from __future__ import annotations

import gc
import sys
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import click

if TYPE_CHECKING:
    from firmware.menu.setup import Setup


@click.command()
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@click.option("--strict", is_flag=True, help="Exit with 2 if any event was refused.")
@click.option("--two-button", is_flag=True, help="Read edges as from a two-button board: both held for 5 s is the director's key.")
def replay(file: Path, *, strict: bool, two_button: bool) -> None:
    """Run FILE (JSON Lines, - for standard input) through the clock and print its face at every show.

    A rulebook with a relative path is looked up beside the script, then in the working directory.
    A refused event is reported on standard error; a malformed line ends the run with exit code 2.
    """
    from firmware.menu.setup import Setup
    from firmware.texts import load_reasons, load_texts

    # All values of a fold are frozen and without cycles, so garbage collection would only cost time.
    gc.disable()
    setup = Setup(two_button=two_button, rulebooks=(), texts=load_texts(), reasons=load_reasons())
    if _run(file, setup) and strict:
        raise SystemExit(2)


def _run(file: Path, setup: Setup) -> bool:
    """Print the script's output; return whether an event was refused."""
    from firmware.replay import NoEdition, RefusedLine, beside
    from firmware.replay import replay as replay_lines
    from game.forms import EDITION
    from game.script import read_lines

    refused = False
    with _opened(file) as rows:
        for outcome in replay_lines(read_lines(rows, str(file), beside(file.parent)), setup):
            if isinstance(outcome, RefusedLine):
                refused = True
                click.echo(f"{file}:{outcome.line}: {outcome.what}, {outcome.why}", err=True)
            elif isinstance(outcome, NoEdition):
                click.echo(f"{file}:{outcome.line}: new_game names no edition of the events: read as edition {EDITION}", err=True)
            else:
                print(outcome)  # noqa: T201 - click.echo flushes after each line, and a long script has many
    return refused


def _opened(file: Path) -> BinaryIO:
    from faults.errors import reason
    from game.exact_json import Malformed

    try:
        return sys.stdin.buffer if str(file) == "-" else file.open("rb")
    except OSError as error:
        raise Malformed(where=file, expected="a script to read", found=reason(error), remedy="Check the path") from error
