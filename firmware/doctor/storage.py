"""Check where the clock keeps its games: the journal's disk, the journal itself, and the place in memory that survives a crash of the program.

The disk is to be writable, with free space, and commit in time. The journal is only read. The timed commits go to a temporary journal in a folder beside it. The firmware reports only the present voltage, and a
supply is weak under load: the journal knows of the last day.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from appliance.crash.record import crash_folder
from appliance.errors import NoCrashFolder, NotOurs
from appliance.finding import Finding, counted, error_finding, fail, note, ok
from appliance.records.chain import short
from appliance.records.files import SIDECARS, beside
from appliance.records.sqlite import describe_io_error, is_full
from appliance.voltage import REMEDY
from faults.errors import TileclockError
from firmware.journal.memory import PROGRAM
from firmware.journal.store import Store, fault_of
from firmware.shell.clock import TOO_WEAK
from game.journal.reading import notes_since, reading, verify
from game.journal.row import GameStamp, JournalError, Kind, Row, decode
from rules.contact import MS
from rules.duration import NS

COMMITS: Final = 12
MIB: Final = 1 << 20
ROOM: Final = 16 * MIB
"""Less free space is a failure: the journal's WAL alone may grow to 4 MiB (``journal_size_limit``) and is written twice."""
AMPLE: Final = 256 * MIB
SLOW_NS: Final = 200 * MS
TOO_SLOW_NS: Final = NS
"""A mark is due each second and must be durable before the next."""


def check_disk(path: Path, now: Callable[[], int], free: Callable[[Path], int] | None = None) -> Iterator[Finding]:
    """Yield findings about the disk of the journal at ``path``.

    Args:
        path: the journal's file; neither it nor its folder need exist.
        now: the monotonic clock, ns.
        free: returns the free bytes of a folder.
    """
    folder = next(each for each in path.absolute().parents if each.exists())
    try:
        _require_writable(path)
        commits = time_commits(folder, now)
    except (OSError, sqlite3.Error) as error:
        why = describe_io_error(error)
        fix = _how_to_free_space(path) if is_full(error) else f"{why.remedy}, or choose another place with --journal."
        yield fail("journal folder", f"{folder} cannot be written to: {why.problem}", fix)
    else:
        there = f"{folder} can be written to"
        yield (
            ok("journal folder", there)
            if folder == path.absolute().parent
            else note("journal folder", f"{there}; the rest of {path.parent} is created there")
        )
        yield _speed(commits)
        yield _space((free or _free)(folder), path)


def check_journal(path: Path) -> Iterator[Finding]:
    """Yield whether the journal at ``path`` is intact, from its first row to its last."""
    try:
        fault = fault_of(path)
        if fault is None and not path.exists():
            yield note("journal", f"{path} does not exist yet; the first game creates it")
            return
        if fault is not None:
            copy = "Copy it to a safe place; at the next start the clock renames it and begins a new one."
            yield fail("journal", f"{path}: {fault}", copy)
            return
        with reading(path) as connection:
            verified = verify(connection)
    except JournalError as error:
        yield error_finding("journal", error, "Read it with the program that wrote it, or choose another file with --journal")
    except NotOurs as error:
        yield fail("journal", f"{path}: {error.clause}", f"{error.remedy}, or with --journal.")
    except (OSError, sqlite3.Error) as error:
        why = describe_io_error(error)
        yield fail("journal", f"{path} cannot be read: {why.problem}", f"{why.remedy}, or choose another file with --journal.")
    else:
        if verified.fault is not None:
            repair = "Copy it to a safe place and ask who had access to it: the clock continues with it, but its older games are in doubt."
            yield fail("journal", f"{path}: {verified.fault.meaning}", repair)
        else:
            yield ok("journal", f"{path}: {counted(verified.rows, 'row')}, all intact; the last hash begins with {short(verified.head)}")


def time_commits(folder: Path, now: Callable[[], int]) -> tuple[int, ...]:
    """Return the times (ns) of several commits of one row in ``folder``.

    Raises:
        OSError, sqlite3.Error: the folder is not writable.
    """
    stamp = GameStamp(0, 0, "", "")
    row = Row(Kind.NOTE, 0, None, 0, 0, "", "", "{}")
    took = []
    with tempfile.TemporaryDirectory(prefix=".tileclock-doctor-", dir=folder) as scratch:
        store = Store(Path(scratch) / "trial.db")
        try:
            for _ in range(COMMITS):
                begun = now()
                store.append((row,), stamp)
                took.append(now() - begun)
        finally:
            store.close()
    return tuple(took)


def _require_writable(path: Path) -> None:
    for each in (path, *(beside(path, suffix) for suffix in SIDECARS)):
        if each.exists() and not os.access(each, os.W_OK):
            raise PermissionError(f"{each.name} is there and may not be written to")


def _speed(commits: tuple[int, ...]) -> Finding:
    usual, worst = sorted(commits)[len(commits) // 2], max(commits)
    found = f"a commit takes {_ms(usual)}, the slowest of {len(commits)} took {_ms(worst)}"
    if worst > TOO_SLOW_NS:
        return fail("commits", found, "Use another card or disk, or stop other programs that write to it: a commit must end within 1 s.")
    if worst > SLOW_NS:
        return note("commits", f"{found}: slow; after a power cut that much more is uncertain")
    return ok("commits", found)


def _ms(ns: int) -> str:
    return f"{ns // MS}.{ns % MS * 10 // MS} ms"


def _space(free: int, path: Path) -> Finding:
    found = f"{free // MIB} MiB free"
    if free < ROOM:
        return fail("disk space", found, f"{ROOM // MIB} MiB at least must be free. {_how_to_free_space(path)}")
    return (ok if free >= AMPLE else note)("disk space", found)


def _how_to_free_space(path: Path) -> str:
    """Return how to free space on the journal's disk: the clock never deletes games, not even through its menu."""
    return (
        "Ask the clock's administrator to stop it (`sudo systemctl stop tileclock`), export its games to another disk "
        f"(`sudo tileclock journal export -o FILE --journal {path}`), move {path} and the files {path.name}-* elsewhere, and start it again: "
        "it begins a new journal. Without a shell, do this with the card in another Linux machine."
    )


def _free(folder: Path) -> int:
    return shutil.disk_usage(folder).free


LATELY: Final = timedelta(days=1)


def check_weak_power(path: Path, wall: datetime) -> Iterator[Finding]:
    """Yield a finding if the voltage was too low within the last day.

    Args:
        path: the journal's file.
        wall: now, UTC.
    """
    since, until = ((wall - ago).isoformat(timespec="milliseconds") for ago in (LATELY, timedelta()))
    try:
        with reading(path) as connection:
            weak = [stored.row.wall for stored in notes_since(connection, since) if stored.row.wall <= until and _is_weak(stored.row.body)]
    except (JournalError, TileclockError, OSError, sqlite3.Error):
        # The check of the journal reports its faults.
        return
    if weak:
        last = f"{weak[-1][:16].replace('T', ' ')} UTC"
        yield note(
            "power lately",
            f"the voltage was too low {counted(len(weak), 'time')} in the last 24 hours, most recently {last}, according to the journal. {REMEDY}",
        )


def _is_weak(body: str) -> bool:
    try:
        return decode(body).get("power") == TOO_WEAK
    except ValueError:
        return False


def check_crash_folder(environment: Mapping[str, str]) -> Iterator[Finding]:
    """Yield where a clock started like this program would put its crash record."""
    try:
        folder = crash_folder(PROGRAM, environment)
    except NoCrashFolder as error:
        yield note("crash record", f"there is no folder for it: a crash of the program loses as much as a power cut ({error})")
    else:
        yield ok("crash record", f"in {folder}: a crash of the program loses no time and no row")
