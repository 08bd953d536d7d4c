"""Arguments and options shared by several verbs."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import click

from lexicon.errors import Unwritable

FILE: Final = click.Path(path_type=Path, readable=False)
"""A path that click does not check: the lexicon's own errors say more."""

DEFAULT_ALPHABET: Final = "english"

Verb = Callable[..., Any]


def lexicon_argument(verb: Verb) -> Verb:
    """Add the lexicon file as argument ``path``."""
    return click.argument("path", metavar="X.dawg", type=FILE)(verb)


def skip_invalid_option(verb: Verb) -> Verb:
    """Add the option ``skip_invalid``."""
    return click.option(
        "--skip-invalid", is_flag=True, help="Leave out and list lines that the alphabet cannot spell; otherwise they are an error."
    )(verb)


def require_different(source: Path, to: Path) -> None:
    """Check that the output does not replace the input.

    Raises:
        Unwritable: both paths name the same file.
    """
    if os.path.realpath(source) == os.path.realpath(to) or _is_same_file(source, to):
        raise Unwritable(where=to, expected="another file than the input", found="the same", remedy="Choose another name")


def _is_same_file(source: Path, to: Path) -> bool:
    try:
        return source.samefile(to)
    except (OSError, ValueError):  # one is missing or invalid: opening it reports that
        return False
