"""From the machine's clocks to a journal's stamp."""

from __future__ import annotations

from firmware.journal.row import Stamp
from hardware.clocks import Clocks


def stamped(clocks: Clocks, at: int, mono: int) -> Stamp:
    """Return the stamp of a game's instant ``at`` and the machine's ``mono`` (both ns)."""
    return Stamp(at, mono, clocks.boot(), clocks.wall())
