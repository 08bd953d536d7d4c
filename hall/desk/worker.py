"""Runs a worker: the public pages, stream and API of a desk, from what it writes to PostgreSQL. It takes no login and sends nothing."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, nullcontext, suppress
from dataclasses import replace
from typing import Any

from starlette.applications import Starlette

from appliance.process import EndOnSignals
from hall.desk.access.binding import allowed_hosts
from hall.desk.board_reader import SILENT_NS, BoardReader, ReadBoard
from hall.desk.cards.table import TableCard
from hall.desk.desk import DirectorsDesk
from hall.desk.public_view import PublicView
from hall.desk.run import page_server
from hall.desk.stream.publisher import Publisher
from hall.desk.web import api, public
from hall.desk.web.app import FILES
from hall.desk.web.pages import PageContext
from hall.desk.web.secured import secured_public
from hall.keys.pages import PageFiles
from hall.picture.hall import Hall


class Worker:
    """A worker of one hall.

    Args:
        url: of the database that the desk writes to, or of a replica.
        hall: whose board.
    """

    def __init__(self, url: str, hall: str) -> None:
        self.hall = hall
        # It hears no device: its cards are those that the desk has written.
        self._desk = DirectorsDesk(hall, lambda: nullcontext(Hall(hall)), url)
        self._view = PublicView(self._desk)
        self._shown = ReadBoard(), False
        self._reader = BoardReader(url, hall, self._wake)
        # Its instants are the desk's, so cards go out as they were written.
        self._publisher = Publisher(self._changes, self._snapshot, self._reader.clock.now)

    def run(self, listening: socket.socket, asked: EndOnSignals, https: PageFiles | None) -> None:
        """Serve on a listening socket until a signal comes; see ``DeskService.run``."""
        server = page_server(secured_public(self._app(), allowed_hosts(https)), https)

        def leave() -> None:
            self._publisher.close()
            self._reader.stop()
            server.should_exit = True

        asked(leave, outlives_session=False)
        reading = threading.Thread(target=self._reader.run, name="board", daemon=True)
        reading.start()
        try:
            server.run(sockets=[listening])
        finally:
            leave()
            reading.join()

    def _app(self) -> Starlette:
        @asynccontextmanager
        async def life(_: Starlette) -> AsyncIterator[None]:
            running = asyncio.create_task(self._publisher.run())
            yield
            running.cancel()
            with suppress(asyncio.CancelledError):
                await running

        app = Starlette(routes=[*public.routes, *api.public_routes, *FILES], lifespan=life)
        app.state.context = PageContext(self._desk, self._publisher, self._reader.clock.now)
        app.state.public = self._publisher
        return app

    def _wake(self) -> None:
        self._publisher.wake()

    def _snapshot(self) -> dict[str, Any]:
        return self._view.snapshot()

    def _changes(self, now: int) -> tuple[dict[str, Any], int]:
        board = self._reader.board
        silent = board.heard is None or time.monotonic_ns() - board.heard > SILENT_NS
        before, self._shown = self._shown, (board, silent)
        if before[0].run != board.run:
            # Another run of the desk: nothing of the last one is shown any more.
            self._view = PublicView(self._desk)
            self._publisher.begin_again()
        if before != self._shown:
            self._desk.round, self._desk.overlays = board.round, board.overlays
            self._desk.cards = _stale(board.cards, board.written) if silent else dict(board.cards)
        return self._view.changes(now)


def _stale(cards: Mapping[str, TableCard], since: int) -> dict[str, TableCard]:
    return {name: card if card.stale is not None else replace(card, stale=since) for name, card in cards.items()}
