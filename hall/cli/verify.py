"""``tilehall verify`` and ``tilehall heads``: what the hall's rows prove."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from hall.cli.options import with_settings

if TYPE_CHECKING:
    from appliance.cli.options import Option
    from hall.settings.places import Layered
    from hall.store.reading import StoreReader

_STORE: Final[Option] = ("--store", "listen.store", str, "The file with the rows of all devices, or the URL of a PostgreSQL database.")
_HALL: Final = click.option("--hall", default=None, help="The hall, where the store has the rows of several.")


@click.command()
@with_settings((_STORE,))
@_HALL
@click.argument("record", type=click.Path(path_type=Path), required=False)
def verify(layered: Layered, hall: str | None, record: Path | None) -> int:
    """Check what the hall holds of each device, by hash; or compare RECORD, a clock's journal or a station's log, with it.

    Three things are shown, each up to which row: the chain is whole; this device has signed it; other devices have vouched for it since. A whole
    chain shows no author: whoever has the card can compute it anew. The listener may be running. Exit code: 1 if something is broken, rewritten or cut.
    """
    from hall.verify.epoch import proofs
    from hall.verify.record import compared

    with _opened(layered, hall) as store:
        if record is not None:
            comparison = compared(store, record)
            click.echo(comparison.sentence)
            return int(not comparison.agrees)
        found, roots = proofs(store)
    for proof in found:
        click.echo(proof.sentence)
    if roots is not None:
        click.echo(roots)
    click.echo(f"{len(found)} journals and logs; {sum(proof.fault is not None for proof in found)} broken.")
    return int(roots is not None or any(proof.fault is not None for proof in found))


@click.command()
@with_settings((_STORE,))
@_HALL
def heads(layered: Layered, hall: str | None) -> None:
    """Print the heads that the hall has kept, for `tileclock journal verify --known FILE` and `tilekiosk log verify --known FILE`.

    A line for each: device, journal, row, hash. What was written anew since then no longer has that row.
    """
    with _opened(layered, hall) as store:
        for head in store.known_heads():
            click.echo(head.line)


@contextmanager
def _opened(layered: Layered, hall: str | None) -> Iterator[StoreReader]:
    from hall.store.reading import reading_store

    with reading_store(layered.settings.listen.store, hall) as store:
        yield store
