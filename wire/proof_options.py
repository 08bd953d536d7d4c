"""The options of ``verify`` that ask for more than a whole chain."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import click

from wire.topics import is_device

_KEY_BYTES: Final = 32


def _key(_context: click.Context, _parameter: click.Parameter, given: str | None) -> str | None:
    if given is None or is_device(given) or _is_key(given):
        return given
    raise click.BadParameter(f"expected a device's id (c-… or s-…) or its public key in base64, found {given}.")


def _is_key(given: str) -> bool:
    try:
        return len(base64.b64decode(given, validate=True)) == _KEY_BYTES
    except (ValueError, binascii.Error):
        return False


def proof_options(verb: Callable[..., Any]) -> Callable[..., Any]:
    """Add ``--key`` and ``--known``."""
    verb = click.option(
        "--known",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="Heads that the hall or other devices have kept, a line `device epoch row hash` each: they must still be in this file.",
    )(verb)
    return click.option("--key", metavar="KEY", callback=_key, help="The device's id or public key: the last signature must be its own.")(
        verb
    )
