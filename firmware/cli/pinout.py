"""``tileclock pinout``: what hangs on which hole of the header, and whether that makes electrical sense."""

from __future__ import annotations

from typing import Final

from firmware.cli.settings_source import SETTINGS
from hardware.boards.kinds import CLOCK
from hardware.pinout.command import pinout_command

pinout: Final = pinout_command(CLOCK, lambda: SETTINGS.in_force().settings.board.file)
