"""The verbs' output: words always in UTF-8, figures in two columns, names with escapes for control characters."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from pathlib import Path

import click

from faults.guard import printable

_SOME = 2000
"""Lines written at a time."""


def in_one_line(text: str | Path) -> str:
    """Return ``text`` with escapes for unprintable characters and line feeds."""
    return printable(text).replace("\n", "\\n")


def print_lines(lines: Iterable[str]) -> None:
    """Print ``lines`` in UTF-8, in batches."""
    rest = iter(lines)
    while some := list(islice(rest, _SOME)):
        click.echo("\n".join([*some, ""]).encode(), nl=False)


def print_figures(figures: Iterable[tuple[str, str]]) -> None:
    """Print names and figures in two columns."""
    rows = list(figures)
    width = max(len(what) for what, _ in rows)
    for what, figure in rows:
        click.echo(f"{what:<{width}}  {in_one_line(figure)}")


def counted(count: int, one: str, many: str | None = None) -> str:
    """Return the count with its noun: ``1 word``, ``2,000 words``."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"
