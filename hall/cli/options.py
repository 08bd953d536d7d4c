"""Settings as options of ``tilehall``; the broker and a folder with a certificate, as a connection needs them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from appliance.cli.options import Option, Verb, options_of

if TYPE_CHECKING:
    from appliance.cli.options import Option
    from hall.link.dialling import LinkPlan
    from hall.settings import BrokerSettings


def with_settings(options: Sequence[Option]) -> Callable[[Verb], Verb]:
    """Return a decorator that adds ``options`` and passes a verb the settings as ``layered``."""

    def load(given: Mapping[str, Any], file: Path | None) -> Any:
        from hall.settings import LAYERS

        return LAYERS.load(given, file)

    return options_of(options, load, "/etc/tileclock/hall.toml")


LOOPBACK: Final = "127.0.0.1"
BROKER_OPTIONS: Final[tuple[Option, ...]] = (
    ("--host", "broker.host", str, "The broker's name or address."),
    ("--port", "broker.port", int, "The broker's port."),
)


def plan_of(folder: Path, broker: BrokerSettings, socket: Path = Path()) -> LinkPlan:
    """Return the plan of a connection with the certificate in ``folder``; raises ``HallFolderError`` if it has no usable one."""
    from hall.errors import HallFolderError
    from hall.keys.files import identity_in, read_holder
    from hall.link.dialling import LinkPlan, Refused, tls_context

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
