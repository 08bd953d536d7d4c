"""``tilehall link``: checks its settings, and then becomes the lean process that relays."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Final

import click

from hall.cli.options import with_settings

if TYPE_CHECKING:
    from appliance.cli.options import Option
    from hall.link.plan import LinkPlan
    from hall.settings.places import Layered

BROKER_OPTIONS: Final[tuple[Option, ...]] = (
    ("--host", "broker.host", str, "The broker's name or address."),
    ("--port", "broker.port", int, "The broker's port."),
)
_OPTIONS: Final[tuple[Option, ...]] = (
    *BROKER_OPTIONS,
    ("--socket", "link.socket", str, "The local socket of the clock or the station."),
    ("--folder", "link.folder", str, "The folder with ca.pem, certificate.pem and key.pem."),
)


@click.command()
@with_settings(_OPTIONS)
def link(layered: Layered) -> None:
    """Connect a clock or a station with its hall, until SIGTERM.

    Keeps nothing: the rows are in the journal of the clock. A broker or a device that is away is tried again, and the reason is on standard error.
    """
    plan = _plan(layered)
    # -P: a folder with modules of other programs must not come first.
    # Settings and command line take 15 MB, so the running link begins without them, with the same process id for systemd.
    os.execv(sys.executable, [sys.executable, "-P", "-m", "hall.link", plan.to_json()])  # noqa: S606 - our own module


def _plan(layered: Layered) -> LinkPlan:
    """Return the plan of the settings.

    Raises:
        HallFolderError: the folder has no usable certificate.
    """
    from pathlib import Path

    from hall.errors import HallFolderError
    from hall.keys.certificate import read_holder
    from hall.keys.files import identity_in
    from hall.link.dialling import Refused, tls_context
    from hall.link.plan import LinkPlan
    from wire.topics import is_device

    settings = layered.settings
    folder = Path(settings.link.folder)
    files = identity_in(folder)
    holder = read_holder(files.certificate)
    if not is_device(holder.name):
        raise HallFolderError(
            where=folder, expected="the certificate of a clock or a station", found=f"that of {holder.name}", remedy="Enrol this device"
        )
    plan = LinkPlan(
        holder.hall,
        settings.broker.host,
        settings.broker.port,
        files.ca,
        files.certificate,
        files.key,
        holder.name,
        Path(settings.link.socket),
        f"{holder.ends:%Y-%m-%d}",
    )
    try:
        tls_context(plan)
    except Refused as refused:
        raise HallFolderError(
            where=folder,
            expected="ca.pem, certificate.pem and key.pem that belong together",
            found=refused.found,
            remedy="Enrol this device at its hall, or check the folder in the settings",
        ) from refused
    return plan
