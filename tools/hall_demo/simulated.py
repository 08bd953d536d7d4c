"""A hall of simulated tables with the desk in front of it: a director tries some rounds in a browser, without a device."""

import socket
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from random import Random
from typing import Final

from sqlalchemy import create_engine
from sqlalchemy.exc import SQLAlchemyError

from hall.desk.store import CallKey, DeskStore
from rules.duration import NS
from tools.hall_demo.programs import DIRECTOR, ChildProgram, add_director, desk_store_of, desk_words, exit_on_signals, running
from tools.simulate.plan import Schedule, TablePlan
from tools.simulate.run import SimulationProcess, plan_of, started
from tools.simulate.worker import DirectorComes, Linked, host
from tools.trial_broker import LOOPBACK, TRIAL, Broker, CompleteHall, complete_hall, free_port, running_broker

_LINK_S: Final = 300.0
_LOOK_S: Final = 0.5
_HOURS: Final = 4
_SEED: Final = 1
_ROUNDS: Final = 3
_CALLS: Final = 10
"""At one of so many tables the players call the director in each round, at one at least."""
_FIRST: Final = ("Ann", "Bo", "Cécile", "Dmitri", "Eve", "Fatou", "Gil", "Hanna", "Ian", "Jo", "Kim", "Lars", "Mia", "Noor", "Olga", "Paul")
_LAST: Final = ("Abel", "Brown", "Castro", "Dubois", "Evans", "Fischer", "García", "Hughes", "Ito", "Jensen", "Kaya", "Lund", "Meyer")


def play(tables: int, say: Callable[[str], None], turn_s: float = 8.0, turns: int = 30) -> None:
    """Run the hall until a signal comes. Nothing of it stays.

    Args:
        tables: how many.
        say: takes each line for the one who tries it.
        turn_s: how long a turn lasts on average; with ``turns`` of them a game lasts four to seven minutes.
        turns: how many turns there are before a player goes out.

    Raises:
        TileclockError: a part of it does not start.
    """
    with ExitStack() as stack:
        stack.enter_context(exit_on_signals())
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="tilehall-demo-")))
        say(f"A hall of {tables} tables starts.")
        hall = complete_hall(folder / "hall", clocks=tables, stations=0)
        broker = stack.enter_context(running_broker(folder / "broker", hall.files))
        password, port = add_director(hall, folder), free_port()
        desk = stack.enter_context(running(desk_words(hall, broker, folder, port), folder / "desk.log"))
        plans = tuple(_table(hall, broker, number, turns) for number in range(tables))
        players = stack.enter_context(started(host, plans, folder / "samples", _SEED))
        players.received(Linked, _LINK_S)
        players.pipe.send(Schedule(time.monotonic_ns() + NS, _HOURS * 3600, turn_s, _SEED))
        files = _write_files(folder, tables)
        _until_open(desk, port)
        say(f"The desk: http://{LOOPBACK}:{port}/login. Log in as {DIRECTOR} with the password {password}.")
        say(f"To import on the page Event: {files[0]} and {files[1]}.")
        say(
            "The players of a table begin when you have sent their names (page Names), and play for four to seven minutes. "
            f"There are {_ROUNDS} rounds. To end, press Ctrl+C."
        )
        _wait(desk, broker, _Director(desk_store_of(folder), players))


def _table(hall: CompleteHall, broker: Broker, number: int, turns: int) -> TablePlan:
    clock, tables = hall.clocks[number], len(hall.clocks)
    link = plan_of(clock.id, clock.identity, broker.host, broker.port, clock.folder / "s")
    calls = frozenset(game for game in range(_ROUNDS) if number in _calling(game, tables))
    return TablePlan(number, clock.folder, link, turns=turns, calls=calls)


def _calling(game: int, tables: int) -> list[int]:
    """Return the tables whose players call the director in their game of that number."""
    return Random(_SEED + game).sample(range(tables), max(1, tables // _CALLS))  # noqa: S311 - players, not secrets


def _write_files(folder: Path, tables: int) -> tuple[Path, Path]:
    """Write the organisers' files: two players for each table, and who meets whom in each round."""
    players, pairings = folder / "players.csv", folder / "pairings.csv"
    count = 2 * tables
    names = [f"{_FIRST[number % len(_FIRST)]} {_LAST[(number // len(_FIRST) + number) % len(_LAST)]}" for number in range(count)]
    players.write_text("\n".join(["name", *_distinct(names)]) + "\n", encoding="utf-8")
    lines = (
        f"{number},{first},{second},{table}"
        for number in range(1, _ROUNDS + 1)
        for table, (first, second) in enumerate(_pairs(count, number), 1)
    )
    pairings.write_text("\n".join(["round,player1,player2,table", *lines]) + "\n", encoding="utf-8")
    return players, pairings


def _pairs(count: int, number: int) -> list[tuple[int, int]]:
    """Return the pairs of a round: player 1 stays, the others move up one place in each round, so that no two players meet twice."""
    moved = [(place - number) % (count - 1) + 2 for place in range(count - 1)]
    circle = [1, *moved]
    return [(circle[place], circle[-1 - place]) for place in range(count // 2)]


def _distinct(names: list[str]) -> list[str]:
    return [name if names.index(name) == place else f"{name} {place + 1}" for place, name in enumerate(names)]


class _Director:
    """Goes to the calls to which somebody at the desk has said to be on the way."""

    def __init__(self, store: Path, players: SimulationProcess) -> None:
        # Only read: the desk makes its tables.
        self._takers = DeskStore(create_engine(f"sqlite:///{store.as_uri()}?mode=ro&uri=true"), TRIAL, "")
        self._players = players
        self._known: frozenset[CallKey] = frozenset()

    def look(self) -> None:
        """Go to the calls that somebody has taken since; not to those that were given back."""
        try:
            taken = frozenset(self._takers.call_takers())
        except SQLAlchemyError:
            # The desk is only starting.
            return
        for calls, comes in ((taken - self._known, True), (self._known - taken, False)):
            if calls:
                self._players.pipe.send(DirectorComes(frozenset(call.device for call in calls), comes))
        self._known = taken


def _until_open(desk: ChildProgram, port: int) -> None:
    """Wait until the desk serves its pages: whoever reads the address may open it at once."""
    while True:
        desk.require_well()
        with suppress(ConnectionRefusedError), socket.create_connection((LOOPBACK, port)):
            return
        time.sleep(_LOOK_S)


def _wait(desk: ChildProgram, broker: Broker, director: _Director) -> None:
    while desk.process.poll() is None:
        if not broker.runs:
            broker.restart()
        director.look()
        time.sleep(_LOOK_S)
    desk.require_well()
