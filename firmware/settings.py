"""The settings of the clock and their defaults; and their sources: the files, which keys are paths or tables that form one value, and how to load what they name.

Values are checked here; whether a named file exists is checked on opening it. A setting names a language, a rulebook or a board: a shipped one, or the user's own file.

What the director's desk has ordered is a small file in the state folder, above the defaults and below the owner's files. Only the clock writes it. It
may hold the settings of ``DESK_SETTINGS`` and no others; with any fault all of it is left out, and the clock starts all the same.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, TypeAlias

from msgspec import Meta, Struct, field

from appliance.display.layout import Rotation
from appliance.errors import Diagnosis, SettingsError
from appliance.lock import is_hash
from appliance.log import get_logger
from appliance.machine import MachineSettings
from appliance.records.files import write_whole
from appliance.settings import ANY_PATH, BOOT_FOLDERS, Beneath, LastGood, Layers, load_named, state_folder
from appliance.settings import Layered as LayeredOf
from faults.errors import Phrase, TileclockError
from faults.small_file import is_path
from faults.validation import Misfits, Table, check, misfit_if
from firmware.texts import load_texts
from hardware.boards.board import CLOCK, ButtonName, load_board
from hardware.settings import PinLibrary, with_present_pins
from rules.rulebooks import DEFAULT_RULEBOOK, load_rulebook

if TYPE_CHECKING:
    from wire.proposals import SettingValue


class BoardSettings(Table, frozen=True):
    """The board with its pins."""

    file: str = "full"
    """A shipped board (full, two-button, two-display, two-display-i2c) or the path of a board file."""
    pins: PinLibrary = "gpiod"
    """The pin library; none plays with keyboard and mouse."""
    chip: str = ""
    """The label of the gpiochip with the pins, where the pins are not those of a Pi's header. A Raspberry Pi needs no value."""
    remap: dict[ButtonName, ButtonName] = field(default_factory=dict)
    """Buttons that exchange their functions: ``left = "right"`` with ``right = "left"`` turns the board around."""

    @check
    def _has_each_button_once(self) -> Misfits:
        # Two buttons with one function would be one contact with two edges: releasing either could end the other's press.
        return misfit_if(
            self.remap.keys() != set(self.remap.values()),
            key="remap",
            expected='buttons that change places, each named once on either side: left = "right" goes with right = "left"',
        )


class ScreenSettings(Table, frozen=True):
    """The screen both players look at."""

    kind: Literal["window", "terminal", "none"] = "window"
    """Where the clock draws: a window or a bare panel, a terminal, or nowhere (LED displays alone)."""
    layout: Literal["facing", "side_by_side", "single"] = "facing"
    """Facing: the panel lies flat between the players, each half towards its player. Side by side: both halves upright. Single: one player's half only."""
    side: Literal["left", "right"] = "right"
    """Whose half a single screen shows."""
    fullscreen: bool = True
    """Cover the whole screen."""
    rotate: Rotation = 0
    """Degrees by which the picture and its touches are turned clockwise, for a panel that is mounted on its side or upside down."""
    digits_alone: bool = False
    """In a window, while a clock runs and the face asks for nothing, show the digits alone, as large as the half allows."""
    width: Annotated[int, Meta(ge=320, le=3840)] = 1024
    """Width in pixels of a window that does not cover the screen."""
    height: Annotated[int, Meta(ge=240, le=2160)] = 600
    """Height in pixels of a window that does not cover the screen."""


Ports: TypeAlias = tuple[Annotated[str, Meta(min_length=1, description="the path of a port in quotes")], ...]
"""The places of a serial device, the likeliest first."""


class LedSettings(Table, frozen=True):
    """The LED displays, one facing each player: beside a screen, or in its place."""

    enabled: bool = True
    """Use the displays that the board or this table names."""
    left: Ports = ()
    """The left player's port: a device file such as ``/dev/ttyUSB0``, a pattern such as ``/dev/serial/by-id/*left*``, an address on an I2C bus such as ``/dev/i2c-7@0x70``,
    or a list of them. Empty: the board's port."""
    right: Ports = ()
    """The right player's port, likewise."""
    brightness: Annotated[int, Meta(ge=0, le=100)] = 100
    """Brightness in percent."""


class JournalSettings(Table, frozen=True):
    """The journal's place."""

    path: str = "/var/lib/tileclock/journal.db"
    """The journal's SQLite file."""


class BuzzerSettings(Table, frozen=True):
    """The buzzer, silent by default."""

    enabled: bool = False
    """Sound the buzzer."""


class SteadySettings(Table, frozen=True):
    """Buttons for hands that tremble; by default each press counts."""

    press_ms: Annotated[int, Meta(ge=0, le=400)] = 0
    """How many milliseconds a press must last to count. Its act appears that much later, and counts from its first edge."""
    guard_ms: Annotated[int, Meta(ge=0, le=1000)] = 0
    """For how many milliseconds after a press the same button begins no other."""


class SoundSettings(Table, frozen=True):
    """Tones on an audio jack or a USB sound card, silent by default."""

    output: Literal["none", "loudspeaker", "earphones"] = "none"
    """Who hears them: both players by a loudspeaker, which sounds the end of a window, of a limited turn and of a player's time; or each by one earphone of a pair (left
    and right channel), which sounds besides when the own clock starts, has two minutes left, and is another minute over, and warns of a turn's end."""
    device: str = ""
    """The name of the sound card, as SDL lists it; empty: the machine's default."""
    volume: Annotated[int, Meta(ge=1, le=100)] = 50
    """Volume in percent."""
    speech: tuple[Literal["left", "right"], ...] = ()
    """The players whom the clock speaks to, in their own earphone: what their half says anew, and both times on request. It needs espeak-ng."""

    @check
    def _speaks_to_earphones(self) -> Misfits:
        return misfit_if(
            self.speech and self.output != "earphones",
            key="speech",
            expected='output = "earphones": no player hears the other\'s',
            remedy="Correct one of them",
        )


class DirectorSettings(Table, frozen=True):
    """What is the director's to decide."""

    code: str = ""
    """The code of the director's door on a two-button board, hashed: the line that `tileclock config code` prints. Empty: the door opens without one."""
    players_choose_rulebook: bool = False
    """The players' table menu offers the rulebooks for the next game."""
    results: Literal["paper", "clock"] = "paper"
    """Where the players sign the result of a game: on a slip, or on the clock, whose menu then offers it."""
    first_test: bool = False
    """Before its first game the clock begins its guided test by itself, until it has a result or somebody leaves it."""

    @check
    def _has_hashed_code(self) -> Misfits:
        # Otherwise the fault would show only when the director is at the door.
        return misfit_if(
            self.code and not is_hash(self.code),
            key="code",
            expected="what `tileclock config code` prints: scrypt$..., never the code itself",
        )


class HallSettings(Table, frozen=True):
    """The hall's network, which a program of its own speaks with (`tilehall link`). The table plays on without it."""

    enabled: bool = False
    """Report this table to the hall."""
    name: Annotated[str, Meta(max_length=40, pattern=r"\A(\S(.*\S)?)?\Z", description="at most 40 characters in one line")] = ""
    """What the hall calls this clock, for instance what is written on its case."""
    table: Annotated[int, Meta(ge=0, le=999)] = 0
    """The number of the table that the clock stands at; 0: none. The desk may assign another one between games."""
    socket: str = "/run/tileclock/hall.sock"
    """The local socket where the link connects."""
    link_user: str = "tilehall"
    """The user whose programs may connect there, besides root and the clock's own."""
    freeze: Literal["advisory", "hard"] = "advisory"
    """What an order to stop does here: `advisory` asks the players, `hard` stops a running clock too. Nothing from the network ever starts one."""
    arrival: bool = False
    """Before a game whose players the desk has named, each presses the own button once on arrival: the desk lists who is missing."""
    updates: bool = False
    """Let an order of the director's desk install, between games, the newer packages that this machine's own package sources offer. The desk cannot change this."""
    trust: str = "/var/lib/tileclock/hall.toml"
    """The file with the keys of the hall and of its director, from the enrolment. Without it no message of the hall counts."""
    key: str = "/var/lib/tileclock/device.pem"
    """This clock's own key, which its id follows from; made where it is missing. Never give one key to two clocks."""


class Settings(Table, frozen=True):
    rulebook: str = DEFAULT_RULEBOOK
    """The rulebook of the first game: a shipped id or the path of a file."""
    own_rulebooks: tuple[str, ...] = ()
    """Paths of a director's own rulebooks, offered in the menu beside the shipped ones."""
    language: str = "en"
    """The language of the screen."""
    board: BoardSettings = BoardSettings()
    screen: ScreenSettings = ScreenSettings()
    led: LedSettings = LedSettings()
    journal: JournalSettings = JournalSettings()
    buzzer: BuzzerSettings = BuzzerSettings()
    steady: SteadySettings = SteadySettings()
    sound: SoundSettings = SoundSettings()
    director: DirectorSettings = DirectorSettings()
    hall: HallSettings = HallSettings()
    machine: MachineSettings = MachineSettings()
    """Settings that a card of `make image` applies at boot (docs/card.md)."""


Layered: TypeAlias = LayeredOf[Settings]
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
