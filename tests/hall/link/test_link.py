"""``tilehall link`` between a real local socket and a real broker, and which certificates open which connection."""

import json
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from hypothesis import given
from hypothesis import strategies as st

from hall.broker import LARGEST_PACKET, plan_of
from hall.keys.files import Authority, HallFiles, Identity, identity_in
from hall.link.connection import BrokerConnection, Dialling, Down, LinkPlan, Refused, tls_context
from hall.link.pace import BEAT_MAX_NS, BEAT_MIN_NS, FIRST_PAUSES_NS, Bucket, Cursor, Stamps
from hall.link.relay import MAX_DEVICES, UNKNOWN, TableInFocus, encoded
from hall.link.upkeep import EXPIRED_NS, LOOK_NS, RENEW_NS, Child, Upkeep
from hall.settings import BrokerSettings
from rules.duration import NS
from tests.cells import each_cell
from tests.hall.client import connected
from tests.hall.conftest import TrialHall, new_hall
from tests.hall.link.linked import EPOCH, LinkedClock, LinkedDevice, link, listening, payloads, served, value
from tests.processes import PATIENCE_S, until
from tools.trial_broker import Broker, complete_hall, running_broker
from wire.topics import KEPT, VERSION, Topics, checksum

pytestmark = pytest.mark.waits(45)


@pytest.fixture
def clock(broker: Broker, trial_hall: TrialHall, tmp_path: Path) -> Iterator[LinkedClock]:
    device, socket = LinkedDevice(trial_hall.clock, last=1050), tmp_path / "hall.sock"
    with (
        listening(broker, trial_hall) as listener,
        served(device, socket) as server,
        link(trial_hall.files.identity(trial_hall.clock), broker, socket) as process,
    ):
        found = LinkedClock(trial_hall, device, server, listener, process)
        found.until(lambda: found.got("beat"), "a beat")
        yield found


def test_state_rows_calls_and_beats_reach_the_listener(clock: LinkedClock) -> None:
    # The thread that dialled has ended, or is about to.
    until(lambda: "\nThreads:\t1\n" in Path(f"/proc/{clock.process.pid}/status").read_text(encoding="ascii"), "one thread")
    assert clock.got("up")[0] == {"v": 1, "up": True, "kind": "clock", "table": 12}
    assert clock.got("state")[0]["phase"] == "ready"
    beat = clock.got("beat")[0]
    assert (beat["seq"], beat["lag"], beat["dropped"], beat["echo"]) == (1050, 0, 0, None)
    # It begins at the journal's end, and what is committed goes at once.
    until(lambda: bool(clock.device.threads), "a request for rows")
    clock.device.last = 1052
    clock.server.committed()
    clock.until(lambda: clock.seqs() == [1051, 1052], "the rows")
    clock.server.put("call", value(v=1, since=5))
    clock.until(lambda: clock.got("call")[-1:] == [{"v": 1, "since": 5}], "the call")
    clock.server.put("call", None)
    clock.until(lambda: clock.got("call")[-1] is None, "the end of the call")
    until(lambda: any(state.up for state in clock.device.states), "the link's state")
    # All values come once more when the listener asks for them.
    latest = {topic.rpartition("/")[2]: payload for topic, payload, _ in tuple(clock.listener.messages)}
    clock.until(lambda: clock.got("beat")[-1]["values"] == checksum(latest), "their sum")
    clock.listener.messages.clear()
    clock.send("want", values=True)
    for what in KEPT:
        clock.until(lambda what=what: clock.got(what), what)  # type: ignore[misc] # a default of a lambda
        assert next(payload for topic, payload, _ in tuple(clock.listener.messages) if topic.endswith(f"/{what}")) == latest[what]


def test_orders_reach_the_device_unread(clock: LinkedClock, broker: Broker, trial_hall: TrialHall) -> None:
    topics, files, taken = Topics(trial_hall.files.authority.hall), trial_hall.files, clock.device.taken
    order, verdict = (topics.to_device(trial_hall.clock, what) for what in ("order", f"verdict/{trial_hall.station}"))
    with connected(broker, files.identity(trial_hall.desk)) as desk, connected(broker, files.identity(trial_hall.station)) as station:
        desk.publish(order, b"{not even JSON")
        station.publish(verdict, "é".encode())
        until(lambda: len(taken) == 2, "both")
        assert sorted(taken) == [("order", "{not even JSON", False), (f"verdict/{trial_hall.station}", "é", False)]
        # Too large for the socket, and no text: thrown away, counted, and the link goes on.
        desk.publish(order, b"x" * 9000)
        desk.publish(order, b"\xff")
        clock.server.put("ack/" + "a" * 32, value(v=1, accepted=False))
        clock.until(lambda: clock.got("ack/" + "a" * 32), "the answer")
        clock.until(lambda: clock.got("beat")[-1]["dropped"] == 2, "the count")
        assert len(taken) == 2


class ReturningDevice(LinkedDevice):
    """Its link has started, and waits to be greeted."""

    def __init__(self, device: str) -> None:
        super().__init__(device)
        self.asked, self.returns = threading.Event(), threading.Event()

    def hello(self) -> dict[str, object]:
        self.asked.set()
        self.returns.wait(PATIENCE_S)
        return super().hello()


def test_the_will_comes_after_the_end_of_a_link_and_not_if_the_device_is_back_within_5_s(
    broker: Broker, trial_hall: TrialHall, tmp_path: Path
) -> None:
    clock = trial_hall.clock
    identity, device, (before, after) = trial_hall.files.identity(clock), ReturningDevice(clock), (tmp_path / "before", tmp_path / "after")
    with listening(broker, trial_hall) as listener, served(LinkedDevice(clock), before), served(device, after):
        # A program that starts on a busy machine may take the 5 s.
        with link(identity, broker, before) as killed, link(identity, broker, after) as ended:
            listener.wait(lambda: payloads(listener, clock, "up"), "up")
            assert device.asked.wait(PATIENCE_S)
            killed.kill()
            killed.wait()
            device.returns.set()
            listener.wait(lambda: len(payloads(listener, clock, "up")) >= 2, "up again")
            assert [up["up"] for up in payloads(listener, clock, "up")] == [True, True]
            ended.send_signal(signal.SIGTERM)
            assert ended.wait(PATIENCE_S) == 0
        listener.wait(lambda: not payloads(listener, clock, "up")[-1]["up"], "the will")


def test_a_device_that_goes_and_comes_back_is_linked_again(broker: Broker, trial_hall: TrialHall, tmp_path: Path) -> None:
    clock, socket = trial_hall.clock, tmp_path / "hall.sock"
    with listening(broker, trial_hall) as listener, link(trial_hall.files.identity(clock), broker, socket):
        for number in (1, 2):
            with served(LinkedDevice(clock), socket):
                listener.wait(lambda number=number: len(payloads(listener, clock, "beat")) >= number, "a beat")
            before = len(payloads(listener, clock, "beat"))
            listener.wait(lambda: payloads(listener, clock, "up")[-1]["up"] is False, "the will")
            assert len(payloads(listener, clock, "beat")) <= before + 1


def test_the_lean_process_imports_no_more() -> None:
    code = "import sys, hall.link.__main__; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-P", "-c", code], check=True, capture_output=True, text=True)
    ours = {each for each in done.stdout.split() if each.startswith(("appliance.", "hall.", "wire.")) and not each.startswith("hall.link")}
    assert ours <= {"appliance.version", "wire.local", "wire.local.client", "wire.topics"}
    assert not {"dataclasses", "email", "http.client", "inspect", "pydantic", "click"} & set(done.stdout.split())


def heard(device: LinkedDevice) -> list[tuple[object, object]]:
    return [(each["device"], each["what"]) for each in device.reported]


def test_a_station_follows_the_clock_of_its_table(clock: LinkedClock, broker: Broker, tmp_path: Path) -> None:
    hall, own, socket = clock.hall, clock.device.device, tmp_path / "station.sock"
    topics, station = Topics(hall.files.authority.hall), LinkedDevice(hall.station)
    with (
        served(station, socket) as server,
        link(hall.files.identity(hall.station), broker, socket),
        connected(broker, hall.files.identity(hall.other_clock)) as other_clock,
    ):
        until(lambda: any(state.up for state in station.states), "the link")
        server.send({"t": "focus", "table": 12})
        until(lambda: (own, "state") in heard(station) and (own, "beat") in heard(station), "the clock of table 12")
        # A second clock that says table 12, until it is gone.
        for up in ("true", "false"):
            message = f'{{"v": 1, "up": {up}, "kind": "clock", "table": 12}}'.encode()
            other_clock.publish(topics.of_device(hall.other_clock, "up"), message, retain=True)
            if up == "true":
                until(lambda: heard(station)[-1] == (None, "ambiguous"), "that there are two")
        until(lambda: heard(station).count((own, "up")) == 2, "the one that is left")
        before = len(station.reported)
        server.send({"t": "focus", "table": 13})
        until(lambda: (None, "unknown") in heard(station)[before:], "that there is none")
        server.send({"t": "focus", "table": None})
        clock.server.put("state", value(v=1, phase="running"))
        clock.until(lambda: clock.got("state")[-1]["phase"] == "running", "the clock's state")
        # What was on its way when the table changed may come before the answer that there is none.
        since = heard(station)[before:]
        assert (own, "state") not in since[since.index((None, "unknown")) :]


def test_a_message_of_10_mb_ends_the_senders_connection_alone_and_the_largest_batch_passes(broker: Broker, trial_hall: TrialHall) -> None:
    topics = Topics(trial_hall.files.authority.hall)
    with (
        listening(broker, trial_hall) as listener,
        connected(broker, trial_hall.files.identity(trial_hall.other_clock)) as other,
        connected(broker, trial_hall.files.identity(trial_hall.clock)) as clock,
    ):
        clock.publish(topics.of_device(trial_hall.clock, "state"), b"x" * 10_000_000, patient=False)
        clock.wait(lambda: bool(clock.ended), "the end of the connection")
        other.publish(topics.of_device(trial_hall.other_clock, "state"), b"{}")
        listener.wait(lambda: bool(listener.messages), "the other's state")
        assert listener.topics() == {topics.of_device(trial_hall.other_clock, "state")}
        assert other.ended == listener.ended == []
    # The largest batch of rows passes.
    rows = Topics(trial_hall.files.authority.hall).of_device(trial_hall.clock, "rows")
    with listening(broker, trial_hall) as listener, connected(broker, trial_hall.files.identity(trial_hall.clock)) as clock:
        assert clock.publish(rows, b"x" * (LARGEST_PACKET - len(rows) - 20)) < 0x80
        listener.wait(lambda: listener.topics() == {rows}, "the rows")


def test_a_listener_that_comes_late_gets_what_a_full_hall_keeps(broker: Broker, trial_hall: TrialHall) -> None:
    # Of 1,500 devices three values each, here of one.
    topics, count = Topics(trial_hall.files.authority.hall), 4500
    with connected(broker, trial_hall.files.identity(trial_hall.clock), patience_s=4 * PATIENCE_S) as clock:
        for number in range(count):
            clock.publish(topics.of_device(trial_hall.clock, f"state/{number}"), b"x" * 500, retain=True, patient=False)
        clock.wait(lambda: len(clock.answers) == count, "the broker's answers")
    with listening(broker, trial_hall) as listener:
        listener.wait(lambda: len(listener.topics()) == count, "all of them")


def test_a_flood_of_orders_reaches_the_device_20_a_second(clock: LinkedClock, broker: Broker, trial_hall: TrialHall) -> None:
    order, count = Topics(trial_hall.files.authority.hall).to_device(trial_hall.clock, "order"), 1000
    with connected(broker, trial_hall.files.identity(trial_hall.desk)) as desk:
        for number in range(count):
            desk.publish(order, b"{}", patient=number == count - 1)
        # The broker too drops what is above its queue, so the sum may be smaller.
        clock.until(lambda: clock.got("beat")[-1]["dropped"] > count // 4, "the count")
        assert 20 <= len(clock.device.taken) < count // 4
        until(lambda: clock.device.states[-1].up, "the link's state")


SECONDS = 4


def test_twins_hear_of_each_other_and_slow_down(broker: Broker, trial_hall: TrialHall, tmp_path: Path) -> None:
    identity = trial_hall.files.identity(trial_hall.clock)
    twins = (LinkedDevice(trial_hall.clock), LinkedDevice(trial_hall.clock))
    first, second = tmp_path / "first.sock", tmp_path / "second.sock"
    with served(twins[0], first), served(twins[1], second), link(identity, broker, first), link(identity, broker, second):
        until(lambda: all(any("another device may use" in state.why for state in twin.states) for twin in twins), "that there are two")
        before = broker.log().count("New client connected")
        threading.Event().wait(SECONDS)
        # Without a growing pause there would be some hundreds.
        assert broker.log().count("New client connected") - before < SECONDS * 5


def why_not(identity: Identity, broker: Broker) -> str:
    """Return why a device with these files is not connected."""
    plan = plan_of(identity.key.parent, BrokerSettings(host=broker.host, port=broker.port))
    with closing(BrokerConnection(plan)) as connection:
        connection.open()
        while True:
            ready = connection.wait(time.monotonic_ns() + NS)
            for news in connection.step(time.monotonic_ns(), ready):
                assert isinstance(news, Down)
                return news.why


def with_certificate(hall: TrialHall, folder: Path, authority: Authority, until_: datetime, device: str) -> Identity:
    folder.mkdir()
    key = Ed25519PrivateKey.generate()
    identity = identity_in(folder)
    identity.certificate.write_bytes(authority.device(device, key.public_key(), until_).public_bytes(Encoding.PEM))
    identity.key.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    shutil.copy(hall.files.ca, identity.ca)
    return identity


def test_the_broker_of_another_hall_is_not_used(broker: Broker, trial_hall: TrialHall, tmp_path: Path) -> None:
    other = complete_hall(tmp_path / "other", clocks=0, stations=0).files
    said = why_not(other.admit(trial_hall.clock), broker)
    assert said == "Expected the broker of hall trial, found a certificate of another CA."


def test_a_broker_that_is_not_there_and_a_missing_file_are_said(trial_hall: TrialHall) -> None:
    files = trial_hall.files.identity(trial_hall.clock)
    plan = PLAN._replace(host="127.0.0.1", port=1, ca=files.ca, certificate=files.certificate, key=files.key)
    dialling = Dialling(plan)
    with pytest.raises(Refused, match=r"^The broker at 127\.0\.0\.1:1 cannot be reached: connection refused\.$"):
        until(lambda: dialling.step() is not None, "the end")
    with pytest.raises(Refused, check=lambda refused: refused.found == "no readable ca"):
        tls_context(plan._replace(ca=Path("ca")))


@pytest.mark.parametrize("name", ["trial", "other", None])
def test_a_device_of_another_hall_or_with_an_ended_certificate_is_refused(
    broker: Broker, trial_hall: TrialHall, tmp_path: Path, name: str | None
) -> None:
    authority = trial_hall.files.authority if name is None else Authority.new(name, datetime.now(UTC))
    ends = datetime.now(UTC) + timedelta(days=-2 if name is None else 9)
    identity = with_certificate(trial_hall, tmp_path / "device", authority, ends, trial_hall.clock)
    why = f" ended on {ends:%Y-%m-%d}" if name is None else f" for that of another hall than {name}"
    said = why_not(identity, broker)
    assert said == f"{'This' if name is None else 'The broker takes this'} device's certificate{why}; enrol it again."


def test_a_revoked_device_is_refused_after_a_reload_and_the_others_stay(tmp_path: Path) -> None:
    hall = new_hall(tmp_path / "hall")
    files = hall.files
    with running_broker(tmp_path / "broker", files) as broker, connected(broker, files.identity(hall.other_clock)) as other:
        with connected(broker, files.identity(hall.clock)):
            pass
        lost = identity_in(tmp_path / "lost")
        shutil.copytree(files.identity(hall.clock).key.parent, lost.key.parent)
        files.revoke(hall.clock)
        broker.reload()
        until(lambda: "Reloading config" in broker.log(), "the reload")
        said = why_not(lost, broker)
        assert said == "This device's certificate is revoked; enrol it again."
        assert other.publish(Topics(files.authority.hall).of_device(hall.other_clock, "state")) < 0x80
        assert other.ended == []


def test_a_device_cannot_pass_for_the_broker(trial_hall: TrialHall, tmp_path: Path) -> None:
    mine = trial_hall.files.identity(trial_hall.other_clock)
    files = HallFiles.load(shutil.copytree(trial_hall.files.folder, tmp_path / "hall"))
    shutil.copytree(mine.key.parent, files.broker.key.parent, dirs_exist_ok=True)
    with running_broker(tmp_path / "broker", files) as impostor:
        said = why_not(trial_hall.files.identity(trial_hall.clock), impostor)
    assert said == "Expected the broker of hall trial, found the certificate of another device of it."


def test_the_brokers_certificate_is_good_for_no_client(broker: Broker, trial_hall: TrialHall, tmp_path: Path) -> None:
    identity = with_certificate(
        trial_hall, tmp_path / "device", trial_hall.files.authority, datetime.now(UTC) + timedelta(days=9), trial_hall.clock
    )
    shutil.copy(trial_hall.files.broker.certificate, identity.certificate)
    shutil.copy(trial_hall.files.broker.key, identity.key)
    with pytest.raises((OSError, AssertionError)), connected(broker, identity, patience_s=5):
        pass


def test_the_certificate_of_another_device_is_not_used(broker: Broker, trial_hall: TrialHall, tmp_path: Path) -> None:
    socket = tmp_path / "hall.sock"
    with served(LinkedDevice(trial_hall.clock), socket), link(trial_hall.files.identity(trial_hall.other_clock), broker, socket) as process:
        assert process.stderr is not None
        lines = iter(process.stderr.readline, "")
        said = next(line for line in lines if "does not run" not in line)
    assert re.fullmatch(rf"Expected the device {trial_hall.other_clock} of the certificate, found '{trial_hall.clock}': enrol .*\n", said)


SPOILED: dict[str, Callable[[Identity], object]] = {
    "no key": lambda identity: identity.key.unlink(),
    "no certificate": lambda identity: identity.certificate.write_text("no certificate"),
    "empty authority": lambda identity: identity.ca.write_text(""),
    "a certificate for a key": lambda identity: shutil.copy(identity.certificate, identity.key),
}


def test_unusable_files_are_refused_with_a_sentence(trial_hall: TrialHall, tmp_path: Path, broker: Broker) -> None:
    for cell in each_cell(SPOILED.items(), lambda spoiled: spoiled[0]):
        with cell as (name, spoil):
            folder = tmp_path / name
            shutil.copytree(trial_hall.files.identity(trial_hall.clock).key.parent, folder)
            spoil(identity_in(folder))
            with link(identity_in(folder), broker, tmp_path / "hall.sock") as process:
                _, said = process.communicate()
            assert process.returncode == 2
            assert said.startswith(f"tilehall: {folder}")
            assert ("enrol" in said.lower(), said.count("\n")) == (True, 1)


MS = 1_000_000


def test_as_many_as_allowed_pass_at_once() -> None:
    bucket = Bucket(20)
    assert sum(bucket.allows(5 * NS) for _ in range(100)) == 20
    assert bucket.free_at(5 * NS) == 6 * NS
    assert not bucket.allows(6 * NS - 1)
    assert bucket.allows(6 * NS)


@given(st.lists(st.integers(0, NS // 5), max_size=200))
def test_no_second_has_more(pauses: list[int]) -> None:
    bucket, now, passed = Bucket(20), NS, []
    for pause in pauses:
        now += pause
        if bucket.allows(now):
            passed.append(now)
    assert all(sum(start <= each < start + NS for each in passed) <= 20 for start in passed)


def _pause(stamps: Stamps) -> int:
    before = stamps.due
    stamps.asked(before)
    return stamps.due - before


def _answer(stamps: Stamps, sent: int, at: int) -> None:
    stamps.sent(sent)
    stamps.answered({"t1": sent, "t2": 1, "t3": 1}, at)
    assert stamps.echo == {"t1": sent, "t2": 1, "t3": 1, "t4": at}


def _settled() -> Stamps:
    """Return those of a link after its first beats."""
    stamps = Stamps()
    stamps.connected(0)
    for _ in FIRST_PAUSES_NS:
        stamps.asked(stamps.due)
    return stamps


def test_beats_follow_each_other_at_growing_pauses_at_first_and_after_a_silence() -> None:
    stamps = Stamps()
    for at in (1000, 1001):
        stamps.connected(at)
        assert stamps.due == at
        for longest in FIRST_PAUSES_NS:
            assert longest // 2 <= _pause(stamps) <= longest
        pauses = {_pause(stamps) for _ in range(50)}
        assert all(BEAT_MIN_NS <= pause <= BEAT_MAX_NS for pause in pauses)
        assert len(pauses) > 10
    # A listener that was away soon has good exchanges.
    stamps = _settled()
    for at in (0, 8 * NS):
        stamps.asked(at)
        stamps.sent(at)
    _answer(stamps, 16 * NS, 16 * NS + NS // 2)
    assert stamps.due <= 16 * NS + NS // 2 + FIRST_PAUSES_NS[0]
    assert _pause(stamps) <= FIRST_PAUSES_NS[0]


def test_a_listener_that_is_there_or_behind_gets_no_more_beats() -> None:
    for sent, answered in ((2 * NS, 2 * NS + 1), (8 * NS, 9 * NS + 1)):
        stamps = _settled()
        stamps.asked(sent)
        due = stamps.due
        stamps.sent(0)
        _answer(stamps, sent, answered)
        assert stamps.due == due


def test_an_answer_completes_the_exchange_once_and_a_new_connection_forgets_it() -> None:
    stamps = Stamps()
    stamps.connected(0)
    stamps.sent(5)
    wrong: tuple[Any, ...] = ({"t1": 6, "t2": 1, "t3": 2}, {"t1": 5, "t2": "1", "t3": 2}, {"t1": 5, "t2": 1}, {"t1": [], "t2": 1, "t3": 1})
    for message in (None, [], "x", {}, *wrong):
        stamps.answered(message, 9)
    assert [stamps.echo] == [None]
    stamps.answered({"t1": 5, "t2": 100, "t3": 101}, 9)
    stamps.answered({"t1": 5, "t2": 200, "t3": 201}, 12)
    assert stamps.echo == {"t1": 5, "t2": 100, "t3": 101, "t4": 9}
    stamps.connected(50)
    assert stamps.echo is None


def batch(first: int, last: int, epoch: str = EPOCH) -> dict[str, object]:
    return {"epoch": epoch, "first": first, "last": last}


def at(seq: int) -> Cursor:
    cursor = Cursor()
    cursor.stands_at(EPOCH, seq)
    return cursor


def test_the_cursor_begins_at_the_end_of_the_journal_and_a_want_sets_it_back() -> None:
    # One request at a time.
    cursor = at(80)
    assert (Cursor().request, cursor.request) == (None, 80)
    cursor.asked()
    assert [cursor.request] == [None]
    assert not cursor.takes(batch(81, 81, "f" * 16))
    assert cursor.takes(batch(81, 83))
    assert cursor.request == 83
    # A beat moves it only to another journal.
    cursor.stands_at(EPOCH, 90)
    assert cursor.after == 83
    cursor.stands_at("f" * 16, 2)
    assert cursor.request == 2
    # A want sets the cursor back, and what was asked before is not published twice.
    cursor = at(80)
    cursor.asked()
    cursor.wanted(EPOCH, 20)
    assert cursor.request == 20
    cursor.asked()
    assert not cursor.takes(batch(81, 81))
    assert cursor.takes(batch(21, 81))
    assert cursor.after == 81
    for epoch, after in ((EPOCH, 81), (EPOCH, 82), ("f" * 16, 3), (EPOCH, -1), (EPOCH, "3"), (EPOCH, True), (None, 3)):
        cursor.wanted(epoch, after)
        assert cursor.after == 81


def up(table: int | None, *, kind: str = "clock", connected: bool = True) -> str:
    return json.dumps({"v": 1, "up": connected, "kind": kind, "table": table})


def test_only_a_connected_clock_with_a_table_counts_and_tables_do_not_grow_without_end() -> None:
    heard: list[Any] = []
    focus = TableInFocus(Topics("club"), BrokerConnection(PLAN), heard.append)

    def says(device: str, text: str) -> tuple[str | None, str, str]:
        focus.hear(device, "up", text, lambda: False)
        return heard[-1]["device"], heard[-1]["what"], heard[-1]["payload"]

    focus.look_at(12)
    others = (up(None), up(12, kind="station"), up(12, connected=False), "", "[]", "null", "{", '{"up": true}', "[" * 100_000)
    assert {says(f"c-{number}", text) for number, text in enumerate(others)} == {(None, UNKNOWN, "")}
    assert says("c-1", up(12)) == ("c-1", "up", up(12))
    # Each message says its version.
    assert (encoded({"up": True}), encoded([7])) == (b'{"v":%d,"up":true}' % VERSION, b"[7]")
    for number in range(MAX_DEVICES + 100):
        says(f"c-{number}", up(number % 999 + 1))
    focus.look_at(1000)
    assert says("c-new", up(1000)) == (None, UNKNOWN, "")


DUE = 1_790_000_000
HOUR = 3_600
PLAN = LinkPlan("club", "", 8883, Path("ca"), Path("link/certificate.pem"), Path("key"), "c-a", Path(), renew_at=DUE, enrol_port=8884)


@dataclass
class Started:
    words: tuple[str, ...]
    said: str | None = None

    def fileno(self) -> int:
        return 7

    def result(self) -> str | None:
        return self.said


@dataclass
class Kept:
    plan: LinkPlan
    children: list[Started] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.connection = BrokerConnection(self.plan)
        self.upkeep = Upkeep(self.plan, self.connection, self._start)

    def _start(self, *words: str) -> Any:
        self.children.append(Started(words))
        return self.children[-1]

    def verbs(self) -> list[str]:
        return [child.words[0] for child in self.children]


def test_a_broker_that_is_not_there_is_looked_for_again_and_a_good_hint_is_used() -> None:
    kept = Kept(PLAN._replace(look_from="10.0.0.2"))
    kept.upkeep.step(0, 0)
    assert kept.children[0].words == ("find", "--for", "club", "--from", "10.0.0.2")
    kept.children[0].said = ""
    assert kept.upkeep.step(1, 0) == LOOK_NS
    assert len(kept.children) == 1
    kept.upkeep.step(LOOK_NS, 0)
    kept.children[1].said = json.dumps({"host": "10.0.0.9", "port": 1883, "enrol_port": 99})
    kept.upkeep.step(LOOK_NS + 1, 0)
    assert (kept.connection._plan.host, kept.connection._plan.port) == ("10.0.0.9", 1883)


def test_a_certificate_is_renewed_when_due_or_when_the_broker_says_so_until_that_succeeds() -> None:
    # A clock an hour wrong renews an hour off, and one in 1970 when the broker says so.
    plan = PLAN._replace(host="10.0.0.9")
    for wall, due in ((0, False), (DUE - 1, False), (DUE - HOUR, False), (DUE, True), (DUE + HOUR, True)):
        kept = Kept(plan)
        assert kept.upkeep.step(9, wall) == 9 + LOOK_NS
        assert kept.verbs() == (["renew"] if due else []), wall
    kept = Kept(plan)
    # A broker is dialled once a will says what is to be kept.
    dues = [kept.connection.due(9)]
    kept.connection.open()
    assert [*dues, kept.connection.due(9), Kept(PLAN).connection.due(9)] == [9 + 60 * NS, 0, 9 + 60 * NS]
    kept.connection.expired = True
    kept.upkeep.step(0, 0)
    assert kept.children[0].words == ("renew", "--host", "10.0.0.9", "--port", "8884", "--folder", "link")
    # A renewal that fails is tried again, and one that succeeds is not.
    for expired, pause in ((False, RENEW_NS), (True, EXPIRED_NS)):
        kept = Kept(PLAN._replace(host="10.0.0.9"))
        kept.connection.expired = expired
        kept.upkeep.step(0, DUE)
        kept.children[0].said = ""
        kept.upkeep.step(pause // 2 - 1, DUE)
        assert kept.verbs() == ["renew"]
        kept.upkeep.step(pause, DUE)
        assert kept.verbs() == ["renew", "renew"]
        kept.children[1].said = json.dumps({"ends": "2026-12-24", "renew_at": DUE + 20 * 24 * HOUR})
        kept.upkeep.step(pause + 1, DUE)
        assert (kept.connection._plan.ends, kept.connection.expired) == ("2026-12-24", False)
        kept.upkeep.step(9 * RENEW_NS, DUE + HOUR)
        assert kept.verbs() == ["renew", "renew"]


def test_a_child_writes_one_line_and_a_failure_is_an_empty_one() -> None:
    for words, wanted in ((("--version",), True), (("no-such-verb",), False)):
        child = Child(*words)
        while (said := child.result()) is None:
            time.sleep(0.01)
        assert said.startswith("tilehall") is wanted
