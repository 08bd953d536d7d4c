"""The arguments and options that several verbs share."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import click

from lexicon.errors import Unwritable

FILE: Final = click.Path(path_type=Path, readable=False)
"""A path that nothing is asked about here: the lexicon's own sentences say more than click's."""

DEFAULT_ALPHABET: Final = "english"

Verb = Callable[..., Any]


def lexicon_argument(verb: Verb) -> Verb:
    """Give ``verb`` the lexicon file as ``path``."""
    return click.argument("path", metavar="X.dawg", type=FILE)(verb)


def skip_invalid_option(verb: Verb) -> Verb:
    """Give ``verb`` the choice to leave out what the alphabet cannot lay, as ``skip_invalid``."""
    return click.option(
        "--skip-invalid", is_flag=True, help="Leave out lines that the alphabet cannot lay, and list them; else they are refused."
    )(verb)


def must_differ(source: Path, to: Path) -> None:
    """Refuse to put what is made in the place of what it is made from.

    Raises:
        Unwritable: both paths lead to one file.
    """
    if os.path.realpath(source) == os.path.realpath(to) or _is_same_file(source, to):
        raise Unwritable(where=to, expected="another file than the one that is read", found="the same", remedy="Choose another name")


def _is_same_file(source: Path, to: Path) -> bool:
    try:
        return source.samefile(to)
    except (OSError, ValueError):  # one of them is not there, or cannot be: whoever opens it says so
        return False
