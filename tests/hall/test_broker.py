"""The broker: who may publish and hear what, and what a hall made in one call leaves for clock, station and broker."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from hall.errors import HallError
from hall.keys.files import COMMAND_LINE, LISTENER
from tests.cells import each_cell
from tests.hall.client import connected
from tests.hall.conftest import TrialHall
from tests.installed import require
from tools.trial_broker import Broker, running_broker
from wire.keys import DeviceKey, load_key
from wire.topics import STATION, Topics, is_station


def test_a_port_that_another_program_listens_on_is_refused_though_that_program_answers(
    broker: Broker, trial_hall: TrialHall, tmp_path: Path
) -> None:
    with pytest.raises(HallError, match="in use"):
        Broker(tmp_path / "second", trial_hall.files, broker.port)


REFUSED = 0x87
REPORTS = ("up", "state", "rows", "beat", "call", "ack/0123")
OVERSEER = "overseer"
WATCHING = f"{LISTENER}-2"
"""Of a second desk."""


@pytest.fixture(scope="module")
def broker_with_overseer(trial_hall: TrialHall, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    """A broker that lets one more name do everything: it hears what has been published, and publishes what others may hear."""
    require("mosquitto")
    folder = tmp_path_factory.mktemp("broker")
    for name in (OVERSEER, COMMAND_LINE, WATCHING):
        trial_hall.files.admit(name)
    # The enrolment never sees the link's private key: the device keeps it beside the certificate that it gets.
    device, link = enrolled(trial_hall).device, Ed25519PrivateKey.generate()
    trial_hall.files.admit_key(device, link.public_key())
    trial_hall.files.identity(device).key.write_bytes(link.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    with running_broker(folder, trial_hall.files) as broker:
        with (folder / "acl").open("a", encoding="ascii") as acl:
            acl.write(f"\nuser {OVERSEER}\ntopic readwrite #\n")
        broker.restart()
        yield broker


def enrolled(hall: TrialHall) -> DeviceKey:
    return load_key(hall.files.folder / "enrolled.pem", STATION)


def names(hall: TrialHall) -> tuple[str, ...]:
    members = (hall.clock, hall.other_clock, hall.station, hall.other_station, enrolled(hall).device)
    return (*members, LISTENER, WATCHING, hall.desk, COMMAND_LINE)


def topics(hall: TrialHall) -> dict[str, tuple[str, str, str]]:
    of, found = Topics(hall.files.authority.hall), {}
    for device in names(hall):
        for what in REPORTS:
            found[of.of_device(device, what)] = ("dev", device, what)
        for what in ("want", "time", "order", *(f"verdict/{name}" for name in names(hall))):
            found[of.to_device(device, what)] = ("cmd", device, what)
    other = Topics("other")
    reports = (other.of_device(hall.clock, what) for what in REPORTS)
    foreign = (*reports, other.to_device(hall.clock, "want"), "anything", f"tc/1/{of.hall}/any", f"tc/2/{of.hall}/dev/{hall.clock}/up")
    return found | dict.fromkeys(foreign, ("none", "", ""))


def may_publish(name: str, branch: str, device: str, what: str) -> bool:
    match name.partition("-")[0], branch:
        case "listener", "cmd":
            return what in ("want", "time")
        case "desk", "cmd":
            return what == "order"
        case "c" | "s", "dev":
            return device == name
        case "c" | "s", "cmd":
            # A clock refuses verdicts of names that are no station's.
            return what == f"verdict/{name}"
        case _:
            return False


def may_hear(name: str, branch: str, device: str, what: str) -> bool:
    match name.partition("-")[0], branch:
        case "listener" | "desk", "dev":
            # Their own names are no devices.
            return device != name
        case "listener" | "desk", "cmd":
            return device == name and what != f"verdict/{name}"
        case _, "cmd":
            return device == name
        case "s", "dev":
            return is_station(name) and what in ("up", "state", "beat", "ack/0123")
        case _:
            return False


@pytest.mark.parametrize("number", range(9))
def test_each_name_publishes_only_what_it_may(broker_with_overseer: Broker, trial_hall: TrialHall, number: int) -> None:
    name, broker = names(trial_hall)[number], broker_with_overseer
    with connected(broker, trial_hall.files.identity(OVERSEER)) as overseer, connected(broker, trial_hall.files.identity(name)) as client:
        overseer.subscribe("#")
        codes = {topic: client.publish(topic, name.encode()) for topic in topics(trial_hall)}
        overseer.publish("end")
        overseer.wait(lambda: "end" in overseer.topics(), "the end")
        heard = overseer.topics()
        for cell in each_cell(topics(trial_hall).items()):
            with cell as (topic, place):
                assert (topic in heard) == may_publish(name, *place)
                assert (codes[topic] != REFUSED) == may_publish(name, *place)


@pytest.mark.parametrize("number", range(9))
def test_each_name_hears_only_what_it_may(broker_with_overseer: Broker, trial_hall: TrialHall, number: int) -> None:
    name, broker = names(trial_hall)[number], broker_with_overseer
    end = next(topic for topic, place in topics(trial_hall).items() if may_hear(name, *place))
    kept = [topic for topic in topics(trial_hall) if topic != end]
    with connected(broker, trial_hall.files.identity(OVERSEER)) as overseer:
        for topic in kept[::2]:
            overseer.publish(topic, b"kept", retain=True)
        with connected(broker, trial_hall.files.identity(name)) as client:
            client.subscribe("#", "$share/group/#", "+/+/+/dev/#", "+/+/+/cmd/+/order", *kept)
            for topic in kept:
                overseer.publish(topic, b"now")
            overseer.publish(end, b"end")
            client.wait(lambda: end in client.topics(), "the end")
            heard = client.topics()
            for cell in each_cell(topics(trial_hall).items()):
                with cell as (topic, place):
                    assert (topic in heard) == may_hear(name, *place)
        for topic in kept[::2]:
            overseer.publish(topic, b"", retain=True)


def test_nothing_takes_anothers_connection_and_a_restart_forgets_retained_messages(broker: Broker, trial_hall: TrialHall) -> None:
    # Not by its client id.
    with connected(broker, trial_hall.files.identity(trial_hall.clock)) as clock:
        with connected(broker, trial_hall.files.identity(trial_hall.other_clock), client_id=trial_hall.clock):
            assert clock.publish(Topics(trial_hall.files.authority.hall).of_device(trial_hall.clock, "state")) != REFUSED
        assert clock.ended == []
    # A restart forgets retained messages.
    state = Topics(trial_hall.files.authority.hall).of_device(trial_hall.clock, "state")
    with connected(broker, trial_hall.files.identity(trial_hall.clock)) as clock:
        clock.publish(state, b"old", retain=True)
    before = broker.pid
    broker.restart()
    assert broker.pid != before
    with connected(broker, trial_hall.files.identity(trial_hall.clock)) as clock:
        clock.publish(state, b"new", retain=False)
        with connected(broker, trial_hall.files.identity(LISTENER)) as listener:
            listener.subscribe(state)
            clock.publish(state, b"newer", retain=True)
            listener.wait(lambda: bool(listener.messages), "the state")
            assert listener.messages[0][1] == b"newer"
