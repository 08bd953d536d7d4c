"""``tilehall verify``: what the hall's rows prove."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from appliance.cli.heads import key_option
from hall.cli.options import with_settings

if TYPE_CHECKING:
    from appliance.cli.options import Option
    from hall.settings import Layered

_STORE: Final[Option] = ("--store", "listen.store", str, "The file with the rows of all devices, or the URL of a PostgreSQL database.")


@click.command()
@with_settings((_STORE,))
@click.option("--hall", default=None, help="The hall, where the store has the rows of several.")
@key_option
@click.argument("record", type=click.Path(path_type=Path), required=False)
def verify(layered: Layered, hall: str | None, record: Path | None, key: str | None) -> int:
    """Check what the hall holds of each device, by hash; or compare RECORD, a clock's journal or a station's log, with it.

    For each it shows up to which row the chain is whole, and this device has signed it. A whole chain does not prove who wrote it: anyone who has
    the card can recompute it. The rows that the hall holds do: it had them before. The listener may be running. Exit code: 1 if something is
    broken, rewritten or cut.

    --key shows who has signed RECORD, as `tileclock journal verify` does.
    """
    from hall.store.reading import reading_store
    from hall.verify import compared, epoch_proofs

    if record is None and key is not None:
        raise click.UsageError("--key is for RECORD: name a journal or log.")
    with reading_store(layered.settings.listen.store, hall) as store:
        if record is not None:
            shown = compared(store, record, key)
            click.echo("\n".join(each.sentence for each in shown))
            return int(not all(each.holds for each in shown))
        found = epoch_proofs(store)
    for proof in found:
        click.echo(proof.sentence)
    broken = sum(proof.fault is not None for proof in found)
    click.echo(f"{len(found)} journals and logs; {broken} broken.")
    return int(broken > 0)
