"""The pages that act, in a real browser: scripts in names, the hold, the keyboard, what axe-core finds."""

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import quote

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize

from appliance.texts import MASTER, load_phrases
from game.events import Call, Hold
from hall.desk.access.guard import DeskRoute
from hall.desk.rows import ResultKeeper
from hall.desk.store import CANNOT_COME, TOOK_CALL
from hall.desk.tiles.folded import TableSeat
from hall.desk.web.app import FORMS_OF
from hall.desk.web.orders import STOP_TEXT
from hall.desk.web.pages import NAVIGATION, PHRASES, spoken, tile_reading
from hall.event.model import Event, Pairing, Player
from hall.results.book import ClockResult, GameResult, KeptRow, Source
from rules.duration import NS
from rules.side import BySide, Side
from tests.cells import each_cell
from tests.examples import in_turn, sampled
from tests.hall.desk.trial_hall import TrialHall
from tests.hall.desk.trial_hall import served as on_the_loopback
from tests.hall.desk.web.browsing import DESKTOP, PHONE, Windows, logged_in, window
from tests.hall.desk.web.serving import DEPUTY, DIRECTOR, OVER, ServedDesk, served_desk
from tests.processes import PATIENCE_S, until
from tests.some import some

pytestmark = pytest.mark.waits(70)

AXE = Path(__file__).parents[3] / "axe" / "node_modules" / "axe-core" / "axe.min.js"
SCRIPTS = (
    "<img src=x onerror=window.hurt=1>",
    "\"><svg onload='window.hurt=1'>",
    "</script><script>window.hurt=1</script>",
    "javascript:window.hurt=1//",
    "{{ 7 * 7 }}${7*7}<%= 7*7 %>",
)
PAGES = (
    "/",
    "/calls",
    "/notices",
    "/round",
    "/timer",
    "/stations",
    "/devices",
    "/assign",
    "/event",
    "/log",
    "/account",
    "/receipt",
    "/table/1",
)
WITH_QUERY = ("/result?division=A&round=1&first=1", "/unplaced?n=1", "/result/slip?division=A&round=1&first=1", "/devices/tests")
"""Pages about one thing, of which there is one in the hall; and sheets to print."""
PUBLIC = ("/board", "/standings")
OTHERS = [code for code in spoken() if code != MASTER]
NO_PAGES = {"/export/standings.csv", "/typeface.ttf", "/stream", "/public/stream", "/api/openapi.json", "/api/tables"}
SIZES: dict[tuple[int, int], ViewportSize] = {each: {"width": each[0], "height": each[1]} for each in (PHONE, DESKTOP)}


@pytest.fixture(scope="module")
def hall(served: ServedDesk) -> ServedDesk:
    """A hall in which every text of others is a script."""
    for table, script in enumerate(SCRIPTS, 1):
        names, over = {"left": script[:40], "right": script[:40]}, OVER if table > 3 else {}
        clock = served.clock(script, table, names=names, freeze="hard", reason=script, **over)
        served.report(clock, up=clock.up(table=table, name=script, versions={script: script}))
        served.report(clock, call={"v": 1, "since": table, "boot": clock.boot, "table": table, "from": "players"})
    # Two rounds, so that the page of names shows what it has for both.
    players = (Player("A", 1, SCRIPTS[0], team=SCRIPTS[1]), Player("A", 2, SCRIPTS[2]))
    served.desk.event = Event(players, (Pairing("A", 1, 1, 2, table=1), Pairing("A", 2, 1, 2, table=1)))
    served.desk.round, served.desk.seats = 1, {1: TableSeat(BySide("Ann", "Bo"))}
    keeper: ResultKeeper = served.app.state.result_keeper
    row = GameResult(row=0, division="", round=0, first=1, second=2, source=Source.CLOCK, scores=(812, 95), device=SCRIPTS[0], game="1")
    keeper.add_clock(ClockResult(BySide(SCRIPTS[3], SCRIPTS[4]), 1, row, 1))
    for scores in ((812, 95), (412, 388)):
        made = replace(row, division="A", round=1, source=Source.SLIP, scores=scores, who=SCRIPTS[1], reason=SCRIPTS[2])
        keeper.add({str(scores): KeptRow(made)})
    return served


@pytest.fixture(scope="module")
def windows(browser: Browser, hall: ServedDesk) -> Iterator[Windows]:
    with ExitStack() as stack:
        yield Windows(browser, hall.base, stack)


def test_no_page_is_wider_than_a_phone_in_another_language(windows: Windows, hall: ServedDesk) -> None:
    paths = (*PAGES, *WITH_QUERY, *PUBLIC)
    with windows.page("/", PHONE) as page:
        # In the end English, whose other pages are measured below.
        for cell in each_cell([*sampled(in_turn(OTHERS, paths, 0), 2), (MASTER, "/")]):
            with cell as (code, path):
                page.goto(f"{hall.base}/language/{code}?next={quote(path)}")
                assert (page.url, page.get_attribute("html", "lang")) == (f"{hall.base}{path}", code)
                assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]


def test_no_text_of_others_becomes_a_script_no_page_is_wider_than_a_phone_and_axe_finds_nothing_serious(
    windows: Windows, hall: ServedDesk
) -> None:
    shown = {each.path for each in hall.app.routes if isinstance(each, DeskRoute) and "GET" in (each.methods or ())}
    shown = {path for path in shown if "part" not in path and "{" not in path}
    assert shown - NO_PAGES - FORMS_OF.keys() == {*PAGES, *PUBLIC, "/login", *(each.partition("?")[0] for each in WITH_QUERY)} - {
        "/table/1"
    }
    assert {*PAGES} - {path for path, _ in NAVIGATION} == {"/timer", "/account", "/receipt", "/table/1"}
    with windows.page("/notices", PHONE) as page:
        complaints: list[str] = []
        page.on("console", lambda message: complaints.append(message.text) if "Content Security Policy" in message.text else None)
        send(page, "notice", SCRIPTS[0], "1-3")
        page.goto(f"{hall.base}/notices")
        send(page, "stop", "Stop, please", "1-5")
        own = (*PAGES, *WITH_QUERY, page.url.removeprefix(hall.base))
        for cell in each_cell(in_turn((*SIZES,), (*own, *PUBLIC, "/none", f"/login?next={SCRIPTS[1]}"), 0)):
            with cell as (size, path):
                page.set_viewport_size(SIZES[PHONE])
                page.goto(f"{hall.base}{path}")
                assert path not in own or page.url == f"{hall.base}{path}"
                # A script would run and an image be asked for on a desktop as on a phone: what either hides is of the style sheet.
                found = page.evaluate(
                    "[document.documentElement.scrollWidth, window.hurt, document.querySelectorAll('img[src=x], svg[onload]').length]"
                )
                assert (found[0] <= PHONE[0], found[1:]) == (True, [None, 0])
                # Nothing of ours is inline either.
                assert complaints == []
                # What is no page is a line of plain text.
                assert path == "/none" or serious(page, size) == []
                complaints.clear()
        page.goto(f"{hall.base}/log")
        assert SCRIPTS[0] in page.inner_text("main")
        page.goto(f"{hall.base}/assign")
        assert SCRIPTS[0] in page.inner_text("main")
    require_axe()


def test_a_short_touch_sends_nothing_and_a_second_does(windows: Windows, hall: ServedDesk) -> None:
    with windows.page("/notices") as page:
        fill(page, "stop", "Stop, please", "1-2")
        assert page.inner_text("#summary") == "2 clocks will stop at once."
        button = page.locator("button[data-hold]")
        entries = hall.acting.store.latest(1)
        button.click(delay=300)
        button.press("Enter")
        page.press("#text", "Enter")
        with pressed(page):
            page.mouse.move(5, 5)
            page.wait_for_timeout(1_200)
        assert page.url.endswith("/notices")
        assert hall.acting.store.latest(1) == entries
        with pressed(page):
            page.wait_for_url("**/orders/*")
        assert hall.acting.store.latest(1)[0].what == "stop"


def test_typed_tables_are_ticked_and_an_unknown_one_is_named_before_anything_is_sent(windows: Windows, hall: ServedDesk) -> None:
    with windows.page("/notices") as page:
        entries = hall.acting.store.latest(1)
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
        assert hall.acting.store.latest(1) == entries


def test_the_line_above_the_button_says_what_an_order_lacks_and_nothing_is_sent(windows: Windows, hall: ServedDesk) -> None:
    write, choose = "Write what the players read.", "Choose at least one clock."
    lacks = {("", "2"): write, ("Dinner", ""): choose, (" ", ""): f"{write} {choose}"}
    with windows.page("/notices") as page:
        entries = hall.acting.store.latest(1)
        for cell in each_cell(lacks):
            with cell as (text, tables):
                fill(page, "notice", text, tables)
                assert page.inner_text("#summary") == lacks[text, tables]
                held = page.locator("#summary.problem")
                with pressed(page):
                    held.wait_for()
                    assert page.locator("button.held").count() == 0
                fill(page, "notice", "Dinner", "2")
                assert (page.inner_text("#summary"), held.count()) == ("1 clock will show the line.", 0)
        page.fill("#seconds", "4")
        assert page.inner_text("#summary") == "A notice needs a duration of 5 to 600 seconds."
        assert hall.acting.store.latest(1) == entries
        # A freeze needs no text: each clock shows its own words.
        fill(page, "stop", "", "1-2")
        assert page.inner_text("#summary") == "2 clocks will stop at once."
        assert page.get_attribute("#text", "placeholder") == STOP_TEXT
        send(page, "stop", "", "1-2")
        assert hall.acting.store.latest(1)[0].detail["text"] == ""


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
        assert [each.what for each in hall.acting.store.latest(2)] == [CANNOT_COME, TOOK_CALL]
        assert page.inner_text("#part .summary") == "5 calls waiting. No director is on the way yet."


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


def test_files_are_imported_results_taken_away_and_all_free_clocks_named(browser: Browser, tmp_path: Path, accounts: Path) -> None:
    (tmp_path / "players.csv").write_text("name\nAnn\nBo\n", encoding="ascii")
    (tmp_path / "round-1.csv").write_text("round,player1,player2,table\n1,1,2,7\n", encoding="ascii")
    with served_desk(tmp_path, accounts) as desk, window(browser) as context:
        free = desk.clock("free", 7, **OVER)
        desk.clock("plays", 8)
        page = logged_in(context, desk.base)
        page.goto(f"{desk.base}/event")
        page.set_input_files("#files", [tmp_path / "players.csv", tmp_path / "round-1.csv"])
        page.click("text=Import >> nth=-1")
        page.wait_for_selector(".rounds")
        with page.expect_download() as csv_file:
            page.click("text=CSV")
        assert (csv_file.value.suggested_filename, "Ann" in csv_file.value.path().read_text()) == ("round-1.csv", True)
        page.goto(f"{desk.base}/assign")
        page.click("#all")
        page.click("text=Send table and names to the chosen clocks")
        page.wait_for_url("**/orders/*")
        assert [(each.do, each.device) for each in desk.orders(page.url.rpartition("/")[2])] == [("assign", free.id)]


def test_a_roster_that_would_change_a_player_is_asked_for_and_imported_by_keyboard_alone(
    browser: Browser, tmp_path: Path, accounts: Path
) -> None:
    (tmp_path / "players.csv").write_text("number,name\n1,Ann\n2,Bo\n", encoding="ascii")
    (tmp_path / "round-1.csv").write_text("round,player1,player2,table\n1,1,2,7\n", encoding="ascii")
    # Bo is missing, and a late entry has the number.
    (tmp_path / "late.csv").write_text("number,name\n1,Ann\n2,Gus\n", encoding="ascii")
    with served_desk(tmp_path, accounts) as desk, window(browser) as context:
        page = logged_in(context, desk.base)
        page.goto(f"{desk.base}/event")

        def typed(*keys: str, files: tuple[str, ...], then: str) -> None:
            # The dialog that a key opens is the browser's own.
            page.set_input_files("#files", [tmp_path / each for each in files])
            page.focus("#files")
            for key in keys:
                page.keyboard.press(key)
            page.wait_for_selector(then)

        typed("Tab", "Tab", "Enter", files=("players.csv", "round-1.csv"), then=".done")
        typed("Tab", "Tab", "Enter", files=("late.csv",), then=".problem")
        asked = page.inner_text(".problem")
        assert "player 2, Bo, becomes Gus, in 1 pairing." in asked
        assert "choose the same files again, tick the box below them" in asked
        # The box is the next stop after the files.
        typed("Tab", "Space", "Tab", "Tab", "Enter", files=("late.csv",), then=".done")
        page.press("summary", "Enter")
        assert page.locator("[data-label=Name]").all_inner_texts() == ["Ann", "Gus"]
        assert page.locator(".rounds [data-label=Pairings]").inner_text() == "1"


def test_axe_finds_nothing_serious_on_a_deputys_pages_that_differ(windows: Windows, hall: ServedDesk) -> None:
    require_axe()
    with windows.page("/notices", PHONE, DEPUTY) as page:
        # Those on which a director acts.
        for cell in each_cell(in_turn((*SIZES,), ["/calls", "/notices", "/round", "/receipt", "/assign", "/event"], 1)):
            with cell as (size, path):
                page.goto(hall.base + path)
                assert serious(page, size) == []


def require_axe() -> None:
    if not AXE.exists():
        pytest.skip("needs axe-core: sudo apt-get install npm, then .ci/setup test")


SERIOUS = """async () => {
    // Without another look at the style sheets: it is for rules that are tried out, which do not run.
    const { violations } = await axe.run(document, { resultTypes: ['violations'], preload: false });
    return violations.filter(({ impact }) => ['serious', 'critical'].includes(impact)).flatMap(({ id, nodes }) =>
        nodes.slice(0, 3).map(({ html, failureSummary }) => `${id}: ${html.slice(0, 150)}: ${failureSummary}`));
}"""


def serious(page: Page, size: tuple[int, int]) -> list[str]:
    """Return what axe finds on the page as wide as a phone and dark, or as wide as a desktop and light; nothing without axe."""
    if not AXE.exists():
        return []
    page.set_viewport_size(SIZES[size])
    page.emulate_media(color_scheme="dark" if size == PHONE else "light")
    page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    # Not as a script of the page: its policy forbids it.
    page.evaluate(f"() => {{{AXE.read_text(encoding='utf-8')}}}")
    found: list[str] = page.evaluate(SERIOUS)
    return found


def fill(page: Page, do: str, text: str, tables: str) -> None:
    page.check(f"input[name=do][value={do}]")
    page.fill("#text", text)
    page.fill("#tables", tables)


def send(page: Page, do: str, text: str, tables: str) -> None:
    fill(page, do, text, tables)
    page.focus("button[data-hold]")
    page.keyboard.down("Enter")
    page.wait_for_url("**/orders/*")
    page.keyboard.up("Enter")


@contextmanager
def pressed(page: Page) -> Iterator[None]:
    button = page.locator("button[data-hold]")
    button.scroll_into_view_if_needed()
    box = some(button.bounding_box())
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    yield
    page.mouse.up()


def walk_to(page: Page, selector: str) -> None:
    for _ in range(80):
        if page.evaluate("(selector) => document.activeElement?.matches(selector)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{selector} cannot be reached by Tab")


# What Tab has to reach: of the radio buttons of a group one is enough, the arrow keys go on from there.
CONTROLS = """(selector) => {
    const root = document.querySelector(selector);
    root.focus();
    const kinds = 'a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex="0"]';
    const found = [...root.querySelectorAll(kinds)].filter((each) => !each.disabled && each.checkVisibility({ visibilityProperty: true }));
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


@pytest.mark.parametrize("path", PAGES)
def test_tab_reaches_every_control(windows: Windows, path: str) -> None:
    with windows.page(path) as page:
        page.locator("#link[data-state=live]").wait_for()
        # What stands around the contents of a page is the same on all.
        for _ in range(page.evaluate(CONTROLS, "body" if path == "/" else "main") + 5):
            page.keyboard.press("Tab")
        assert page.evaluate(MISSED) == []


CODE = "<img src=x onerror=alert(1)>"
TABLES = 14


@pytest.fixture(scope="module")
def trial(tmp_path_factory: pytest.TempPathFactory) -> TrialHall:
    found = TrialHall(tmp_path_factory.mktemp("hall"), TABLES)
    found.clocks[4].names = BySide("hold", "hold")
    found.clocks[12].names = BySide(CODE, "Bo {{ 7 * 7 }}")
    for table in found.clocks:
        found.begin(table, ago_s=100.0 + table * 7 % 500)
    found.say(4, Hold(), 12)
    return found


@pytest.fixture(scope="module")
def address(trial: TrialHall) -> Iterator[str]:
    with on_the_loopback(trial) as found:
        yield found


@pytest.fixture(scope="module")
def context(browser: Browser) -> Iterator[BrowserContext]:
    with browser.new_context(viewport={"width": 1280, "height": 800}) as found:
        found.set_default_timeout(PATIENCE_S * 1000)
        yield found


@pytest.fixture
def page(context: BrowserContext, address: str, trial: TrialHall) -> Iterator[Page]:
    found = context.new_page()
    complaints: list[str] = []
    found.on("console", lambda message: complaints.append(message.text) if message.type in ("error", "warning") else None)
    found.on("pageerror", lambda error: complaints.append(str(error)))
    trial.beat_all()
    shown(found, address)
    yield found
    found.close()
    assert [each for each in complaints if "ERR_CONNECTION_REFUSED" not in each and "ERR_INCOMPLETE" not in each] == []


def shown(page: Page, address: str) -> None:
    page.goto(address)
    page.locator("#link[data-state=live]").wait_for()


def test_a_reading_counts_as_the_desk_computes_it_and_touches_its_text_once_a_second(page: Page, trial: TrialHall) -> None:
    name = trial.clocks[10].device.id
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
    tile = trial.desk.tiles[name]
    assert tile.running is not None

    def equal() -> bool:
        before = time.monotonic_ns()
        text = reading.inner_text()
        # The instant of the look lies between the two.
        return text in {tile_reading(trial.desk.tiles[name], Side(tile.running), at) for at in (before, time.monotonic_ns())}

    until(equal)
    until(lambda: len(page.evaluate("window.written")) >= 3)
    written = page.evaluate("window.written")
    assert len(written) == len(set(written))


TOLD = """async (served) => {
    const root = served ? new DOMParser().parseFromString(await (await fetch(location)).text(), "text/html") : document;
    return [...root.querySelectorAll(".tile:not([data-id='']) :is(.player, .why, .doing, .more)")].map((each) => each.textContent);
}"""


def test_a_script_says_what_the_page_has_said_and_leaves_names_as_they_are(page: Page, address: str) -> None:
    for cell in each_cell(OTHERS):
        with cell as code:
            shown(page, f"{address}/?language={code}")
            until(lambda: page.evaluate(TOLD, False) == page.evaluate(TOLD, True))
            told = page.evaluate(TOLD, False)
            assert ("hold" in told, load_phrases(PHRASES, code).phrases["hold"] in told, "plays" in told) == (True, True, False)


def test_a_press_changes_its_row(page: Page, trial: TrialHall) -> None:
    tile = page.locator(f'[data-id="{trial.clocks[9].device.id}"]')
    before = tile.locator(".side.runs").get_attribute("data-side")
    trial.press(9)
    until(lambda: tile.locator(".side.runs").get_attribute("data-side") not in (before, None))
    trial.say(9, Call(on=True))
    page.locator(f'#needs [data-id="{trial.clocks[9].device.id}"][data-need=call]').wait_for()
    trial.say(9, Call(on=False))
    page.locator(f'#others [data-id="{trial.clocks[9].device.id}"]').wait_for()


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


def test_a_desk_that_goes_away_is_said_and_comes_back_by_itself(browser: Browser, tmp_path: Path) -> None:
    hall = TrialHall(tmp_path, 3)
    for table in hall.clocks:
        hall.begin(table)
    with browser.new_context() as context:
        page = context.new_page()
        with on_the_loopback(hall) as address:
            shown(page, address)
            port = int(address.rpartition(":")[2])
        page.locator("#link[data-state=lost]").wait_for()
        assert "No connection to the desk" in page.locator("#link").inner_text()
        with on_the_loopback(hall, port):
            page.locator("#link[data-state=live]").wait_for(timeout=PATIENCE_S * 1000)


def is_right(page: Page, trial: TrialHall, table: int, selector: str) -> bool:
    tile = trial.desk.tiles[trial.clocks[table].device.id]
    before = time.monotonic_ns()
    texts = page.locator(f"{selector} .reading").all_inner_texts()
    after = time.monotonic_ns()
    # What the page knows of the desk's clock is as late as its quickest message: on a busy machine that may be seconds.
    since = before - 2 * NS
    wanted = [{tile_reading(tile, side, at) for at in (*range(since, after, NS // 2), after)} for side in (Side.LEFT, Side.RIGHT)]
    return len(texts) == 2 and all(text in readings for text, readings in zip(texts, wanted, strict=True))


def test_the_board_shows_every_table_in_order_and_follows_a_press(page: Page, trial: TrialHall, address: str) -> None:
    page.goto(f"{address}/board")
    tiles = page.locator("#board .public")
    until(lambda: tiles.count() == TABLES)
    assert page.locator("#board .table-number").all_inner_texts() == [str(table) for table in range(1, TABLES + 1)]
    tile = "#board .public:nth-child(3)"
    until(lambda: is_right(page, trial, 3, tile))
    side = page.locator(f"{tile} .counts").get_attribute("data-side")
    trial.press(3)
    until(lambda: page.locator(f"{tile} .counts").get_attribute("data-side") not in (side, None))
    until(lambda: is_right(page, trial, 3, tile))
    trial.say(3, Call(on=True))
    trial.press(3)
    page.locator(f'{tile} .counts[data-side="{side}"]').wait_for()
    # A spectator sees no calls.
    assert "director" not in page.inner_text("body")


def test_an_overlay_that_was_not_shown_is_right_once_it_is_shown(page: Page, trial: TrialHall, address: str) -> None:
    page.goto(f"{address}/overlay/5")
    until(lambda: is_right(page, trial, 5, "#overlay"))
    stood = page.locator("#overlay .reading").all_inner_texts()
    session = page.context.new_cdp_session(page)
    # No timer and no picture: what OBS does with a source out of sight.
    session.send("Page.setWebLifecycleState", {"state": "frozen"})
    trial.press(5)
    # Several digits later.
    at = time.monotonic_ns()
    until(lambda: time.monotonic_ns() - at > 3_000_000_000)
    session.send("Page.setWebLifecycleState", {"state": "active"})
    until(lambda: is_right(page, trial, 5, "#overlay"))
    assert page.locator("#overlay .reading").all_inner_texts() != stood


def test_the_board_shows_the_halls_timer_until_it_is_stopped(page: Page, trial: TrialHall, address: str) -> None:
    page.goto(f"{address}/board")
    for ago, words in ((0, ""), (155, "Last 30 seconds"), (200, "TIME")):
        begins = time.monotonic_ns() // 1000 - ago * 1_000_000
        trial.desk.timer = {"begins": begins, "seconds": 180, "warnings": [30], "label": f"Move {ago}"}
        until(lambda: page.inner_text("#timer .label") == f"Move {ago}")  # noqa: B023 - called at once
        left = max(0, 180_000_000 + begins - time.monotonic_ns() // 1000)
        minutes, seconds = page.inner_text("#timer .reading").split(":")
        assert abs(int(minutes) * 60 + int(seconds) - left / 1e6) < 2
        assert page.inner_text("#timer .words") == words
    trial.desk.timer = None
    page.locator("#timer").wait_for(state="hidden")


def test_a_slot_keeps_its_address_when_it_gets_another_table(page: Page, trial: TrialHall, address: str) -> None:
    page.goto(f"{address}/overlay/main")
    overlay = page.locator("#overlay")
    assert overlay.is_hidden()
    for table in (7, 8):
        trial.desk.overlays = {"main": table}
        until(lambda table=table: overlay.is_visible() and page.inner_text("#overlay .table-number") == str(table))  # type: ignore[misc] # bound at once
        until(lambda table=table: is_right(page, trial, table, "#overlay"))  # type: ignore[misc] # likewise
    trial.desk.overlays = {}
    overlay.wait_for(state="hidden")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgba(0, 0, 0, 0)"
