"""``tilehall desk``: the listener with pages for the director."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from hall.cli.listen import LISTEN_OPTIONS
from hall.cli.options import with_settings

if TYPE_CHECKING:
    from appliance.cli.options import Option
    from hall.settings.places import Layered

_OPTIONS: Final[tuple[Option, ...]] = (
    *LISTEN_OPTIONS,
    ("--pages", "desk.port", int, "The port of the pages."),
)


@click.command()
@with_settings(_OPTIONS)
def desk(layered: Layered) -> None:
    """Show the hall to the director in a browser, until SIGTERM or Ctrl+C. It does all that `tilehall listen` does, in its place.

    The pages are at http://127.0.0.1:8420/, for this machine only.
    """
    from appliance.log import get_logger
    from hall.cli.listen import listener_parts, served
    from hall.desk.run import DeskService, bound

    settings = layered.settings
    with listener_parts(settings) as parts, bound(settings.desk.port) as listening:
        service = DeskService(parts.plan, parts.store)
        with served(settings, parts, service.listener):
            host, port = listening.getsockname()[:2]
            get_logger().info("the desk is open", pages=f"http://{host}:{port}/")
            service.run(listening, parts.asked)
    get_logger().info("stopped")
