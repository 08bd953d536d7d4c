import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pygame
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from appliance.display.pane import Devices
from appliance.errors import ScreenError
from firmware.screens.layout import Arrangement, Room, arrange
from firmware.screens.page_layout import entry_parts
from firmware.screens.screen import ButtonEdge, DigitHit, Held, Quit, ScreenInput, Tap
from firmware.screens.terminal import LONG_NS, SHORT_NS, KeyParser, typed
from firmware.screens.window import PointerTarget, WindowScreen, translate
from rules.side import Side
from tests.appliance.display.plugged import Plugged
from tests.errors import with_fields
from tests.examples import sampled
from tests.firmware.screens.faces import FACES

ROOT = Path(__file__).parents[3]


@pytest.fixture
def screen(dummy_display: None) -> Iterator[WindowScreen]:
    shown = WindowScreen((640, 400), Arrangement.FACING, "Tileclock")
    yield shown
    shown.close()


def test_a_window_draws_a_face_once_counts_it_and_under_the_dummy_driver_does_not_block(screen: WindowScreen) -> None:
    assert not screen.blocks
    assert screen.draw(FACES["running"])
    assert not screen.draw(replace(FACES["running"]))
    assert screen.draw(FACES["overtime"])
    assert screen.drawn == 2


def test_a_wake_from_another_thread_ends_a_wait_without_an_input(screen: WindowScreen) -> None:
    screen.poll()
    waker = threading.Thread(target=screen.wake)
    waker.start()
    screen.wait(None)
    waker.join()
    assert screen.poll() == []


def test_keys_and_a_closed_window_come_in_their_order(screen: WindowScreen) -> None:
    screen.poll()
    for event in (pygame.event.Event(pygame.KEYDOWN, key=pygame.K_LEFT), pygame.event.Event(pygame.QUIT)):
        pygame.event.post(event)
    screen.wait(None)
    assert screen.poll() == [ButtonEdge("left", down=True), Quit()]


@pytest.mark.parametrize(("face", "pressed"), [("table_menu", ("left", "right", "centre")), ("running", ("up", "down", "ok"))])
def test_up_down_and_enter_press_in_the_players_menu_what_moves_and_chooses_there(screen: WindowScreen, face: str, pressed: Any) -> None:
    screen.draw(FACES[face])
    screen.poll()
    for code in (pygame.K_UP, pygame.K_DOWN, pygame.K_RETURN):
        for kind in (pygame.KEYDOWN, pygame.KEYUP):
            pygame.event.post(pygame.event.Event(kind, key=code))
    assert screen.poll() == [ButtonEdge(button, down=down) for button in pressed for down in (True, False)]


def test_a_resized_window_is_laid_out_and_drawn_anew(screen: WindowScreen) -> None:
    screen.draw(FACES["hold"])
    pygame.display.set_mode((800, 480), pygame.RESIZABLE)
    pygame.event.post(pygame.event.Event(pygame.VIDEORESIZE, size=(800, 480), w=800, h=480))
    screen.poll()
    assert screen.layout.size == (800, 480)
    assert screen.drawn == 2


@pytest.mark.usefixtures("dummy_display")
@pytest.mark.parametrize("arrangement", Arrangement)
@pytest.mark.parametrize("size", [(200, 50), (1, 1), (50, 700), (1500, 20), (319, 239)])
def test_a_window_that_is_made_too_small_shows_a_part_and_recovers(arrangement: Arrangement, size: tuple[int, int]) -> None:
    screen = WindowScreen((640, 400), arrangement, "Tileclock", side=Side.LEFT)
    screen.draw(FACES["hold"])
    for width, height in (size, (640, 400)):
        pygame.display.set_mode((width, height), pygame.RESIZABLE)
        pygame.event.post(pygame.event.Event(pygame.VIDEORESIZE, size=(width, height), w=width, h=height))
        screen.poll()
        assert screen.layout.size == (max(width, 320), max(height, 240))
        for face in sampled(FACES.values(), 24):
            screen.draw(face)
    screen.close()


@pytest.mark.usefixtures("dummy_display")
def test_a_small_window_shows_the_left_upper_part_of_the_smallest_layout(tmp_path: Path) -> None:
    pictures = []
    for size in ((200, 50), (320, 240)):
        screen = WindowScreen(size, Arrangement.FACING, "Tileclock")
        screen.draw(FACES["hold"])
        screen.snapshot(tmp_path / "part.png")
        screen.close()
        pictures.append(pygame.image.load(tmp_path / "part.png"))
    part, whole = pictures
    assert part.get_size() == (200, 50)
    assert pygame.image.tobytes(part, "RGB") == pygame.image.tobytes(whole.subsurface((0, 0, 200, 50)), "RGB")


def test_a_display_that_is_gone_is_a_screen_error_in_drawing_polling_and_waiting_and_none_in_closing(screen: WindowScreen) -> None:
    screen.draw(FACES["running"])
    pygame.display.quit()
    for act in (lambda: screen.draw(FACES["hold"]), screen.poll, lambda: screen.wait(None)):
        with pytest.raises(ScreenError, check=with_fields(expected="the display to stay connected")):
            act()


def test_a_snapshot_is_what_stands_on_the_screen(screen: WindowScreen, tmp_path: Path) -> None:
    screen.draw(FACES["running"])
    screen.snapshot(tmp_path / "clock.png")
    screen.close()
    picture = pygame.image.load(tmp_path / "clock.png")
    assert picture.get_size() == (640, 400)
    assert tuple(picture.get_at((320, 392))) == (247, 242, 228, 255)


def test_a_closed_window_can_be_closed_woken_polled_and_drawn_to_without_harm(screen: WindowScreen) -> None:
    screen.close()
    screen.close()
    screen.wake()
    screen.wait(None)
    assert screen.poll() == []
    assert not screen.draw(FACES["running"])


def test_neither_sound_nor_joysticks_are_opened(screen: WindowScreen) -> None:
    assert pygame.mixer.get_init() is None
    assert not pygame.joystick.get_init()


@pytest.mark.usefixtures("dummy_display")
def test_on_a_bare_panel_a_window_blocks_until_a_device_stirs_and_hears_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with closing(Plugged(tmp_path)) as plugged:
        monkeypatch.setattr("appliance.display.pane.sources", lambda _: Devices(plugged.folder, plugged.hotplug))
        plugged.plug("event0")
        screen = WindowScreen((640, 400), Arrangement.FACING, "Tileclock")
        assert screen.blocks
        screen.poll()
        plugged.event("event0")
        screen.wait(None)
        pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_l))
        assert screen.poll() == [ButtonEdge("right", down=True)]
        screen.close()


def xdotool(display: str, *words: str) -> None:
    subprocess.run(["xdotool", *words], env={**os.environ, "DISPLAY": display}, check=True, timeout=20)


def test_a_real_window_sleeps_until_a_key_or_a_click_and_hears_both_edges(x_display: str) -> None:
    environment = {**os.environ, "DISPLAY": x_display, "SDL_VIDEODRIVER": "x11", "PYTHONPATH": str(ROOT)}
    program = subprocess.Popen(
        [sys.executable, "-m", "tests.firmware.screens.opened"], env=environment, stdout=subprocess.PIPE, text=True, cwd=ROOT
    )
    assert program.stdout is not None
    with program.stdout as reported:
        idle = reported.readline().split()
        assert idle[0] == "idle"
        assert int(idle[1]) < 10  # in one second of waiting; polling would make 1,000
        assert idle[2] == "True"
        assert reported.readline() == "ready\n"
        xdotool(x_display, "mousemove", "400", "400", "click", "1")
        assert reported.readline().startswith("ButtonEdge(button='right', down=True) (800, 480) 1")
        assert reported.readline().startswith("ButtonEdge(button='right', down=False)")
        xdotool(x_display, "key", "space")
        assert reported.readline().startswith("ButtonEdge(button='centre', down=True)")
        assert reported.readline().startswith("ButtonEdge(button='centre', down=False)")
        xdotool(x_display, "key", "Escape")
        assert reported.readline().startswith("quit")
    assert program.wait(timeout=20) == 0


LAYOUT = arrange(1024, 600, Arrangement.FACING)
LEFT_SPOT, RIGHT_SPOT, BAR_SPOT = (512, 100), (512, 500), (512, 300)
Happened = tuple[int, dict[str, Any]]


def words(inputs: list[ScreenInput]) -> str:
    """Return inputs as ``+left`` for an edge down, ``-left`` for one up, ``left`` for a short tap, ``LEFT`` for a long one, and ``quit``."""
    taps = {SHORT_NS: str.lower, LONG_NS: str.upper}
    return " ".join(
        taps[one.held](one.button)
        if isinstance(one, Tap)
        else f"{'+' if one.down else '-'}{one.button}"
        if isinstance(one, ButtonEdge)
        else type(one).__name__.lower()
        for one in inputs
    )


def edges(*events: Happened) -> str:
    held = Held()
    heard: list[ScreenInput] = []
    for kind, what in events:
        held, inputs = translate(held, pygame.event.Event(kind, what), PointerTarget(LAYOUT, LAYOUT.size))
        heard += inputs
    return words(heard)


def key(code: int, *, down: bool = True) -> Happened:
    return (pygame.KEYDOWN if down else pygame.KEYUP), {"key": code}


def mouse(spot: tuple[int, int], *, down: bool = True, button: int = 1, touch: bool = False) -> Happened:
    return (pygame.MOUSEBUTTONDOWN if down else pygame.MOUSEBUTTONUP), {"pos": spot, "button": button, "touch": touch}


def finger(spot: tuple[int, int], number: int, *, down: bool = True) -> Happened:
    return (pygame.FINGERDOWN if down else pygame.FINGERUP), {"touch_id": 1, "finger_id": number, "x": spot[0] / 1024, "y": spot[1] / 600}


A, A_UP, L = key(pygame.K_a), key(pygame.K_a, down=False), key(pygame.K_l)


@pytest.mark.parametrize(
    ("button", "codes"),
    [
        *(("left", (pygame.K_LEFT, pygame.K_a)), ("right", (pygame.K_RIGHT, pygame.K_l)), ("centre", (pygame.K_SPACE,))),
        *(("up", (pygame.K_UP,)), ("down", (pygame.K_DOWN,)), ("ok", (pygame.K_RETURN, pygame.K_KP_ENTER))),
    ],
)
def test_a_key_is_its_button_down_and_up(button: str, codes: tuple[int, ...]) -> None:
    for code in codes:
        assert edges(key(code), key(code, down=False)) == f"+{button} -{button}"


@pytest.mark.parametrize(
    ("events", "heard"),
    [
        # A held key gives one down edge however often it repeats; two keys of one button are one press.
        ([*[A] * 20, A_UP], "+left -left"),
        ([A, key(pygame.K_LEFT), A_UP, key(pygame.K_LEFT, down=False)], "+left -left"),
        # Both player keys are down together for a chord; the key switch turns on at one stroke and off at the next.
        ([A, L], "+left +right"),
        ([key(pygame.K_k), key(pygame.K_k, down=False)] * 2, "+key -key"),
        *[([key(pygame.K_ESCAPE)], "quit"), ([(pygame.QUIT, {})], "quit")],
        # Another key, and one let go that was never pressed.
        *[([key(pygame.K_q), key(pygame.K_q, down=False)], ""), ([A_UP], "")],
        # What is held when the window loses the keyboard is let go.
        ([A, (pygame.WINDOWFOCUSLOST, {}), A_UP], "+left -left"),
        # A click on a half is its player's button, also where the pointer moved away before it was let go.
        ([mouse(LEFT_SPOT), mouse(LEFT_SPOT, down=False)], "+left -left"),
        ([mouse(RIGHT_SPOT), mouse(RIGHT_SPOT, down=False)], "+right -right"),
        ([mouse(BAR_SPOT), mouse(BAR_SPOT, down=False)], "+centre -centre"),
        ([mouse(LEFT_SPOT), mouse(RIGHT_SPOT, down=False)], "+left -left"),
        # Two fingers press two buttons, and each lets go of its own.
        (
            [finger(LEFT_SPOT, 1), finger(RIGHT_SPOT, 2), finger(LEFT_SPOT, 2, down=False), finger(LEFT_SPOT, 1, down=False)],
            "+left +right -right -left",
        ),
        # The mouse that a finger pretends to be, and the wheel.
        ([mouse(LEFT_SPOT, touch=True), mouse(LEFT_SPOT, button=4)], ""),
    ],
)
def test_what_a_window_hears(events: list[Happened], heard: str) -> None:
    assert edges(*events) == heard


def test_a_finger_on_a_window_smaller_than_the_layout_presses_what_it_sees() -> None:
    event = pygame.event.Event(pygame.FINGERDOWN, {"touch_id": 1, "finger_id": 1, "x": 0.5, "y": 0.9})
    assert translate(Held(), event, PointerTarget(arrange(320, 240, Arrangement.FACING), (320, 60)))[1] == (ButtonEdge("left", down=True),)


def heard(*reads: str) -> str:
    typist = KeyParser()
    inputs: list[ScreenInput] = []
    for text in reads:
        some, typist = typed(typist, text)
        inputs += some
    return words(inputs)


@pytest.mark.parametrize(
    ("reads", "expected"),
    [
        # Letters are short taps and capitals long ones; the key switch keeps its position between reads.
        (("aAlL b",), "left LEFT right RIGHT centre CENTRE"),
        (("k", "ak"), "+key left -key"),
        (("q",), "quit"),
        # Arrows, in both ways that terminals send them, and in several goes.
        (("\x1b[A\x1b[B\x1bOA\x1bOB\r",), "up down up down ok"),
        *(((*cut, "l"), "up right") for cut in (("\x1b", "[A"), ("\x1b[", "A"), ("\x1b", "[", "A"), ("\x1b", "OA"), ("\x1bO", "A"))),
        # A sequence that breaks off swallows no key after it; escape alone neither quits nor swallows one.
        (("\x1b[1;\x1b[A\x1b[ \r",), "up centre ok"),
        *((("\x1b",), ""), (("\x1b", "a", "\x1b", "\x1b", "l"), "left right")),
    ],
)
def test_what_a_terminal_hears(reads: tuple[str, ...], expected: str) -> None:
    assert heard(*reads) == expected


UNKNOWN = {
    "control and up": "\x1b[1;5A",
    "delete": "\x1b[3~",
    "F1 of the Linux console": "\x1b[[A",
    "F1": "\x1bOP",
    "control and up of an old terminal": "\x1bO5A",
    "shift and insert of rxvt": "\x1b[2$",
    "the cursor's place": "\x1b[12;40R",
    "alt and A": "\x1bA",
    "alt and q": "\x1bq",
}


@pytest.mark.parametrize("name", UNKNOWN)
def test_a_key_that_the_clock_does_not_know_presses_nothing_in_one_go_or_cut_after_any_of_its_characters_but_escape(name: str) -> None:
    sequence = UNKNOWN[name]
    assert heard(sequence, "a") == "left"
    assert {heard(sequence[:cut], sequence[cut:], "a") for cut in range(2, len(sequence))} <= {"left"}


def test_text_that_is_pasted_plays_nothing_however_it_is_cut() -> None:
    whole = "l\x1b[200~A qkal\x1b[A\x1b[201~a"
    assert {heard(whole[:cut], whole[cut:]) for cut in range(len(whole))} == {"right left"}


@given(st.lists(st.text(alphabet="\x1b[O;15A~qal ", max_size=6), max_size=6))
def test_whatever_is_typed_is_heard_to_its_end(reads: list[str]) -> None:
    assert heard(*reads, "\x1b[A", "\x1b[A").endswith("up")


@pytest.mark.parametrize("size", [(800, 480), (480, 800)])
@pytest.mark.parametrize("arrangement", [Arrangement.FACING, Arrangement.SIDE_BY_SIDE])
def test_a_finger_on_each_key_of_a_value_that_is_entered_hits_its_digit_on_either_half(
    size: tuple[int, int], arrangement: Arrangement
) -> None:
    layout = arrange(*size, arrangement)
    for half in layout.halves:
        target = PointerTarget(layout, size, entered_on=half)
        keys = entry_parts(half.parts(Room.PAGE).words, touched=True).keys
        assert sorted(digit for digit, _ in keys) == list(range(10))
        for digit, box in keys:
            x, y = box.right - 1, box.bottom - 1
            x, y = (x, y) if half.turn == 0 else (half.place.width - 1 - x, half.place.height - 1 - y)
            assert target.inputs(Held(), "finger", (half.place.x + x, half.place.y + y)) == (Held(), (DigitHit(digit),))
        # Beside the keys a half is its player's button.
        _, inputs = target.inputs(Held(), "finger", (half.place.x + 2, half.place.y + 2))
        assert inputs == (ButtonEdge("left" if half.side is Side.LEFT else "right", down=True),)


def test_the_pad_of_a_value_stands_there_and_takes_fingers_once_the_panel_has_felt_one(screen: WindowScreen) -> None:
    screen.draw(FACES["result_score"])
    half = screen.layout.halves[1]
    _, box = entry_parts(half.parts(Room.PAGE).words, touched=True).keys[0]
    spot, felt = (half.place.x + box.x, half.place.y + box.y), []
    for number in (1, 2):
        for kind in (pygame.FINGERDOWN, pygame.FINGERUP):
            pygame.event.post(pygame.event.Event(kind, touch_id=1, finger_id=number, x=(spot[0] + 0.5) / 640, y=(spot[1] + 0.5) / 400))
        felt.append([type(each) for each in screen.poll()])
        screen.draw(FACES["result_score"])
    assert felt == [[ButtonEdge, ButtonEdge], [DigitHit]]
