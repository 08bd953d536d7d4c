"""The crash record of a live clock: where it is stored. The clock also runs without one."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from appliance.crash.folder import crash_folder
from appliance.crash.record import CrashRecord
from appliance.errors import NoCrashFolder
from appliance.log import get_logger
from firmware.journal.memory import CrashMemory

PROGRAM: Final = "tileclock"


def crash_record_folder(environment: Mapping[str, str] = os.environ) -> Path | None:
    """Return the folder in memory for crash records; None: there is none, and the log says why."""
    try:
        return crash_folder(PROGRAM, environment)
    except NoCrashFolder as error:
        get_logger().warning("a crash of the program will lose as much as a power cut", why=str(error))
        return None


def open_memory(path: Path) -> CrashMemory | None:
    """Return a writer for the crash record at ``path``; None: it cannot be created, and the log says why."""
    try:
        return CrashMemory(CrashRecord(path), _lost)
    except OSError as error:
        _lost(error)
        return None


def _lost(error: OSError) -> None:
    get_logger().error("given up, the game goes on", what="crash record", why=str(error))
