"""What a simulation does, and where its parts are."""

import os
from itertools import pairwise
from pathlib import Path
from typing import Final

from msgspec import Struct

from hall.link.connection import LinkPlan
from rules.duration import NS

_TABLES_A_PROCESS: Final = 100
"""More tables than this in one process would wait for each other: it uses one core."""

SAMPLES_A_SECOND: Final = 50
"""Readings are taken in so many groups of tables, so that taking them delays no message."""


class SimulationPlan(Struct, frozen=True):
    """The parameters."""

    tables: int
    seconds: int
    outage_s: int = 0
    """How long all links are cut in the middle; 0: they are not."""
    delay_ms: tuple[int, int] | None = None
    """The random delay of each way, least and most; None: no proxy delays anything."""
    press_s: float = 20.0
    """How long a turn takes on average."""
    seed: int = 1

    @property
    def needs_proxy(self) -> bool:
        """Whether the links go through a proxy."""
        return self.outage_s > 0 or self.delay_ms is not None

    @property
    def processes(self) -> int:
        """How many processes host the tables."""
        return max(1, min((os.cpu_count() or 1) * 2, -(-self.tables // _TABLES_A_PROCESS)))

    def shares(self) -> list[range]:
        """Return the tables of each process."""
        count = self.processes
        bounds = [self.tables * number // count for number in range(count + 1)]
        return [range(first, last) for first, last in pairwise(bounds)]


class TablePlan(Struct, frozen=True):
    """One table: its files, its link."""

    number: int
    """From 0 on."""
    folder: Path
    link: LinkPlan
    hosted: bool = True
    """Its link runs in the process of the tables; else it is a process of its own, which is measured."""
    turns: int | None = None
    """A demonstration: the players sit down when the clock has their names, and one of them goes out after so many turns. None: they play without end."""
    calls: frozenset[int] = frozenset()
    """A demonstration: in which of the table's games the players call the director; 0 is the first."""

    @property
    def journal(self) -> Path:
        """The journal."""
        return self.folder / "journal.db"

    @property
    def key(self) -> Path:
        """The clock's own key."""
        return self.folder / "device.pem"

    @property
    def trust(self) -> Path:
        """What the clock keeps of its enrolment."""
        return self.folder / "hall.toml"


class Schedule(Struct, frozen=True):
    """When the tables play; instants in ns of CLOCK_MONOTONIC."""

    start: int
    seconds: int
    press_s: float
    seed: int

    @property
    def end(self) -> int:
        """When the players stop."""
        return self.start + self.seconds * NS

    def sample(self, turn: int) -> int:
        """Return the instant of a sample: each table has one a second, ``SAMPLES_A_SECOND`` groups of them take turns."""
        return self.start + (turn + 1) * NS // SAMPLES_A_SECOND

    @property
    def samples(self) -> int:
        """How many samples there are."""
        return self.seconds * SAMPLES_A_SECOND
