"""Reads the picture from a listener on this machine."""

from __future__ import annotations

import http.client
import json
from dataclasses import dataclass
from typing import Any, Final

from faults.errors import reason
from hall.errors import ListenerError
from hall.listener.http import LOOPBACK, PICTURE
from hall.picture.as_json import VERSION

_REMEDY: Final = "Start it: tilehall listen. With another port, name it with --http"
_PATIENCE_S: Final = 10.0


@dataclass(frozen=True, slots=True)
class HallPicture:
    """The picture as the listener serves it (``hall.picture.as_json``)."""

    hall: str
    broker_up: bool
    troubles: tuple[str, ...]
    devices: tuple[dict[str, Any], ...]
    """In the order of need."""


def read_picture(port: int) -> HallPicture:
    """Return the picture of the listener at ``port`` of the loopback.

    Raises:
        ListenerError: there is none, or it is of another release.
    """
    where = f"{LOOPBACK}:{port}"
    try:
        connection = http.client.HTTPConnection(LOOPBACK, port, timeout=_PATIENCE_S)
        try:
            connection.request("GET", PICTURE)
            found = json.loads(connection.getresponse().read())
        finally:
            connection.close()
    except OSError as error:
        raise ListenerError(where=where, expected="a listener", found=reason(error), remedy=_REMEDY) from error
    except (http.client.HTTPException, ValueError) as error:
        raise ListenerError(where=where, expected="a listener", found="another program", remedy=_REMEDY) from error
    if not isinstance(found, dict) or found.get("v") != VERSION:
        raise ListenerError(where=where, expected="a listener of this release", found="another one", remedy="Restart it")
    return HallPicture(found["hall"], found["broker"]["up"], tuple(found["troubles"]), tuple(found["devices"]))
