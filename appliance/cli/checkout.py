"""What a checkout of Tileclock has: ``tools``, the developers' programs; and the documents, which packages bring too, with ``docs``, a verb of every program."""

from pathlib import Path
from pkgutil import resolve_name
from typing import Any, Final

import click

from faults.errors import TileclockError

SITES: Final = (Path(__file__).parents[2] / "build/docs/index.html", Path("/usr/share/doc/tileclock-common/html/index.html"))
"""As ``make docs`` makes it in a checkout, and as the Debian packages bring it."""


@click.command()
def docs() -> None:
    """Name the address of these documents on this machine, for a browser: with pictures, and the players' pages in French and Spanish."""
    there = next((site for site in SITES if site.exists()), None)
    if there is None:
        raise TileclockError(
            expected="the documents as web pages", found="none", remedy="Run make docs in a checkout, or install the Debian packages"
        )
    click.echo(there.as_uri())


def from_checkout(name: str, target: str) -> Any:
    """Return an object of ``tools``; raises ``TileclockError`` outside a checkout, where the make target ``target`` runs it."""
    try:
        return resolve_name(name)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "tools":
            raise
        raise TileclockError(
            expected="a checkout of Tileclock", found="an installed package", remedy=f"Run make {target} in a checkout, or this command"
        ) from error
