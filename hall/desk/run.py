"""Runs a desk: the listener in this thread, which has opened its file, and the pages in one of their own."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa
import uvicorn
from starlette.types import ASGIApp

from appliance.errors import RecordError
from appliance.log import get_logger
from appliance.process import EndOnSignals, raise_file_limit, startup_done
from faults.errors import reason
from hall.broker import plan_of
from hall.desk.access.accounts import Accounts, DeskRole
from hall.desk.access.connections import LimitedConnection, PageLoop, PageSocket, allowed_hosts, count_server_log, page_certificate
from hall.desk.access.guard import Access
from hall.desk.desk import DirectorsDesk, EventWatch
from hall.desk.ordering import Ordering
from hall.desk.publisher import Publisher
from hall.desk.store import DeskLog, Lease, Takers, open_store, round_start
from hall.desk.web.app import create_app, secured
from hall.desk.web.pages import Acting
from hall.errors import HallError
from hall.keys.pages import PageFiles
from hall.link.connection import LinkPlan
from hall.listener.service import ListenerService, listener_parts, served
from hall.picture import LOOPBACK
from hall.results.folder import About
from hall.results.standings import NO_CAPS, Caps, caps_of
from hall.settings import Settings
from hall.store.board import BoardHeading, write_board
from hall.store.database import FAULTS, database_engine, described, is_url
from hall.store.store import Store
from hall.store.written import ResultsFolder

BEAT_S: Final = 2.0
"""How often at least something is written: workers know the desk's clock by it, and that the desk lives."""
_AGAIN_S: Final = 1.0


class BoardThread:
    """Uses the board in a database from a thread of its own. A database that is away is tried again; ``doing`` is, for the log, what is done with the board."""

    def __init__(self, engine: sa.Engine, doing: str) -> None:
        self._engine, self._doing = engine, doing
        self._end = threading.Event()
        self.trouble: str | None = None
        """Why it cannot be used now; empty: it can; None: that is not known yet."""

    def stop(self) -> None:
        self._end.set()

    def run(self) -> None:
        while not self._end.is_set():
            try:
                with self._engine.connect() as connection:
                    self._use(connection)
            except RecordError as error:
                self._fail(str(error.problem))
            except FAULTS as error:
                self._fail(described(error).problem)

    def _fail(self, why: str) -> None:
        self._note(why)
        self._end.wait(_AGAIN_S)

    def _use(self, connection: sa.Connection) -> None:
        """Use the board until the end; call ``_note`` with an empty text as often as that succeeds."""
        raise NotImplementedError

    def _note(self, why: str) -> None:
        if why and why != self.trouble:
            get_logger().warning(f"the board cannot be {self._doing} now", why=why)
        elif why != self.trouble:
            get_logger().info(f"the board is {self._doing}")
        self.trouble = why


class BoardWriter(BoardThread):
    """Writes the board of a hall for workers. A database that comes back gets the whole board."""

    def __init__(self, url: str, hall: str) -> None:
        super().__init__(database_engine(url, sole_writer=f"the board of the hall {hall}"), "written for workers")
        self._hall = hall
        self._run, self._change = secrets.token_hex(8), 0
        self._lock, self._news = threading.Lock(), threading.Event()
        self._tiles: dict[str, Mapping[str, Any]] = {}
        self._unwritten: dict[str, Mapping[str, Any]] = {}
        self._round, self._overlays = 0, dict[str, int]()
        self._timer: Mapping[str, Any] | None = None
        self._standings, self._caps = 0, NO_CAPS

    def write(self, content: Mapping[str, Any], number: int, caps: Caps = NO_CAPS) -> None:
        """Take in what has changed; any thread.

        Args:
            content: as ``PublicView.changes`` returns it.
            number: of the round that is played.
            caps: of the standings.
        """
        changed = {tile["id"]: tile for tile in content.get("tiles", ())}
        with self._lock:
            self._tiles |= changed
            self._unwritten |= changed
            self._round, self._overlays, self._timer = number, content.get("overlays", self._overlays), content.get("timer", self._timer)
            self._standings, self._caps = content.get("standings", self._standings), caps
        self._news.set()

    def stop(self) -> None:
        super().stop()
        self._news.set()

    def _use(self, connection: sa.Connection) -> None:
        with self._lock:
            self._unwritten = dict(self._tiles)
        while not self._end.is_set():
            self._news.clear()
            self._write(connection)
            self._note("")
            self._news.wait(BEAT_S)

    def _write(self, connection: sa.Connection) -> None:
        with self._lock:
            tiles, self._unwritten = self._unwritten, {}
            parts = self._round, dict(self._overlays), self._timer, self._standings, self._caps
        self._change += bool(tiles)
        write_board(connection, self._hall, BoardHeading(self._run, self._change, time.monotonic_ns(), *parts), tiles)


_GRACE_S: Final = 2
"""Streams end at once at a stop; what hangs longer is cut (uvicorn#2829)."""
_BACKLOG: Final = 512


class DeskService:
    """A listener, its desk and the pages; ``acting``'s orders run as long as the desk."""

    def __init__(self, link: LinkPlan, store: Store, acting: Acting, caps: Caps = NO_CAPS) -> None:
        self.listener = ListenerService(link, store, lambda taken: self.desk.committed(taken))  # noqa: PLW0108 - the desk is made below
        self.desk = DirectorsDesk(link.hall, self.listener.picture, store.place)
        self.desk.caps = caps
        self.listener.listener.on_heard = self.desk.heard
        self._event = EventWatch(self.desk, store.place, acting.log)
        self._publisher = Publisher(self.desk.changes, self.desk.snapshot)
        self.desk.on_news = self._publisher.wake
        self.desk.begin_round(round_start(acting.log))
        self._acting = acting
        self._board = BoardWriter(str(store.place), link.hall) if is_url(store.place) else None
        self._failed: BaseException | None = None

    def run(self, listening: PageSocket, asked: EndOnSignals, https: PageFiles | None) -> None:
        """Serve on the socket of ``bound`` until a signal comes; without ``https``, plain HTTP. An error on either side ends the other too, and is raised."""
        listening.is_known = self._acting.access.addresses.__contains__
        app = create_app(self.desk, self._publisher, self._acting, share=self._share)
        server = page_server(secured(app, self._acting.access, allowed_hosts(https)), https)

        def leave() -> None:
            self._publisher.close()
            server.should_exit = True
            self.listener.stop()
            self._acting.ordering.stop()
            self._event.stop()
            if self._acting.folder is not None:
                self._acting.folder.stop()
            if self._board is not None:
                self._board.stop()

        asked(leave, outlives_session=False)
        threads = [
            threading.Thread(target=self._run, args=(lambda: server.run(sockets=[listening]), leave), name="pages"),
            threading.Thread(target=self._run, args=(self._acting.ordering.run, leave), name="orders"),
            threading.Thread(target=self._run, args=(self._event.run, leave), name="event"),
        ]
        if (folder := self._acting.folder) is not None:
            write = partial(folder.run, get_logger().info, get_logger().warning)
            threads.append(threading.Thread(target=self._run, args=(write, leave), name="results folder"))
        if self._board is not None:
            threads.append(threading.Thread(target=self._run, args=(self._board.run, leave), name="board"))
        for each in threads:
            each.start()
        try:
            self.listener.run()
        finally:
            leave()
            for each in threads:
                each.join()
        if self._failed is not None:
            raise self._failed

    def _share(self, content: Mapping[str, Any]) -> None:
        if self._board is not None:
            self._board.write(content, self.desk.round, self.desk.caps)

    def _run(self, part: Callable[[], None], leave: Callable[[], None]) -> None:
        try:
            part()
        except BaseException as error:  # noqa: BLE001 - raised again in the listener's thread
            self._failed = error
        finally:
            leave()


def page_server(app: ASGIApp, https: PageFiles | None) -> uvicorn.Server:
    """Return what serves pages; ``https``: their certificate, None: plain HTTP."""
    raise_file_limit()
    count_server_log()
    # A collection of all that is loaded takes 60 ms of the processor, in which no page is served; a flood causes many.
    startup_done()
    config = uvicorn.Config(
        app,
        http=LimitedConnection,
        loop=f"{PageLoop.__module__}:{PageLoop.__name__}",
        proxy_headers=False,
        ssl_certfile=None if https is None else https.certificate,
        ssl_keyfile=None if https is None else https.key,
        log_config=None,
        access_log=False,
        server_header=False,
        # So many connections are taken at once before any other work: uvicorn's 2,048 would be half of all.
        backlog=_BACKLOG,
        timeout_graceful_shutdown=_GRACE_S,
    )
    return uvicorn.Server(config)


def bound(port: int, host: str = LOOPBACK) -> PageSocket:
    """Return a listening socket (port 0: any that is free); raises ``HallError`` if the port is in use."""
    try:
        return PageSocket.bound(host, port, _BACKLOG)
    except OSError as error:
        remedy = "Another desk may be running; else give another port with --pages"
        raise HallError(where=f"{host}:{port}", expected="a free port", found=reason(error), remedy=remedy) from error


def run_desk(settings: Settings) -> None:
    """Listen and serve the pages until SIGTERM or SIGINT."""
    https = page_certificate(settings.desk)
    with listener_parts(settings) as (plan, store, asked), bound(settings.desk.port, settings.desk.address) as listening:
        service = DeskService(plan, store, _acting(settings, plan.hall), caps_of(settings.desk))
        with served(settings, plan, store, service.listener):
            host, port = listening.getsockname()[:2]
            get_logger().info("the desk is open", pages=f"{'http' if https is None else 'https'}://{host}:{port}/")
            service.run(listening, asked, https)
    get_logger().info("stopped")


def _acting(settings: Settings, hall: str) -> Acting:
    plan = plan_of(Path(settings.desk.folder), settings.broker)
    engine = open_store(settings.desk.store)
    anybody = DeskRole.SPECTATOR if settings.desk.login else DeskRole.DEPUTY
    log = DeskLog(engine, hall, plan.device)
    access = Access(Accounts(Path(settings.desk.accounts)), anybody, addresses=log.login_addresses())
    ordering = Ordering(plan, Path(settings.order.book))
    lease = Lease(engine, hall, plan.device)
    return Acting(access, ordering, log, lease, Takers(engine, hall), _folder(settings, hall, lease))


def _folder(settings: Settings, hall: str, lease: Lease) -> ResultsFolder | None:
    desk = settings.desk
    if not desk.results_folder:
        return None
    about = About(hall, datetime.now().astimezone().date(), caps_of(desk))
    found = ResultsFolder(settings.listen.store, hall, Path(desk.results_folder), desk.results_as, about)
    found.writes = lambda: lease.is_ours
    return found
