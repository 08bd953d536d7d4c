"""``tileclock demo``: play on this machine, with no Pi; with no screen either, watch a scripted game."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from firmware.cli.options import not_empty

if TYPE_CHECKING:
    from firmware.settings import Settings

_KEYS = {"rulebook": "rulebook", "layout": "screen.layout", "board": "board.file"}
"""The settings that the demonstration's options stand for."""


@click.command()
@click.option("--headless", is_flag=True, help="Play the scripted game without a screen, even where there is one.")
@click.option(
    "--output", type=click.Path(path_type=Path), default=Path("demo-out"), show_default=True, help="Where the scripted game goes."
)
@click.option("--rulebook", default=None, help="The rulebook: an id (see `tileclock rulebooks`) or a file.")
@click.option("--layout", type=click.Choice(["facing", "side_by_side", "single"]), default="facing", show_default=True)
@click.option("--board", type=click.Choice(["full", "two-button"]), default="full", show_default=True, help="Which buttons there are.")
@click.option(
    "--journal",
    type=click.Path(),
    callback=not_empty,
    default=None,
    help="Keep the journal there, and go on with its game; else it is thrown away.",
)
def demo(*, headless: bool, output: Path, journal: str | None, **options: str | None) -> None:
    """Play a game on the table clock in a window, with keyboard or mouse.

    With no screen it says so and plays a scripted game headless, leaving pictures and a transcript.
    """
    chosen = {"board.pins": "none", **{_KEYS[name]: value for name, value in options.items()}}
    why = None if headless else _no_window(chosen, None if journal is None else Path(journal))
    if headless or why is not None:
        if why is not None:
            click.echo(f"There is no screen here ({why}): a scripted game is played without one.")
        _scripted(output, chosen)


def _no_window(options: Mapping[str, object], journal: Path | None) -> str | None:
    """Play in a window; return why there is none to be had."""
    if not any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY")):
        return "neither DISPLAY nor WAYLAND_DISPLAY is set"
    from appliance.errors import ScreenError

    opened: list[bool] = []
    try:
        _live(options, journal, lambda: opened.append(True))
    except ScreenError as error:
        if opened:
            raise
        return str(error)
    return None


def _scripted(output: Path, options: Mapping[str, object]) -> None:
    from firmware.demo.headless import play
    from firmware.shell.assemble import setup_of

    play(output, setup_of(_settings(options)), click.echo)
    click.echo(
        f"Pictures, transcript.txt and journal.db are in {output}/. Look into the journal: tileclock journal show --journal {output}/journal.db"
    )


def _live(options: Mapping[str, object], journal: Path | None, opened: Callable[[], None]) -> None:
    from appliance.clocks import Clocks
    from appliance.service.signals import termination_signals
    from firmware.screens.keys import LEGEND
    from firmware.shell.assemble import assembled
    from firmware.shell.crash import place

    with tempfile.TemporaryDirectory(prefix="tileclock-demo-") as folder:
        path = journal or Path(folder) / "journal.db"
        window = {"screen.fullscreen": False, "journal.path": str(path)}
        with termination_signals() as asked, assembled(_settings({**options, **window}), Clocks(), crash=place()) as loop:
            opened()
            click.echo(f"Keys: {LEGEND}")
            click.echo("Mouse: click a half for that player's button, the strip between them for the bar.")
            asked(loop.leave, outlives_session=loop.plays_without_a_screen)
            loop.run()


def _settings(options: Mapping[str, object]) -> Settings:
    """Return the defaults with ``options``: a machine's own files do not matter to a demonstration."""
    from firmware.settings.layers import LAYERS, merge

    return merge([LAYERS.given(options)]).settings
