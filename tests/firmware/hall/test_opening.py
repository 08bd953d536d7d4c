"""Packets from the network with real Ed25519 keys: what is forged, foreign or not of version 1 is no proposal."""

import json
from pathlib import Path
from typing import Any

import pytest

from firmware.hall.opening import Refusal, Trust, opened
from game.event_table import BY_NAME
from wire.keys import DeviceKey, load_key, signature_fits
from wire.proposals import NoticeOrder, RefusalReason, VerdictBody
from wire.signed_bytes import credential_bytes, order_bytes, verdict_bytes
from wire.topics import CLOCK, STATION

HALL = "club-hall"
NAME = "0a" * 16
TODAY = 20_000


class Keys:
    """The keys of a hall, made for the test."""

    def __init__(self, folder: Path) -> None:
        self.hall, self.director, self.stranger = (load_key(folder / name, CLOCK) for name in ("hall", "director", "stranger"))
        self.clock, self.station = load_key(folder / "clock", CLOCK), load_key(folder / "station", STATION)
        self.trust = Trust(HALL, self.hall.public, self.director.public)

    def order(self, by: DeviceKey | None = None, hall: str = HALL, **keys: Any) -> str:
        to = {"id": NAME, "issuer": "desk", "device": self.clock.device, "epoch": "00" * 8, "game": 1, "number": 1, "nonce": "0f" * 16}
        body = json.dumps({**to, "do": "notice", "text": "Lunch", "seconds": 60, **keys})
        return json.dumps({"v": 1, "body": body, "signature": (by or self.director).sign(order_bytes(hall, body))})

    def credential(self, device: str | None = None, by: DeviceKey | None = None, key: str | None = None) -> dict[str, Any]:
        body = json.dumps({"device": device or self.station.device, "key": key or self.station.public, "not_after_day": TODAY})
        return {"body": body, "signature": (by or self.hall).sign(credential_bytes(HALL, body))}

    def verdict(self, by: DeviceKey | None = None, credential: dict[str, Any] | None = None, **keys: Any) -> str:
        to = {"id": NAME, "station": self.station.device, "device": self.clock.device, "epoch": "00" * 8, "game": 1}
        body = json.dumps({**to, "do": "verdict", "challenge": 3, "acceptable": True, **keys})
        signature = (by or self.station).sign(verdict_bytes(HALL, body))
        return json.dumps({"v": 1, "body": body, "signature": signature, "credential": credential or self.credential()})

    def opened(self, topic: str, payload: str, today: int | None = TODAY) -> Any:
        return opened(topic, payload, self.trust, signature_fits, today)


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Keys:
    return Keys(tmp_path_factory.mktemp("keys"))


def test_the_directors_order_opens(keys: Keys) -> None:
    assert isinstance(keys.opened("order", keys.order()), NoticeOrder)


def test_an_enrolled_stations_verdict_opens(keys: Keys) -> None:
    assert isinstance(keys.opened(f"verdict/{keys.station.device}", keys.verdict()), VerdictBody)


def test_an_order_by_another_key_or_for_another_hall_is_forged(keys: Keys) -> None:
    refused = Refusal(RefusalReason.BAD_SIGNATURE, NAME, "order")
    assert keys.opened("order", keys.order(keys.stranger)) == refused
    assert keys.opened("order", keys.order(hall="other-hall")) == refused


def test_a_changed_body_is_forged(keys: Keys) -> None:
    assert keys.opened("order", keys.order().replace("Lunch", "Lynch")).reason is RefusalReason.BAD_SIGNATURE


def test_a_station_cannot_sign_an_order_nor_the_director_a_verdict(keys: Keys) -> None:
    assert keys.opened("order", keys.order(keys.station)).reason is RefusalReason.BAD_SIGNATURE
    assert keys.opened(f"verdict/{keys.station.device}", keys.verdict(keys.director)).reason is RefusalReason.BAD_SIGNATURE
    assert keys.opened("order", keys.verdict()).reason is RefusalReason.MALFORMED


def test_a_station_is_enrolled_by_the_halls_key_alone(keys: Keys) -> None:
    topic = f"verdict/{keys.station.device}"
    for credential in (
        keys.credential(by=keys.stranger),
        keys.credential(device=keys.clock.device, key=keys.clock.public),
        keys.credential(key=keys.stranger.public),
    ):
        assert keys.opened(topic, keys.verdict(credential=credential)).reason is RefusalReason.NOT_ENROLLED


def test_a_verdict_on_another_stations_topic_is_refused(keys: Keys) -> None:
    assert keys.opened("verdict/s-" + "z" * 16, keys.verdict()).reason is RefusalReason.NOT_ENROLLED


def test_a_credential_ends_where_the_date_is_known(keys: Keys) -> None:
    topic = f"verdict/{keys.station.device}"
    assert keys.opened(topic, keys.verdict(), TODAY + 1).reason is RefusalReason.NOT_ENROLLED
    assert isinstance(keys.opened(topic, keys.verdict(), None), VerdictBody)


@pytest.mark.parametrize("payload", ["", "{", "[]", "null", '{"v":1}', "[" * 4000, '{"v":1,"body":"{}","signature":"x"}'])
def test_garbage_is_malformed(keys: Keys, payload: str) -> None:
    assert keys.opened("order", payload).reason is RefusalReason.MALFORMED


def test_a_genuine_order_of_another_version_is_malformed(keys: Keys) -> None:
    assert keys.opened("order", keys.order(v=2)) == Refusal(RefusalReason.MALFORMED, NAME, "order")


def test_more_than_8192_bytes_are_not_read(keys: Keys) -> None:
    assert keys.opened("order", "é" * 4_097).reason is RefusalReason.TOO_LARGE


@pytest.mark.parametrize("do", sorted(set(BY_NAME) - {"verdict", "call"}))
def test_no_event_of_the_core_is_an_order_even_where_the_director_signs_it(keys: Keys, do: str) -> None:
    assert keys.opened("order", keys.order(do=do)) == Refusal(RefusalReason.NOT_ALLOWED, NAME, "order")
    assert keys.opened(f"verdict/{keys.station.device}", keys.verdict(do=do)).reason is RefusalReason.NOT_ALLOWED


@pytest.mark.parametrize("do", ["verdict", "call"])
def test_the_desk_gives_no_verdict_and_makes_no_call(keys: Keys, do: str) -> None:
    assert keys.opened("order", keys.order(do=do)).reason is RefusalReason.MALFORMED


def test_another_topic_is_no_proposal(keys: Keys) -> None:
    assert keys.opened("resume", keys.order()).reason is RefusalReason.NOT_ALLOWED
