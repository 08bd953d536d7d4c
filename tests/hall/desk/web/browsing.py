"""Debian's chromium by playwright."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.hall.desk.web.serving import DIRECTOR, PASSWORD
from tests.installed import require
from tests.processes import PATIENCE_S

CHROMIUM = "/usr/bin/chromium-headless-shell"
"""The same browser without the parts that nothing here looks at: it starts in half the time and draws with half the processor."""
ARGUMENTS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--renderer-process-limit=1",
)  # fmt: skip
"""One process draws all pages: each new page would start another."""
PHONE = (390, 844)
DESKTOP = (1280, 800)


@contextmanager
def chromium(*arguments: str) -> Iterator[Browser]:
    require("chromium-headless-shell")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=[*ARGUMENTS, *arguments])
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def window(browser: Browser, size: tuple[int, int] = DESKTOP) -> Iterator[BrowserContext]:
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, has_touch=size == PHONE)
    context.set_default_timeout(PATIENCE_S * 1000)
    try:
        yield context
    finally:
        context.close()


def logged_in(context: BrowserContext, base: str, name: str = DIRECTOR) -> Page:
    page = context.new_page()
    page.goto(f"{base}/login")
    page.fill("#name", name)
    page.fill("#password", PASSWORD)
    page.press("#password", "Enter")
    page.wait_for_selector("#link[data-state=live]")
    return page


def resize(page: Page, width: int, height: int) -> None:
    """Give the page another size, wait until it has laid itself out for it, and require that it is no wider."""
    page.set_viewport_size({"width": width, "height": height})
    # The first of these frames has told the page its new size.
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert page.evaluate("document.documentElement.scrollWidth") <= width


class Windows:
    def __init__(self, browser: Browser, base: str, stack: ExitStack) -> None:
        self._browser = browser
        self._base = base
        self._stack = stack
        self._open: dict[tuple[tuple[int, int], str], BrowserContext] = {}

    @contextmanager
    def page(self, path: str, size: tuple[int, int] = DESKTOP, name: str = DIRECTOR) -> Iterator[Page]:
        context = self._open.get((size, name))
        if context is None:
            context = self._open[size, name] = self._stack.enter_context(window(self._browser, size))
            logged_in(context, self._base, name).close()
        page = context.new_page()
        try:
            page.goto(f"{self._base}{path}")
            yield page
        finally:
            page.close()
