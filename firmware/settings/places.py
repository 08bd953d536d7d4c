"""The sources of the clock's settings: its files, which keys are paths or tables that form one value, and what loads what a setting names.

A setting names a language, a rulebook or a board: a shipped one, or the user's own file.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, TypeAlias

from appliance.settings import layers
from appliance.settings.last_good import LastGood, state_folder
from appliance.settings.layers import BOOT_FOLDERS, Layers, load_named
from faults.small_file import is_path
from firmware.settings.desk_file import STATE, read_desk_file
from firmware.settings.model import Settings
from firmware.texts import load_texts
from hardware.boards.board import load_board
from hardware.boards.kinds import CLOCK
from hardware.settings import FORMER_PIN_LIBRARIES
from rules.rulebooks import load_rulebook

SYSTEM_FILE: Final = Path("/etc/tileclock/clock.toml")
BOOT_FILES: Final = tuple(folder / "tileclock.toml" for folder in BOOT_FOLDERS)

Layered: TypeAlias = layers.Layered[Settings]
_ANY: Final[Callable[[str], bool]] = bool
"""Any text is a path; an empty one is none."""
_PATHS: Final = {
    "rulebook": is_path,
    "own_rulebooks": is_path,
    "board.file": is_path,
    "journal.path": _ANY,
    "hall.socket": _ANY,
    "hall.key": _ANY,
    "hall.trust": _ANY,
    # Device files and patterns; unlike the station's printer port, no addresses (``socket://``).
    "led.left": _ANY,
    "led.right": _ANY,
}


def _adapted(values: Mapping[str, Any]) -> dict[str, Any]:
    adapted = dict(values)
    for key, value in values.items():
        if key == "board.pins" and isinstance(value, str):
            adapted[key] = FORMER_PIN_LIBRARIES.get(value, value)
        elif key in {"led.left", "led.right"} and isinstance(value, str):
            adapted[key] = (value,)
    return adapted


LAYERS: Final = Layers(
    Settings, lambda: ((SYSTEM_FILE,), BOOT_FILES), whole=frozenset({"board.remap"}), paths=_PATHS, adapted=_adapted, beneath=read_desk_file
)
merge: Final = LAYERS.merge


LOADERS: Final[Mapping[str, Callable[[str], object]]] = {
    "language": load_texts,
    "rulebook": load_rulebook,
    "own_rulebooks": load_rulebook,
    "board.file": lambda name: load_board(name, CLOCK),
}


def require_usable(layered: Layered) -> None:
    """Require that everything the settings name is usable, as at the clock's start. Raises TileclockError, with file and key if a file names it."""
    load_named(layered, LOADERS)


def last_good() -> LastGood[Settings]:
    return LastGood(LAYERS, require_usable, frozenset(LOADERS), state_folder(STATE, os.environ))
