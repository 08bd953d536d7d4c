"""``tilekiosk doctor --press``: the adjudication button and the key switch are asked for, on the pins that the station opens."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from appliance.finding import Finding, State
from hardware.boards.board import load_board
from hardware.buttons.self_test import Interview
from hardware.pins.mock import MockBoard
from kiosk.cli.main import main
from kiosk.doctor import examine as machine
from kiosk.doctor.examine import Bench, examine
from kiosk.doctor.parts import check_pins
from kiosk.settings.model import BoardSettings
from kiosk.settings.places import merge
from tests.hardware.buttons.test_interview import at_once

MS = 1_000_000
SETTINGS = BoardSettings(file="station", pins="gpiod")


class _Finger:
    """Presses what it is asked for, by the name in the question; ``instead`` is what it takes for it."""

    def __init__(self, **instead: str) -> None:
        self.mock = MockBoard(load_board("station"))
        self.asked: list[str] = []
        self._instead = instead

    def tell(self, sentence: str) -> None:
        if ", on GPIO" in sentence:
            self.asked.append(sentence)
            name = sentence.partition(": ")[2].partition(",")[0]
            self.mock.press(self._instead.get(name, name), len(self.asked) * 1_000 * MS)

    def findings(self) -> dict[str, Finding]:
        found = check_pins(SETTINGS, lambda _name, **_more: self.mock.factory, None, Interview(self.tell, at_once))
        return {finding.name: finding for finding in found}


def test_the_button_is_pressed_and_the_key_switch_turned_each_by_name_pin_and_time() -> None:
    finger = _Finger()
    findings = finger.findings()
    assert {name: finding.state for name, finding in findings.items() if name.startswith("press")} == {
        "press adjudicate": State.OK,
        "press key": State.OK,
    }
    pins = {name: str(pin) for name, pin in finger.mock.board.buttons.items()}
    assert finger.asked == [
        f"Press: adjudicate, on {pins['adjudicate']}, within 20 s.",
        f"Turn on and off again: key, on {pins['key']}, within 20 s.",
    ]


def test_a_button_on_the_keys_plug_is_found_and_a_station_has_no_setting_to_hide_it() -> None:
    finding = _Finger(adjudicate="key").findings()["press adjudicate"]
    assert (finding.state, finding.fix) == (State.FAIL, "Swap the plugs of adjudicate and key.")


def test_without_being_told_to_nobody_is_asked() -> None:
    mock = MockBoard(load_board("station"))
    assert [finding.name for finding in check_pins(SETTINGS, lambda _name, **_more: mock.factory)] == ["board file", "pin library", "pins"]


def test_the_whole_self_test_asks_where_it_is_given_somebody_to_ask(tmp_path: Path) -> None:
    finger = _Finger()
    settings = {"board.file": "station", "board.pins": "gpiod", "log.path": str(tmp_path / "station.db"), "screen.kind": "none"}
    bench = Bench(opener=lambda _name, **_more: finger.mock.factory, environment={}, pi=lambda: None)
    names = [finding.name for finding in examine(merge([("test", settings)]), bench, Interview(finger.tell, at_once))]
    assert [name for name in names if name.startswith("press")] == ["press adjudicate", "press key"]


def test_the_command_asks_on_standard_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[Interview | None] = []

    def found(_layered: object, interview: Interview | None = None) -> tuple[Finding, ...]:
        heard.append(interview)
        if interview is not None:
            interview.tell("Press: adjudicate")
        return ()

    monkeypatch.setattr(machine, "examine", found)
    log = ("--log", str(tmp_path / "station.db"))
    done = CliRunner().invoke(main, ["doctor", "--press", "--board", "station", "--pins", "gpiod", *log])
    assert (done.exit_code, done.stderr) == (0, "Press: adjudicate\n")
    assert CliRunner().invoke(main, ["doctor", *log]).exit_code == 0
    assert heard[1:] == [None]


@pytest.mark.parametrize(("board", "pins"), [("none", "gpiod"), ("station", "none"), ("station", "mock")])
def test_presses_cannot_be_asked_for_where_there_are_no_buttons(board: str, pins: str) -> None:
    done = CliRunner().invoke(main, ["doctor", "--press", "--board", board, "--pins", pins])
    assert done.exit_code == 2
    assert f"board.file is {board}, board.pins {pins}" in " ".join(done.stderr.split())
