import queue
import re
import threading
import time
from typing import Any

import gpiozero
import pytest
from gpiozero import GPIOZeroError
from gpiozero.pins.mock import MockPin
from msgspec.structs import replace

from appliance.errors import PinUnavailable
from hardware.boards.board import ASKING, BUTTONS, Board, load_board
from hardware.buttons.board_pins import SETTLE_NS, STALLED_NS, BoardPins, ButtonPins, Buzzer, Edge, Lamps
from hardware.buttons.watch import Watch, begin
from hardware.pins.mock import MockPins
from rules.contact import MS
from tests.errors import with_fields
from tests.some import some
from tools.mock_board import MockBoard

UPTIME = 60 * 86400 * 1_000_000_000
"""Sixty days in ns: a float of seconds no longer holds them."""


@pytest.fixture
def mock() -> MockBoard:
    return MockBoard(load_board("full"))


@pytest.fixture
def edges() -> list[Edge]:
    return []


@pytest.fixture
def pins(mock: MockBoard, edges: list[Edge]) -> ButtonPins:
    return ButtonPins(mock.board, mock.factory, edges.append)


def test_a_press_is_two_edges_at_their_own_instants_to_the_nanosecond(mock: MockBoard, pins: ButtonPins, edges: list[Edge]) -> None:
    mock.down("left", UPTIME + 1)
    mock.up("left", UPTIME + 70_000_003)
    assert edges == [Edge("left", down=True, at=UPTIME + 1, stamped=True), Edge("left", down=False, at=UPTIME + 70_000_003, stamped=True)]
    assert pins.down() == frozenset()


@pytest.mark.parametrize("button", [each for each in BUTTONS if each not in ASKING])
def test_every_button_is_active_low_down_is_the_pin_at_ground(mock: MockBoard, pins: ButtonPins, edges: list[Edge], button: str) -> None:
    pin = mock.factory.pin(mock.board.buttons[button].name)
    assert (pin.pull, pin.edges, pin.bounce, pin.state) == ("up", "both", None, True)
    mock.down(button, 5)
    assert pin.state is False
    assert pins.down() == {button}
    assert edges == [Edge(button, down=True, at=5, stamped=True)]


def test_buttons_that_are_down_at_the_start_are_known_and_make_no_edge(mock: MockBoard, edges: list[Edge]) -> None:
    mock.down("left", 1)
    mock.down("key", 2)
    pins = ButtonPins(mock.board, mock.factory, edges.append)
    assert pins.down() == {"left", "key"}
    assert edges == []
    mock.up("left", 3)
    assert edges == [Edge("left", down=False, at=3, stamped=True)]
    assert pins.down() == {"key"}


def test_nothing_comes_once_the_pins_are_closed_until_they_are_opened_again(mock: MockBoard, pins: ButtonPins, edges: list[Edge]) -> None:
    pins.close()
    mock.press("left", 1)
    pins.close()
    assert (edges, pins.down()) == ([], frozenset())
    again = ButtonPins(mock.board, mock.factory, edges.append)
    mock.down("up", 7)
    assert edges == [Edge("up", down=True, at=7, stamped=True)]
    again.close()


def test_a_burst_of_4000_edges_arrives_complete_and_in_order(mock: MockBoard) -> None:
    arrived: queue.SimpleQueue[Edge] = queue.SimpleQueue()
    pins = ButtonPins(mock.board, mock.factory, arrived.put)
    for number in range(4_000):
        mock.bounce(("left", "right")[number % 2], [UPTIME + 7 * number])
    got = [arrived.get_nowait() for _ in range(arrived.qsize())]
    assert [edge.at for edge in got] == [UPTIME + 7 * number for number in range(4_000)]
    assert [edge.button for edge in got] == ["left", "right"] * 2_000
    assert [edge.down for edge in got] == [True, True, False, False] * 1_000
    pins.close()


def test_an_edge_with_no_given_instant_happens_now_on_the_monotonic_clock(mock: MockBoard, pins: ButtonPins, edges: list[Edge]) -> None:
    before = time.monotonic_ns()
    mock.down("left")
    assert before <= edges[0].at <= time.monotonic_ns()
    assert pins.down() == {"left"}


def test_a_factory_that_stamps_in_python_says_so_on_every_edge(mock: MockBoard, edges: list[Edge]) -> None:
    mock.factory.stamps = "python"
    pins = ButtonPins(mock.board, mock.factory, edges.append)
    mock.down("left", 1)
    assert edges == [Edge("left", down=True, at=1, stamped=False)]
    pins.close()


class _HeldElsewhere(MockPins):
    failures = (BlockingIOError,)

    def pin(self, name: str, **more: Any) -> Any:
        if name == "GPIO6":
            raise BlockingIOError("GPIO busy")
        return super().pin(name, **more)


def test_a_pin_that_another_program_holds_is_named_and_the_others_are_given_back(edges: list[Edge]) -> None:
    board: Board = load_board("two-button")
    factory = _HeldElsewhere()
    with pytest.raises(PinUnavailable, check=with_fields(expected="GPIO6 (header pin 31) for buttons.right", found="GPIO busy")) as caught:
        ButtonPins(board, factory, edges.append)
    assert isinstance(caught.value, OSError)
    assert factory.pin("GPIO5").when_changed is None


@pytest.fixture
def deaf(mock: MockBoard, pins: ButtonPins, monkeypatch: pytest.MonkeyPatch) -> MockBoard:
    """A board of which no edge comes any more, as if a flood had swallowed them all."""
    for spec in mock.board.buttons.values():
        monkeypatch.setattr(mock.factory.pin(spec.name), "_call_when_changed", lambda: None)
    return mock


def looks(pins: ButtonPins, now: int) -> tuple[int | None, ...]:
    first = pins.reread(now)
    second = pins.reread(first or now)
    return first, second, pins.reread(second or first or now)


def test_buttons_where_their_edges_left_them_are_looked_at_once_more(mock: MockBoard, pins: ButtonPins, edges: list[Edge]) -> None:
    mock.down("left", UPTIME)
    assert looks(pins, UPTIME + 1) == (UPTIME + 1 + SETTLE_NS, None, None)
    assert [edge.at for edge in edges] == [UPTIME]
    assert pins.lost == 0


def test_a_press_without_an_edge_is_told_once_the_line_was_low_for_a_while(deaf: MockBoard, pins: ButtonPins, edges: list[Edge]) -> None:
    assert looks(pins, UPTIME)[-1] is None
    deaf.down("left")
    later = UPTIME + 1_000_000_000
    assert looks(pins, later) == (later + SETTLE_NS, None, None)
    assert edges == [Edge("left", down=True, at=later, stamped=False)]
    assert pins.lost == 1


def test_a_release_that_was_lost_is_made_good_too(deaf: MockBoard, pins: ButtonPins, edges: list[Edge]) -> None:
    deaf.down("left")
    looks(pins, UPTIME)
    deaf.up("left")
    looks(pins, UPTIME + 1_000_000_000)
    assert [(edge.down, edge.stamped) for edge in edges] == [(True, False), (False, False)]


def test_an_edge_that_is_only_late_is_told_by_itself_and_not_by_a_look(mock: MockBoard, pins: ButtonPins, edges: list[Edge]) -> None:
    looks(pins, UPTIME)
    pin = mock.factory.pin(mock.board.buttons["left"].name)
    handler, pin.when_changed = pin.when_changed, None
    mock.down("left")
    assert pins.reread(UPTIME + 100) == UPTIME + 100 + SETTLE_NS
    handler(UPTIME + 90, 0)
    assert looks(pins, UPTIME + 200)[-1] is None
    assert edges == [Edge("left", down=True, at=UPTIME + 90, stamped=True)]


def test_an_edge_that_comes_after_a_look_has_told_it_was_not_lost_but_late(mock: MockBoard, pins: ButtonPins, edges: list[Edge]) -> None:
    pin = mock.factory.pin(mock.board.buttons["left"].name)
    handler, pin.when_changed = pin.when_changed, None
    mock.down("left")
    looks(pins, UPTIME + 100)
    assert pins.lost == 1
    handler(UPTIME, 0)
    assert pins.lost == 0
    assert [(edge.at, edge.stamped) for edge in edges] == [(UPTIME + 100, False), (UPTIME, True)]
    handler(UPTIME + 200, 0)
    assert pins.lost == 1


def test_while_another_buttons_edges_come_no_line_is_believed_against_its_own(deaf: MockBoard, pins: ButtonPins, edges: list[Edge]) -> None:
    handler = deaf.factory.pin(deaf.board.buttons["right"].name).when_changed
    looks(pins, UPTIME)
    deaf.down("left")
    for turn in range(1, 6):
        handler(UPTIME + turn, turn % 2)
        assert pins.reread(UPTIME + turn * SETTLE_NS) == UPTIME + (turn + 1) * SETTLE_NS
    assert [edge.button for edge in edges] == ["right"] * 5
    deaf.down("right")
    looks(pins, UPTIME + 6 * SETTLE_NS)
    assert [(edge.button, edge.at) for edge in edges[5:]] == [("left", UPTIME + 6 * SETTLE_NS), ("right", UPTIME + 6 * SETTLE_NS)]


def test_a_line_is_not_believed_while_the_library_has_edges_to_tell_but_is_once_it_tells_none_any_more(
    deaf: MockBoard, pins: ButtonPins, edges: list[Edge], monkeypatch: pytest.MonkeyPatch
) -> None:
    looks(pins, UPTIME)
    monkeypatch.setattr(deaf.factory, "behind", True)
    deaf.down("left")
    now = UPTIME
    while now < UPTIME + STALLED_NS:
        assert pins.reread(now) == now + SETTLE_NS
        now += SETTLE_NS
    assert edges == []
    looks(pins, now)
    assert [(edge.button, edge.down) for edge in edges] == [("left", True)]


def test_two_edges_that_went_the_same_way_have_lost_one_between_them(mock: MockBoard, pins: ButtonPins) -> None:
    handler = mock.factory.pin(mock.board.buttons["left"].name).when_changed
    for at in (UPTIME, UPTIME + 5):
        handler(at, 0)
    assert pins.lost == 1


def test_a_library_that_fails_while_the_lines_are_read_says_so(pins: ButtonPins, monkeypatch: pytest.MonkeyPatch) -> None:
    looks(pins, UPTIME)

    def fails(_pin: object) -> bool:
        raise GPIOZeroError("gone")

    monkeypatch.setattr("gpiozero.pins.mock.MockPin._get_state", fails)
    with pytest.raises(PinUnavailable, check=with_fields(found="gone")):
        pins.reread(UPTIME)


def _watch(*instants_ms: int, down: bool = False, button: str = "left") -> Watch:
    watch = begin(button, down=down)
    for number, at in enumerate(instants_ms):
        watch = watch.with_edge(button, UPTIME + at * MS, down=(number % 2 == 0) is not down)
    return watch


def test_a_press_is_over_once_the_contact_has_been_up_for_35_ms_and_nothing_changes_it_any_more() -> None:
    watch = _watch(0, 80)
    assert watch.until(UPTIME + 115 * MS - 1).press is None
    assert watch.until(UPTIME + 115 * MS).press is not None
    assert (_watch().contact.down, _watch().contact.due) == (False, None)
    assert _watch(0).contact.down
    assert _watch(0, 80).contact.due == UPTIME + 115 * MS
    seen = _watch(0, 80).until(UPTIME + 200 * MS)
    assert seen.with_edge("right", UPTIME + 300 * MS, down=True) == seen


def bare() -> Board:
    return replace(load_board("two-button"), lamps={}, buzzer=None)


def watched(mock: MockBoard, gpio: int, monkeypatch: pytest.MonkeyPatch) -> tuple[list[bool], threading.Event]:
    pin = mock.factory.pin(f"GPIO{gpio}")
    seen: list[bool] = []
    enough = threading.Event()
    really = type(pin)._change_state

    def change(self: Any, value: bool) -> bool:
        changed: bool = really(self, value)
        if self is pin and changed:
            seen.append(value)
            if len(seen) >= 3:
                enough.set()
        return changed

    monkeypatch.setattr(type(pin), "_change_state", change)
    return seen, enough


def test_both_lamps_are_dark_at_first_and_only_one_is_lit_at_a_time(mock: MockBoard) -> None:
    lamps = Lamps(mock.board, mock.factory)
    assert not mock.lit("left")
    assert not mock.lit("right")
    for name, other in (("left", "right"), ("right", "left")):
        lamps.light(frozenset({name}))
        assert mock.lit(name)
        assert not mock.lit(other)
    lamps.light(frozenset())
    assert not mock.lit("right")


def test_a_stations_lamps_are_lit_one_at_a_time_or_each_by_itself() -> None:
    mock = MockBoard(load_board("station"))
    lamps = Lamps(mock.board, mock.factory)
    for name in mock.board.lamps:
        lamps.light(frozenset({name}))
        assert [lamp for lamp in mock.board.lamps if mock.lit(lamp)] == [name]
    lamps.set("adjudicate", on=True)
    assert mock.lit("adjudicate")
    assert mock.lit("unacceptable")
    with pytest.raises(KeyError):
        lamps.set("left", on=True)
    lamps.close()


def test_a_lamp_whose_library_fails_is_reported_and_can_still_be_closed(mock: MockBoard, monkeypatch: pytest.MonkeyPatch) -> None:
    lamps = Lamps(mock.board, mock.factory)
    pin = mock.factory.pin(mock.board.lamps["left"].name)

    def torn_off(_pin: object, _value: object) -> None:
        raise gpiozero.PinSetInput("the wire is off")

    monkeypatch.setattr(type(pin), "_set_state", torn_off)
    monkeypatch.setattr(type(pin), "state", property(type(pin)._get_state, torn_off))
    with pytest.raises(PinUnavailable, check=with_fields(expected=re.compile("lamp left"), found="the wire is off")):
        lamps.set("left", on=True)
    lamps.close()
    lamps.close()


def test_a_lamp_that_the_board_lacks_does_nothing_and_one_that_no_board_has_is_an_error() -> None:
    lamps = Lamps(bare(), MockBoard(bare()).factory)
    lamps.light(frozenset({"left"}))
    lamps.close()
    with pytest.raises(KeyError):
        lamps.set("top", on=True)


def test_a_lamp_and_a_buzzer_on_a_pin_that_is_taken_are_named(mock: MockBoard) -> None:
    lamps, buzzer = Lamps(mock.board, mock.factory), Buzzer(mock.board, mock.factory, enabled=True)
    with pytest.raises(PinUnavailable, check=with_fields(expected="GPIO16 (header pin 36) for lamps.left")):
        Lamps(mock.board, mock.factory)
    with pytest.raises(PinUnavailable, check=with_fields(expected="GPIO12 (header pin 32) for buzzer")):
        Buzzer(mock.board, mock.factory, enabled=True)
    lamps.light(frozenset({"left"}))
    assert mock.lit("left")
    buzzer.close()


def test_the_buzzer_sounds_as_often_as_asked_and_falls_silent_by_itself(mock: MockBoard, monkeypatch: pytest.MonkeyPatch) -> None:
    assert mock.board.buzzer is not None
    buzzer = Buzzer(mock.board, mock.factory, enabled=True)
    seen, _ = watched(mock, mock.board.buzzer.gpio, monkeypatch)
    buzzer.sound(2, ())
    buzzer._buzzer._blink_thread.join(10)
    assert seen == [True, False, True, False]
    assert not mock.sounding()
    buzzer.close()
    buzzer.close()


def pitched() -> MockBoard:
    board = load_board("full")
    return MockBoard(replace(board, buzzer=replace(some(board.buzzer), part="piezo-passive-5v")))


def test_a_pitched_buzzer_plays_each_tone_for_its_length_and_falls_silent_and_a_second_melody_cuts_off_the_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    mock = pitched()
    buzzer = Buzzer(mock.board, mock.factory, enabled=True)
    pin, heard = mock.factory.pin("GPIO12"), []
    really = type(pin)._set_frequency

    def change(self: Any, hz: float | None) -> None:
        heard.append(hz and round(hz))
        really(self, hz)

    monkeypatch.setattr(type(pin), "_set_frequency", change)
    buzzer.sound(1, ((660, 1000),))
    buzzer.sound(1, ((550, 60), (0, 40), (825, 20)))
    buzzer._buzzer._source_thread.join(10)
    assert heard[heard.index(550) :] == [550, 550, 550, None, None, 825, None]
    assert heard.count(660) < 50
    assert pin.frequency is None
    buzzer.close()


def test_a_pitched_buzzer_on_pins_without_tones_is_named_with_the_library_that_has_them() -> None:
    mock = pitched()
    mock.factory.pin_class = type("WithoutTones", (MockPin,), {})
    with pytest.raises(PinUnavailable, check=with_fields(remedy=re.compile('pins = "rpigpio"'))):
        Buzzer(mock.board, mock.factory, enabled=True)
    assert not any(mock.factory._reservations.values())


@pytest.mark.parametrize(("board", "enabled"), [(load_board("full"), False), (bare(), True)], ids=["not enabled", "none on the board"])
def test_a_buzzer_that_is_off_or_not_there_takes_no_pin_and_makes_no_sound(board: Board, enabled: bool) -> None:
    mock = MockBoard(board)
    buzzer = Buzzer(board, mock.factory, enabled=enabled)
    buzzer.sound(1, ())
    assert not mock.sounding()
    assert not mock.factory._reservations
    buzzer.close()


def test_a_buzzer_is_cut_off_by_close_and_silenced_while_the_clock_runs(mock: MockBoard) -> None:
    buzzer = Buzzer(mock.board, mock.factory)
    for _ in range(2):
        buzzer.enable(enabled=True)
    buzzer._buzzer.on()
    assert mock.sounding()
    buzzer.enable(enabled=False)
    assert not mock.sounding()
    assert not any(mock.factory._reservations.values())
    buzzer.close()
    buzzer = Buzzer(mock.board, mock.factory, enabled=True)
    buzzer._buzzer.on()
    assert mock.sounding()
    buzzer.close()
    assert not mock.sounding()


def test_a_board_is_opened_whole_and_what_was_opened_is_given_back_also_where_its_last_part_is_taken(
    mock: MockBoard, edges: list[Edge], monkeypatch: pytest.MonkeyPatch
) -> None:
    closed: list[str] = []
    monkeypatch.setattr(mock.factory, "close", lambda: closed.append("factory"))
    taken = Buzzer(mock.board, mock.factory, enabled=True)
    with pytest.raises(PinUnavailable, check=with_fields(expected=re.compile("for buzzer"))):
        BoardPins(mock.board, mock.factory, edges.append, buzzer=True)
    assert closed == ["factory"]
    taken.close()
    with BoardPins(mock.board, mock.factory, edges.append, buzzer=True) as pins:
        pins.lamps.light(frozenset({"left"}))
        mock.down("right", 1)
        assert (mock.lit("left"), pins.down(), [edge.button for edge in edges]) == (True, frozenset({"right"}), ["right"])
        pins.lamps.close()
        assert not mock.lit("left")
    assert closed == ["factory"] * 2
    assert (pins.down(), any(mock.factory._reservations.values())) == (frozenset(), False)
