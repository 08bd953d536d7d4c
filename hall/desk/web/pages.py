"""What all pages share: what they show, their templates, and times, states and orders in words; ``static/clock.js`` writes the same for what counts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import HTMLResponse

from appliance.clocks import is_dated
from appliance.texts import language_names
from appliance.version import VERSION
from hall.desk.desk import DirectorsDesk
from hall.desk.publisher import Publisher, us
from hall.desk.tiles.table import TableTile
from hall.picture import UNKNOWN
from records.words import elapsed
from rules.duration import NS, reading
from rules.side import Side
from wire.reports import NamedLexicon

_HOUR_S: Final = 3600
SETTINGS: Final = {
    "language": "Language",
    "led_brightness": "LED brightness in percent",
    "buzzer_enabled": "Buzzer",
    "players_choose_rulebook": "Players choose the next rulebook",
    "results": "Results are signed on",
}


def since_s(since: int, now: int) -> int:
    """Return the whole seconds between two instants (ns), 0 if ``since`` lies ahead."""
    return max(0, (now - since) // NS)


def age(seconds: int) -> str:
    """Return how long something lasts: ``0:25``, ``12:04``, ``1 h 05 min``."""
    if seconds >= _HOUR_S:
        return f"{seconds // _HOUR_S} h {seconds % _HOUR_S // 60:02d} min"
    return f"{seconds // 60}:{seconds % 60:02d}"


def counted(number: int, noun: str) -> str:
    """Return ``1 row``, ``2 rows``: for nouns whose plural is regular."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def tile_reading(tile: TableTile, side: Side, now: int) -> str:
    """Return a side's reading at ``now`` (ns of the listener); with ``~`` where it is not exact or the clock is not heard."""
    if tile.sides is None:
        return ""
    left = tile.sides.of(side).remaining
    if tile.running is not side:
        return reading(left)
    if tile.at is None:
        return UNKNOWN
    about = "~" if tile.about or tile.stale is not None else ""
    return about + reading(left - max(0, now - tile.at))


def list_name(lexicon: NamedLexicon) -> str:
    return f"{lexicon.name} {lexicon.edition}".strip()


def order_words(do: str, keys: Mapping[str, Any]) -> str:
    """Return what an order says to all its clocks, by its ``do`` and keys; empty: nothing, or each clock something else."""
    if do == "settings":
        return ", ".join(f"{title}: {_value(key, keys[key])}" for key, title in SETTINGS.items() if keys.get(key) is not None)
    if do == "setup":
        left, right = (_minutes(keys.get(f"{side}_seconds")) for side in Side)
        return f"{keys.get('rulebook', '')}, {f'{left} each' if left == right else f'left {left}, right {right}'}"
    text = f"\u201c{keys['text']}\u201d" if keys.get("text") else ""
    return f"{text}, for {keys['seconds']} s" if text and "seconds" in keys else text


def _value(setting: str, value: object) -> str:
    if isinstance(value, bool):
        no, yes = ("no", "yes") if setting == "players_choose_rulebook" else ("off", "on")
        return yes if value else no
    return language_names().get(str(value), str(value))


def _minutes(seconds: int | None) -> str:
    return "the rulebook's time" if seconds is None else f"{seconds / 60:g} min"


class PageContext(Struct, frozen=True):
    desk: DirectorsDesk
    publisher: Publisher
    now: Callable[[], int]
    """CLOCK_MONOTONIC in ns."""


class NavigationEntry(Struct, frozen=True):
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


def _wall(ns: int) -> str:
    """Return ns since 1970 as UTC, ISO 8601."""
    return datetime.fromtimestamp(ns // NS, UTC).isoformat()


_TEMPLATES: Final = Environment(
    loader=PackageLoader("hall.desk.web"), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
)
_TEMPLATES.filters |= {
    "reading": reading,
    "age": age,
    "us": us,
    "since_s": since_s,
    "tile_reading": tile_reading,
    "counted": counted,
    "list_name": list_name,
    "moment": elapsed,
    "is_dated": is_dated,
    "wall": _wall,
}


def context(request: Request) -> PageContext:
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
