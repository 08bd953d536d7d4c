"""``tileclock replay``: what a script or an exported journal shows."""

from __future__ import annotations

import gc
import os
import sys
from pathlib import Path
from typing import BinaryIO

import click

from firmware.core.lines import read_lines
from firmware.core.wording import Malformed
from firmware.errors import TileclockError
from firmware.menu.setup import Setup
from firmware.replay import Refusal
from firmware.replay import replay as replay_lines
from firmware.rulebooks import load_rulebook
from firmware.texts import load_texts
from firmware.texts.reasons import load_reasons


class Unwritten(TileclockError, OSError):
    """What was shown could not be written."""

    __str__ = Exception.__str__


@click.command()
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@click.option("--strict", is_flag=True, help="Exit with 2 if any event was refused.")
@click.option("--two-button", is_flag=True, help="Read edges as those of a two-button board: both held for 5 s is the director's key.")
def replay(file: Path, *, strict: bool, two_button: bool) -> None:
    """Run FILE (JSON Lines, - for standard input) through the clock and print its face at every show.

    A refused event is named on standard error; a malformed line ends the run with exit code 2.
    """
    # Every value of a fold is frozen and without cycles: collecting rubbish would only walk the same chain again and again.
    gc.disable()
    setup = Setup(two_button=two_button, rulebooks=(), texts=load_texts(), reasons=load_reasons())
    try:
        refused = _run(file, setup)
    except BrokenPipeError:
        # Whoever read has read enough; Python must not complain of it again when it closes.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        refused = False
    if refused and strict:
        raise SystemExit(2)


def _run(file: Path, setup: Setup) -> bool:
    """Print what the script shows; True: something was refused."""
    refused = False
    with _opened(file) as rows:
        for outcome in replay_lines(read_lines(rows, str(file), load_rulebook), setup):
            if isinstance(outcome, Refusal):
                refused = True
                click.echo(f"{file}:{outcome.line}: {outcome.what}, {outcome.why}", err=True)
            else:
                _print(outcome + "\n")
    _print("")
    return refused


def _print(text: str) -> None:
    try:
        sys.stdout.write(text) if text else sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise Unwritten(f"expected to write the faces to standard output, found: {error.strerror}") from error


def _opened(file: Path) -> BinaryIO:
    try:
        return sys.stdin.buffer if str(file) == "-" else file.open("rb")
    except OSError as error:
        raise Malformed(f"expected a script to read, found that {file} cannot be opened: {error.strerror}") from error
