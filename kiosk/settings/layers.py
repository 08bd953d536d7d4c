"""Where the station's settings come from: its files; and which of them are paths."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeAlias

from hardware import settings as layers
from hardware.settings import BOOT_FOLDERS, Layers, files_of
from kiosk.settings.model import Settings

SYSTEM_FILE: Final = Path("/etc/tileclock/station.toml")
BOOT_FILES: Final = tuple(folder / "tilekiosk.toml" for folder in BOOT_FOLDERS)
"""The first that exists."""

Layered: TypeAlias = layers.Layered[Settings]


def is_file(text: str) -> bool:
    """Tell a file of one's own from the id of something shipped, as rulebooks, boards and alphabets do."""
    return text.endswith(".toml") or os.sep in text


_ANY: Final[Callable[[str], bool]] = bool
"""Every text is a path; none is none."""
_PATHS: Final = {
    "rulebook": is_file,
    "own_rulebooks": is_file,
    "lexicon.path": _ANY,
    "lexicon.folder": _ANY,
    "lexicon.alphabet": is_file,
    "log.path": _ANY,
    "log.export": _ANY,
    "board.file": is_file,
    "printer.port": _ANY,
}
_LAYERS: Final = Layers(Settings, lambda: files_of(SYSTEM_FILE, BOOT_FILES), paths=_PATHS)
load_settings: Final = _LAYERS.load
merge: Final = _LAYERS.merge
dump: Final = _LAYERS.dump
