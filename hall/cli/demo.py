"""``tilehall demo``: a whole hall on this machine, in windows; without a screen, a scripted round; with simulated tables, some rounds for a director."""

from __future__ import annotations

import os
from pathlib import Path

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
