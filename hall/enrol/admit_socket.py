"""How the director's command reaches the enrolment's service: a local socket for its owner alone, one JSON object each way."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Final, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from faults.errors import TileclockError, reason
from wire.reports import Line

MAX_BYTES: Final = 1 << 20
_PATIENCE_S: Final = 30.0
A = TypeVar("A", bound=BaseModel)


class NoAdmissions(TileclockError, OSError):
    """The enrolment's service does not answer."""


class _Message(BaseModel):
    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")


class AdmitRequest(_Message):
    """What the director wants: the list, or to admit the device with these digits (or the whole transcript)."""

    admit: str | None = None


class WaitingDevice(_Message):
    """A device that waits."""

    digits: str
    device: str
    about: Line
    address: str
    seconds: int
    """For how long."""


class AdmitAnswer(_Message):
    """The answer."""

    outcome: Literal["list", "admitted", "unknown", "ambiguous", "refused"]
    waiting: tuple[WaitingDevice, ...] = ()
    """For ``list``; for ``admitted`` the one that has been."""
    reason: str = ""
    """For ``refused``: a key of ``protocol.SENTENCES``."""


def ask(path: Path, wish: AdmitRequest) -> AdmitAnswer:
    """Return the service's answer; raises ``NoAdmissions`` if it does not run, or we are not its user."""
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
            connection.settimeout(_PATIENCE_S)
            connection.connect(str(path))
            connection.sendall(wish.model_dump_json().encode() + b"\n")
            with connection.makefile("rb") as lines:
                return AdmitAnswer.model_validate_json(lines.readline(MAX_BYTES))
    except (OSError, ValidationError) as error:
        found = reason(error) if isinstance(error, OSError) else "another answer"
        remedy = "Start it as root on the hall's machine: sudo systemctl start tilehall-admissions"
        raise NoAdmissions(where=path, expected="the enrolment's service", found=found, remedy=remedy) from error
