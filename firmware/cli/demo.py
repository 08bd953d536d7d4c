"""``tileclock demo``: play in a window, without a Pi; without a screen, run a scripted game."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from firmware.cli.options import not_empty

if TYPE_CHECKING:
    from firmware.settings import Settings

_KEYS = {"rulebook": "rulebook", "layout": "screen.layout", "board": "board.file"}
"""The settings set by the demo's options."""


_TIME = re.compile(r"[0-9]{1,3}:[0-5][0-9]", re.ASCII)


def _time(context: click.Context, parameter: click.Parameter, given: str | None) -> int | None:
    """Return minutes and seconds in ns."""
    if given is None:
        return None
    if not _TIME.fullmatch(given) or set(given) <= set("0:"):
        raise click.BadParameter(f"expected minutes and seconds from 0:01 to 999:59, such as 0:30, found {given!r}.")
    minutes, seconds = map(int, given.split(":"))
    return (minutes * 60 + seconds) * 1_000_000_000


@click.command()
@click.option("--headless", is_flag=True, help="Play the scripted game without a screen, even if there is one.")
@click.option(
    "--output", type=click.Path(path_type=Path), default=Path("demo-out"), show_default=True, help="The folder for the scripted game."
)
@click.option("--rulebook", default=None, help="The rulebook: an id (see `tileclock rulebooks`) or a file.")
@click.option(
    "--time", callback=_time, default=None, metavar="M:SS", help="Each side's time in a window, such as 0:30: overtime is soon there."
)
@click.option("--layout", type=click.Choice(["facing", "side_by_side", "single"]), default="facing", show_default=True)
@click.option("--board", type=click.Choice(["full", "two-button"]), default="full", show_default=True, help="The board's buttons.")
@click.option(
    "--journal",
    type=click.Path(),
    callback=not_empty,
    default=None,
    help="Store the journal there and continue its game; by default it is deleted at the end.",
)
def demo(*, headless: bool, output: Path, journal: str | None, time: int | None, **options: str | None) -> None:
    """Play a game on the table clock in a window, with keyboard or mouse.

    Without a screen, play a scripted game headless and write pictures and a transcript.
    """
    chosen = {"board.pins": "none", **{_KEYS[name]: value for name, value in options.items()}}
    why = None if headless else _no_window(chosen, None if journal is None else Path(journal), time)
    if headless or why is not None:
        if why is not None:
            click.echo(f"There is no screen here ({why}), so a scripted game runs without one.")
        _scripted(output, chosen)


def _no_window(options: Mapping[str, object], journal: Path | None, allowed_ns: int | None) -> str | None:
    """Play in a window; return why no window can be opened, or None after the game."""
    if not any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY")):
        return "neither DISPLAY nor WAYLAND_DISPLAY is set"
    from appliance.errors import ScreenError

    opened: list[bool] = []
    try:
        _live(options, journal, allowed_ns, lambda: opened.append(True))
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


def _live(options: Mapping[str, object], journal: Path | None, allowed_ns: int | None, opened: Callable[[], None]) -> None:
    from appliance.clocks import Clocks
    from appliance.process import termination_signals
    from firmware.journal.memory import crash_record_folder
    from firmware.screens.screen import LEGEND
    from firmware.shell.assemble import assembled

    with tempfile.TemporaryDirectory(prefix="tileclock-demo-") as folder:
        path = journal or Path(folder) / "journal.db"
        window = {"screen.fullscreen": False, "journal.path": str(path)}
        settings, crash = _settings({**options, **window}), crash_record_folder()
        with termination_signals() as asked, assembled(settings, Clocks(), crash=crash, allowed_ns=allowed_ns) as loop:
            opened()
            click.echo(f"Keys: {LEGEND}")
            click.echo("Mouse: click a half for that player's button, the strip between them for the bar.")
            asked(loop.leave, outlives_session=loop.plays_without_a_screen)
            loop.run()


def _settings(options: Mapping[str, object]) -> Settings:
    """Return the defaults with ``options``; the machine's own files do not apply to a demo."""
    from firmware.settings.places import LAYERS, merge

    return merge([LAYERS.given(options)]).settings
