"""Inputs of the loop besides touches and keys: from librarian, pins, errands and signals, in one queue."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from appliance.checks.voltage import Power
from game.challenge_log.entry import Entry
from hardware.buttons.edge import Edge
from kiosk.events import Event
from kiosk.lexicons.librarian import Fetched


@dataclass(frozen=True, slots=True)
class EndProgram:
    """End the program normally."""

    why: str


@dataclass(frozen=True, slots=True)
class Reported:
    """The result of an errand."""

    event: Event
    entry: Entry | None = None
    """Its row for the log; only the loop's thread writes there."""


@dataclass(frozen=True, slots=True)
class SignatureMade:
    """The station's key has signed the head at a row of the log."""

    row: int
    body: str
    """JSON, for a row of its own."""


Input: TypeAlias = Event | Edge | Fetched | Reported | SignatureMade | EndProgram | Power
