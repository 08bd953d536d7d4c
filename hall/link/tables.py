"""For a station's link: which clock stands at which table. Pure."""

from __future__ import annotations

import json
from typing import Final

MOST_DEVICES: Final = 2_000
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

    def take(self, device: str, payload: str) -> None:
        """Take a device's ``up``."""
        self._clocks.pop(device, None)
        table = _table_of(payload)
        if table is not None and len(self._clocks) < MOST_DEVICES:
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
