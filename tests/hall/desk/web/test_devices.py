"""Pages by real requests: names, set-ups, settings and updates for many clocks, and what the page of devices shows."""

import json
import re
from pathlib import Path
from typing import Any

import httpx
import pytest

from appliance.texts import languages
from appliance.version import VERSION
from hall.cli.order import settings
from hall.desk.tiles.folded import TableSeat
from hall.desk.web.orders import WORDS
from hall.desk.web.pages import SETTINGS, counted, order_words
from records.device_test import DEVICE_TEST, DeviceTest, Failure, Presses
from rules.side import BySide
from tests.hall.desk.web.serving import DEPUTY, OVER, ServedDesk, form_of, request_in, served_desk
from tests.hall.reporting import NS, Device
from tests.languages.another import CODE, NAME, another_language
from tests.processes import until
from wire.proposals import DESK_SETTINGS, ORDERS

LONG = "Ann " + "B" * 60


@pytest.fixture(scope="module")
def hall(served: ServedDesk) -> ServedDesk:
    for table, names in ((21, ("", "")), (22, ("Old", "Bo")), (23, ("Cy", "Di")), (24, ("", ""))):
        served.clock(f"at {table}", table, names=dict(zip(("left", "right"), names, strict=True)), **OVER)
    served.clock("plays", 29, names={"left": "Flo", "right": "Gus"})
    seats = {21: BySide(LONG, "Bo"), 22: BySide("Eve", "Fay"), 23: BySide("Cy", "Di"), 24: BySide("", ""), 25: BySide("Gil", "Ian")}
    served.desk.seats = {table: TableSeat(names) for table, names in seats.items()}
    served.desk.round = 3
    return served


def test_every_order_has_its_name_on_the_pages() -> None:
    assert WORDS.keys() == ORDERS.keys()


def test_every_setting_of_the_desk_has_its_name_on_the_pages_and_its_option() -> None:
    assert SETTINGS.keys() == DESK_SETTINGS.keys() <= {each.name for each in settings.params}


def test_each_clock_without_its_names_gets_them_once(hall: ServedDesk, client: httpx.Client) -> None:
    page = client.get("/assign").text
    assert "2 clocks do not have the names of round 3 yet" in page
    # A next game begins with the rulebook of most clocks.
    assert 'name="rulebook" value="naspa-2017"' in page
    form = form_of(page, all="1")
    answer = client.post("/assign", data=form)
    assert answer.status_code == 303, answer.text
    orders = hall.orders(form["request"])
    assert sorted((each.do, each.device) for each in orders) == sorted(("assign", each) for each in hall.ids(21, 22))
    sent = {(keys := json.loads(each.keys))["table"]: (keys["left"], keys["right"]) for each in orders}
    assert sent == {21: (LONG[:40], "Bo"), 22: ("Eve", "Fay")}
    matrix = client.get(answer.headers["location"]).text
    assert ("Table 21" in matrix, "Table 23" in matrix, '<a href="/assign">Names</a>' in matrix) == (True, False, True)
    assert client.post("/assign", data=form).headers["location"] == answer.headers["location"]
    assert len(hall.orders(form["request"])) == len(orders)


def test_an_idle_clock_is_one_step_from_its_names_and_one_in_a_game_is_not(hall: ServedDesk, client: httpx.Client) -> None:
    (idle,), (plays,) = hall.ids(21), hall.ids(29)
    assert f'<tr id="{idle}"' in client.get("/assign").text
    pages = [client.get(path).text for path in ("/devices", "/table/21", "/table/29")]
    assert [f"/assign#{idle}" in page for page in pages] == [True, True, False]
    assert not any(f"/assign#{plays}" in page for page in pages)
    # Where all have their names nothing is sent.
    seats, hall.desk.seats = hall.desk.seats, {23: TableSeat(BySide("Cy", "Di"))}
    page = client.get("/assign").text
    assert "All clocks have the names of round 3." in page
    answer = client.post("/assign", data=form_of(page, all="1"))
    assert (answer.status_code, "Nothing was sent" in answer.text) == (422, True)
    hall.desk.seats = seats


def test_a_deputy_reads_the_names_and_the_devices_and_gets_no_form_to_send_any(hall: ServedDesk) -> None:
    deputy = hall.logged_in(DEPUTY)
    page = deputy.get("/assign").text
    assert ">Log in</a> as a director to send names." in page
    main = page.partition("<main")[2]
    assert [each for each in ("<form", "<button", "<input") if each in main] == []
    said = ("2 clocks do not have the names of round 3 yet", ">Old<", ">Bo<", '<td data-label="Table">22</td>')
    assert all(each in main for each in said)
    page = deputy.get("/devices").text
    assert ('class="devices"' in page, 'name="language"' in page) == (True, False)


def test_a_next_game_without_a_rulebook_comes_back_as_it_was_filled_in(hall: ServedDesk, client: httpx.Client) -> None:
    ids = hall.ids(21, 22)
    form = form_of(client.get("/assign").text, **{"clock": ids, f"left-{ids[0]}": "Zed", "minutes-left": "20", "rulebook": " "})
    answer = client.post("/setup", data=form)
    assert answer.status_code == 422
    said = ("Tables, names and the next game", "Choose a rulebook.", 'value="Zed"', 'name="minutes-left" value="20"')
    assert [each for each in (*said, *(f'value="{each}" checked' for each in ids)) if each not in answer.text] == []
    assert answer.text.count(" checked") == len(ids)
    assert not hall.orders(form["request"])


@pytest.mark.parametrize(
    ("to", "field", "problem"),
    [
        ("/assign", "table-{}", "expected a table number from 1 to 999, found &#34;{}&#34;."),
        ("/setup", "minutes-left", "or nothing for the rulebook&#39;s own, found &#34;{}&#34;."),
    ],
)
def test_a_number_that_is_too_large_is_refused_whatever_stands_before_it(
    hall: ServedDesk, client: httpx.Client, to: str, field: str, problem: str
) -> None:
    (device,) = hall.ids(21)
    for number in ("1441", "0000000001441", "x"):
        form = form_of(client.get("/assign").text, **{"clock": device, "rulebook": "wespa-5", field.format(device): number})
        answer = client.post(to, data=form)
        assert (answer.status_code, problem.format(number) in answer.text) == (422, True)
        assert not hall.orders(form["request"])


def test_a_set_up_that_a_clock_has_taken_stands_on_the_hall_and_in_its_row(hall: ServedDesk, client: httpx.Client) -> None:
    same = {"rulebook": "naspa-2017", "left": 1200 * NS, "right": 1200 * NS}
    hall.clock("same", 30, offered=same, **OVER)
    hall.clock("other", 31, offered=same | {"rulebook": "wespa-5", "right": 900 * NS}, **OVER)
    for path, before in (("/assign", "free · {}</td>"), ("/", '<span class="doing">{} · over</span>')):
        page = client.get(path).text
        for words in ("next 20:00 each", "next 20:00 and 15:00 (wespa-5)"):
            assert before.format(words) in page, path


@pytest.mark.parametrize(
    ("lacking", "sentence"),
    [
        ({"do": ""}, "Choose what to send."),
        ({"text": " "}, "Write what the players read."),
        ({"seconds": ""}, "A notice needs a duration of 5 to 600 seconds."),
        ({"seconds": "4"}, "A notice needs a duration of 5 to 600 seconds."),
        ({"to": "chosen"}, "Choose at least one clock."),
        ({"to": "chosen", "tables": "999"}, "There is no clock at table 999."),
    ],
)
def test_an_order_that_lacks_something_is_refused_with_a_sentence(
    hall: ServedDesk, client: httpx.Client, lacking: dict[str, str], sentence: str
) -> None:
    form = form_of(client.get("/notices").text, do="notice", text="Hello", seconds="60", to="all")
    answer = client.post("/notices", data=form | lacking)
    assert (answer.status_code, sentence in answer.text) == (422, True)
    assert not hall.orders(form["request"])


def test_the_chosen_clocks_get_the_settings_that_are_chosen_once_and_nothing_else(hall: ServedDesk, client: httpx.Client) -> None:
    page, chosen = client.get("/devices").text, hall.ids(21, 22)
    assert f'value="{hall.ids(29)[0]}" disabled' in page
    form = form_of(page, clock=chosen, language="fr", brightness="", buzzer="off", choose="")
    answer = client.post("/devices", data=form)
    assert answer.status_code == 303, answer.text
    assert client.post("/devices", data=form | {"language": "es"}).headers["location"] == answer.headers["location"]
    assert {(each.do, each.device, json.dumps(json.loads(each.keys), sort_keys=True)) for each in hall.orders(form["request"])} == {
        ("settings", name, '{"buzzer_enabled": false, "language": "fr"}') for name in chosen
    }
    matrix = client.get(answer.headers["location"]).text
    said = "Language: Français, Buzzer: off"
    assert ("<h1>Settings</h1>" in matrix, said in matrix, '<a href="/devices#settings">Devices</a>' in matrix) == (True, True, True)
    assert said in client.get("/log").text


def test_each_language_that_has_a_folder_can_be_chosen_by_its_own_name(client: httpx.Client, tmp_path: Path) -> None:
    with another_language(tmp_path):
        page = client.get("/devices").text
        options = re.search(r'<select id="language".*?</select>', page)
        assert options is not None
        offered = dict(re.findall(r'value="(\w*)">([^<]*)', options[0]))
        assert (list(offered), offered["fr"], offered[CODE]) == (["", *languages()], "Français", NAME)
        assert order_words("settings", {"language": CODE}) == f"Language: {NAME}"


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({}, "Choose at least one setting to change."),
        ({"brightness": "101"}, "Expected a brightness from 0 to 100, found &#34;101&#34;."),
        ({"brightness": "0000001000"}, "Expected a brightness from 0 to 100, found &#34;0000001000&#34;."),
        ({"language": "../x"}, "Nothing was sent"),
        ({"clock": [], "language": "fr"}, "Choose at least one clock."),
    ],
)
def test_settings_that_are_wrong_come_back_as_they_were_filled_in_and_nothing_is_sent(
    hall: ServedDesk, client: httpx.Client, settings: dict[str, Any], said: str
) -> None:
    form = form_of(client.get("/devices").text, **{"clock": hall.ids(21), **({"choose": "on"} if settings else {}), **settings})
    answer = client.post("/devices", data=form)
    assert (answer.status_code, said in answer.text) == (422, True), answer.text
    assert [f'value="{each}" checked' in answer.text for each in form["clock"]] == [True] * len(form["clock"])
    assert ('value="on" selected' in answer.text) is bool(settings)
    assert not hall.orders(form["request"])


def report_device(hall: ServedDesk, name: str, table: int, version: str, state: dict[str, Any], **beat: Any) -> Device:
    device = Device(name, rows=1)
    up = device.up(table=table, name=name, versions={"tileclock": version})
    hall.report(device, up=up, state=device.state(table=table, **state), beat=device.beat(**beat))
    return device


def test_storage_and_older_software_are_shown_and_only_a_free_clock_gets_an_update_once(tmp_path: Path, accounts: Path) -> None:
    with served_desk(tmp_path, accounts) as desk:
        client = desk.logged_in()
        desk.clock("plays", 1)
        form = form_of(client.get("/devices").text)
        answer = client.post("/devices/update", data=form)
        assert (answer.status_code, "No clock that is free now has older software." in answer.text) == (422, True)
        well = {"free": 2_100_000_000, "slowest_ns": 0, "fault": None}
        report_device(desk, "well", 34, VERSION, OVER, card=well)
        old = report_device(desk, "old", 35, "0.0.9", OVER, card=well | {"free": 2_000_000}, update="failed")
        report_device(desk, "old too", 36, "0.0.9", {}, card=well | {"slowest_ns": 2 * NS}, update="nothing")
        report_device(desk, "faulty", 37, VERSION, {}, card=well | {"fault": "The game is not being recorded"})
        page = client.get("/devices").text
        assert "2 devices have older software: 1 is free now." in page
        names = ("well", "old", "old too", "faulty")
        rows = {name: re.sub(r"<[^>]+>", " ", row) for row in page.split("<tr>") for name in names if f" {name}</th>" in row}
        said = {
            "well": ("ok, 2.1 GB free",),
            "old": ("full", "2 MB free", "older", "update now", "the last update failed"),
            "old too": ("slow", "2.0 s for a row", "update after the game", "its package sources have nothing newer"),
            "faulty": ("The game is not being recorded",),
        }
        assert [words for name, wanted in said.items() for words in wanted if words not in rows[name]] == []
        assert "update" not in rows["well"]
        until(lambda: "its memory card cannot be written" in client.get("/table/37").text, "the need")
        form = form_of(page[page.index('action="/devices/update"') :])
        answer = client.post("/devices/update", data=form)
        assert answer.status_code == 303, answer.text
        assert client.post("/devices/update", data=form).headers["location"] == answer.headers["location"]
        assert [(each.do, each.device, each.keys) for each in desk.orders(form["request"])] == [("update", old.id, "{}")]
        assert "<h1>Update of the software</h1>" in client.get(answer.headers["location"]).text
        assert form["request"] != request_in(page)


def test_the_page_of_devices_says_of_a_clock_only_what_it_has_reported(hall: ServedDesk, client: httpx.Client) -> None:
    silent = Device("silent", rows=1)
    hall.report(silent, up=silent.up(table=28), beat=silent.beat())
    row = next(row for row in client.get("/devices").text.split("<tr>") if silent.id in row or 'class="figure">28<' in row)
    assert "connected" in row
    assert not any(words in row for words in ("free", "in a game", "judges"))


def test_an_order_says_what_it_says_to_all_its_clocks() -> None:
    said: dict[str, dict[str, object]] = {
        "\u201cLunch at one\u201d, for 60 s": {"do": "notice", "text": "Lunch at one", "seconds": 60},
        "\u201cFire alarm\u201d": {"do": "stop", "text": "Fire alarm"},
        "wespa-5, 25 min each": {"do": "setup", "rulebook": "wespa-5", "left_seconds": 1500, "right_seconds": 1500},
        "wespa-5, left 20 min, right the rulebook's time": {"do": "setup", "rulebook": "wespa-5", "left_seconds": 1200},
        "wespa-5, the rulebook's time each": {"do": "setup", "rulebook": "wespa-5"},
        "Language: Français, LED brightness in percent: 0, Buzzer: off, Players choose the next rulebook: yes, Results are signed on: clock": {
            "do": "settings",
            "language": "fr",
            "led_brightness": 0,
            "buzzer_enabled": False,
            "players_choose_rulebook": True,
            "results": "clock",
        },
    }
    assert {order_words(str(each["do"]), each): each for each in said.values()} == said
    assert [counted(number, "1 row", "{count} rows") for number in (0, 1, 2)] == ["0 rows", "1 row", "2 rows"]
    assert (order_words("clear", {"do": "clear"}), order_words("assign", {"table": 1, "left": "Ann", "right": "Bo"})) == ("", "")


GOOD = DeviceTest(17, (), {"left": Presses((90, 2_100), 3)})
BAD = DeviceTest(
    16, (Failure("left button", "no press within 10 s", "Check the button's two wires."), Failure("power", "too low", "Use another."))
)


def test_the_page_of_devices_names_a_worn_button_of_a_clock_in_the_browsers_language(tmp_path: Path, accounts: Path) -> None:
    with served_desk(tmp_path, accounts) as served:
        device, worn = Device("Red case"), {"button": "left", "sign": "bounces", "before": 2, "now": 9}
        served.report(device, up=device.up(table=7, name="Red case"), beat=device.beat(worn=[worn]))
        client = served.logged_in(DEPUTY)
        said = '<span class="mark soft">left button is wearing: bounce 2 ms before, 9 ms now</span>'
        until(lambda: said in client.get("/devices/part").text, "the beat")
        assert (
            "linke Taste nutzt sich ab: Prellen, früher 2\u00a0ms, jetzt 9\u00a0ms"
            in client.get("/devices", headers={"accept-language": "de"}).text
        )


def test_the_page_of_devices_says_how_many_clocks_have_passed_their_test_and_what_failed_where(tmp_path: Path, accounts: Path) -> None:
    with served_desk(tmp_path, accounts) as served:
        notes = {7: (GOOD.body, BAD.body), 8: (BAD.body, {DEVICE_TEST: "garbage"}, GOOD.body, {"power": "too weak"}), 9: ()}
        clocks = {table: Device(f"at {table}", text="2026-11-30T08:10:00.000+00:00", rows=1) for table in notes}
        for table, device in clocks.items():
            for body in notes[table]:
                device.write(body=json.dumps(body))
            served.report(
                device,
                up=device.up(table=table),
                rows=device.batch(1, len(device.rows)),
                state=device.state(table=table),
                beat=device.beat(),
            )
        client = served.logged_in(DEPUTY)
        page = client.get("/devices").text
        assert 'Guided tests: 1 of 3 passed, <span class="mark bad">table 7: left button, power</span>' in page
        assert "tisch 7: linke taste, strom" in client.get("/devices/part", headers={"accept-language": "de"}).text.lower()
        sheet = re.sub(r"<[^>]+>|\s+", " ", client.get("/devices/tests").text)
        said = (
            "1 of 3 passed",
            "no press within 10 s. Check the button&#39;s two wires.",
            "90, 2100 ms, bounces 3",
            "2026-11-30 08:10",
            "not tested",
        )
        assert [each for each in said if each not in sheet] == []
        german = re.sub(r"<[^>]+>|\s+", " ", client.get("/devices/tests", headers={"accept-language": "de"}).text)
        remedies = ("LINKS: Stecker und beide Drähte prüfen", "Strom: das Netzteil dieser Uhr verwenden")
        assert ([each for each in remedies if each not in german], "no press" in german) == ([], False)
        # A station writes its log in another form.
        station = Device("judge", rows=1)
        station.id = f"s{station.id[1:]}"
        touch = DeviceTest(19, (Failure("touch, middle", "it does not answer", "Clean the screen."),))
        station.add("self_test", 6, "boot-1", "2026-11-30T08:20:00.000+00:00", "Station B", None, json.dumps({**touch.body, "why": "x"}))
        served.report(station, up=station.up(kind="station", name="Station B"), rows=station.batch(1, 2), beat=station.beat())
        until(lambda: "Station B: touch, middle</span>" in client.get("/devices/part").text, "the station's test")
        french = client.get("/devices/tests", headers={"accept-language": "fr"}).text
        assert ("2026-11-30 08:20" in french, "Nettoyez l&#39;écran" in french or "Nettoyez l'écran" in french) == (True, True)
        # Tested again, and the rest of its day goes on.
        device = clocks[7]
        device.write(body=json.dumps(GOOD.body))
        device.write(3)
        served.report(device, rows=device.batch(4, 7))
        until(lambda: "Guided tests: 2 of 4 passed, " in client.get("/devices/part").text, "the later test")
