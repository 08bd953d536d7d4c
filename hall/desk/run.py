"""Runs a desk: the listener in this thread, which has opened its file, and the pages in one of their own."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Sequence
from typing import Final

import uvicorn

from appliance.errors import reason
from appliance.service.signals import EndOnSignals
from hall.desk.desk import DirectorsDesk
from hall.desk.stream.publisher import Publisher
from hall.desk.web.app import create_app
from hall.errors import DeskError
from hall.link.plan import LinkPlan
from hall.listener.http import LOOPBACK
from hall.listener.row_keeper import TakenRows
from hall.listener.service import ListenerService
from hall.store.store import Store

_GRACE_S: Final = 2
"""Streams end at once at a stop; what hangs longer is cut (uvicorn#2829)."""
_BACKLOG: Final = 512


class DeskService:
    """A listener, its desk and the pages.

    Args:
        link: the broker, and the listener's certificate.
        store: the listener's file.
    """

    def __init__(self, link: LinkPlan, store: Store) -> None:
        self.listener = ListenerService(link, store, self._committed)
        self.desk = DirectorsDesk(link.hall, self.listener.picture, store.path)
        self.listener.tell(self.desk.heard)
        self._publisher = Publisher(self.desk.changes, self.desk.snapshot)
        self.desk.on_news = self._publisher.wake
        self._failed: BaseException | None = None

    def run(self, listening: socket.socket, asked: EndOnSignals) -> None:
        """Serve on a listening socket until a signal comes. An error on either side ends the other too, and is raised.

        Args:
            listening: see ``bound``.
            asked: connects the signals.
        """
        config = uvicorn.Config(
            create_app(self.desk, self._publisher),
            log_config=None,
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=_GRACE_S,
        )
        server = uvicorn.Server(config)

        def leave() -> None:
            self._publisher.close()
            server.should_exit = True
            self.listener.stop()

        asked(leave, outlives_session=False)
        thread = threading.Thread(target=self._serve, args=(server, listening, leave), name="pages")
        thread.start()
        try:
            self.listener.run()
        finally:
            leave()
            thread.join()
        if self._failed is not None:
            raise self._failed

    def _committed(self, taken: Sequence[TakenRows]) -> None:
        self.desk.committed(taken)

    def _serve(self, server: uvicorn.Server, listening: socket.socket, leave: Callable[[], None]) -> None:
        try:
            server.run(sockets=[listening])
        except BaseException as error:  # noqa: BLE001 - raised again in the listener's thread
            self._failed = error
        finally:
            leave()


def bound(port: int, host: str = LOOPBACK) -> socket.socket:
    """Return a listening socket; 0: any port that is free.

    Raises:
        DeskError: the port is in use.
    """
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(_BACKLOG)
    except OSError as error:
        listening.close()
        remedy = "Another desk may be running; else give another port with --pages"
        raise DeskError(where=f"{host}:{port}", expected="a free port", found=reason(error), remedy=remedy) from error
    return listening
