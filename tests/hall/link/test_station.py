"""The link of a station: it follows the clock of one table, and carries verdicts to it."""

from __future__ import annotations

from pathlib import Path

from tests.hall.client import connected
from tests.hall.conftest import TrialHall
from tests.hall.link.linked import LinkedDevice, link, served, value
from tests.processes import until
from tools.trial_broker import Broker
from wire.topics import Topics


def heard(device: LinkedDevice) -> list[tuple[object, object]]:
    return [(each["device"], each["what"]) for each in device.told]


def test_a_station_follows_the_clock_of_its_table(broker: Broker, trial_hall: TrialHall, tmp_path: Path) -> None:
    files, clock, other = trial_hall.files, trial_hall.clock, trial_hall.other_clock
    topics, station = Topics(trial_hall.plan.hall), LinkedDevice(trial_hall.station)
    (tmp_path / "clock").mkdir()
    clock_socket, station_socket = tmp_path / "clock" / "hall.sock", tmp_path / "hall.sock"
    with (
        served(LinkedDevice(clock), clock_socket) as clock_server,
        served(station, station_socket) as server,
        link(files.identity(clock), broker, clock_socket),
        link(files.identity(trial_hall.station), broker, station_socket),
        connected(broker, files.identity(other)) as other_clock,
    ):
        until(lambda: any(state.up for state in station.states), "the link")
        server.send({"t": "focus", "table": 12})
        until(lambda: (clock, "state") in heard(station) and (clock, "beat") in heard(station), "the clock of table 12")
        clock_server.put("ack/" + "a" * 32, value(v=1, accepted=True))
        until(lambda: (clock, "ack") in heard(station), "an answer")
        # A second clock that says table 12, until it is gone.
        other_clock.publish(topics.of_device(other, "up"), b'{"v": 1, "up": true, "kind": "clock", "table": 12}', retain=True)
        until(lambda: heard(station)[-1] == (None, "ambiguous"), "that there are two")
        other_clock.publish(topics.of_device(other, "up"), b'{"v": 1, "up": false, "kind": "clock", "table": 12}', retain=True)
        until(lambda: heard(station).count((clock, "up")) == 2, "the one that is left")
        before = len(station.told)
        server.send({"t": "focus", "table": 13})
        until(lambda: (None, "unknown") in heard(station)[before:], "that there is none")
        server.send({"t": "focus", "table": None})
        clock_server.put("state", value(v=1, phase="running"))
        with connected(broker, files.identity("listener")) as listener:
            listener.subscribe(topics.of_device(clock, "state"))
            listener.wait(lambda: any(b"running" in payload for _, payload, _ in listener.messages), "the clock's state")
        # What was on its way when the table changed may come before the answer that there is none.
        since = heard(station)[before:]
        assert (clock, "state") not in since[since.index((None, "unknown")) :]


def test_a_verdict_reaches_the_clock(broker: Broker, trial_hall: TrialHall, tmp_path: Path) -> None:
    files, clock = trial_hall.files, LinkedDevice(trial_hall.clock)
    station = LinkedDevice(trial_hall.station)
    (tmp_path / "clock").mkdir()
    clock_socket, station_socket = tmp_path / "clock" / "hall.sock", tmp_path / "hall.sock"
    with (
        served(clock, clock_socket),
        served(station, station_socket) as server,
        link(files.identity(trial_hall.clock), broker, clock_socket),
        link(files.identity(trial_hall.station), broker, station_socket),
    ):
        until(lambda: any(state.up for state in station.states) and any(state.up for state in clock.states), "both links")
        server.send({"t": "send", "device": trial_hall.clock, "payload": "{}"})
        until(lambda: clock.taken == [(f"verdict/{trial_hall.station}", "{}", False)], "the verdict")
