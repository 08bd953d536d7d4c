"""What all pages share: what they show and act with, their templates, language and forms; times, states and orders in words; which clocks an order is for.

``static/clock.js`` writes the same for what counts. The language is the one that was chosen, else the browser's. Templates are English: a page in another language is made
of the same template, whose static texts are looked up while it is compiled (``languages/*/desk-phrases.toml``).
"""

import re
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from functools import cache, partial
from typing import Any, Final, TypeVar, cast

from jinja2 import Environment, PackageLoader, StrictUndefined
from jinja2.ext import Extension
from msgspec import Struct, field
from msgspec.structs import replace
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from appliance.clocks import is_dated
from appliance.texts import MASTER, Texts, language_names, languages_with, load_part, load_phrases
from appliance.version import VERSION
from faults.errors import Phrase, as_phrase, in_a_row
from hall.desk.access.accounts import DeskRole
from hall.desk.access.guard import Access, DeskRoute, visit_of
from hall.desk.desk import DirectorsDesk
from hall.desk.publisher import Publisher, us
from hall.desk.store import DeskStore
from hall.desk.tiles.table import TableTile, next_game_words
from hall.orders.sender import Ordering, OrderTarget, new_id
from hall.picture import UNKNOWN, RemoteDevice, address_of
from hall.store.events import ResultsFolder
from records.device_test import clock_remedy
from records.words import elapsed, sides_in_a_row
from rules.duration import NS, reading
from rules.side import BySide, Side
from rules.tables import tables_of
from wire.reports import NamedLexicon

PHRASES: Final = "desk-phrases"
COOKIE: Final = "language"
_JINJA: Final = r"\{[{%#].*?[}%#]\}"
_PIECES: Final = re.compile(rf"({_JINJA})", re.DOTALL)
_BETWEEN: Final = re.compile(rf"(<code>.*?</code>|<(?:{_JINJA}|[^>])*?>|{_JINJA})", re.DOTALL)
"""What stands between the texts of a template."""
_READ: Final = re.compile(rf'(\b(?:aria-label|title|placeholder|data-label|alt)=")((?:{_JINJA}|[^"])*)', re.DOTALL)
"""The attributes that people read."""


def spoken() -> tuple[str, ...]:
    return tuple(sorted({MASTER, *languages_with(PHRASES)}))


def language_of(request: Request) -> str:
    """Return the language that the address or the cookie chooses, else the first that the browser accepts, else English."""
    known = spoken()
    accepted = request.headers.get("accept-language", "")
    wanted = [request.query_params.get(COOKIE, ""), request.cookies.get(COOKIE, ""), *_by_preference(accepted)]
    return next((each for each in wanted if each in known), MASTER)


def _by_preference(accepted: str) -> list[str]:
    """Return the codes of an Accept-Language header (RFC 9110, 12.5.4), the most wanted first; a region says nothing to us."""
    ranges = [
        (float(found[2] or 1), found[1])
        for part in accepted.lower().split(",")
        if (found := re.fullmatch(r"\s*([a-z]+)[^,;]*(?:;\s*q=(0(?:\.\d*)?|1(?:\.0*)?))?\s*", part))
    ]
    return [code for quality, code in sorted(ranges, key=lambda each: -each[0]) if quality]


def translated(template: str, say: Callable[[str], str]) -> str:
    """Return a template whose static texts are what ``say`` makes of them."""

    def each(text: str, between: re.Pattern[str]) -> str:
        return "".join(piece if at % 2 else _said(piece, say) for at, piece in enumerate(between.split(text)))

    pieces = _BETWEEN.split(template)
    pieces[1::2] = [_READ.sub(lambda found: found[1] + each(found[2], _PIECES), tag) for tag in pieces[1::2]]
    pieces[::2] = [_said(text, say) for text in pieces[::2]]
    return "".join(pieces)


def _said(piece: str, say: Callable[[str], str]) -> str:
    words = " ".join(piece.split())
    if not words:
        return piece
    before, after = piece[: len(piece) - len(piece.lstrip())], piece[len(piece.rstrip()) :]
    return before + say(words) + after


class StaticTexts(Extension):
    """Says the static texts of a template in the language of its environment, whose ``say`` looks them up."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:  # noqa: ARG002 - as the base has them
        return translated(source, cast("Callable[[str], str]", self.environment.globals["say"]))


def own_path(path: str) -> str:
    """Return ``path`` if it is one of this desk, else ``/``: a link of ours must not lead to another site."""
    plain = path.startswith("/") and not path.startswith("//") and "\\" not in path and path.isprintable()
    return path if plain else "/"


async def choose(request: Request) -> Response:
    chosen, answer = request.path_params["code"], RedirectResponse(own_path(request.query_params.get("next", "/")), 303)
    if chosen in spoken():
        answer.set_cookie(COOKIE, chosen, 365 * 86400, secure=request.url.scheme == "https", httponly=True, samesite="lax")
    return answer


_HOUR_S: Final = 3600
SETTINGS: Final = {
    "language": Phrase("Language"),
    "led_brightness": Phrase("LED brightness in percent"),
    "buzzer_enabled": Phrase("Buzzer"),
    "players_choose_rulebook": Phrase("Players choose the next rulebook"),
    "results": Phrase("Results are signed on"),
}
RESULTS: Final = {"clock": Phrase("clock"), "paper": Phrase("paper")}


def since_s(since: int, now: int) -> int:
    return max(0, (now - since) // NS)


def age(seconds: int) -> str:
    """Return how long something lasts: ``0:25``, ``12:04``, ``1 h 05 min``."""
    if seconds >= _HOUR_S:
        return f"{seconds // _HOUR_S} h {seconds % _HOUR_S // 60:02d} min"
    return f"{seconds // 60}:{seconds % 60:02d}"


def counted(number: int, one: str, several: str, **values: object) -> Phrase:
    return Phrase(one if number == 1 else several, count=number, **values)


def tile_reading(tile: TableTile, side: Side, now: int) -> str:
    """Return a side's reading at ``now`` (ns of the listener); with ``~`` where it is not exact or the clock is not heard."""
    if tile.sides is None:
        return ""
    if tile.running is side and tile.at is None:
        return UNKNOWN
    about = "~" if tile.running is side and (tile.about or tile.stale is not None) else ""
    return about + reading(tile.remaining(side, now))


def list_name(lexicon: NamedLexicon) -> str:
    return f"{lexicon.name} {lexicon.edition}".strip()


def order_words(do: str, keys: Mapping[str, Any]) -> Phrase:
    if do == "settings":
        set_here = (key for key in SETTINGS if keys.get(key) is not None)
        return in_a_row(*(Phrase("{title}: {value}", title=SETTINGS[key], value=_value(key, keys[key])) for key in set_here), between=", ")
    if do == "setup":
        left, right = (_minutes(keys.get(f"{side}_seconds")) for side in Side)
        each = Phrase("{time} each", time=left) if left == right else sides_in_a_row({Side.LEFT: left, Side.RIGHT: right})
        return in_a_row(str(keys.get("rulebook", "")), each, between=", ")
    text = Phrase("\u201c{text}\u201d", text=keys["text"]) if keys.get("text") else Phrase("")
    return Phrase("{text}, for {seconds} s", text=text, seconds=keys["seconds"]) if text and "seconds" in keys else text


def _value(setting: str, value: object) -> str:
    if isinstance(value, bool):
        no, yes = (Phrase("no"), Phrase("yes")) if setting == "players_choose_rulebook" else (Phrase("off"), Phrase("on"))
        return yes if value else no
    return RESULTS.get(str(value)) or language_names().get(str(value), str(value))


def _minutes(seconds: int | None) -> str:
    return Phrase("the rulebook's time") if seconds is None else f"{seconds / 60:g} min"


class PageContext(Struct, frozen=True):
    desk: DirectorsDesk
    publisher: Publisher
    now: Callable[[], int]
    """CLOCK_MONOTONIC in ns."""


NAVIGATION: Final = [
    ("/", Phrase("Hall")),
    ("/calls", Phrase("Calls")),
    ("/notices", Phrase("Notices")),
    ("/round", Phrase("Round")),
    ("/stations", Phrase("Stations")),
    ("/devices", Phrase("Devices")),
    ("/assign", Phrase("Names")),
    ("/event", Phrase("Event")),
    ("/log", Phrase("Log")),
]


def _scripted(language: str) -> Texts:
    """Return the phrases that scripts say too: the desk's own, and what a clock says of reasons."""
    own = load_phrases(PHRASES, language)
    return replace(own, phrases={**load_phrases("clock-phrases", language).phrases, **own.phrases})


def texts_in(language: str) -> Texts:
    """Return the desk's phrases, and the shared packages' own, which errors have."""
    own = _scripted(language)
    return replace(
        own, phrases={**load_phrases("phrases", language).phrases, **load_phrases("files-phrases", language).phrases, **own.phrases}
    )


@cache
def templates_in(language: str) -> Environment:
    texts = texts_in(language)
    made = Environment(
        loader=PackageLoader("hall.desk.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=() if language == MASTER else (StaticTexts,),
        finalize=lambda said: texts.render(said) if isinstance(said, Phrase) else said,
    )
    made.globals |= {
        "say": lambda english, **values: texts.render(Phrase(english, **values) if values else as_phrase(english)),
        "lang": language,
        "words": _scripted(language).phrases,
        "tongues": {code: name for code, name in language_names().items() if code in spoken()},
    }
    made.filters |= {
        "reading": reading,
        "age": age,
        "us": us,
        "since_s": since_s,
        "tile_reading": tile_reading,
        "counted": counted,
        "sentence": lambda said: (words := texts.render(said))[:1].upper() + words[1:],
        "list_name": list_name,
        "clock_remedy": lambda failure: clock_remedy(failure, load_part("clock", language)),
        "moment": elapsed,
        "is_dated": is_dated,
        "wall": lambda ns: datetime.fromtimestamp(ns // NS, UTC).isoformat(),
        "grouped": lambda number: f"{number:,}".replace(",", load_part("station", language).say("number.thousands")),
    }
    return made


def context(request: Request) -> PageContext:
    found: PageContext = request.app.state.context
    return found


def page(request: Request, template: str, *, status: int = 200, **values: Any) -> HTMLResponse:
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
    made = templates_in(language_of(request)).get_template(template).render(common | values)
    return HTMLResponse(made, status, headers={"Cache-Control": "no-store"})


def said(request: Request, phrase: str) -> str:
    return texts_in(language_of(request)).render(phrase)


def live(path: str, name: str, shown: Callable[..., Awaitable[Response]], role: DeskRole = DeskRole.DEPUTY) -> tuple[DeskRoute, DeskRoute]:
    """Return the routes of a live page, and of what changes of it, which its script asks for again; ``shown`` makes both, each by its template."""
    return DeskRoute(path, partial(shown, template=f"{name}.html"), role), DeskRoute(
        f"{path}/part", partial(shown, template=f"_{name}.html"), role
    )


Answer = TypeVar("Answer", bound=Response)
REQUEST: Final = "request"
"""The hidden field with the id of what a form asks for."""
OTHER_DESK: Final = Phrase("Another desk gives the orders. Nothing was sent.")


class Acting(Struct, frozen=True):
    access: Access
    ordering: Ordering
    store: DeskStore
    folder: ResultsFolder | None = None
    """Into which the results are written; None: the settings name none."""
    imports: ThreadPoolExecutor = field(default_factory=partial(ThreadPoolExecutor, 1, "imports"))
    """Takes files in, those of one form after those of another."""


def acting(request: Request) -> Acting:
    found: Acting = request.app.state.acting
    return found


def who(request: Request) -> str:
    return visit_of(request).account or ""


async def note(request: Request, what: str, detail: Mapping[str, object], order_request: str | None = None) -> None:
    await run_in_threadpool(acting(request).store.add, who(request), what, detail, order_request)


async def order_form(request: Request) -> dict[str, Any]:
    """Return what each form that sends orders is made with: the id that it asks by, and which desk gives the orders."""
    parts = acting(request)
    return {"new_request": new_id(), "holding": await run_in_threadpool(parts.store.holding), "own": parts.ordering.desk}


def later(answer: Answer, seconds: int) -> Answer:
    answer.headers["retry-after"] = str(seconds)
    return answer


def text_of(form: FormData, name: str, most: int = 200) -> str:
    """Return a field of a form without blanks around it; empty: there is none, or it is a file."""
    value = form.get(name, "")
    return value.strip()[:most] if isinstance(value, str) else ""


def number_of(text: str, most: int) -> int | None:
    """Return the whole number from 0 to ``most`` that a field holds; None: it holds none. Zeros before it must not hide a larger one."""
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(most)) and int(text) <= most):
        return None
    return int(text)


def texts_of(form: FormData, name: str) -> tuple[str, ...]:
    return tuple(value for value in form.getlist(name) if isinstance(value, str))


class DeskTarget(OrderTarget, frozen=True):
    offset: int | None
    """Added to an instant of its machine it gives the listener's, in ns; None: not known yet."""
    hard: bool
    """A request to stop stops it."""
    stands: bool
    next_game: str
    why_not: str
    """Why table, names and set-up cannot come in; empty: they can."""

    @property
    def title(self) -> str:
        return self.name if self.table is None else Phrase("Table {table}", table=self.table)


def targets(desk: DirectorsDesk, now: int) -> tuple[DeskTarget, ...]:
    found = [_target(device, now) for device in desk.remote_devices() if not device.is_station]
    return tuple(sorted(found, key=lambda each: (each.table or 1000, each.name, each.id)))


def reached(desk: DirectorsDesk, now: int, *, any_offset: bool) -> tuple[DeskTarget, ...]:
    """Return the clocks that are heard at ``now`` (ns of the listener); of one whose offset is not known yet, the players are asked instead.

    ``any_offset``: those too, because what is taken back needs no instant.
    """
    return tuple(each for each in targets(desk, now) if each.address is not None and (any_offset or each.offset is not None))


def chosen(everything: Sequence[DeskTarget], ids: Iterable[str], spans: str) -> tuple[DeskTarget, ...]:
    """Return the clocks with one of ``ids``, and those at the tables of ``spans``, such as ``1-20, 31``; the ``ValueError`` of another text is for the director."""
    wanted, tables = set(ids), _tables(spans)
    if missing := sorted(tables - {each.table for each in everything}):
        raise ValueError(Phrase("There is no clock at table {tables}.", tables=", ".join(map(str, missing[:10]))))
    return tuple(each for each in everything if each.id in wanted or each.table in tables)


def _tables(spans: str) -> set[int]:
    found: set[int] = set()
    for span in filter(None, (each.strip() for each in spans.split(","))):
        try:
            found.update(*tables_of(span))
        except ValueError as error:
            raise ValueError(Phrase('Expected tables such as 12 or 1-20, found "{found}".', found=span)) from error
    return found


def _target(device: RemoteDevice, now: int) -> DeskTarget:
    clock, address = device.clock, address_of(device, now)
    exchange = None if device.beat is None else device.offsets.of_boot(device.beat.boot).best
    names = BySide("", "") if clock is None else BySide(clock.names.left, clock.names.right)
    return DeskTarget(
        device.id,
        device.name,
        device.table,
        names,
        address,
        offset=None if exchange is None else exchange.offset,
        hard=clock is not None and clock.freeze == "hard",
        stands=clock is not None and clock.running is None,
        next_game=next_game_words(clock),
        why_not=_why_not(device, now),
    )


def _why_not(device: RemoteDevice, now: int) -> str:
    if device.clock is None:
        return Phrase("not reported yet")
    if device.stale_since(now) is not None:
        return Phrase("not heard")
    return "" if device.clock.between_games else Phrase("in a game")


routes = (DeskRoute("/language/{code}", choose, DeskRole.SPECTATOR),)
