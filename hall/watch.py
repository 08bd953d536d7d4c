"""``tilehall watch``: the hall as a live table in a terminal."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import datetime
from typing import Final

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from hall.errors import HallError
from hall.status import DeviceLine, HallPicture, counts, line_of

EVERY_S: Final = 0.5
_COLUMNS: Final = ("table", "device", "left", "right", "", "link", "trouble")


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
    lines = [line_of(device, now) for device in picture.devices]
    title = Text(counts(picture.hall, lines), "bold")
    troubles = [Text(each, "red") for each in picture.troubles[:3]]
    room = max(1, height - len(troubles) - 5)
    table = Table(*_COLUMNS, box=None, pad_edge=False, header_style="dim")
    for line in lines[:room]:
        table.add_row(line.table, line.device, line.left, line.right, line.doing, line.link, line.trouble, style=_style(line))
    rest = [Text(f"and {len(lines) - room} more", "dim")] if len(lines) > room else []
    return Group(title, *troubles, table, *rest)


def _style(line: DeviceLine) -> str:
    return "bold yellow" if line.calls else "red" if line.trouble else "dim" if line.stale else ""
