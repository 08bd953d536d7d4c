"""The settings and their defaults. What each may hold is checked here; whether a named file is there is found out when it is opened.

A path that does not begin at the root begins at the settings file that says it, an option's at the working folder (``layers``).
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, field_validator
from pydantic_core import PydanticCustomError

from appliance.display.turn import Rotation
from appliance.machine.model import MachineSettings
from appliance.settings.layers import Strict
from hardware.serial.line import Flow
from kiosk.settings.director_pin import parsed
from rules.rulebooks import DEFAULT_RULEBOOK

_NAME = "1 to 40 characters in one line, with no blank at the beginning or the end"
_HASH = "8 to 64 hex digits in small letters, as `tilelexicon info` prints them, or nothing"
Name = Annotated[str, Field(min_length=1, max_length=40, pattern=r"^\S(.*\S)?$", description=_NAME)]


class LexiconSettings(Strict):
    """Which words are acceptable."""

    path: str = "/var/lib/tilekiosk/lexicon.dawg"
    """The lexicon of the station's start, until the director chooses another."""
    folder: str = "/var/lib/tilekiosk/lexicons"
    """Where the director finds others to choose from."""
    alphabet: str = ""
    """The alphabet that a lexicon must be of (see `tilelexicon alphabets`); others are refused. Empty: any."""
    sha256: Annotated[str, Field(pattern=r"^([0-9a-f]{8,64})?$", description=_HASH)] = ""
    """How the hash of its words must begin, 8 to 64 hex digits, so that the right list is loaded (NZ 1.3). Empty: any."""


class ScreenSettings(Strict):
    """The screen both players look at."""

    kind: Literal["window", "none"] = "window"
    fullscreen: bool = True
    """Cover the whole screen, and leave no way out of it but the director's door."""
    rotate: Rotation = 0
    """By how many degrees the picture is turned clockwise, and touches with it: for a panel that is mounted on its side or upside down."""
    width: Annotated[int, Field(ge=320, le=3840)] = 800
    """Of a window that does not cover the screen, in pixels."""
    height: Annotated[int, Field(ge=320, le=3840)] = 480
    millimetres: Annotated[float, Field(ge=50, le=1000)] = 154.08
    """How wide the picture is, as players see it: targets are sized for fingers by it. By default that of the official 7-inch one; upright, 85.92."""
    large_text: bool = False
    left_handed: bool = False


class FlowSettings(Strict):
    """How a challenge goes."""

    count_first: bool = True
    """Ask for the number of words before the words."""
    idle_s: Annotated[int, Field(ge=15, le=600)] = 45
    """After so many seconds without a touch what was typed is cleared."""
    verdict_s: Annotated[int, Field(ge=1, le=120)] = 10
    """A verdict clears itself after so many seconds."""
    least_ms: Annotated[int, Field(ge=500, le=1000)] = 500
    """Nothing clears a verdict sooner (ms), and no adjudication key counts sooner after the words came up."""
    repeat_minutes: Annotated[int, Field(ge=1, le=60)] = 10
    """How long a mistyped challenge may be repeated."""
    repeats: Annotated[int, Field(ge=0, le=9)] = 2
    """How many times it may be, before only the director can help."""
    director_s: Annotated[int, Field(ge=10, le=3600)] = 120
    """How many seconds the call for the director stands on the screen."""
    judge_unlogged: bool = False
    """Go on judging where the log cannot be written. Rows are held in memory meanwhile (1000 at most) and written once it can be, marked late; a crash loses them."""


class LogSettings(Strict):
    """Where the log is kept, and where it is exported to."""

    path: str = "/var/lib/tilekiosk/station.db"
    export: str = "/var/lib/tilekiosk/export"
    """The folder that the desk exports to: for instance where a USB stick is mounted."""


class DoorSettings(Strict):
    """What opens the director's door."""

    pin: str = ""
    """As `tilekiosk config pin` makes it. Empty: no PIN opens the door."""
    key_switch: bool = False
    """The board's key switch opens it, without a PIN."""

    @field_validator("pin")
    @classmethod
    def _can_be_checked(cls, pin: str) -> str:
        try:
            return pin if not pin or parsed(pin) else ""
        except ValueError:
            # A door that no PIN opens would be found out when the director stands before it.
            raise PydanticCustomError("pin", "what `tilekiosk config pin` prints: scrypt$..., never the PIN itself") from None


class BoardSettings(Strict):
    """The button, the lamps and the key switch, if there are any."""

    file: str = "none"
    """The shipped board `station`, the path of a board file, or none."""
    pins: Literal["gpiod", "lgpio", "rpigpio", "mock", "none"] = "none"
    """The pin library; none leaves the adjudication key to keyboard and screen."""
    chip: str = ""
    """The label of the gpiochip with the pins, where it is not the one behind a Pi's header: nobody with a Pi sets it."""


class PrinterSettings(Strict):
    """The printer of challenge slips."""

    port: str = ""
    """Its serial device, such as `/dev/ttyUSB0`; or a pattern such as `/dev/serial/by-id/*Printer*`, which finds it at every socket. Empty: there is none."""
    baud: Annotated[int, Field(ge=300, le=921_600)] = 9600
    """Bits a second, as the printer's switches say."""
    flow: Flow = "none"
    """How it says that its buffer is full: not at all, by the wires (rts), or by characters (xon)."""
    profile: str = "default"
    """The printer's name in python-escpos, which tells its code pages."""
    width: Annotated[int, Field(ge=20, le=80)] = 32
    """Characters in a line: 32 on 58 mm paper, 42 or 48 on 80 mm."""
    cut: bool = False
    """It has a cutter."""


class Settings(Strict):
    """Everything a director can set."""

    name: Name = "Challenge station"
    """What the station is called on its screen, on slips and in the log."""
    language: str = "en"
    """The language that the station goes back to when nobody uses it."""
    rulebook: str = DEFAULT_RULEBOOK
    """A shipped id or the path of a file."""
    own_rulebooks: Annotated[tuple[str, ...], Field(strict=False)] = ()
    """Paths of a director's own rulebooks, offered at the desk beside the shipped ones."""
    keyboard: Literal["auto", "abc", "qwerty", "azerty", "qwertz"] = "auto"
    """The keys of the screen's keyboard; auto goes by the language."""
    lexicon: LexiconSettings = LexiconSettings()
    screen: ScreenSettings = ScreenSettings()
    flow: FlowSettings = FlowSettings()
    log: LogSettings = LogSettings()
    door: DoorSettings = DoorSettings()
    board: BoardSettings = BoardSettings()
    printer: PrinterSettings = PrinterSettings()
    machine: MachineSettings = MachineSettings()
    """What a card of `make image` takes over at its boot (docs/card.md)."""
