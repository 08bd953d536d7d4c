"""``tilekiosk demo``: the station with the practice list; without a screen, scripted challenges; optionally with the clock beside it. Only a checkout has it."""

from __future__ import annotations

from pathlib import Path

import click

from appliance.checkout import from_checkout
from kiosk.cli.options import not_empty


@click.command()
@click.option("--headless", is_flag=True, help="Play the scripted challenges without a screen, even if there is one.")
@click.option(
    "--output", type=click.Path(path_type=Path), default=Path("demo-out"), show_default=True, help="The folder for the scripted challenges."
)
@click.option("--language", callback=not_empty, default=None, help="The language of the idle station.")
@click.option("--rulebook", callback=not_empty, default=None, help="The rulebook: an id (see `tileclock rulebooks`) or a file.")
@click.option("--lexicon", callback=not_empty, default=None, help="A lexicon file instead of the practice list.")
@click.option("--log", callback=not_empty, default=None, help="Store the log there; by default it is deleted at the end.")
@click.option("--beside", is_flag=True, help="Open the table clock's demo beside it; each window ends alone, Ctrl+C both.")
def demo(*, headless: bool, output: Path, beside: bool, **chosen: str | None) -> None:
    """Try the challenge station in a window, with mouse, touch or keyboard; it leaves nothing behind.

    It needs a checkout of Tileclock. The list is the practice list, so no verdict counts. Without a screen, play scripted challenges and write pictures and a transcript.
    """
    from_checkout("tools.station_demo.window:try_station", "demo")(output, chosen, beside=beside, headless=headless)
