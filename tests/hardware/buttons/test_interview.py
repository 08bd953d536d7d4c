import queue
from collections.abc import Callable

from appliance.errors import Finding, State
from hardware.boards.board import load_board
from hardware.buttons.board_pins import ButtonPins, Edge
from hardware.buttons.self_test import ButtonsUnderTest, Interview, ask_for_presses, wait
from tools.mock_board import MockBoard

MS = 1_000_000


def at_once(edges: queue.SimpleQueue[Edge], _until_ns: int) -> Edge | None:
    """Take what is there: time passes only in the edges' own instants."""
    return None if edges.empty() else edges.get_nowait()


def asked(
    mock: MockBoard, answer: Callable[[str], None], alternative: str = "", reported: list[str] | None = None, limit_s: int = 20
) -> dict[str, Finding]:
    def tell(sentence: str) -> None:
        if reported is not None:
            reported.append(sentence)
        if ", on GPIO" in sentence:
            answer(sentence.partition(": ")[2].partition(",")[0])

    edges: queue.SimpleQueue[Edge] = queue.SimpleQueue()
    pins = ButtonPins(mock.board, mock.factory, edges.put)
    tested = ButtonsUnderTest(mock.board, edges, pins.down, alternative)
    found = {finding.name: finding for finding in ask_for_presses(tested, Interview(tell, at_once, limit_ns=limit_s * 1000 * MS))}
    pins.close()
    return found


def test_a_press_is_shown_with_how_long_it_was_down_and_how_it_bounced() -> None:
    mock = MockBoard(load_board("two-button"))

    def answer(button: str) -> None:
        if button == "left":
            mock.press("left", 1_000 * MS, held_ns=84 * MS)
        else:
            mock.bounce("right", [5_000 * MS, 5_001 * MS, 5_002 * MS, 5_100 * MS, 5_101 * MS, 5_103 * MS])

    findings = asked(mock, answer)
    assert (findings["press left"].state, findings["press left"].found) == (State.OK, "left: down for 84 ms, 0 bounces")
    assert (findings["press right"].state, findings["press right"].found) == (State.OK, "right: down for 100 ms, 4 bounces")


def test_buttons_are_asked_for_by_name_pin_and_time_a_key_is_turned_and_the_answer_is_told() -> None:
    reported: list[str] = []
    mock = MockBoard(load_board("station"))
    pins = {button: str(pin) for button, pin in mock.board.buttons.items()}
    asked(mock, lambda button: mock.press(button, 1_000 * MS) if button == "adjudicate" else None, reported=reported, limit_s=3)
    assert reported == [
        f"Press: adjudicate, on {pins['adjudicate']}, within 3 s.",
        "  adjudicate: down for 80 ms, 0 bounces",
        f"Turn on and off again: key, on {pins['key']}, within 3 s.",
        "  no press within 3 s",
    ]


def test_a_button_that_nobody_presses_or_that_stays_down_fails_with_its_wires_to_check() -> None:
    finding = asked(MockBoard(load_board("two-button")), lambda _button: None)["press left"]
    assert (finding.state, finding.found) == (State.FAIL, "no press within 20 s")
    assert "GPIO5 (header pin 29)" in finding.fix
    mock = MockBoard(load_board("two-button"))
    finding = asked(mock, lambda button: mock.down(button, 1_000 * MS))["press left"]
    assert (finding.state, finding.found) == (State.FAIL, "it is down and did not come up within 20 s")
    mock = MockBoard(load_board("two-button"))
    mock.down("left")
    finding = asked(mock, lambda button: mock.up(button, 1_000 * MS) if button == "left" else None)["press left"]
    assert (finding.state, finding.found) == (State.FAIL, "no press within 20 s")


def test_plugs_that_are_swapped_are_told_by_the_button_that_moved_instead() -> None:
    mock = MockBoard(load_board("two-button"))
    swapped = {"left": "right", "right": "left"}
    at = iter((1_000 * MS, 5_000 * MS))
    findings = asked(mock, lambda button: mock.press(swapped[button], next(at)), alternative="; or think again")
    assert findings["press left"].found == "no press within 20 s, but right moved"
    assert findings["press right"].fix == "Swap the plugs of right and left; or think again."


def test_a_neighbour_that_moves_along_and_touches_before_the_press_are_noted() -> None:
    mock = MockBoard(load_board("two-button"))

    def answer(button: str) -> None:
        if button == "left":
            mock.bounce("right", [900 * MS])
            mock.press("left", 1_000 * MS)
        else:
            mock.bounce("right", [4_000 * MS, 5_000 * MS, 5_001 * MS, 6_000 * MS, 6_080 * MS])

    findings = asked(mock, answer)
    assert findings["press left"].state is State.NOTE
    assert "right moved too" in findings["press left"].found
    assert findings["press right"].state is State.NOTE
    assert "1 touch too short for a press" in findings["press right"].found


def test_an_edge_is_waited_for_until_its_instant_and_no_longer() -> None:
    edges: queue.SimpleQueue[Edge] = queue.SimpleQueue()
    assert wait(edges, 0) is None
    edge = Edge("left", down=True, at=1, stamped=True)
    edges.put(edge)
    assert wait(edges, 0) == edge
