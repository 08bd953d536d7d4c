"""A hall of simulated tables with the desk in front of it: a director tries a whole round in a browser, without a device."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from hall.broker.complete import CompleteHall, complete_hall
from hall.broker.run import LOOPBACK, Broker, free_port, running_broker
from hall.demo.children import ChildProgram, exit_on_signals, running
from hall.demo.programs import DIRECTOR, add_director, desk_words
from hall.simulate.plan import Schedule, TablePlan
from hall.simulate.run import plan_of, started
from hall.simulate.worker import Linked, host
from rules.duration import NS

_LINK_S: Final = 300.0
_LOOK_S: Final = 0.5
_HOURS: Final = 4
_TURN_S: Final = 8.0
_TURNS: Final = 30
"""A game lasts about four minutes."""
_FIRST: Final = ("Ann", "Bo", "Cécile", "Dmitri", "Eve", "Fatou", "Gil", "Hanna", "Ian", "Jo", "Kim", "Lars", "Mia", "Noor", "Olga", "Paul")
_LAST: Final = ("Abel", "Brown", "Castro", "Dubois", "Evans", "Fischer", "García", "Hughes", "Ito", "Jensen", "Kaya", "Lund", "Meyer")


def play(tables: int, say: Callable[[str], None]) -> None:
    """Run the hall until a signal comes. Nothing of it stays.

    Args:
        tables: how many.
        say: takes each line for the one who tries it.

    Raises:
        TileclockError: a part of it does not start.
    """
    with ExitStack() as stack:
        stack.enter_context(exit_on_signals())
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="tilehall-demo-")))
        say(f"A hall of {tables} tables starts.")
        hall = complete_hall(folder / "hall", clocks=tables, stations=0)
        broker = stack.enter_context(running_broker(folder / "broker", hall.plan))
        password, port = add_director(hall, folder), free_port()
        desk = stack.enter_context(running(desk_words(hall, broker, folder, port), folder / "desk.log"))
        plans = tuple(_table(hall, broker, number) for number in range(tables))
        players = stack.enter_context(started(host, plans, folder / "samples", 1))
        players.received(Linked, _LINK_S)
        players.pipe.send(Schedule(time.monotonic_ns() + NS, _HOURS * 3600, _TURN_S, 1))
        files = _write_files(folder, tables)
        say(f"The desk: http://{LOOPBACK}:{port}/login. Log in as {DIRECTOR} with the password {password}.")
        say(f"To import on the page Event: {files[0]} and {files[1]}.")
        say(
            "The players of a table begin when you have sent their names (page Names), and play for about four minutes. To end, press Ctrl+C."
        )
        _wait(desk, broker)


def _table(hall: CompleteHall, broker: Broker, number: int) -> TablePlan:
    clock = hall.clocks[number]
    return TablePlan(number, clock.folder, plan_of(clock.id, clock.identity, broker.host, broker.port, clock.folder / "s"), turns=_TURNS)


def _write_files(folder: Path, tables: int) -> tuple[Path, Path]:
    """Write a round of organisers' files: two players for each table."""
    players, pairings = folder / "players.csv", folder / "round-1.csv"
    names = [f"{_FIRST[number % len(_FIRST)]} {_LAST[(number // len(_FIRST) + number) % len(_LAST)]}" for number in range(2 * tables)]
    players.write_text("\n".join(["name", *_distinct(names)]) + "\n", encoding="utf-8")
    lines = (f"1,{2 * table - 1},{2 * table},{table}" for table in range(1, tables + 1))
    pairings.write_text("\n".join(["round,player1,player2,table", *lines]) + "\n", encoding="utf-8")
    return players, pairings


def _distinct(names: list[str]) -> list[str]:
    return [name if names.index(name) == place else f"{name} {place + 1}" for place, name in enumerate(names)]


def _wait(desk: ChildProgram, broker: Broker) -> None:
    while desk.process.poll() is None:
        if not broker.runs:
            broker.restart()
        time.sleep(_LOOK_S)
    desk.require_well()
