"""A small hall that plays through storms: real clocks in a process of their own, each with the real link as another, a real broker and listener."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from multiprocessing.connection import Connection as Pipe
from pathlib import Path
from types import MappingProxyType

from game.journal.reading import links, reading
from hall.cli.main import main
from hall.store.reading import reading_store
from hall.watch.status import HallPicture
from tests.hall.desk.playing import clocks_process, play, table_plans, wait_until_linked
from tests.hall.listener.listening import TILEHALL, Listening
from tests.in_process import ran
from tests.processes import PATIENCE_S, running, until
from tools.simulate.plan import TablePlan
from tools.simulate.worker import Played
from tools.trial_broker import Broker, CompleteHall, complete_hall, running_broker


@dataclass
class StormyHall:
    """The hall, and what a storm can reach."""

    folder: Path
    hall: CompleteHall
    broker: Broker
    pipe: Pipe
    tables: tuple[TablePlan, ...]
    stack: ExitStack
    listener: Listening | None = None
    links: dict[int, subprocess.Popen[bytes]] = field(default_factory=dict)

    @property
    def store(self) -> Path:
        return self.folder / "hall.db"

    def listen(self, **environment: str) -> Listening:
        """Start a listener."""
        folder = self.hall.listener.key.parent
        words = ("listen", "--folder", str(folder), "--host", self.broker.host, "--port", str(self.broker.port))
        process = self.stack.enter_context(running(TILEHALL, *words, "--store", str(self.store), "--http", "0", **environment))
        self.listener = Listening(process)
        return self.listener

    def kill_listener(self) -> None:
        assert self.listener is not None
        self.listener.process.kill()
        self.listener.process.wait()

    def link(self, table: int, environment: Mapping[str, str] | None = None) -> None:
        """Start the link of a table, in place of the one that runs."""
        self.cut(table)
        words = (sys.executable, "-P", "-m", "hall.link", self.tables[table].link.to_json())
        self.links[table] = self.stack.enter_context(
            subprocess.Popen(words, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)
        )

    def cut(self, table: int) -> None:
        """Kill the link of a table."""
        if (process := self.links.pop(table, None)) is not None:
            process.kill()
            process.wait()

    def play(self, seconds: int, press_s: float = 0.6) -> None:
        """Let all tables play from now on."""
        play(self.pipe, seconds, press_s)

    def end_play(self) -> None:
        """Wait until the players have stopped and the journals are complete."""
        assert self.pipe.poll(PATIENCE_S * 2)
        played = self.pipe.recv()
        assert isinstance(played, Played)
        assert played.complete
        assert played.presses > 0

    def until(self, condition: object) -> HallPicture:
        assert self.listener is not None
        return self.listener.until(condition)  # type: ignore[arg-type] # a lambda of its picture

    def require_all_rows(self, *but: int) -> None:
        """Wait until the hall holds the rows of all tables, each once and in order; then have `tilehall verify` check the chains."""
        for table in self.tables:
            if table.number not in but:
                expected = rows_of(table.journal)
                until(lambda table=table, expected=expected: self.held(table) == expected, f"the rows of table {table.number}")  # type: ignore[misc] # its defaults
        self.kill_listener()
        done = ran(main, "verify", "--store", str(self.store))
        assert done.returncode == 0, done.stdout + done.stderr

    def held(self, table: TablePlan) -> list[tuple[int, str]]:
        """Return what the hall holds of a table."""
        with reading_store(self.store) as store:
            epochs = store.epochs(table.link.device)
            return [(row.seq, row.hash) for known in epochs for row in store.rows(table.link.device, known.epoch)]


def rows_of(journal: Path) -> list[tuple[int, str]]:
    """Return the rows of a journal: sequence and hash."""
    with reading(journal) as connection:
        return [(link.seq, link.hash) for link in links(connection, 1)]


@contextmanager
def stormy_hall(
    folder: Path,
    tables: int = 3,
    before: Callable[[Sequence[TablePlan]], None] = lambda _: None,
    clocks: Mapping[str, str] = MappingProxyType({}),
) -> Iterator[StormyHall]:
    """Run broker, clocks and links; the listener is started by ``listen``, ``before`` prepares the clocks' files, ``clocks`` is in their environment."""
    hall = complete_hall(folder / "hall", clocks=tables, stations=0)
    with running_broker(folder / "broker", hall.plan) as broker, ExitStack() as stack:
        plans = table_plans(hall, broker, hosted=False)
        before(plans)
        pipe = stack.enter_context(clocks_process(plans, folder / "samples", clocks))
        found = StormyHall(folder, hall, broker, pipe, plans, stack)
        try:
            for number in range(tables):
                found.link(number)
            wait_until_linked(pipe)
            yield found
        finally:
            for number in range(tables):
                found.cut(number)
