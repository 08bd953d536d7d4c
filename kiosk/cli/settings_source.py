"""The sources of the station's settings, for its start and for the other verbs."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Final

from appliance.settings.source import SettingsSource

if TYPE_CHECKING:
    from appliance.settings.last_good import LastGood
    from kiosk.settings import Settings

STATE: Final = Path("/var/lib/tilekiosk")


def _last_good() -> LastGood[Settings]:
    from appliance.settings.last_good import LastGood, state_folder
    from kiosk.settings.named import LOADERS, require_usable
    from kiosk.settings.places import LAYERS

    return LastGood(LAYERS, require_usable, frozenset(LOADERS), state_folder(STATE, os.environ))


SETTINGS: Final = SettingsSource("tilekiosk", _last_good)
