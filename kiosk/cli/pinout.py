"""``tilekiosk pinout``: what hangs on which hole of the header, and whether that makes electrical sense."""

from __future__ import annotations

from typing import Final

import click

from hardware.boards.kinds import STATION
from hardware.pinout.command import pinout_command
from kiosk.cli.settings_source import SETTINGS

_SHIPPED: Final = "station"


def _usual() -> str:
    """Return the board of the settings; where they name none, what is shipped is shown, for somebody who has yet to wire it."""
    board = SETTINGS.in_force().settings.board.file
    if board != "none":
        return board
    click.echo(f'tilekiosk: the settings name no board, so this is the shipped one; to use it: board.file = "{_SHIPPED}".', err=True)
    return _SHIPPED


pinout: Final = pinout_command(STATION, _usual)
