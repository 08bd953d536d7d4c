"""The stations' page: the last verdicts from each station's log, and a list that differs."""

from __future__ import annotations

import re
from typing import Any

import pytest

from appliance.records.chain import chained
from game.challenge_log.entry import Entry, Kind, LexiconName
from game.challenge_log.row import encode
from tests.hall.desk.web.serving import ServedDesk
from tests.hall.reporting import NS, Device
from tests.processes import until

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
    add(device, [entry.kind.value, 7 * NS, device.boot, "2026-05-01T10:00:00+00:00", "Station A", entry.table, encode(entry)])


def add(device: Device, fields: list[Any]) -> None:
    row = [len(device.rows) + 1, *fields]
    device.rows.append((chained(device.head, row), row))


def judged(served: ServedDesk, device: Device, sha256: str, words: tuple[str, ...], *, acceptable: bool) -> None:
    lexicon = LexiconName("List", "1", 5, sha256[:8], sha256, "english", practice=False)
    write(device, Entry(Kind.LOOKUP, 12, "left", words, acceptable, lexicon=lexicon))
    served.report(device, rows=device.batch(len(device.rows), len(device.rows)))


def lines(served: ServedDesk) -> list[str]:
    page = served.logged_in().get("/stations/part").text
    table = page[page.index("verdicts-title") :]
    return [" ".join(re.sub("<[^>]+>", " ", line).split()) for line in re.findall(r"<tr.*?</tr>", table, re.DOTALL)[1:]]


@pytest.fixture(scope="module")
def hall(served: ServedDesk) -> ServedDesk:
    for name in ("one", "two"):
        station(served, name)
    return served


def test_verdicts_stand_with_their_list_and_one_of_another_list_is_marked(hall: ServedDesk) -> None:
    device = station(hall, "three", OTHER)
    judged(hall, device, USUAL, ("AA", "QI"), acceptable=True)
    judged(hall, device, OTHER, ("ZZZ",), acceptable=False)
    until(lambda: len(lines(hall)) == 2)
    last, first = lines(hall)
    assert first == f"Station A 2026-05-01 10:00 by its own date 12 AA QI acceptable List 1 {USUAL[:16]}"
    assert last == f"Station A 2026-05-01 10:00 by its own date 12 ZZZ not acceptable differs List 1 {OTHER[:16]}"


def test_a_row_that_no_station_writes_is_left_out(hall: ServedDesk) -> None:
    device = station(hall, "four")
    add(device, ["lookup", "now", [], 1, {}, "x", 3])
    add(device, ["lookup", 1, "boot", "wall", "<b>", 12, "{}" * 9000])
    add(device, ["lookup"])
    add(device, ["manual", 1, "boot", "", "<b>", 12, encode(Entry(Kind.MANUAL, 12, words=("<i>",), acceptable=True))])
    before = len(lines(hall))
    hall.report(device, rows=device.batch(2, 5))
    until(lambda: len(lines(hall)) == before + 1)
    page = hall.logged_in().get("/stations").text
    assert "&lt;b&gt;" in page
    assert "<i>" not in page
