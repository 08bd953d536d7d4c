"""``docs``, a verb of every program: where these documents are on this machine."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

from faults.errors import TileclockError

SITES: Final = (Path(__file__).parents[2] / "build/docs/index.html", Path("/usr/share/doc/tileclock-common/html/index.html"))
"""As ``make docs`` makes it in a checkout, and as the Debian packages bring it."""


class NoDocuments(TileclockError, FileNotFoundError):
    """The documents are not on this machine."""


@click.command()
def docs() -> None:
    """Name the address of these documents on this machine, for a browser: with pictures, and the players' pages in French and Spanish."""
    there = next((site for site in SITES if site.exists()), None)
    if there is None:
        raise NoDocuments(
            expected="the documents as web pages", found="none", remedy="Run make docs in a checkout, or install the Debian packages"
        )
    click.echo(there.as_uri())
