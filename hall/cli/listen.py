"""``tilehall listen``: takes in what all devices of the hall report."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import click

from hall.cli.options import with_settings
from hall.cli.plan import BROKER_OPTIONS

if TYPE_CHECKING:
    from appliance.cli.options import Option
    from appliance.service.signals import EndOnSignals
    from hall.link.plan import LinkPlan
    from hall.listener.service import ListenerService
    from hall.settings.model import Settings
    from hall.settings.places import Layered
    from hall.store.store import Store

HTTP_OPTION: Final[Option] = ("--http", "listen.http", int, "The listener's port on the loopback.")
LISTEN_OPTIONS: Final[tuple[Option, ...]] = (
    *BROKER_OPTIONS,
    ("--folder", "listen.folder", str, "The folder with ca.pem, certificate.pem and key.pem of the listener."),
    ("--store", "listen.store", str, "The file with the rows of all devices, or the URL of a PostgreSQL database."),
    HTTP_OPTION,
)


@dataclass(frozen=True, slots=True)
class ListenerParts:
    """What a listener is made of."""

    plan: LinkPlan
    store: Store
    asked: EndOnSignals
    """Connects the signals that end the program."""


@click.command()
@with_settings(LISTEN_OPTIONS)
def listen(layered: Layered) -> None:
    """Keep the rows of all devices and the picture of the hall, until SIGTERM or Ctrl+C.

    If the broker is away, it tries again. On a full disk, rows wait at the tables. `tilehall watch` and `tilehall status` read
    the picture; Prometheus reads http://127.0.0.1:9812/metrics.
    """
    from appliance.log import get_logger

    with listener_parts(layered.settings) as parts:
        # After what is refused: this is half of the start.
        from hall.listener.service import ListenerService

        service = ListenerService(parts.plan, parts.store)
        with served(layered.settings, parts, service):
            parts.asked(service.stop, outlives_session=False)
            service.run()
    get_logger().info("stopped")


@contextmanager
def listener_parts(settings: Settings) -> Iterator[ListenerParts]:
    """Yield what a listener is made of; the signals that end a program are blocked meanwhile.

    Raises:
        TileclockError: certificate or store cannot be used.
    """
    from pathlib import Path

    from appliance.service.signals import termination_signals
    from hall.broker.config import is_watching
    from hall.cli.plan import plan_of
    from hall.errors import HallFolderError
    from hall.keys.files import LISTENER

    plan = plan_of(Path(settings.listen.folder), settings.broker)
    if plan.device != LISTENER and not is_watching(plan.device):
        raise HallFolderError(where=settings.listen.folder, expected="the listener's certificate", found=f"that of {plan.device}")
    from hall.store.database import place_of
    from hall.store.owned import owned_store

    with termination_signals() as asked, owned_store(place_of(settings.listen.store), plan.hall) as store:
        yield ListenerParts(plan, store, asked)


@contextmanager
def served(settings: Settings, parts: ListenerParts, service: ListenerService) -> Iterator[None]:
    """Serve the picture and the metrics on the loopback, and tell systemd that the listener is ready, and that it ends.

    Raises:
        ListenerError: the port is in use.
    """
    import sdnotify

    from appliance.log import get_logger
    from hall.listener.http import serving
    from hall.store.database import named

    systemd, plan = sdnotify.SystemdNotifier(), parts.plan
    with serving(settings.listen.http, service.pages()) as port:
        systemd.notify("READY=1")
        get_logger().info("listening", hall=plan.hall, broker=f"{plan.host}:{plan.port}", store=named(parts.store.place), http=port)
        yield
        systemd.notify("STOPPING=1")
