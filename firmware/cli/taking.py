"""Settings as the clock takes them at its start: the machine's files, or where these cannot be used the last good ones.

A file that is named with ``--settings`` is taken or refused, never replaced: whoever named it is there to read why.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from firmware.errors import TileclockError
from firmware.settings import Layered, load_settings
from firmware.settings.layers import LAYERS
from hardware.errors import HardwareError
from hardware.last_good import LastGood, state_folder

STATE: Final = Path("/var/lib/tileclock")
_NAMED: Final = frozenset({"rulebook", "own_rulebooks", "board.file"})


def take(options: Mapping[str, Any], file: Path | None = None) -> Layered:
    """Return the settings to run with.

    Args:
        options: dotted keys from the command line; None values are not given.
        file: read this file in place of the machine's.

    Raises:
        TileclockError, HardwareError: ``file`` or an option cannot be used.
    """
    from firmware.shell.assemble import setup_of

    if file is not None:
        return load_settings(options, file)
    faults = (HardwareError, TileclockError)
    return LastGood(LAYERS, setup_of, _NAMED, state_folder(STATE, os.environ), faults).take(options)
