"""A journal open for appending: rows get their number and hash, and are on the disk when ``append`` returns."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from appliance.records.end import HashChainWriter
from firmware.journal.lateness import LEAST_NS
from firmware.journal.opening import begin_journal
from game.journal.reading import last_game_begins, read_mark, rows_from
from game.journal.row import NEVER, GameStamp, Kind, Row, link_hash, seal

_REPLACED: Final = "The whole game is written anew"
"""The remedy shown when the journal was deleted or replaced."""


class Store(HashChainWriter):
    """A journal open for writing, used by one thread. Every method may raise ``sqlite3.Error``, ``append`` also ``OSError``; close it then."""

    def __init__(self, path: Path) -> None:
        """Open the journal at ``path``; create it if it is missing.

        Raises:
            OSError, sqlite3.Error: it cannot be opened or created.
        """
        if not path.exists():
            begin_journal(path)
        super().__init__(path)

    def _read_end(self) -> None:
        super()._read_end()
        mark = read_mark(self._connection)
        self._stamp, self._game = (NEVER, 0) if mark is None else (mark.stamp, mark.game)
        self.promise_ns = LEAST_NS if mark is None else mark.commit_ns
        """How late the next mark may be (ns); written with each commit."""

    def games(self) -> int:
        """Return the number of the last game in the file, or 0."""
        (last,) = self._connection.execute("SELECT max(game) FROM rows").fetchone()
        return int(last or 0)

    def last_game(self) -> tuple[Row, ...]:
        """Return the rows of the last game."""
        first = last_game_begins(self._connection)
        return () if first is None else tuple(stored.row for stored in rows_from(self._connection, first))

    def append(self, rows: Iterable[Row], stamp: GameStamp | None) -> None:
        """Write ``rows`` and set the durable mark to ``stamp`` (None: unchanged), all or nothing.

        Raises:
            Replaced: the file or its WAL is no longer the one that was opened.
        """
        seq, head, game = self.seq, self.head, self._game
        with self._committing(_REPLACED) as connection:
            for row in rows:
                seq += 1
                head = link_hash(head, seq, row)
                game = row.game if row.kind == Kind.EVENT else game
                fields = (seq, row.kind, row.game, row.number, row.at, row.mono, row.boot, row.wall, row.body, head)
                connection.execute("INSERT INTO rows VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", fields)
            # A mark of an earlier game does not apply to this one.
            stamp = stamp or (self._stamp if game == self._game else NEVER)
            self._set_mark(stamp, game, seq, head)
        self.seq, self.head, self._game, self._stamp = seq, head, game, stamp

    def _set_mark(self, stamp: GameStamp, game: int, seq: int, head: str) -> None:
        fields = (stamp.at, stamp.mono, stamp.boot, stamp.wall, game, seq, head, self.promise_ns)
        sealed = seal(stamp, game, seq, head, self.promise_ns)
        self._connection.execute(
            "INSERT OR REPLACE INTO mark (id, at, mono, boot, wall, game, seq, hash, commit_ns, seal) VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (*fields, sealed),
        )
