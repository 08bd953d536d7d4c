"""Kill a playing clock at random instants, on a busy machine: ``python tests/benchmarks/clock_kills.py 500 --busy 8``.

A child process is the whole clock (loop, pins, gestures, game, journal, crash record, sentinel) on a mock board. Its players note each press in a file before
they make it. It is killed with SIGKILL at a random instant of its play; then the next program's start is taken, and compared with what the players noted.

In every second kill another program holds the journal again and again, so that commits are late. Every row of the earlier presses has to be there, committed or not. Exit 1 where a kill breaks one of these.

- The **end** of the program is when the kernel closes what it held. It lies between the kill and the return of ``waitpid``: that is known here to the ns.
- **True** time used: what the noted presses make of each side's time, by the rule that every button starts the other player's clock, up to the end.
- **Missing** (or too much): the difference of the time used that the next program knows to the true one, at the worse of both sides.
- **Stated**: the time that may be missing, as the screen says. It has to be at least as much as is missing, each time. Exact means that nothing is missing,
  nothing is stated, and the instant up to which the player is charged lies in the end's interval.
- A press of the last 4 s (``UNSEEN_NS``) may not have come to the program at all. It is counted by itself; the screen speaks of it.
"""

import argparse
import multiprocessing
import os
import random
import sqlite3
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path
from typing import Final

from msgspec import Struct

from appliance.clocks import Clocks, boot_id
from appliance.crash.record import read_record
from firmware.journal.recovery import UNSEEN_NS, parse_memory, record_path, recover
from firmware.journal.writer import JournalWriter, stamped
from firmware.settings import merge
from firmware.shell.assemble import assembled, setup_of
from firmware.shell.resume import start
from game import events as ev
from game.history import History
from hardware.boards.board import load_board
from records.journal import GameStamp, reading, verify
from rules.rulebooks import load_rulebook
from rules.side import BySide, Side
from tests.benchmarks.figures import busy, percentile
from tools.mock_board import MockBoard


class Killed(Struct, frozen=True):
    exact: bool
    ran: bool
    missing: int
    stated: int
    charged: int
    """From the kill to the instant up to which the player is charged."""
    took: int
    """From the kill to the return of ``waitpid``."""
    presses: int
    unheard: int
    """Presses of the last moment that never came to the program."""
    from_memory: int
    """Rows that were in memory only."""
    on_disk: int | None
    """The running time that is on no disk: what a power cut would have taken; None: on the disk no clock ran."""
    disk_says: int | None
    """What the next program would have stated after a power cut."""


def settings_for(folder: Path) -> dict[str, object]:
    return {"journal.path": str(folder / "journal.db"), "board.pins": "mock", "screen.kind": "none"}


def examined(folder: Path, presses: Sequence[tuple[str, int]], killed: int, gone: int) -> Killed:
    """Start the next program in ``folder``, and return what came of the kill between the instants ``killed`` and ``gone`` (ns)."""
    path = folder / "journal.db"
    # As the next program does, in its order.
    memory = parse_memory(read_record(record_path(folder, path, boot_id())), boot_id())
    assert memory is not None, "nothing was left in memory"
    now = time.monotonic_ns()
    setup = setup_of(merge([("test", settings_for(folder))]).settings)
    new_game = ev.NewGame(load_rulebook("naspa-2017"), "naspa-2017", BySide(None, None))
    begun = start(path, setup, new_game, stamped(Clocks(), now, now), memory)
    disk = recover(path, load_rulebook)
    # And what was in memory only is written.
    writer = JournalWriter(path, lambda _: None)
    for rows in begun.unwritten:
        writer.put(rows)
    assert writer.close(60), "the rows that were in memory could not be written"
    with reading(path) as connection:
        found = verify(connection)
    assert found.fault is None, found.fault

    heard = [] if begun.recorded is None else list(_heard(begun.recorded))
    assert heard == presses[: len(heard)], f"heard {heard}, pressed {presses}"
    unheard = presses[len(heard) :]
    game, at, stated = (
        begun.tables[-1].game_at(now),
        begun.tables[-1].frozen,
        0 if begun.interruption is None else begun.interruption.missing_ns,
    )
    if not heard:
        at = gone
    # The game began in this program, so its timeline is CLOCK_MONOTONIC itself.
    assert at is not None, "the game did not come back stopped"
    assert at <= gone, "time was charged after the end"
    # What the next program speaks of has to reach to the end: it lies in the interval that is known here.
    reached = at + stated
    assert reached >= killed, f"charged and stated up to {killed - reached} ns before the kill"
    end = min(reached, gone)
    true = _used(heard, end)
    missing = max(abs(true[side] - game.used_at(side, at)) for side in Side)
    assert stated >= missing, f"stated {stated}, missing {missing}"
    last_moment = [killed - pressed for _, pressed in unheard]
    assert all(ago <= max(UNSEEN_NS, stated) for ago in last_moment), f"not heard {last_moment} ns before the kill, stated {stated}"
    cut = disk is not None and disk.clock_ran
    return Killed(
        exact=killed <= at <= gone and stated == 0,
        ran=begun.recorded is not None and begun.recorded.game_at(at).running is not None,
        missing=missing,
        stated=stated,
        charged=at - killed,
        took=gone - killed,
        presses=len(presses),
        unheard=len(unheard),
        from_memory=sum(map(len, begun.unwritten)),
        on_disk=end - disk.last.mono if disk is not None and cut else None,
        disk_says=disk.uncertain_ns(GameStamp(0, 0, "another boot", "")) if disk is not None and cut else None,
    )


def _heard(history: History) -> Iterator[tuple[str, int]]:
    for link in history.oldest_first():
        if isinstance(link.event, ev.Press):
            yield link.event.side.value, link.at
        elif isinstance(link.event, ev.Neutralise):
            yield "centre", link.at
        else:
            assert isinstance(link.event, ev.NewGame), link.event


def _used(presses: Sequence[tuple[str, int]], end: int) -> dict[Side, int]:
    """Return what each side has used at ``end``, by the rule that every button starts the other player's clock, and by nothing else of the project."""
    used, runs, since = dict.fromkeys(Side, 0), None, 0
    for button, at in (*presses, ("centre", end)):
        if runs is not None:
            used[runs] += at - since
        runs, since = (None if button == "centre" else Side(button).other), at
    return used


NS: Final = 1_000_000_000
PRESS_S: Final = 0.06
SHORTEST_S: Final = 0.45
"""Two players do not press within less: the clock would take it for a slip, or for both buttons."""
LONGEST_S: Final = 1.5
LIFE_S: Final = 4.0
STARTED_S: Final = 60.0
AT_ONCE: Final = 4


def live(folder: Path, seed: int) -> None:
    board = MockBoard(load_board("full"))
    settings = merge([("test", settings_for(folder))]).settings
    with assembled(settings, Clocks(), board.factory, crash=folder) as loop:
        loop.begin()
        loop._show(loop._clocks.now())  # the first turn starts the sentinel
        sentinel = loop._clock._recorder._memory._record._sentinel._pid  # type: ignore[union-attr]  # all of them are there
        threading.Thread(target=_play, args=(board, folder / "presses", seed, sentinel), daemon=True).start()
        loop.run()


def _play(board: MockBoard, noted: Path, seed: int, sentinel: int) -> None:
    chance = random.Random(seed)  # noqa: S311 - it has to be the same again
    notes = os.open(noted, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    runs: Side | None = None
    # No press comes in the moment of the start: the sentinel sleeps by then.
    while "pipe_read" not in Path(f"/proc/{sentinel}/wchan").read_text() or len(list(Path(f"/proc/{sentinel}/task").iterdir())) > 1:
        time.sleep(0.1)
    while True:
        if runs is not None and chance.random() < 0.15:
            button, runs = "centre", None
        else:
            pressed = runs or chance.choice(list(Side))
            button, runs = pressed.value, pressed.other
        at = time.monotonic_ns()
        # One write: it is there whole, or not at all.
        os.write(notes, f"{button} {at}\n".encode())
        board.down(button, at)
        time.sleep(PRESS_S)
        board.up(button, at + int(PRESS_S * NS))
        time.sleep(chance.uniform(SHORTEST_S, LONGEST_S))


def kill_once(folder: Path, seed: int) -> Killed:
    """Play, kill, start again, and return what came of it."""
    child = multiprocessing.get_context("fork").Process(target=live, args=(folder, seed))
    child.start()
    noted = folder / "presses"
    limit = time.monotonic() + STARTED_S
    while not noted.exists() or not noted.stat().st_size:
        assert child.is_alive(), "the clock ended by itself, before anybody pressed"
        assert time.monotonic() < limit, "the clock did not start"
        time.sleep(0.01)
    with _slow_disk(folder / "journal.db", seed) if seed % 2 else nullcontext():
        time.sleep(random.Random(-seed - 1).uniform(0, LIFE_S))  # noqa: S311 - an instant to kill at
        assert child.is_alive(), "the clock ended by itself"
        killed = time.monotonic_ns()
        child.kill()
        child.join()
        gone = time.monotonic_ns()
    presses = [(button, int(at)) for button, at in (line.split() for line in noted.read_text().splitlines())]
    return examined(folder, presses, killed, gone)


@contextmanager
def _slow_disk(path: Path, seed: int) -> Iterator[None]:
    """Hold the journal again and again, as another program may: commits wait, and rows are in memory only."""
    over, chance = threading.Event(), random.Random(seed)  # noqa: S311 - no secret

    def hold() -> None:
        with closing(sqlite3.connect(path, timeout=10, isolation_level=None)) as connection:
            while not over.is_set():
                connection.execute("BEGIN IMMEDIATE")
                over.wait(chance.uniform(0.1, 0.9))
                connection.execute("ROLLBACK")
                over.wait(chance.uniform(0.05, 0.5))

    holder = threading.Thread(target=hold)
    holder.start()
    try:
        yield
    finally:
        over.set()
        holder.join()


def _one(seed: int) -> Killed:
    with tempfile.TemporaryDirectory() as folder:
        return kill_once(Path(folder), seed)


def reported(kills: Sequence[Killed]) -> Iterator[str]:
    exact = [each for each in kills if each.exact]
    rest = [each for each in kills if not each.exact]
    yield f"{len(kills)} kills, {sum(each.ran for each in kills)} while a clock ran: stated at least what was missing each time; {len(exact)} exact"
    yield f"  missing: {_spread([each.missing for each in kills])}; stated where not exact: {_spread([each.stated for each in rest])}"
    yield f"  from the kill to the instant charged: {_spread([each.charged for each in exact])}; to the return of waitpid: {_spread([each.took for each in kills])}"
    yield (
        f"  {sum(each.presses for each in kills)} presses; {sum(each.unheard for each in kills)} of the last 4 s did not come to the program; "
        f"{sum(each.from_memory for each in kills)} rows (in {sum(each.from_memory > 0 for each in kills)} kills) were in memory only, none lost"
    )
    cuts = [(each.on_disk, each.disk_says) for each in kills if each.on_disk is not None and each.disk_says is not None]
    yield (
        f"  on no disk: {_spread([on_disk for on_disk, _ in cuts])}; a power cut would have stated {_spread([says for _, says in cuts])}, "
        f"too little {sum(on_disk > says for on_disk, says in cuts)} times"
    )


def _spread(durations: Sequence[int]) -> str:
    if not durations:
        return "none"
    return "/".join(f"{percentile(durations, share) / 1e6:.1f}" for share in (50, 90, 99, 100)) + " ms (median, p90, p99, most)"


def main() -> int:
    parser = argparse.ArgumentParser(description="Kill a playing clock at random instants.")
    parser.add_argument("kills", type=int, nargs="?", default=500)
    parser.add_argument("--busy", type=int, default=0, help="processes that do nothing but keep the processors busy")
    parser.add_argument("--at-once", type=int, default=AT_ONCE, help="clocks that play at the same time")
    asked = parser.parse_args()
    chance, kills, wrongs, begun = random.SystemRandom(), [], 0, time.monotonic()
    with busy(asked.busy), ProcessPoolExecutor(asked.at_once) as pool:
        seeds = {pool.submit(_one, seed): seed for seed in (chance.randrange(1 << 32) for _ in range(asked.kills))}
        for done, seed in seeds.items():
            try:
                kills.append(done.result())
            except AssertionError as wrong:
                wrongs += 1
                sys.stderr.write(f"seed {seed}: {wrong!r}\n")
    sys.stdout.write("\n".join(reported(kills)) + f" ({time.monotonic() - begun:.0f} s)\n")
    return int(wrongs > 0)


if __name__ == "__main__":
    sys.exit(main())
