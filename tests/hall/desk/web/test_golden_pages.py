"""Golden pictures of the desk's main pages at three sizes, some of them dark, of a hall that stands still and then is frozen.

Renewed, and then looked at, by ``TILECLOCK_UPDATE_GOLDEN=1 .venv/bin/python -m pytest tests/hall/desk/web/test_golden_pages.py``.
"""

import io
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from typing import Any, Final

import pygame
import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, Page

from game.events import Adjust, Call, Challenge, End, Hold, LateStart, Neutralise, NewGame, When
from game.game import Phase
from hall.desk.store import CallKey
from hall.desk.tiles.folded import FloorPosition, TableSeat
from hall.event.model import Event, Pairing, Player
from hall.orders.sender import KeptOrder, OrderState, opened_book
from hall.results.book import ClockResult, Forfeit, GameResult, KeptRow, Source, book_of
from rules.rulebooks import DEFAULT_RULEBOOK, load_rulebook
from rules.side import BySide, Side
from tests.appliance.display.pictures import RENEW, difference_of, plain, renew
from tests.cells import each_cell
from tests.hall.desk.trial_hall import NS, TrialHall, acting_parts, served
from tests.hall.desk.web.browsing import DESKTOP, PHONE, chromium, resize
from tests.hall.desk.web.serving import DIRECTOR
from tests.processes import PATIENCE_S
from tests.some import some
from wire.reports import OpenCall

pytestmark = pytest.mark.waits(12)

GRIDS: Final = ((4, 64), (24, 12))
"""Another Chromium or FreeType draws the edges of letters differently, and lays a line out a pixel further on. So both pictures are compared in cells,
each with the most alike of the other picture's around the same place: small cells show letters and edges, large ones faint grounds. These are the
pixels of a cell's side, and the difference of a colour channel, of 255, that a cell may have: twice what letters with other hinting and without
subpixel positions make. What has moved by less than a small cell is alike; a hairline in light grey is too faint for both."""
_AROUND: Final = tuple(product((-1, 0, 1), repeat=2))


def differing(one: pygame.Surface, other: pygame.Surface) -> int:
    """Return how many cells of either picture have none alike in the other, each colour channel by itself; both have the same size."""
    return sum(_differing(_cells(one, cell), _cells(other, cell), tolerated) for cell, tolerated in GRIDS)


def _cells(picture: pygame.Surface, cell: int) -> pygame.Surface:
    width, height = picture.get_size()
    return pygame.transform.smoothscale(plain(picture), (width // cell, height // cell))


def _differing(cells: pygame.Surface, others: pygame.Surface, tolerated: int) -> int:
    least = (_least(cells, others), _least(others, cells))
    return sum(len(pygame.image.tobytes(each, "RGB").translate(None, bytes(range(tolerated + 1)))) for each in least)


def _least(cells: pygame.Surface, others: pygame.Surface) -> pygame.Surface:
    """Return the least difference of each of ``cells`` from ``others`` around its place."""
    least = difference_of(cells, others)
    for step in _AROUND:
        moved = others.copy()
        moved.blit(others, step)
        least.blit(difference_of(cells, moved), (0, 0), special_flags=pygame.BLEND_RGB_MIN)
    return least


NOW: Final = 1_000_000 * NS
"""CLOCK_MONOTONIC for the hall, the desk and its pages."""
TABLES: Final = 24
MANY_TURNS: Final = 3
"""A table with a long game, in overtime."""
REQUEST: Final = "0" * 32
"""A freeze with every kind of answer."""
_BEGAN_S: Final = 2600.0
_LONG: Final = BySide("Maximiliane Oberhuber-Wildenstein", "Bartholomew Featherstonehaugh")
_NOT_PLAYED: Final = (7, 8)
_STOPPED: Final = 5
_PLAYS_ON: Final = (10, 17)
"""In spite of a freeze."""


def shown_hall(folder: Path) -> TrialHall:
    hall = TrialHall(folder, TABLES, lambda: NOW)
    hall.clocks[9].names = _LONG
    hall.desk.seats = {table: TableSeat(each.names, "Open" if table <= 12 else "B", _place(table)) for table, each in hall.clocks.items()}
    hall.desk.overlays, hall.desk.round = {"main": 10}, 3
    _results(hall)
    for table in hall.clocks:
        _play(hall, table)
    _call(hall, 1, 48)
    _call(hall, 16, 7)
    hall.say(2, Challenge(), 70)
    hall.say(4, Hold(), 12)
    hall.say(_STOPPED, Neutralise("spilled tiles"), 200)
    hall.say(6, End("six zeros"), 90)
    hall.say(8, LateStart(Side.RIGHT), 340)
    _fare(hall)
    hall.clocks[19].device.beat_at = NOW - 95 * NS
    hall.desk.begin_round(NOW - round(_BEGAN_S * NS))
    with opened_book(folder / "orders.db") as book:
        book.keep([_answer(hall, table) for table in hall.clocks])
    return hall


def _results(hall: TrialHall) -> None:
    """Let the round have a result of each kind, and one that no pairing fits."""
    names = [each.names for _, each in sorted(hall.clocks.items())]
    divisions = ["Open" if table <= 12 else "B" for table in range(1, TABLES + 1)]
    players = [
        Player(division, number, name)
        for table, (both, division) in enumerate(zip(names, divisions, strict=True), 1)
        for number, name in ((2 * table - 1, both.left), (2 * table, both.right))
    ]
    pairings = [Pairing(division, 3, 2 * table - 1, 2 * table, table=table) for table, division in enumerate(divisions, 1)]
    hall.desk.event = Event(tuple(players), tuple(pairings))
    row = GameResult(row=0, division="Open", round=3, first=11, second=12, source=Source.CLOCK, scores=(412, 388), device="c", game="1")
    slip = replace(row, source=Source.SLIP, device="", game="", who=DIRECTOR)
    rows = [
        *(KeptRow(each) for each in (row, replace(slip, scores=(412, 338)), replace(slip, first=13, second=14, scores=(455, 90)))),
        KeptRow(replace(row, first=15, second=16, scores=None, source=Source.END, forfeit=Forfeit((15,), 50))),
        KeptRow(replace(row, division="B", first=41, second=42)),
        KeptRow(
            clock=ClockResult(BySide("Zoe Young", "Bo Brown"), 6, replace(row, division="", round=0, first=1, second=2, game="2"), 9),
            why="no pairing has these names",
        ),
    ]
    hall.desk.results = book_of((n, "", row) for n, row in enumerate(rows, 1))


def _fare(hall: TrialHall) -> None:
    well = {"free": 2_100_000_000, "slowest_ns": 40_000_000, "fault": None}
    other: dict[int, dict[str, Any]] = {
        4: {"card": well | {"free": 3_000_000}},
        11: {"card": well | {"slowest_ns": 1_400_000_000}},
        20: {"power": "low"},
        6: {"update": "failed"},
    }
    for table, clock in hall.clocks.items():
        hall.beat(clock, **({"card": well} | other.get(table, {})))
        if table in (6, 12) and clock.device.presence is not None:
            clock.device.presence = clock.device.presence.model_copy(update={"versions": {"tileclock": "0.0.9"}})


def freeze(hall: TrialHall) -> None:
    """Let the hall be told to stop 20 s ago: some clocks stop themselves, nearly all players stop theirs."""
    for table, clock in hall.clocks.items():
        assert clock.history is not None
        runs = clock.history.game_at(NOW - clock.offset).phase in (Phase.RUNNING, Phase.HOLD)
        hall.order(table, "stop", 20, hard=runs and table % 3 == 0)
        if runs and table % 3 and table not in _PLAYS_ON:
            hall.say(table, Neutralise(None), 5)


def _place(table: int) -> FloorPosition:
    return FloorPosition((table - 1) % 6 / 5, (table - 1) // 6 / 3)


def _play(hall: TrialHall, table: int) -> None:
    """Play up to now: all turns of one table, and few of all others, because the pictures do not show them."""
    hall.say(table, NewGame(load_rulebook(DEFAULT_RULEBOOK), DEFAULT_RULEBOOK, BySide(None, None)), _BEGAN_S + 30)
    ago, turn = _BEGAN_S - table * 7 % 60, 0
    while table not in _NOT_PLAYED and ago > (260 if table == _STOPPED else 75 + table * 7 % 60):
        hall.press(table, ago)
        ago -= 20 + turn * 37 % 110 + turn % 2 * 45 if table == MANY_TURNS else 400 + table * 17 % 120
        turn += 1
        if table == MANY_TURNS and turn == 9:
            hall.say(table, Adjust(Side.LEFT, -60 * NS, When.NOW, "telephone"), ago + 10)


def _call(hall: TrialHall, table: int, ago_s: float) -> None:
    clock = hall.clocks[table]
    at = hall.say(table, Call(on=True), ago_s)
    clock.device.call = OpenCall.model_validate({"since": at - clock.offset, "boot": "boot", "table": table, "from": "players"})
    hall.desk.heard(clock.device.id)


def _answer(hall: TrialHall, table: int) -> KeptOrder:
    state, reason, number = {
        19: (OrderState.SILENT, "unheard", None),
        21: (OrderState.SILENT, None, None),
        22: (OrderState.REFUSED, "busy", None),
        23: (OrderState.WAITING, None, None),
    }.get(table, (OrderState.ACCEPTED, None, 40 if table % 3 == 0 else None))
    return KeptOrder(f"{table:032x}", REQUEST, hall.clocks[table].device.id, "stop", '{"text": "Fire alarm"}', state, reason, number)


KEPT = Path(__file__).parent / "golden"
SIZES = (DESKTOP, PHONE)
LARGE = ((1920, 1080),)
PAGES = {
    "hall": "/",
    "table": f"/table/{MANY_TURNS}",
    "round": "/round",
    "calls": "/calls",
    "devices": "/devices",
    "matrix": f"/orders/{REQUEST}",
    "board": "/board",
    "standings": "/standings",
    "overlay": "/overlay/main",
}
WIDER = {"hall": (*LARGE, *SIZES), "board": (*LARGE, *SIZES), "overlay": LARGE}
"""The pages that a larger screen lays out otherwise, and the one that is for such a screen alone."""
DARK = ("hall", "table")
"""The pages that are also pictured dark."""
GUIDES = ("es", "fr")
"""The languages in which a guide to the desk shows its pages."""
LETTERS = ("--font-render-hinting=none", "--disable-lcd-text", "--force-color-profile=srgb")
"""Letters as alike as can be on all machines; their font is the desk's own."""
STILL = "delete globalThis.SharedWorker; performance.now = () => 0;"
"""The page's time is the desk's instant at the first message. A shared worker would have a time of its own."""
CHANGES = {
    "hidden": "document.querySelector('.needs .why').style.visibility = 'hidden'",
    "moved by 12 px": "document.querySelector('.needs .age').style.transform = 'translateX(-12px)'",
    "over another": "document.querySelector('.needs .tile:nth-child(2)').style.transform = 'translateY(-12px)'",
    "of another colour": "document.querySelector('.needs .tile').dataset.need = 'challenge'",
    "without its ground": "document.querySelector('.needs .tile a').style.background = 'none'",
}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium(*LETTERS) as found:
        yield found


@contextmanager
def opened(browser: Browser, hall: TrialHall, accounts: Path) -> Iterator[Page]:
    shutil.copy(accounts, hall.folder / "accounts.json")
    parts = acting_parts(hall.folder)
    account = some(parts.access.accounts.find(DIRECTOR))
    session = parts.access.sessions.begin(account, None, NOW)
    # The director is on the way to a table that calls.
    device = hall.clocks[16].device
    call = some(device.call)
    parts.store.take_call(CallKey(device.id, call.boot, call.since), DIRECTOR)
    hall.desk.set_call_takers(parts.store.call_takers())
    with (
        served(hall, parts=parts) as address,
        browser.new_context(base_url=address, timezone_id="UTC") as context,
    ):
        context.set_default_timeout(PATIENCE_S * 1000)
        context.add_init_script(STILL)
        context.add_cookies([{"name": f"desk-{address.rpartition(':')[2]}", "value": session.id, "url": address}])
        yield context.new_page()


@pytest.fixture(scope="module")
def page(browser: Browser, tmp_path_factory: pytest.TempPathFactory, accounts: Path) -> Iterator[Page]:
    with opened(browser, shown_hall(tmp_path_factory.mktemp("hall")), accounts) as found:
        yield found


def shown(page: Page, name: str) -> None:
    page.goto(PAGES[name])
    page.locator("#link[data-state=live], .public .reading:not(:empty), .standings").first.wait_for()
    page.evaluate("document.fonts.ready")


def compared(page: Page, title: str, scratch: Path, *, renewed: bool = True) -> str:
    """Return what is wrong with the picture of a page, empty where it looks as kept; or renew that."""
    actual, kept = pygame.image.load(io.BytesIO(page.screenshot())), KEPT / f"{title}.png"
    if renewed:
        renew(title, actual, KEPT)
    found = differing(actual, pygame.image.load(kept)) if kept.exists() else None
    if found == 0:
        return ""
    pygame.image.save(actual, scratch / kept.name)
    return f"{found} cells of {title} differ: compare {scratch / kept.name}, renew with {RENEW}=1"


def test_each_page_looks_on_each_screen_as_it_did(page: Page, tmp_path: Path) -> None:
    for name in PAGES:
        shown(page, name)
        for cell in each_cell(WIDER.get(name, SIZES)):
            with cell as (width, height):
                resize(page, width, height)
                assert compared(page, f"{name}-{width}x{height}", tmp_path) == ""


def test_pages_look_in_the_dark_as_they_did(page: Page, tmp_path: Path) -> None:
    width, height = DESKTOP
    resize(page, width, height)
    page.emulate_media(color_scheme="dark")
    for cell in each_cell(DARK):
        with cell as name:
            shown(page, name)
            assert compared(page, f"{name}-dark-{width}x{height}", tmp_path) == ""
    page.emulate_media(color_scheme="light")


def test_the_pages_of_the_guides_look_in_other_languages_as_they_did(page: Page, tmp_path: Path) -> None:
    width, height = DESKTOP
    resize(page, width, height)
    for cell in each_cell(product(GUIDES, ("hall", "matrix"))):
        with cell as (language, name):
            page.set_extra_http_headers({"Accept-Language": language})
            shown(page, name)
            assert compared(page, f"{name}-{language}-{width}x{height}", tmp_path) == ""
    page.set_extra_http_headers({})


def test_an_element_that_is_elsewhere_or_looks_otherwise_is_more_than_the_golden_pictures_tolerate(page: Page, tmp_path: Path) -> None:
    width, height = PHONE
    resize(page, width, height)
    for cell in each_cell(CHANGES):
        with cell as change:
            shown(page, "hall")
            page.evaluate(CHANGES[change])
            assert "differ" in compared(page, f"hall-{width}x{height}", tmp_path, renewed=False)


def test_each_page_says_that_a_freeze_stands(browser: Browser, accounts: Path, tmp_path: Path) -> None:
    # A hall of its own: the freeze stands.
    hall = shown_hall(tmp_path)
    with opened(browser, hall, accounts) as page:
        freeze(hall)
        for cell in each_cell(SIZES):
            with cell as (width, height):
                resize(page, width, height)
                shown(page, "hall")
                page.locator("#troubles p", has_text=re.compile(r"\d+ frozen, 3 still running\. Since 13:46:20\.")).wait_for()
                assert compared(page, f"freeze-{width}x{height}", tmp_path) == ""
