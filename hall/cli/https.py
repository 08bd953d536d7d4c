"""``tilehall https``: the HTTPS certificate of a desk."""

from __future__ import annotations

from pathlib import Path

import click

from hall.cli.init import FOLDER, LOOPBACK_NAMES, own_names


@click.command()
@FOLDER
@click.option("--desk", default="desk-1", show_default=True, help="The desk whose pages it is for.")
@click.option(
    "--host",
    "hosts",
    multiple=True,
    help="A name or an address by which browsers reach the desk; may be repeated. Default: this machine's name.",
)
def https(folder: Path, desk: str, hosts: tuple[str, ...]) -> None:
    """Issue the HTTPS certificate of a desk's pages, or replace it. It is valid for 800 days.

    The first call creates the authority of the pages. A phone or notebook that trusts it opens the desk without a warning.
    """
    from datetime import UTC, datetime

    from hall.broker.config import is_desk
    from hall.errors import HallFolderError
    from hall.keys.files import HallFiles
    from hall.keys.pages import page_authority, write_page_certificate

    files = HallFiles.load(folder.absolute())
    if not is_desk(desk) or desk not in files.names:
        known = ", ".join(filter(is_desk, files.names))
        raise HallFolderError(where=folder, expected="the name of a desk", found=f'"{desk}"', remedy=f"Choose one of {known}")
    names = tuple(dict.fromkeys((*(hosts or own_names()), *LOOPBACK_NAMES)))
    write_page_certificate(files.folder, files.authority.hall, files.identity(desk).key.parent, names, datetime.now(UTC))
    click.echo(f"""The pages of {desk} have a certificate for {", ".join(names)}. Start the desk again.

On each phone and notebook of a director: install {page_authority(files.folder)} as a trusted authority.""")
