"""What can lie in the clock's inbox."""

from __future__ import annotations

from typing import TypeAlias

from firmware.journal.writer import Progress
from firmware.screens.keys import Quit
from hardware.edges import Edge

Input: TypeAlias = Edge | Progress | Quit
