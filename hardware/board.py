"""Board profiles: which button, lamp and buzzer hangs on which pin.

A board is a TOML file: the shipped ones lie in ``boards/`` and are known by name, a director's own works by its path. Everything that opens pins starts
from the ``Board`` made here, so a board that cannot work is refused with one sentence before any pin is touched.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails

from hardware.errors import BoardError
from hardware.header import HEADER, header_pin

ButtonName = Literal["left", "right", "centre", "up", "down", "ok", "key"]
LampName = Literal["left", "right"]
Kind = Literal["full", "two-button"]

BUTTONS: tuple[str, ...] = get_args(ButtonName)
"""Every button a board can have."""
LAMPS: tuple[str, ...] = get_args(LampName)
"""Every lamp a board can have."""
NEEDED: Mapping[str, tuple[str, ...]] = {"full": BUTTONS, "two-button": ("left", "right")}
"""The buttons each kind of board must have."""

_SHIPPED = Path(__file__).parent / "boards"


@dataclass(frozen=True, slots=True)
class PinSpec:
    """One pin of a board."""

    gpio: int
    """The GPIO (BCM) number, 2 to 27."""
    note: str
    """Why this pin, for whoever wires it."""

    @property
    def name(self) -> str:
        """The pin's name as gpiozero takes it."""
        return f"GPIO{self.gpio}"

    def __str__(self) -> str:
        return f"{self.name} (header pin {header_pin(self.gpio)})"


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

    def pins(self) -> Iterator[tuple[str, PinSpec]]:
        """Yield every pin in use with its user as the file names it, such as ``buttons.left``."""
        for name, pin in self.buttons.items():
            yield f"buttons.{name}", pin
        for name, pin in self.lamps.items():
            yield f"lamps.{name}", pin
        if self.buzzer is not None:
            yield "buzzer", self.buzzer


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class _Pin(_Strict):
    gpio: int = Field(ge=min(HEADER), le=max(HEADER))
    note: str = ""


class _File(_Strict):
    title: str
    kind: Kind
    buttons: dict[ButtonName, _Pin]
    lamps: dict[LampName, _Pin] = {}
    buzzer: _Pin | None = None


def shipped_boards() -> tuple[str, ...]:
    """Return the ids of the boards that come with the clock."""
    return tuple(sorted(file.stem for file in _SHIPPED.glob("*.toml")))


def load_board(id_or_path: str | Path) -> Board:
    """Return a board by the id of a shipped one or by the path of a file (anything with a slash or ``.toml`` in it).

    Raises:
        BoardError: the file is not there, is not TOML, or does not describe a board that can work.
    """
    path = _locate(id_or_path)
    board = _board(path, _checked(path, _read(path)))
    _check_pins_differ(path, board)
    _check_complete(path, board)
    return board


def _locate(id_or_path: str | Path) -> Path:
    asked = str(id_or_path)
    if asked in shipped_boards():
        return _SHIPPED / f"{asked}.toml"
    if isinstance(id_or_path, Path) or "/" in asked or asked.endswith(".toml"):
        return Path(id_or_path)
    raise BoardError(
        f"expected one of the boards {_listed(shipped_boards())} or the path of a board file, found {asked!r}; name one of these"
    )


def _read(path: Path) -> dict[str, Any]:
    try:
        with path.open("rb") as file:
            return tomllib.load(file)
    except OSError as why:
        raise BoardError(
            f"{path}: expected a board file that can be read, found: {why.strerror}; correct the path, or take one of the boards {_listed(shipped_boards())}"
        ) from why
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as why:
        raise BoardError(f"{path}: expected TOML in UTF-8, found: {why}; correct the file at that place") from why


def _checked(path: Path, content: dict[str, Any]) -> _File:
    try:
        return _File.model_validate(content)
    except ValidationError as why:
        raise BoardError(f"{path}: {_sentence(why.errors()[0])}") from why


def _board(path: Path, file: _File) -> Board:
    return Board(
        id=path.stem,
        title=file.title,
        kind=file.kind,
        buttons=MappingProxyType({name: PinSpec(pin.gpio, pin.note) for name, pin in file.buttons.items()}),
        lamps=MappingProxyType({name: PinSpec(pin.gpio, pin.note) for name, pin in file.lamps.items()}),
        buzzer=None if file.buzzer is None else PinSpec(file.buzzer.gpio, file.buzzer.note),
    )


def _check_pins_differ(path: Path, board: Board) -> None:
    users: dict[int, str] = {}
    for user, pin in board.pins():
        if pin.gpio in users:
            raise BoardError(
                f"{path}: expected every pin once, found {pin} for both {users[pin.gpio]} and {user}; give one of them another pin"
            )
        users[pin.gpio] = user


def _check_complete(path: Path, board: Board) -> None:
    needed = NEEDED[board.kind]
    missing = [name for name in needed if name not in board.buttons]
    if not missing:
        return
    remedy = f"add [buttons.{missing[0]}] with its gpio"
    if board.kind == "full" and not set(missing) & set(NEEDED["two-button"]):
        remedy += ', or say kind = "two-button"'
    raise BoardError(f"{path}: kind: expected the buttons {_listed(needed)} on a {board.kind} board, found no {_listed(missing)}; {remedy}")


def _sentence(error: ErrorDetails) -> str:
    """Say one of pydantic's findings in our own form: key, expected, found, what to do."""
    where = [str(part) for part in error["loc"] if part != "[key]"]
    key = ".".join(where)
    if error["type"] == "missing":
        return f"{key}: expected a value, found none; add it"
    if error["loc"][-1] == "[key]":
        return f"{key}: expected only the names {_listed(BUTTONS if where[0] == 'buttons' else LAMPS)}, found {where[-1]!r}; rename it or take it out"
    if error["type"] == "extra_forbidden":
        model = _File if len(where) == 1 else _Pin
        return f"{key}: expected only the keys {_listed(model.model_fields)}, found {where[-1]!r}; take it out"
    return f"{key}: expected {_expected(where, error)}, found {error['input']!r}; correct it"


def _expected(where: list[str], error: ErrorDetails) -> str:
    if where[-1] == "gpio":
        return f"a GPIO number on the 40-pin header, {min(HEADER)} to {max(HEADER)}"
    if where[-1] == "kind":
        return " or ".join(repr(kind) for kind in get_args(Kind))
    if error["type"] == "string_type":
        return "a text in quotes"
    return "a table with the key gpio" if len(where) > 1 or where[-1] == "buzzer" else "a table of pins"


def _listed(names: Any) -> str:
    return ", ".join(str(name) for name in names)
