"""``tilehall desk``: the listener with pages for the director."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from hall.cli.listen import LISTEN_OPTIONS
from hall.cli.options import with_settings

if TYPE_CHECKING:
    from appliance.cli.options import Option
    from hall.desk.web.acting import Acting
    from hall.keys.pages import PageFiles
    from hall.settings.model import DeskSettings, Settings
    from hall.settings.places import Layered

_OPTIONS: Final[tuple[Option, ...]] = (
    *LISTEN_OPTIONS,
    ("--pages", "desk.port", int, "The port of the pages."),
    ("--address", "desk.address", str, "The address at which the pages are served."),
    ("--desk", "desk.folder", str, "The folder with the desk's certificates."),
    ("--accounts", "desk.accounts", str, "The file of accounts."),
    ("--desk-store", "desk.store", str, "The desk's own file, or a URL of PostgreSQL."),
    ("--book", "order.book", str, "The file in which orders are kept."),
    ("--login/--no-login", "desk.login", bool, "Without a login whoever is at this machine sees all pages, and sends nothing."),
)


@click.command()
@with_settings(_OPTIONS)
def desk(layered: Layered) -> None:
    """Show the hall to the director in a browser, until SIGTERM or Ctrl+C. It does all that `tilehall listen` does, in its place.

    The pages are at http://127.0.0.1:8420/, for this machine only; with a certificate (`tilehall https`) and --address 0.0.0.0 at https://NAME:8420/ for
    the network. Who may log in: `tilehall account`.
    """
    from appliance.log import get_logger
    from hall.cli.listen import listener_parts, served
    from hall.desk.run import DeskService, bound

    settings = layered.settings
    https = _certificate(settings.desk)
    with listener_parts(settings) as parts, bound(settings.desk.port, settings.desk.address) as listening:
        service = DeskService(parts.plan, parts.store, _acting(settings, parts.plan.hall))
        with served(settings, parts, service.listener):
            host, port = listening.getsockname()[:2]
            get_logger().info("the desk is open", pages=f"{'http' if https is None else 'https'}://{host}:{port}/")
            service.run(listening, parts.asked, https)
    get_logger().info("stopped")


def _certificate(settings: DeskSettings) -> PageFiles | None:
    """Return the certificate of the pages; None: plain HTTP on the loopback."""
    from pathlib import Path

    from hall.desk.access.binding import is_loopback, require_safe_bind
    from hall.keys.pages import PageFiles

    found = PageFiles.beside(Path(settings.folder))
    files = found if found.are_there and not is_loopback(settings.address) else None
    require_safe_bind(settings.address, files, login=settings.login)
    return files


def _acting(settings: Settings, hall: str) -> Acting:
    import time
    from pathlib import Path

    from hall.cli.plan import plan_of
    from hall.desk.access.accounts import Accounts
    from hall.desk.access.guard import Access
    from hall.desk.access.roles import DeskRole
    from hall.desk.ordering import Ordering
    from hall.desk.store.desk_log import DeskLog
    from hall.desk.store.lease import Lease
    from hall.desk.store.tables import open_store
    from hall.desk.store.takers import Takers
    from hall.desk.store.tries import Tries
    from hall.desk.web.acting import Acting

    plan = plan_of(Path(settings.desk.folder), settings.broker)
    engine = open_store(settings.desk.store)
    anybody = DeskRole.SPECTATOR if settings.desk.login else DeskRole.DEPUTY
    access = Access(Accounts(Path(settings.desk.accounts)), Tries(engine, time.monotonic_ns()), anybody)
    ordering = Ordering(plan, Path(settings.order.book))
    return Acting(access, ordering, DeskLog(engine, hall, plan.device), Lease(engine, hall, plan.device), Takers(engine, hall))
