"""What the verbs of journal and log do alike: verify the chain, and warn of damage."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from appliance.cli.heads import expected_in_words
from appliance.errors import DamagedRecord
from appliance.records.rows import RecordFile, in_words, row_with

if TYPE_CHECKING:
    from appliance.cli.heads import AskedProofs


@contextmanager
def checked(record: RecordFile, path: Path) -> Iterator[sqlite3.Connection]:
    """Open the file at ``path``; if it is damaged, warn on standard error that the output is no evidence."""
    with record.reading(path) as connection:
        fault = record.verify(connection).fault
        if fault is not None:
            program, _ = record.command.split()
            click.echo(f"{program}: {path}: damaged: {fault.meaning}. See `{record.command} verify`.", err=True)
        yield connection


def verify(record: RecordFile, device: str, path: Path, expect: str | None, asked: AskedProofs) -> int:
    """Print what is shown of the file at ``path``, and return the exit code: 0 if it is whole and all that was asked for holds, else 1.

    ``device``: the kind of device that signs it, of ``wire.topics``.
    """
    from wire.proof import proofs, read_evidence  # noqa: PLC0415 - cryptography: this verb alone needs it

    evidence = read_evidence(asked)
    try:
        with record.reading(path) as connection:
            found = record.verify(connection)
            shown = [] if found.fault else proofs(connection, device, evidence)
            row = None if expect is None or found.fault else row_with(connection, expect)
    except DamagedRecord as error:
        click.echo(f"Broken: {error}")
        return 1
    sentences = [*in_words(found), *(proof.sentence for proof in shown)]
    if expect is not None and found.fault is None:
        sentences.append(expected_in_words(expect, row))
    for each in sentences:
        click.echo(each)
    return 0 if found.fault is None and all(proof.holds for proof in shown) and (expect is None or row) else 1
