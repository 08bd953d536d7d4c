from __future__ import annotations

import queue
import sys
from collections.abc import Callable
from typing import Any

import pytest

from appliance.errors import PinUnavailable
from appliance.finding import Finding, State
from firmware.doctor.devices import check_pins
from firmware.settings.model import BoardSettings
from hardware.boards.board import load_board
from hardware.buttons.reader import Edge
from hardware.buttons.self_test import Interview
from hardware.pins.contract import PinFactory
from hardware.pins.mock import MockBoard, MockPins
from hardware.pins.opening import FactoryName, open_factory

MS = 1_000_000


def _check(mock: MockBoard, interview: Interview | None = None) -> dict[str, Finding]:
    """Check a mock board as if its pins were real ones."""
    findings = check_pins(mock.board, BoardSettings(), lambda _name, **_more: mock.factory, interview, buzzer=True)
    return {finding.name: finding for finding in findings}


def _at_once(edges: queue.SimpleQueue[Edge], _until_ns: int) -> Edge | None:
    """Take what is there: time passes only in the edges' own instants."""
    return None if edges.empty() else edges.get_nowait()


def _ask(mock: MockBoard, answer: Callable[[str], None]) -> dict[str, Finding]:
    """Interview somebody who does ``answer`` when a button is asked for by name."""

    def tell(sentence: str) -> None:
        if ", on GPIO" in sentence:
            answer(sentence.partition(": ")[2].partition(",")[0])

    return _check(mock, Interview(tell, _at_once))


def test_a_board_at_rest_has_all_pins_and_nothing_down() -> None:
    findings = _check(MockBoard(load_board("full")))
    assert {name: finding.state for name, finding in findings.items()} == {"pin library": State.OK, "pins": State.OK, "buttons": State.OK}
    assert findings["pins"].found == "10 pins of board full opened"
    assert "the kernel stamps each edge" in findings["pin library"].found


def test_python_stamps_are_a_note_and_no_failure() -> None:
    mock = MockBoard(load_board("two-button"))
    mock.factory.stamps = "python"
    finding = _check(mock)["pin library"]
    assert finding.state is State.NOTE
    assert "less exact" in finding.found


def test_a_button_that_is_down_is_stuck_and_named_with_its_pin() -> None:
    mock = MockBoard(load_board("full"))
    mock.down("left")
    findings = _check(mock)
    assert findings["button left"].state is State.FAIL
    assert "GPIO5 (header pin 29)" in findings["button left"].found
    assert "short from GPIO5 (header pin 29) to ground" in findings["button left"].fix
    assert "buttons" not in findings


def test_the_directors_key_that_is_on_is_only_noted() -> None:
    mock = MockBoard(load_board("full"))
    mock.down("key")
    findings = _check(mock)
    assert (findings["button key"].state, findings["buttons"].state) == (State.NOTE, State.OK)


def test_a_missing_pin_library_fails_with_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gpiod.line", None)
    (finding,) = check_pins(load_board("full"), BoardSettings(pins="gpiod"), open_factory, None, buzzer=False)
    assert (finding.name, finding.state) == ("pin library", State.FAIL)
    assert "tileclock[pi]" in finding.fix


def test_a_machine_without_pins_fails_with_what_to_do_instead() -> None:
    def nothing(_name: FactoryName, **_more: object) -> PinFactory:
        raise PinUnavailable(expected="a Raspberry Pi", found="none", remedy="Run the clock on a Pi")

    (finding,) = check_pins(load_board("full"), BoardSettings(), nothing, None, buzzer=False)
    assert (finding.name, finding.state, finding.fix) == ("pins", State.FAIL, "Run the clock on a Pi.")


class _HeldElsewhere(MockPins):
    """A factory on which another program holds GPIO6."""

    failures = (BlockingIOError,)
    closed = False

    def pin(self, name: str, **more: Any) -> Any:
        if name == "GPIO6":
            raise BlockingIOError("GPIO busy")
        return super().pin(name, **more)

    def close(self) -> None:
        self.closed = True
        super().close()


def test_a_pin_that_another_program_holds_fails_by_name_and_the_library_is_closed() -> None:
    factory = _HeldElsewhere()
    findings = list(check_pins(load_board("two-button"), BoardSettings(), lambda _name, **_more: factory, None, buzzer=False))
    assert [(finding.name, finding.state) for finding in findings] == [("pin library", State.OK), ("pins", State.FAIL)]
    assert "GPIO6 (header pin 31) for buttons.right" in findings[1].found
    assert findings[1].fix.startswith("End the program that holds the pin")
    assert factory.closed


def test_no_pins_and_pretended_pins_and_no_board_are_notes() -> None:
    (none,) = check_pins(None, BoardSettings(pins="none"), open_factory, None, buzzer=False)
    mock, skipped = check_pins(None, BoardSettings(pins="mock"), open_factory, None, buzzer=False)
    assert {none.state, mock.state, skipped.state} == {State.NOTE}
    assert "board file" in skipped.found


def test_a_press_of_each_button_is_asked_for_and_shown() -> None:
    mock = MockBoard(load_board("two-button"))
    findings = _ask(mock, lambda button: mock.press(button, {"left": 1_000, "right": 5_000}[button] * MS, held_ns=84 * MS))
    assert (findings["press left"].state, findings["press left"].found) == (State.OK, "left: down for 84 ms, 0 bounces")
    assert findings["press right"].state is State.OK


def test_all_buttons_of_the_board_are_asked_for_and_the_key_is_turned() -> None:
    heard: list[str] = []
    mock = MockBoard(load_board("full"))
    _check(mock, Interview(heard.append, _at_once))
    asked = [sentence for sentence in heard if ", on GPIO" in sentence]
    assert asked[0] == "Press: left, on GPIO5 (header pin 29), within 20 s."
    assert asked[-1] == "Turn on and off again: key, on GPIO22 (header pin 15), within 20 s."
    assert len(asked) == 7


def test_plugs_that_are_swapped_are_to_be_swapped_back_and_the_settings_are_only_the_way_out() -> None:
    mock = MockBoard(load_board("two-button"))
    swapped = {"left": "right", "right": "left"}
    at = iter((1_000 * MS, 5_000 * MS))
    findings = _ask(mock, lambda button: mock.press(swapped[button], next(at)))
    assert findings["press left"].found == "no press within 20 s, but right moved"
    assert (
        findings["press right"].fix
        == "Swap the plugs of right and left; only where no plug can be moved, turn them round with board.remap."
    )
