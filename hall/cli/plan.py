"""The broker and a folder with a certificate, as a connection needs them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from appliance.cli.options import Option
    from hall.link.plan import LinkPlan
    from hall.settings.model import BrokerSettings

LOOPBACK: Final = "127.0.0.1"
BROKER_OPTIONS: Final[tuple[Option, ...]] = (
    ("--host", "broker.host", str, "The broker's name or address."),
    ("--port", "broker.port", int, "The broker's port."),
)


def plan_of(folder: Path, broker: BrokerSettings, socket: Path = Path()) -> LinkPlan:
    """Return the plan of a connection with the certificate in ``folder``.

    Raises:
        HallFolderError: the folder has no usable certificate.
    """
    from hall.errors import HallFolderError
    from hall.keys.certificate import read_holder
    from hall.keys.files import identity_in
    from hall.link.dialling import Refused, tls_context
    from hall.link.plan import LinkPlan

    files = identity_in(folder)
    holder = read_holder(files.certificate)
    # Without an address: a listener or a desk on the broker's own machine. A link looks for the broker.
    host = broker.host or LOOPBACK
    plan = LinkPlan(holder.hall, host, broker.port, files.ca, files.certificate, files.key, holder.name, socket, holder.last_day)
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
