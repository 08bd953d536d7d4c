"""The options of the verbs that verify a file of record and ask for more than a whole chain."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, Final

import click
from msgspec import Struct

from appliance.records.chain import NOTED_DIGITS

_HEAD: Final = re.compile(rf"[0-9a-fA-F]{{{NOTED_DIGITS},64}}")

_KEY: Final = re.compile(r"[cs]-[a-z2-7]{16}|[A-Za-z0-9+/]{43}=")
"""A device's id, or its public key: 32 bytes in base64."""


def _key(_context: click.Context, _parameter: click.Parameter, given: str | None) -> str | None:
    if given is not None and not _KEY.fullmatch(given):
        raise click.BadParameter(f"expected a device's id (c-… or s-…) or its public key in base64, found {given}.")
    return given


class AskedProofs(Struct, frozen=True):
    """What is to be shown beside a whole chain."""

    key: str | None
    """The device's id or public key."""
    known: Path | None
    """A file with heads that others have kept."""
    witnesses: tuple[Path, ...]
    """Journals and logs of other devices."""
    roots: Path | None
    """A file with the hall's roots."""


NOTHING_ASKED: Final = AskedProofs(None, None, (), None)


_KEY_OPTION: Final = click.option(
    "--key", metavar="KEY", callback=_key, help="The device's id or public key: the last signature must be its own."
)
_KNOWN_OPTION: Final = click.option(
    "--known",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Heads that the hall has kept, from `tilehall heads`, a line `device epoch row hash` each: they must still be in this file.",
)
_WITNESS_OPTION: Final = click.option(
    "--witness",
    "witnesses",
    type=click.Path(path_type=Path),
    metavar="FILE",
    multiple=True,
    help="The journal or log of another device: the heads that it vouches for must still be in this file. May be given several times.",
)
_ROOTS_OPTION: Final = click.option(
    "--roots",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="For --witness: what each root of the hall covers, from `tilehall heads --roots`. It needs no trust: the witnesses have signed the roots.",
)


def proof_options(verb: Callable[..., Any]) -> Callable[..., Any]:
    """Add ``--key``, ``--known``, ``--witness`` and ``--roots``; the verb gets them as ``asked``."""

    @wraps(verb)
    def with_asked(*, key: str | None, known: Path | None, witnesses: tuple[Path, ...], roots: Path | None, **others: Any) -> Any:
        if bool(witnesses) != (roots is not None):
            raise click.UsageError("--witness and --roots go together: `tilehall heads --roots` writes what each root covers.")
        return verb(asked=AskedProofs(key, known, witnesses, roots), **others)

    return _KEY_OPTION(_KNOWN_OPTION(_WITNESS_OPTION(_ROOTS_OPTION(with_asked))))


def hall_proof_options(verb: Callable[..., Any]) -> Callable[..., Any]:
    """Add ``--key``, ``--known`` and ``--witness`` for a verb that has the hall's roots; it gets them as ``asked``."""

    @wraps(verb)
    def with_asked(*, key: str | None, known: Path | None, witnesses: tuple[Path, ...], **others: Any) -> Any:
        return verb(asked=AskedProofs(key, known, witnesses, None), **others)

    return _KEY_OPTION(_KNOWN_OPTION(_WITNESS_OPTION(with_asked)))


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
        return f"No row has the hash {expect}: this is another file, or its rows were rewritten."
    return f"The hash {expect} is of row {row}."
