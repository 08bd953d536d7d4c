"""For a station's link: which clock stands at which table, and the clock of the table that its players have given, heard for as long as it stands there."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Final

from hall.link.connection import BrokerConnection
from wire.topics import Topics

MAX_DEVICES: Final = 2_000
"""More than a hall has (docs/spec/wire.md, "Limits")."""
UNKNOWN: Final = "unknown"
AMBIGUOUS: Final = "ambiguous"


class Tables:
    """The clocks that are connected, by what they say of themselves."""

    def __init__(self) -> None:
        self._clocks: dict[str, tuple[int, str]] = {}
        """The table of each, and its whole ``up``."""

    def forget(self) -> None:
        """Begin anew: the broker sends each ``up`` again."""
        self._clocks.clear()

    def receive(self, device: str, payload: str) -> None:
        """Take a device's ``up``."""
        self._clocks.pop(device, None)
        table = _table_of(payload)
        if table is not None and len(self._clocks) < MAX_DEVICES:
            self._clocks[device] = table, payload

    def clock_at(self, table: int) -> str:
        """Return the id of the clock at ``table``; ``UNKNOWN``: there is none; ``AMBIGUOUS``: there are several."""
        found = [device for device, (at, _) in self._clocks.items() if at == table]
        return found[0] if len(found) == 1 else AMBIGUOUS if found else UNKNOWN

    def presence(self, device: str) -> str:
        """Return the last ``up`` of a clock that ``clock_at`` has found."""
        return self._clocks[device][1]


def _table_of(payload: str) -> int | None:
    """Return the table of a clock that is connected; None: anything else."""
    try:
        up = json.loads(payload)
        table = up["table"] if up["up"] is True and up["kind"] == "clock" else None
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return table if type(table) is int else None


_FOLLOWED: Final = ("state", "beat", "ack/+")
"""What a station hears from that clock, beside ``up``."""


class TableInFocus:
    """Follows one table's clock; ``forward`` passes a packet to the station."""

    def __init__(self, topics: Topics, connection: BrokerConnection, forward: Callable[[Mapping[str, Any]], None]) -> None:
        self._topics, self._connection, self._forward = topics, connection, forward
        self._tables = Tables()
        self._table: int | None = None
        self._found: str | None = None
        """What the station has heard of its table: a clock, ``UNKNOWN`` or ``AMBIGUOUS``."""
        self._followed: str | None = None

    def connected(self) -> None:
        """Begin with a new connection: the broker sends each ``up`` again."""
        self._tables.forget()
        self._found = self._followed = None
        self._connection.subscribe(self._topics.of_device("+", "up"))

    def look_at(self, table: Any) -> None:
        """Take the table that the players have given; None: none."""
        self._table, self._found = (table if type(table) is int else None), None
        self._follow()

    def hear(self, device: str, what: str, text: str, may_pass: Callable[[], bool]) -> bool:
        """Take what a device has reported; False: it is not followed, or ``may_pass`` forbids to pass this on."""
        if what == "up":
            self._take_presence(device, text)
            return True
        if device != self._followed or not may_pass():
            return False
        # The station knows answers by what they answer, not by their topic.
        self._pass_on(device, what.partition("/")[0], text)
        return True

    def _take_presence(self, device: str, text: str) -> None:
        self._tables.receive(device, text)
        before = self._followed
        self._follow()
        if device == before == self._followed:
            self._pass_on(device, "up", text)

    def _pass_on(self, device: str | None, what: str, payload: str) -> None:
        self._forward({"t": "heard", "device": device, "what": what, "payload": payload})

    def _follow(self) -> None:
        """Follow the clock of the table in focus; tell the station where there is none."""
        found = None if self._table is None else self._tables.clock_at(self._table)
        if found == self._found:
            return
        if self._followed is not None:
            self._connection.unsubscribe(*self._topics_of(self._followed))
        self._found = found
        self._followed = None if found in (None, UNKNOWN, AMBIGUOUS) else found
        if self._followed is not None:
            self._pass_on(self._followed, "up", self._tables.presence(self._followed))
            self._connection.subscribe(*self._topics_of(self._followed))
        elif found is not None:
            self._pass_on(None, found, "")

    def _topics_of(self, clock: str) -> tuple[str, ...]:
        return tuple(self._topics.of_device(clock, what) for what in _FOLLOWED)
