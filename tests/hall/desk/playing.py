"""Real table clocks that play beside a real broker, in a process of their own, and the real desk as a program."""

import os
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection as Pipe
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from msgspec import Struct

from hall.keys.files import LISTENER
from hall.link.connection import LinkPlan
from tests.hall.joined import JoinedHall
from tests.hall.listener.listening import TILEHALL, RunningProgram, command
from tests.processes import PATIENCE_S, running
from tools.simulate.plan import Schedule, TablePlan
from tools.simulate.worker import EndProcess, Linked, host
from tools.trial_broker import Broker, CompleteHall, HallMember, complete_hall, running_broker

NS = 1_000_000_000


class PlayingHall(Struct, frozen=True, dict=True):
    hall: CompleteHall
    broker: Broker


class RunningDesk(RunningProgram):
    def __init__(self, process: subprocess.Popen[str]) -> None:
        super().__init__(process, r"pages=\S*?(http://[0-9.:]+)/")
        self.address = self.where


def quietly_host(plans: Sequence[TablePlan], samples: Path, seed: int, pipe: Any) -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    host(plans, samples, seed, pipe)


def table_plans(hall: CompleteHall, broker: Broker, *, hosted: bool = True) -> tuple[TablePlan, ...]:
    """Return a table for each clock of the hall; ``hosted``: the clocks' process starts its link."""
    return tuple(TablePlan(number, clock.folder, _link(hall, broker, clock), hosted=hosted) for number, clock in enumerate(hall.clocks))


def _link(hall: CompleteHall, broker: Broker, clock: HallMember) -> LinkPlan:
    identity = clock.identity
    return LinkPlan(
        hall.files.authority.hall, broker.host, broker.port, identity.ca, identity.certificate, identity.key, clock.id, clock.folder / "s"
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
    assert pipe.poll(5 * PATIENCE_S)
    assert isinstance(pipe.recv(), Linked)


def play(pipe: Pipe, seconds: int, press_s: float) -> None:
    """Let all tables play from half a second on; a player presses every ``press_s`` on average."""
    pipe.send(Schedule(time.monotonic_ns() + NS // 2, seconds, press_s, 1))


@contextmanager
def playing_hall(folder: Path, tables: int, *, press_s: float, seconds: int) -> Iterator[PlayingHall]:
    """Run a broker and ``tables`` clocks whose players press every ``press_s`` on average."""
    hall = complete_hall(folder / "hall", clocks=tables, stations=0)
    with running_broker(folder / "broker", hall.files) as broker, clocks_process(table_plans(hall, broker), folder / "samples") as pipe:
        wait_until_linked(pipe)
        play(pipe, seconds, press_s)
        yield PlayingHall(hall, broker)


@contextmanager
def running_desk(playing: PlayingHall, store: Path, *options: str) -> Iterator[RunningDesk]:
    desk, listener = playing.hall.desk().key.parent, playing.hall.listener.key.parent
    with _desk(playing.broker, store.parent, *options, folder=listener, desk=desk, store=store, no_login=True) as found:
        yield found


@contextmanager
def _desk(broker: Broker, files: Path, *more: str, **options: object) -> Iterator[RunningDesk]:
    kept = {"desk_store": files / "desk.db", "book": files / "orders.db"}
    words = command("desk", host=broker.host, port=broker.port, http=0, pages=0, **kept, **options)
    with running(TILEHALL, *words, *more) as process:
        yield RunningDesk(process)


@contextmanager
def directors_desk(joined: JoinedHall, accounts: Path, *, desk: str = "desk-1", listener: str = LISTENER) -> Iterator[RunningDesk]:
    """Run ``tilehall desk`` with its files beside those of the accounts. A second one has another listener, and another file of rows."""
    own, taken = (joined.files.identity(each).key.parent for each in (desk, listener))
    store = accounts.parent / f"{listener}.db"
    with _desk(joined.broker, accounts.parent, folder=taken, desk=own, store=store, accounts=accounts) as found:
        yield found
