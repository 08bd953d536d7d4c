"""Real table clocks that play beside a real broker, in a process of their own, and the real desk as a program."""

from __future__ import annotations

import multiprocessing
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hall.broker.complete import CompleteHall, complete_hall
from hall.broker.run import Broker, running_broker
from hall.link.plan import LinkPlan
from hall.simulate.plan import Schedule, TablePlan
from hall.simulate.worker import EndProcess, Linked, host
from tests.processes import PATIENCE_S, running

NS = 1_000_000_000
TILEHALL = (sys.executable, "-m", "hall.cli")


@dataclass(frozen=True)
class PlayingHall:
    """A broker, and clocks that play."""

    hall: CompleteHall
    broker: Broker


class RunningDesk:
    """The program ``tilehall desk``."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.log: list[str] = []
        self._open = threading.Event()
        self.address = ""
        threading.Thread(target=self._read, daemon=True).start()
        assert self._open.wait(PATIENCE_S), self.log

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.log.append(line)
            if (found := re.search(r"pages=\S*?(http://[0-9.:]+)/", line)) is not None:
                self.address = found[1]
                self._open.set()


def quietly_host(plans: Sequence[TablePlan], samples: Path, seed: int, pipe: Any) -> None:
    """Host tables without the log of each."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    host(plans, samples, seed, pipe)


@contextmanager
def playing_hall(folder: Path, tables: int, *, press_s: float, seconds: int) -> Iterator[PlayingHall]:
    """Run a broker and ``tables`` clocks whose players press every ``press_s`` on average."""
    hall = complete_hall(folder / "hall", clocks=tables, stations=0)
    with running_broker(folder / "broker", hall.plan) as broker:
        plans = tuple(
            TablePlan(
                number,
                clock.folder,
                LinkPlan(
                    hall.plan.hall,
                    broker.host,
                    broker.port,
                    clock.identity.ca,
                    clock.identity.certificate,
                    clock.identity.key,
                    clock.id,
                    clock.folder / "s",
                ),
            )
            for number, clock in enumerate(hall.clocks)
        )
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(target=quietly_host, args=(plans, folder / "samples", 1, theirs), daemon=True)
        process.start()
        try:
            assert ours.poll(300)
            assert isinstance(ours.recv(), Linked)
            ours.send(Schedule(time.monotonic_ns() + NS, seconds, press_s, 1))
            yield PlayingHall(hall, broker)
        finally:
            ours.send(EndProcess())
            process.join(20)
            process.kill()


@contextmanager
def running_desk(playing: PlayingHall, store: Path, *options: str) -> Iterator[RunningDesk]:
    """Run ``tilehall desk`` beside it."""
    words = (
        "desk", "--folder", str(playing.hall.listener.key.parent), "--host", playing.broker.host, "--port", str(playing.broker.port),
        "--store", str(store), "--http", "0", "--pages", "0", "--desk", str(playing.hall.desk().key.parent), "--no-login",
        "--desk-store", str(store.with_name("desk.db")), "--book", str(store.with_name("orders.db")), *options,
    )  # fmt: skip
    with running(TILEHALL, *words) as process:
        yield RunningDesk(process)
