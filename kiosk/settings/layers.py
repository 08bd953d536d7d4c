"""Where the station's settings come from: its files."""

from __future__ import annotations

from pathlib import Path
from typing import Final, TypeAlias

from hardware import settings as layers
from hardware.settings import BOOT_FOLDERS, Layers, files_of
from kiosk.settings.model import Settings

SYSTEM_FILE: Final = Path("/etc/tileclock/station.toml")
BOOT_FILES: Final = tuple(folder / "tilekiosk.toml" for folder in BOOT_FOLDERS)
"""The first that exists."""

Layered: TypeAlias = layers.Layered[Settings]
_LAYERS: Final = Layers(Settings, lambda: files_of(SYSTEM_FILE, BOOT_FILES))
load_settings: Final = _LAYERS.load
merge: Final = _LAYERS.merge
dump: Final = _LAYERS.dump
