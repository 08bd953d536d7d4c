"""``tileclock demo``: play in a window, without a Pi; without a screen, run a scripted game. Only a checkout has it."""

from __future__ import annotations

import re
from pathlib import Path

import click

from appliance.checkout import from_checkout
from firmware.cli.options import not_empty

_KEYS = {"language": "language", "rulebook": "rulebook", "layout": "screen.layout", "board": "board.file"}
"""The settings set by the demo's options."""
_SIZE = re.compile(r"[0-9]{3,4}x[0-9]{3,4}", re.ASCII)
_TIME = re.compile(r"[0-9]{1,3}:[0-5][0-9]", re.ASCII)


def _time(context: click.Context, parameter: click.Parameter, given: str | None) -> int | None:
    """Return minutes and seconds in ns."""
    if given is None:
        return None
    if not _TIME.fullmatch(given) or set(given) <= set("0:"):
        raise click.BadParameter(f"expected minutes and seconds from 0:01 to 999:59, such as 0:30, found {given!r}.")
    minutes, seconds = map(int, given.split(":"))
    return (minutes * 60 + seconds) * 1_000_000_000


def _size(context: click.Context, parameter: click.Parameter, given: str | None) -> dict[str, int]:
    """Return the settings of the window's size."""
    if given is None:
        return {}
    if not _SIZE.fullmatch(given):
        raise click.BadParameter(f"expected width and height in pixels, such as 800x480, found {given!r}.")
    return dict(zip(("screen.width", "screen.height"), map(int, given.split("x")), strict=True))


@click.command()
@click.option("--headless", is_flag=True, help="Play the scripted game without a screen, even if there is one.")
@click.option(
    "--output", type=click.Path(path_type=Path), default=Path("demo-out"), show_default=True, help="The folder for the scripted game."
)
@click.option("--language", callback=not_empty, default=None, help="The language of the screen.")
@click.option("--rulebook", default=None, help="The rulebook: an id (see `tileclock rulebooks`) or a file.")
@click.option(
    "--time", callback=_time, default=None, metavar="M:SS", help="Each side's time in a window, such as 0:30: overtime is soon there."
)
@click.option("--layout", type=click.Choice(["facing", "side_by_side", "single"]), default="facing", show_default=True)
@click.option("--size", callback=_size, default=None, metavar="WxH", help="The window's width and height in pixels.")
@click.option("--board", type=click.Choice(["full", "two-button"]), default="full", show_default=True, help="The board's buttons.")
@click.option(
    "--journal",
    type=click.Path(),
    callback=not_empty,
    default=None,
    help="Store the journal there and continue its game; by default it is deleted at the end.",
)
def demo(*, headless: bool, output: Path, journal: str | None, time: int | None, size: dict[str, int], **options: str | None) -> None:
    """Play a game on the table clock in a window, with keyboard or mouse.

    It needs a checkout of Tileclock. Without a screen, play a scripted game headless and write pictures and a transcript.
    """
    chosen = {"board.pins": "none", **size, **{_KEYS[name]: value for name, value in options.items()}}
    from_checkout("tools.clock_demo.window:try_clock", "demo")(
        output, chosen, None if journal is None else Path(journal), time, headless=headless
    )
