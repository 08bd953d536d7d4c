"""``tilehall``: the command and its verbs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TextIO

import click

from appliance.cli.config import docs, from_checkout
from appliance.cli.options import Option, key_option
from faults.guard import Guarded
from hall.cli.device import enrol, find, link, renew
from hall.cli.event import event, results
from hall.cli.init import admissions, admit, devices, https, init, revoke, token
from hall.cli.listen import account, desk, listen, status, watch
from hall.cli.options import with_settings
from hall.cli.order import order

if TYPE_CHECKING:
    from hall.settings import Layered


_STORE: Final[Option] = ("--store", "listen.store", str, "The file with the rows of all devices, or the URL of a PostgreSQL database.")


@click.command()
@with_settings((_STORE,))
@click.option("--hall", default=None, help="The hall, where the store has the rows of several.")
@key_option
@click.option(
    "--receipt", type=click.File("r", encoding="utf-8"), help="Check the text of a receipt in this file; -: typed or scanned here."
)
@click.argument("record", type=click.Path(path_type=Path), required=False)
def verify(layered: Layered, hall: str | None, record: Path | None, key: str | None, receipt: TextIO | None) -> int:
    """Check what the hall holds of each device, by hash; or compare RECORD, a clock's journal or a station's log, with it.

    For each it shows up to which row the chain is whole, and this device has signed it. A whole chain does not prove who wrote it: anyone who has
    the card can recompute it. The rows that the hall holds do: it had them before. The listener may be running. Exit code: 1 if something is
    broken, rewritten or cut.

    --key shows who has signed RECORD, as `tileclock journal verify` does. --receipt compares the QR code that a clock shows after the signing, as a
    phone has read it, with the hall's rows and the clock's signature.
    """
    from hall.store.store import reading_store
    from hall.verify import compared, epoch_proof, receipt_proof

    if record is None and key is not None:
        raise click.UsageError("--key is for RECORD: name a journal or log.")
    with reading_store(layered.settings.listen.store, hall) as store:
        if receipt is not None:
            # A receipt has a few hundred characters.
            checked, _ = receipt_proof(store, receipt.read(2000))
            click.echo(checked.sentence)
            return int(not checked.holds)
        if record is not None:
            shown = compared(store, record, key)
            click.echo("\n".join(each.sentence for each in shown))
            return int(not all(each.holds for each in shown))
        found = [epoch_proof(store, device, known) for device in store.devices() for known in store.epochs(device)]
    for proof in found:
        click.echo(proof.sentence)
    broken = sum(proof.fault is not None for proof in found)
    click.echo(f"{len(found)} journals and logs; {broken} broken.")
    return int(broken > 0)


@click.command()
@click.option(
    "--tables",
    type=click.IntRange(2, 200),
    help="A hall of this many tables with simulated players, and the desk in a browser with a director's login.",
)
@click.option("--headless", is_flag=True, help="Play the scripted round without a screen, even if there is one.")
@click.option(
    "--output", type=click.Path(path_type=Path), default=Path("demo-out"), show_default=True, help="The folder for the scripted round."
)
def demo(*, tables: int | None, headless: bool, output: Path) -> None:
    """Try a whole hall on this machine: a broker, two clocks, a challenge station and the desk. It asks no questions and deletes everything at the end.

    It needs a checkout of Tileclock. Everything listens on the loopback only. Without a screen, play a scripted round and write pictures and a transcript. With --tables a director can
    try some rounds at the desk.
    """
    from_checkout("tools.hall_demo.headless:try_hall", "demo-hall")(tables, output, headless=headless)


def _delay(_context: click.Context, _parameter: click.Parameter, given: str | None) -> tuple[int, int] | None:
    if given is None:
        return None
    least, _, most = given.partition(":")
    if not (least.isdecimal() and most.isdecimal() and int(least) <= int(most)):
        raise click.BadParameter(f"expected two numbers of milliseconds, the smaller first, such as 5:113, found {given!r}.")
    return int(least), int(most)


@click.command()
@click.option("--tables", type=click.IntRange(1, 1500), default=50, show_default=True, help="How many tables play.")
@click.option("--seconds", type=click.IntRange(5, 1800), default=60, show_default=True, help="For how long.")
@click.option("--press", "press_s", type=click.FloatRange(0.5, 120), default=20.0, show_default=True, help="Seconds of a turn, on average.")
@click.option(
    "--outage", "outage_s", type=click.IntRange(0, 1800), default=0, help="Cut every link once, in the middle, for this many seconds."
)
@click.option(
    "--delay",
    "delay_ms",
    callback=_delay,
    metavar="LEAST:MOST",
    help="Delay what links and broker send, each way, by random ms, such as 5:113.",
)
@click.option("--seed", type=int, default=1, show_default=True, help="The seed of the players' random choices.")
@click.option(
    "--folder",
    type=click.Path(path_type=Path),
    help="An empty or new folder for journals and store. Default: one in memory, deleted at the end.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of sentences.")
def simulate(as_json: bool, folder: Path | None, **parameters: Any) -> int:
    """Play many tables on this machine, and measure how the hall copes. It needs a checkout of Tileclock.

    Everything is real except pins, screens and players: the clocks' core, shell and journals, a link for each table, mosquitto with TLS, a listener.
    The hall is made for this run, on the loopback only. Exit code: 1 if a row was lost or written twice.
    """
    return int(from_checkout("tools.simulate.run:simulate_in_words", "demo-hall")(folder, as_json=as_json, **parameters))


@click.group(
    cls=Guarded,
    program="tilehall",
    context_settings={"help_option_names": ["-h", "--help"]},
    commands=[
        account,
        admissions,
        admit,
        demo,
        desk,
        devices,
        docs,
        enrol,
        event,
        find,
        https,
        init,
        link,
        listen,
        order,
        renew,
        results,
        revoke,
        simulate,
        status,
        token,
        verify,
        watch,
    ],
)
@click.version_option(package_name="tileclock", prog_name="tilehall")
def main() -> None:
    """Tilehall: connects the clocks and stations of one hall. Play goes on when the network fails.

    \b
    Try a whole hall here:         tilehall demo
    Create a hall and its broker:  tilehall init HALL
    Enrol a device:                tilehall enrol tileclock
    Admit that device:             tilehall admit 1234-5678
    Make files for sixty cards:    tilehall token cards --tables 1-60
    Run beside a clock or station: tilehall link
    Run on the hall's machine:     tilehall listen
    The same, with web pages:      tilehall desk
    Show the hall live:            tilehall watch
    Check for problems:            tilehall status
    Ask all tables to stop:        tilehall order stop --all
    Check what the rows prove:     tilehall verify
    Measure this machine:          tilehall simulate --tables 100
    Revoke a lost device:          tilehall revoke ID
    Make a desk account:           tilehall account add NAME --role director
    Issue a desk certificate:      tilehall https --host NAME

    The table's journal is authoritative; the network is a convenience. Add --help to a verb for its options.
    """  # noqa: D301 - the backslash makes click's sign for lines to be left as they are
