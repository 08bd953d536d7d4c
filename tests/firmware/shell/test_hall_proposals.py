"""Orders at a live clock, through its real socket, signed with real keys."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from appliance.supervisor import Supervisor, UpdateRequest
from firmware.settings.desk_file import DeskFile, read_desk_file
from firmware.shell.hall import UnusableTrust, load_trust
from hardware.boards.board import load_board
from tests.firmware.shell.live_clock import LiveClock, live
from tests.firmware.shell.rig import held
from tests.processes import until
from tests.some import some
from wire.keys import DeviceKey, load_key
from wire.reports import ClockReport, OfferedSetUp
from wire.signed_bytes import order_bytes
from wire.topics import CLOCK, STATION

HALL = "club-hall"
BUZZER = some(load_board("full").buzzer).name


class Hall:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.key, self.director = (load_key(folder / f"{name}.pem", CLOCK) for name in ("hall", "director"))
        self.station = load_key(folder / "station.pem", STATION)
        (folder / "hall.toml").write_text(
            f'hall = "{HALL}"\nhall_key = "{self.key.public}"\ndirector_key = "{self.director.public}"\n', encoding="utf-8"
        )
        self._sent = 0

    def order(self, clock: LiveClock, do: str, by: DeviceKey | None = None, **keys: Any) -> dict[str, Any]:
        self._sent += 1
        # The journal's epoch is known once its first row is on the disk.
        until(lambda: clock.value("state")["epoch"] is not None, "the epoch")
        # Its last nonce, and not one of before.
        clock.heard = [each for each in clock.heard if each["t"] != "beat"]
        clock.client.write({"t": "beat"})
        until(lambda: clock.value("") is None and any(each["t"] == "beat" for each in clock.heard), "a beat")
        nonce = next(each["nonce"] for each in clock.heard if each["t"] == "beat")
        state, name = clock.value("state"), f"{self._sent:032x}"
        device = load_key(self.folder / "device.pem", CLOCK).device
        to = {"id": name, "device": device, "epoch": state["epoch"], "game": state["game"], "number": state["number"]}
        body = json.dumps({**to, "issuer": "desk", "nonce": nonce, "do": do, **keys})
        payload = json.dumps({"v": 1, "body": body, "signature": (by or self.director).sign(order_bytes(HALL, body))})
        clock.client.write({"t": "in", "topic": "order", "payload": payload, "retained": False})
        until(lambda: clock.value(f"ack/{name}") is not None, "the answer")
        found: dict[str, Any] = clock.value(f"ack/{name}")
        return found


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


def test_a_set_up_that_is_offered_outlives_a_restart(hall: Hall) -> None:
    for restarted in (False, True):
        with live(hall.folder, hall__trust=str(hall.folder / "hall.toml"), rulebook="naspa-2017-collins-5") as clock:
            clock.state("ready", None)
            if not restarted:
                assert hall.order(clock, "setup", rulebook="nzasp-2022", left_seconds=1200, right_seconds=None)["accepted"]
            until(lambda clock=clock: clock.value("state")["offered"] is not None, "the set-up")  # type: ignore[misc] # bound at once
            offered = ClockReport.model_validate(clock.value("state")).offered
            assert offered == OfferedSetUp(rulebook="nzasp-2022", left=1_200_000_000_000, right=1_500_000_000_000)


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


def test_settings_with_a_buzzer_whose_pin_is_held_are_refused(clock: LiveClock, hall: Hall) -> None:
    with held(BUZZER):
        assert hall.order(clock, "settings", language="fr", buzzer_enabled=True)["reason"] == "no_buzzer"
    assert clock.loop._clock.table.setup.texts.language == "en"
    assert not (hall.folder / "desk.toml").exists()
    assert hall.order(clock, "settings", language="fr", buzzer_enabled=True)["accepted"]


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


@pytest.mark.parametrize("text", ["", "hall = 1", 'hall = "a b"', 'hall = "x"\nhall_key = "y"\ndirector_key = "z"', "=", "\x00"])
def test_a_file_that_no_enrolment_wrote_is_named(tmp_path: Path, text: str) -> None:
    path = tmp_path / "hall.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UnusableTrust, match=r"hall\.toml.*Enrol this clock again"):
        load_trust(path)
