"""Kill a playing clock's journal at random instants: ``python tests/benchmarks/kills.py 1000``.

A child process plays games of random events through ``rows_of`` and the writer, and says through a pipe which row is on the disk. It is killed with SIGKILL at a
random instant; then the journal must open whole, hold every row reported as durable, as it was played, and fold to a game that stops for the
director. Exit 1 at the first kill that loses anything.
"""

import itertools
import multiprocessing
import os
import random
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from multiprocessing.connection import Connection
from pathlib import Path

from appliance.records.chain import GENESIS, chained, covered
from firmware.journal.recovery import recover
from firmware.journal.writer import JournalWriter, OpenedJournal, open_journal
from game import events as ev
from game.game import EventNotAllowed, Phase
from game.history import History, accept, begin
from records.journal import GameStamp, Row, reading, rows_from, rows_of, verify
from rules.rulebooks import load_rulebook
from rules.side import BySide
from tests.firmware.random_games import EVENTS

S = 1_000_000_000
LONGEST_LIFE_S = 0.15
LOOKS_BACK = 10
SAID = [*(event for event in EVENTS if not isinstance(event, ev.LateStart)), ev.Undo("slip")]
"""Without absent players: a clock of theirs that ran is not stopped by a power cut."""


def played(seed: int) -> Iterator[tuple[Row, ...]]:
    """Yield the puts of one endless evening: the same for the same seed."""
    chance = random.Random(seed)  # noqa: S311 - it has to be the same again
    now = 0
    for game in itertools.count(1):
        history = begin(ev.NewGame(load_rulebook("naspa-2017"), "naspa-2017", BySide(None, None)), now)
        yield rows_of(None, history, game, _stamp(now))
        while history.game_at(now).phase is not Phase.OVER:
            now += chance.randrange(1, 90 * S)
            after = _moved(history, now, chance)
            if rows := rows_of(history, after, game, _stamp(now)):
                yield rows
            history = after


def _moved(history: History, now: int, chance: random.Random) -> History:
    number = max(2, history.number - chance.randrange(LOOKS_BACK))
    try:
        return accept(history, chance.choice([*SAID, ev.Undo("slip", number)]), now)
    except EventNotAllowed:
        return history


def _stamp(at: int) -> GameStamp:
    return GameStamp(at, at, "boot", "2026-01-01T00:00:00Z")


def play(path: Path, seed: int, sink: Connection) -> None:
    """Play until killed; each durable row's number goes through the pipe."""
    seen = threading.Condition()
    durable = 0

    def committed() -> None:
        nonlocal durable
        os.write(sink.fileno(), b"%d\n" % writer._store.seq)
        with seen:
            durable = writer._store.seq
            seen.notify()

    writer = JournalWriter(path, lambda _: None, on_rows=committed)
    count = 0
    for rows in played(seed):
        count += len(rows)
        writer.put(rows)
        writer.mark(_stamp(rows[-1].at))
        with seen:
            # A few rows ahead of the disk, as a burst of presses is.
            seen.wait_for(lambda: durable >= count - LOOKS_BACK)  # noqa: B023 - called before count changes


def kill_once(path: Path, seed: int) -> tuple[int, int]:
    """Play, kill, and return how many rows were reported as durable and how many are there."""
    assert open_journal(path) == OpenedJournal(path)
    here, there = multiprocessing.Pipe(duplex=False)
    child = multiprocessing.get_context("fork").Process(target=play, args=(path, seed, there))
    child.start()
    there.close()
    child.join(random.Random(-seed - 1).uniform(0, LONGEST_LIFE_S))  # noqa: S311 - an instant to kill at
    assert child.is_alive()
    child.kill()
    child.join()
    with os.fdopen(os.dup(here.fileno()), "rb") as pipe:
        said = pipe.read()
    here.close()
    durable = int(([b"0", *said.split(b"\n")[:-1]])[-1])
    return durable, _examined(path, seed, durable)


def _examined(path: Path, seed: int, durable: int) -> int:
    opened = open_journal(path)
    assert opened == OpenedJournal(path), opened
    with reading(path) as connection:
        found = verify(connection)
        kept = list(rows_from(connection, 1))
    assert found.fault is None, found.fault
    assert found.rows >= durable, f"{durable} rows were durable, {found.rows} are there"
    head = GENESIS
    for row, was in zip((row for rows in played(seed) for row in rows), kept, strict=False):
        head = chained(head, covered(was.seq, row))
        assert was.hash == head, f"row {was.seq} is not as it was played"
    recovered = recover(path, load_rulebook)
    assert (recovered is not None) == bool(kept)
    if recovered is not None:
        assert recovered.history is not None
        assert recovered.refused == ()
        if recovered.clock_ran:
            stopped = accept(recovered.history, ev.Neutralise("power cut"), recovered.last.at)
            assert stopped.game_at(recovered.last.at + 3600 * S).running is None
            assert recovered.uncertain_ns(GameStamp(0, 0, "another boot", "")) >= 2 * S
    return found.rows


def main(kills: int) -> int:
    begun = time.monotonic()
    durable_rows = rows = 0
    for kill in range(kills):
        seed = random.SystemRandom().randrange(1 << 32)
        with tempfile.TemporaryDirectory() as folder:
            try:
                durable, there = kill_once(Path(folder) / "journal.db", seed)
            except AssertionError as lost:
                sys.stderr.write(f"kill {kill + 1} (seed {seed}): {lost!r}\n")
                return 1
        durable_rows, rows = durable_rows + durable, rows + there
    took = time.monotonic() - begun
    sys.stdout.write(
        f"{kills} kills, {durable_rows} rows said to be durable, {rows} there, none lost, every journal whole ({took:.0f} s)\n"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000))
