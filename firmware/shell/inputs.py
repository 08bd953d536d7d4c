"""The items in the clock's inbox."""

from __future__ import annotations

from typing import TypeAlias

from appliance.checks.voltage import Power
from firmware.journal.writer import Progress
from firmware.screens.keys import Quit
from firmware.shell.displays import LedNews
from hardware.buttons.edge import Edge

Input: TypeAlias = Edge | Progress | Quit | Power | LedNews
