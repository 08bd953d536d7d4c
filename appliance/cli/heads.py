"""The option ``--expect`` of the verbs that verify a file of record, and what it finds."""

from __future__ import annotations

import re
from typing import Final

import click

from appliance.records.chain import NOTED_DIGITS

_HEAD: Final = re.compile(rf"[0-9a-fA-F]{{{NOTED_DIGITS},64}}")


def _head(_context: click.Context, _parameter: click.Parameter, given: str | None) -> str | None:
    if given is not None and not _HEAD.fullmatch(given):
        raise click.BadParameter(
            f"expected {NOTED_DIGITS} to 64 hex digits, as `verify` prints them, found {given}. Fewer prove nothing: rows that give eight chosen "
            "digits are found by trying in seconds."
        )
    return given


expect_option: Final = click.option(
    "--expect",
    metavar="HEAD",
    callback=_head,
    help=f"A hash written down earlier, {NOTED_DIGITS} digits or more: its row must still exist. Fewer digits could be met by trying.",
)


def expected_in_words(expect: str, row: int | None) -> str:
    """Return what became of ``--expect``: the number of its row, or None."""
    if row is None:
        return f"No row has the hash {expect}: this is another file, or its rows were written anew."
    return f"The hash {expect} is of row {row}."
