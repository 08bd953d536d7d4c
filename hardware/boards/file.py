"""Parses a board file: reads the TOML and checks each key and value; ``hardware.boards.board`` then checks the board as a whole."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from appliance.errors import BoardError
from appliance.validation import either, first_fault
from faults.errors import Phrase, reason
from hardware.boards.header import HEADER
from hardware.boards.kinds import MAKES, Kind


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, defer_build=True)


class PinTable(_Strict):
    """A button, a lamp or the buzzer; ``hardware.boards.board.PinSpec`` explains the keys."""

    gpio: int = Field(ge=min(HEADER), le=max(HEADER))
    note: str = ""
    part: str = ""
    wire: int = Field(default=0, ge=0)
    resistor: int = Field(default=0, ge=0)
    capacitor: int = Field(default=0, ge=0)
    pull_up: int = Field(default=0, ge=0)
    driver: str = ""
    diode: str = ""


class DisplayTable(_Strict):
    """A serial display; ``hardware.boards.board.DisplaySpec`` explains the keys."""

    port: str = Field(min_length=1)
    tx: int | None = Field(default=None, ge=min(HEADER), le=max(HEADER))
    rx: int | None = Field(default=None, ge=min(HEADER), le=max(HEADER))
    baud: int = Field(default=9600, ge=2400, le=115_200)
    note: str = ""
    part: str = ""
    wire: int = Field(default=0, ge=0)
    resistor: int = Field(default=0, ge=0)


class File(_Strict):
    """A whole board file."""

    title: str
    kind: Kind
    buttons: dict[str, PinTable]
    lamps: dict[str, PinTable] = {}
    buzzer: PinTable | None = None
    displays: dict[str, DisplayTable] = {}
    power: PinTable | None = None
    parts: dict[str, Annotated[int, Field(ge=1)]] = {}


def read(path: Path, boards: str) -> dict[str, Any]:
    """Return the TOML of a board file; ``boards`` lists alternatives for the error.

    Raises:
        BoardError: it is unreadable or not TOML.
    """
    try:
        with path.open("rb") as file:
            return tomllib.load(file)
    except OSError as why:
        raise BoardError(
            where=path,
            expected="a readable board file",
            found=reason(why),
            remedy=Phrase("Correct the path, or name a shipped board ({boards})", boards=boards),
        ) from why
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as why:
        raise BoardError(
            where=path, expected="TOML in UTF-8", found=Phrase("a fault: {error}", error=str(why)), remedy="Correct the file at that place"
        ) from why


def checked(path: Path, content: dict[str, Any]) -> File:
    """Return the file with its keys and values checked.

    Raises:
        BoardError: the first wrong key or value.
    """
    try:
        return File.model_validate(content)
    except ValidationError as why:
        error = BoardError(**first_fault(why, File, allowed).fields)
        error.locate(path)
        raise error from why


def listed(names: Iterable[object]) -> str:
    """Return the names as a list for a sentence."""
    return ", ".join(str(name) for name in names)


_NUMBERS = {
    "wire": "a whole number of cm, 0 or more",
    "resistor": "a whole number of ohms, 0 or more",
    "pull_up": "a whole number of ohms, 0 or more",
    "capacitor": "a whole number of nF, 0 or more",
    "baud": "a whole number of bits a second, 2400 to 115200",
    "port": "the path of a serial port in quotes",
}


def allowed(path: Sequence[str]) -> str | None:
    """Return in words what is allowed at a key path."""
    group, last = path[0], path[-1]
    if last in {"gpio", "tx", "rx"}:
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
