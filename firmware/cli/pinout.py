"""``tileclock pinout``: the wiring of each header pin, and whether it is electrically sound."""

from __future__ import annotations

from typing import Final

from firmware.cli.settings_source import SETTINGS
from hardware.boards.kinds import CLOCK
from hardware.pinout.command import pinout_command

pinout: Final = pinout_command(CLOCK, lambda: SETTINGS.in_force().settings.board.file)
