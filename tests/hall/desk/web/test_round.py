"""Pages by real requests: the round's beginning and timer, the stations' verdicts, earlier games, and the matrix of what was sent."""

import asyncio
import json
import re
import time
from datetime import datetime, timedelta, tzinfo
from pathlib import Path
from typing import Any, Self

import httpx
import pytest

from game.events import End, Event, Neutralise, Press, Resume
from game.history import accept, begin
from hall.desk.desk import EventWatch, Journals
from hall.desk.rows import earlier_games
from hall.desk.store import ROUND_BEGINS, SENT_TIMER, SET_TIMER, DeskStore, end_with_round, round_start, timer_of
from hall.desk.web.public import PublicView
from hall.desk.web.rounds import TimerKeeper
from hall.event.reading import read_event
from hall.orders.sender import KeptOrder, OrderState, opened_book
from hall.picture import Exchange, Offsets
from hall.store.events import set_round, write_event
from records.entry import Entry, Kind, LexiconName
from records.log import encode
from rules.side import BySide, Side
from tests.hall.desk.journalled import BEGIN, keep_events, play_game
from tests.hall.desk.trial_hall import TrialHall, acting_parts
from tests.hall.desk.trial_hall import served as on_the_loopback
from tests.hall.desk.web.serving import DEPUTY, DIRECTOR, ServedDesk, form_of
from tests.hall.reporting import NS, Device
from tests.processes import until
from tests.some import some

PAIRINGS = "round,player1,player2,table\n1,Ann,Bo,1\n2,Bo,Ann,1\n3,Ann,Bo,1\n"


def set_begin(client: httpx.Client, **fields: str) -> httpx.Response:
    return client.post("/round", data={**fields})


def test_a_director_sets_it_and_a_restarted_desk_knows_it(served: ServedDesk, client: httpx.Client) -> None:
    assert (set_begin(client, minutes="10").status_code, "Begins in" in client.get("/round").text) == (303, True)
    known = some(round_start(served.acting.store))
    assert served.desk.round_began is not None
    # The log keeps whole seconds.
    assert abs(known - served.desk.round_began) < 2 * NS
    assert 590 * NS < known - time.monotonic_ns() <= 600 * NS
    assert "in 10 min" in client.get("/log").text
    for wrong in ("", "-1", "241", "2400", "0005", "1e3", "²", "<b>"):
        answer = set_begin(client, minutes=wrong)
        assert (answer.status_code, "<b>" in answer.text, round_start(served.acting.store) is None) == (422, False, False)
    assert set_begin(client, minutes="0").status_code == 303
    assert re.search(r"<dt>Began at</dt><dd><time datetime=[^>]*>[0-9:]{8} UTC<", client.get("/round/part").text)
    assert (set_begin(client, clear="1").status_code, round_start(served.acting.store)) == (303, None)


def with_offset(served: ServedDesk, name: str, table: int, offset: int | None) -> Device:
    """Return a clock whose machine is so far behind the listener's (ns); None: no beat of it was answered yet."""
    device = served.clock(name, table, phase="ready", running=None, turn=None)
    if offset is not None:
        served.rig.hall.devices[device.id].offsets = Offsets(device.boot, (Exchange(offset, 1_000_000, 0),))
        served.desk.heard(device.id)
        until(lambda: any(each.id == device.id and each.offsets.best for each in served.desk.remote_devices()))
    return device


def sent_last(served: ServedDesk, client: httpx.Client) -> dict[str, int | None]:
    """Return the instants that the clocks were sent with the last start time, by clock; none where the log leads to no orders."""
    entry = some(served.acting.store.last(ROUND_BEGINS))
    orders = () if entry.request is None else served.acting.ordering.orders_of(entry.request)
    assert {each.do for each in orders} <= {"round"}
    if orders:
        assert "Start of the round" in client.get(f"/orders/{entry.request}").text
        assert f"/orders/{entry.request}" in client.get("/log").text
    return {each.device: json.loads(each.keys)["began"] for each in orders}


def test_each_clock_gets_the_start_as_an_instant_of_its_own_machine(served: ServedDesk, client: httpx.Client) -> None:
    ahead, behind = with_offset(served, "ahead", 31, -7 * NS), with_offset(served, "behind", 32, 3600 * NS)
    unknown = with_offset(served, "unknown", 33, None)
    for minutes in ("0", "10"):
        assert set_begin(client, minutes=minutes).status_code == 303
        began, sent = served.desk.round_began, sent_last(served, client)
        assert began is not None
        assert (sent[ahead.id], sent[behind.id], unknown.id in sent) == (began + 7 * NS, began - 3600 * NS, False)
    assert set_begin(client, clear="1").status_code == 303
    sent = sent_last(served, client)
    assert {sent[each.id] for each in (ahead, behind, unknown)} == {None}


def test_a_desk_that_only_watches_sends_nothing_until_a_director_takes_over(served: ServedDesk, client: httpx.Client) -> None:
    with_offset(served, "watched", 34, 0)
    other = DeskStore(served.acting.store.engine, "trial", "desk-2")
    assert other.take_over(other.holding().term, "jo")
    assert set_begin(client, minutes="0").status_code == 303
    assert sent_last(served, client) == {}
    assert served.desk.round_began is not None
    form = form_of(client.get("/notices").text, do="stop", text="Stop", to="chosen", tables="34")
    assert client.post("/notices", data=form).status_code == 409
    page = client.get("/log").text
    client.post("/lease", data={"term": re.findall(r'name="term" value="(\d+)"', page)[0]})
    assert set_begin(client, clear="1").status_code == 303
    assert len(sent_last(served, client)) > 0


def press(client: httpx.Client, do: str, **fields: str) -> httpx.Response:
    return client.post("/timer", data={"do": do, "length": "150", "warning": "20", **fields})


def test_each_clock_gets_the_halls_timer_by_its_own_machine_and_board_and_log_have_it(served: ServedDesk, client: httpx.Client) -> None:
    ahead, unknown = with_offset(served, "timed", 41, -7 * NS), with_offset(served, "untimed", 42, None)
    sent = []
    for do in ("start", "again", "stop"):
        assert press(client, do, label="Move 7").status_code == 303
        entry = some(served.acting.store.last(SET_TIMER))
        orders = {each.device: json.loads(each.keys) for each in served.orders(some(entry.request))}
        sent.append(orders[ahead.id])
        assert ((unknown.id in orders), PublicView(served.desk).changes(0)[0].get("timer")) == (do == "stop", served.desk.timer)
    begins = sent[0]["begins"] - 7 * NS
    assert 0 < time.monotonic_ns() + NS - begins < 60 * NS
    assert sent == [{"begins": begins + 7 * NS, "seconds": 150, "warnings": [20], "label": "Move 7"}, sent[0], {"begins": None}]
    assert all(f"Hall timer: {words}" in client.get("/log").text for words in ("2:30 Move 7, to ", "stopped, to "))
    for wrong in ({"seconds": "4"}, {"seconds": "3601"}, {"seconds": "20"}, {"warning": "x"}, {"label": "a\x01b"}):
        assert (press(client, "start", **wrong).status_code, served.desk.timer) == (422, None)
    assert press(client, "again").status_code == 422
    assert served.logged_in(DEPUTY).post("/timer", data={"do": "stop"}).status_code == 403


def test_a_date_that_jumps_by_hours_moves_no_start_of_the_round(
    served: ServedDesk, client: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert set_begin(client, minutes="10").status_code == 303
    shown = some(round_start(served.acting.store))

    class Later(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> Self:
            return super().now(tz) + timedelta(hours=5)

    monkeypatch.setattr("hall.desk.store.datetime", Later)
    assert round_start(served.acting.store) == shown
    # The next round is set: this start is still ahead, and stays.
    assert end_with_round(served.acting.store, DIRECTOR, 7) == shown
    # After a restart of the machine there is only the date.
    monkeypatch.setattr("hall.desk.store.boot_id", lambda: "another")
    assert abs(some(round_start(served.acting.store)) + 5 * 3600 * NS - shown) < 60 * NS


def test_only_a_clock_that_shows_another_timer_or_none_and_has_had_no_game_gets_it_again(
    served: ServedDesk, client: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The desk's own looks are out of the way.
    monkeypatch.setattr(served.app.state.timer_keeper, "_lacking", tuple)
    ahead = [0]
    keeper = TimerKeeper(served.desk, served.acting, lambda: time.monotonic_ns() + ahead[0] * NS)
    assert press(client, "start", label="Move 8").status_code == 303
    ends = some(served.desk.timer)["begins"] * 1000 + 150 * NS
    # After a restart of the machine the date of its end counts.
    with monkeypatch.context() as rebooted:
        rebooted.setattr("hall.desk.store.boot_id", lambda: "another")
        kept = some(timer_of(some(served.acting.store.last(SET_TIMER))))
    assert (abs(kept["begins"] * 1000 + 150 * NS - ends) < NS, kept["label"]) == (True, "Move 8")
    shown = {"none": None, "it": ends - 7 * NS, "another": ends - 9 * NS, "game": None, "unknown": None}
    clocks = {name: with_offset(served, name, 51 + at, None if name == "unknown" else 7 * NS) for at, name in enumerate(shown)}

    def report(name: str, timer: int | None, *, free: bool = True) -> None:
        free_state = {"phase": "ready", "running": None, "turn": None, "between_games": free, "timer": timer}
        served.report(clocks[name], state=clocks[name].state(**free_state))

    def given() -> list[tuple[str, Any]]:
        before, ahead[0] = served.acting.store.newest(), ahead[0] + 6
        asyncio.run(keeper.look())
        entry = served.acting.store.last(SENT_TIMER, before)
        orders = () if entry is None else served.orders(some(entry.request))
        return sorted((name, json.loads(each.keys)["begins"]) for each in orders for name in clocks if clocks[name].id == each.device)

    for name, timer in shown.items():
        report(name, timer, free=name != "game")
    begins = ends - 157 * NS
    assert (given(), given()) == ([], [("another", begins), ("none", begins)])
    report("game", None)
    report("another", ends - 7 * NS)
    # A clock that never shows it is let be; one that has lost it begins anew.
    assert [len(given()) for _ in range(6)] == [1, 1, 1, 1, 0, 0]
    report("another", None)
    assert given() == [("another", begins)]
    assert press(client, "stop").status_code == 303
    assert (given(), given()) == ([], [("it", None)])
    assert "Hall timer: stopped, to 1 clock without it" in client.get("/log").text


def test_a_start_time_that_is_past_ends_with_its_round(served: ServedDesk, client: httpx.Client) -> None:
    store = served.folder / "hall.db"
    write_event(store, "trial", read_event({"players.csv": b"name\nAnn\nBo\n", "pairings.csv": PAIRINGS.encode()}))
    watch = EventWatch(served.desk, store, served.acting.store)
    # What begins before a round is known, begins the first one.
    assert set_begin(client, minutes="0").status_code == 303
    watch.look()
    assert served.desk.round_began is not None
    # By the page, then by the command line.
    for number in (2, 3):
        assert set_begin(client, minutes="0").status_code == 303
        if number == 2:
            client.post("/event/round", data={"round": "2"})
        else:
            set_round(store, "trial", 3)
            watch.look()
        assert served.desk.round == number
        assert {served.desk.round_began, round_start(served.acting.store)} == {None}
        assert "Began at" not in client.get("/round").text
        assert f"Round begins: no start time, because round {number} is current now" in client.get("/log").text
    # One that is still ahead is the next round's.
    assert set_begin(client, minutes="10").status_code == 303
    client.post("/event/round", data={"round": "1"})
    assert (served.desk.round, "Begins in" in client.get("/round").text) == (1, True)
    assert "Round begins: as set before, although round 1 is current now" in client.get("/log").text
    started_again(served, 1)
    assert served.desk.round_began is not None
    assert set_begin(client, clear="1").status_code == 303


def started_again(served: ServedDesk, number: int) -> None:
    store, log = served.folder / "hall.db", served.acting.store
    served.desk.round = 0
    served.desk.begin_round(round_start(log))
    set_round(store, "trial", number)
    EventWatch(served.desk, store, log).look()
    assert served.desk.round == number


def test_a_start_time_also_ends_with_a_round_that_ends_while_the_desk_is_down(served: ServedDesk, client: httpx.Client) -> None:
    started_again(served, 1)
    assert set_begin(client, minutes="0").status_code == 303
    started_again(served, 1)
    assert served.desk.round_began is not None
    started_again(served, 2)
    assert {served.desk.round_began, round_start(served.acting.store)} == {None}
    # A second desk that sees the new round after the first one has set its start time leaves that as it is; likewise one with an older event.
    assert set_begin(client, minutes="0").status_code == 303
    served.desk.round = 1
    EventWatch(served.desk, served.folder / "hall.db", served.acting.store).look()
    assert (served.desk.round, served.desk.round_began is not None) == (2, True)
    started_again(served, 1)
    assert served.desk.round_began is not None
    assert set_begin(client, clear="1").status_code == 303


USUAL, OTHER = "a" * 64, "b" * 64


def station(served: ServedDesk, name: str, sha256: str = USUAL) -> Device:
    made = Device(name)
    made.id = f"s-{made.id[2:]}"
    write(made, Entry(Kind.STARTED))
    lexicon = {"name": "List", "edition": "1", "words": 5, "sha256": sha256}
    state = {"v": 1, "boot": made.boot, "epoch": made.epoch, "at": 0, "busy": False, "table": None, "lexicon": lexicon, "trouble": None}
    served.report(made, up=made.up(kind="station", name=name), state=state, rows=made.batch(1, 1), beat=made.beat())
    return made


def write(device: Device, entry: Entry) -> None:
    device.add(entry.kind.value, 7 * NS, device.boot, "2026-05-01T10:00:00+00:00", "Station A", entry.table, encode(entry))


def judged(served: ServedDesk, device: Device, sha256: str, words: tuple[str, ...], *, acceptable: bool) -> None:
    lexicon = LexiconName("List", "1", 5, sha256, "english", practice=False)
    write(device, Entry(Kind.LOOKUP, 12, "left", words, acceptable, lexicon=lexicon))
    served.report(device, rows=device.batch(len(device.rows), len(device.rows)))


def lines(served: ServedDesk) -> list[str]:
    page = served.logged_in().get("/stations/part").text
    table = page[page.index("verdicts-title") :]
    return [" ".join(re.sub("<[^>]+>", " ", line).split()) for line in re.findall(r"<tr.*?</tr>", table, re.DOTALL)[1:]]


@pytest.fixture(scope="module")
def stations(served: ServedDesk) -> ServedDesk:
    for name in ("one", "two"):
        station(served, name)
    return served


def test_verdicts_stand_with_their_list_and_one_of_another_list_is_marked(stations: ServedDesk) -> None:
    device, before = station(stations, "three", OTHER), lines(stations)
    judged(stations, device, USUAL, ("AA", "QI"), acceptable=True)
    judged(stations, device, OTHER, ("ZZZ",), acceptable=False)
    until(lambda: len(lines(stations)) == len(before) + 2)
    last, first = (each for each in lines(stations) if each not in before)
    assert first == f"Station A 2026-05-01 10:00 by its own date 12 AA QI acceptable List 1 {USUAL[:16]}"
    assert last == f"Station A 2026-05-01 10:00 by its own date 12 ZZZ not acceptable differs List 1 {OTHER[:16]}"


def test_a_row_that_no_station_writes_is_left_out(stations: ServedDesk) -> None:
    device = station(stations, "four")
    device.add("lookup", "now", [], 1, {}, "x", 3)
    device.add("lookup", 1, "boot", "wall", "<b>", 12, "{}" * 9000)
    device.add("lookup")
    device.add("manual", 1, "boot", "", "<b>", 12, encode(Entry(Kind.MANUAL, 12, words=("<i>",), acceptable=True)))
    before = len(lines(stations))
    stations.report(device, rows=device.batch(2, 5))
    until(lambda: len(lines(stations)) == before + 1)
    page = stations.logged_in().get("/stations").text
    assert ("&lt;b&gt;" in page, "<i>" in page) == (True, False)


def test_a_freezes_matrix_and_the_line_on_each_page_count_the_same_tables(tmp_path: Path) -> None:
    hall, parts = TrialHall(tmp_path, 6), acting_parts(tmp_path)
    later: dict[int, Event] = {2: Neutralise(None), 3: End("x"), 4: End("x"), 6: Resume(Side.LEFT)}
    orders = []
    for table, clock in hall.clocks.items():
        hard = table in (1, 3, 6)
        hall.begin(table, ago_s=60)
        hall.order(table, "stop", 20, hard=hard)
        if table in later:
            hall.say(table, later[table], 5)
        orders.append(KeptOrder(f"{table:032x}", "0" * 32, clock.device.id, "stop", "{}", OrderState.ACCEPTED, None, 3 if hard else None))
    with opened_book(tmp_path / "orders.db") as book:
        book.keep(orders)
    with on_the_loopback(hall, parts=parts) as address, httpx.Client(base_url=address) as client:
        line = "Freeze (Fire alarm): 2 frozen, 2 still running."
        until(lambda: line in client.get(f"/orders/{'0' * 32}").text, line)
        page = client.get(f"/orders/{'0' * 32}").text
    assert dict(re.findall(r'<li class="count (\w+)"><strong>(\d+)', page)) == {"frozen": "2", "asked": "2", "over": "2"}


def report(served: ServedDesk, device: Device, table: int, game: int, **state: Any) -> None:
    shown = device.state(table=table, game=game, **state)
    served.report(device, up=device.up(table=table), rows=device.batch(1, len(device.rows)), state=shown, beat=device.beat())
    until(lambda: device.id in served.desk.tiles and served.desk.tiles[device.id].game == game)


@pytest.fixture(scope="module")
def clock(served: ServedDesk) -> Device:
    device = Device("played")
    play_game(device, 1, 3, then=BySide("Ann", "Bob"))
    play_game(device, 2, 6, names=BySide("Ann", "Bo"), then=BySide("Cy", "Di"))
    play_game(device, 3, 2)
    report(served, device, 61, 3)
    return device


def test_a_table_leads_to_its_earlier_games(served: ServedDesk, clock: Device) -> None:
    client = served.logged_in()
    links = re.findall(r'href="(/table/61/game/\d+)"', client.get("/table/61").text)
    assert links == ["/table/61/game/2", "/table/61/game/1"]
    shown = [client.get(path).text for path in links]
    assert [page.count(" pressed</td>") for page in shown] == [6, 3]
    assert [page.count("<td>Ann (left) pressed</td>") for page in shown] == [3, 0]
    assert [re.findall("<h1>(.*)</h1>", page) for page in shown] == [["Game 2: Ann and Bo"], ["Game 1"]]
    # Names that came after the end are the next game's.
    assert [re.findall("(Assigned|For the next game): table 61, left (\\w+)", page) for page in shown] == [
        [("For the next game", "Cy"), ("Assigned", "Ann")],
        [("For the next game", "Ann")],
    ]
    assert "Earlier games" not in client.get("/table/61/part").text
    assert earlier_games(served.folder / "none.db", "trial", clock.id, clock.epoch, 3) == ()
    for none in ("/table/61/game/3", "/table/61/game/99", "/table/61/game/x", "/table/998/game/1"):
        assert client.get(none).status_code == 404


def test_a_game_whose_last_rows_may_be_missing_has_not_ended_at_the_limit(served: ServedDesk) -> None:
    device, at = Device("behind"), 2000 * NS
    play_game(device, 1, 1)
    history = begin(BEGIN, at)
    keep_events(device, None, history, 2, at)
    keep_events(device, history, accept(history, Press(Side.RIGHT), at + NS), 2, at + NS)
    held = len(device.rows)
    report(served, device, 64, 3)
    client = served.logged_in()
    page = client.get("/table/64/game/2").text
    assert ("<strong>25:00 / 25:00, plays</strong>" in page, "more rows may come" in page, "Turn 1" in page) == (True, True, True)
    play_game(device, 3, 1)
    served.report(device, rows=device.batch(held + 1, len(device.rows)))
    until(lambda: "more rows may come" not in client.get("/table/64/game/2").text)
    # The left clock ran on for its 25:00 and the 10:01 of the limit.
    page = client.get("/table/64/game/2").text
    assert ("<strong>-10:01 / 25:00, over: overtime limit</strong>" in page, "Turn 1, left: 35:01.000" in page) == (True, True)


def test_names_that_come_after_the_end_are_the_next_games(served: ServedDesk) -> None:
    """Else round 2, of which no game has begun, would go out with the times of round 1."""
    store = served.folder / "hall.db"
    pairings = b"division,round,player1,player2,table\nA,1,1,2,62\nA,2,3,4,62\n"
    write_event(store, "trial", read_event({"players.csv": b"name\nAnn\nBob\nCy\nDi\n", "pairings.csv": pairings}))
    device = Device("renamed")
    play_game(device, 1, 3, then=BySide("Ann", "Bob"))
    play_game(device, 2, 6, then=BySide("Cy", "Di"))
    report(served, device, 62, 2, number=8, phase="over", running=None, turn=None, names={"left": "Cy", "right": "Di"})
    shown = some(served.desk.tiles[device.id].sides)
    assert shown.map(lambda side: side.name) == BySide("Ann", "Bob")
    # A desk that starts now reads the same from the file.
    assert Journals(store, "trial").players(device.id, device.epoch) == BySide("Ann", "Bob")
    for number, over in ((1, True), (2, False)):
        set_round(store, "trial", number)
        EventWatch(served.desk, store, served.acting.store).look()
        until(lambda number=number: served.desk.round == number)  # type: ignore[misc] # a default of a lambda
        games = served.logged_in().get(f"/export/round-{number}.json").json()["games"]
        assert [(game["over"], game["players"][0]["used_ms"] is not None) for game in games] == [(over, over)]


def test_the_page_lists_who_has_not_arrived_yet_where_the_clocks_ask_for_it(served: ServedDesk, client: httpx.Client) -> None:
    here = {1: {"left": True, "right": False}, 2: {"left": False, "right": False}, 3: {"left": True, "right": True}, 4: None}
    for table, pressed in here.items():
        device = Device(f"at {table}", rows=1)
        names = {"left": f"Ann {table}", "right": f"Bo {table}"}
        state = device.state(table=table, names=names, phase="ready", running=None, turn=None, between_games=True, here=pressed)
        served.report(device, up=device.up(table=table), state=state, beat=device.beat())
    page = re.sub(r"<[^>]+>|\s+", " ", client.get("/round/part").text)
    listed = re.sub(r" +", " ", page.partition("Not arrived yet")[2]).strip()
    assert listed.startswith("Table 1: Bo 1 Table 2: Ann 2, Bo 2")
    assert not any(each in listed for each in ("Ann 1", "Ann 3", "Bo 3", "Bo 4"))
    assert "Noch nicht da" in client.get("/round/part", headers={"accept-language": "de"}).text
