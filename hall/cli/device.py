"""``tilehall enrol``, ``find``, ``renew`` and ``link``: beside a clock or a station. ``link`` checks its settings, and then becomes the lean process that relays."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

import click

from hall.cli.options import BROKER_OPTIONS, with_settings
from hall.errors import EnrolmentRefused

if TYPE_CHECKING:
    from collections.abc import Callable

    from appliance.cli.options import Option
    from hall.enrol.device import DevicePlaces, Granted, ToCompare
    from hall.settings import Layered


_PORT: Final[tuple[Option, ...]] = (
    ("--host", "broker.host", str, "The name or address of the hall's machine."),
    ("--port", "enrol.port", int, "Its enrolment port."),
    ("--folder", "link.folder", str, "The folder of the link."),
)


@click.command()
@click.argument("program", type=click.Choice(("tileclock", "tilekiosk")))
@click.option(
    "--device-settings",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Read this file in place of the settings of clock or station.",
)
@click.option("--at-boot", is_flag=True, help="Only with a token from the settings, and only if it is still needed.")
@with_settings(_PORT)
def enrol(layered: Layered, program: Literal["tileclock", "tilekiosk"], device_settings: Path | None, *, at_boot: bool) -> int:
    """Ask the hall to admit this device: PROGRAM is tileclock on a clock, tilekiosk on a station.

    Shows eight digits and a QR code; the director compares the digits on the hall's machine, and admits the device there. With a token on the boot
    partition (`tilehall token`) it needs no director. The device's keys never leave it. Exit code: 0 if it is admitted, 1 if the hall refuses; with
    --at-boot 2 if a later try may help.
    """
    from hall.enrol.announce import hall_port
    from hall.enrol.device import enrol as ask
    from hall.enrol.device import is_enrolled, keep, keys_of, on_panel, places_of, request_of
    from hall.enrol.protocol import PASSING

    settings = layered.settings
    places = places_of(program, Path(settings.link.folder), device_settings)
    if at_boot and (not settings.enrol.token or is_enrolled(places, settings.enrol.hall)):
        return 0
    port, token = hall_port(settings), settings.enrol.token if settings.enrol.hall else ""
    keys = keys_of(places)
    try:
        with on_panel(places.socket) as panel:
            granted = ask(port, keys, request_of(places, keys), token or None, lambda compare: _show(compare, panel))
    except EnrolmentRefused as refused:
        # At boot systemd tries again after any other exit code than 1.
        if at_boot and refused.found in PASSING:
            raise
        click.echo(f"tilehall: {refused.remedy}.", err=True)
        return 1
    keep(places, granted)
    click.echo(_done(granted, places))
    return 0


@click.command()
@with_settings(_PORT)
def renew(layered: Layered) -> int:
    """Ask the hall for the next certificate of this device's link. The link does so by itself, ten days before the end of the last one.

    Works up to 60 days after that end. Prints the new end as one JSON object. Exit code: 0 if it is renewed, 1 if the hall refuses.
    """
    from hall.enrol.device import renewed

    try:
        holder = renewed(layered.settings)
    except EnrolmentRefused as refused:
        click.echo(f"tilehall: {refused.remedy}.", err=True)
        return 1
    click.echo(json.dumps({"ends": holder.last_day, "renew_at": holder.renew_at}))
    return 0


@click.command()
@click.option("--for", "wanted", default="", help="Only the broker of this hall, as soon as it answers.")
@click.option("--from", "interface", default="", help="The one address of this machine to look from.")
def find(wanted: str, interface: str) -> int:
    """Look for the brokers that announce themselves in this network; print one JSON object a line. Exit code: 0 if there is one, else 1.

    The result is only a hint: a device connects only to a broker that its hall's CA has certified.
    """
    from hall.enrol.announce import find as look

    found = [each for each in look(interface, wanted=wanted) if not wanted or wanted == each.hall]
    for each in found:
        click.echo(json.dumps(each._asdict()))
    return 0 if found else 1


def _show(compare: ToCompare, panel: Callable[[ToCompare], None]) -> None:
    from qrcode.main import QRCode

    panel(compare)

    code = QRCode(border=2)
    code.add_data(compare.transcript)
    # A terminal that cannot print the blocks still has the digits.
    if (sys.stdout.encoding or "").lower().startswith("utf"):
        code.print_ascii(invert=True)
    click.echo(
        f"""
    {compare.digits}

This device asks hall {compare.hall} to admit it. On the hall's machine, compare the digits and admit it:

    sudo tilehall admit {compare.digits}

Waiting, for ten minutes at most ..."""
    )


def _done(granted: Granted, places: DevicePlaces) -> str:
    grant = granted.grant
    said = f"{grant.device} is admitted to hall {grant.hall}, until {granted.certificate.not_valid_after_utc:%Y-%m-%d}; its link renews the certificate."
    if places.enabled:
        return said
    return f"{said}\nNow switch the hall on: set enabled = true below [hall] in {places.program}.toml, and restart {places.program}."


_OPTIONS: Final[tuple[Option, ...]] = (
    *BROKER_OPTIONS,
    ("--socket", "link.socket", str, "The local socket of the clock or the station."),
    ("--folder", "link.folder", str, "The folder with ca.pem, certificate.pem and key.pem."),
)


@click.command()
@with_settings(_OPTIONS)
def link(layered: Layered) -> None:
    """Connect a clock or a station with its hall, until SIGTERM.

    Stores nothing: the rows are in the clock's journal. If the broker or the device is away, it tries again and prints the reason on standard error.
    """
    from hall.broker import link_plan

    plan = link_plan(layered.settings)
    # -P: a folder with modules of other programs must not come first.
    # Settings and command line take 15 MB, so the running link begins without them, with the same process id for systemd.
    os.execv(sys.executable, [sys.executable, "-P", "-m", "hall.link", plan.to_json()])  # noqa: S606 - our own module
