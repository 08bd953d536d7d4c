"""The sources of the hall's settings: its files, and which keys are paths."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeAlias

from appliance.settings import layers
from appliance.settings.layers import BOOT_FOLDERS, Layers
from hall.settings.model import Settings

SYSTEM_FILE: Final = Path("/etc/tileclock/hall.toml")
BOOT_FILES: Final = tuple(folder / "tilehall.toml" for folder in BOOT_FOLDERS)
"""The first that exists."""
Layered: TypeAlias = layers.Layered[Settings]
_ANY: Final[Callable[[str], bool]] = bool
"""Any text is a path; an empty one is none."""
LAYERS: Final = Layers(
    Settings,
    lambda: ((SYSTEM_FILE,), BOOT_FILES),
    paths={
        **dict.fromkeys(
            (
                "admissions.folder",
                "admissions.socket",
                "link.socket",
                "link.folder",
                "listen.folder",
                "desk.folder",
                "desk.accounts",
                "order.folder",
                "order.key",
                "order.book",
            ),
            _ANY,
        ),
        "listen.store": lambda text: bool(text) and "://" not in text,
    },
)
