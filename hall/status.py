"""Reads the picture from a listener on this machine, and puts each device of it into words, as ``watch`` and ``status`` show it."""

import http.client
import json
from contextlib import closing
from datetime import datetime, timedelta
from typing import Any, Final

from msgspec import Struct

from appliance.errors import counted
from faults.errors import Phrase, as_phrase, reason
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
        with closing(http.client.HTTPConnection(LOOPBACK, port, timeout=_PATIENCE_S)) as connection:
            connection.request("GET", PICTURE)
            found = json.loads(connection.getresponse().read())
    except OSError as error:
        raise HallError(where=where, expected="a listener", found=reason(error), remedy=_REMEDY) from error
    except (http.client.HTTPException, ValueError) as error:
        raise HallError(where=where, expected="a listener", found="another program", remedy=_REMEDY) from error
    if not isinstance(found, dict) or found.get("v") != PICTURE_VERSION:
        raise HallError(where=where, expected="a listener of this release", found="another one", remedy="Restart it")
    return HallPicture(found["hall"], found["broker"]["up"], tuple(found["troubles"]), tuple(found["devices"]))


_PHASES: Final = {
    "ready": Phrase("ready"),
    "late": Phrase("waits for a player"),
    "running": Phrase("plays"),
    "hold": Phrase("hold"),
    "neutral": Phrase("stopped"),
    "out_play": Phrase("out play"),
    "adjudication": Phrase("challenge"),
    "over": Phrase("over"),
}
_MAX: Final = 20


def cells_of(device: dict[str, Any], now: datetime) -> tuple[str, ...]:
    """Return table, name, both readings, act, link and troubles of a device of a picture that was made at ``now`` (local wall time)."""
    clock = device["clock"]
    left, right = ("", "") if clock is None else (_reading(clock, "left"), _reading(clock, "right"))
    missing = f"{device['missing']} rows missing" if device["missing"] else ""
    power = {"low": "undervoltage", "was_low": "undervoltage earlier"}.get(device["power"] or "", "")
    battery = f"battery {charge['percent']} %" if (charge := device["battery"]) is not None and charge["low"] else ""
    trouble = "; ".join(filter(None, (missing, power, battery, *device["worn"], *device["troubles"])))
    return str(device["table"] or ""), device["name"], left, right, _doing(device), _link(device, now), trouble


def summary(picture: HallPicture, now: datetime) -> tuple[list[str], bool]:
    """Return the state of the hall at ``now`` (local wall time) in lines, and whether nothing is wrong. An open call counts as nothing wrong, and so does a worn button, because it still works."""
    stale = [each for each in picture.devices if each["stale_s"] is not None]
    words = [counts(picture)]
    words += [f"{_who(each)}: {_doing(each)}" for each in picture.devices if each["called_s"] is not None]
    words += [f"{_who(each)}: {_link(each, now)}" for each in stale[:_MAX]]
    words += [f"{len(stale) - _MAX} more are stale."] if len(stale) > _MAX else []
    words += [f"{_who(each)}: {worn}" for each in picture.devices for worn in each["worn"]]
    words += picture.troubles
    return words, not stale and not picture.troubles


def counts(picture: HallPicture) -> str:
    calls, stale = (sum(each[key] is not None for each in picture.devices) for key in ("called_s", "stale_s"))
    return f"Hall {picture.hall}: {counted(len(picture.devices), 'device')}, {counted(calls, 'call')}, {stale} stale."


def _who(device: dict[str, Any]) -> str:
    return f"Table {device['table']}, {device['name']}" if device["table"] else device["name"]


def _link(device: dict[str, Any], now: datetime) -> str:
    if device["stale_s"] is not None:
        return f"stale since {now - timedelta(seconds=device['stale_s']):%H:%M:%S}"
    return "ok" if device["up"] else "link down"


def age(seconds: float) -> str:
    """Return a number of seconds in the largest unit that fits: ``9 s``, ``4 min``, ``2 h``."""
    whole = int(seconds)
    return f"{whole} s" if whole < 60 else f"{whole // 60} min" if whole < 3600 else f"{whole // 3600} h"


def phase_words(phase: str, reason: str | None) -> Phrase:
    return Phrase("{phase}: {reason}", phase=_PHASES[phase], reason=as_phrase(reason)) if reason else _PHASES[phase]


def _doing(device: dict[str, Any]) -> str:
    clock, called = device["clock"], device["called_s"]
    if called is not None:
        return f"CALLS THE DIRECTOR for {age(called)}"
    if clock is None:
        return {None: "", True: "judges", False: "free"}[device["busy"]]
    return phase_words(clock["phase"], clock["reason"])


def _reading(clock: dict[str, Any], side: str) -> str:
    # The arrow shows whose clock runs, also without colours.
    name = clock["names"][side]
    return f"{clock[side]}{' ◀' if clock['running'] == side else ''}{f' {name}' if name else ''}"
