"""Golden pictures of the desk's main pages at three sizes, some of them dark, of a hall that stands still and then is frozen.

Renewed, and then looked at, by ``TILECLOCK_UPDATE_GOLDEN=1 .venv/bin/python -m pytest tests/hall/desk/web/test_golden_pages.py``.
"""

from __future__ import annotations

import io
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pygame
import pytest
from playwright.sync_api import Page

from hall.desk.store import CallKey
from hall.desk.web.acting import Acting
from hall.desk.web.calls import see
from tests.appliance.display.pictures import RENEW, renew
from tests.cells import each_cell
from tests.hall.desk.trial_hall import TrialHall, acting_parts, served
from tests.hall.desk.web.alike import differing
from tests.hall.desk.web.browsing import DESKTOP, PHONE, chromium, resize
from tests.hall.desk.web.serving import DIRECTOR
from tests.hall.desk.web.shown_hall import MANY_TURNS, NOW, REQUEST, freeze, shown_hall
from tests.processes import PATIENCE_S

pytestmark = pytest.mark.waits(12)

KEPT = Path(__file__).parent / "golden"
SIZES = ((1920, 1080), DESKTOP, PHONE)
PAGES = {
    "hall": "/",
    "table": f"/table/{MANY_TURNS}",
    "round": "/round",
    "calls": "/calls",
    "devices": "/devices",
    "matrix": f"/orders/{REQUEST}",
    "board": "/board",
    "overlay": "/overlay/main",
}
DARK = ("hall", "table")
"""The pages that are also pictured dark."""
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
def hall(tmp_path_factory: pytest.TempPathFactory) -> TrialHall:
    return shown_hall(tmp_path_factory.mktemp("hall"))


@pytest.fixture(scope="module")
def page(hall: TrialHall, accounts: Path) -> Iterator[Page]:
    """A director's browser in front of the hall."""
    shutil.copy(accounts, hall.folder / "accounts.json")
    parts = acting_parts(hall.folder)
    account = parts.access.accounts.find(DIRECTOR)
    assert account is not None
    session = parts.access.sessions.begin(account, None, NOW)
    go(hall, parts, 16)
    with (
        served(hall, parts=parts) as address,
        chromium(*LETTERS) as browser,
        browser.new_context(base_url=address, timezone_id="UTC") as context,
    ):
        context.set_default_timeout(PATIENCE_S * 1000)
        context.add_init_script(STILL)
        context.add_cookies([{"name": f"desk-{address.rpartition(':')[2]}", "value": session.id, "url": address}])
        yield context.new_page()


def go(hall: TrialHall, parts: Acting, table: int) -> None:
    """Let the director be on the way to a table that calls."""
    device = hall.clocks[table].device
    assert device.call is not None
    parts.takers.take(CallKey(device.id, device.call.boot, device.call.since), DIRECTOR)
    see(hall.desk, parts.takers.all())


def shown(page: Page, name: str) -> None:
    page.goto(PAGES[name])
    page.locator("#link[data-state=live], .public .reading:not(:empty)").first.wait_for()
    page.evaluate("document.fonts.ready")


def taken(page: Page) -> pygame.Surface:
    return pygame.image.load(io.BytesIO(page.screenshot()))


def picture(page: Page, title: str, scratch: Path) -> None:
    """Compare a page with its picture, or renew that."""
    actual = taken(page)
    renew(title, actual, KEPT)
    assert compare(title, actual, scratch) == ""


def compare(title: str, actual: pygame.Surface, scratch: Path) -> str:
    """Return what is wrong with the picture of a page, empty where it looks as kept."""
    kept = KEPT / f"{title}.png"
    found = differing(actual, pygame.image.load(kept)) if kept.exists() else None
    if found == 0:
        return ""
    pygame.image.save(actual, scratch / kept.name)
    return f"{found} cells of {title} differ: compare {scratch / kept.name}, renew with {RENEW}=1"


def test_each_page_looks_on_each_screen_as_it_did(page: Page, tmp_path: Path) -> None:
    for name in PAGES:
        shown(page, name)
        for cell in each_cell(SIZES):
            with cell as (width, height):
                resize(page, width, height)
                picture(page, f"{name}-{width}x{height}", tmp_path)


def test_pages_look_in_the_dark_as_they_did(page: Page, tmp_path: Path) -> None:
    width, height = DESKTOP
    resize(page, width, height)
    page.emulate_media(color_scheme="dark")
    for cell in each_cell(DARK):
        with cell as name:
            shown(page, name)
            picture(page, f"{name}-dark-{width}x{height}", tmp_path)
    page.emulate_media(color_scheme="light")


def test_an_element_that_is_elsewhere_or_looks_otherwise_is_more_than_the_golden_pictures_tolerate(page: Page, tmp_path: Path) -> None:
    width, height = PHONE
    resize(page, width, height)
    for cell in each_cell(CHANGES):
        with cell as change:
            shown(page, "hall")
            page.evaluate(CHANGES[change])
            assert "differ" in compare(f"hall-{width}x{height}", taken(page), tmp_path)


def test_each_page_says_that_a_freeze_stands(page: Page, hall: TrialHall, tmp_path: Path) -> None:
    """After all others, because the hall stays frozen."""
    freeze(hall)
    for cell in each_cell((DESKTOP, PHONE)):
        with cell as (width, height):
            resize(page, width, height)
            shown(page, "hall")
            page.locator("#troubles p", has_text=re.compile(r"\d+ frozen, 3 still running\. Since 13:46:20\.")).wait_for()
            picture(page, f"freeze-{width}x{height}", tmp_path)
