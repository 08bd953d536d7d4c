"""Where the clock's settings come from: its files, and what of its model is one value though it is a table."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, TypeAlias

from firmware.settings.model import Settings
from hardware import settings as layers
from hardware.settings import BOOT_FOLDERS, Layers, files_of

SYSTEM_FILE: Final = Path("/etc/tileclock/clock.toml")
BOOT_FILES: Final = tuple(folder / "tileclock.toml" for folder in BOOT_FOLDERS)
"""The first that exists."""

Layered: TypeAlias = layers.Layered[Settings]
_LAYERS: Final = Layers(Settings, whole=frozenset({"board.remap"}))
merge: Final = _LAYERS.merge
dump: Final = _LAYERS.dump


def load_settings(options: Mapping[str, Any], file: Path | None = None) -> Layered:
    """Return the settings of this machine.

    Args:
        options: dotted keys from the command line; None values are not given.
        file: read this file in place of those of the system and the boot partition.

    Raises:
        SettingsError: a file that cannot be read or a value that is not allowed: file, key, found, allowed.
    """
    return _LAYERS.load(options, [file] if file is not None else files_of(SYSTEM_FILE, BOOT_FILES))
