"""The sources of the station's settings: its files, which keys are paths, and how to load what they name, shipped or the user's own files.

Not the lexicon: a station without one shows on its screen what to do.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, TypeAlias

from appliance.settings import layers
from appliance.settings.last_good import LastGood, state_folder
from appliance.settings.layers import BOOT_FOLDERS, Layers, blame_setting, is_file, load_named
from hardware.boards.board import load_board
from hardware.boards.kinds import STATION
from hardware.settings import FORMER_PIN_LIBRARIES
from kiosk.settings.model import Settings
from kiosk.texts import load_texts
from lexicon.alphabet import load_alphabet
from rules.rulebooks import load_rulebook

SYSTEM_FILE: Final = Path("/etc/tileclock/station.toml")
BOOT_FILES: Final = tuple(folder / "tilekiosk.toml" for folder in BOOT_FOLDERS)
"""The first that exists."""
STATE: Final = Path("/var/lib/tilekiosk")
"""The station's state folder, where systemd names no other."""

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
_RETIRED: Final = "flow.count_first"
"""A key of earlier releases: an update must not refuse the settings of a station."""


def _adapted(values: Mapping[str, Any]) -> dict[str, Any]:
    adapted = {key: value for key, value in values.items() if key != _RETIRED}
    pins = adapted.get("board.pins")
    return {**adapted, "board.pins": FORMER_PIN_LIBRARIES.get(pins, pins)} if isinstance(pins, str) else adapted


LAYERS: Final = Layers(Settings, lambda: ((SYSTEM_FILE,), BOOT_FILES), paths=_PATHS, adapted=_adapted)
merge: Final = LAYERS.merge


LOADERS: Final[Mapping[str, Callable[[str], object]]] = {
    "language": load_texts,
    "rulebook": load_rulebook,
    "own_rulebooks": load_rulebook,
    "lexicon.alphabet": lambda name: name and load_alphabet(name),
    "board.file": lambda name: name == "none" or load_board(name, STATION),
}
"""For each key that names something, what loads it."""


def require_usable(layered: Layered) -> None:
    """Require that everything the settings name is usable, as at the station's start. Raises the error of its kind, with file and key if a file names it."""
    load_named(layered, LOADERS)
    with blame_setting(layered, "divisions"):
        for division in layered.settings.divisions:
            load_rulebook(division.rulebook)


def last_good() -> LastGood[Settings]:
    return LastGood(LAYERS, require_usable, frozenset(LOADERS), state_folder(STATE, os.environ))
