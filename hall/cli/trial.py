"""``tilehall demo`` and ``simulate``: a whole hall on this machine, to try out and under load."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from appliance.checkout import from_checkout


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
