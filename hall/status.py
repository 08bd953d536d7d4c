"""Reads the picture from a listener on this machine, and puts each device of it into words, as ``watch`` and ``status`` show it."""

from __future__ import annotations

import http.client
import json
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from msgspec import Struct

from appliance.finding import counted
from faults.errors import reason
from hall.errors import HallError
from hall.picture import LOOPBACK, PICTURE, PICTURE_VERSION

_REMEDY: Final = "Start it: tilehall listen. With another port, name it with --http"
_PATIENCE_S: Final = 10.0


class HallPicture(Struct, frozen=True):
    """The picture as the listener serves it (``hall.picture.picture``)."""

    hall: str
    broker_up: bool
    troubles: tuple[str, ...]
    devices: tuple[dict[str, Any], ...]
    """In the order of need."""


def read_picture(port: int) -> HallPicture:
    """Return the picture of the listener at ``port`` of the loopback; raises ``HallError`` if there is none, or it is of another release."""
    where = f"{LOOPBACK}:{port}"
    try:
        connection = http.client.HTTPConnection(LOOPBACK, port, timeout=_PATIENCE_S)
        try:
            connection.request("GET", PICTURE)
            found = json.loads(connection.getresponse().read())
        finally:
            connection.close()
    except OSError as error:
        raise HallError(where=where, expected="a listener", found=reason(error), remedy=_REMEDY) from error
    except (http.client.HTTPException, ValueError) as error:
        raise HallError(where=where, expected="a listener", found="another program", remedy=_REMEDY) from error
    if not isinstance(found, dict) or found.get("v") != PICTURE_VERSION:
        raise HallError(where=where, expected="a listener of this release", found="another one", remedy="Restart it")
    return HallPicture(found["hall"], found["broker"]["up"], tuple(found["troubles"]), tuple(found["devices"]))


_PHASES: Final = {
    "ready": "ready",
    "late": "waits for a player",
    "running": "plays",
    "hold": "hold",
    "neutral": "stopped",
    "out_play": "out play",
    "adjudication": "challenge",
    "over": "over",
}
_MAX: Final = 20
"""Devices in need that ``status`` names one by one."""
_SHORT_S: Final = 60
_LONG_S: Final = 3600


class DeviceLine(Struct, frozen=True):
    """One line of the table."""

    table: str
    device: str
    left: str
    right: str
    doing: str
    link: str
    """``stale since ...`` where it is stale."""
    trouble: str
    calls: bool
    stale: bool


def line_of(device: dict[str, Any], now: datetime) -> DeviceLine:
    """Return the line of a device of a picture that was made at ``now`` (local wall time)."""
    clock, stale, called = device["clock"], device["stale_s"], device["called_s"]
    left, right = ("", "") if clock is None else (_reading(clock, "left"), _reading(clock, "right"))
    link = f"stale since {now - timedelta(seconds=stale):%H:%M:%S}" if stale is not None else "ok" if device["up"] else "link down"
    missing = f"{device['missing']} rows missing" if device["missing"] else ""
    power = {"low": "undervoltage", "was_low": "undervoltage earlier"}.get(device["power"] or "", "")
    trouble = "; ".join(filter(None, (missing, power, *device["troubles"])))
    return DeviceLine(
        table="" if device["table"] is None else str(device["table"]),
        device=device["name"],
        left=left,
        right=right,
        doing=f"CALLS THE DIRECTOR for {age(called)}" if called is not None else _doing(device),
        link=link,
        trouble=trouble,
        calls=called is not None,
        stale=stale is not None,
    )


def summary(picture: HallPicture, now: datetime) -> tuple[list[str], bool]:
    """Return the state of the hall at ``now`` (local wall time) in lines, and whether nothing is wrong. A call is nothing wrong."""
    lines = [line_of(device, now) for device in picture.devices]
    stale, calling = [line for line in lines if line.stale], [line for line in lines if line.calls]
    words = [counts(picture.hall, lines)]
    words += [f"{_who(line)}: {line.doing}" for line in calling]
    words += [f"{_who(line)}: {line.link}" for line in stale[:_MAX]]
    words += [f"{len(stale) - _MAX} more are stale."] if len(stale) > _MAX else []
    words += picture.troubles
    return words, not stale and not picture.troubles


def counts(hall: str, lines: Sequence[DeviceLine]) -> str:
    calls, stale = sum(line.calls for line in lines), sum(line.stale for line in lines)
    return f"Hall {hall}: {counted(len(lines), 'device')}, {counted(calls, 'call')}, {stale} stale."


def _who(line: DeviceLine) -> str:
    return f"Table {line.table}, {line.device}" if line.table else line.device


def age(seconds: float) -> str:
    """Return a number of seconds in the largest unit that fits: ``9 s``, ``4 min``, ``2 h``."""
    whole = int(seconds)
    return f"{whole} s" if whole < _SHORT_S else f"{whole // 60} min" if whole < _LONG_S else f"{whole // 3600} h"


def phase_words(phase: str, reason: str | None) -> str:
    return f"{_PHASES[phase]}: {reason}" if reason else _PHASES[phase]


def _doing(device: dict[str, Any]) -> str:
    clock = device["clock"]
    if clock is None:
        return {None: "", True: "judges", False: "free"}[device["busy"]]
    return phase_words(clock["phase"], clock["reason"])


def _reading(clock: dict[str, Any], side: str) -> str:
    # The arrow shows whose clock runs, also without colours.
    name = clock["names"][side]
    return f"{clock[side]}{' ◀' if clock['running'] == side else ''}{f' {name}' if name else ''}"
