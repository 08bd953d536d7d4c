"""Proposals at a live clock, through its real socket, signed with real keys: the director's order, a station's verdict, and what is forged."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gpiozero
import pytest

from appliance.supervisor import Supervisor, UpdateRequest
from firmware.settings.desk_file import DeskFile, read_desk_file
from firmware.shell.hall import UnusableTrust, load_trust
from game.journal.reading import handled_ids
from hardware.boards.board import load_board
from hardware.pins.mock import MockPins
from tests.firmware.shell.live_clock import LiveClock, live
from tests.processes import until
from wire.keys import DeviceKey, load_key
from wire.reports import ClockReport, OfferedSetUp
from wire.signed_bytes import credential_bytes, order_bytes, verdict_bytes
from wire.topics import CLOCK, STATION

HALL = "club-hall"
CHALLENGE_NS = 2_200_000_000


class Hall:
    """The hall of a live clock: its keys, and what its desk and its station send."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.key, self.director = (load_key(folder / f"{name}.pem", CLOCK) for name in ("hall", "director"))
        self.station = load_key(folder / "station.pem", STATION)
        (folder / "hall.toml").write_text(
            f'hall = "{HALL}"\nhall_key = "{self.key.public}"\ndirector_key = "{self.director.public}"\n', encoding="utf-8"
        )
        self._sent = 0

    def order(self, clock: LiveClock, do: str, by: DeviceKey | None = None, **keys: Any) -> dict[str, Any]:
        """Send an order and return the answer."""
        to, number = self._to(clock), clock.value("state")["number"]
        body = json.dumps({**to, "issuer": "desk", "number": number, "nonce": _nonce(clock), "do": do, **keys})
        signed = {"v": 1, "body": body, "signature": (by or self.director).sign(order_bytes(HALL, body))}
        return self._answer(clock, "order", json.dumps(signed))

    def verdict(self, clock: LiveClock, **keys: Any) -> dict[str, Any]:
        """Send a station's verdict and return the answer."""
        body = json.dumps({**self._to(clock), "station": self.station.device, "do": "verdict", **keys})
        about = json.dumps({"device": self.station.device, "key": self.station.public, "not_after_day": 99_999})
        credential = {"body": about, "signature": self.key.sign(credential_bytes(HALL, about))}
        signed = {"v": 1, "body": body, "signature": self.station.sign(verdict_bytes(HALL, body)), "credential": credential}
        return self._answer(clock, f"verdict/{self.station.device}", json.dumps(signed))

    def _to(self, clock: LiveClock) -> dict[str, Any]:
        self._sent += 1
        # The journal's epoch is known once its first row is on the disk.
        until(lambda: clock.value("state")["epoch"] is not None, "the epoch")
        state = ClockReport.model_validate(clock.value("state"))
        device = load_key(self.folder / "device.pem", CLOCK).device
        return {"id": f"{self._sent:032x}", "device": device, "epoch": state.epoch, "game": state.game}

    def _answer(self, clock: LiveClock, topic: str, payload: str) -> dict[str, Any]:
        clock.client.write({"t": "in", "topic": topic, "payload": payload, "retained": False})
        name = f"ack/{self._sent:032x}"
        until(lambda: clock.value(name) is not None, "the answer")
        found: dict[str, Any] = clock.value(name)
        return found


def _nonce(clock: LiveClock) -> str:
    """Return the nonce of a new beat."""
    clock.heard = [each for each in clock.heard if each["t"] != "beat"]
    clock.client.write({"t": "beat"})
    until(lambda: clock.value("") is None and any(each["t"] == "beat" for each in clock.heard), "a beat")
    nonce: str = next(each["nonce"] for each in clock.heard if each["t"] == "beat")
    return nonce


@pytest.fixture
def hall(tmp_path: Path) -> Hall:
    return Hall(tmp_path)


@pytest.fixture
def clock(hall: Hall) -> Iterator[LiveClock]:
    desk = DeskFile(hall.folder / "desk.toml", frozenset({"led.brightness"}))
    with live(hall.folder, desk, hall__trust=str(hall.folder / "hall.toml"), rulebook="naspa-2017-collins-5") as clock:
        clock.state("ready", None)
        until(lambda: clock.value("state")["epoch"] is not None, "the first row")
        yield clock


def test_an_assignment_between_games_is_taken_and_reported(clock: LiveClock, hall: Hall) -> None:
    answer = hall.order(clock, "assign", table=7, left="Ana", right="Björn", lexicon=None)
    assert (answer["accepted"], answer["reason"]) == (True, None)
    until(lambda: clock.value("state")["table"] == 7, "the table")
    assert clock.value("state")["names"] == {"v": 1, "left": "Ana", "right": "Björn"}
    until(lambda: clock.value("up")["table"] == 7, "the presence")


def test_a_set_up_that_is_offered_outlives_a_restart(hall: Hall) -> None:
    for restarted in (False, True):
        with live(hall.folder, hall__trust=str(hall.folder / "hall.toml"), rulebook="naspa-2017-collins-5") as clock:
            clock.state("ready", None)
            if not restarted:
                assert hall.order(clock, "setup", rulebook="nzasp-2022", left_seconds=1200, right_seconds=None)["accepted"]
            until(lambda clock=clock: clock.value("state")["offered"] is not None, "the set-up")  # type: ignore[misc] # bound at once
            offered = ClockReport.model_validate(clock.value("state")).offered
            assert offered == OfferedSetUp(rulebook="nzasp-2022", left=1_200_000_000_000, right=1_500_000_000_000)


def test_a_forged_order_changes_nothing_and_is_kept(clock: LiveClock, hall: Hall) -> None:
    before = clock.value("state")
    answer = hall.order(clock, "assign", by=hall.station, table=7, left="Ana", right="Björn", lexicon=None)
    assert (answer["accepted"], answer["reason"]) == (False, "bad_signature")
    assert clock.value("state") == before
    until(lambda: handled_ids(clock.journal, (), 9) == ("1".zfill(32),), "the row")


def test_settings_of_the_desk_are_in_force_at_once_and_on_the_card_and_none_comes_in_during_a_game(clock: LiveClock, hall: Hall) -> None:
    answer = hall.order(clock, "settings", language="fr", buzzer_enabled=True)
    assert (answer["accepted"], answer["reason"]) == (True, None)
    until(lambda: clock.loop._pins._buzzer._buzzer is not None, "the buzzer")  # type: ignore[union-attr] # this clock has pins
    assert clock.loop._clock.table.setup.texts.language == "fr"
    until(lambda: read_desk_file(hall.folder / "desk.toml").layer[1] == {"language": "fr", "buzzer.enabled": True}, "the card")
    assert hall.order(clock, "settings", led_brightness=9)["reason"] == "set_on_card"
    assert hall.order(clock, "settings", by=hall.station, language="es")["reason"] == "bad_signature"
    clock.press("right")
    clock.state("running", "left")
    assert hall.order(clock, "settings", language="es")["reason"] == "not_between_games"
    assert clock.loop._clock.table.setup.texts.language == "fr"


def test_settings_with_a_buzzer_whose_pin_is_held_are_refused_as_a_whole(
    clock: LiveClock, hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    give, buzzer = MockPins.pin, load_board("full").buzzer

    def busy(factory: MockPins, wanted: str) -> Any:
        if buzzer is not None and wanted == buzzer.name:
            raise gpiozero.GPIOPinInUse("device or resource busy")
        return give(factory, wanted)

    with monkeypatch.context() as held:
        held.setattr(MockPins, "pin", busy)
        assert hall.order(clock, "settings", language="fr", buzzer_enabled=True)["reason"] == "no_buzzer"
    assert clock.loop._clock.table.setup.texts.language == "en"
    assert not (hall.folder / "desk.toml").exists()
    assert hall.order(clock, "settings", language="fr", buzzer_enabled=True)["accepted"]


def test_an_update_is_refused_where_the_owner_does_not_allow_it(clock: LiveClock, hall: Hall) -> None:
    assert hall.order(clock, "update")["reason"] == "no_updates"
    clock.press("right")
    clock.state("running", "left")
    assert hall.order(clock, "update")["reason"] == "not_between_games"


def test_an_update_of_a_clock_that_allows_it_is_asked_for_without_a_word_and_no_press_counts_meanwhile(hall: Hall) -> None:
    request = UpdateRequest(hall.folder / "update", hall.folder / "outcome")
    request.outcome.write_text("failed\n", encoding="utf-8")
    request.ask()
    settings: dict[str, Any] = {"hall__trust": str(hall.folder / "hall.toml"), "hall__updates": True}
    with live(hall.folder, supervisor=Supervisor(update=request), **settings) as clock:
        clock.state("ready", None)
        # What a program before this one has asked for is withdrawn.
        assert not request.path.exists()
        assert hall.order(clock, "update", version="99.0")["reason"] == "malformed"
        assert hall.order(clock, "update", by=hall.station)["reason"] == "bad_signature"
        assert next(each["update"] for each in reversed(clock.heard) if each["t"] == "beat") == "failed"
        answer = hall.order(clock, "update")
        assert (answer["accepted"], answer["reason"]) == (True, None)
        clock.press("right")
        until(request.path.exists, "the request")
        assert request.path.read_bytes() == b""
        assert clock.value("state")["phase"] == "ready"


def test_a_stations_verdict_counts_for_the_challenge_that_stands(clock: LiveClock, hall: Hall) -> None:
    clock.press("left")
    clock.press("centre", CHALLENGE_NS)
    state = clock.state("adjudication", None)
    assert state.challenge is not None
    answer = hall.verdict(clock, challenge=state.challenge.number, acceptable=True, count=2, words=["QI", "ZA"])
    assert (answer["accepted"], answer["number"]) == (True, state.number + 1)
    now = clock.state("neutral", None)
    assert {now.left.points, now.right.points} == {0, 10}
    # Nothing from the network has started a clock.
    assert hall.verdict(clock, challenge=state.challenge.number, acceptable=False)["reason"] == "has_verdict"
    assert "The station: QI, ZA · +10 points" in clock.loop._clock.face(time.monotonic_ns()).details


def test_a_clock_without_a_file_of_trust_is_not_enrolled(tmp_path: Path) -> None:
    assert load_trust(tmp_path / "none.toml") is None


@pytest.mark.parametrize("text", ["", "hall = 1", 'hall = "a b"', 'hall = "x"\nhall_key = "y"\ndirector_key = "z"', "=", "\x00"])
def test_a_file_that_no_enrolment_wrote_is_named(tmp_path: Path, text: str) -> None:
    path = tmp_path / "hall.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UnusableTrust, match=r"hall\.toml.*Enrol this clock again"):
        load_trust(path)
