"""Reading a file of record without touching it: while its program writes to it, or long after."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from appliance.errors import Diagnosis, DiskError, TileclockError, reason
from appliance.phrase import Phrase, as_phrase
from appliance.records.files import is_closed, is_strange, require_file
from appliance.records.io_errors import describe_io_error
from appliance.records.sqlite import Schema, open_read_only


class _Refusal(Protocol):
    """A class of errors, or what makes one."""

    def __call__(self, *, expected: str, found: str, remedy: str, where: object) -> TileclockError:
        """Return the error."""
        ...


@dataclass(frozen=True, slots=True)
class Refusals:
    """Which of its program's own errors each refusal is."""

    missing: _Refusal
    damaged: _Refusal
    unusable: _Refusal
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
        raise _refused(refusals.damaged, path, schema, Diagnosis(Phrase("it cannot be read ({error})", error=str(error)))) from error
    finally:
        connection.close()


def _opened(path: Path, schema: Schema, refusals: Refusals) -> sqlite3.Connection:
    _require_fit(path, schema, refusals)
    try:
        return open_read_only(path)
    except sqlite3.OperationalError as error:
        raise _refused(refusals.unusable, path, schema, describe_io_error(error)) from error
    except sqlite3.Error as error:
        raise _refused(refusals.damaged, path, schema, Diagnosis(Phrase("it cannot be read ({error})", error=str(error)))) from error


def _require_fit(path: Path, schema: Schema, refusals: Refusals) -> None:
    """Refuse what can be no file of record, or is not for us; and a path that cannot be looked at (a vanished disk)."""
    try:
        if is_closed(path):
            raise _refused(refusals.unusable, path, schema, Diagnosis("you have no permission to read it", "Ask again with sudo"))
        require_file(path, schema.kind)
        # Read by SQLite it would be a damaged one; and beside a database of another program's nothing is to be left.
        strange, missing = is_strange(path, schema.application_id), not path.exists()
    except DiskError as error:
        raise _refused(refusals.unusable, path, schema, describe_io_error(error)) from error
    except OSError as error:
        raise refusals.unusable(where=path, expected=schema.kind, found=reason(error), remedy=describe_io_error(error).remedy) from error
    if strange:
        found = Diagnosis("it is another kind of file, or another program's", "Check the path")
        raise _refused(refusals.unusable, path, schema, found)
    if missing:
        raise refusals.missing(where=path, expected=schema.kind, found="no such file", remedy="Check the path")


def _require(connection: sqlite3.Connection, path: Path, schema: Schema, refusals: Refusals) -> None:
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if (application, version) == (schema.application_id, schema.version):
        return
    if path.stat().st_size == 0:
        raise _refused(refusals.damaged, path, schema, Diagnosis("it is empty"))
    raise refusals.unusable(
        where=path,
        expected=Phrase("{kind} of version {version}", kind=as_phrase(schema.kind), version=schema.version),
        found="another program's database" if application != schema.application_id else Phrase("version {version}", version=version),
        remedy="Read it with the program that wrote it",
    )


def _refused(refusal: _Refusal, path: Path, schema: Schema, diagnosis: Diagnosis) -> TileclockError:
    return refusal(
        where=path, expected=schema.kind, found=Phrase("that {clause}", clause=as_phrase(diagnosis.problem)), remedy=diagnosis.remedy
    )
