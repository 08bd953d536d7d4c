"""What a director can set: files and options in layers over the defaults, checked as one."""

from firmware.settings.layers import Layered, load_settings
from firmware.settings.model import Settings
from hardware.errors import SettingsError

__all__ = ["Layered", "Settings", "SettingsError", "load_settings"]
