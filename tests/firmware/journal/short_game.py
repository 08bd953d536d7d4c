"""A short game in a journal, for what opens and reads it."""

from pathlib import Path

from firmware.journal.writer import JournalWriter, open_journal
from game import events as ev
from game.history import accept, begin
from records.journal import GameStamp, Kind, reading, row_of, rows_of, verify
from rules.rulebooks import load_rulebook
from rules.side import BySide, Side

S = 1_000_000_000


def play(path: Path) -> None:
    """Play twelve turns into a journal at ``path``: 14 rows, and a mark at 13 s."""
    open_journal(path)
    writer = JournalWriter(path, lambda progress: None)
    stamp = GameStamp(0, 0, "boot", "2026-07-03T10:00:00Z")
    writer.put([row_of(Kind.BOOT, 0, stamp, {"version": "0.1.0"})])
    history = begin(ev.NewGame(load_rulebook("naspa-2017"), "naspa-2017", BySide(None, None)), 0)
    writer.put(rows_of(None, history, 1, stamp))
    for turn in range(1, 13):
        after = accept(history, ev.Press(Side.LEFT if turn % 2 else Side.RIGHT), turn * S)
        writer.put(rows_of(history, after, 1, GameStamp(turn * S, turn * S, "boot", "2026-07-03T10:00:00Z")))
        history = after
    writer.mark(GameStamp(13 * S, 13 * S, "boot", "2026-07-03T10:00:00Z"))
    assert writer.close(30)


def rows_whole(path: Path) -> int:
    with reading(path) as connection:
        found = verify(connection)
    assert found.fault is None
    return found.rows


class NoSentinel:
    """A stand-in that does not wait for the end of a program."""

    def __init__(self, history: int, offset: int) -> None: ...

    def close(self) -> None: ...
