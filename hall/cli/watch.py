"""``tilehall watch`` and ``tilehall status``: the hall as its listener sees it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from hall.cli.listen import HTTP_OPTION
from hall.cli.options import with_settings

if TYPE_CHECKING:
    from hall.settings.places import Layered


@click.command()
@with_settings((HTTP_OPTION,))
def watch(layered: Layered) -> None:
    """Show the hall live: tables, readings, who runs, calls, age. Ctrl+C ends it.

    Calls come first, then faulty and stale devices. A reading with ~ may be off by more than 250 ms; a stale device has not been heard for 15 s.
    """
    from functools import partial

    from rich.console import Console

    from hall.watch.screen import watch as show
    from hall.watch.source import read_picture

    show(partial(read_picture, layered.settings.listen.http), Console())


@click.command()
@with_settings((HTTP_OPTION,))
def status(layered: Layered) -> None:
    """Print the state of the hall once. Exit code: 0 if there is no problem, 1 if there is one, 2 if there is no listener."""
    from datetime import datetime

    from hall.watch.source import read_picture
    from hall.watch.words import summary

    lines, well = summary(read_picture(layered.settings.listen.http), datetime.now().astimezone())
    for line in lines:
        click.echo(line)
    if not well:
        raise SystemExit(1)
