"""Settings as the station takes them at its start, and as its other verbs look at them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Final

from appliance.errors import TileclockError
from appliance.settings.source import SettingsSource
from lexicon.errors import LexiconError

if TYPE_CHECKING:
    from appliance.settings.last_good import LastGood
    from kiosk.settings import Settings

FAULTS: Final = (TileclockError, LexiconError)
"""The errors that become a sentence and exit code 2."""
STATE: Final = Path("/var/lib/tilekiosk")
_NAMED: Final = frozenset({"rulebook", "own_rulebooks", "board.file", "lexicon.alphabet"})


def _last_good() -> LastGood[Settings]:
    from appliance.settings.last_good import LastGood, state_folder
    from kiosk.settings.layers import LAYERS
    from kiosk.settings.named import require_usable

    return LastGood(LAYERS, require_usable, _NAMED, state_folder(STATE, os.environ), FAULTS)


SETTINGS: Final = SettingsSource("tilekiosk", _last_good)
