"""The page of devices: settings to free clocks by one form, what the card says, and what to do about older software."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from appliance.version import VERSION
from tests.hall.desk.web.serving import DEPUTY, ServedDesk, request_in, served_desk, token_in
from tests.hall.reporting import NS, Device
from tests.processes import until

OVER: dict[str, Any] = {"phase": "over", "running": None, "turn": None, "between_games": True}


@pytest.fixture(scope="module")
def hall(served: ServedDesk) -> ServedDesk:
    for table in (31, 32):
        served.clock(f"free {table}", table, **OVER)
    served.clock("plays", 33)
    return served


@pytest.fixture
def desk_alone(tmp_path: Path, accounts: Path) -> Iterator[ServedDesk]:
    with served_desk(tmp_path, accounts) as desk:
        yield desk


def ids(hall: ServedDesk, *tables: int) -> list[str]:
    return [card.id for card in hall.desk.cards.values() if card.table in tables]


def send(client: httpx.Client, page: str, clocks: list[str], **settings: str) -> httpx.Response:
    return client.post("/devices", data={"token": token_in(page), "request": request_in(page), "clock": clocks, **settings})


def test_the_chosen_clocks_get_what_is_chosen_once_and_nothing_else(hall: ServedDesk) -> None:
    client = hall.logged_in()
    page = client.get("/devices").text
    chosen = ids(hall, 31, 32)
    answer = send(client, page, chosen, language="fr", brightness="", buzzer="off", choose="")
    assert answer.status_code == 303, answer.text
    assert send(client, page, chosen, language="es").headers["location"] == answer.headers["location"]
    orders = hall.acting.ordering.orders_of(request_in(page))
    assert {(each.do, each.device, json.dumps(json.loads(each.keys), sort_keys=True)) for each in orders} == {
        ("settings", name, '{"buzzer_enabled": false, "language": "fr"}') for name in chosen
    }
    matrix = client.get(answer.headers["location"]).text
    said = "Language: French, Buzzer: off"
    assert ("<h1>Settings</h1>" in matrix, said in matrix, '<a href="/devices#settings">Devices</a>' in matrix) == (True, True, True)
    assert said in client.get("/log").text


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({}, "Choose at least one setting to change."),
        ({"brightness": "101"}, "Expected a brightness from 0 to 100, found &#34;101&#34;."),
        ({"brightness": "0000001000"}, "Expected a brightness from 0 to 100, found &#34;0000001000&#34;."),
        ({"language": "../x"}, "Nothing was sent"),
    ],
)
def test_what_is_wrong_comes_back_as_it_was_filled_in_and_nothing_is_sent(hall: ServedDesk, settings: dict[str, str], said: str) -> None:
    client = hall.logged_in()
    page = client.get("/devices").text
    (free,) = ids(hall, 31)
    answer = send(client, page, [free], **({"choose": "on"} if settings else {}), **settings)
    assert (answer.status_code, said in answer.text) == (422, True), answer.text
    assert f'value="{free}" checked' in answer.text
    assert ('value="on" selected' in answer.text) is bool(settings)
    assert not hall.acting.ordering.orders_of(request_in(page))


def test_without_a_clock_nothing_is_sent(hall: ServedDesk) -> None:
    client = hall.logged_in()
    answer = send(client, client.get("/devices").text, [], language="fr")
    assert (answer.status_code, "Choose at least one clock." in answer.text) == (422, True)


def test_a_clock_in_a_game_cannot_be_chosen_and_a_deputy_sees_no_form(hall: ServedDesk) -> None:
    page = hall.logged_in().get("/devices").text
    (plays,) = ids(hall, 33)
    assert f'value="{plays}" disabled' in page
    deputy = hall.logged_in(DEPUTY)
    seen = deputy.get("/devices").text
    assert 'class="devices"' in seen
    assert 'name="language"' not in seen
    form = deputy.get("/account").text + page
    assert send(deputy, form, [plays], language="fr").status_code == 403


def test_the_card_and_older_software_are_told(hall: ServedDesk) -> None:
    for name, table, version, card, state in (
        ("well", 34, VERSION, {"free": 2_100_000_000, "slowest_ns": 0, "fault": None}, OVER),
        ("old", 35, "0.0.9", {"free": 2_000_000, "slowest_ns": 0, "fault": None}, OVER),
        ("old too", 36, "0.0.9", {"free": 3_000_000_000, "slowest_ns": 2 * NS, "fault": None}, {}),
    ):
        device = Device(name)
        device.write()
        up = device.up(table=table, name=name, versions={"tileclock": version})
        hall.report(device, up=up, state=device.state(table=table, **state), beat=device.beat(card=card))
    client = hall.logged_in()
    page = client.get("/devices").text
    assert "2 devices have older software: 1 is free now." in page
    rows = {
        name: re.sub(r"<[^>]+>", " ", row) for row in page.split("<tr>") for name in ("well", "old", "old too") if f" {name}</th>" in row
    }
    said = {
        "well": ("ok, 2.1 GB free",),
        "old": ("full", "2 MB free", "older", "update now"),
        "old too": ("slow", "2.0 s for a row", "update after the game"),
    }
    assert [words for name, wanted in said.items() for words in wanted if words not in rows[name]] == []
    assert "update" not in rows["well"]
    # Only the free clock gets the order, once, and gets no other.
    form = page[page.index('action="/devices/update"') :]
    asked = {"token": token_in(form), "request": request_in(form)}
    answer = client.post("/devices/update", data=asked)
    assert answer.status_code == 303, answer.text
    assert client.post("/devices/update", data=asked).headers["location"] == answer.headers["location"]
    assert [(each.do, each.device, each.keys) for each in hall.acting.ordering.orders_of(request_in(form))] == [
        ("update", *ids(hall, 35), "{}")
    ]
    assert "<h1>Update of the software</h1>" in client.get(answer.headers["location"]).text
    assert request_in(form) != request_in(page)


def test_no_update_is_sent_where_no_free_clock_is_older_and_none_by_a_deputy(desk_alone: ServedDesk) -> None:
    client = desk_alone.logged_in()
    desk_alone.clock("plays", 1)
    page = client.get("/devices").text
    form = page[page.index('action="/devices/update"') :]
    answer = client.post("/devices/update", data={"token": token_in(form), "request": request_in(form)})
    assert (answer.status_code, "No clock that is free now has older software." in answer.text) == (422, True)
    deputy = desk_alone.logged_in(DEPUTY)
    token = token_in(deputy.get("/account").text)
    assert deputy.post("/devices/update", data={"token": token, "request": request_in(form)}).status_code == 403


def test_a_failed_update_is_told(desk_alone: ServedDesk) -> None:
    for name, table, update in (("broken", 38, "failed"), ("behind", 39, "nothing")):
        device = Device(name)
        device.write()
        up = device.up(table=table, name=name, versions={"tileclock": "0.0.1"})
        desk_alone.report(device, up=up, state=device.state(table=table, **OVER), beat=device.beat(update=update))
    page = desk_alone.logged_in().get("/devices").text
    assert ("the last update failed" in page, "its package sources have nothing newer" in page) == (True, True)


def test_a_clock_that_cannot_write_is_among_those_that_need_somebody(hall: ServedDesk) -> None:
    faulty = Device("faulty")
    faulty.write()
    card = {"free": 0, "slowest_ns": 0, "fault": "The game is not being recorded"}
    hall.report(faulty, up=faulty.up(table=37), state=faulty.state(table=37), beat=faulty.beat(card=card))
    client = hall.logged_in()
    until(lambda: "its card cannot be written" in client.get("/table/37").text, "the need")
    assert "The game is not being recorded" in client.get("/devices").text
