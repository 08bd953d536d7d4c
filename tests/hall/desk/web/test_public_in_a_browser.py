"""Board and overlay in a real browser: what anybody sees, an overlay that was not shown for a while, and a slot that gets another table."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from game.events import Call
from hall.desk.web.pages import card_reading
from rules.side import BySide, Side
from tests.hall.desk.trial_hall import TrialHall, served
from tests.hall.desk.web.browsing import resize
from tests.processes import PATIENCE_S, until

TABLES = 12


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> TrialHall:
    found = TrialHall(tmp_path_factory.mktemp("hall"), TABLES)
    for table in found.clocks:
        found.begin(table, ago_s=20.0 * table)
    return found


@pytest.fixture(scope="module")
def address(hall: TrialHall) -> Iterator[str]:
    with served(hall) as found:
        yield found


@pytest.fixture
def page(browser: Browser, hall: TrialHall) -> Iterator[Page]:
    hall.beat_all()
    with browser.new_context(viewport={"width": 1280, "height": 800}) as context:
        found = context.new_page()
        found.set_default_timeout(PATIENCE_S * 1000)
        yield found


def is_right(page: Page, hall: TrialHall, table: int, tile: str) -> bool:
    """Whether a tile shows both sides as the desk computes them at the instant of the look."""
    card = hall.desk.cards[hall.clocks[table].device.id]
    before = time.monotonic_ns()
    texts = page.locator(f"{tile} .reading").all_inner_texts()
    after = time.monotonic_ns()
    wanted = [{card_reading(card, side, at) for at in (before, after)} for side in (Side.LEFT, Side.RIGHT)]
    return len(texts) == 2 and all(text in readings for text, readings in zip(texts, wanted, strict=True))


def test_the_board_shows_every_table_in_order_and_follows_a_press(page: Page, hall: TrialHall, address: str) -> None:
    page.goto(f"{address}/board")
    tiles = page.locator("#board .public")
    until(lambda: tiles.count() == TABLES)
    assert page.locator("#board .table-number").all_inner_texts() == [str(table) for table in range(1, TABLES + 1)]
    tile = "#board .public:nth-child(3)"
    until(lambda: is_right(page, hall, 3, tile))
    side = page.locator(f"{tile} .counts").get_attribute("data-side")
    hall.press(3)
    until(lambda: page.locator(f"{tile} .counts").get_attribute("data-side") not in (side, None))
    until(lambda: is_right(page, hall, 3, tile))
    hall.say(3, Call(on=True))
    hall.press(3)
    page.locator(f'{tile} .counts[data-side="{side}"]').wait_for()
    # A spectator sees no calls.
    assert "director" not in page.inner_text("body")


FITS = "document.documentElement.scrollHeight <= innerHeight"
READING_PX = "parseFloat(getComputedStyle(document.querySelector('.public .reading')).fontSize)"


def test_the_board_fills_its_screen_where_all_tables_fit_and_names_the_round(page: Page, hall: TrialHall, address: str) -> None:
    page.goto(f"{address}/board")
    until(lambda: page.locator("#board .public").count() == TABLES)
    last = page.locator("#board .public").last
    for width, height in ((1920, 1080), (1280, 800), (800, 1200)):
        resize(page, width, height)
        until(lambda: page.evaluate(FITS))
        box = last.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] > 0.95 * height
    assert page.evaluate(READING_PX) > 30
    # On a phone they do not: it scrolls, as large as anywhere.
    page.set_viewport_size({"width": 390, "height": 844})
    until(lambda: not page.evaluate(FITS) and page.evaluate(READING_PX) == pytest.approx(27.2))
    hall.desk.round = 7
    until(lambda: page.inner_text("h1") == "trial · Round 7")


CUT = "[...document.querySelectorAll('.public .player')].filter((each) => each.scrollHeight > each.clientHeight + 4).length"


def test_the_board_shows_long_names_whole_without_higher_cards(page: Page, hall: TrialHall, address: str) -> None:
    page.goto(f"{address}/board")
    page.set_viewport_size({"width": 1280, "height": 800})
    tile = page.locator("#board .public:nth-child(4)")
    tile.locator(".reading:not(:empty)").first.wait_for()
    height = page.evaluate("document.querySelector('#board .public:nth-child(4) .side .reading').offsetTop")
    hall.clocks[4].names = BySide("Alexandra Papadopoulos-Konstantinidou Xu", "Christopher Montgomery")
    hall.press(4)
    tile.get_by_text("Christopher Montgomery").wait_for()
    assert page.evaluate(CUT) == 0
    assert page.evaluate("document.querySelector('#board .public:nth-child(4) .side .reading').offsetTop") == height
    assert page.evaluate(FITS)


def test_an_overlay_that_was_not_shown_is_right_once_it_is_shown(page: Page, hall: TrialHall, address: str) -> None:
    page.goto(f"{address}/overlay/5")
    until(lambda: is_right(page, hall, 5, "#overlay"))
    stood = page.locator("#overlay .reading").all_inner_texts()
    session = page.context.new_cdp_session(page)
    # No timer and no picture: what OBS does with a source out of sight.
    session.send("Page.setWebLifecycleState", {"state": "frozen"})
    hall.press(5)
    # Several digits later.
    at = time.monotonic_ns()
    until(lambda: time.monotonic_ns() - at > 3_000_000_000)
    session.send("Page.setWebLifecycleState", {"state": "active"})
    until(lambda: is_right(page, hall, 5, "#overlay"))
    assert page.locator("#overlay .reading").all_inner_texts() != stood


def test_a_slot_keeps_its_address_when_it_gets_another_table(page: Page, hall: TrialHall, address: str) -> None:
    page.goto(f"{address}/overlay/main")
    overlay = page.locator("#overlay")
    assert overlay.is_hidden()
    for table in (7, 8):
        hall.desk.overlays = {"main": table}
        until(lambda table=table: overlay.is_visible() and page.inner_text("#overlay .table-number") == str(table))  # type: ignore[misc] # bound at once
        until(lambda table=table: is_right(page, hall, table, "#overlay"))  # type: ignore[misc] # likewise
    hall.desk.overlays = {}
    overlay.wait_for(state="hidden")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgba(0, 0, 0, 0)"
