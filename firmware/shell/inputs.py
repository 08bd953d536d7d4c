"""What can lie in the clock's inbox."""

from __future__ import annotations

from typing import TypeAlias

from firmware.journal.writer import Progress
from firmware.screens.keys import Quit
from firmware.shell.displays import LedNews
from hardware.edges import Edge
from hardware.power import Power

Input: TypeAlias = Edge | Progress | Quit | Power | LedNews
