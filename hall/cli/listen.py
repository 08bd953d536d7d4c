"""``tilehall listen``, ``watch`` and ``status``: the listener, and the hall as it sees it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import click
from msgspec import Struct

from hall.cli.options import BROKER_OPTIONS, with_settings

if TYPE_CHECKING:
    from appliance.cli.options import Option
    from appliance.process import EndOnSignals
    from hall.link.dialling import LinkPlan
    from hall.listener.service import ListenerService
    from hall.settings import Layered, Settings
    from hall.store.store import Store


HTTP_OPTION: Final[Option] = ("--http", "listen.http", int, "The listener's port on the loopback.")
LISTEN_OPTIONS: Final[tuple[Option, ...]] = (
    *BROKER_OPTIONS,
    ("--folder", "listen.folder", str, "The folder with ca.pem, certificate.pem and key.pem of the listener."),
    ("--store", "listen.store", str, "The file with the rows of all devices, or the URL of a PostgreSQL database."),
    HTTP_OPTION,
)


class ListenerParts(Struct, frozen=True):
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
    get_logger().info("the listener has stopped")


@contextmanager
def listener_parts(settings: Settings) -> Iterator[ListenerParts]:
    """Yield what a listener is made of; the signals that end a program are blocked meanwhile."""
    from pathlib import Path

    from appliance.process import termination_signals
    from hall.broker import is_watching
    from hall.cli.options import plan_of
    from hall.errors import HallFolderError
    from hall.keys.files import LISTENER

    plan = plan_of(Path(settings.listen.folder), settings.broker)
    if plan.device != LISTENER and not is_watching(plan.device):
        raise HallFolderError(where=settings.listen.folder, expected="the listener's certificate", found=f"that of {plan.device}")
    from hall.store.database import place_of
    from hall.store.store import owned_store

    with termination_signals() as asked, owned_store(place_of(settings.listen.store), plan.hall) as store:
        yield ListenerParts(plan, store, asked)


@contextmanager
def served(settings: Settings, parts: ListenerParts, service: ListenerService) -> Iterator[None]:
    """Serve the picture and the metrics on the loopback, and tell systemd that the listener is ready, and that it ends."""
    import sdnotify

    from appliance.log import get_logger
    from hall.listener.http import serving
    from hall.store.database import named

    systemd, plan = sdnotify.SystemdNotifier(), parts.plan
    with serving(settings.listen.http, service.pages()) as port:
        systemd.notify("READY=1")
        get_logger().info(
            "the listener is ready", hall=plan.hall, broker=f"{plan.host}:{plan.port}", store=named(parts.store.place), http=port
        )
        yield
        systemd.notify("STOPPING=1")


@click.command()
@with_settings((HTTP_OPTION,))
def watch(layered: Layered) -> None:
    """Show the hall live: tables, readings, who runs, calls, age. Ctrl+C ends it.

    Calls come first, then faulty and stale devices. A reading with ~ may be off by more than 250 ms; a stale device has not been heard for 15 s.
    """
    from functools import partial

    from rich.console import Console

    from hall.status import read_picture
    from hall.watch import watch as show

    show(partial(read_picture, layered.settings.listen.http), Console())


@click.command()
@with_settings((HTTP_OPTION,))
def status(layered: Layered) -> None:
    """Print the state of the hall once. Exit code: 0 if there is no problem, 1 if there is one, 2 if there is no listener."""
    from datetime import datetime

    from hall.status import read_picture, summary

    lines, well = summary(read_picture(layered.settings.listen.http), datetime.now().astimezone())
    for line in lines:
        click.echo(line)
    if not well:
        raise SystemExit(1)
