"""Runs a desk: the listener in this thread, which has opened its file, and the pages in one of their own. Or runs a worker.

A worker serves the public pages, stream and API of a desk, from what it writes to PostgreSQL. It takes no login and sends nothing.
"""

import secrets
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

import sqlalchemy as sa
import uvicorn
from msgspec import Struct, field
from msgspec.structs import replace
from sdnotify import SystemdNotifier
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.types import ASGIApp

from appliance.errors import RecordError
from appliance.log import get_logger
from appliance.process import EndOnSignals, raise_file_limit, startup_done, termination_signals
from hall.broker import plan_of
from hall.desk.access.accounts import Accounts, DeskRole
from hall.desk.access.guard import Access
from hall.desk.access.limits import LimitedConnection, PageSocket, allowed_hosts, count_server_log, page_certificate
from hall.desk.desk import DirectorsDesk, EventWatch
from hall.desk.publisher import Publisher
from hall.desk.store import DeskStore, open_store, round_start
from hall.desk.tiles.table import TableTile
from hall.desk.web import api, public
from hall.desk.web.app import EVERY_S, FILES, Look, create_app, living, repeated, secured, secured_public
from hall.desk.web.pages import Acting, PageContext
from hall.desk.web.public import PublicView, ShownStandings, tile_of
from hall.errors import HallError, explained
from hall.event.model import Event
from hall.keys.pages import PageFiles
from hall.listener.service import ListenerService, listener_parts, served
from hall.orders.sender import Ordering
from hall.picture import DRIFT, LOOPBACK, Hall
from hall.results.book import ResultBook, book_of
from hall.results.folder import About
from hall.results.standings import NO_CAPS, Caps, caps_of
from hall.settings import Settings
from hall.store.database import database_engine, is_url, named
from hall.store.events import (
    BoardHeading,
    ResultsFolder,
    hall_of_board,
    kept_game_results,
    read_heading,
    read_stored,
    read_tiles,
    write_board,
)
from rules.duration import NS

BEAT_NS: Final = 2 * NS
"""How often at least something is written: workers know the desk's clock by it, and that the desk lives."""


class BoardWriter:
    """Writes the board of a hall for workers. A database that comes back gets the whole board."""

    def __init__(self, url: str, hall: str) -> None:
        # One connection, which holds the board's lock.
        self._engine = database_engine(url, sole_writer=f"the board of the hall {hall}", poolclass=sa.QueuePool)
        self._hall, self._due = hall, 0
        self._heading = BoardHeading(secrets.token_hex(8))
        self._lock = threading.Lock()
        self._tiles: dict[str, Mapping[str, Any]] = {}
        self._unwritten: dict[str, Mapping[str, Any]] = {}

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
            parts = {name: content[name] for name in ("overlays", "timer", "standings") if name in content}
            self._heading, self._due = replace(self._heading, round=number, caps=caps, **parts), 0

    def look(self) -> None:
        """Write what has changed, or a beat; any thread. Raises as the database."""
        with self._lock:
            now = time.monotonic_ns()
            if now < self._due:
                return
            tiles, self._unwritten, self._due = self._unwritten, {}, now + BEAT_NS
            self._heading = heading = replace(self._heading, change=self._heading.change + bool(tiles), now=now)
        try:
            with self._engine.connect() as connection:
                write_board(connection, self._hall, heading, tiles)
        except BaseException:
            with self._lock:
                self._unwritten, self._due = dict(self._tiles), 0
            raise


_BACKLOG: Final = 512


class Part(NamedTuple):
    """A part of a program; ``stop`` ends ``run``, from any thread."""

    name: str
    run: Callable[[], object]
    stop: Callable[[], None]


def run_together(asked: EndOnSignals, *parts: Part) -> None:
    """Run the first part in this thread, and each other one in its own, until a signal comes. Where one ends, all do; its error is raised."""
    failed: list[BaseException] = []

    def leave() -> None:
        for each in parts:
            each.stop()

    def run(part: Part) -> None:
        try:
            part.run()
        except BaseException as error:  # noqa: BLE001 - raised again below
            failed.append(error)
        finally:
            leave()

    asked(leave, outlives_session=False)
    threads = [threading.Thread(target=run, args=(each,), name=each.name) for each in parts[1:]]
    for each in threads:
        each.start()
    run(parts[0])
    for each in threads:
        each.join()
    for error in failed:
        raise error


def page_part(app: ASGIApp, https: PageFiles | None, listening: socket.socket, publisher: Publisher) -> Part:
    server = page_server(app, https)

    def stop() -> None:
        publisher.close()
        server.should_exit = True

    return Part("pages", partial(server.run, sockets=[listening]), stop)


def page_server(app: ASGIApp, https: PageFiles | None) -> uvicorn.Server:
    raise_file_limit()
    count_server_log()
    # A collection of all that is loaded takes 60 ms of the processor, in which no page is served; a flood causes many.
    startup_done()
    # Streams end at once at a stop; what hangs longer is cut (uvicorn#2829).
    config = uvicorn.Config(
        app,
        http=LimitedConnection,
        loop="asyncio",
        proxy_headers=False,
        ssl_certfile=None if https is None else https.certificate,
        ssl_keyfile=None if https is None else https.key,
        log_config=None,
        access_log=False,
        server_header=False,
        # So many connections are taken at once before any other work: uvicorn's 2,048 would be half of all.
        backlog=_BACKLOG,
        timeout_graceful_shutdown=2,
    )
    return uvicorn.Server(config)


def bound(port: int, host: str = LOOPBACK) -> PageSocket:
    """Return a listening socket (port 0: any that is free); raises ``HallError`` if the port is in use."""
    with explained(
        HallError, "a free port", where=f"{host}:{port}", remedy="Another desk may be running; else give another port with --pages"
    ):
        return PageSocket.bound(host, port, _BACKLOG)


def run_desk(settings: Settings) -> None:
    https = page_certificate(settings.desk)
    with listener_parts(settings) as (plan, store, asked), bound(settings.desk.port, settings.desk.address) as listening:
        service = ListenerService(plan, store, lambda taken: desk.committed(taken))  # noqa: PLW0108 - the desk is made below
        desk = DirectorsDesk(plan.hall, service.picture, store.place)
        service.listener.on_heard, desk.caps = desk.heard, caps_of(settings.desk)
        parts = list(_parts_of(desk, _acting(settings, plan.hall), listening, https))
        with served(settings, plan, store, service):
            host, port = listening.getsockname()[:2]
            get_logger().info("the desk is open", pages=f"{'http' if https is None else 'https'}://{host}:{port}/")
            run_together(asked, Part("listener", service.run, service.stop), *parts)
    get_logger().info("the desk has stopped")


def _parts_of(desk: DirectorsDesk, acting: Acting, listening: PageSocket, https: PageFiles | None) -> Iterator[Part]:
    publisher = Publisher(desk.changes, desk.snapshot)
    desk.on_news = publisher.wake
    desk.begin_round(round_start(acting.store))
    board = BoardWriter(str(desk.store), desk.hall) if is_url(desk.store) else None
    looks: list[Look] = [(EventWatch(desk, desk.store, acting.store).look, "the event cannot be read now", EVERY_S)]
    if board is not None:
        looks.append((board.look, "the board cannot be written for workers now", 0.1))
        desk.on_public = lambda content: board.write(content, desk.round, desk.caps)
    app = create_app(desk, publisher, acting, looks=looks)
    yield page_part(secured(app, acting.access, allowed_hosts(https)), https, listening, publisher)
    yield Part("orders", acting.ordering.run, acting.ordering.stop)
    if (folder := acting.folder) is not None:
        yield Part("results folder", partial(folder.run, get_logger().info, get_logger().warning), folder.stop)


def _acting(settings: Settings, hall: str) -> Acting:
    plan = plan_of(Path(settings.desk.folder), settings.broker)
    anybody = DeskRole.SPECTATOR if settings.desk.login else DeskRole.DEPUTY
    store = DeskStore(open_store(settings.desk.store), hall, plan.device)
    access = Access(Accounts(Path(settings.desk.accounts)), anybody)
    ordering = Ordering(plan, Path(settings.order.book))
    return Acting(access, ordering, store, _folder(settings, hall, store))


def _folder(settings: Settings, hall: str, store: DeskStore) -> ResultsFolder | None:
    desk = settings.desk
    if not desk.results_folder:
        return None
    about = About(hall, datetime.now().astimezone().date(), caps_of(desk))
    found = ResultsFolder(settings.listen.store, hall, Path(desk.results_folder), desk.results_as, about)
    found.writes = lambda: store.is_ours
    return found


SILENT_NS: Final = 12 * NS
"""After so long without a beat every table is stale. With a beat's 2 s and a look: within 15 s of the desk's end."""


class DeskClock:
    """The desk's CLOCK_MONOTONIC as this machine knows it, in ns. No wall clock counts."""

    def __init__(self, now: Callable[[], int] = time.monotonic_ns) -> None:
        self._now = now
        self._offset: int | None = None
        self._learnt = 0

    def learn(self, theirs: int) -> None:
        """Take in an instant of the desk that has just come. It was late by an unknown time, so the largest difference is the truest."""
        ours = self._now()
        found = theirs - ours
        drifted = found if self._offset is None else self._offset - (ours - self._learnt) // DRIFT
        self._offset, self._learnt = max(found, drifted), ours

    def forget(self) -> None:
        """Another desk, or the same one after a restart: what was known means nothing."""
        self._offset = None

    def now(self) -> int:
        return self._now() + (self._offset or 0)


class ReadBoard(Struct, frozen=True):
    heading: BoardHeading = BoardHeading()
    heard: int | None = None
    """When it came, in ns of this machine; None: before this worker's start, so that it is not known whether the desk lives."""
    tiles: Mapping[str, TableTile] = field(default_factory=dict[str, TableTile])
    event: Event = field(default_factory=Event)
    results: ResultBook = ResultBook()


class BoardReader:
    """Reads the board of a hall from a database, or a replica, and calls ``on_news`` when something has come."""

    def __init__(self, url: str, hall: str, on_news: Callable[[], None]) -> None:
        self._engine = database_engine(url, poolclass=sa.QueuePool)
        self.clock = DeskClock()
        self.board = ReadBoard()
        """Replaced as a whole; any thread may read it."""
        self._url, self._hall, self._on_news = url, hall, on_news

    def look(self) -> None:
        """Take in what has changed; any thread. Raises ``RecordError``, or as the database."""
        with self._engine.connect() as connection:
            self._look(connection)

    def _look(self, connection: sa.Connection) -> None:
        heading, before = read_heading(connection, self._hall), self.board
        if heading is None or (heading.run == before.heading.run and heading.now <= before.heading.now):
            return
        heard, again = time.monotonic_ns() if before.heading.run else None, heading.standings != before.heading.standings
        if heading.run != before.heading.run:
            self.clock.forget()
            before, again = ReadBoard(), True
        self.clock.learn(heading.now)
        board = replace(before, heading=heading, heard=heard)
        if heading.change > before.heading.change:
            read = read_tiles(connection, self._hall, heading.run, before.heading.change)
            board = replace(board, tiles={**before.tiles, **{name: tile_of(each) for name, each in read.items()}})
        if again:
            results = book_of(kept_game_results(self._url, self._hall))
            board = replace(board, event=read_stored(self._url, self._hall).event, results=results)
        self.board = board
        self._on_news()


class Worker:
    """A worker of one hall; ``url`` is that of the database that the desk writes to, or of a replica."""

    def __init__(self, url: str, hall: str) -> None:
        self.hall = hall
        # It hears no device: its tiles are those that the desk has written.
        self._desk = DirectorsDesk(hall, lambda: nullcontext(Hall(hall)), url)
        self._view = PublicView(self._desk)
        self._shown = ReadBoard(), False
        self._reader = BoardReader(url, hall, lambda: self._publisher.wake())  # noqa: PLW0108 - it is made below
        # Its instants are the desk's, so tiles go out as they were written.
        # Another run of the desk gets another view.
        self._publisher = Publisher(self._changes, lambda: self._view.snapshot(), self._reader.clock.now)  # noqa: PLW0108

    def run(self, listening: socket.socket, asked: EndOnSignals, https: PageFiles | None) -> None:
        pages = page_part(secured_public(self._app(), allowed_hosts(https)), https, listening, self._publisher)
        end = threading.Event()
        run_together(asked, Part("worker", end.wait, end.set), pages)

    def _app(self) -> Starlette:
        reading = partial(repeated, partial(run_in_threadpool, self._reader.look), "the board cannot be read now", 0.1)
        app = Starlette(routes=[*public.public_routes, *api.public_routes, *FILES], lifespan=living(self._publisher.run, reading))
        app.state.context = PageContext(self._desk, self._publisher, self._reader.clock.now)
        app.state.public, app.state.standings = self._publisher, ShownStandings(self._desk)
        return app

    def _changes(self, now: int) -> tuple[dict[str, Any], int]:
        board = self._reader.board
        silent = board.heard is None or time.monotonic_ns() - board.heard > SILENT_NS
        before, self._shown = self._shown, (board, silent)
        if before[0].heading.run != board.heading.run:
            # Another run of the desk: nothing of the last one is shown any more.
            self._view = PublicView(self._desk)
            self._publisher.begin_again()
        if before != self._shown:
            desk, heading = self._desk, board.heading
            desk.round, desk.overlays, desk.timer, desk.caps = heading.round, heading.overlays, heading.timer, heading.caps
            desk.event, desk.results = board.event, board.results
            desk.tiles = {
                name: replace(tile, stale=heading.now) if silent and tile.stale is None else tile for name, tile in board.tiles.items()
            }
        return self._view.changes(now)


def run_board(settings: Settings, hall: str | None) -> None:
    """Serve the board of ``hall`` (None: of the only one there) until SIGTERM or SIGINT."""
    place = settings.listen.store
    if not is_url(place):
        raise RecordError(
            where=place,
            expected="the URL of a PostgreSQL database",
            found="a file",
            remedy="Name the database with --store; a desk that writes to a file serves its board itself",
        )

    https = page_certificate(settings.desk)
    with termination_signals() as asked, bound(settings.desk.port, settings.desk.address) as listening:
        worker = Worker(place, hall or hall_of_board(place))
        host, port = listening.getsockname()[:2]
        pages = f"{'http' if https is None else 'https'}://{host}:{port}/board"
        get_logger().info("the board is open", pages=pages, hall=worker.hall, store=named(place))
        SystemdNotifier().notify("READY=1")
        worker.run(listening, asked, https)
    get_logger().info("the board has stopped")
