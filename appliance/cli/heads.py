"""The options of the verbs that verify a file of record and ask for more than a whole chain."""

from __future__ import annotations

import re
from typing import Final

import click

from appliance.records.chain import NOTED_DIGITS

_HEAD: Final = re.compile(rf"[0-9a-fA-F]{{{NOTED_DIGITS},64}}")

_KEY: Final = re.compile(r"[cs]-[a-z2-7]{16}|[A-Za-z0-9+/]{43}=")
"""A device's id, or its public key: 32 bytes in base64."""


def _key(_context: click.Context, _parameter: click.Parameter, given: str | None) -> str | None:
    if given is not None and not _KEY.fullmatch(given):
        raise click.BadParameter(f"expected a device's id (c-… or s-…) or its public key in base64, found {given}.")
    return given


key_option: Final = click.option(
    "--key", metavar="KEY", callback=_key, help="The device's id or public key: the last signature must be its own."
)


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
