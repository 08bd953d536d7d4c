import os
import socket
import stat
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.processes import until
from tests.wire.local.served import Device, connected, greet, is_gone, packets
from wire.local.client import DeviceClient, PacketFault
from wire.local.device import JoinRequest, LinkState
from wire.local.server import DeviceServer
from wire.reports import MAX_ROWS, OpenCall, ProposalAnswer

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
    client = DeviceClient(path)
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
    again = DeviceClient(path)
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
    client = DeviceClient(path)
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
    second = DeviceClient(path)
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
    raw = connected(path)
    client = DeviceClient(raw)
    greet(client)
    raw.send(data)
    client.write({"t": "beat"})
    packets(client, "beat")
    assert (device.taken, device.states) == ([], [])
    client.close()


def test_a_packet_before_the_greeting_is_dropped(path: Path, server: DeviceServer, device: Device) -> None:
    client = DeviceClient(path)
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


def test_a_connected_pair_is_served_too(device: Device) -> None:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with closing(DeviceServer(ours, device)):
        client = DeviceClient(theirs)
        greet(client)
        client.write({"t": "beat"})
        assert packets(client, "beat")[0]["nonce"] == f"{1:032x}"
        client.close()
