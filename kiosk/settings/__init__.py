"""The director's settings of the station: files and options in layers over the defaults, checked together."""

from appliance.errors import SettingsError
from kiosk.settings.model import Settings
from kiosk.settings.places import Layered, load_settings

__all__ = ["Layered", "Settings", "SettingsError", "load_settings"]
