"""Who may use which page. A route that does not stand here is refused to everybody."""

from __future__ import annotations

from typing import Final

from hall.desk.access.guard import Rights
from hall.desk.access.roles import DeskRole

_ALL: Final = {"GET": DeskRole.SPECTATOR}
_SEE: Final = {"GET": DeskRole.DEPUTY}
RIGHTS: Final[Rights] = {
    # For anybody.
    "/static": _ALL,
    "/typeface.ttf": _ALL,
    "/board": _ALL,
    "/overlay/{slot}": _ALL,
    "/public/stream": _ALL,
    "/api/openapi.json": _ALL,
    "/api/tables": _ALL,
    "/api/tables/{table}": _ALL,
    "/login": {"GET": DeskRole.SPECTATOR, "POST": DeskRole.SPECTATOR},
    # For whoever works in the hall.
    "/": _SEE,
    "/table/{name}": _SEE,
    "/table/{name}/part": _SEE,
    "/table/{name}/game/{game:int}": _SEE,
    "/stations": _SEE,
    "/stations/part": _SEE,
    "/round/part": _SEE,
    "/devices/part": _SEE,
    "/stream": _SEE,
    "/calls": {"GET": DeskRole.DEPUTY, "POST": DeskRole.DEPUTY},
    "/calls/part": _SEE,
    "/orders/{request}": _SEE,
    "/orders/{request}/part": _SEE,
    "/log": _SEE,
    "/api/rounds/{number}": _SEE,
    "/export/{file}": _SEE,
    "/account": {"GET": DeskRole.DEPUTY, "POST": DeskRole.DEPUTY},
    "/logout": {"GET": DeskRole.DEPUTY, "POST": DeskRole.DEPUTY},
    # For directors.
    "/notices": {"GET": DeskRole.DEPUTY, "POST": DeskRole.DIRECTOR},
    "/devices": {"GET": DeskRole.DEPUTY, "POST": DeskRole.DIRECTOR},
    "/round": {"GET": DeskRole.DEPUTY, "POST": DeskRole.DIRECTOR},
    "/assign": {"GET": DeskRole.DEPUTY, "POST": DeskRole.DIRECTOR},
    "/event": {"GET": DeskRole.DEPUTY, "POST": DeskRole.DIRECTOR},
    "/event/round": {"GET": DeskRole.DEPUTY, "POST": DeskRole.DIRECTOR},
    "/devices/update": {"GET": DeskRole.DEPUTY, "POST": DeskRole.DIRECTOR},
    "/setup": {"GET": DeskRole.DEPUTY, "POST": DeskRole.DIRECTOR},
    "/lease": {"GET": DeskRole.DEPUTY, "POST": DeskRole.DIRECTOR},
}
