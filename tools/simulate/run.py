"""Runs a simulation: makes a hall, starts broker, listener and tables as processes, lets the tables play, and measures."""

from __future__ import annotations

import json
import multiprocessing
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from multiprocessing.connection import Connection as Pipe
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from faults.errors import TileclockError
from hall.keys.files import LISTENER, Identity
from hall.link.connection import LinkPlan
from hall.store.store import reading_store
from rules.duration import NS
from tools.simulate.listening import AllHeard, AwaitTables, Heard, ListeningPlan, listen
from tools.simulate.measure import Usage, in_words, result, rows_in, usage_of
from tools.simulate.plan import Schedule, SimulationPlan, TablePlan
from tools.simulate.proxy import Cut, ProxyPlan, ProxyReady, forward
from tools.simulate.worker import EndProcess, Linked, Played, host
from tools.trial_broker import TRIAL, HallMember, complete_hall, running_broker


class SimulationError(TileclockError, RuntimeError):
    """A part of a simulation fails."""


T = TypeVar("T")
_LINK_S: Final = 300.0
"""How long all links may take to come up."""
_LAG_S: Final = 3.0
"""From the start of play to its first instant, so that every process knows of it before."""
_DRAIN_S: Final = 180.0
"""How long the last rows may take after play."""
_LOOK_S: Final = 0.5
_METER: Final = 0
"""The table whose link is a process of its own, and measured."""


def simulate(plan: SimulationPlan, folder: Path, say: Callable[[str], None]) -> dict[str, Any]:
    """Run a simulation in ``folder``; return what it measured (docs/commands.md, "tilehall").

    Args:
        plan: the parameters.
        folder: an empty folder, best in memory: the journals of all tables are in it.
        say: takes a line about the progress.

    Raises:
        HallError: mosquitto is missing or does not start.
        SimulationError: a part of it fails.
    """
    with ExitStack() as stack:
        simulation = _Simulation(plan, folder, say, stack)
        simulation.start()
        simulation.play()
        return simulation.measured()


class _Simulation:
    def __init__(self, plan: SimulationPlan, folder: Path, say: Callable[[str], None], stack: ExitStack) -> None:
        self._plan, self._folder, self._say, self._stack = plan, folder, say, stack
        self._tables: list[TablePlan] = []
        self._workers: list[SimulationProcess] = []

    def start(self) -> None:
        """Start every part, and wait until all links are up."""
        plan, began = self._plan, time.monotonic()
        hall = complete_hall(self._folder, clocks=plan.tables, stations=0)
        self._broker = self._stack.enter_context(running_broker(self._folder / "broker", hall.files))
        self._proxy = self._started_proxy() if plan.needs_proxy else None
        port = self._broker.port if self._proxy is None else self._proxy.received(ProxyReady, _LINK_S).port
        self._tables = [
            TablePlan(number, clock.folder, self._link(clock, port), hosted=number != _METER) for number, clock in enumerate(hall.clocks)
        ]
        self._listener = self._process(
            listen,
            ListeningPlan(
                plan_of(LISTENER, hall.listener, self._broker.host, self._broker.port),
                self._store,
                self._folder / "samples-listener",
                self._folder / "latencies",
                {clock.id: number for number, clock in enumerate(hall.clocks)},
            ),
        )
        for number, share in enumerate(plan.shares()):
            plans = tuple(self._tables[share.start : share.stop])
            self._workers.append(self._process(host, plans, self._samples(number), plan.seed))
        self._link_process = self._stack.enter_context(_link_process(self._tables[_METER].link, self._folder / "byte-code"))
        for worker in self._workers:
            worker.received(Linked, _LINK_S)
        self._listener.pipe.send(AwaitTables())
        bound = self._listener.received(AllHeard, _LINK_S).bound / NS
        took = time.monotonic() - began
        self._say(f"{plan.tables} tables are linked and heard after {took:.0f} s; the listener knows their times to {bound * 1000:.0f} ms.")

    def play(self) -> None:
        """Let the tables play, cut the links in the middle if asked, and wait for the last rows."""
        plan = self._plan
        schedule = Schedule(time.monotonic_ns() + round(_LAG_S * NS), plan.seconds, plan.press_s, plan.seed)
        for each in (*self._workers, self._listener):
            each.pipe.send(schedule)
        _sleep_until(schedule.start)
        before = self._usages()
        if self._proxy is not None and plan.outage_s:
            _sleep_until(schedule.start + (plan.seconds - plan.outage_s) * NS // 2)
            self._say(f"All links are cut for {plan.outage_s} s.")
            self._proxy.pipe.send(Cut(plan.outage_s))
        _sleep_until(schedule.end)
        self._used = {name: usage.since(before[name]) for name, usage in self._usages().items()}
        self._say("Play is over.")
        self._played = [worker.received(Played, _DRAIN_S) for worker in self._workers]
        self._drain()
        self._listener.pipe.send(EndProcess())
        self._heard = self._listener.received(Heard, _DRAIN_S)

    def measured(self) -> dict[str, Any]:
        """Return the figures."""
        return result(
            self._plan,
            [(table.link.device, table.journal) for table in self._tables],
            self._played,
            self._heard,
            self._used,
            folder=self._folder,
            store=self._store,
        )

    def _drain(self) -> None:
        """Wait until the listener holds as many rows as the journals have, or no longer gets more."""
        expected = sum(rows_in(table.journal) for table in self._tables)
        deadline = time.monotonic() + _DRAIN_S
        while self._held() < expected and time.monotonic() < deadline:
            time.sleep(_LOOK_S)

    def _held(self) -> int:
        with reading_store(self._store) as store:
            return sum(1 for name in store.devices() for each in store.epochs(name) for _ in store.rows(name, each.epoch))

    def _usages(self) -> dict[str, Usage]:
        return {"broker": usage_of(self._broker.pid), "listener": usage_of(self._listener.pid), "link": usage_of(self._link_process.pid)}

    def _started_proxy(self) -> SimulationProcess:
        least, most = self._plan.delay_ms or (0, 0)
        return self._process(forward, ProxyPlan(self._broker.host, self._broker.port, (least / 1000, most / 1000)))

    def _link(self, clock: HallMember, port: int) -> LinkPlan:
        # The path of a local socket has at most 107 characters.
        return plan_of(clock.id, clock.identity, self._broker.host, port, clock.folder / "s")

    def _samples(self, number: int) -> Path:
        return self._folder / f"samples-{number}"

    @property
    def _store(self) -> Path:
        return self._folder / "hall.db"

    def _process(self, target: Callable[..., None], *arguments: object) -> SimulationProcess:
        return self._stack.enter_context(started(target, *arguments))


class SimulationProcess:
    """A process of the simulation, and the pipe to it."""

    def __init__(self, process: BaseProcess, pipe: Pipe) -> None:
        self._process, self.pipe = process, pipe

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid or 0

    def received(self, kind: type[T], patience_s: float) -> T:
        """Return the next message, which has to be of that kind.

        Raises:
            SimulationError: it does not come.
        """
        try:
            message = self.pipe.recv() if self.pipe.poll(patience_s) else None
        except EOFError:
            message = None
        if not isinstance(message, kind):
            found = "that it ended; see above" if not self._process.is_alive() else f"nothing in {patience_s:.0f} s"
            raise SimulationError(where=self._process.name, expected=f"that it goes on ({kind.__name__})", found=found)
        return message


def _quietly(target: Callable[..., None], *arguments: object) -> None:
    """Run a process's function without the log of its hundred tables; tracebacks stay."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    target(*arguments)


@contextmanager
def started(target: Callable[..., None], *arguments: object) -> Iterator[SimulationProcess]:
    """Run a function in a process of its own, with a pipe to it as its last argument; it ends with the block."""
    # Not forked: this process may have threads.
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_quietly, args=(target, *arguments, theirs), name=target.__name__, daemon=True)
    process.start()
    theirs.close()
    try:
        yield SimulationProcess(process, ours)
    finally:
        try:
            ours.send(EndProcess())
            process.join(10.0)
        except OSError:
            # It has ended already.
            pass
        process.kill()
        process.join()


@contextmanager
def _link_process(plan: LinkPlan, byte_code: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Run one link as it runs beside a clock, to see what it needs: with byte code, which packages bring and a working copy may lack."""
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(byte_code)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    # Compiling leaves 5 MB in the process that does it.
    subprocess.run([sys.executable, "-c", "import hall.link.__main__"], env=environment, check=True)
    words = [sys.executable, "-m", "hall.link", plan.to_json()]
    with subprocess.Popen(words, env=environment, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:  # noqa: S603 - our own module
        try:
            yield process
        finally:
            process.kill()


def plan_of(name: str, identity: Identity, host_name: str, port: int, socket: Path = Path()) -> LinkPlan:
    """Return the plan of a connection with the broker of a hall for trials."""
    return LinkPlan(TRIAL, host_name, port, identity.ca, identity.certificate, identity.key, name, socket)


def _sleep_until(at: int) -> None:
    time.sleep(max(0, at - time.monotonic_ns()) / NS)


def simulate_in_words(folder: Path | None, *, as_json: bool, **parameters: Any) -> int:
    """Simulate in ``folder`` (None: in memory, deleted at the end) and print what was measured.

    Returns:
        1 if a row was lost or written twice, else 0.

    Raises:
        SimulationError: there are files in the folder.
    """
    plan = SimulationPlan(**parameters)
    if plan.outage_s > plan.seconds:
        raise click.UsageError(f"expected an outage of at most {plan.seconds} s, found {plan.outage_s}.")
    say = partial(click.echo, err=True)
    if folder is None:
        memory = Path("/dev/shm")  # noqa: S108 - a folder of its own is made in it
        with tempfile.TemporaryDirectory(prefix="tilehall-", dir=memory if memory.is_dir() else None) as made:
            found = simulate(plan, Path(made), say)
    else:
        if folder.exists() and any(folder.iterdir()):
            raise SimulationError(where=folder, expected="an empty or new folder", found="files", remedy="Name another one")
        folder.mkdir(parents=True, exist_ok=True)
        found = simulate(plan, folder, say)
    for line in [json.dumps(found)] if as_json else in_words(found):
        click.echo(line)
    return int(bool(found["lost"] or found["doubled"]))
