"""``tilehall init`` and ``https``: the folder of a hall, and the HTTPS certificate of a desk."""

from __future__ import annotations

import socket
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from appliance.cli.options import Option, read_secret
from hall.cli.options import with_settings
from hall.errors import HallError
from wire.topics import is_hall

if TYPE_CHECKING:
    from hall.keys.files import HallFiles
    from hall.settings import Layered


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
    from hall.broker import write_configuration
    from hall.keys.files import COMMAND_LINE, LISTENER, HallFiles
    from hall.keys.pages import write_page_certificate

    if not is_hall(hall):
        raise HallError(where="HALL", expected="1 to 32 small letters, digits and hyphens", found=f'"{hall}"', remedy="Choose another name")
    passphrase = read_secret("passphrase of the director")
    if len(passphrase) < _SHORTEST:
        raise HallError(
            expected=f"a passphrase of {_SHORTEST} characters or more", found=f"{len(passphrase)}", remedy="Choose a longer one"
        )
    names = tuple(dict.fromkeys((*(hosts or own_names()), *LOOPBACK_NAMES)))
    files = HallFiles.make(folder.absolute(), hall, names, passphrase.encode())
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
    own = socket.gethostname()
    return own, f"{own}.local"


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
    from hall.broker import is_desk
    from hall.keys.files import HallFiles
    from hall.keys.pages import page_authority, write_page_certificate

    files = HallFiles.load(folder.absolute())
    if not is_desk(desk) or desk not in files.names:
        known = ", ".join(filter(is_desk, files.names))
        raise HallError(where=folder, expected="the name of a desk", found=f'"{desk}"', remedy=f"Choose one of {known}")
    names = tuple(dict.fromkeys((*(hosts or own_names()), *LOOPBACK_NAMES)))
    write_page_certificate(files.folder, files.authority.hall, files.identity(desk).key.parent, names, datetime.now(UTC))
    click.echo(f"""The pages of {desk} have a certificate for {", ".join(names)}. Start the desk again.

On each phone and notebook of a director: install {page_authority(files.folder)} as a trusted authority.""")


_SOCKET: Final[Option] = ("--socket", "admissions.socket", str, "The local socket of `tilehall admit`.")
_OPTIONS: Final[tuple[Option, ...]] = (
    ("--folder", "admissions.folder", str, "The folder of the hall's keys."),
    ("--address", "admissions.address", str, "The one address of this machine to serve and announce."),
    ("--port", "enrol.port", int, "The enrolment port; 0: any that is free."),
    _SOCKET,
)


@click.command()
@with_settings(_OPTIONS)
def admissions(layered: Layered) -> None:
    """Take in devices on the hall's machine, renew their certificates, and announce the broker, until SIGTERM or Ctrl+C.

    The director admits with `tilehall admit`; devices with a token of `tilehall token` need no admission.
    """
    import asyncio

    from hall.enrol.service import serve

    asyncio.run(serve(layered.settings))


@click.command()
@click.argument("digits", required=False)
@with_settings((_SOCKET,))
def admit(layered: Layered, digits: str | None) -> int:
    """Admit the device that shows DIGITS; without them, list the devices that wait.

    Type the digits from the device's own screen, or scan its QR code. If the list shows other digits for it, someone is intercepting the connection: do not admit it. Exit
    code: 0 if it is admitted, 1 if not.
    """
    from hall.enrol.protocol import SENTENCES, AdmitRequest, as_typed, ask

    path = Path(layered.settings.admissions.socket)
    if digits is None:
        for each in ask(path, AdmitRequest()).waiting:
            click.echo(f"{each.digits}   {each.about}   {each.device}   from {each.address}, for {each.seconds} s")
        return 0
    typed = as_typed(digits)
    if typed is None:
        raise click.BadParameter(f"expected eight digits as in 1234-5678, found {digits!r}.", param_hint="DIGITS")
    answer = ask(path, AdmitRequest(admit=typed))
    if answer.outcome == "admitted":
        device = answer.waiting[0]
        click.echo(f"{device.device} ({device.about}) is admitted.")
        return 0
    said = {
        "refused": SENTENCES.get(answer.reason, answer.reason),
        "ambiguous": "Two devices show these digits: scan the QR code, or let the device ask again.",
    }
    unknown = (
        "No device with these digits is waiting. If the list shows other digits for your device, someone is intercepting the connection."
    )
    click.echo(f"tilehall: {said.get(answer.outcome, unknown)}", err=True)
    return 1


@click.command()
@FOLDER
def devices(folder: Path) -> None:
    """List the devices of the hall: id, kind, table and name, and the end of the certificate. Needs the rights of the folder's owner."""
    from hall.enrol.registrar import admitted
    from hall.keys.files import HallFiles

    for each in admitted(HallFiles.load(folder.absolute())):
        click.echo(f"{each.id}   {each.about}   until {each.ends:%Y-%m-%d}")


@click.command()
@click.argument("target", type=click.Path(path_type=Path))
@click.option("--tables", default="", help="Clocks, by the numbers of their tables: 1-60, or 1,2,7-9.")
@click.option("--stations", default="", help="Stations, by their names: A,B,C.")
@click.option(
    "--clock-settings", type=click.Path(path_type=Path, dir_okay=False), help="A tileclock.toml for all: {table} in it becomes the number."
)
@click.option(
    "--station-settings", type=click.Path(path_type=Path, dir_okay=False), help="A tilekiosk.toml for all: {name} in it becomes the name."
)
@click.option("--host", default="", help="The name or address of the broker's machine. Default: devices look for it.")
@click.option("--port", type=click.IntRange(1, 65535), default=8883, show_default=True, help="The broker's port, for --host.")
@click.option("--enrol-port", type=click.IntRange(1, 65535), default=8884, show_default=True, help="The enrolment port, for --host.")
@FOLDER
def token(  # noqa: PLR0913 - one parameter an option
    target: Path,
    folder: Path,
    *,
    tables: str,
    stations: str,
    clock_settings: Path | None,
    station_settings: Path | None,
    host: str,
    port: int,
    enrol_port: int,
) -> None:
    """Make files for the cards' boot partitions, in the new folder TARGET: one folder for each device, with a token that admits one device, once.

    Copy all files of a folder onto the boot partition of its card. The device enrols itself at the next start with the hall in reach. Treat the files as
    keys: anyone who has one can impersonate a device that has not started yet.
    """
    from hall.enrol.registrar import BrokerAddress, clock_cards, station_cards, write_cards
    from hall.keys.files import HallFiles

    files = HallFiles.load(folder.absolute())
    cards = [*clock_cards(tables, clock_settings), *station_cards(stations, station_settings)]
    if not cards:
        raise click.UsageError("expected --tables or --stations, found neither.")
    write_cards(files, target, cards, BrokerAddress(host, port, enrol_port))
    click.echo(f"{len(cards)} folders in {target}. Copy the files of each onto the boot partition of its card, then delete them here.")


@click.command()
@click.argument("name")
@FOLDER
def revoke(name: str, folder: Path) -> None:
    """Revoke all certificates of NAME: a device's id, its name or "table 12" (`tilehall devices` lists them), or a desk such as desk-1.

    Its token no longer admits it, and a station's verdicts no longer reach any clock. The verb restarts the broker where it can, which closes the device's
    open connection; the others reconnect within 5 s, and play goes on. To admit the device again, enrol it by digits.
    """
    from hall.broker import restart_broker, write_access_list
    from hall.enrol.registrar import name_for, revoke_tokens
    from hall.keys.files import HallFiles

    files = HallFiles.load(folder.absolute())
    with files.changing():
        found = name_for(files, name)
        revoke_tokens(files, found)
        files.revoke(found)
        write_access_list(files)
    click.echo(f"{found} is revoked.")
    click.echo("The broker has been restarted." if restart_broker(files) else "Now restart the broker: sudo systemctl restart mosquitto")
