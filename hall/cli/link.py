"""``tilehall link``: checks its settings, and then becomes the lean process that relays."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Final

import click

from hall.cli.options import with_settings
from hall.cli.plan import BROKER_OPTIONS

if TYPE_CHECKING:
    from appliance.cli.options import Option
    from hall.link.plan import LinkPlan
    from hall.settings.places import Layered

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
    plan = _plan(layered)
    # -P: a folder with modules of other programs must not come first.
    # Settings and command line take 15 MB, so the running link begins without them, with the same process id for systemd.
    os.execv(sys.executable, [sys.executable, "-P", "-m", "hall.link", plan.to_json()])  # noqa: S606 - our own module


def _plan(layered: Layered) -> LinkPlan:
    """Return the plan of the settings.

    Raises:
        HallFolderError: the folder has no usable certificate of a device.
    """
    from pathlib import Path

    from hall.cli.plan import plan_of
    from hall.errors import HallFolderError
    from hall.keys.certificate import read_holder
    from wire.topics import is_device

    settings = layered.settings
    folder = Path(settings.link.folder)
    plan = plan_of(folder, settings.broker, Path(settings.link.socket))
    if not is_device(plan.device):
        raise HallFolderError(
            where=settings.link.folder,
            expected="the certificate of a clock or a station",
            found=f"that of {plan.device}",
            remedy="Enrol this device",
        )
    return plan._replace(
        host=settings.broker.host,
        renew_at=read_holder(plan.certificate).renew_at,
        enrol_port=settings.enrol.port,
        look_from=settings.broker.look_from,
    )
