"""Board profiles: which button, lamp, buzzer and serial display is wired to which pin, with which parts, on which Raspberry Pi.

A board is a TOML file: shipped ones lie in ``boards/shipped/`` and have ids, a user's own is named by its path. Everything that opens pins starts from the
``Board`` made here, so an invalid board is rejected with one sentence before any pin is opened: first each key and value, then the names against the board's kind
and the parts against their place, then the board as a whole.

A button's or lamp's name means the same on every board, so each appliance has its own list: a station's board has no ``left``, a clock's no ``adjudicate``.
"""

import functools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, Final, Literal, get_args

from msgspec import Meta, Struct, field

from appliance.errors import BoardError
from faults.errors import Phrase, reason
from faults.small_file import read_small, toml_in
from faults.validation import InvalidTable, Misfit, Misfits, Table, check, either, misfit_if, read_table
from hardware.boards.parts import BUSES, HEADER, Sort, of_sorts, parts
from hardware.settings import I2C_PORT
from rules.side import Side

ButtonName = Literal["left", "right", "centre", "up", "down", "ok", "key", "ask_left", "ask_right"]
Kind = Literal["full", "two-button", "station"]

BUTTONS: Final[tuple[str, ...]] = get_args(ButtonName)
ASKING: Final[Mapping[str, Side]] = MappingProxyType({"ask_left": Side.LEFT, "ask_right": Side.RIGHT})
"""Buttons that make the clock speak to a player, and do nothing in the game."""


class Make(Struct, frozen=True):
    needed: tuple[str, ...]
    buttons: tuple[str, ...]
    lamps: tuple[str, ...]
    buzzer: bool
    """Whether a buzzer is allowed. Not at a station: no distracting sound (NZ 6.14.4)."""
    displays: tuple[str, ...] = ("left", "right")
    """The serial displays allowed instead of a screen: all or none. Not at a station: a play and its verdict need a screen."""


MAKES: Final[Mapping[Kind, Make]] = MappingProxyType(
    {
        "full": Make(needed=tuple(each for each in BUTTONS if each not in ASKING), buttons=BUTTONS, lamps=("left", "right"), buzzer=True),
        "two-button": Make(needed=("left", "right"), buttons=BUTTONS, lamps=("left", "right"), buzzer=True),
        "station": Make(
            needed=("adjudicate",),
            buttons=("adjudicate", "key"),
            lamps=("adjudicate", "acceptable", "unacceptable"),
            buzzer=False,
            displays=(),
        ),
    }
)


class Appliance(Struct, frozen=True):
    name: str
    kinds: tuple[Kind, ...]


CLOCK: Final = Appliance("table clock", ("full", "two-button"))
STATION: Final = Appliance("challenge station", ("station",))


Gpio = Annotated[int, Meta(ge=min(HEADER), le=max(HEADER))]
Amount = Annotated[int, Meta(ge=0)]


class PinSpec(Table, frozen=True):
    gpio: Gpio
    note: str = ""
    """Why this pin; for the builder."""
    part: str = ""
    """The part on the pin, by its id in ``parts.toml``; empty: unknown and unchecked."""
    wire: Amount = 0
    """The length of the wire, in cm."""
    resistor: Amount = 0
    """In series with the pin, in ohms: before a button, an LED, a transistor's base or a display's input. 0: none."""
    capacitor: Amount = 0
    """From a button's line to ground at the Pi's end, in nF. 0: none."""
    pull_up: Amount = 0
    """From a button's line to 3.3 V, in ohms. 0: only the pin's own pull-up."""
    driver: str = ""
    """The transistor that switches the part; empty: the pin feeds it directly."""
    diode: str = ""

    @property
    def name(self) -> str:
        return f"GPIO{self.gpio}"

    @property
    def freed_by(self) -> Phrase:
        """What frees the pin where something else holds it, as the beginning of a remedy."""
        bus = BUSES.get(self.gpio)
        if bus is None:
            return Phrase("End the program that holds the pin")
        return Phrase("Turn {bus} off in config.txt, end the program that holds the pin", bus=bus)

    def __str__(self) -> str:
        return f"{self.name} (header pin {HEADER[self.gpio]})"


class DisplaySpec(Table, frozen=True):
    port: Annotated[str, Meta(min_length=1)]
    """On an I2C bus its device with the module's address: ``/dev/i2c-7@0x70``. Otherwise the device, or a pattern such as ``/dev/ttyUSB*``, used if ``tx`` is None or the Pi has no UART on that pin: usually a USB adaptor.
    ``hardware.boards.pis.display_port`` decides."""
    tx: Gpio | None = None
    """The GPIO (BCM) number that sends to it; None: always on an adaptor."""
    baud: Annotated[int, Meta(ge=2400, le=115_200)] = 9600
    note: str = ""
    """Why there; for the builder."""
    rx: Gpio | None = None
    """The GPIO number wired to the module's own TX; should be None, since nothing reads it."""
    sda: Gpio | None = None
    """The GPIO number of the I2C bus's data line; all displays of a board share both lines. None: on none of the header's pins."""
    scl: Gpio | None = None
    part: str = ""
    wire: Amount = 0
    """The length of the wire, in cm."""
    resistor: Amount = 0
    """In series with ``tx``, or with either line of the bus, in ohms."""

    @property
    def overlay(self) -> str:
        """The line of ``config.txt`` that makes the bus of ``sda`` and ``scl``: the kernel's own, on any two pins of any Pi."""
        named = I2C_PORT.fullmatch(self.port)
        bus = named["bus"].rpartition("-")[2] if named is not None else ""
        return f"dtoverlay=i2c-gpio,bus={bus},i2c_gpio_sda={self.sda},i2c_gpio_scl={self.scl}"


class File(Table, frozen=True):
    title: str
    kind: Kind
    buttons: dict[str, PinSpec]
    lamps: dict[str, PinSpec] = field(default_factory=dict)
    buzzer: PinSpec | None = None
    displays: dict[str, DisplaySpec] = field(default_factory=dict)
    """The LED displays by the player they face: both ``left`` and ``right``, or none with a screen."""
    power: PinSpec | None = None
    """The button that switches the Pi off and on: the kernel reads it (``dtoverlay=gpio-shutdown``), our programs do not open it."""
    parts: dict[str, Annotated[int, Meta(ge=1)]] = field(default_factory=dict)
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
        for user, pin in File.pins(self):
            yield user, pin.gpio
        if self.power is not None:
            yield "power", self.power.gpio
        for name, display in self.displays.items():
            for end, gpio in (("tx", display.tx), ("rx", display.rx)):
                if gpio is not None:
                    yield f"displays.{name}.{end}", gpio
        yield from File.bus(self)

    def bus(self) -> Iterator[tuple[str, int]]:
        """Yield the two lines of the displays' I2C bus, each once, with its key: ``displays.sda``."""
        for end in ("sda", "scl"):
            pins = {gpio: f"displays.{end}" for display in self.displays.values() if (gpio := getattr(display, end)) is not None}
            yield from ((user, gpio) for gpio, user in pins.items())

    @check
    def _has_the_names_of_its_kind(self) -> Misfits:
        make = MAKES[self.kind]
        for group, known in (("buttons", make.buttons), ("lamps", make.lamps), ("displays", make.displays)):
            unknown = next((name for name in getattr(self, group) if name not in known), None)
            if unknown is not None and known:
                names = Phrase("only the names {names} on a {kind} board", names=listed(known), kind=self.kind)
                yield Misfit(key=f"{group}.{unknown}", expected=names, found=repr(unknown), remedy="Rename it or take it out")
            elif unknown is not None:
                none = Phrase("none on a {kind} board", kind=self.kind)
                yield Misfit(key=group, expected=none, found=repr(unknown), remedy="Take it out")
        silent = Phrase("none on a {kind} board, which makes no sound", kind=self.kind)
        yield from misfit_if(self.buzzer is not None and not make.buzzer, key="buzzer", expected=silent, found="one", remedy="Take it out")

    @check
    def _has_known_parts_in_their_place(self) -> Misfits:
        for key, found, known in _named_parts(self):
            if found and found not in known:
                expected = Phrase("one of the parts {parts}", parts=listed(known))
                yield Misfit(key=key, expected=expected, found=repr(found), remedy="Name one of these")

    @check
    def _has_each_pin_and_port_once(self) -> Misfits:
        users: dict[int, str] = {}
        # A check may have the values alone, without methods.
        for user, gpio in File.wired(self):
            both = Phrase("{pin} for both {one} and {other}", pin=PinSpec(gpio, ""), one=users.setdefault(gpio, user), other=user)
            yield from misfit_if(users[gpio] != user, expected="every pin once", found=both, remedy="Give one of them another pin")
        ports = [repr(display.port) for display in self.displays.values()]
        both = Phrase("{port} for both", port=listed(ports[:1]))
        yield from misfit_if(
            len({*ports}) < len(ports), key="displays", expected="a port for each", found=both, remedy="Give one of them its own"
        )

    @check
    def _has_both_lines_of_a_bus(self) -> Misfits:
        for name, display in self.displays.items():
            on_pins = (display.sda is not None, display.scl is not None)
            yield from misfit_if(
                any(on_pins) and not (all(on_pins) and I2C_PORT.fullmatch(display.port) and display.tx is None),
                key=f"displays.{name}",
                expected=Phrase("both lines of an I2C bus, and its port with an address, as in {port}", port="/dev/i2c-7@0x70"),
                found=Phrase("sda {sda}, scl {scl}, port {port}", sda=str(display.sda), scl=str(display.scl), port=repr(display.port)),
                remedy="Name sda, scl and such a port, and no tx",
            )

    @check
    def _has_a_display_for_each_player(self) -> Misfits:
        one = next(iter(self.displays), "")
        other = next((name for name in MAKES[self.kind].displays if name != one), "")
        return misfit_if(
            len(self.displays) == 1,
            key="displays",
            expected="one for each player",
            found=Phrase("{side} alone", side=one),
            remedy=Phrase("Add [displays.{side}] with its port, or take both out", side=other),
        )

    @check
    def _has_the_buttons_of_its_kind(self) -> Misfits:
        needed = MAKES[self.kind].needed
        missing = [name for name in needed if name not in self.buttons]
        two = self.kind == "full" and not {*missing} & {*MAKES["two-button"].needed}
        add = 'Add [buttons.{button}] with its gpio, or say kind = "two-button"' if two else "Add [buttons.{button}] with its gpio"
        return misfit_if(
            missing,
            key="kind",
            expected=Phrase("the buttons {buttons} on a {kind} board", buttons=listed(needed), kind=self.kind),
            found=Phrase("no {buttons}", buttons=listed(missing)),
            remedy=Phrase(add, button=listed(missing[:1])),
        )


def read(path: Path, boards: str) -> dict[str, Any]:
    """Return the TOML of a board file; ``boards`` lists alternatives for the error. Raises BoardError: it is unreadable or not TOML."""
    try:
        content = read_small(path)
    except OSError as why:
        raise BoardError(
            where=path,
            expected="a readable board file",
            found=reason(why),
            remedy=Phrase("Correct the path, or name a shipped board ({boards})", boards=boards),
        ) from why
    return toml_in(path, content, BoardError)


def listed(names: Iterable[object]) -> str:
    return ", ".join(str(name) for name in names)


_NUMBERS = {
    "wire": "a whole number of cm, 0 or more",
    "resistor": "a whole number of ohms, 0 or more",
    "pull_up": "a whole number of ohms, 0 or more",
    "capacitor": "a whole number of nF, 0 or more",
    "baud": "a whole number of bits a second, 2400 to 115200",
    "port": "the path of a port in quotes",
}


def allowed(path: Sequence[str]) -> str | None:
    group, last = path[0], path[-1]
    if last in {"gpio", "tx", "rx", "sda", "scl"}:
        return Phrase("a GPIO number on the 40-pin header, {first} to {last}", first=min(HEADER), last=max(HEADER))
    if last in _NUMBERS:
        return _NUMBERS[last]
    if group == "parts":
        return "a whole number, 1 or more" if len(path) > 1 else "a table of parts with how many of each"
    if last in {"title", "note", "part", "driver", "diode"}:
        return "a text in quotes"
    if last == "kind":
        return either(MAKES)
    if len(path) == 1 and group not in {"buzzer", "power"}:
        return "a table of displays" if group == "displays" else "a table of pins"
    return Phrase("a table with the key {key}", key="port" if group == "displays" else "gpio")


_SORTS: Final[Mapping[str, tuple[Sort, ...]]] = MappingProxyType(
    {
        "buttons": ("button",),
        "lamps": ("lamp", "led"),
        "buzzer": ("buzzer",),
        "displays": ("display",),
        "driver": ("transistor",),
        "diode": ("diode",),
    }
)


def _named_parts(file: File) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Yield each part named in the file: its key, its id, the allowed ids."""
    tables: list[tuple[str, str, PinSpec | DisplaySpec]] = [
        *((f"buttons.{name}", "buttons", pin) for name, pin in file.buttons.items()),
        *((f"lamps.{name}", "lamps", pin) for name, pin in file.lamps.items()),
        *((f"displays.{name}", "displays", display) for name, display in file.displays.items()),
    ]
    single = (("buzzer", "buzzer", file.buzzer), ("power", "buttons", file.power))
    tables += [(key, group, table) for key, group, table in single if table is not None]
    for key, group, table in tables:
        yield f"{key}.part", table.part, of_sorts(*_SORTS[group])
        for end in ("driver", "diode"):
            yield f"{key}.{end}", getattr(table, end, ""), of_sorts(*_SORTS[end])
    for name in file.parts:
        yield f"parts.{name}", name, tuple(parts())


_SHIPPED: Final = Path(__file__).parent / "shipped"


class Board(File, frozen=True, kw_only=True):
    """A checked board: no pin is used twice, and everything its kind needs is present."""

    id: str

    def __post_init__(self) -> None:
        """Its file has been checked."""


def shipped_boards(appliance: Appliance | None = None) -> tuple[str, ...]:
    files = sorted(_SHIPPED.glob("*.toml"), key=lambda file: file.stem)
    return tuple(file.stem for file in files if appliance is None or read(file, "").get("kind") in appliance.kinds)


def load_board(id_or_path: str | Path, appliance: Appliance | None = None) -> Board:
    """Return a shipped board by its id, or another by its path, with a slash or ``.toml``; ``appliance``: None accepts any board. Raises BoardError."""
    path = _locate(id_or_path, appliance)
    return _shipped(path, appliance) if path.parent == _SHIPPED else _load(path, appliance)


@functools.cache
def _shipped(path: Path, appliance: Appliance | None) -> Board:
    return _load(path, appliance)


def _load(path: Path, appliance: Appliance | None) -> Board:
    content = read(path, listed(shipped_boards(appliance)) if path.parent != _SHIPPED else "")
    try:
        file = read_table(content, File, allowed)
    except InvalidTable as why:
        raise why.first(BoardError, path) from why
    if appliance is not None and file.kind not in appliance.kinds:
        raise BoardError(
            where=f"{path}: kind",
            expected=Phrase("the board of a {appliance} ({kinds})", appliance=Phrase(appliance.name), kinds=listed(appliance.kinds)),
            found=repr(file.kind),
            remedy=Phrase("Name a shipped board ({boards}), or a file of that kind", boards=listed(shipped_boards(appliance))),
        )
    return Board(**{name: getattr(file, name) for name in File.__struct_fields__}, id=path.stem)


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
