"""The writer's copy of the current game. If the journal is lost while the clock runs, a new one starts with the whole game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from appliance.records.chain import GENESIS
from appliance.records.files import FileIdentity, identity
from firmware.journal.opening import quarantine_journal
from firmware.journal.store import Store
from game.journal.row import GameStamp, Kind, Row


class CurrentGame:
    """The rows of the current game as stored, how far time is known, and where the file ended."""

    def __init__(self) -> None:
        self._file: FileIdentity = None
        self._wal: FileIdentity = None
        self._seq, self._head = 0, GENESIS
        self._rows: list[Row] = []
        self._stamp: GameStamp | None = None

    def open(self, path: Path) -> tuple[Store, int]:
        """Open the journal at ``path``; return it and the offset to add to game numbers from now on.

        If it lacks rows written earlier, the current game is appended again, after the file's own games.

        Raises:
            OSError, sqlite3.Error: it cannot be opened or written.
        """
        if self._file is not None and identity(path) != self._file:
            quarantine_journal(path, self._wal)
        store = Store(path)
        try:
            offset = self._continue_in(store)
        except BaseException:
            store.close()
            raise
        return store, offset

    def appended(self, rows: Sequence[Row], stamp: GameStamp | None, store: Store) -> None:
        """Store what was appended to ``store``."""
        begins = [place for place, row in enumerate(rows) if row.kind == Kind.EVENT and row.number == 1]
        if begins:
            # The previous game's stamp does not apply to this one.
            self._rows, self._stamp = [], None
        self._rows += rows[begins[-1] :] if begins else rows
        self._stamp = stamp or self._stamp
        self._seq, self._head, self._wal = store.seq, store.head, store.wal

    def _continue_in(self, store: Store) -> int:
        offset = 0
        if self._file is None:
            # An interrupted game continues: an earlier program wrote its first rows.
            self._rows = list(store.last_game())
        elif not store.holds(self._seq, self._head):
            offset = self._append_again(store)
        self._file, self._seq, self._head = store.file, store.seq, store.head
        return offset

    def _append_again(self, store: Store) -> int:
        last = max((row.game for row in self._rows), default=0)
        games = store.games()
        offset = max(0, games + 1 - last) if games else 0
        rows = [replace(row, game=row.game + offset) for row in self._rows]
        if rows or self._stamp is not None:
            store.append(rows, self._stamp)
        self._rows = rows
        return offset
