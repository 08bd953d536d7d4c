"""What comes to the loop beside touches and keys: from the librarian, the pins, the errands, the signals. One queue for all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from appliance.checks.voltage import Power
from hardware.buttons.edge import Edge
from kiosk.challenge.entry import Entry
from kiosk.events import Event
from kiosk.lexicons.librarian import Fetched


@dataclass(frozen=True, slots=True)
class Quit:
    """The program is to end, in good order."""

    why: str


@dataclass(frozen=True, slots=True)
class Reported:
    """What an errand came back with."""

    event: Event
    entry: Entry | None = None
    """Its row for the log, which only the loop's own thread writes."""


Input: TypeAlias = Event | Edge | Fetched | Reported | Quit | Power
