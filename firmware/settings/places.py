"""The sources of the clock's settings: its files, and which keys are paths or tables that form one value."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeAlias

from appliance.settings import layers
from appliance.settings.layers import BOOT_FOLDERS, Layers, is_file
from firmware.settings.desk_file import read_desk_file
from firmware.settings.model import Settings

SYSTEM_FILE: Final = Path("/etc/tileclock/clock.toml")
BOOT_FILES: Final = tuple(folder / "tileclock.toml" for folder in BOOT_FOLDERS)
"""The first that exists."""

Layered: TypeAlias = layers.Layered[Settings]
_ANY: Final[Callable[[str], bool]] = bool
"""Any text is a path; an empty one is none."""
_PATHS: Final = {
    "rulebook": is_file,
    "own_rulebooks": is_file,
    "board.file": is_file,
    "journal.path": _ANY,
    "hall.socket": _ANY,
    "hall.key": _ANY,
    "hall.trust": _ANY,
    # Device files and patterns; unlike the station's printer port, no addresses (``socket://``).
    "led.left": _ANY,
    "led.right": _ANY,
}
LAYERS: Final = Layers(
    Settings, lambda: ((SYSTEM_FILE,), BOOT_FILES), whole=frozenset({"board.remap"}), paths=_PATHS, beneath=read_desk_file
)
load_settings: Final = LAYERS.load
merge: Final = LAYERS.merge
dump: Final = LAYERS.dump
