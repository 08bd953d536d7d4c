"""Games of a table's clock one after the other: each with its events, under the names of those who played it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from functools import partial

import pytest

from appliance.records.chain import chained
from game.events import End, Event, NewGame, Press
from game.journal.row import GameStamp, Kind, Row, covered, row_of, rows_of
from game.record import Record, accept, begin
from game.table import Assignment, assigned_body
from hall.desk.desk import Journals
from hall.desk.earlier import earlier_games
from hall.desk.event_watch import EventWatch
from hall.event.reading import read_event
from hall.store.events import set_round, write_event
from rules.rulebooks import DEFAULT_RULEBOOK, load_rulebook
from rules.side import BySide, Side
from tests.hall.desk.web.serving import ServedDesk
from tests.hall.reporting import NS, Device
from tests.processes import until

BEGIN = NewGame(load_rulebook(DEFAULT_RULEBOOK), DEFAULT_RULEBOOK, BySide(None, None))


def play(device: Device, game: int, presses: int, names: BySide[str] | None = None, then: BySide[str] | None = None) -> None:
    """Write a game's rows into a device's journal, with the names that the desk has given before its first press, and after its end.

    The first press is made at 20 s, while the clock takes the names, and read after them.
    """
    at = game * 1000 * NS
    record = begin(BEGIN, at)
    write(device, None, record, game, at)
    give(device, names, game, at + 21 * NS)
    events: list[Event] = [Press(Side.LEFT if number % 2 else Side.RIGHT) for number in range(presses)]
    for event in [*events, End("x")]:
        at += 20 * NS
        after = accept(record, event, at)
        write(device, record, after, game, at)
        record = after
    give(device, then, game, at + NS)


def write(device: Device, before: Record | None, after: Record, game: int, at: int) -> None:
    keep(device, rows_of(before, after, game, stamp(device, at)))


def give(device: Device, names: BySide[str] | None, game: int, at: int) -> None:
    if names is not None:
        keep(device, [row_of(Kind.ASSIGNED, game, stamp(device, at), assigned_body(Assignment(31, names)))])


def stamp(device: Device, at: int) -> GameStamp:
    return GameStamp(at, at, device.boot, "2026-01-01T00:00:00.000+00:00")


def keep(device: Device, rows: Iterable[Row]) -> None:
    for row in rows:
        fields = json.loads(json.dumps(covered(len(device.rows) + 1, row)))
        device.rows.append((chained(device.head, fields), fields))


@pytest.fixture(scope="module")
def clock(served: ServedDesk) -> Device:
    device = Device("played")
    play(device, 1, 3, then=BySide("Ann", "Bob"))
    play(device, 2, 6, names=BySide("Ann", "Bo"), then=BySide("Cy", "Di"))
    play(device, 3, 2)
    state = device.state(table=31, game=3)
    served.report(device, up=device.up(table=31), rows=device.batch(1, len(device.rows)), state=state, beat=device.beat())
    until(lambda: served.desk.cards[device.id].game == 3)
    return device


def test_earlier_games_are_read_the_last_one_first_and_the_present_one_is_none_of_them(served: ServedDesk, clock: Device) -> None:
    found = earlier_games(served.desk.store, clock.id, clock.epoch, 3)
    assert [game.folded.number for game in found] == [2, 1]
    # New game, presses, end, and the names that the desk has given meanwhile.
    assert [len(game.folded.rows) for game in found] == [10, 6]
    assert not any(game.folded.refused for game in found)
    assert earlier_games(served.folder / "none.db", clock.id, clock.epoch, 3) == ()


def test_an_earlier_game_has_the_names_that_the_desk_had_given_before_its_first_press(served: ServedDesk, clock: Device) -> None:
    found = earlier_games(served.desk.store, clock.id, clock.epoch, 4)
    # The first had none: the names that came after its end were for the next game.
    assert [game.names for game in found] == [BySide("Cy", "Di"), BySide("Ann", "Bo"), BySide("", "")]


def test_a_table_leads_to_its_earlier_games(served: ServedDesk, clock: Device) -> None:
    client = served.logged_in()
    links = re.findall(r'href="(/table/31/game/\d+)"', client.get("/table/31").text)
    assert links == ["/table/31/game/2", "/table/31/game/1"]
    shown = [client.get(path).text for path in links]
    assert [page.count(" pressed</td>") for page in shown] == [6, 3]
    assert [page.count("<td>Ann (left) pressed</td>") for page in shown] == [3, 0]
    assert [re.findall("<h1>(.*)</h1>", page) for page in shown] == [["Game 2: Ann and Bo"], ["Game 1"]]
    # Names that came after the end are the next game's.
    assert [re.findall("(Assigned|For the next game): table 31, left (\\w+)", page) for page in shown] == [
        [("For the next game", "Cy"), ("Assigned", "Ann")],
        [("For the next game", "Ann")],
    ]
    assert "Earlier games" not in client.get("/table/31/part").text
    for none in ("/table/31/game/3", "/table/31/game/99", "/table/31/game/x", "/table/998/game/1"):
        assert client.get(none).status_code == 404


def test_a_game_that_the_limit_has_ended_without_an_event_ends_there(served: ServedDesk) -> None:
    """The last row is a press; the left clock ran on for 60 s and the 10:01 of the limit."""
    device, at = Device("limited"), 1000 * NS
    record = begin(NewGame(BEGIN.rulebook, DEFAULT_RULEBOOK, BySide(60 * NS, None)), at)
    write(device, None, record, 1, at)
    write(device, record, accept(record, Press(Side.RIGHT), at), 1, at)
    play(device, 2, 1)
    state = device.state(table=33, game=2)
    served.report(device, up=device.up(table=33), rows=device.batch(1, len(device.rows)), state=state, beat=device.beat())
    until(lambda: device.id in served.desk.cards and served.desk.cards[device.id].game == 2)
    page = served.logged_in().get("/table/33/game/1").text
    assert "<strong>-10:01 / 25:00, over: overtime limit</strong>" in page
    assert "Turn 1, left: 11:01.000" in page


def test_a_game_whose_last_rows_may_be_missing_has_not_ended_at_the_limit(served: ServedDesk) -> None:
    """The report of the next game comes before the rows that end this one."""
    device, at = Device("behind"), 1000 * NS
    record = begin(BEGIN, at)
    write(device, None, record, 1, at)
    write(device, record, accept(record, Press(Side.RIGHT), at + NS), 1, at + NS)
    behind, held = device.state(table=34, game=2), len(device.rows)
    served.report(device, up=device.up(table=34), rows=device.batch(1, held), state=behind, beat=device.beat())
    until(lambda: device.id in served.desk.cards and served.desk.cards[device.id].game == 2)
    client = served.logged_in()
    page = client.get("/table/34/game/1").text
    assert ("<strong>25:00 / 25:00, plays</strong>" in page, "more rows may come" in page, "Turn 1" in page) == (True, True, True)
    play(device, 2, 1)
    served.report(device, rows=device.batch(held + 1, len(device.rows)))
    until(lambda: "more rows may come" not in client.get("/table/34/game/1").text)
    assert "-10:01 / 25:00, over: overtime limit" in client.get("/table/34/game/1").text


def plays(served: ServedDesk, number: int) -> bool:
    return served.desk.round == number


PAIRINGS = "division,round,player1,player2,table\nA,1,1,2,32\nA,2,3,4,32\n"


def test_names_that_come_after_the_end_are_the_next_games(served: ServedDesk) -> None:
    """Else round 2, of which no game has begun, would go out with the times of round 1."""
    store = served.folder / "hall.db"
    write_event(store, "trial", read_event({"players.csv": b"name\nAnn\nBob\nCy\nDi\n", "pairings.csv": PAIRINGS.encode()}))
    device = Device("renamed")
    play(device, 1, 3, then=BySide("Ann", "Bob"))
    play(device, 2, 6, then=BySide("Cy", "Di"))
    reports = device.state(table=32, game=2, number=8, phase="over", running=None, turn=None, names={"left": "Cy", "right": "Di"})
    served.report(device, up=device.up(table=32), rows=device.batch(1, len(device.rows)), state=reports, beat=device.beat())
    until(lambda: device.id in served.desk.cards and served.desk.cards[device.id].game == 2)
    shown = served.desk.cards[device.id].sides
    assert shown is not None
    assert shown.map(lambda side: side.name) == BySide("Ann", "Bob")
    # A desk that starts now reads the same from the file.
    assert Journals(store).players(device.id, device.epoch) == BySide("Ann", "Bob")
    for number, over in ((1, True), (2, False)):
        set_round(store, "trial", number)
        EventWatch(served.desk, store, served.acting.log).look()
        until(partial(plays, served, number))
        games = served.logged_in().get(f"/export/round-{number}.json").json()["games"]
        assert [(game["over"], game["players"][0]["used_ms"] is not None) for game in games] == [(over, over)]
