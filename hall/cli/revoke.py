"""``tilehall revoke``: a lost device's certificates open nothing any more."""

from __future__ import annotations

from pathlib import Path

import click

from hall.cli.init import FOLDER


@click.command()
@click.argument("name")
@FOLDER
def revoke(name: str, folder: Path) -> None:
    """Revoke all certificates of NAME: the id of a clock or a station, or a desk such as desk-1.

    The broker keeps an open connection of that device until it is restarted; everybody else is back within 5 s, and no table notices.
    """
    from hall.broker.files import write_access_list
    from hall.keys.files import HallFiles

    files = HallFiles.load(folder.absolute())
    files.revoke(name)
    write_access_list(files)
    click.echo(f"{name} is revoked. Now restart the broker: sudo systemctl restart mosquitto")
