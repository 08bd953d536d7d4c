"""The station as a program of its own."""

from __future__ import annotations

import sys
from functools import partial

from tests import processes

TILEKIOSK = (sys.executable, "-m", "kiosk.cli")
running = partial(processes.running, TILEKIOSK)
ready = partial(processes.ready, (*TILEKIOSK, "run"))
