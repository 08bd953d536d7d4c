"""What the hall remembers of a device beside its certificate: its kind, name and table, for lists and sentences."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from appliance.records.files import PUBLIC, write_whole
from hall.errors import HallFolderError
from hall.keys.files import HallFiles
from wire.messages.base import Line, Table
from wire.topics import is_device, is_station

_FILE: Final = "about.json"


class About(BaseModel):
    """What a device, or its token, has said of it."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")
    kind: Literal["clock", "station"]
    name: Line = ""
    table: Table | None = None

    def __str__(self) -> str:
        place = f"table {self.table}" if self.table else ""
        return " · ".join(part for part in (self.kind, place, self.name) if part)


@dataclass(frozen=True, slots=True)
class Admitted:
    """A device with a certificate."""

    id: str
    about: About
    ends: datetime


def write_about(files: HallFiles, device: str, about: About) -> None:
    """Keep it."""
    path = _path(files, device)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, about.model_dump_json().encode(), PUBLIC)


def admitted(files: HallFiles) -> Iterator[Admitted]:
    """Yield the devices of a hall, stations first, then by table."""
    found = []
    for name in filter(is_device, files.names):
        certificate = files.certificate(name)
        if certificate is not None:
            found.append(Admitted(name, _about(files, name), certificate.not_valid_after_utc))
    yield from sorted(found, key=lambda each: (each.about.kind != "station", each.about.table or 0, each.about.name, each.id))


def name_for(files: HallFiles, typed: str) -> str:
    """Return the name at the broker for what was typed: an id, a desk, or a device's name or table (``table 12``).

    Raises:
        HallFolderError: several devices have that name or table.
    """
    if typed in files.names:
        return typed
    fits = [each for each in admitted(files) if typed.casefold() in (each.about.name.casefold(), f"table {each.about.table}")]
    if len(fits) > 1:
        found = ", ".join(f"{each.id} ({each.about})" for each in fits)
        raise HallFolderError(where=files.folder, expected=f'one device called "{typed}"', found=found, remedy="Name the id of one of them")
    return fits[0].id if fits else typed


def _about(files: HallFiles, device: str) -> About:
    try:
        return About.model_validate_json(_path(files, device).read_bytes())
    except (OSError, ValidationError):
        return About(kind="station" if is_station(device) else "clock")


def _path(files: HallFiles, device: str) -> Path:
    return files.identity(device).key.parent / _FILE
