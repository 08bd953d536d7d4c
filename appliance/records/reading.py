"""Reading a file of record without touching it: while its program writes to it, or long after."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from appliance.records.files import is_closed, is_strange, no_file
from appliance.records.sqlite import Schema, open_read_only
from appliance.records.trouble import why


@dataclass(frozen=True, slots=True)
class Refusals:
    """Which of its program's own errors each refusal is; all but the first take the sentence."""

    missing: Callable[[Path], Exception]
    damaged: Callable[[str], Exception]
    unusable: Callable[[str], Exception]
    """It may be sound, and cannot be read here and now, or by this version; or it is somebody else's file."""


@contextmanager
def reading(path: Path, schema: Schema, refusals: Refusals) -> Iterator[sqlite3.Connection]:
    """Give a read-only connection to the file at ``path``, in one consistent state, and close it afterwards.

    Raises:
        Exception: one of ``refusals``.
    """
    connection = _opened(path, schema, refusals)
    try:
        _require(connection, path, schema, refusals)
        yield connection
    except sqlite3.Error as error:
        raise refusals.damaged(f"{path}: expected {schema.kind} of Tileclock; it cannot be read ({error}).") from error
    finally:
        connection.close()


def _opened(path: Path, schema: Schema, refusals: Refusals) -> sqlite3.Connection:
    unfit = _unfit(path, schema, refusals)
    if unfit is not None:
        raise refusals.unusable(f"{path}: expected {schema.kind}; {unfit}.")
    try:
        return open_read_only(path)
    except sqlite3.OperationalError as error:
        raise refusals.unusable(f"{path}: expected {schema.kind}; {why(error)}.") from error
    except sqlite3.Error as error:
        raise refusals.damaged(f"{path}: expected {schema.kind} of Tileclock; {error}.") from error


def _unfit(path: Path, schema: Schema, refusals: Refusals) -> str | None:
    """Return why what stands at ``path`` can be no file of record, or not for us; a path that cannot be looked at (a vanished disk) is refused."""
    try:
        if is_closed(path):
            return "you have no permission to read it. Ask again with sudo"
        unfit = no_file(path) or _strange(path, schema)
    except OSError as error:
        raise refusals.unusable(f"{path}: expected {schema.kind}; {why(error)}.") from error
    if not path.exists():
        raise refusals.missing(path)
    return unfit


def _strange(path: Path, schema: Schema) -> str | None:
    # Read by SQLite it would be a damaged one; and beside a database of another program's nothing is to be left.
    return "it is another kind of file, or another program's. Check the path" if is_strange(path, schema.application_id) else None


def _require(connection: sqlite3.Connection, path: Path, schema: Schema, refusals: Refusals) -> None:
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if (application, version) != (schema.application_id, schema.version):
        if path.stat().st_size == 0:
            raise refusals.damaged(f"{path}: expected {schema.kind} of Tileclock; it is empty.")
        found = "another program's database" if application != schema.application_id else f"version {version}"
        raise refusals.unusable(
            f"{path}: expected {schema.kind} of version {schema.version}, found {found}. Read it with the program that wrote it."
        )
