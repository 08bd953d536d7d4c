"""``tilehall verify`` and ``tilehall heads``: what the hall's rows prove."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from appliance.cli.heads import NOTHING_ASKED, hall_proof_options
from hall.cli.options import with_settings

if TYPE_CHECKING:
    from appliance.cli.heads import AskedProofs
    from appliance.cli.options import Option
    from hall.settings import Layered
    from hall.store.reading import StoreReader

_STORE: Final[Option] = ("--store", "listen.store", str, "The file with the rows of all devices, or the URL of a PostgreSQL database.")
_HALL: Final = click.option("--hall", default=None, help="The hall, where the store has the rows of several.")


@click.command()
@with_settings((_STORE,))
@_HALL
@hall_proof_options
@click.argument("record", type=click.Path(path_type=Path), required=False)
def verify(layered: Layered, hall: str | None, record: Path | None, asked: AskedProofs) -> int:
    """Check what the hall holds of each device, by hash; or compare RECORD, a clock's journal or a station's log, with it.

    For each it shows up to which row the chain is whole, this device has signed it, and other devices have vouched for it since. A whole
    chain does not prove who wrote it: anyone who has the card can recompute it. The listener may be running. Exit code: 1 if something is broken, rewritten or cut.

    --key, --known and --witness show more of RECORD, as `tileclock journal verify` does; the roots for --witness are the hall's own.
    """
    from hall.verify import epoch_proofs

    if record is None and asked != NOTHING_ASKED:
        raise click.UsageError("--key, --known and --witness are for RECORD: name a journal or log.")
    with _opened(layered, hall) as store:
        if record is not None:
            return _compared(store, record, asked)
        found, roots = epoch_proofs(store)
    for proof in found:
        click.echo(proof.sentence)
    if roots is not None:
        click.echo(roots)
    click.echo(f"{len(found)} journals and logs; {sum(proof.fault is not None for proof in found)} broken.")
    return int(roots is not None or any(proof.fault is not None for proof in found))


def _compared(store: StoreReader, record: Path, asked: AskedProofs) -> int:
    from hall.verify import compared, shown
    from wire.proof import read_evidence

    comparison = compared(store, record)
    click.echo(comparison.sentence)
    found = () if asked == NOTHING_ASKED else shown(record, read_evidence(asked, tuple(store.roots())))
    for proof in found:
        click.echo(proof.sentence)
    return int(not (comparison.agrees and all(proof.holds for proof in found)))


@click.command()
@with_settings((_STORE,))
@_HALL
@click.option(
    "--roots", is_flag=True, help="Print what each root covers, for --witness: a line for each head, with the root's number first."
)
def heads(layered: Layered, hall: str | None, *, roots: bool) -> None:
    """Print the heads that the hall has kept, for `tileclock journal verify --known FILE` and `tilekiosk log verify --known FILE`.

    A line for each: device, journal, row, hash. A journal that was rewritten since then no longer has that row.
    """
    with _opened(layered, hall) as store:
        lines = (
            (f"{root.n} {line}" for root in store.roots() for line in root.lines) if roots else (head.line for head in store.known_heads())
        )
        for line in lines:
            click.echo(line)


@contextmanager
def _opened(layered: Layered, hall: str | None) -> Iterator[StoreReader]:
    from hall.store.reading import reading_store

    with reading_store(layered.settings.listen.store, hall) as store:
        yield store
