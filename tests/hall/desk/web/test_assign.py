"""Names of the round for all tables by one button: each clock that lacks them gets one signed order, and the matrix tells the answers."""

from __future__ import annotations

import json

import httpx
import pytest

from hall.desk.cards.seating import TableSeat
from rules.side import BySide
from tests.hall.desk.web.serving import DEPUTY, ServedDesk, request_in, token_in
from tests.hall.reporting import NS, Device

LONG = "Ann " + "B" * 60


@pytest.fixture(scope="module")
def hall(served: ServedDesk) -> ServedDesk:
    for table, names in ((21, ("", "")), (22, ("Old", "Bo")), (23, ("Cy", "Di")), (24, ("", ""))):
        left, right = names
        served.clock(f"at {table}", table, names={"left": left, "right": right}, phase="over", running=None, turn=None, between_games=True)
    seats = {21: BySide(LONG, "Bo"), 22: BySide("Eve", "Fay"), 23: BySide("Cy", "Di"), 24: BySide("", ""), 25: BySide("Gil", "Ian")}
    served.desk.seats = {table: TableSeat(names) for table, names in seats.items()}
    served.desk.round = 3
    return served


def send_all(client: httpx.Client, page: str) -> httpx.Response:
    return client.post("/assign", data={"token": token_in(page), "request": request_in(page), "all": "1"})


def test_each_clock_without_its_names_gets_them_once(hall: ServedDesk) -> None:
    client = hall.logged_in()
    page = client.get("/assign").text
    assert "2 clocks do not have the names of round 3 yet" in page
    answer = send_all(client, page)
    assert answer.status_code == 303, answer.text
    orders = hall.acting.ordering.orders_of(request_in(page))
    assert {(each.do, each.device) for each in orders} == {
        ("assign", card.id) for card in hall.desk.cards.values() if card.table in (21, 22)
    }
    sent = {(keys := json.loads(each.keys))["table"]: (keys["left"], keys["right"]) for each in orders}
    assert sent == {21: (LONG[:40], "Bo"), 22: ("Eve", "Fay")}
    matrix = client.get(answer.headers["location"]).text
    assert "Table 21" in matrix
    assert "Table 23" not in matrix
    assert '<a href="/assign">Names</a>' in matrix
    assert send_all(client, page).headers["location"] == answer.headers["location"]
    assert len(hall.acting.ordering.orders_of(request_in(page))) == len(orders)


def test_an_idle_clock_is_one_step_from_its_names_and_one_in_a_game_is_not(hall: ServedDesk) -> None:
    client = hall.logged_in()
    idle = next(card.id for card in hall.desk.cards.values() if card.table == 21)
    plays = hall.clock("plays", 29).id
    assert f'<tr id="{idle}"' in client.get("/assign").text
    pages = [client.get(path).text for path in ("/devices", "/table/21", "/table/29")]
    assert [f"/assign#{idle}" in page for page in pages] == [True, True, False]
    assert not any(f"/assign#{plays}" in page for page in pages)


def test_where_all_have_their_names_nothing_is_sent(hall: ServedDesk) -> None:
    seats, hall.desk.seats = hall.desk.seats, {23: TableSeat(BySide("Cy", "Di"))}
    client = hall.logged_in()
    page = client.get("/assign").text
    assert "All clocks have the names of round 3." in page
    answer = send_all(client, page)
    assert answer.status_code == 422
    assert "Nothing was sent" in answer.text
    hall.desk.seats = seats


def test_a_deputy_reads_the_names_and_gets_no_form_to_send_them(hall: ServedDesk) -> None:
    client = hall.logged_in(DEPUTY)
    page = client.get("/assign").text
    assert ">Log in</a> as a director to send names." in page
    main = page.partition("<main")[2]
    assert [each for each in ("<form", "<button", "<input") if each in main] == []
    assert all(
        each in main for each in ("2 clocks do not have the names of round 3 yet", ">Old<", ">Bo<", '<td data-label="Table">22</td>')
    )
    answer = client.post("/assign", data={"token": token_in(client.get("/account").text), "all": "1"})
    assert answer.status_code == 403


def test_a_next_game_begins_with_the_rulebook_of_most_clocks(hall: ServedDesk) -> None:
    hall.clock("other", 27, rulebook="wespa-5")
    assert 'name="rulebook" value="naspa-2017"' in hall.logged_in().get("/assign").text


def test_a_next_game_without_a_rulebook_comes_back_as_it_was_filled_in(hall: ServedDesk) -> None:
    client = hall.logged_in()
    page = client.get("/assign").text
    ids = [card.id for card in hall.desk.cards.values() if card.table in (21, 22)]
    form = {
        "token": token_in(page),
        "request": request_in(page),
        "clock": ids,
        f"left-{ids[0]}": "Zed",
        "minutes-left": "20",
        "rulebook": " ",
    }
    answer = client.post("/setup", data=form)
    assert answer.status_code == 422
    assert "Tables, names and the next game" in answer.text
    assert "Choose a rulebook." in answer.text
    assert all(f'value="{each}" checked' in answer.text for each in ids)
    assert answer.text.count(" checked") == len(ids)
    assert ('value="Zed"' in answer.text, 'name="minutes-left" value="20"' in answer.text) == (True, True)
    assert not hall.acting.ordering.orders_of(request_in(page))


@pytest.mark.parametrize(
    ("to", "field", "problem"),
    [
        ("/assign", "table-{}", "expected a table number from 1 to 999, found &#34;{}&#34;."),
        ("/setup", "minutes-left", "or nothing for the rulebook&#39;s own, found &#34;{}&#34;."),
    ],
)
def test_a_number_that_is_too_large_is_refused_whatever_stands_before_it(hall: ServedDesk, to: str, field: str, problem: str) -> None:
    client, device = hall.logged_in(), hall.desk.card("21")
    assert device is not None
    page = client.get("/assign").text
    for number in ("1441", "0000000001441", "x"):
        form = {"token": token_in(page), "request": request_in(page), "clock": device.id, "rulebook": "wespa-5"}
        answer = client.post(to, data=form | {field.format(device.id): number})
        assert (answer.status_code, problem.format(number) in answer.text) == (422, True)
    assert not hall.acting.ordering.orders_of(request_in(page))


def test_the_matrix_of_a_next_game_says_what_was_offered(hall: ServedDesk) -> None:
    client = hall.logged_in()
    page = client.get("/assign").text
    ids = [card.id for card in hall.desk.cards.values() if card.table in (21, 22)]
    form = {"token": token_in(page), "request": request_in(page), "clock": ids, "rulebook": "wespa-5", "minutes-left": "20"}
    matrix = client.get(client.post("/setup", data=form).headers["location"]).text
    said = "wespa-5, left 20 min, right the rulebook&#39;s time"
    assert (said in matrix, said in client.get("/log").text, '<a href="/assign">Names</a>' in matrix) == (True, True, True)


def test_a_set_up_that_a_clock_has_taken_stands_on_the_hall_and_in_its_row(hall: ServedDesk) -> None:
    over = {"phase": "over", "running": None, "turn": None, "between_games": True}
    same = {"rulebook": "naspa-2017", "left": 1200 * NS, "right": 1200 * NS}
    hall.clock("same", 30, offered=same, **over)
    hall.clock("other", 31, offered=same | {"rulebook": "wespa-5", "right": 900 * NS}, **over)
    client = hall.logged_in()
    for path, before in (("/assign", "free · {}</td>"), ("/", '<span class="doing">{} · over</span>')):
        page = client.get(path).text
        for words in ("next 20:00 each", "next 20:00 and 15:00 (wespa-5)"):
            assert before.format(words) in page, path


def test_what_the_desk_refuses_at_the_end_comes_back_to_the_same_page(hall: ServedDesk) -> None:
    client = hall.logged_in()
    page = client.get("/assign").text
    idle = next(card.id for card in hall.desk.cards.values() if card.table == 21)
    form = {"token": token_in(page), "request": request_in(page), "clock": idle, "rulebook": "x" * 200}
    answer = client.post("/setup", data=form)
    assert (answer.status_code, "Nothing was sent" in answer.text, f'value="{idle}" checked' in answer.text) == (422, True, True)
    assert "Notices and freeze" not in answer.text


@pytest.mark.parametrize(
    ("lacking", "sentence"),
    [
        ({"do": ""}, "Choose what to send."),
        ({"text": " "}, "Write what the players read."),
        ({"seconds": ""}, "A notice needs a duration of 5 to 600 seconds."),
        ({"to": "chosen"}, "Choose at least one clock."),
    ],
)
def test_an_order_that_lacks_something_is_refused_with_a_sentence(hall: ServedDesk, lacking: dict[str, str], sentence: str) -> None:
    client = hall.logged_in()
    page = client.get("/notices").text
    form = {"token": token_in(page), "request": request_in(page), "do": "notice", "text": "Hello", "seconds": "60", "to": "all"}
    answer = client.post("/notices", data=form | lacking)
    assert (answer.status_code, sentence in answer.text) == (422, True)
    assert not hall.acting.ordering.orders_of(form["request"])


def test_the_page_of_devices_says_of_a_clock_only_what_it_has_reported(hall: ServedDesk) -> None:
    silent = Device("silent")
    silent.write()
    hall.report(silent, up=silent.up(table=28), beat=silent.beat())
    page = hall.logged_in().get("/devices").text
    row = next(row for row in page.split("<tr>") if silent.id in row or 'class="figure">28<' in row)
    assert "connected" in row
    assert not any(words in row for words in ("free", "in a game", "judges"))
