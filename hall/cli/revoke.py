"""``tilehall revoke``: a lost device's certificates open nothing any more."""

from __future__ import annotations

from pathlib import Path

import click

from hall.cli.init import FOLDER


@click.command()
@click.argument("name")
@FOLDER
def revoke(name: str, folder: Path) -> None:
    """Revoke all certificates of NAME: a device's id, its name or "table 12" (`tilehall devices` lists them), or a desk such as desk-1.

    Its token no longer admits it, and a station's verdicts no longer reach any clock. The verb restarts the broker where it can, which closes the device's
    open connection; the others reconnect within 5 s, and play goes on. To admit the device again, enrol it by digits.
    """
    from hall.broker.files import restart_broker, write_access_list
    from hall.enrol.about import name_for
    from hall.enrol.tokens import revoke_tokens
    from hall.keys.files import HallFiles

    files = HallFiles.load(folder.absolute())
    with files.changing():
        found = name_for(files, name)
        revoke_tokens(files, found)
        files.revoke(found)
        write_access_list(files)
    click.echo(f"{found} is revoked.")
    click.echo("The broker has been restarted." if restart_broker(files) else "Now restart the broker: sudo systemctl restart mosquitto")
