"""The director's settings: files and options in layers over the defaults, checked together."""

from appliance.errors import SettingsError
from firmware.settings.layers import Layered, load_settings
from firmware.settings.model import Settings

__all__ = ["Layered", "Settings", "SettingsError", "load_settings"]
