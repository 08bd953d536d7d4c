from __future__ import annotations

import queue
import sys
from collections.abc import Callable
from typing import Any

import pytest

from firmware.doctor.interview import Interview
from firmware.doctor.pins import check_pins
from firmware.settings.model import BoardSettings
from hardware.board import load_board
from hardware.edges import Edge
from hardware.errors import PinUnavailable
from hardware.factories import FactoryName, PinFactory, open_factory
from hardware.fake import MockBoard, MockPins
from hardware.finding import Finding, State

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
    assert "stamped by the kernel" in findings["pin library"].found


def test_stamps_taken_in_python_are_said_to_be_weaker_and_are_no_failure() -> None:
    mock = MockBoard(load_board("two-button"))
    mock.factory.stamps = "python"
    finding = _check(mock)["pin library"]
    assert finding.state is State.NOTE
    assert "weaker" in finding.found


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
    monkeypatch.setitem(sys.modules, "lgpio", None)
    (finding,) = check_pins(load_board("full"), BoardSettings(pins="lgpio"), open_factory, None, buzzer=False)
    assert (finding.name, finding.state) == ("pin library", State.FAIL)
    assert "tileclock[pi]" in finding.fix


def test_a_machine_without_pins_fails_with_what_to_do_instead() -> None:
    def nothing(_name: FactoryName, **_more: object) -> PinFactory:
        raise PinUnavailable("expected a Raspberry Pi, found none; run the clock on a Pi")

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


def test_a_press_of_each_button_is_shown_with_how_long_it_was_down_and_how_it_bounced() -> None:
    mock = MockBoard(load_board("two-button"))

    def answer(button: str) -> None:
        if button == "left":
            mock.press("left", 1_000 * MS, held_ns=84 * MS)
        else:
            mock.bounce("right", [5_000 * MS, 5_001 * MS, 5_002 * MS, 5_100 * MS, 5_101 * MS, 5_103 * MS])

    findings = _ask(mock, answer)
    assert (findings["press left"].state, findings["press left"].found) == (State.OK, "left: down for 84 ms, 0 bounces")
    assert (findings["press right"].state, findings["press right"].found) == (State.OK, "right: down for 100 ms, 4 bounces")


def test_buttons_are_asked_for_by_name_pin_and_time_and_the_key_is_turned() -> None:
    heard: list[str] = []
    mock = MockBoard(load_board("full"))
    _check(mock, Interview(heard.append, _at_once))
    asked = [sentence for sentence in heard if ", on GPIO" in sentence]
    assert asked[0] == "Press: left, on GPIO5 (header pin 29), within 20 s."
    assert asked[-1] == "Turn on and off again: key, on GPIO22 (header pin 15), within 20 s."
    assert len(asked) == 7


def test_a_button_that_nobody_presses_fails_with_its_wires_to_check() -> None:
    finding = _ask(MockBoard(load_board("two-button")), lambda _button: None)["press left"]
    assert (finding.state, finding.found) == (State.FAIL, "no press within 20 s")
    assert "GPIO5 (header pin 29)" in finding.fix


def test_wires_that_are_swapped_are_told_by_the_button_that_moved_instead() -> None:
    mock = MockBoard(load_board("two-button"))
    swapped = {"left": "right", "right": "left"}
    at = iter((1_000 * MS, 5_000 * MS))
    findings = _ask(mock, lambda button: mock.press(swapped[button], next(at)))
    assert findings["press left"].found == "no press within 20 s, but right moved"
    assert findings["press right"].fix == "Swap the wires of right and left, or use board.remap."


def test_a_button_that_goes_down_and_stays_there_fails_as_stuck() -> None:
    mock = MockBoard(load_board("two-button"))
    finding = _ask(mock, lambda button: mock.down(button, 1_000 * MS))["press left"]
    assert (finding.state, finding.found) == (State.FAIL, "it is down and did not come up within 20 s")


def test_a_neighbour_that_moves_along_and_touches_before_the_press_are_noted() -> None:
    mock = MockBoard(load_board("two-button"))

    def answer(button: str) -> None:
        if button == "left":
            mock.bounce("right", [900 * MS])
            mock.press("left", 1_000 * MS)
        else:
            mock.bounce("right", [4_000 * MS, 5_000 * MS, 5_001 * MS, 6_000 * MS, 6_080 * MS])

    findings = _ask(mock, answer)
    assert findings["press left"].state is State.NOTE
    assert "right moved too" in findings["press left"].found
    assert findings["press right"].state is State.NOTE
    assert "1 touch too short for a press" in findings["press right"].found
