"""The sources of the station's settings: its files, and which keys are paths."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeAlias

from appliance.settings import layers
from appliance.settings.layers import BOOT_FOLDERS, Layers, is_file
from kiosk.settings.model import Settings

SYSTEM_FILE: Final = Path("/etc/tileclock/station.toml")
BOOT_FILES: Final = tuple(folder / "tilekiosk.toml" for folder in BOOT_FOLDERS)
"""The first that exists."""

Layered: TypeAlias = layers.Layered[Settings]


_ANY: Final[Callable[[str], bool]] = bool
"""Any text is a path; an empty one is none."""
_PATHS: Final = {
    "rulebook": is_file,
    "own_rulebooks": is_file,
    "divisions.rulebook": is_file,
    "divisions.lexicon": _ANY,
    "lexicon.path": _ANY,
    "lexicon.folder": _ANY,
    "lexicon.alphabet": is_file,
    "log.path": _ANY,
    "log.export": _ANY,
    "hall.socket": _ANY,
    "hall.key": _ANY,
    "hall.trust": _ANY,
    "board.file": is_file,
    "printer.port": _ANY,
}
LAYERS: Final = Layers(Settings, lambda: ((SYSTEM_FILE,), BOOT_FILES), paths=_PATHS)
load_settings: Final = LAYERS.load
merge: Final = LAYERS.merge
dump: Final = LAYERS.dump
