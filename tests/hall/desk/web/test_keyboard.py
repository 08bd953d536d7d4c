"""Every page by keyboard alone: Tab reaches each control, and Enter acts on it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.hall.desk.web.browsing import Windows, logged_in, logged_in_windows, window
from tests.hall.desk.web.serving import ServedDesk
from tests.hall.desk.web.test_browser import PAGES, walk_to

pytestmark = pytest.mark.waits(15)

# What Tab has to reach: of the radio buttons of a group one is enough, the arrow keys go on from there.
CONTROLS = """() => {
    const kinds = 'a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex="0"]';
    const found = [...document.querySelectorAll(kinds)].filter((each) => !each.disabled && each.checkVisibility({ visibilityProperty: true }));
    const groups = new Set();
    window.wanted = found.filter((each) => {
        if (each.type !== 'radio') return true;
        const fresh = !groups.has(each.name);
        groups.add(each.name);
        return fresh;
    });
    // A part that has changed meanwhile brings its controls anew.
    window.key = (each) => each.type === 'radio' ? each.name : each.id || each.getAttribute('href') || each.outerHTML;
    window.reached = new Set();
    document.addEventListener('focusin', ({ target }) => window.reached.add(window.key(target)));
    return window.wanted.length;
}"""
MISSED = "() => window.wanted.filter((each) => !window.reached.has(window.key(each))).map((each) => each.outerHTML.slice(0, 150))"


@pytest.fixture(scope="module")
def hall(served: ServedDesk) -> ServedDesk:
    """A hall in which each page has something to do: a call, a clock between games, one in play."""
    over = {"phase": "over", "running": None, "turn": None, "between_games": True}
    for table in (1, 2):
        served.clock(f"clock {table}", table, names={"left": "Ann", "right": "Bo"}, **(over if table == 2 else {}))
    calling = served.clock("calling", 3)
    served.report(calling, call={"v": 1, "since": 1, "boot": calling.boot, "table": 3, "from": "players"})
    return served


@pytest.fixture(scope="module")
def windows(browser: Browser, hall: ServedDesk) -> Iterator[Windows]:
    with logged_in_windows(browser, hall.base) as found:
        yield found


@pytest.mark.parametrize("path", PAGES)
def test_tab_reaches_every_control(windows: Windows, path: str) -> None:
    with windows.page(path) as page:
        page.locator("#link[data-state=live]").wait_for()
        for _ in range(page.evaluate(CONTROLS) + 5):
            page.keyboard.press("Tab")
        assert page.evaluate(MISSED) == []


def test_enter_opens_each_page_from_the_one_before(windows: Windows, hall: ServedDesk) -> None:
    with windows.page("/") as page:
        page.locator("#link[data-state=live]").wait_for()
        pages = page.locator("nav a").evaluate_all("(all) => all.map((each) => each.getAttribute('href'))")
        for path in [*pages[1:], pages[0]]:
            walk_to(page, f'nav a[href="{path}"]')
            page.keyboard.press("Enter")
            page.wait_for_url(f"{hall.base}{path}")
            assert page.locator("nav a[aria-current=page]").get_attribute("href") == path


def test_enter_opens_a_table_sets_the_round_and_logs_out(browser: Browser, hall: ServedDesk) -> None:
    with window(browser) as context:
        page = logged_in(context, hall.base)
        walk_to(page, '.tile a[href="/table/2"]')
        page.keyboard.press("Enter")
        page.wait_for_url("**/table/2")
        page.goto(f"{hall.base}/round")
        walk_to(page, "input[name=minutes]")
        page.keyboard.type("7")
        page.keyboard.press("Enter")
        page.locator("dt", has_text="Begins in").wait_for()
        walk_to(page, "form[action='/logout'] button")
        page.keyboard.press("Enter")
        page.wait_for_url("**/login*")
        log_in_by_keys(page)


def log_in_by_keys(page: Page) -> None:
    """The name has the focus already."""
    page.wait_for_function("document.activeElement.id === 'name'")
    page.keyboard.type("ruth")
    page.keyboard.press("Tab")
    page.keyboard.type("wrong")
    page.keyboard.press("Enter")
    page.locator("[role=alert]").wait_for()
