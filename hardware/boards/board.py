"""Board profiles: which button, lamp, buzzer and serial display hangs on which pin, and by what parts.

A board is a TOML file: the shipped ones lie in ``boards/`` and are known by name, a director's own works by its path. Everything that opens pins starts
from the ``Board`` made here, so a board that cannot work is refused with one sentence before any pin is touched.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Final

from appliance.errors import BoardError
from appliance.phrase import Phrase
from hardware.boards.file import File, checked, listed, read
from hardware.boards.header import BUSES, header_pin
from hardware.boards.kinds import MAKES, Appliance, Kind
from hardware.boards.names import check_names, check_parts

_SHIPPED: Final = Path(__file__).parent / "shipped"


@dataclass(frozen=True, slots=True)
class PinSpec:
    """One pin of a board."""

    gpio: int
    """The GPIO (BCM) number, 2 to 27."""
    note: str
    """Why this pin, for whoever wires it."""
    part: str = ""
    """What hangs on it, by its id in ``parts.toml``; empty where the file does not say, and then nothing of it is checked."""
    wire: int = 0
    """How far it is, in cm."""
    resistor: int = 0
    """In series with the pin, in ohms: before a button, a led, a transistor's base, a display's input. 0 is none."""
    capacitor: int = 0
    """From a button's line to ground at the Pi's end, in nF. 0 is none."""
    pull_up: int = 0
    """From a button's line to 3.3 V, in ohms. 0 leaves it to the pin's own."""
    driver: str = ""
    """The transistor that switches it; empty: the pin feeds it."""
    diode: str = ""
    """The diode across a coil."""

    @property
    def name(self) -> str:
        """The pin's name as gpiozero takes it."""
        return f"GPIO{self.gpio}"

    @property
    def freed_by(self) -> Phrase:
        """What frees the pin where something else holds it, as the beginning of a remedy."""
        bus = BUSES.get(self.gpio)
        if bus is None:
            return Phrase("End the program that holds the pin")
        return Phrase("Turn {bus} off in config.txt, end the program that holds the pin", bus=bus)

    def __str__(self) -> str:
        return f"{self.name} (header pin {header_pin(self.gpio)})"


@dataclass(frozen=True, slots=True)
class DisplaySpec:
    """One serial display of a board: which port talks to it, and where it hangs."""

    port: str
    """The device it hangs on where ``tx`` is None, or where the Pi has no UART on that pin: as a rule a USB adaptor's;
    or a pattern, such as ``/dev/ttyUSB*``. ``hardware.boards.pis.display_port`` decides."""
    tx: int | None = None
    """The GPIO (BCM) number that sends to it; None where it hangs on an adaptor on every Pi."""
    baud: int = 9600
    """Bits a second."""
    note: str = ""
    """Why there, for whoever wires it."""
    rx: int | None = None
    """The GPIO number that the module's own TX is wired to; None, as it should be: nothing listens to it."""
    part: str = ""
    wire: int = 0
    """How far it is, in cm."""
    resistor: int = 0
    """In series with ``tx``, in ohms."""


@dataclass(frozen=True, slots=True)
class Board:
    """A checked board: no pin is used twice, and all its kind needs is there."""

    id: str
    """The file's name without ``.toml``."""
    title: str
    kind: Kind
    buttons: Mapping[str, PinSpec]
    lamps: Mapping[str, PinSpec]
    buzzer: PinSpec | None
    displays: Mapping[str, DisplaySpec] = field(default_factory=lambda: MappingProxyType({}))
    """The serial displays by the player they face: both ``left`` and ``right``, or none where there is a screen."""
    power: PinSpec | None = None
    """The button that switches the Pi off and on: the kernel listens to it (``dtoverlay=gpio-shutdown``), no program of ours opens it."""
    parts: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    """What it is built of besides, by the id in ``parts.toml``: how many, or how many metres."""

    def pins(self) -> Iterator[tuple[str, PinSpec]]:
        """Yield every pin that is opened, with its user as the file names it, such as ``buttons.left``; serial ports and the power button are none."""
        for name, pin in self.buttons.items():
            yield f"buttons.{name}", pin
        for name, pin in self.lamps.items():
            yield f"lamps.{name}", pin
        if self.buzzer is not None:
            yield "buzzer", self.buzzer

    def wired(self) -> Iterator[tuple[str, int]]:
        """Yield every GPIO number that something hangs on with its user: the pins that are opened, the power button, the serial displays."""
        for user, pin in self.pins():
            yield user, pin.gpio
        if self.power is not None:
            yield "power", self.power.gpio
        for name, display in self.displays.items():
            for end, gpio in (("tx", display.tx), ("rx", display.rx)):
                if gpio is not None:
                    yield f"displays.{name}.{end}", gpio


def shipped_boards(appliance: Appliance | None = None) -> tuple[str, ...]:
    """Return the ids of the boards that come with Tileclock: those of one appliance, or all."""
    files = sorted(_SHIPPED.glob("*.toml"))
    return tuple(file.stem for file in files if appliance is None or read(file, "").get("kind") in appliance.kinds)


def load_board(id_or_path: str | Path, appliance: Appliance | None = None) -> Board:
    """Return a board by the id of a shipped one or by the path of a file (anything with a slash or ``.toml`` in it).

    Args:
        id_or_path: which one.
        appliance: what it is to hang on; None takes any board.

    Raises:
        BoardError: the file is not there, is not TOML, does not describe a board that can work, or describes one of another appliance.
    """
    path = _locate(id_or_path, appliance)
    return _shipped(path, appliance) if path.parent == _SHIPPED else _load(path, appliance)


@functools.cache
def _shipped(path: Path, appliance: Appliance | None) -> Board:
    return _load(path, appliance)


def _load(path: Path, appliance: Appliance | None) -> Board:
    file = checked(path, read(path, listed(shipped_boards(appliance)) if path.parent != _SHIPPED else ""))
    if appliance is not None and file.kind not in appliance.kinds:
        raise BoardError(
            where=f"{path}: kind",
            expected=f"the board of a {appliance.name} ({listed(appliance.kinds)})",
            found=repr(file.kind),
            remedy=f"Name a shipped board ({listed(shipped_boards(appliance))}), or a file of that kind",
        )
    check_names(path, file)
    check_parts(path, file)
    board = _board(path, file)
    _check_pins_differ(path, board)
    _check_complete(path, board)
    return board


def _locate(id_or_path: str | Path, appliance: Appliance | None) -> Path:
    asked = str(id_or_path)
    if asked in shipped_boards():
        return _SHIPPED / f"{asked}.toml"
    if isinstance(id_or_path, Path) or "/" in asked or asked.endswith(".toml"):
        return Path(id_or_path)
    raise BoardError(
        expected=f"a shipped board ({listed(shipped_boards(appliance))}) or the path of a board file",
        found=repr(asked),
        remedy="Name one of these",
    )


def _board(path: Path, file: File) -> Board:
    return Board(
        id=path.stem,
        title=file.title,
        kind=file.kind,
        buttons=MappingProxyType({name: PinSpec(**pin.model_dump()) for name, pin in file.buttons.items()}),
        lamps=MappingProxyType({name: PinSpec(**pin.model_dump()) for name, pin in file.lamps.items()}),
        buzzer=None if file.buzzer is None else PinSpec(**file.buzzer.model_dump()),
        displays=MappingProxyType({name: DisplaySpec(**display.model_dump()) for name, display in file.displays.items()}),
        power=None if file.power is None else PinSpec(**file.power.model_dump()),
        parts=MappingProxyType(dict(file.parts)),
    )


def _check_pins_differ(path: Path, board: Board) -> None:
    users: dict[int, str] = {}
    for user, gpio in board.wired():
        if gpio in users:
            raise BoardError(
                where=path,
                expected="every pin once",
                found=f"{PinSpec(gpio, '')} for both {users[gpio]} and {user}",
                remedy="Give one of them another pin",
            )
        users[gpio] = user
    ports = [display.port for display in board.displays.values()]
    if len(set(ports)) < len(ports):
        raise BoardError(
            where=f"{path}: displays", expected="a port for each", found=f"{ports[0]!r} for both", remedy="Give one of them its own"
        )


def _check_complete(path: Path, board: Board) -> None:
    if len(board.displays) == 1:
        (side,) = board.displays
        other = next(name for name in MAKES[board.kind].displays if name != side)
        raise BoardError(
            where=f"{path}: displays",
            expected="one for each player",
            found=f"{side} alone",
            remedy=f"Add [displays.{other}] with its port, or take both out",
        )
    needed = MAKES[board.kind].needed
    missing = [name for name in needed if name not in board.buttons]
    if not missing:
        return
    remedy = f"Add [buttons.{missing[0]}] with its gpio"
    if board.kind == "full" and not set(missing) & set(MAKES["two-button"].needed):
        remedy += ', or say kind = "two-button"'
    raise BoardError(
        where=f"{path}: kind",
        expected=f"the buttons {listed(needed)} on a {board.kind} board",
        found=f"no {listed(missing)}",
        remedy=remedy,
    )
