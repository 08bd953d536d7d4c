"""The sources of the clock's settings: its files, which keys are paths or tables that form one value, and what loads what a setting names.

A setting names a language, a rulebook or a board: a shipped one, or the user's own file.

What the director's desk has ordered is a small file in the state folder, above the defaults and below the owner's files. Only the clock writes it. It
may hold the settings of ``DESK_SETTINGS`` and no others; with any fault all of it is left out, and the clock starts all the same.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from msgspec import Struct

from appliance.errors import Diagnosis, SettingsError
from appliance.log import get_logger
from appliance.records.files import write_whole
from appliance.settings import layers
from appliance.settings.last_good import LastGood, state_folder
from appliance.settings.layers import ANY_PATH, BOOT_FOLDERS, Beneath, Layers, load_named
from faults.errors import Phrase, TileclockError
from faults.small_file import is_path
from firmware.settings.model import Settings
from firmware.texts import load_texts
from hardware.boards.board import load_board
from hardware.boards.kinds import CLOCK
from hardware.settings import with_present_pins
from rules.rulebooks import load_rulebook

if TYPE_CHECKING:
    from wire.proposals import SettingValue

Layered: TypeAlias = layers.Layered[Settings]
STATE: Final = Path("/var/lib/tileclock")
"""The clock's state folder, where systemd names no other."""
_MAX_BYTES: Final = 8_192
"""Far more than the clock writes. The parser would take minutes for a large file of long keys, before each first picture."""
_REMEDY: Final = "Send the settings again from the director's desk, or delete the file"
_HEADER: Final = "# Written by the clock, as the director's desk ordered. The clock's own settings files come before it.\n"


def desk_path() -> Path:
    return state_folder(STATE, os.environ) / "desk.toml"


def read_desk_file(path: Path | None = None) -> Beneath:
    """Return what the desk has ordered before; nothing where there is no file at ``path`` (None: the clock's own), or an unusable one, with the reason."""
    path = path or desk_path()
    # A command of another user may not look into the state folder; what it does is no matter of the desk.
    if not os.path.exists(path):  # noqa: PTH110 - Path.exists raises where there is no right to look
        return Beneath()
    try:
        return Beneath((str(path), _checked(path)))
    except TileclockError as error:
        why = Diagnosis(Diagnosis.of(error).problem, _REMEDY)
        get_logger().warning("the settings of the director's desk are left out", why=str(why))
        return Beneath(fault=why)


def _allowed() -> frozenset[str]:
    from wire.proposals import DESK_SETTINGS  # noqa: PLC0415 - a clock without a hall imports nothing of one

    return frozenset(DESK_SETTINGS.values())


def _checked(path: Path) -> Mapping[str, Any]:
    # If the size is unknown, the read reports why.
    with suppress(OSError):
        if (size := path.stat().st_size) > _MAX_BYTES:
            raise SettingsError(where=path, expected=Phrase("at most {size} bytes", size=_MAX_BYTES), found=str(size))
    layers = Layers(Settings, tuple)
    origin, values = layers.own(path)
    if strange := sorted(values.keys() - _allowed()):
        raise SettingsError(where=path, expected="settings that the desk may change", found=strange[0])
    settings = layers.merge([(origin, values)]).settings
    try:
        load_texts(settings.language)
    except TileclockError as error:
        error.locate(f"{path}: language")
        raise
    return values


class DeskFile(Struct, frozen=True):
    path: Path
    on_card: frozenset[str]
    """The settings that the owner's files or the options set, by name: the file cannot change those."""

    def keep(self, settings: Mapping[str, SettingValue]) -> None:
        """Add ``settings`` to those in the file. They are on the disk when it returns. Raises OSError: they cannot be written."""
        kept = dict(read_desk_file(self.path).layer[1]) | dict(settings)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        # JSON's strings, integers and booleans are TOML's too.
        lines = (f"{name} = {json.dumps(value)}\n" for name, value in sorted(kept.items()))
        # A clock that root has started by hand must leave a file that the service's user can read.
        write_whole(self.path, (_HEADER + "".join(lines)).encode(), for_owner=True)


def desk_file(layered: Layered) -> DeskFile:
    path = desk_path()
    return DeskFile(path, frozenset(name for name in _allowed() & layered.origins.keys() if layered.origins[name] != str(path)))


SYSTEM_FILE: Final = Path("/etc/tileclock/clock.toml")
BOOT_FILES: Final = tuple(folder / "tileclock.toml" for folder in BOOT_FOLDERS)

_PATHS: Final = {
    "rulebook": is_path,
    "own_rulebooks": is_path,
    "board.file": is_path,
    "journal.path": ANY_PATH,
    "hall.socket": ANY_PATH,
    "hall.key": ANY_PATH,
    "hall.trust": ANY_PATH,
    # Device files and patterns; unlike the station's printer port, no addresses (``socket://``).
    "led.left": ANY_PATH,
    "led.right": ANY_PATH,
}


def _adapted(values: Mapping[str, Any]) -> dict[str, Any]:
    one_port = {key: (value,) for key, value in values.items() if key in {"led.left", "led.right"} and isinstance(value, str)}
    return with_present_pins({**values, **one_port})


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
