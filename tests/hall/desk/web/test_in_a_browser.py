"""The pages in a real browser: who needs somebody, readings that count, keys, a phone, a desk that goes away, names that are code."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from game.events import Call
from hall.desk.web.pages import card_reading
from rules.side import BySide, Side
from tests.hall.desk.trial_hall import TrialHall, in_every_state, served
from tests.hall.desk.web.browsing import resize
from tests.processes import PATIENCE_S, until

pytestmark = pytest.mark.waits(20)

CODE = "<img src=x onerror=alert(1)>"
PAGES = ("/", "/round", "/stations", "/devices", "/table/1")


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> TrialHall:
    found = TrialHall(tmp_path_factory.mktemp("hall"), 14)
    found.clocks[12].names = BySide(CODE, "Bo {{ 7 * 7 }}")
    in_every_state(found)
    return found


@pytest.fixture(scope="module")
def address(hall: TrialHall) -> Iterator[str]:
    with served(hall) as found:
        yield found


@pytest.fixture(scope="module")
def context(browser: Browser) -> Iterator[BrowserContext]:
    with browser.new_context(viewport={"width": 1280, "height": 800}) as found:
        found.set_default_timeout(PATIENCE_S * 1000)
        yield found


@pytest.fixture
def page(context: BrowserContext, address: str, hall: TrialHall) -> Iterator[Page]:
    found = context.new_page()
    complaints: list[str] = []
    found.on("console", lambda message: complaints.append(message.text) if message.type in ("error", "warning") else None)
    found.on("pageerror", lambda error: complaints.append(str(error)))
    hall.beat_all()
    shown(found, address)
    yield found
    found.close()
    assert [each for each in complaints if "ERR_CONNECTION_REFUSED" not in each and "ERR_INCOMPLETE" not in each] == []


def shown(page: Page, address: str) -> None:
    page.goto(address)
    page.locator("#link[data-state=live]").wait_for()


def test_whoever_needs_somebody_comes_first_in_words_with_the_time_of_waiting(page: Page) -> None:
    first = page.locator("#needs .tile")
    until(lambda: first.count() >= 4)
    kinds = [first.nth(place).get_attribute("data-need") for place in range(4)]
    assert kinds == ["call", "challenge", "overtime", "hold"]
    call = first.nth(0)
    assert call.locator(".table-number").inner_text() == "1"
    assert call.locator(".why").inner_text().lower() == "calls the director"
    assert _seconds(call.locator(".age").inner_text()) >= 25
    over = first.nth(2)
    assert over.locator(".side.runs .reading").inner_text().startswith("-1:")
    # A minute and some seconds of overtime cost two times ten points (2017 V.G.2).
    assert over.locator(".side.runs .penalty").inner_text() == "\u221220"


def test_a_reading_counts_as_the_desk_computes_it_and_touches_its_text_once_a_second(page: Page, hall: TrialHall) -> None:
    name = hall.clocks[10].device.id
    page.evaluate(
        """(name) => {
            window.written = [];
            const reading = document.querySelector(`[data-id="${name}"] .side.runs .reading`);
            new MutationObserver((all) => window.written.push(...all.map(() => reading.textContent)))
                .observe(reading, { characterData: true, childList: true, subtree: true });
        }""",
        name,
    )
    reading = page.locator(f'[data-id="{name}"] .side.runs .reading')
    card = hall.desk.cards[name]
    assert card.running is not None

    def equal() -> bool:
        before = time.monotonic_ns()
        text = reading.inner_text()
        # The instant of the look lies between the two.
        return text in {card_reading(hall.desk.cards[name], Side(card.running), at) for at in (before, time.monotonic_ns())}

    until(equal)
    until(lambda: len(page.evaluate("window.written")) >= 3)
    written = page.evaluate("window.written")
    assert len(written) == len(set(written))


def test_a_press_changes_its_row(page: Page, hall: TrialHall) -> None:
    tile = page.locator(f'[data-id="{hall.clocks[9].device.id}"]')
    before = tile.locator(".side.runs").get_attribute("data-side")
    hall.press(9)
    until(lambda: tile.locator(".side.runs").get_attribute("data-side") not in (before, None))
    hall.say(9, Call(on=True))
    page.locator(f'#needs [data-id="{hall.clocks[9].device.id}"][data-need=call]').wait_for()
    hall.say(9, Call(on=False))
    page.locator(f'#others [data-id="{hall.clocks[9].device.id}"]').wait_for()


def test_a_director_finds_and_opens_a_table_by_keys_alone(page: Page) -> None:
    others = page.locator("h2", has_text="All other tables")
    assert others.is_visible()
    page.keyboard.press("/")
    page.keyboard.type("12")
    until(lambda: page.locator(".tile:visible").count() == 1)
    # No table needs attention, so none stands above it.
    assert not others.is_visible()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    page.wait_for_url("**/table/12")
    assert page.locator("h1").inner_text() == "Table 12"


def test_a_filter_stands_in_the_address(page: Page) -> None:
    page.locator(".chip[data-need=hold]").click()
    until(lambda: page.locator(".tile:visible").count() == 1)
    page.reload()
    page.locator("#link[data-state=live]").wait_for()
    until(lambda: page.locator(".tile:visible").count() == 1)
    assert page.locator(".tile:visible .table-number").inner_text() == "4"


def test_a_name_is_text_wherever_it_stands(page: Page, address: str) -> None:
    for path in ("/", "/table/12"):
        shown(page, address + path)
        assert page.locator("img").count() == 0
        assert {CODE, "Bo {{ 7 * 7 }}"} <= set(page.locator(".player").all_inner_texts())


def test_no_page_is_wider_than_its_screen(page: Page, address: str) -> None:
    for path in PAGES:
        shown(page, address + path)
        for width in (1920, 1280, 390):
            resize(page, width, 844)


def test_on_a_phone_hall_and_calls_stay_beside_the_page_that_is_open(page: Page, address: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    shown(page, f"{address}/devices")
    for path in ("/", "/calls", "/devices"):
        box = page.locator(f'nav a[href="{path}"]').bounding_box()
        assert box is not None
        assert box["x"] >= 0, path
        assert box["x"] + box["width"] <= 390, path


def test_whoever_has_not_logged_in_finds_the_login_on_a_page(page: Page, address: str) -> None:
    page.goto(f"{address}/notices")
    assert page.inner_text("main .empty") == "Log in as a director to send notices."
    page.click(".visit a")
    page.wait_for_url("**/login?next=/notices")


def test_a_table_has_its_events_its_plot_and_its_adjustments(page: Page, address: str) -> None:
    shown(page, f"{address}/table/3")
    events = page.locator(".events tbody tr")
    assert events.last.inner_text().split("\t")[-1].startswith("New game: naspa-2017")
    assert "pressed" in events.first.inner_text()
    assert page.locator(".plot .bar").count() == 1


def test_a_desk_that_goes_away_is_said_and_comes_back_by_itself(browser: Browser, tmp_path: Path) -> None:
    hall = TrialHall(tmp_path, 3)
    for table in hall.clocks:
        hall.begin(table)
    with browser.new_context() as context:
        page = context.new_page()
        with served(hall) as address:
            shown(page, address)
            port = int(address.rpartition(":")[2])
        page.locator("#link[data-state=lost]").wait_for()
        assert "No connection to the desk" in page.locator("#link").inner_text()
        with served(hall, port):
            page.locator("#link[data-state=live]").wait_for(timeout=PATIENCE_S * 1000)


def _seconds(age: str) -> int:
    minutes, _, seconds = age.partition(":")
    return int(minutes) * 60 + int(seconds)
