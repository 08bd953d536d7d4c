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
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails

from hardware.errors import BoardError
from hardware.header import HEADER, header_pin
from hardware.kinds import MAKES, Appliance, Kind

_SHIPPED: Final = Path(__file__).parent / "boards"


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
    buttons: dict[str, _Pin]
    lamps: dict[str, _Pin] = {}
    buzzer: _Pin | None = None


def shipped_boards(appliance: Appliance | None = None) -> tuple[str, ...]:
    """Return the ids of the boards that come with Tileclock: those of one appliance, or all."""
    files = sorted(_SHIPPED.glob("*.toml"))
    return tuple(file.stem for file in files if appliance is None or _read(file, appliance).get("kind") in appliance.kinds)


def load_board(id_or_path: str | Path, appliance: Appliance | None = None) -> Board:
    """Return a board by the id of a shipped one or by the path of a file (anything with a slash or ``.toml`` in it).

    Args:
        id_or_path: which one.
        appliance: what it is to hang on; None takes any board.

    Raises:
        BoardError: the file is not there, is not TOML, does not describe a board that can work, or describes one of another appliance.
    """
    path = _locate(id_or_path, appliance)
    file = _checked(path, _read(path, appliance))
    if appliance is not None and file.kind not in appliance.kinds:
        raise BoardError(
            f"{path}: kind: expected the board of a {appliance.name} ({_listed(appliance.kinds)}), found {file.kind!r}; "
            f"name one of the boards {_listed(shipped_boards(appliance))}, or a file of that kind"
        )
    _check_names(path, file)
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
        f"expected one of the boards {_listed(shipped_boards(appliance))} or the path of a board file, found {asked!r}; name one of these"
    )


def _read(path: Path, appliance: Appliance | None) -> dict[str, Any]:
    try:
        with path.open("rb") as file:
            return tomllib.load(file)
    except OSError as why:
        raise BoardError(
            f"{path}: expected a board file that can be read, found: {why.strerror}; "
            f"correct the path, or take one of the boards {_listed(shipped_boards(appliance))}"
        ) from why
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as why:
        raise BoardError(f"{path}: expected TOML in UTF-8, found: {why}; correct the file at that place") from why


def _checked(path: Path, content: dict[str, Any]) -> _File:
    try:
        return _File.model_validate(content)
    except ValidationError as why:
        raise BoardError(f"{path}: {_sentence(why.errors()[0])}") from why


def _check_names(path: Path, file: _File) -> None:
    make = MAKES[file.kind]
    for group, found, allowed in (("buttons", file.buttons, make.buttons), ("lamps", file.lamps, make.lamps)):
        unknown = next((name for name in found if name not in allowed), None)
        if unknown is not None:
            raise BoardError(
                f"{path}: {group}.{unknown}: expected only the names {_listed(allowed)} on a {file.kind} board, found {unknown!r}; "
                "rename it or take it out"
            )
    if file.buzzer is not None and not make.buzzer:
        raise BoardError(f"{path}: buzzer: expected none on a {file.kind} board, which makes no sound, found one; take it out")


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
    needed = MAKES[board.kind].needed
    missing = [name for name in needed if name not in board.buttons]
    if not missing:
        return
    remedy = f"add [buttons.{missing[0]}] with its gpio"
    if board.kind == "full" and not set(missing) & set(MAKES["two-button"].needed):
        remedy += ', or say kind = "two-button"'
    raise BoardError(f"{path}: kind: expected the buttons {_listed(needed)} on a {board.kind} board, found no {_listed(missing)}; {remedy}")


def _sentence(error: ErrorDetails) -> str:
    """Say one of pydantic's findings in our own form: key, expected, found, what to do."""
    where = [str(part) for part in error["loc"]]
    key = ".".join(where)
    if error["type"] == "missing":
        return f"{key}: expected a value, found none; add it"
    if error["type"] == "extra_forbidden":
        model = _File if len(where) == 1 else _Pin
        return f"{key}: expected only the keys {_listed(model.model_fields)}, found {where[-1]!r}; take it out"
    return f"{key}: expected {_expected(where, error)}, found {error['input']!r}; correct it"


def _expected(where: list[str], error: ErrorDetails) -> str:
    if where[-1] == "gpio":
        return f"a GPIO number on the 40-pin header, {min(HEADER)} to {max(HEADER)}"
    if where[-1] == "kind":
        return " or ".join(repr(kind) for kind in MAKES)
    if error["type"] == "string_type":
        return "a text in quotes"
    return "a table with the key gpio" if len(where) > 1 or where[-1] == "buzzer" else "a table of pins"


def _listed(names: Any) -> str:
    return ", ".join(str(name) for name in names)
