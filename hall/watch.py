"""``tilehall watch``: the hall as a live table in a terminal."""

import time
from collections.abc import Callable
from datetime import datetime
from typing import Final

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from hall.errors import HallError
from hall.status import HallPicture, cells_of, counts

EVERY_S: Final = 0.5


def watch(read: Callable[[], HallPicture], console: Console) -> None:
    """Show the picture until Ctrl+C. The loss of the listener is shown, unless at the start; its return is noticed."""
    shown = table_of(read(), console.height)
    with Live(shown, console=console, screen=True, auto_refresh=False) as live:
        while True:
            time.sleep(EVERY_S)
            try:
                shown = table_of(read(), console.height)
            except HallError as error:
                shown = Group(Text(f"{error} What follows is old.", "bold red"), shown)
            live.update(shown, refresh=True)


def table_of(picture: HallPicture, height: int) -> RenderableType:
    """Return the picture for a terminal of ``height`` lines; devices that do not fit are counted, those in need come first."""
    now = datetime.now().astimezone()
    title = Text(counts(picture), "bold")
    troubles = [Text(each, "red") for each in picture.troubles[:3]]
    room = max(1, height - len(troubles) - 5)
    table = Table("table", "device", "left", "right", "", "link", "trouble", box=None, pad_edge=False, header_style="dim")
    for device in picture.devices[:room]:
        cells = cells_of(device, now)
        style = "bold yellow" if device["called_s"] is not None else "red" if cells[-1] else "dim" if device["stale_s"] is not None else ""
        table.add_row(*cells, style=style)
    hidden = len(picture.devices) - room
    rest = [Text(f"and {hidden} more", "dim")] if hidden > 0 else []
    return Group(title, *troubles, table, *rest)
