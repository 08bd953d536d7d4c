"""``tilehall init`` and ``https``: the folder of a hall, and the HTTPS certificate of a desk."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

if TYPE_CHECKING:
    from hall.keys.files import HallFiles


FOLDER: Final = click.option(
    "--folder", type=click.Path(path_type=Path), default=Path("/etc/tilehall"), show_default=True, help="The folder of the hall's keys."
)
LOOPBACK_NAMES: Final = ("localhost", "127.0.0.1")
_SHORTEST: Final = 8
"""Whoever copies the file can try all shorter passphrases."""


@click.command()
@click.argument("hall")
@FOLDER
@click.option(
    "--host", "hosts", multiple=True, help="A name or an address of the broker's machine; may be repeated. Default: this machine's name."
)
@click.option("--port", type=click.IntRange(1, 65535), default=8883, show_default=True, help="The broker's port.")
@click.option("--desks", type=click.IntRange(1, 20), default=1, show_default=True, help="How many desks give orders.")
def init(hall: str, folder: Path, hosts: tuple[str, ...], port: int, desks: int) -> None:
    """Create the keys of the hall HALL (small letters, digits and hyphens) and the configuration of its broker, mosquitto.

    Asks for the director's passphrase twice, without showing it; without a terminal, it reads a line of standard input. The passphrase encrypts the key that
    signs orders, and cannot be recovered. Existing keys are never overwritten.
    """
    from datetime import UTC, datetime

    from hall.broker import write_configuration
    from hall.keys.files import COMMAND_LINE, LISTENER, HallFiles
    from hall.keys.pages import write_page_certificate

    _require_name(hall)
    names = tuple(dict.fromkeys((*(hosts or own_names()), *LOOPBACK_NAMES)))
    files = HallFiles.make(folder.absolute(), hall, names, _passphrase())
    for number in range(1, desks + 1):
        identity = files.admit(f"desk-{number}")
        write_page_certificate(files.folder, hall, identity.key.parent, names, datetime.now(UTC))
        if number > 1:
            # Two clients of one name would end each other's connection: each further desk listens by its own.
            files.admit(f"{LISTENER}-{number}")
    files.admit(COMMAND_LINE)
    write_configuration(files, port)
    click.echo(_what_to_do(files, port))


def own_names() -> tuple[str, ...]:
    """Return the names by which a network knows this machine."""
    own = socket.gethostname()
    return own, f"{own}.local"


def _require_name(hall: str) -> None:
    from hall.errors import HallFolderError
    from wire.topics import is_hall

    if not is_hall(hall):
        raise HallFolderError(
            where="HALL", expected="1 to 32 small letters, digits and hyphens", found=f'"{hall}"', remedy="Choose another name"
        )


def _passphrase() -> bytes:
    from appliance.cli.options import read_secret
    from hall.errors import HallFolderError

    passphrase = read_secret("passphrase of the director")
    if len(passphrase) < _SHORTEST:
        raise HallFolderError(
            expected=f"a passphrase of {_SHORTEST} characters or more", found=f"{len(passphrase)}", remedy="Choose a longer one"
        )
    return passphrase.encode()


def _what_to_do(files: HallFiles, port: int) -> str:
    from hall.broker import CONFIGURATION, broker_can_read_its_key

    folder = files.folder
    install = (
        ""
        if broker_can_read_its_key(files)
        else f"""
   sudo apt-get install mosquitto
   sudo chgrp mosquitto {files.broker.key} && sudo chmod 640 {files.broker.key}"""
    )
    return f"""The hall {files.authority.hall} has its keys in {folder}. Next:

1. Start the broker (port {port}) with them:{install}
   sudo ln -sf {folder / CONFIGURATION} /etc/mosquitto/conf.d/tilehall.conf
   sudo systemctl restart mosquitto

2. Start listener and admissions, now and at each boot:
   sudo systemctl enable --now tilehall-listen tilehall-admissions

3. Copy {folder} to a USB stick, and keep it away from this machine. {folder / "ca.key"} admits devices, and
   {files.director} signs the director's orders with the passphrase. Nothing else can replace them."""


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

    from hall.broker import is_desk
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
