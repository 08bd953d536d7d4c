"""The settings and their defaults. Values are checked here; whether a named file exists is checked on opening it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, field

from appliance.display.layout import Rotation
from appliance.lock import parsed
from appliance.machine import MachineSettings
from faults.validation import Misfit, Table, check
from hardware.boards.kinds import ButtonName
from hardware.settings import PinLibrary
from rules.rulebooks import DEFAULT_RULEBOOK


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
    def _has_each_button_once(self) -> Iterator[Misfit]:
        # Two buttons with one function would be one contact with two edges: releasing either could end the other's press.
        if self.remap.keys() != set(self.remap.values()):
            expected = 'buttons that change places, each named once on either side: left = "right" goes with right = "left"'
            yield Misfit(key="remap", expected=expected, remedy="Correct it")


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
    def _speaks_to_earphones(self) -> Iterator[Misfit]:
        if self.speech and self.output != "earphones":
            yield Misfit(key="speech", expected='output = "earphones": no player hears the other\'s', remedy="Correct one of them")


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
    def _has_hashed_code(self) -> Iterator[Misfit]:
        try:
            if self.code:
                parsed(self.code)
        except ValueError:
            # Otherwise the fault would show only when the director is at the door.
            expected = "what `tileclock config code` prints: scrypt$..., never the code itself"
            yield Misfit(key="code", expected=expected, remedy="Correct it")


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
