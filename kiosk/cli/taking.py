"""Settings as the station takes them at its start: the machine's files, or where these cannot be used the last good ones.

A file that is named with ``--settings`` is taken or refused, never replaced: whoever named it is there to read why.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from kiosk.cli.errors import Guarded

if TYPE_CHECKING:
    from kiosk.settings import Layered

STATE: Final = Path("/var/lib/tilekiosk")
_NAMED: Final = frozenset({"rulebook", "own_rulebooks", "board.file", "lexicon.alphabet"})


def take(options: Mapping[str, Any], file: Path | None = None) -> Layered:
    """Return the settings to run with.

    Args:
        options: dotted keys from the command line; None values are not given.
        file: read this file in place of the machine's.

    Raises:
        HardwareError, RulebookError, LexiconError: ``file`` or an option cannot be used.
    """
    from hardware.last_good import LastGood, state_folder
    from kiosk.settings import load_settings
    from kiosk.settings.layers import LAYERS
    from kiosk.settings.named import require_usable

    if file is not None:
        return load_settings(options, file)
    return LastGood(LAYERS, require_usable, _NAMED, state_folder(STATE, os.environ), Guarded.refused).take(options)
