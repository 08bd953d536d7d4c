"""The director's settings: files and options in layers over the defaults, checked together."""

from appliance.errors import SettingsError
from firmware.settings.model import Settings
from firmware.settings.places import Layered, load_settings

__all__ = ["Layered", "Settings", "SettingsError", "load_settings"]
