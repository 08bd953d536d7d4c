"""Board profiles: which button, lamp, buzzer and serial display is wired to which pin, with which parts.

A board is a TOML file: shipped ones lie in ``boards/shipped/`` and have ids, a user's own is named by its path. Everything that opens pins starts from the
``Board`` made here, so an invalid board is rejected with one sentence before any pin is opened.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Final

from appliance.errors import BoardError
from faults.errors import Phrase
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
    """Why this pin; for the builder."""
    part: str = ""
    """The part on the pin, by its id in ``parts.toml``; empty: unknown and unchecked."""
    wire: int = 0
    """The length of the wire, in cm."""
    resistor: int = 0
    """In series with the pin, in ohms: before a button, an LED, a transistor's base or a display's input. 0: none."""
    capacitor: int = 0
    """From a button's line to ground at the Pi's end, in nF. 0: none."""
    pull_up: int = 0
    """From a button's line to 3.3 V, in ohms. 0: only the pin's own pull-up."""
    driver: str = ""
    """The transistor that switches the part; empty: the pin feeds it directly."""
    diode: str = ""
    """The diode across a coil."""

    @property
    def name(self) -> str:
        """The pin's name for gpiozero."""
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
    """One serial display of a board and its port."""

    port: str
    """The device, or a pattern such as ``/dev/ttyUSB*``, used if ``tx`` is None or the Pi has no UART on that pin: usually a USB adaptor.
    ``hardware.boards.pis.display_port`` decides."""
    tx: int | None = None
    """The GPIO (BCM) number that sends to it; None: always on an adaptor."""
    baud: int = 9600
    """Baud rate."""
    note: str = ""
    """Why there; for the builder."""
    rx: int | None = None
    """The GPIO number wired to the module's own TX; should be None, since nothing reads it."""
    part: str = ""
    wire: int = 0
    """The length of the wire, in cm."""
    resistor: int = 0
    """In series with ``tx``, in ohms."""


@dataclass(frozen=True, slots=True)
class Board:
    """A checked board: no pin is used twice, and everything its kind needs is present."""

    id: str
    """The file's name without ``.toml``."""
    title: str
    kind: Kind
    buttons: Mapping[str, PinSpec]
    lamps: Mapping[str, PinSpec]
    buzzer: PinSpec | None
    displays: Mapping[str, DisplaySpec] = field(default_factory=lambda: MappingProxyType({}))
    """The serial displays by the player they face: both ``left`` and ``right``, or none with a screen."""
    power: PinSpec | None = None
    """The button that switches the Pi off and on: the kernel reads it (``dtoverlay=gpio-shutdown``), our programs do not open it."""
    parts: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    """Further parts by their id in ``parts.toml``: the number of pieces or metres."""

    def pins(self) -> Iterator[tuple[str, PinSpec]]:
        """Yield every pin that programs open, with its key in the file, such as ``buttons.left``; not serial ports and the power button."""
        for name, pin in self.buttons.items():
            yield f"buttons.{name}", pin
        for name, pin in self.lamps.items():
            yield f"lamps.{name}", pin
        if self.buzzer is not None:
            yield "buzzer", self.buzzer

    def wired(self) -> Iterator[tuple[str, int]]:
        """Yield every wired GPIO number with its key: opened pins, power button, serial displays."""
        for user, pin in self.pins():
            yield user, pin.gpio
        if self.power is not None:
            yield "power", self.power.gpio
        for name, display in self.displays.items():
            for end, gpio in (("tx", display.tx), ("rx", display.rx)):
                if gpio is not None:
                    yield f"displays.{name}.{end}", gpio


def shipped_boards(appliance: Appliance | None = None) -> tuple[str, ...]:
    """Return the ids of the shipped boards: those of one appliance, or all."""
    files = sorted(_SHIPPED.glob("*.toml"))
    return tuple(file.stem for file in files if appliance is None or read(file, "").get("kind") in appliance.kinds)


def load_board(id_or_path: str | Path, appliance: Appliance | None = None) -> Board:
    """Return a shipped board by its id, or another by its path (anything with a slash or ``.toml``).

    Args:
        id_or_path: of the board.
        appliance: the appliance it must fit; None accepts any board.

    Raises:
        BoardError: the file is missing, not TOML, not a valid board, or for another appliance.
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
            expected=Phrase("the board of a {appliance} ({kinds})", appliance=Phrase(appliance.name), kinds=listed(appliance.kinds)),
            found=repr(file.kind),
            remedy=Phrase("Name a shipped board ({boards}), or a file of that kind", boards=listed(shipped_boards(appliance))),
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
        expected=Phrase("a shipped board ({boards}) or the path of a board file", boards=listed(shipped_boards(appliance))),
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
                found=Phrase("{pin} for both {one} and {other}", pin=PinSpec(gpio, ""), one=users[gpio], other=user),
                remedy="Give one of them another pin",
            )
        users[gpio] = user
    ports = [display.port for display in board.displays.values()]
    if len(set(ports)) < len(ports):
        raise BoardError(
            where=f"{path}: displays",
            expected="a port for each",
            found=Phrase("{port} for both", port=repr(ports[0])),
            remedy="Give one of them its own",
        )


def _check_complete(path: Path, board: Board) -> None:
    if len(board.displays) == 1:
        (side,) = board.displays
        other = next(name for name in MAKES[board.kind].displays if name != side)
        raise BoardError(
            where=f"{path}: displays",
            expected="one for each player",
            found=Phrase("{side} alone", side=side),
            remedy=Phrase("Add [displays.{side}] with its port, or take both out", side=other),
        )
    needed = MAKES[board.kind].needed
    missing = [name for name in needed if name not in board.buttons]
    if not missing:
        return
    two = board.kind == "full" and not set(missing) & set(MAKES["two-button"].needed)
    add = 'Add [buttons.{button}] with its gpio, or say kind = "two-button"' if two else "Add [buttons.{button}] with its gpio"
    raise BoardError(
        where=f"{path}: kind",
        expected=Phrase("the buttons {buttons} on a {kind} board", buttons=listed(needed), kind=board.kind),
        found=Phrase("no {buttons}", buttons=listed(missing)),
        remedy=Phrase(add, button=missing[0]),
    )
