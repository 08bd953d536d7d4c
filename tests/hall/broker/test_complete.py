"""A whole hall in one call: what it leaves is what clock and station read, and what the broker takes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from firmware.hall.opening import opened
from firmware.shell.hall import load_trust
from kiosk.effects import Propose
from kiosk.facts import ClockChallenge
from kiosk.shell.hall import ClockLine
from rules.side import Side
from tests.hall.client import connected
from tests.installed import require
from tools.trial_broker import CompleteHall, complete_hall, running_broker
from wire.keys import load_key, signature_fits
from wire.proposals import VerdictBody
from wire.topics import STATION, Topics

REFUSED = 0x80
"""Reason codes from here on say no (MQTT 5, 2.4)."""


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> CompleteHall:
    return complete_hall(tmp_path_factory.mktemp("complete"))


def test_its_clocks_trust_the_verdicts_of_its_station(hall: CompleteHall) -> None:
    (station,), clock = hall.stations, hall.clocks[0]
    sent: list[Mapping[str, object]] = []

    def send(packet: Mapping[str, object]) -> bool:
        sent.append(packet)
        return True

    line = ClockLine(station.trust, send, lambda _: None, lambda: 0)
    line.key = load_key(station.key, STATION)
    challenge = ClockChallenge(clock.id, "0f" * 8, 1, 14, Side.LEFT)
    line.propose(Propose(challenge, "withdrawn", None, None, None, (), None, None, None))
    trust = load_trust(clock.trust)
    assert trust is not None
    assert isinstance(opened(f"verdict/{station.id}", str(sent[-1]["payload"]), trust, signature_fits, 20_800), VerdictBody)
    assert trust.director_key == hall.files.director_public()


def test_its_broker_takes_all_members(hall: CompleteHall, tmp_path: Path) -> None:
    require("mosquitto")
    topics = Topics(hall.plan.hall)
    with running_broker(tmp_path / "broker", hall.plan) as broker:
        for member in (*hall.clocks, *hall.stations):
            with connected(broker, member.identity) as client:
                assert client.publish(topics.of_device(member.id, "state")) < REFUSED
        with connected(broker, hall.listener) as listener:
            assert listener.publish(topics.root) < REFUSED
        with connected(broker, hall.desk()) as desk:
            assert desk.publish(topics.to_device(hall.clocks[1].id, "order")) < REFUSED
