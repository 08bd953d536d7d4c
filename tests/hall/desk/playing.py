"""Real table clocks that play beside a real broker, in a process of their own, and the real desk as a program."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection as Pipe
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from hall.link.dialling import LinkPlan
from tests.processes import PATIENCE_S, running
from tools.simulate.plan import Schedule, TablePlan
from tools.simulate.worker import EndProcess, Linked, host
from tools.trial_broker import Broker, CompleteHall, HallMember, complete_hall, running_broker

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


def table_plans(hall: CompleteHall, broker: Broker, *, hosted: bool = True) -> tuple[TablePlan, ...]:
    """Return a table for each clock of the hall; ``hosted``: the clocks' process starts its link."""
    return tuple(TablePlan(number, clock.folder, _link(hall, broker, clock), hosted=hosted) for number, clock in enumerate(hall.clocks))


def _link(hall: CompleteHall, broker: Broker, clock: HallMember) -> LinkPlan:
    identity = clock.identity
    return LinkPlan(
        hall.plan.hall, broker.host, broker.port, identity.ca, identity.certificate, identity.key, clock.id, clock.folder / "s"
    )  # fmt: skip


@contextmanager
def clocks_process(plans: Sequence[TablePlan], samples: Path, environment: Mapping[str, str] = MappingProxyType({})) -> Iterator[Pipe]:
    """Run the clocks in a process of their own, with ``environment`` beside the test's; yield the end of the pipe that takes schedules."""
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=quietly_host, args=(plans, samples, 1, theirs), daemon=True)
    with pytest.MonkeyPatch.context() as patch:
        for name, value in environment.items():
            patch.setenv(name, value)
        process.start()
    try:
        with closing(ours):
            yield ours
            ours.send(EndProcess())
            process.join(20)
    finally:
        process.kill()
        process.join()


def wait_until_linked(pipe: Pipe) -> None:
    """Wait until all clocks run and have their links."""
    assert pipe.poll(5 * PATIENCE_S)
    assert isinstance(pipe.recv(), Linked)


def play(pipe: Pipe, seconds: int, press_s: float) -> None:
    """Let all tables play from half a second on; a player presses every ``press_s`` on average."""
    pipe.send(Schedule(time.monotonic_ns() + NS // 2, seconds, press_s, 1))


@contextmanager
def playing_hall(folder: Path, tables: int, *, press_s: float, seconds: int) -> Iterator[PlayingHall]:
    """Run a broker and ``tables`` clocks whose players press every ``press_s`` on average."""
    hall = complete_hall(folder / "hall", clocks=tables, stations=0)
    with running_broker(folder / "broker", hall.plan) as broker, clocks_process(table_plans(hall, broker), folder / "samples") as pipe:
        wait_until_linked(pipe)
        play(pipe, seconds, press_s)
        yield PlayingHall(hall, broker)


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
