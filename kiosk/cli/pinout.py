"""``tilekiosk pinout``: the wiring of each header pin, and whether it is electrically sound."""

from __future__ import annotations

from typing import Final

import click

from hardware.boards.kinds import STATION
from hardware.pinout.command import pinout_command
from kiosk.cli.settings_source import SETTINGS

_SHIPPED: Final = "station"


def _usual() -> str:
    """Return the settings' board, or the shipped one if they name none, for someone who has yet to wire it."""
    board = SETTINGS.in_force().settings.board.file
    if board != "none":
        return board
    click.echo(f'tilekiosk: the settings name no board, so this is the shipped one; to use it: board.file = "{_SHIPPED}".', err=True)
    return _SHIPPED


pinout: Final = pinout_command(STATION, _usual)
