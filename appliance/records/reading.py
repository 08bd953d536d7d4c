"""Reads a file of record without changing it, while its program writes to it or long after."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from appliance.errors import Diagnosis, DiskError
from appliance.records.files import is_closed, is_foreign, require_file
from appliance.records.io_errors import describe_io_error
from appliance.records.sqlite import Schema, open_read_only
from faults.errors import Phrase, TileclockError, as_phrase, reason


class _Refusal(Protocol):
    """An error class, or a function that makes an error."""

    def __call__(self, *, expected: str, found: str, remedy: str, where: object) -> TileclockError:
        """Return the error."""
        ...


@dataclass(frozen=True, slots=True)
class Refusals:
    """The program's own error for each reason."""

    missing: _Refusal
    damaged: _Refusal
    unusable: _Refusal
    """The file may be sound but is unreadable now or by this version, or it is foreign."""


@contextmanager
def reading(path: Path, schema: Schema, refusals: Refusals) -> Iterator[sqlite3.Connection]:
    """Yield a read-only connection to a consistent state of the file at ``path``.

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
    """Reject a path that is no file of record, is foreign, or cannot be examined (a vanished disk)."""
    try:
        if is_closed(path):
            raise _refused(refusals.unusable, path, schema, Diagnosis("you have no permission to read it", "Run the command with sudo"))
        require_file(path, schema.kind)
        # SQLite would call it damaged, and would create files beside another program's database.
        strange, missing = is_foreign(path, schema.application_id), not path.exists()
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
