"""The settings of the station and their defaults; and their sources: the files, which keys are paths, and how to load what they name.

Values are checked here; whether a named file exists is checked on opening it. A relative path in a settings file is relative to that file, one in an option to
the working folder (``layers``). A lexicon is not loaded here: a station without one shows on its screen what to do.
"""

import os
from collections.abc import Callable, Mapping
from itertools import chain, combinations
from pathlib import Path
from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta

from appliance.display.layout import Rotation
from appliance.lock import is_hash
from appliance.machine import MachineSettings
from appliance.settings import ANY_PATH, BOOT_FOLDERS, LastGood, Layers, blame_setting, load_named, state_folder
from appliance.settings import Layered as LayeredOf
from faults.errors import Phrase
from faults.small_file import is_path
from faults.validation import Misfit, Misfits, Table, check, misfit_if
from hardware.boards.board import STATION, load_board
from hardware.settings import PinLibrary, PrinterSettings, with_present_pins
from kiosk.context import FlowSettings
from kiosk.texts import load_texts
from lexicon.alphabet import load_alphabet
from rules.rulebooks import DEFAULT_RULEBOOK, load_rulebook
from rules.tables import tables_of

_NAME = "1 to 40 characters in one line, with no blank at the beginning or the end"
_HASH = "8 to 64 hex digits in small letters, as `tilelexicon info` prints them, or nothing"
Name = Annotated[str, Meta(min_length=1, max_length=40, pattern=r"\A\S(.*\S)?\Z", description=_NAME)]


class LexiconSettings(Table, frozen=True):
    """The acceptable words."""

    path: str = "/var/lib/tilekiosk/lexicon.dawg"
    """The lexicon at startup, until the director chooses another."""
    folder: str = "/var/lib/tilekiosk/lexicons"
    """The folder with lexicons for the director to choose from."""
    alphabet: str = ""
    """The alphabet that a lexicon must have (see `tilelexicon alphabets`); the station refuses others. Empty: any."""
    sha256: Annotated[str, Meta(pattern=r"\A([0-9a-f]{8,64})?\Z", description=_HASH)] = ""
    """The first digits of the words' hash: the station refuses every other list (NZ 1.3). Empty: any list."""


class ScreenSettings(Table, frozen=True):
    """The screen both players look at."""

    kind: Literal["window", "none"] = "window"
    """Where the station draws: a window or a bare panel, or nowhere."""
    fullscreen: bool = True
    """Cover the whole screen. The director's door is then the only way out."""
    rotate: Rotation = 0
    """Degrees by which the picture and its touches are turned clockwise, for a panel that is mounted on its side or upside down."""
    width: Annotated[int, Meta(ge=320, le=3840)] = 800
    """Width in pixels of a window that does not cover the screen."""
    height: Annotated[int, Meta(ge=320, le=3840)] = 480
    """Height in pixels of a window that does not cover the screen."""
    millimetres: Annotated[float, Meta(ge=50, le=1000)] = 154.08
    """Width of the picture as players see it, in mm: it makes targets large enough for fingers. The default is the official 7-inch panel's, also if that stands upright."""
    large_text: bool = False
    """Larger letters."""
    left_handed: bool = False
    """Place what the typing hand needs on the left."""


class LogSettings(Table, frozen=True):
    """The log, and its export."""

    path: str = "/var/lib/tilekiosk/station.db"
    """The log's SQLite file."""
    export: str = "/var/lib/tilekiosk/export"
    """The folder for exports from the desk, for instance the mount point of a USB stick."""


class DoorSettings(Table, frozen=True):
    """How the director's door opens."""

    pin: str = ""
    """The director's PIN, hashed: the line that `tilekiosk config pin` prints. Empty: no PIN opens the door."""
    key_switch: bool = False
    """The board's key switch opens the door without a PIN."""
    first_test: bool = False
    """A station whose log has no challenge yet begins with the guided test, which needs no PIN; until it has a result or is left."""

    @check
    def _has_hashed_pin(self) -> Misfits:
        # Otherwise the fault would show only when the director is at the door.
        return misfit_if(
            self.pin and not is_hash(self.pin), key="pin", expected="what `tilekiosk config pin` prints: scrypt$..., never the PIN itself"
        )


class BoardSettings(Table, frozen=True):
    """The button, the lamps and the key switch, if there are any."""

    file: str = "none"
    """The shipped board `station`, the path of a board file, or none."""
    pins: PinLibrary = "none"
    """The pin library; none leaves the adjudication key to keyboard and screen."""
    chip: str = ""
    """The label of the gpiochip with the pins, where the pins are not those of a Pi's header. A Raspberry Pi needs no value."""


class SpeechSettings(Table, frozen=True):
    """A voice for players who do not see the screen: both players hear it, on an audio jack or a USB sound card. It needs espeak-ng."""

    enabled: bool = False
    """Read letters as they are typed, the words before the adjudication, and the pages."""
    verdict: bool = False
    """Read the verdict too."""
    device: str = ""
    """The name of the sound card, as SDL lists it; empty: the machine's default."""
    volume: Annotated[int, Meta(ge=1, le=100)] = 50
    """Volume in percent."""


class DivisionSettings(Table, frozen=True, kw_only=True):
    """A division of a mixed event: tables that are judged by a rulebook and a list of their own."""

    name: Name
    tables: str
    """Table numbers, such as `1-20, 25`."""
    rulebook: str = DEFAULT_RULEBOOK
    """A shipped id or the path of a file."""
    lexicon: str
    """The lexicon's file."""

    @check
    def _has_tables(self) -> Misfits:
        try:
            tables_of(self.tables)
        except ValueError:
            yield Misfit(key="tables", expected='table numbers from 1 to 999 like "1-20, 25"', remedy="Correct it")


class HallSettings(Table, frozen=True):
    """The hall's network, which a program of its own speaks with (`tilehall link`). The station judges on without it."""

    enabled: bool = False
    """Report this station to the hall."""
    socket: str = "/run/tilekiosk/hall.sock"
    """The local socket where the link connects."""
    link_user: str = "tilehall"
    """The user whose programs may connect there, besides root and the station's own."""
    trust: str = "/var/lib/tilekiosk/hall.toml"
    """The file with the hall's name and this station's credential, from the enrolment. Without it no verdict is sent to a clock."""
    key: str = "/var/lib/tilekiosk/device.pem"
    """This station's own key, which its id follows from; made where it is missing. Never give one key to two stations."""


class Settings(Table, frozen=True):
    name: Name = Phrase("Challenge station")
    """The station's name on its screen, on slips and in the log."""
    language: str = "en"
    """The language of the idle screen; players may choose another for their challenge."""
    rulebook: str = DEFAULT_RULEBOOK
    """The rulebook: a shipped id or the path of a file."""
    own_rulebooks: tuple[str, ...] = ()
    """Paths of a director's own rulebooks, offered at the desk beside the shipped ones."""
    keyboard: Literal["auto", "abc", "qwerty", "azerty", "qwertz"] = "auto"
    """The layout of the screen's keyboard; auto follows the language."""
    divisions: tuple[DivisionSettings, ...] = ()
    """The divisions of a mixed event. A table in none of them has the station's own rulebook and lexicon."""
    lexicon: LexiconSettings = LexiconSettings()
    screen: ScreenSettings = ScreenSettings()
    flow: FlowSettings = FlowSettings()
    log: LogSettings = LogSettings()
    door: DoorSettings = DoorSettings()
    board: BoardSettings = BoardSettings()
    printer: PrinterSettings = PrinterSettings()
    speech: SpeechSettings = SpeechSettings()
    hall: HallSettings = HallSettings()
    machine: MachineSettings = MachineSettings()
    """Settings that a card of `make image` applies at boot (docs/card.md)."""

    @check
    def _has_each_table_in_one_division(self) -> Misfits:
        for one, other in combinations(self.divisions, 2):
            if both := set(chain(*tables_of(one.tables))) & set(chain(*tables_of(other.tables))):
                found = Phrase("table {number} in {one} and in {other}", number=min(both), one=one.name, other=other.name)
                yield Misfit(key="divisions", expected="each table in one division", found=found, remedy="Remove it from one of them")


SYSTEM_FILE: Final = Path("/etc/tileclock/station.toml")
BOOT_FILES: Final = tuple(folder / "tilekiosk.toml" for folder in BOOT_FOLDERS)
"""The first that exists."""
STATE: Final = Path("/var/lib/tilekiosk")
"""The station's state folder, where systemd names no other."""

Layered: TypeAlias = LayeredOf[Settings]


_PATHS: Final = {
    "rulebook": is_path,
    "own_rulebooks": is_path,
    "divisions.rulebook": is_path,
    "divisions.lexicon": ANY_PATH,
    "lexicon.path": ANY_PATH,
    "lexicon.folder": ANY_PATH,
    "lexicon.alphabet": is_path,
    "log.path": ANY_PATH,
    "log.export": ANY_PATH,
    "hall.socket": ANY_PATH,
    "hall.key": ANY_PATH,
    "hall.trust": ANY_PATH,
    "board.file": is_path,
    "printer.port": ANY_PATH,
}
LAYERS: Final = Layers(Settings, lambda: ((SYSTEM_FILE,), BOOT_FILES), paths=_PATHS, adapted=with_present_pins)
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
