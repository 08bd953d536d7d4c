"""Settings as the clock takes them at its start, and as its other verbs look at them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Final

from firmware.errors import TileclockError
from hardware.errors import HardwareError
from hardware.taking import Taking

if TYPE_CHECKING:
    from firmware.settings import Settings
    from hardware.last_good import LastGood

STATE: Final = Path("/var/lib/tileclock")
_NAMED: Final = frozenset({"rulebook", "own_rulebooks", "board.file"})


def _last_good() -> LastGood[Settings]:
    from firmware.settings.layers import LAYERS
    from firmware.settings.named import require_usable
    from hardware.last_good import LastGood, state_folder

    return LastGood(LAYERS, require_usable, _NAMED, state_folder(STATE, os.environ), (HardwareError, TileclockError))


SETTINGS: Final = Taking("tileclock", _last_good)
