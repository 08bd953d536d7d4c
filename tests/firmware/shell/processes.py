"""The clock as a program of its own, its journal looked into meanwhile."""

import sys
from functools import partial
from pathlib import Path

from game.journal.row import JournalError, Kind, decode
from tests import processes
from tests.firmware.shell.rig import rows_in

TILECLOCK = (str(Path(sys.executable).with_name("tileclock")),)
running = partial(processes.running, TILECLOCK)
ready = partial(processes.ready, (*TILECLOCK, "run", "--pins", "mock", "--screen", "none"))


def said_in(path: Path) -> list[str]:
    """Return what the journal's events say: name, side and reason."""
    try:
        bodies = [decode(kept.row.body) for kept in rows_in(path) if kept.row.kind == Kind.EVENT]
    except JournalError:
        return []
    return [" ".join(str(body[key]) for key in ("do", "side", "reason") if key in body) for body in bodies]
