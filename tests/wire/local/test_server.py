import os
import socket
import stat
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from faults.errors import TileclockError
from firmware.journal.writer import Store
from records.journal import GameStamp, Kind, reading, row_of
from rules.duration import NS
from tests.processes import until
from tests.wire.local.served import HASH, Device, greet, is_gone, packets
from wire.keys import load_key
from wire.local.client import DeviceClient, DeviceEnd, PacketFault
from wire.local.recorded import NONCES, DeviceFacts, DeviceInfo, HallPlaces, RecordedDevice, WritingFacts
from wire.local.server import DeviceServer, uid_of
from wire.record import DeviceRecord
from wire.reports import MAX_ROWS, JoinRequest, LinkState, OpenCall, ProposalAnswer
from wire.topics import STATION

OURS = frozenset({os.getuid()})
CODE = ("10" * 10 + "1",) * 21
BAD_CODES: tuple[dict[str, object], ...] = (
    {"code": None}, {"code": list(CODE[:20])}, {"code": [*CODE[:20], "2" * 21]}, {"code": ["1" * 58] * 58}, {"code": [1] * 21},
)  # fmt: skip


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "hall.sock"


@pytest.fixture
def device() -> Device:
    return Device()


@pytest.fixture
def server(path: Path, device: Device) -> Iterator[DeviceServer]:
    with closing(DeviceServer(path, device, OURS)) as server:
        yield server


@pytest.fixture
def client(path: Path, server: DeviceServer) -> Iterator[DeviceClient]:
    client = DeviceClient(path)
    greet(client)
    yield client
    client.close()


def _answer(number: int) -> ProposalAnswer:
    return ProposalAnswer(command=f"{number:032x}", accepted=False, reason="stale", at=1, seq=1, number=None)


def test_a_packet_is_not_sent_without_a_device(path: Path) -> None:
    with closing(DeviceClient(path)) as client:
        assert not client.write({"t": "beat"})


def test_a_link_tries_to_connect_once_a_second_and_looks_again_as_often_until_it_is_greeted(path: Path) -> None:
    with closing(DeviceEnd("c-mzuhvlpymk6xo3ep", path)) as end, closing(socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)) as program:
        assert ([*end.packets(5 * NS, frozenset())], end.due) == ([], 6 * NS)
        program.bind(str(path))
        program.listen()
        for now, connected, due in ((6 * NS - 1, False, 6), (6 * NS, True, 7), (9 * NS, True, 10)):
            assert ([*end.packets(now, frozenset())], end.fileno() >= 0, end.due) == ([], connected, due * NS)


def test_rows_come_once_they_are_asked_for(client: DeviceClient, device: Device) -> None:
    device.last = 250
    client.write({"t": "rows", "after": 120, "limit": 999})
    (batch,) = packets(client, "rows")
    assert (batch["first"], batch["last"], len(batch["rows"])) == (121, 220, MAX_ROWS)
    assert device.threads == {"hall"}


def test_a_request_waits_for_the_next_commit(client: DeviceClient, device: Device, server: DeviceServer) -> None:
    client.write({"t": "rows", "after": 0, "limit": 100})
    client.write({"t": "beat"})
    # Nothing was there for the request before the beat.
    packets(client, "beat")
    device.last = 1
    server.committed()
    assert packets(client, "rows")[0]["last"] == 1


def test_of_each_value_the_latest_counts(path: Path, server: DeviceServer) -> None:
    for since in range(1000):
        server.put("call", OpenCall(since=since, boot="b", table=12))
    with closing(DeviceClient(path)) as client:
        greet(client)
        found = packets(client, "set")[0]
        assert (found["name"], found["value"]["since"], found["value"]["from"]) == ("call", 999, "players")
        server.put("call", None)
        assert packets(client, "set")[0] == {"t": "set", "name": "call", "value": None}


def test_a_new_link_gets_the_values_again_but_no_answer_twice(path: Path, client: DeviceClient, server: DeviceServer) -> None:
    server.put("call", OpenCall(since=1, boot="b", table=None))
    server.put("ack/7", _answer(7))
    assert [each["name"] for each in packets(client, "set", 2)] == ["call", "ack/7"]
    client.close()
    with closing(DeviceClient(path)) as again:
        greet(again)
        again.write({"t": "beat"})
        names: list[str] = []

        def come() -> bool:
            names.extend(str(packet.get("name", packet["t"])) for packet in again.read())
            return "call" in names and "beat" in names

        until(come, "the call and a beat")
        assert "ack/7" not in names


def test_answers_that_nobody_fetches_do_not_pile_up(path: Path, server: DeviceServer) -> None:
    for number in range(1000):
        server.put(f"ack/{number}", _answer(number))
    with closing(DeviceClient(path)) as client:
        greet(client)
        assert [each["name"] for each in packets(client, "set", 32)][-1] == "ack/999"


def test_what_the_hall_sends_is_passed_on_unread_and_a_station_sends_through_the_link(
    client: DeviceClient, device: Device, server: DeviceServer
) -> None:
    client.write({"t": "in", "topic": "order", "payload": "{not json", "retained": True})
    client.write({"t": "heard", "device": None, "what": "unknown", "payload": ""})
    until(lambda: bool(device.taken and device.reported), "both")
    assert device.taken == [("order", "{not json", True)]
    assert server.send({"t": "focus", "table": 12})
    assert packets(client, "focus") == [{"t": "focus", "table": 12}]
    client.close()
    until(lambda: not server.send({"t": "focus", "table": 12}), "the end of the link")


def test_the_links_state_is_passed_on_and_down_when_the_link_goes(client: DeviceClient, device: Device) -> None:
    client.write({"t": "link", "state": "up", "why": "The broker is away."})
    until(lambda: device.states == [LinkState(up=True, why="The broker is away.")], "up")
    client.close()
    until(lambda: device.states[-1] == LinkState(up=False), "down")


def test_who_waits_for_the_director_is_shown_for_as_long_as_it_waits(client: DeviceClient, device: Device) -> None:
    client.write({"t": "join", "hall": "cambridge", "digits": "1234-5678", "code": list(CODE)})
    until(lambda: device.states == [LinkState(up=False, joins=JoinRequest("cambridge", "1234-5678", CODE))], "the digits")
    client.close()
    until(lambda: device.states[-1] == LinkState(up=False), "the end")


@pytest.mark.parametrize(
    "wrong", [{"digits": "1234-567"}, {"digits": 12345678}, {"hall": "Un Deux"}, {"hall": ""}, {"hall": "x" * 33}, *BAD_CODES]
)
def test_digits_of_another_form_are_not_shown(client: DeviceClient, device: Device, wrong: dict[str, object]) -> None:
    client.write({"t": "join", "hall": "cambridge", "digits": "1234-5678", "code": list(CODE), **wrong})
    client.write({"t": "link", "state": "up", "why": ""})
    until(lambda: device.states == [LinkState(up=True)], "what comes next")


def test_only_one_link_at_a_time_and_the_next_one_after_it(path: Path, client: DeviceClient) -> None:
    with closing(DeviceClient(path)) as second:
        assert second.connect()
        client.write({"t": "beat"})
        packets(client, "beat")
        assert second.read() == []
        client.close()
        assert packets(second, "hello")


def test_another_users_process_is_refused(path: Path) -> None:
    device = Device()
    with closing(DeviceServer(path, device, frozenset({os.getuid() + 1}))):
        client = DeviceClient(path)
        until(client.connect, "a connection")
        until(lambda: is_gone(client), "the refusal")
        until(lambda: bool(device.states), "a word about it")
        assert f"found one of {os.getuid()}" in device.states[0].why
    assert (uid_of("root"), uid_of("no such user")) == (0, None)


def test_another_version_ends_the_connection(path: Path, server: DeviceServer) -> None:
    client = DeviceClient(path)
    until(client.connect, "a connection")
    client.write({"t": "hello", "v": 2})
    until(lambda: is_gone(client), "the end")


@pytest.mark.parametrize(
    "data",
    [
        b"\xff\x00", b"[]", b'{"t": 7}', b'{"t": "unheard of"}', b'{"t": "rows", "after": "1", "limit": 5}', b'{"t": "rows", "after": -1, "limit": 5}',
        b'{"t": "rows", "after": 99999999999999999999, "limit": 5}', b'{"t": "in", "topic": "order"}', b'{"t": "link", "state": "perhaps"}',
        b'{"t": "in", "topic": "order", "payload": "' + b"x" * 9000 + b'", "retained": false}', b"[" * 8000,
    ],
)  # fmt: skip
def test_what_is_no_packet_is_dropped(path: Path, server: DeviceServer, device: Device, data: bytes) -> None:
    client = DeviceClient(path)
    greet(client)
    os.write(client.fileno(), data)
    client.write({"t": "beat"})
    packets(client, "beat")
    assert (device.taken, device.states) == ([], [])
    client.close()


def test_a_packet_before_the_greeting_is_dropped(path: Path, server: DeviceServer, device: Device) -> None:
    with closing(DeviceClient(path)) as client:
        until(client.connect, "a connection")
        client.write({"t": "in", "topic": "order", "payload": "", "retained": False})
        greet(client)
        client.write({"t": "beat"})
        packets(client, "beat")
        assert device.taken == []


def test_the_largest_packet_to_the_link_arrives_and_it_cannot_send_more_than_the_device_takes(
    path: Path, server: DeviceServer, device: Device, client: DeviceClient
) -> None:
    device.last, device.fat = 100, 1200
    client.write({"t": "rows", "after": 0, "limit": 100})
    assert len(packets(client, "rows")[0]["rows"]) == 100
    with pytest.raises(PacketFault):
        client.write({"t": "in", "topic": "order", "payload": "x" * 8192, "retained": False})


def test_a_socket_left_behind_is_replaced_and_removed_at_the_end(path: Path, device: Device) -> None:
    with closing(socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)) as dead:
        dead.bind(str(path))
    server = DeviceServer(path, device, OURS)
    client = DeviceClient(path)
    greet(client)
    assert stat.S_ISSOCK(path.stat().st_mode)
    server.close()
    until(lambda: is_gone(client), "the end")
    assert not path.exists()


def test_a_missing_folder_is_a_word_and_no_error(tmp_path: Path, device: Device) -> None:
    with closing(DeviceServer(tmp_path / "missing" / "hall.sock", device, OURS)):
        until(lambda: bool(device.states), "a word")
    assert "cannot be made: no such file or directory" in device.states[0].why


def test_a_device_without_a_key_says_why_each_time_that_no_link_can_be(path: Path, device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    sound = device.hello

    def broken() -> dict[str, object]:
        raise TileclockError(expected="a key", found="none")

    # A clock that runs 20 times as fast: a link is taken once a second.
    with closing(DeviceServer(path, device, OURS, lambda: 20 * time.monotonic_ns())):
        for hello, why in ((broken, "expected a key, found none"), (sound, ""), (broken, "expected a key, found none")):
            monkeypatch.setattr(device, "hello", hello)
            with closing(DeviceClient(path)) as client:
                until(client.connect, "a connection")
                until(lambda: (hello is sound and bool(client.read())) or is_gone(client), "the answer")  # noqa: B023
            until(lambda: bool(device.states) and why in device.states[-1].why and bool(device.states[-1].why) == bool(why), "why")  # noqa: B023


def test_a_device_with_a_file_of_record_says_who_it_is_and_how_its_file_stands(tmp_path: Path, path: Path) -> None:
    stamp = GameStamp(1, 2, "b", "2026-01-01T00:00:00.000+00:00")
    with closing(Store(tmp_path / "journal.db")) as store:
        store.append([row_of(Kind.NOTE, 0, stamp, {"text": "a"})], None)
    record = DeviceRecord(lambda: reading(tmp_path / "journal.db", refused=True), tmp_path / "journal.db")
    head = record.end().head
    places, info = HallPlaces(path, tmp_path / "key", "no such user"), DeviceInfo("station", "Table 7", "tilekiosk", "3.1", "b2")
    device = RecordedDevice(places, info, record, os.getuid(), lambda _kind, _body: False)
    assert device.link_state == LinkState(up=False)
    device.writing = lambda: WritingFacts(slowest_ns=17, fault="full\ndisk")
    device.begin()
    with closing(device), closing(DeviceClient(path)) as client:
        hello, (up,) = greet(client), packets(client, "set")
        key = load_key(tmp_path / "key", STATION)
        assert (hello["kind"], hello["id"], hello["key"], hello["name"], hello["boot"]) == (
            "station",
            key.device,
            key.public,
            "Table 7",
            "b2",
        )
        assert device.own_key() is device.own_key()
        presence = {**up["value"], "kind": "station", "key": key.public, "epoch": head[:16], "versions": {"tilekiosk": "3.1"}}
        assert (up["name"], up["value"]) == ("up", {**presence, "table": None})
        device.publish(DeviceFacts(power="low", lexicon=HASH))
        client.write({"t": "rows", "after": 1, "limit": 9})
        client.write({"t": "beat"})
        (beat,) = packets(client, "beat")
        client.write({"t": "rows", "after": 0, "limit": 1})
        assert packets(client, "rows")[0]["last"] == 1
        assert (beat["seq"], beat["head"], beat["epoch"], beat["power"], beat["lexicon"]) == (1, head, head[:16], "low", HASH)
        assert beat["card"] == {"free": beat["card"]["free"], "slowest_ns": 17, "fault": "full disk"}
        assert beat["card"]["free"] > 0
        assert list(device.nonces) == [beat["nonce"]]
        # Of facts only another table is worth a presence.
        device.publish(DeviceFacts(table=7))
        assert packets(client, "set")[0]["value"] == {**presence, "table": 7}
        device.writing = WritingFacts
        client.write({"t": "beat"})
        (again,) = packets(client, "beat")
        assert (again["card"]["slowest_ns"], again["card"]["fault"]) == (0, None)
        assert list(device.nonces) == [beat["nonce"], again["nonce"]]
        for _ in range(2):
            device.beat()
        assert (device.nonces[0], len(device.nonces)) == (again["nonce"], NONCES)
