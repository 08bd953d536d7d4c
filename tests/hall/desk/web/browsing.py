"""Debian's chromium by playwright."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.hall.desk.web.serving import DIRECTOR, PASSWORD
from tests.installed import require
from tests.processes import PATIENCE_S

ARGUMENTS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
    "--disable-sync",
)  # fmt: skip
PHONE = (390, 844)
DESKTOP = (1280, 800)


@contextmanager
def chromium(*arguments: str) -> Iterator[Browser]:
    """Start the browser; skip the test where there is none."""
    require("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=[*ARGUMENTS, *arguments])
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def window(browser: Browser, size: tuple[int, int] = DESKTOP) -> Iterator[BrowserContext]:
    """Open a window of a browser without cookies."""
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, has_touch=size == PHONE)
    context.set_default_timeout(PATIENCE_S * 1000)
    try:
        yield context
    finally:
        context.close()


def logged_in(context: BrowserContext, base: str, name: str = DIRECTOR) -> Page:
    """Log in as a person does, at the desk with the address ``base``."""
    page = context.new_page()
    page.goto(f"{base}/login")
    page.fill("#name", name)
    page.fill("#password", PASSWORD)
    page.press("#password", "Enter")
    page.wait_for_selector("#link[data-state=live]")
    return page
