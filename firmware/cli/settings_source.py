"""The sources of the clock's settings, for its start and for the other verbs."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from appliance.settings.source import SettingsSource

if TYPE_CHECKING:
    from appliance.settings.last_good import LastGood
    from firmware.settings import Settings


def _last_good() -> LastGood[Settings]:
    from appliance.settings.last_good import LastGood, state_folder
    from firmware.settings.desk_file import STATE
    from firmware.settings.named import LOADERS, require_usable
    from firmware.settings.places import LAYERS

    return LastGood(LAYERS, require_usable, frozenset(LOADERS), state_folder(STATE, os.environ))


SETTINGS: Final = SettingsSource("tileclock", _last_good)
