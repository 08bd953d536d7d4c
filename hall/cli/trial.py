"""``tilehall demo`` and ``simulate``: a whole hall on this machine, to try out and under load."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click


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

    Everything listens on the loopback only. Without a screen, play a scripted round and write pictures and a transcript. With --tables a director can
    try some rounds at the desk.
    """
    if tables is not None:
        from hall.demo.simulated import play as play_simulated

        play_simulated(tables, click.echo)
        return
    why = "asked for" if headless else _no_screen()
    if why is None:
        from hall.demo.windows import play as play_in_windows

        play_in_windows(click.echo)
        return
    if not headless:
        click.echo(f"There is no screen here ({why}), so a scripted round runs without one.")
    from hall.demo.headless import play

    play(output, click.echo)
    click.echo(f"Pictures and transcript.txt are in {output}/.")


def _no_screen() -> str | None:
    """Return why no window can be opened; None: one can."""
    if not any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY")):
        return "neither DISPLAY nor WAYLAND_DISPLAY is set"
    from appliance.errors import ScreenError
    from kiosk.demo.beside import desktop

    try:
        desktop()
    except ScreenError as error:
        return str(error)
    return None


def in_words(found: dict[str, Any]) -> Iterator[str]:
    """Yield the figures of ``hall.simulate.measure``, one a line."""
    yield f"{found['tables']} tables, {found['seconds']} s, {found['presses']} presses, {found['rows']} rows."
    yield f"Lost: {found['lost']}. Doubled: {found['doubled']}."
    yield f"From a press to its row at the listener: {_spread(found['press_to_row_ms'])}."
    yield f"A remote reading and the clock's own are apart: {_spread(found['remote_clock_ms'])}."
    yield f"{found['messages_per_s']} messages a second; {found['bytes_per_table_s']} bytes a second for each table."
    for name in ("broker", "listener", "link"):
        used = found[name]
        yield f"The {name} used {used['cores'] * 100:.1f} % of a core and {used['rss_mb']:.1f} MiB."


def _spread(values: dict[str, Any]) -> str:
    if not values["count"]:
        return "nothing was measured"
    return f"p50 {values['p50']:.1f} ms, p99 {values['p99']:.1f} ms, at most {values['max']:.1f} ms ({values['count']} values)"


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
