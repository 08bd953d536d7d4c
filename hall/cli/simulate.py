"""``tilehall simulate``: a hall under load on this machine."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click


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
    """Play many tables on this machine, and measure how the hall copes.

    Everything is real except pins, screens and players: the clocks' core, shell and journals, a link for each table, mosquitto with TLS, a listener.
    The hall is made for this run, on the loopback only. Exit code: 1 if a row was lost or written twice.
    """
    import tempfile

    from hall.cli.simulation_words import in_words
    from hall.errors import SimulationError
    from hall.simulate.plan import SimulationPlan
    from hall.simulate.run import simulate as run

    plan = SimulationPlan(**parameters)
    if plan.outage_s > plan.seconds:
        raise click.UsageError(f"expected an outage of at most {plan.seconds} s, found {plan.outage_s}.")
    say = lambda line: click.echo(line, err=True)  # noqa: E731 - two words
    if folder is None:
        memory = Path("/dev/shm")  # noqa: S108 - a folder of its own is made in it
        with tempfile.TemporaryDirectory(prefix="tilehall-", dir=memory if memory.is_dir() else None) as made:
            found = run(plan, Path(made), say)
    else:
        if folder.exists() and any(folder.iterdir()):
            raise SimulationError(where=folder, expected="an empty or new folder", found="files", remedy="Name another one")
        folder.mkdir(parents=True, exist_ok=True)
        found = run(plan, folder, say)
    for line in [json.dumps(found)] if as_json else in_words(found):
        click.echo(line)
    return int(bool(found["lost"] or found["doubled"]))
