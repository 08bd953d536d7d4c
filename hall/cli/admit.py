"""``tilehall admissions``, ``admit``, ``token``, ``devices`` and ``revoke``: the hall's side of getting in, and of going."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from hall.cli.init import FOLDER
from hall.cli.options import with_settings

if TYPE_CHECKING:
    from appliance.cli.options import Option
    from hall.settings import Layered


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

    from hall.enrol.service import AdmissionPlaces, serve
    from hall.keys.files import HallFiles

    settings = layered.settings
    files = HallFiles.load(Path(settings.admissions.folder))
    places = AdmissionPlaces(settings.admissions.address, settings.enrol.port, Path(settings.admissions.socket))
    asyncio.run(serve(files, places, settings.broker.port))


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
    match answer.outcome:
        case "admitted":
            device = answer.waiting[0]
            click.echo(f"{device.device} ({device.about}) is admitted.")
            return 0
        case "refused":
            said = SENTENCES.get(answer.reason, answer.reason)
        case "ambiguous":
            said = "Two devices show these digits: scan the QR code, or let the device ask again."
        case _:
            said = "No device with these digits is waiting. If the list shows other digits for your device, someone is intercepting the connection."
    click.echo(f"tilehall: {said}", err=True)
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
    from hall.enrol.cards import BrokerAddress, clock_cards, station_cards, write_cards
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
