"""Checks the names in a board file: buttons, lamps and displays against the board's kind, parts against their place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from appliance.errors import BoardError
from faults.errors import Phrase
from hardware.boards.file import DisplayTable, File, PinTable, listed
from hardware.boards.kinds import MAKES
from hardware.boards.parts import Sort, of_sorts, parts

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
"""The sorts of part allowed in each place."""


def check_names(path: Path, file: File) -> None:
    """Reject a button, lamp or display that this kind of board does not have; raises BoardError."""
    make = MAKES[file.kind]
    groups: tuple[tuple[str, Mapping[str, Any], tuple[str, ...]], ...] = (
        ("buttons", file.buttons, make.buttons),
        ("lamps", file.lamps, make.lamps),
        ("displays", file.displays, make.displays),
    )
    for group, found, allowed in groups:
        unknown = next((name for name in found if name not in allowed), None)
        if unknown is not None and not allowed:
            raise BoardError(
                where=f"{path}: {group}",
                expected=Phrase("none on a {kind} board", kind=file.kind),
                found=repr(unknown),
                remedy="Take it out",
            )
        if unknown is not None:
            raise BoardError(
                where=f"{path}: {group}.{unknown}",
                expected=Phrase("only the names {names} on a {kind} board", names=listed(allowed), kind=file.kind),
                found=repr(unknown),
                remedy="Rename it or take it out",
            )
    if file.buzzer is not None and not make.buzzer:
        raise BoardError(
            where=f"{path}: buzzer",
            expected=Phrase("none on a {kind} board, which makes no sound", kind=file.kind),
            found="one",
            remedy="Take it out",
        )


def _named_parts(file: File) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Yield each part named in the file: its key, its id, the allowed ids."""
    tables: list[tuple[str, str, PinTable | DisplayTable]] = [
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


def check_parts(path: Path, file: File) -> None:
    """Reject an unknown part, or one in the wrong place; raises BoardError."""
    for key, found, allowed in _named_parts(file):
        if found and found not in allowed:
            raise BoardError(
                where=f"{path}: {key}",
                expected=Phrase("one of the parts {parts}", parts=listed(allowed)),
                found=repr(found),
                remedy="Name one of these",
            )
