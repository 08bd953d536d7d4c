"""The pages that act, in a real browser: scripts in names, the hold, the keyboard, what axe-core finds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, ViewportSize

from hall.desk.cards.seating import TableSeat
from hall.desk.store import CANNOT_COME, TOOK_CALL
from hall.desk.web.app import FORMS_OF
from hall.desk.web.orders import STOP_TEXT
from hall.desk.web.secured import RIGHTS
from hall.event.model import Event, Pairing
from rules.side import BySide
from tests.cells import each_cell
from tests.hall.desk.web.browsing import DESKTOP, PHONE, Windows, logged_in_windows
from tests.hall.desk.web.serving import DEPUTY, DIRECTOR, ServedDesk

pytestmark = pytest.mark.waits(30)

AXE = Path(__file__).parents[3] / "axe" / "node_modules" / "axe-core" / "axe.min.js"
SCRIPTS = (
    "<img src=x onerror=window.hurt=1>",
    "\"><svg onload='window.hurt=1'>",
    "</script><script>window.hurt=1</script>",
    "javascript:window.hurt=1//",
    "{{ 7 * 7 }}${7*7}<%= 7*7 %>",
)
PAGES = ("/", "/calls", "/notices", "/round", "/stations", "/devices", "/assign", "/event", "/log", "/account", "/table/1")
PUBLIC = ("/board",)
NO_PAGES = {"/static", "/typeface.ttf", "/stream", "/public/stream", "/api/openapi.json", "/api/tables"}
SIZES: dict[tuple[int, int], ViewportSize] = {each: {"width": each[0], "height": each[1]} for each in (PHONE, DESKTOP)}


@pytest.fixture(scope="module")
def hall(served: ServedDesk) -> ServedDesk:
    """A hall in which every text of others is a script."""
    for table, script in enumerate(SCRIPTS, 1):
        over = {"phase": "over", "running": None, "turn": None, "between_games": True} if table > 3 else {}
        clock = served.clock(script, table, names={"left": script[:40], "right": script[:40]}, freeze="hard", reason=script, **over)
        served.report(clock, up=clock.up(table=table, name=script, versions={script: script}))
        served.report(clock, call={"v": 1, "since": table, "boot": clock.boot, "table": table, "from": "players"})
    # Two rounds, so that the page of names shows what it has for both.
    served.desk.event = Event(pairings=(Pairing("A", 1, 1, 2, table=1), Pairing("A", 2, 1, 2, table=1)))
    served.desk.round, served.desk.seats = 1, {1: TableSeat(BySide("Ann", "Bo"))}
    return served


@pytest.fixture(scope="module")
def windows(browser: Browser, hall: ServedDesk) -> Iterator[Windows]:
    with logged_in_windows(browser, hall.base) as found:
        yield found


def test_no_text_of_others_becomes_a_script_or_makes_a_page_wider_than_a_phone(windows: Windows, hall: ServedDesk) -> None:
    with windows.page("/notices", PHONE) as page:
        complaints: list[str] = []
        page.on("console", lambda message: complaints.append(message.text) if "Content Security Policy" in message.text else None)
        send(page, "notice", SCRIPTS[0], "1-3")
        for cell in each_cell((*PAGES, *PUBLIC, "/none", f"/login?next={SCRIPTS[1]}")):
            with cell as path:
                page.goto(f"{hall.base}{path}")
                if path in PAGES:
                    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
                # The pages' programs ask for no size; what the page shows on a desktop alone is of its style sheet.
                page.set_viewport_size(SIZES[DESKTOP])
                assert page.evaluate("window.hurt") is None
                assert page.locator("img[src=x], svg[onload]").count() == 0
                page.set_viewport_size(SIZES[PHONE])
        # Nothing of ours is inline either.
        assert complaints == []
        page.goto(f"{hall.base}/log")
        assert SCRIPTS[0] in page.inner_text("main")
        page.goto(f"{hall.base}/assign")
        assert SCRIPTS[0] in page.inner_text("main")


def test_a_short_touch_sends_nothing_and_a_second_does(windows: Windows, hall: ServedDesk) -> None:
    with windows.page("/notices") as page:
        fill(page, "stop", "Stop, please", "1-2")
        assert page.inner_text("#summary") == "2 clocks will stop at once."
        button = page.locator("button[data-hold]")
        entries = hall.acting.log.latest(1)
        button.click(delay=300)
        button.press("Enter")
        page.press("#text", "Enter")
        page.mouse.move(*middle(page))
        page.mouse.down()
        page.mouse.move(5, 5)
        page.wait_for_timeout(1_200)
        page.mouse.up()
        assert page.url.endswith("/notices")
        assert hall.acting.log.latest(1) == entries
        page.mouse.move(*middle(page))
        page.mouse.down()
        page.wait_for_url("**/orders/*")
        page.mouse.up()
        assert hall.acting.log.latest(1)[0].what == "stop"


def test_typed_tables_are_ticked_and_an_unknown_one_is_named_before_anything_is_sent(windows: Windows, hall: ServedDesk) -> None:
    with windows.page("/notices") as page:
        entries = hall.acting.log.latest(1)
        page.check("[data-table='5']")
        fill(page, "notice", "", "2-3")
        ticked = "[...document.querySelectorAll('[name=clock]:checked')].map((each) => each.dataset.table)"
        assert page.evaluate(ticked) == ["2", "3", "5"]
        assert not page.locator(".mark.hard").first.is_visible()
        page.check("input[name=do][value=stop]")
        assert page.locator(".mark.hard").first.inner_text() == "stops by itself"
        page.fill("#tables", "3, 200-299")
        assert page.evaluate(ticked) == ["3", "5"]
        assert page.inner_text("#summary") == "2 clocks will stop at once. No clock at tables 200-299."
        page.focus("button[data-hold]")
        page.keyboard.down("Enter")
        page.wait_for_function("document.activeElement.id === 'tables'")
        page.keyboard.up("Enter")
        assert hall.acting.log.latest(1) == entries


def test_the_line_above_the_button_says_what_an_order_lacks_and_nothing_is_sent(windows: Windows, hall: ServedDesk) -> None:
    lacks = {
        ("", "2"): "Write what the players read.",
        ("Dinner", ""): "Choose at least one clock.",
        (" ", ""): "Write what the players read. Choose at least one clock.",
    }
    with windows.page("/notices") as page:
        entries = hall.acting.log.latest(1)
        for cell in each_cell(lacks):
            with cell as (text, tables):
                fill(page, "notice", text, tables)
                assert page.inner_text("#summary") == lacks[text, tables]
                held = page.locator("#summary.problem")
                page.mouse.move(*middle(page))
                page.mouse.down()
                held.wait_for()
                assert page.locator("button.held").count() == 0
                page.mouse.up()
                fill(page, "notice", "Dinner", "2")
                assert (page.inner_text("#summary"), held.count()) == ("1 clock will show the line.", 0)
        page.fill("#seconds", "4")
        assert page.inner_text("#summary") == "A notice needs a duration of 5 to 600 seconds."
        assert hall.acting.log.latest(1) == entries


def test_a_freeze_needs_no_text(windows: Windows, hall: ServedDesk) -> None:
    with windows.page("/notices") as page:
        fill(page, "stop", "", "1-2")
        assert page.inner_text("#summary") == "2 clocks will stop at once."
        assert page.get_attribute("#text", "placeholder") == STOP_TEXT
        send(page, "stop", "", "1-2")
        # Each clock shows its own words.
        assert hall.acting.log.latest(1)[0].detail["text"] == ""


def test_everything_goes_by_keyboard(windows: Windows, hall: ServedDesk) -> None:
    with windows.page("/notices") as page:
        walk_to(page, "input[name=do][value=notice]")
        page.keyboard.press("ArrowDown")
        walk_to(page, "#text")
        page.keyboard.type("Stop, please")
        walk_to(page, "#tables")
        page.keyboard.type("2")
        walk_to(page, "button[data-hold]")
        page.keyboard.down(" ")
        page.wait_for_url("**/orders/*")
        page.keyboard.up(" ")
        page.wait_for_selector("[data-complete=true]")
        assert "Table 2" in page.inner_text(".matrix")
        page.goto(f"{hall.base}/calls")
        walk_to(page, "button.main")
        page.keyboard.press("Enter")
        page.wait_for_selector(".taken")
        assert f"{DIRECTOR} is on the way" in page.inner_text(".taken")
        page.goto(f"{hall.base}/")
        page.locator(".tile .why", has_text=f"{DIRECTOR} is on the way").wait_for()
        page.locator(".to-calls:visible").first.click()
        page.wait_for_url("**/calls")
        walk_to(page, "[name=cannot]")
        page.keyboard.press("Enter")
        page.locator(".taken").wait_for(state="detached")
        assert [each.what for each in hall.acting.log.latest(2)] == [CANNOT_COME, TOOK_CALL]
        assert page.inner_text("#part .summary") == "5 calls waiting. Nobody is on the way yet."


def test_the_queue_of_calls_changes_by_the_stream_and_asks_for_nothing_else(windows: Windows, hall: ServedDesk) -> None:
    with windows.page("/calls") as page:
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url) if request.url.endswith("/part") else None)
        clock = hall.clock("caller", 70)
        cell = page.locator(".waiting", has_text="Table 70")
        page.locator("#link[data-state=live]").wait_for()
        before = int(page.locator("#calling").inner_text())
        for since in (1, 2):
            hall.report(clock, call={"v": 1, "since": since, "boot": clock.boot, "table": 70, "from": "players"})
            cell.wait_for()
            page.locator("#calling", has_text=str(before + 1)).wait_for()
            hall.rig.report(clock, "call", None)
            hall.desk.heard(clock.id)
            cell.wait_for(state="detached")
        # Each change asks once, a call on a slow machine twice because ``report`` says two things of it, and the snapshot once: a page that polled would go on.
        assert 4 <= len(asked) <= 7


def test_a_form_that_is_sent_again_acts_once(windows: Windows, hall: ServedDesk) -> None:
    with windows.page("/notices") as page:
        fill(page, "notice", "Once", "1")
        form = page.evaluate("Object.fromEntries(new FormData(document.getElementById('order')))")
        answers = [page.request.post(f"{hall.base}/notices", form=form, max_redirects=0) for _ in range(3)]
        assert {each.headers["location"] for each in answers} == {f"/orders/{form['request']}"}
        assert [each.request for each in hall.acting.log.latest(3)].count(form["request"]) == 1
        assert len(hall.acting.ordering.orders_of(form["request"])) == 1


@pytest.mark.parametrize("name", [DIRECTOR, DEPUTY])
def test_axe_finds_nothing_serious(windows: Windows, hall: ServedDesk, name: str) -> None:
    if not AXE.exists():
        pytest.skip("needs axe-core: sudo apt-get install npm, then .ci/setup test")
    shown = {path for path, methods in RIGHTS.items() if "GET" in methods and "part" not in path and "{" not in path}
    assert shown - NO_PAGES - FORMS_OF.keys() == {*PAGES, *PUBLIC, "/login"} - {"/table/1"}
    with windows.page("/notices", PHONE, name) as page:
        # A deputy's pages differ where a director acts.
        paths = [*PAGES, *PUBLIC, "/login"] if name == DIRECTOR else ["/calls", "/notices", "/round", "/assign", "/event"]
        if name == DIRECTOR:
            send(page, "stop", "Stop, please", "1-5")
            paths.append(page.url.removeprefix(hall.base))
        found = {path: serious(page, hall.base + path) for path in paths}
        assert {path: faults for path, faults in found.items() if faults} == {}


def serious(page: Page, address: str) -> list[str]:
    """Return what axe finds on a page, as wide as a phone and dark, then as wide as a desktop and light."""
    page.set_viewport_size(SIZES[PHONE])
    page.goto(address)
    page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    # Not as a script of the page: its policy forbids it.
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = []
    for size, words in SIZES.items():
        page.set_viewport_size(words)
        page.emulate_media(color_scheme="dark" if size == PHONE else "light")
        result: dict[str, Any] = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        found += [
            f"{size}: {each['id']}: {node['html'][:150]}: {node['failureSummary']}"
            for each in result["violations"]
            if each["impact"] in {"serious", "critical"}
            for node in each["nodes"][:3]
        ]
    return found


def fill(page: Page, do: str, text: str, tables: str) -> None:
    page.check(f"input[name=do][value={do}]")
    page.fill("#text", text)
    page.fill("#tables", tables)


def send(page: Page, do: str, text: str, tables: str) -> None:
    """On the page of notices."""
    fill(page, do, text, tables)
    page.focus("button[data-hold]")
    page.keyboard.down("Enter")
    page.wait_for_url("**/orders/*")
    page.keyboard.up("Enter")


def middle(page: Page) -> tuple[float, float]:
    page.locator("button[data-hold]").scroll_into_view_if_needed()
    box = page.locator("button[data-hold]").bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def walk_to(page: Page, selector: str) -> None:
    """Press Tab until the element has the focus."""
    for _ in range(80):
        if page.evaluate("(selector) => document.activeElement?.matches(selector)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{selector} cannot be reached by Tab")
