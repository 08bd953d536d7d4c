"""What all pages share: what they show, their templates, and the words of times."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse

from appliance.clocks import is_dated
from appliance.version import VERSION
from game.journal.words import elapsed
from hall.desk.desk import DirectorsDesk
from hall.desk.stream.publisher import Publisher, us
from hall.desk.web.words import age, card_reading, counted, list_name, since_s
from rules.duration import reading


@dataclass(frozen=True, slots=True)
class PageContext:
    """What the pages are made from."""

    desk: DirectorsDesk
    publisher: Publisher
    now: Callable[[], int]
    """CLOCK_MONOTONIC in ns."""


@dataclass(frozen=True, slots=True)
class NavigationEntry:
    """A page in the navigation."""

    path: str
    title: str


NAVIGATION: Final = [
    NavigationEntry("/", "Hall"),
    NavigationEntry("/calls", "Calls"),
    NavigationEntry("/notices", "Notices"),
    NavigationEntry("/round", "Round"),
    NavigationEntry("/stations", "Stations"),
    NavigationEntry("/devices", "Devices"),
    NavigationEntry("/assign", "Names"),
    NavigationEntry("/event", "Event"),
    NavigationEntry("/log", "Log"),
]
"""The pages in the navigation, in order."""
_TEMPLATES: Final = Environment(
    loader=PackageLoader("hall.desk.web"), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
)
_TEMPLATES.filters |= {
    "reading": reading,
    "age": age,
    "us": us,
    "since_s": since_s,
    "card_reading": card_reading,
    "counted": counted,
    "list_name": list_name,
    "moment": elapsed,
    "is_dated": is_dated,
}


def context(request: Request) -> PageContext:
    """Return what the pages of this application are made from."""
    found: PageContext = request.app.state.context
    return found


def page(request: Request, template: str, *, status: int = 200, **values: Any) -> HTMLResponse:
    """Return a page made from a template; ``values`` come beside what every page knows."""
    desk, now = context(request).desk, context(request).now()
    common = {
        "hall": desk.hall,
        "path": request.url.path,
        "navigation": NAVIGATION,
        "now": now,
        "wall_at": lambda at: desk.wall_at(at, now),
        "troubles": desk.warnings,
        "calling": desk.calling,
        "visit": request.scope.get("visit"),
        "version": VERSION,
    }
    made = _TEMPLATES.get_template(template).render(common | values)
    return HTMLResponse(made, status, headers={"Cache-Control": "no-store"})
