"""Make a journal's stamp from the machine's clocks."""

from __future__ import annotations

from appliance.clocks import Clocks
from firmware.journal.row import Stamp


def stamped(clocks: Clocks, at: int, mono: int) -> Stamp:
    """Return the stamp of a game's instant ``at`` and the machine's ``mono`` (both ns)."""
    return Stamp(at, mono, clocks.boot(), clocks.wall())
