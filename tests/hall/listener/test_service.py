"""What reaches the listener: rows in order and once, journals that were rewritten, values, beats, the time of another machine; and the reports of it."""

import http.client
import io
import json
import random
import socket
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from appliance.records.chain import GENESIS, chained
from appliance.texts import load_phrases
from hall.errors import HallError
from hall.listener.service import serving
from hall.picture import Exchange, Offsets, picture, remote_reading, remote_remaining
from hall.status import HallPicture, cells_of, summary
from hall.store.database import VERSION
from hall.store.store import open_store
from hall.watch import table_of, watch
from rules.duration import reading
from tests.appliance.records.refusing import no_file_larger
from tests.hall.reporting import NS, TOPICS, Device, Rig
from tests.hall.reporting import rig as made
from tests.some import some
from wire.reports import ClockReport, FourStamps
from wire.topics import KEPT, checksum

NOISE = [b"{", b"\xff\xfe", b"[]", b"null", b"9" * 100_000, b"[" * 100_000, b'{"v": 2}', b'{"v": 1}', b'{"v": "1", "up": true}']


@pytest.mark.parametrize("payload", NOISE, ids=range(len(NOISE)))
@pytest.mark.parametrize("what", ["up", "state", "rows", "beat", "call"])
def test_noise_is_counted_and_changes_nothing(rig: Rig, what: str, payload: bytes) -> None:
    device = Device()
    rig.raw(device, what, payload)
    known = rig.known(device)
    assert known.refused_messages == 1
    assert "expected messages of version 1, found 1 that are none" in known.troubles["messages"]
    assert (known.presence, known.clock, known.beat, known.call, rig.sent, rig.store.devices()) == (None, None, None, None, [], ())


def test_the_hall_takes_what_a_link_publishes(rig: Rig) -> None:
    assert rig.listener._on.keys() == {*KEPT, "rows", "beat"}


def test_what_is_no_message_or_of_others_is_not_looked_at(rig: Rig) -> None:
    device = Device(rows=3)
    rig.report(device, "rows", {**device.batch(1, 3), "last": 4})
    rig.report(device, "rows", {**device.batch(1, 3), "first": 2, "last": 4})
    assert (rig.known(device).refused_messages, rig.seqs(device)) == (2, [])
    # Topics of others are not looked at.
    for topic in (f"tc/1/other/dev/{device.id}/up", f"tc/1/{TOPICS.hall}/dev/x/up", TOPICS.to_device(device.id, "want"), "tc/1/trial/any"):
        rig.listener.receive(topic, json.dumps(device.up()).encode(), rig.now)
    assert set(rig.hall.devices) == {device.id}
    assert rig.known(device).presence is None


def test_a_call_stays_until_it_is_closed_and_comes_first_and_two_clocks_at_a_table_are_named(rig: Rig) -> None:
    calling, other = Device("calling"), Device("other")
    for device, table in ((calling, 40), (other, 3)):
        device.write()
        rig.report(device, "beat", device.beat())
        rig.report(device, "state", device.state(table=table))
    assert [each.table for each in rig.hall.by_need(rig.now)] == [3, 40]
    rig.report(calling, "call", {"v": 1, "since": 5, "boot": "boot-1", "table": 40, "from": "players"})
    since = rig.now
    rig.now += NS
    # After a reconnection the link publishes it again.
    rig.report(calling, "call", {"v": 1, "since": 5, "boot": "boot-1", "table": 40, "from": "players"})
    assert [(each.table, each.called_at) for each in rig.hall.by_need(rig.now)] == [(40, since), (3, None)]
    rig.report(calling, "call", None)
    assert [each.table for each in rig.hall.by_need(rig.now)] == [3, 40]
    # Two clocks at one table are named.
    for name in ("one", "two"):
        device = Device(name)
        rig.report(device, "up", device.up(table=12, name=name))
    assert list(rig.hall.troubles()) == ["2 clocks report table 12: one, two."]


def _asked(rig: Rig, device: Device) -> int:
    topic = TOPICS.to_device(device.id, "want")
    count = sum(found == topic and message == {"v": 1, "values": True} for found, message in rig.sent)
    rig.sent.clear()
    return count


def _kept(**values: dict[str, Any]) -> dict[str, Any]:
    return {"values": checksum({name: json.dumps(value).encode() for name, value in values.items()})}


@pytest.fixture
def device(rig: Rig) -> Device:
    found = Device(rows=1)
    rig.report(found, "rows", found.batch(1, 1))
    return found


def test_a_lost_value_is_asked_for_after_a_second_and_then_once_in_five(rig: Rig, device: Device) -> None:
    rig.report(device, "up", device.up())
    rig.report(device, "beat", device.beat(**_kept(up=device.up(), state=device.state())))
    assert _asked(rig, device) == 0
    rig.pass_time(1)
    assert _asked(rig, device) == 1
    rig.pass_time(4.9)
    assert _asked(rig, device) == 0
    rig.pass_time(0.1)
    assert _asked(rig, device) == 1
    rig.report(device, "state", device.state())
    rig.pass_time(30)
    assert _asked(rig, device) == 0


def test_a_beat_may_overtake_the_value_that_it_speaks_of(rig: Rig, device: Device) -> None:
    rig.report(device, "beat", device.beat(**_kept(up=device.up())))
    rig.pass_time(0.9)
    rig.report(device, "up", device.up())
    rig.pass_time(30)
    assert _asked(rig, device) == 0


def test_a_late_will_and_a_call_whose_end_was_lost_are_corrected(rig: Rig, device: Device) -> None:
    rig.report(device, "up", device.up())
    rig.report(device, "up", device.up(up=False))
    rig.report(device, "beat", device.beat(**_kept(up=device.up())))
    rig.pass_time(1)
    assert _asked(rig, device) == 1
    rig.report(device, "up", device.up())
    rig.report(device, "call", {"v": 1, "since": 5, "boot": "boot-1", "table": 4, "from": "players"})
    rig.report(device, "beat", device.beat(**_kept(up=device.up())))
    rig.pass_time(5)
    assert _asked(rig, device) == 1
    rig.report(device, "call", None)
    rig.pass_time(30)
    assert _asked(rig, device) == 0


def test_a_value_that_is_no_message_is_not_asked_for_again(rig: Rig, device: Device) -> None:
    rig.raw(device, "up", b"{")
    rig.report(device, "beat", device.beat(values=checksum({"up": b"{"})))
    rig.pass_time(30)
    assert _asked(rig, device) == 0


def test_two_machines_with_one_id_are_named_and_one_that_restarts_is_no_twin(rig: Rig) -> None:
    one, other = Device(boot="boot-1"), Device(boot="boot-2")
    rig.report(one, "up", one.up())
    rig.report(other, "up", other.up())
    assert not rig.known(one).troubles
    rig.report(one, "up", one.up())
    assert "Two devices use the id" in rig.known(one).troubles["twins"]
    # A machine that restarts and loses its cable is no twin.
    device = Device("restarts")
    for boot in ("boot-1", "boot-1", "boot-2", "boot-2", "boot-3"):
        device.boot = boot
        rig.report(device, "up", device.up())
        rig.report(device, "up", device.up(up=False))
    assert not rig.known(device).troubles


MS = 1_000_000
DELAY = st.integers(0, 400 * MS)


@given(offset=st.integers(-(10**15), 10**15), there=DELAY, back=DELAY, thinking=DELAY)
def test_the_true_offset_is_within_the_bound_whatever_the_delays(offset: int, there: int, back: int, thinking: int) -> None:
    t1 = 5 * NS
    t2 = t1 + there + offset
    t3 = t2 + thinking
    exchange = some(Exchange.of(FourStamps(t1=t1, t2=t2, t3=t3, t4=t3 - offset + back)))
    assert abs(exchange.offset - offset) <= exchange.bound(t3) + 1


def test_the_best_of_the_last_eight_counts_and_stamps_that_contradict_each_other_are_no_exchange() -> None:
    # t4 before t1, t3 before t2, no time on the way.
    for t1, t2, t3, t4 in ((10, 0, 0, 9), (0, 5, 4, 9), (0, 0, 50, 10)):
        assert Exchange.of(FourStamps(t1=t1, t2=t2, t3=t3, t4=t4)) is None
    offsets = Offsets("b")
    for round_trip in (5, 90, 80, 70, 60, 50, 40, 30):
        offsets = offsets.after(Exchange(0, round_trip, 0))
    assert (offsets.best, offsets.after(Exchange(0, 99, 0)).best) == (Exchange(0, 5, 0), Exchange(0, 30, 0))


def _beats(rig: Rig, device: Device, offset: int, chance: random.Random, count: int = 9) -> None:
    echo = None
    for _ in range(count):
        there, back = chance.randint(5, 113) * MS, chance.randint(5, 113) * MS
        rig.now += 250 * MS
        sent = rig.now - there - offset
        rig.report(device, "beat", device.beat(sent=sent, echo=echo))
        answer = next(message for topic, message in reversed(rig.sent) if topic == TOPICS.to_device(device.id, "time"))
        assert (answer["t1"], answer["boot"]) == (sent, device.boot)
        echo = (answer["t1"], answer["t2"], answer["t3"], rig.now - offset + back)


def test_a_remote_clock_reads_as_the_table_does_within_50_ms_through_5_to_113_ms_of_delay(rig: Rig) -> None:
    chance, apart = random.Random(7), []  # noqa: S311 - a test
    for number in range(100):
        device = Device(str(number), rows=1)
        offset = chance.randint(-(10**14), 10**14)
        rig.report(device, "state", device.state(at=rig.now - offset))
        began = rig.now
        _beats(rig, device, offset, chance)
        known = rig.known(device)
        left = some(remote_remaining(known.clock, known.exchange, "left", rig.now))
        apart.append(abs(left - (1500 * NS - (rig.now - began))))
        assert apart[-1] <= known.bound(rig.now)
    assert sorted(apart)[int(0.99 * len(apart))] <= 50 * MS


def _readings(exchange: Exchange | None, now: int, **changes: object) -> tuple[str, str]:
    report = ClockReport.model_validate({**Device(rows=1).state(), **changes})
    return remote_reading(report, exchange, "left", now), remote_reading(report, exchange, "right", now)


def test_a_reading_that_may_be_further_off_than_250_ms_says_about_and_one_of_a_machine_of_unknown_time_nothing() -> None:
    shown = [_readings(Exchange(0, 2 * bound, 100 * NS), 100 * NS) for bound in (250 * MS, 250 * MS + 1)]
    assert shown == [("23:20", "25:00"), ("~23:20", "25:00")]
    assert _readings(Exchange(0, 0, 0), 1501 * NS + 1)[0] == reading(-NS - 1)
    # Without any exchange a clock that stands is exact and one that runs has no reading.
    assert _readings(None, 10**18, running=None) == ("25:00", "25:00")
    assert _readings(None, 10**18) == ("?", "25:00")


def test_how_far_off_a_reading_may_be_is_known_where_none_runs_or_an_exchange_was_made(rig: Rig) -> None:
    device = Device(rows=1)
    assert rig.hall.device(device.id, 0).bound(rig.now) is None
    rig.report(device, "state", device.state())
    assert rig.known(device).bound(rig.now) is None
    rig.report(device, "state", device.state(running=None))
    assert rig.known(device).bound(rig.now) == 0


def test_an_echo_counts_once_and_the_exchanges_of_the_boot_before_are_forgotten(rig: Rig) -> None:
    device = Device()
    rig.report(device, "beat", device.beat(sent=4, echo=(1, 2, 3, 4)))
    assert rig.known(device).offsets.best is None
    rig.report(device, "beat", device.beat(sent=5))
    echo = (5, rig.now, rig.now, 9)
    rig.report(device, "beat", device.beat(sent=10, echo=echo))
    rig.report(device, "beat", device.beat(sent=15, echo=echo))
    assert len(rig.known(device).offsets.exchanges) == 1
    # The exchanges of the boot before are forgotten.
    device = Device()
    _beats(rig, device, 0, random.Random(1))  # noqa: S311 - a test
    assert rig.known(device).offsets.best is not None
    device.boot = "boot-2"
    rig.report(device, "beat", device.beat())
    assert rig.known(device).offsets.best is None


def test_a_device_is_stale_15_s_after_its_last_beat_whatever_else_it_says(rig: Rig) -> None:
    device = Device(rows=1)
    rig.report(device, "up", device.up())
    assert rig.known(device).stale_since(rig.now) == rig.now
    rig.report(device, "beat", device.beat())
    beaten = rig.now
    rig.pass_time(15)
    rig.report(device, "up", device.up())
    rig.report(device, "state", device.state())
    assert rig.known(device).stale_since(rig.now) is None
    assert rig.known(device).stale_since(rig.now + 1) == beaten


def test_every_row_is_held_once_as_it_was_hashed_whatever_the_order_and_number_of_its_arrivals(rig: Rig) -> None:
    device = Device(text='"é"\\u2028', rows=60)
    chance = random.Random(5)  # noqa: S311 - a test
    for _ in range(300):
        first = chance.randint(1, 60)
        rig.report(device, "rows", device.batch(first, min(60, first + chance.randint(0, 9))), turn=chance.random() < 0.3)
    rig.report(device, "rows", device.batch(1, 60))
    assert (rig.seqs(device), rig.committed) == (list(range(1, 61)), [(device.id, seq) for seq in range(1, 61)])
    previous = GENESIS
    for row in rig.store.rows(device.id, device.epoch):
        assert chained(previous, json.loads(some(row.fields))) == row.hash
        previous = row.hash
    assert previous == device.head


def test_a_gap_is_asked_for_at_once_and_then_once_in_five_seconds(rig: Rig) -> None:
    device = Device(rows=20)
    rig.report(device, "rows", device.batch(1, 5))
    rig.report(device, "rows", device.batch(8, 9))
    assert rig.wants(device) == [5]
    for _ in range(49):
        rig.report(device, "rows", device.batch(10, 10))
        rig.pass_time(0.1)
    assert rig.wants(device) == []
    rig.pass_time(0.2)
    assert (rig.wants(device), rig.seqs(device)) == ([5], [1, 2, 3, 4, 5])


def test_rows_that_come_late_are_not_asked_for(rig: Rig) -> None:
    device = Device(rows=2)
    rig.report(device, "rows", device.batch(1, 2))
    device.write()
    rig.report(device, "beat", device.beat())
    rig.pass_time(0.9)
    rig.report(device, "rows", device.batch(3, 3))
    rig.pass_time(60)
    assert rig.wants(device) == []
    # Rows that are arriving are not asked for again.
    device = Device("arriving", rows=1000)
    rig.report(device, "beat", device.beat())
    rig.pass_time(1.1)
    assert rig.wants(device) == [0]
    for first in range(1, 1000, 10):
        rig.report(device, "rows", device.batch(first, first + 9))
        rig.pass_time(0.9)
    assert (rig.wants(device), len(rig.seqs(device))) == ([], 1000)


def test_a_row_too_large_for_a_message_is_held_by_its_hash(rig: Rig) -> None:
    device = Device(rows=3)
    batch = device.batch(1, 3)
    batch["rows"] = [device.rows[0], (device.rows[1][0], None), device.rows[2]]
    rig.report(device, "rows", batch)
    assert [(row.seq, row.fields is None) for row in rig.store.rows(device.id, device.epoch)] == [(1, False), (2, True), (3, False)]


def _tear(path: Path) -> None:
    whole = path.read_bytes()
    path.write_bytes(whole[:4096] + b"\xff" * (len(whole) - 4096))


def _age(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 5")


@pytest.mark.parametrize(("spoil", "why"), [(_tear, "database main"), (_age, f"it is of version 5; this program writes version {VERSION}")])
def test_a_store_that_is_damaged_or_of_another_version_is_set_aside_and_filled_again_by_the_devices(
    tmp_path: Path, spoil: Callable[[Path], None], why: str
) -> None:
    device = Device(rows=40)
    with made(tmp_path) as first:
        first.report(device, "rows", device.batch(1, 40))
    path = tmp_path / "hall.db"
    spoil(path)
    store, aside = open_store(path, TOPICS.hall)
    with closing(store):
        assert (some(aside).path.exists(), why in some(aside).fault) == (True, True)
        rig = Rig(store)
        rig.report(device, "beat", device.beat())
        rig.pass_time(2)
        assert rig.wants(device) == [0]
        rig.report(device, "rows", device.batch(1, 40))
        assert rig.seqs(device) == list(range(1, 41))


def _anew(device: Device, text: str) -> None:
    device.rows, device.text = [], text
    device.write(2)


def test_both_journals_of_a_device_are_held_and_the_new_one_is_named(rig: Rig) -> None:
    device = Device(rows=3)
    rig.report(device, "rows", device.batch(1, 3))
    first = device.epoch
    _anew(device, "second")
    rig.report(device, "beat", device.beat())
    rig.pass_time(2)
    assert rig.wants(device) == [0]
    rig.report(device, "rows", device.batch(1, 2))
    assert (len(list(rig.store.rows(device.id, first))), rig.seqs(device)) == (3, [1, 2])
    assert "new journal since 20" in rig.known(device).troubles["epoch"]


def test_a_device_cannot_fill_the_store_with_new_journals(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hall.listener.row_keeper.MAX_EPOCHS", 7)
    device = Device()
    for number in range(9):
        _anew(device, str(number))
        rig.report(device, "rows", device.batch(1, 2))
    assert len(rig.store.epochs(device.id)) == 7
    assert "more than 7 journals" in rig.known(device).troubles["epochs"]


def _with_five_rows(rig: Rig) -> Device:
    device = Device(rows=5)
    rig.report(device, "rows", device.batch(1, 5))
    return device


def test_another_row_in_the_place_of_one_held_is_a_fork(rig: Rig) -> None:
    device = _with_five_rows(rig)
    held = list(rig.store.rows(device.id, device.epoch))
    rewritten = Device()
    rewritten.rows = device.rows[:3]
    rewritten.text = "changed"
    rewritten.write(4)
    rig.report(device, "rows", rewritten.batch(3, 7))
    assert list(rig.store.rows(device.id, device.epoch)) == held
    assert "row 4 is not the one held" in rig.known(device).troubles["rows"]
    device.write()
    rig.report(device, "rows", device.batch(6, 6))
    assert rig.seqs(device) == [1, 2, 3, 4, 5]
    rig.pass_time(60)
    assert rig.wants(device) == []


def test_a_chain_anew_from_before_the_batch_is_a_fork(rig: Rig) -> None:
    device = _with_five_rows(rig)
    rewritten = Device()
    rewritten.rows = device.rows[:1]
    rewritten.text = "changed"
    rewritten.write(6)
    rig.report(device, "rows", rewritten.batch(6, 7))
    assert "row 5 is not the one held" in rig.known(device).troubles["rows"]


@pytest.mark.parametrize("place", [1, 8])
def test_a_field_that_was_changed_breaks_the_chain(rig: Rig, place: int) -> None:
    device = _with_five_rows(rig)
    device.write(2)
    batch = device.batch(6, 7)
    batch["rows"][0][1][place] = "other"
    rig.report(device, "rows", batch)
    assert "row 6 does not follow" in rig.known(device).troubles["rows"]
    assert rig.seqs(device) == [1, 2, 3, 4, 5]


def test_a_beat_with_fewer_rows_means_a_journal_that_was_cut(rig: Rig) -> None:
    device = _with_five_rows(rig)
    device.rows = device.rows[:3]
    rig.report(device, "beat", device.beat())
    assert "its journal ends at row 3; the hall holds 5" in rig.known(device).troubles["rows"]
    # What follows is another history, even where it follows from a row that is held.
    device.text = "again"
    device.write(4)
    rig.report(device, "rows", device.batch(4, 7))
    assert rig.seqs(device) == [1, 2, 3, 4, 5]


def test_a_chain_under_a_foreign_epoch_is_not_taken(rig: Rig) -> None:
    device = Device(rows=2)
    rig.report(device, "rows", {**device.batch(1, 2), "epoch": "0" * 16})
    assert list(rig.store.rows(device.id, "0" * 16)) == []
    assert "row 1 does not follow" in rig.known(device).troubles["rows"]


def test_a_beat_with_another_head_is_a_fork_also_after_a_restart_of_the_listener(rig: Rig) -> None:
    device = _with_five_rows(rig)
    rig.report(device, "beat", device.beat(head="ab" * 32))
    assert "row 5 is not the one held" in rig.known(device).troubles["rows"]
    again = Rig(rig.store)
    again.report(device, "beat", device.beat())
    assert "row 5 is not the one held" in again.known(device).troubles["rows"]
    # The stored phrase is shown in any language.
    german = load_phrases("desk-phrases", "de").render(again.known(device).troubles["rows"])
    assert "Zeile 5 ist nicht die des Saals" in german


def _fill(rig: Rig, devices: list[Device]) -> None:
    for device in devices:
        device.write(20, body="x" * 1000)
        rig.report(device, "rows", device.batch(1, 20), turn=False)


def test_rows_that_could_not_be_written_are_asked_for_again_once_there_is_room(rig: Rig, tmp_path: Path) -> None:
    devices = [Device(str(number)) for number in range(5)]
    with no_file_larger((tmp_path / "hall.db-wal").stat().st_size + 4096):
        _fill(rig, devices)
        rig.listener.turn(rig.now)
        assert rig.hall.trouble is not None
        assert "The listener cannot write: the disk" in rig.hall.trouble
        assert ("rows wait at the tables" in rig.hall.trouble, rig.committed) == (True, [])
        # The live view goes on.
        rig.report(devices[0], "state", devices[0].state(table=12))
        assert rig.known(devices[0]).table == 12
        rig.now += NS
        rig.report(devices[0], "beat", devices[0].beat())
        assert TOPICS.to_device(devices[0].id, "time") in {topic for topic, _ in rig.sent}
        assert rig.known(devices[0]).stale_since(rig.now) is None
        rig.sent.clear()
        asked = 0
        for _ in range(10):
            rig.pass_time(5)
            wants = [topic for topic, _ in rig.sent if topic.endswith("/want")]
            rig.sent.clear()
            # Each is a try whether there is room: not all tables send everything again and again.
            assert len(wants) <= 1
            asked += len(wants)
        assert asked >= 5
    for _ in range(20):
        rig.pass_time(5)
        for device in devices:
            for after in rig.wants_of(device):
                rig.report(device, "rows", device.batch(after + 1, 20))
        rig.sent.clear()
    assert list(rig.hall.troubles()) == []
    for device in devices:
        assert rig.seqs(device) == list(range(1, 21))
    assert len(rig.committed) == 100


NOW = datetime(2026, 5, 1, 14, 0, 30, tzinfo=UTC)


def _seen(rig: Rig) -> HallPicture:
    found: dict[str, Any] = json.loads(picture(rig.hall, rig.now))
    return HallPicture(found["hall"], found["broker"]["up"], tuple(found["troubles"]), tuple(found["devices"]))


def _playing(rig: Rig, name: str, table: int, **state: Any) -> Device:
    device = Device(name, rows=1)
    rig.report(device, "rows", device.batch(1, 1))
    rig.report(device, "up", device.up(table=table, name=f"Clock {table}"))
    rig.report(device, "beat", device.beat(sent=rig.now))
    rig.report(device, "beat", device.beat(sent=rig.now, echo=(rig.now, rig.now, rig.now, rig.now)))
    rig.report(device, "state", device.state(table=table, at=rig.now, **state))
    return device


def test_the_side_that_runs_is_marked_without_colours(rig: Rig) -> None:
    _playing(rig, "one", 4, names={"left": "Ann", "right": "Bob"})
    rig.now += 61 * NS // 10
    (device,) = _seen(rig).devices
    assert cells_of(device, NOW) == ("4", "Clock 4", "24:54 ◀ Ann", "25:00 Bob", "plays", "ok", "")


def test_a_stale_device_says_since_when_and_a_call_comes_first(rig: Rig) -> None:
    _playing(rig, "one", 4)
    rig.now += 30 * NS
    words, well = summary(_seen(rig), NOW)
    assert words == ["Hall trial: 1 device, 0 calls, 1 stale.", "Table 4, Clock 4: stale since 14:00:00"]
    assert not well
    # A call comes first and is nothing wrong.
    _playing(rig, "one", 4)
    calling = _playing(rig, "two", 40)
    rig.report(calling, "call", {"v": 1, "since": 5, "boot": "boot-1", "table": 40, "from": "players"})
    rig.now += 5 * NS
    words, well = summary(_seen(rig), NOW)
    assert words == ["Hall trial: 2 devices, 1 call, 0 stale.", "Table 40, Clock 40: CALLS THE DIRECTOR for 5 s"]
    assert well


def test_a_worn_button_is_named_in_the_words_of_the_desk_and_is_no_problem_yet(rig: Rig) -> None:
    clock, said = _playing(rig, "one", 4), "right button is wearing: opens while held, 0 % of presses before, 3 % now"
    rig.report(clock, "beat", clock.beat(sent=rig.now, worn=[{"button": "right", "sign": "opens", "before": 0, "now": 3}]))
    assert summary(_seen(rig), NOW) == (["Hall trial: 1 device, 0 calls, 0 stale.", f"Table 4, Clock 4: {said}"], True)
    assert cells_of(_seen(rig).devices[0], NOW)[-1] == said


def test_a_terminal_that_is_too_small_shows_who_is_in_need_and_counts_the_rest(rig: Rig) -> None:
    for table in range(1, 31):
        _playing(rig, str(table), table)
    calling = _playing(rig, "calling", 77)
    rig.report(calling, "call", {"v": 1, "since": 5, "boot": "boot-1", "table": 77, "from": "players"})
    console = Console(width=120, record=True, file=io.StringIO())
    console.print(table_of(_seen(rig), 12))
    text = console.export_text()
    assert ("Clock 77" in text, "CALLS THE DIRECTOR" in text) == (True, True)
    assert "and 24 more" in text
    assert len(text.splitlines()) <= 12


def test_watch_goes_on_while_the_listener_is_gone_and_says_so(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hall.watch.EVERY_S", 0)
    _playing(rig, "one", 12)
    answers = iter([_seen(rig), None])

    def read() -> HallPicture:
        try:
            answer = next(answers)
        except StopIteration:
            raise KeyboardInterrupt from None
        if answer is None:
            raise HallError(expected="a listener", found="none")
        return answer

    shown = io.StringIO()
    with pytest.raises(KeyboardInterrupt):
        watch(read, Console(width=120, height=30, force_terminal=True, file=shown))
    assert shown.getvalue().rfind("Clock 12") > shown.getvalue().find("found none. What follows is old.") > 0


def test_pages_are_for_get_alone_and_a_silent_reader_goes_without_a_word(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("hall.listener.service.READER_S", 0.05)
    with serving(0, {"/page": lambda: ("text/plain", b"words")}) as port:
        with socket.create_connection(("127.0.0.1", port)) as silent:
            assert silent.recv(1) == b""
        answered = {}
        for method in ("GET", "POST"):
            with closing(http.client.HTTPConnection("127.0.0.1", port)) as connection:
                connection.request(method, "/page?at=1")
                answered[method] = connection.getresponse().status
    assert answered == {"GET": 200, "POST": 501}
    assert capsys.readouterr().err == ""
