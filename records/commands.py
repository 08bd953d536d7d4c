"""What the verbs of journal and log do alike: verify the chain, and warn of damage."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from appliance.errors import DamagedRecord
from appliance.records.rows import RecordFile, in_words, row_with


@contextmanager
def checked(record: RecordFile[Any, Any], path: Path) -> Iterator[sqlite3.Connection]:
    """Open the file at ``path``; if it is damaged, warn on standard error that the output is no evidence."""
    with record.reading(path) as connection:
        fault = record.verify(connection).fault
        if fault is not None:
            program, _ = record.command.split()
            click.echo(f"{program}: {path}: damaged: {fault}. See `{record.command} verify`.", err=True)
        yield connection


def verify(record: RecordFile[Any, Any], device: str, path: Path, expect: str | None, key: str | None) -> int:
    """Print what is shown of the file at ``path``, and return the exit code: 0 if it is whole and all that was asked for holds, else 1.

    ``device``: the kind of device that signs it, of ``wire.topics``. ``expect``: a hash that one of its rows must have. ``key``: see ``signed_by``.
    """
    from wire.record import Proof, signed_by  # noqa: PLC0415 - pydantic: this verb alone needs it

    shown: list[Proof] = []
    try:
        with record.reading(path) as connection:
            found = record.verify(connection)
            if found.fault is None:
                shown.append(signed_by(connection, device, key))
            if found.fault is None and expect is not None:
                row = row_with(connection, expect)
                lost = f"No row has the hash {expect}: this is another file, or its rows were rewritten."
                shown.append(Proof(lost if row is None else f"The hash {expect} is of row {row}.", holds=row is not None))
    except DamagedRecord as error:
        click.echo(f"Broken: {error}")
        return 1
    for each in (*in_words(found), *(proof.sentence for proof in shown)):
        click.echo(each)
    return int(found.fault is not None or not all(proof.holds for proof in shown))
