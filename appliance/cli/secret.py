"""Reading a secret for the settings: typed on a terminal without showing it, else a line of standard input."""

from __future__ import annotations

import sys

import click

from faults.errors import TileclockError


class DifferentSecrets(TileclockError, ValueError):
    """The two secrets differ."""


def read_secret(name: str, *, again: bool = True) -> str:
    """Return the secret called ``name`` in the prompt; ``again``: it is new, and has to be typed twice.

    Raises:
        DifferentSecrets: what was typed the second time differs.
    """
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\r\n")
    first: str = click.prompt(name, hide_input=True, err=True)
    if again and click.prompt("Once more", hide_input=True, err=True) != first:
        raise DifferentSecrets(expected=f"the same {name} twice", found="two different ones", remedy="Begin again")
    return first
