"""Where the clock's settings come from: its files, and what of its model is one value though it is a table."""

from __future__ import annotations

from pathlib import Path
from typing import Final, TypeAlias

from firmware.settings.model import Settings
from hardware import settings as layers
from hardware.settings import BOOT_FOLDERS, Layers, files_of

SYSTEM_FILE: Final = Path("/etc/tileclock/clock.toml")
BOOT_FILES: Final = tuple(folder / "tileclock.toml" for folder in BOOT_FOLDERS)
"""The first that exists."""

Layered: TypeAlias = layers.Layered[Settings]
_LAYERS: Final = Layers(Settings, lambda: files_of(SYSTEM_FILE, BOOT_FILES), whole=frozenset({"board.remap"}))
load_settings: Final = _LAYERS.load
merge: Final = _LAYERS.merge
dump: Final = _LAYERS.dump
