"""Writes what spectators see to PostgreSQL, for the workers that serve it: each change once, and a beat."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Mapping
from typing import Any, Final

import sqlalchemy as sa

from appliance.log import get_logger
from hall.store.board import BoardHeading, write_board
from hall.store.database import FAULTS, database_engine, described

BEAT_S: Final = 2.0
"""How often at least something is written: workers know the desk's clock by it, and that the desk lives."""
_AGAIN_S: Final = 1.0


class BoardWriter:
    """Writes the board of a hall from a thread of its own. A database that is away is tried again, and then gets the whole board.

    Args:
        url: of the database.
        hall: whose board.
    """

    def __init__(self, url: str, hall: str) -> None:
        self._hall = hall
        self._engine = database_engine(url, sole_writer=f"the board of the hall {hall}")
        self._run, self._change = secrets.token_hex(8), 0
        self._lock, self._news = threading.Lock(), threading.Event()
        self._end = False
        self._cards: dict[str, Mapping[str, Any]] = {}
        self._unwritten: dict[str, Mapping[str, Any]] = {}
        self._round, self._overlays = 0, dict[str, int]()
        self.trouble = ""
        """Why nothing is written now; empty: it is written."""

    def take(self, content: Mapping[str, Any], number: int) -> None:
        """Take in what has changed; any thread.

        Args:
            content: as ``PublicView.changes`` returns it.
            number: of the round that is played.
        """
        changed = {card["id"]: card for card in content.get("cards", ())}
        with self._lock:
            self._cards |= changed
            self._unwritten |= changed
            self._round, self._overlays = number, content.get("overlays", self._overlays)
        self._news.set()

    def stop(self) -> None:
        """End ``run``; any thread."""
        self._end = True
        self._news.set()

    def run(self) -> None:
        """Write until ``stop``."""
        while not self._end:
            try:
                with self._engine.connect() as connection:
                    self._write_all(connection)
            except FAULTS as error:
                self._note(described(error).problem)
                time.sleep(_AGAIN_S)

    def _write_all(self, connection: sa.Connection) -> None:
        with self._lock:
            self._unwritten = dict(self._cards)
        while not self._end:
            self._news.clear()
            self._write(connection)
            self._note("")
            self._news.wait(BEAT_S)

    def _write(self, connection: sa.Connection) -> None:
        with self._lock:
            cards, self._unwritten = self._unwritten, {}
            number, overlays = self._round, dict(self._overlays)
        self._change += bool(cards)
        write_board(connection, self._hall, BoardHeading(self._run, self._change, time.monotonic_ns(), number, overlays), cards)

    def _note(self, why: str) -> None:
        if why and why != self.trouble:
            get_logger().warning("the board is not written for workers now", why=why)
        elif self.trouble and not why:
            get_logger().info("the board is written for workers again")
        self.trouble = why
