"""Check for a place in memory that survives a crash of the program."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from appliance.checks.finding import Finding, note, ok
from appliance.crash.folder import crash_folder
from appliance.errors import NoCrashFolder
from firmware.shell.crash import PROGRAM


def check_crash_folder(environment: Mapping[str, str]) -> Iterator[Finding]:
    """Yield where a clock started like this program would put its crash record."""
    try:
        folder = crash_folder(PROGRAM, environment)
    except NoCrashFolder as error:
        yield note("crash record", f"there is no folder for it: a crash of the program loses as much as a power cut ({error})")
    else:
        yield ok("crash record", f"in {folder}: a crash of the program loses no time and no row")
