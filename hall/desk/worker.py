"""Runs a worker: the public pages, stream and API of a desk, from what it writes to PostgreSQL. It takes no login and sends nothing."""

from __future__ import annotations

import select
import socket
import time
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from typing import Any, Final

import sqlalchemy as sa
from msgspec import Struct, field
from msgspec.structs import replace
from sdnotify import SystemdNotifier
from starlette.applications import Starlette

from appliance.errors import RecordError
from appliance.log import get_logger
from appliance.process import EndOnSignals, termination_signals
from hall.desk.access.connections import allowed_hosts, page_certificate
from hall.desk.desk import DirectorsDesk
from hall.desk.publisher import Publisher
from hall.desk.run import BoardThread, Part, bound, page_part, run_together
from hall.desk.tiles.table import TableTile
from hall.desk.web import api, public
from hall.desk.web.app import FILES, living, secured_public
from hall.desk.web.pages import PageContext
from hall.desk.web.public import PublicView, ShownStandings, tile_of
from hall.event.model import Event
from hall.keys.pages import PageFiles
from hall.picture import DRIFT, Hall
from hall.results.book import ResultBook, book_of
from hall.settings import Settings
from hall.store.database import database_engine, is_url, named
from hall.store.events import BoardHeading, hall_of_board, kept_game_results, listen, read_heading, read_stored, read_tiles
from rules.duration import NS

SILENT_NS: Final = 12 * NS
"""After so long without a beat every table is stale. With a beat's 2 s and a look's 1 s: within 15 s of the desk's end."""
_LOOK_S: Final = 1.0
_POLL_S: Final = 0.25
"""On a replica, which sends no notifications."""


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
        """Return the desk's instant; before its first word this machine's."""
        return self._now() + (self._offset or 0)


class ReadBoard(Struct, frozen=True):
    heading: BoardHeading = BoardHeading()
    heard: int | None = None
    """When it came, in ns of this machine; None: before this worker's start, so that it is not known whether the desk lives."""
    tiles: Mapping[str, TableTile] = field(default_factory=dict[str, TableTile])
    event: Event = field(default_factory=Event)
    results: ResultBook = ResultBook()


class BoardReader(BoardThread):
    """Reads the board of a hall from a database, or a replica, and calls ``on_news`` when something has come."""

    def __init__(self, url: str, hall: str, on_news: Callable[[], None]) -> None:
        super().__init__(database_engine(url), "read")
        self.clock = DeskClock()
        self.board = ReadBoard()
        """Replaced as a whole; any thread may read it."""
        self._url, self._hall, self._on_news = url, hall, on_news

    def _use(self, connection: sa.Connection) -> None:
        driver: Any = connection.connection.driver_connection
        notified: list[object] = []
        driver.add_notify_handler(notified.append)
        pause = _LOOK_S if listen(connection, self._hall) else _POLL_S
        while not self._end.is_set():
            notified.clear()
            self._look(connection)
            self._note("")
            # What was notified during the look was not looked at.
            if not notified:
                select.select([driver], [], [], pause)

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
        """Serve on a listening socket until a signal comes; see ``run_together``."""
        pages = page_part(secured_public(self._app(), allowed_hosts(https)), https, listening, self._publisher)
        run_together(asked, Part("board", self._reader.run, self._reader.stop), pages)

    def _app(self) -> Starlette:
        app = Starlette(routes=[*public.public_routes, *api.public_routes, *FILES], lifespan=living(self._publisher.run))
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
    get_logger().info("stopped")
