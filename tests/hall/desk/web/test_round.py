"""The round's beginning: set by a director, counted down, a need once it is past, and known again after a restart."""

from __future__ import annotations

import json
import re
import time

import httpx
import pytest

from hall.desk.cards.need import NeedKind
from hall.desk.event_watch import EventWatch
from hall.desk.store import ROUND_BEGINS, Lease, round_start
from hall.event.reading import read_event
from hall.picture.remote_clock import Exchange, Offsets
from hall.store.events import set_round, write_event
from tests.hall.desk.web.serving import DEPUTY, ServedDesk, token_in
from tests.hall.reporting import Device
from tests.processes import until

NS = 1_000_000_000
PAIRINGS = "round,player1,player2,table\n1,Ann,Bo,1\n2,Bo,Ann,1\n3,Ann,Bo,1\n"


@pytest.fixture(scope="module")
def director(served: ServedDesk) -> httpx.Client:
    return served.logged_in()


def set_begin(client: httpx.Client, **fields: str) -> httpx.Response:
    return client.post("/round", data={"token": token_in(client.get("/round").text), **fields})


def test_a_director_sets_it_and_a_restarted_desk_knows_it(served: ServedDesk, director: httpx.Client) -> None:
    assert set_begin(director, minutes="10").status_code == 303
    assert "Begins in" in director.get("/round").text
    known = round_start(served.acting.log)
    assert known is not None
    assert served.desk.round_began is not None
    # The log keeps whole seconds.
    assert abs(known - served.desk.round_began) < 2 * NS
    assert 590 * NS < known - time.monotonic_ns() <= 600 * NS
    assert "in 10 min" in director.get("/log").text


def test_a_game_that_has_not_started_by_then_is_a_need(served: ServedDesk, director: httpx.Client) -> None:
    device = served.clock("late", table=9, phase="ready", running=None, turn=None)
    assert set_begin(director, minutes="0").status_code == 303
    assert re.search(r"<dt>Began at</dt><dd><time datetime=[^>]*>[0-9:]{8} UTC<", director.get("/round/part").text)
    until(lambda: NeedKind.NOT_STARTED in {need.kind for need in served.desk.cards[device.id].needs})
    assert set_begin(director, clear="1").status_code == 303
    until(lambda: NeedKind.NOT_STARTED not in {need.kind for need in served.desk.cards[device.id].needs})
    assert round_start(served.acting.log) is None


def with_offset(served: ServedDesk, name: str, table: int, offset: int | None) -> Device:
    """Return a clock whose machine is so far behind the listener's (ns); None: no beat of it was answered yet."""
    device = served.clock(name, table, phase="ready", running=None, turn=None)
    if offset is not None:
        served.rig.hall.devices[device.id].offsets = Offsets(device.boot, (Exchange(offset, 1_000_000, 0),))
        served.desk.heard(device.id)
        until(lambda: any(each.id == device.id and each.offsets.best for each in served.desk.remote_devices()))
    return device


def sent_last(served: ServedDesk, director: httpx.Client) -> dict[str, int | None]:
    """Return the instants that the clocks were sent with the last start time, by clock; none where the log leads to no orders."""
    entry = served.acting.log.last(ROUND_BEGINS)
    assert entry is not None
    orders = () if entry.request is None else served.acting.ordering.orders_of(entry.request)
    assert {each.do for each in orders} <= {"round"}
    if orders:
        assert "Start of the round" in director.get(f"/orders/{entry.request}").text
        assert f"/orders/{entry.request}" in director.get("/log").text
    return {each.device: json.loads(each.keys)["began"] for each in orders}


def test_each_clock_gets_the_start_as_an_instant_of_its_own_machine(served: ServedDesk, director: httpx.Client) -> None:
    ahead, behind = with_offset(served, "ahead", 31, -7 * NS), with_offset(served, "behind", 32, 3600 * NS)
    unknown = with_offset(served, "unknown", 33, None)
    for minutes in ("0", "10"):
        assert set_begin(director, minutes=minutes).status_code == 303
        began, sent = served.desk.round_began, sent_last(served, director)
        assert began is not None
        assert (sent[ahead.id], sent[behind.id]) == (began + 7 * NS, began - 3600 * NS)
        assert unknown.id not in sent
    assert set_begin(director, clear="1").status_code == 303
    sent = sent_last(served, director)
    assert {sent[each.id] for each in (ahead, behind, unknown)} == {None}


def test_a_desk_that_only_watches_sends_no_start_to_the_clocks(served: ServedDesk, director: httpx.Client) -> None:
    with_offset(served, "watched", 34, 0)
    other = Lease(served.acting.lease.engine, "trial", "desk-2")
    assert other.take_over(other.holding().term, "jo")
    assert set_begin(director, minutes="0").status_code == 303
    assert sent_last(served, director) == {}
    assert served.desk.round_began is not None
    assert served.acting.lease.take_over(served.acting.lease.holding().term, "ruth")
    assert set_begin(director, clear="1").status_code == 303


@pytest.mark.parametrize("minutes", ["", "-1", "241", "2400", "0005", "1e3", "²", "<b>"])
def test_what_is_no_number_of_minutes_changes_nothing(served: ServedDesk, director: httpx.Client, minutes: str) -> None:
    before = served.desk.round_began
    answer = set_begin(director, minutes=minutes)
    assert answer.status_code == 422
    assert "<b>" not in answer.text
    assert served.desk.round_began == before


def test_a_start_time_that_is_past_ends_with_its_round(served: ServedDesk, director: httpx.Client) -> None:
    store = served.folder / "hall.db"
    write_event(store, "trial", read_event({"players.csv": b"name\nAnn\nBo\n", "pairings.csv": PAIRINGS.encode()}))
    watch = EventWatch(served.desk, store, served.acting.log)
    # What begins before a round is known, begins the first one.
    assert set_begin(director, minutes="0").status_code == 303
    watch.look()
    assert served.desk.round_began is not None
    # By the page, then by the command line.
    for number in (2, 3):
        assert set_begin(director, minutes="0").status_code == 303
        if number == 2:
            director.post("/event/round", data={"token": token_in(director.get("/event").text), "round": "2"})
        else:
            set_round(store, "trial", 3)
            watch.look()
        assert served.desk.round == number
        assert {served.desk.round_began, round_start(served.acting.log)} == {None}
        assert "Began at" not in director.get("/round").text
        assert f"Round begins: no start time, because round {number} is current now" in director.get("/log").text
    # One that is still ahead is the next round's.
    assert set_begin(director, minutes="10").status_code == 303
    director.post("/event/round", data={"token": token_in(director.get("/event").text), "round": "1"})
    assert (served.desk.round, "Begins in" in director.get("/round").text) == (1, True)
    assert "Round begins: as set before, although round 1 is current now" in director.get("/log").text
    started_again(served, 1)
    assert served.desk.round_began is not None
    assert set_begin(director, clear="1").status_code == 303


def started_again(served: ServedDesk, number: int) -> None:
    """Let the desk start anew after the command line has made a round current."""
    store, log = served.folder / "hall.db", served.acting.log
    served.desk.round = 0
    served.desk.begin_round(round_start(log))
    set_round(store, "trial", number)
    EventWatch(served.desk, store, log).look()
    assert served.desk.round == number


def test_a_start_time_also_ends_with_a_round_that_ends_while_the_desk_is_down(served: ServedDesk, director: httpx.Client) -> None:
    assert set_begin(director, minutes="0").status_code == 303
    started_again(served, 1)
    assert served.desk.round_began is not None
    started_again(served, 2)
    assert {served.desk.round_began, round_start(served.acting.log)} == {None}
    # A second desk that sees the new round after the first one has set its start time leaves that as it is; likewise one with an older event.
    assert set_begin(director, minutes="0").status_code == 303
    served.desk.round = 1
    EventWatch(served.desk, served.folder / "hall.db", served.acting.log).look()
    assert (served.desk.round, served.desk.round_began is not None) == (2, True)
    started_again(served, 1)
    assert served.desk.round_began is not None
    assert set_begin(director, clear="1").status_code == 303


def test_a_deputy_sees_the_round_and_sets_nothing(served: ServedDesk) -> None:
    deputy = served.logged_in(DEPUTY)
    page = deputy.get("/round").text
    assert 'name="minutes"' not in page
    assert deputy.post("/round", data={"token": token_in(page), "minutes": "5"}).status_code == 403
