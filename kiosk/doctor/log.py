"""Check the log: its folder is writable, and its rows are intact. It is only read; the station may be running."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryFile

from appliance.checks.finding import Finding, counted, error_finding, fail, note, ok
from appliance.records.chain import short
from appliance.records.files import is_missing
from appliance.records.io_errors import describe_io_error
from faults.errors import Phrase, as_phrase
from game.challenge_log.reading import reading, verify
from game.challenge_log.row import DamagedLog, LogError

ROOM = 16 << 20
"""The minimum of free bytes: a day of challenges needs far less; SQLite's files beside the log take some 4 MB, written twice."""


def check_log(path: Path) -> Iterator[Finding]:
    """Yield findings about the log at ``path``; neither it nor its folder need exist."""
    yield _folder(path)
    if is_missing(path):
        yield note("log", Phrase("there is none at {path}: the first row creates it", path=path))
        return
    try:
        with reading(path) as connection:
            found = verify(connection)
    except DamagedLog as error:
        yield fail(
            "log", error.problem, "Start the station: it renames a damaged log and begins a new one. Keep the old file for the director."
        )
        return
    except LogError as error:
        yield error_finding("log", error, "Name another file with --log")
        return
    if found.fault is not None:
        yield fail(
            "log",
            Phrase("{path}: {fault}", path=path, fault=found.fault.meaning),
            "Keep the file for the director: `tilekiosk log list` shows its readable rows.",
        )
        return
    yield ok(
        "log",
        Phrase(
            "{path}: {rows}, whole; the hash of the last begins {hash}", path=path, rows=counted(found.rows, "row"), hash=short(found.head)
        ),
    )


def _folder(path: Path) -> Finding:
    # The root exists. A folder that may not be examined is not writable either, so its parent is tried.
    folder = next(each for each in path.absolute().parents if os.path.exists(each))  # noqa: PTH110 - Path.exists raises without permission to look
    try:
        with TemporaryFile(dir=folder) as file:
            file.write(b"\0" * 4096)
            file.flush()
            os.fsync(file.fileno())
        room = os.statvfs(folder)
    except OSError as error:
        why = describe_io_error(error)
        return fail(
            "log folder",
            Phrase("{folder} cannot be written to: {why}", folder=folder, why=as_phrase(why.problem)),
            Phrase("{remedy}, or choose another place with --log.", remedy=as_phrase(why.remedy)),
        )
    free = room.f_bavail * room.f_frsize
    if free < ROOM:
        return fail(
            "log folder",
            Phrase("{folder}: {free} MiB are free", folder=folder, free=free >> 20),
            "Make room on that disk, or choose another place with --log.",
        )
    return ok("log folder", Phrase("{folder} can be written to", folder=folder))
