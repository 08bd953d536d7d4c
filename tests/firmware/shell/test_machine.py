import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pygame
import pytest

from appliance.clocks import Clocks
from appliance.errors import Diagnosis, PinUnavailable, ScreenError
from appliance.program import Inbox, Supervisor
from firmware.face.value import Face
from firmware.screens.layout import Arrangement, arrange
from firmware.screens.led import pictures
from firmware.screens.painter import Painter
from firmware.screens.screen import ButtonEdge
from firmware.settings import LedSettings, merge
from firmware.shell import assemble
from firmware.shell.displays import LedNews, led_lines
from game.game import Phase
from hardware import settings
from hardware.boards import board as boards
from hardware.boards.board import load_board
from hardware.boards.pis import load_pi
from hardware.led.picture import Lit, cells, lit
from hardware.pins import opening
from hardware.settings import LedLine
from rules.side import BySide, Side
from tests.appliance.display.xserver import picture, x_server
from tests.firmware.screens.led.reading_off import read_off
from tests.firmware.shell.processes import notified, ready, running
from tests.firmware.shell.rig import PATIENCE_S, Hand, Rig, Step, held, notes_in, rig
from tests.hardware.waiting import Library, Systemd
from tests.processes import until
from tests.some import some
from tools.led_displays import FakeLed

pytestmark = pytest.mark.waits(10)

BARE = load_board("full")
SHIPPED = Path(boards.__file__).with_name("shipped") / "two-display.toml"


@pytest.fixture
def fakes() -> Iterator[BySide[FakeLed]]:
    with FakeLed() as left, FakeLed() as right:
        yield BySide(left, right)


@pytest.fixture
def both(tmp_path: Path, fakes: BySide[FakeLed]) -> Iterator[Rig]:
    with rig(tmp_path, led__left=fakes.left.port, led__right=fakes.right.port) as table:
        yield table


def read(fakes: BySide[FakeLed], reading: str) -> bool:
    return all(fake.shows(lambda lit: read_off(lit) == reading) for _, fake in fakes.items())


class News:
    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._lost: set[Side] = set()
        self._more = threading.Condition()
        put = Inbox.put

        def heard(inbox: Inbox[object], item: object) -> None:
            put(inbox, item)
            if isinstance(item, LedNews):
                with self._more:
                    (self._lost.discard if item.trouble is None else self._lost.add)(item.side)
                    self._more.notify_all()

        monkeypatch.setattr(Inbox, "put", heard)

    def until(self, *lost: Side) -> None:
        """Wait until those are lost and no other."""
        with self._more:
            assert self._more.wait_for(lambda: self._lost == {*lost}, 10)


def test_the_displays_read_as_the_face_while_a_clock_runs_and_once_it_is_stopped(both: Rig, fakes: BySide[FakeLed]) -> None:
    for button, now, readings in (
        ("right", "5", ("25:00", "25:00")),
        ("left", "15.25", ("24:50", "25:00")),
        ("centre", "18.5", ("24:50", "24:57")),
    ):
        both.play(both.press(now, button), until=str(float(now) + 0.4))
        for side, reading in zip(Side, readings, strict=True):
            assert fakes.of(side).shows(lambda lit, reading=reading: read_off(lit) == reading)  # type: ignore[misc] # a lambda's default


def test_the_program_shows_on_its_displays_and_leaves_them_dark_when_it_is_ended(tmp_path: Path, fakes: BySide[FakeLed]) -> None:
    ports = ("--led-left", fakes.left.port, "--led-right", fakes.right.port)
    with ready(tmp_path, "--journal", str(tmp_path / "journal.db"), *ports, "--led-brightness", "35") as process:
        assert read(fakes, "25:00")
        process.terminate()
        assert process.wait(10) == 0
    assert all(fake.shows(lambda lit: lit == Lit()) for _, fake in fakes.items())
    assert {fake.panel.brightness for _, fake in fakes.items()} == {35}


def test_the_panel_says_which_displays_are_missing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, fakes: BySide[FakeLed]) -> None:
    news, other = News(monkeypatch), tmp_path / "usb-Another-port0"
    other.touch()
    monkeypatch.setattr(settings, "_NAMES", (str(tmp_path / "usb-*"),))
    left, right = tmp_path / "led-left", tmp_path / "led-right"

    def plug_in(port: Path, fake: FakeLed, *lost: Side) -> None:
        port.symlink_to(fake.port)
        news.until(*lost)

    with rig(tmp_path, led__left=str(left), led__right=[f"{tmp_path}/led-r*", f"{tmp_path}/nowhere"]) as table:
        plugged = [
            (table.at("1"), lambda: news.until(*Side)),
            (table.at("15"), lambda: plug_in(left, fakes.left, Side.RIGHT)),
            (table.at("20"), lambda: plug_in(right, fakes.right)),
        ]
        table.play(plugged, table.press("5", "right"), table.press("10", "centre"), until="25")
        of_right = f"RIGHT on {tmp_path}/led-r* or {tmp_path}/nowhere. Plugged in: {other}"
        both, one = f"NO LED DISPLAY LEFT on {left}, {of_right}", f"NO LED DISPLAY {of_right}"
        assert table.notices("2", "6", "11", "16", "21") == [(both,), (), (both,), (one,), ()]
    assert [key for note in table.notes() for key in ("given_up", "back") if key in note] == ["given_up"] * 2 + ["back"] * 2


def test_what_is_plugged_in_is_told_as_it_is_now_and_a_loss_kept_in_the_journal_once(tmp_path: Path) -> None:
    with rig(tmp_path) as table:
        lost = [LedNews(Side.LEFT, Diagnosis("it is unplugged"), "/dev/a", found) for found in ("none", "/dev/b")]
        heard = [(table.at(at), lambda news=news: table.loop.inbox.put(news)) for at, news in zip(("1", "5"), lost, strict=True)]
        table.play(heard, until="10")
        assert [notice.rpartition(": ")[2] for (notice,) in table.notices("2", "7")] == ["none", "/dev/b"]
    assert [note.get("given_up") for note in table.notes()] == ["LED display left"]


def test_on_the_shipped_board_an_adaptor_that_comes_back_under_another_name_is_found(tmp_path: Path) -> None:
    # The board as it is shipped, with its devices below a folder in which a test may plug and pull.
    text = SHIPPED.read_text(encoding="utf-8")
    assert (text.count('"/dev/ttyAMA0"'), text.count('"/dev/ttyUSB*"')) == (1, 1)
    (tmp_path / "board.toml").write_text(text.replace('port = "/dev/', f'port = "{tmp_path}/'), encoding="utf-8")
    path, adaptor = tmp_path / "journal.db", tmp_path / "ttyUSB0"

    def kept() -> list[str]:
        return [key for note in notes_in(path) for key in ("given_up", "back") if note.get(key) == "LED display right"]

    with FakeLed() as uart, FakeLed() as before, FakeLed() as after:
        (tmp_path / "ttyAMA0").symlink_to(uart.port)
        adaptor.symlink_to(before.port)
        with ready(tmp_path, "--board", str(tmp_path / "board.toml"), "--journal", str(path)):
            assert read(BySide(uart, before), "25:00")
            adaptor.unlink()
            before.unplug()
            until(lambda: kept() == ["given_up"])
            (tmp_path / "ttyUSB1").symlink_to(after.port)
            assert after.shows(lambda lit: read_off(lit) == "25:00")
            until(lambda: kept() == ["given_up", "back"])


def test_the_settings_ports_come_before_the_boards_which_are_where_its_pins_send_and_off_means_off() -> None:
    board = load_board("two-display")
    named = led_lines(LedSettings(left=("/dev/a", "/dev/b"), brightness=30), board, None)
    assert named.left == LedLine(("/dev/a", "/dev/b"), 9600, 30)
    assert named.right == LedLine((board.displays["right"].port,), 9600, 30)
    assert led_lines(LedSettings(enabled=False, left=("/dev/a",)), board, None) == BySide(None, None)
    assert led_lines(LedSettings(), BARE, None) == BySide(None, None)
    assert led_lines(LedSettings(right=("/dev/b",)), BARE, None) == BySide(None, LedLine(("/dev/b",)))
    board, pi = load_board("two-display"), load_pi("4")
    for side, line in led_lines(LedSettings(), board, pi).items():
        uart = pi.uart(board.displays[side.value].tx)
        assert line is not None
        assert line.ports == (some(uart).device,)


def test_a_clock_with_pins_and_an_led_display_plays_without_a_window_and_log_and_journal_say_so(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with FakeLed() as led, ready(tmp_path, "--screen", "window", "--journal", str(path), "--led-left", led.port) as process:
        process.terminate()
        output, errors = process.communicate(timeout=20)
    assert (process.returncode, errors) == (0, "")
    assert "a part is given up, the game goes on what=screen" in " ".join(output.split())
    (note,) = notes_in(path)
    assert note["given_up"] == "screen"
    assert note["why"].startswith("expected a display for the window")


@pytest.mark.parametrize("more", [("--pins", "mock"), ("--pins", "none", "--led-left", "/dev/null")])
def test_without_pins_or_without_an_led_display_the_clock_does_not_start_blind(tmp_path: Path, more: tuple[str, ...]) -> None:
    with running("run", "--screen", "window", "--journal", str(tmp_path / "journal.db"), *more) as process:
        output, errors = process.communicate(timeout=20)
    assert process.returncode == 2
    assert "tileclock: expected a display for the window" in errors
    assert "--screen terminal" in errors
    assert "Traceback" not in output + errors
    assert not (tmp_path / "journal.db").exists()


WHY = PinUnavailable(expected="to open the Pi's GPIO header", found="no gpiochip", remedy="End any other program that holds the pins")
SAID = (
    "Expected to open the Pi's GPIO header, found no gpiochip",
    "End any other program that holds the pins",
    "Tried again every 5\xa0s. The game is kept",
)


@contextmanager
def without(folder: Path, systemd: Systemd | None = None, **more: Any) -> Iterator[tuple[Rig, Library]]:
    library = Library(WHY)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(opening, "open_factory", library.open)
        with rig(folder, supervisor=Supervisor(notifier=systemd or Systemd()), board__pins="gpiod", **more) as table:
            yield table, library


def come(table: Rig, library: Library, seconds: str) -> list[Step]:
    return [(table.at(seconds), lambda: setattr(library, "there", table.board))]


def test_the_screen_says_why_until_the_pins_are_there_and_then_a_press_counts_and_lights_its_lamp(tmp_path: Path) -> None:
    systemd, lamps = Systemd(), list[bool]()
    with without(tmp_path, systemd) as (table, library):
        before = (table.loop.outlives_session, table.loop.plays_without_a_screen)
        look = [(table.at("25"), lambda: lamps.append(table.board.lit("left")))]
        table.play(come(table, library, "12"), table.press("20", "right"), look, table.press("30.5", "left"), until="40")
        for seconds in ("1", "14.9"):
            assert (table.face(seconds).banner, table.face(seconds).details) == ("NO BUTTONS", SAID)
            assert all(half.prompt == "NO BUTTONS" for _, half in table.face(seconds).halves.items())
        ready = table.face("16")
        assert (ready.no_buttons, ready.banner, ready.details) == (False, "", ("Menu: hold the\u00a0bar 1\u00a0s",))
        assert all(half.prompt for _, half in ready.halves.items())
        assert (table.used(), lamps) == ((10_500_000_000, 0), [True])
        assert before == (True, False)
        assert (table.loop.outlives_session, table.loop.plays_without_a_screen) == (True, True)
    # At the start, after 5, 10 and 15 s; and no more.
    assert library.tried == 4
    assert systemd.heard == [f"STATUS=No pins,retrying: {WHY}", "STATUS="]
    assert table.notes() == [{"given_up": "buttons", "why": str(WHY)}, {"back": "buttons"}]
    assert not table.board.factory.pins, "they are given back at the end"


def test_a_button_that_is_down_when_the_pins_come_is_no_press_and_a_key_that_is_on_opens_the_menu(tmp_path: Path) -> None:
    with without(tmp_path) as (table, library):
        held = [step for button in ("left", "key") for step in table.turn("1", button, on=True)]
        freed = [*table.turn("10", "key", on=False), *table.turn("12", "left", on=False)]
        table.play(held, come(table, library, "2"), freed, table.press("20", "left"), until="30")
        assert [table.face(at).menu is not None for at in ("6", "13")] == [True, False]
        assert table.notices("11", "13") == [("LEFT button is stuck: release it",), ()]
        assert [table.face(at).phase for at in ("13", "21")] == [Phase.READY, Phase.RUNNING]


def test_a_game_that_was_interrupted_is_kept_and_reported_and_confirmed_once_the_pins_are_there(tmp_path: Path) -> None:
    with rig(tmp_path) as table:
        table.play(table.press("5", "right"), until="20", cut=True)
    with without(tmp_path, hand=Hand(table.hand.now, boot="second boot")) as (table, library):
        key = (table.turn("20", "key", on=True), table.presses("21", "ok"))
        table.play(come(table, library, "12"), table.press("17", "left"), *key, until="30")
        assert table.face("10").banner == "NO BUTTONS"
        assert all(table.face(at).notices[0].startswith("POWER WAS LOST") for at in ("10", "18"))
        assert table.face("18").halves == table.face("16").halves
        assert (table.face("25").notices, table.face("25").phase) == ((), Phase.NEUTRAL)


def test_the_keyboard_of_a_screen_plays_as_ever_and_says_meanwhile_that_there_are_no_buttons(tmp_path: Path) -> None:
    with without(tmp_path) as (table, _):
        edges = [(at, ButtonEdge("right", down=down)) for at, down in (("5", True), ("5.1", False))]
        table.play([(table.at(at), lambda edge=edge: table.screen.inputs.append(edge)) for at, edge in edges], until="20")  # type: ignore[misc] # a lambda's default
        assert (table.face("10").phase, table.face("10").banner, table.face("10").notices) == (Phase.RUNNING, "", ("NO BUTTONS",))
        assert not pictures(table.face("10")).left.theme


def test_led_displays_say_it_in_a_word_and_why_in_running_text(tmp_path: Path) -> None:
    with without(tmp_path) as (table, _):
        table.play(until="2")
        for side in Side:
            frames = [frame.lit for frame in pictures(table.face("1")).of(side).frames]
            assert frames[1] == lit(cells("nobU"))
            assert {lit(cells("NO B")), lit(cells("chip"))} <= {*frames}


def test_a_buzzer_whose_pin_is_held_keeps_no_button_away(tmp_path: Path) -> None:
    # The director's desk may have switched it on, at a clock that uses the pin for something else.
    with held(some(BARE.buzzer).name), rig(tmp_path, buzzer__enabled=True) as table:
        table.play(table.press("5", "right"), table.press("15", "left"), until="20")
        assert table.used() == (10_000_000_000, 0)
        (note,) = table.notes()
    assert (note["given_up"], "device or resource busy" in note["why"]) == ("buzzer", True)


def test_where_the_screen_is_lost_too_the_program_ends_to_be_started_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def lost() -> list[Any]:
        raise ScreenError(expected="the display", found="none")

    with without(tmp_path) as (table, _):
        table.screen.steps = [(table.at("3"), lambda: monkeypatch.setattr(table.screen, "poll", lost))]
        table.loop.run()
        assert table.hand.now < table.at("9")


@pytest.mark.parametrize(
    ("supervisor", "settings"),
    [
        (Supervisor(), {"led.left": "/dev/null"}),
        (Supervisor(notifier=Systemd()), {}),
        (Supervisor(notifier=Systemd()), {"led.enabled": False, "led.left": "/dev/null"}),
    ],
)
def test_by_hand_or_with_nothing_to_show_it_on_it_is_the_error(tmp_path: Path, supervisor: Supervisor, settings: dict[str, Any]) -> None:
    chosen = {"journal.path": str(tmp_path / "journal.db"), "board.pins": "gpiod", "screen.kind": "none", **settings}
    with pytest.raises(PinUnavailable), assemble.assembled(merge([("test", chosen)]).settings, Clocks(), supervisor=supervisor):
        pass
    assert not (tmp_path / "journal.db").exists()


def painted(folder: Path, why: Diagnosis) -> bytes:
    with without(folder) as (table, _):
        table.clock.no_buttons(table.hand.now, why)
        face: Face = table.clock.face(table.hand.now)
    assert (face.banner, face.details[0][1:]) == ("NO BUTTONS", why.problem[1:])
    pygame.font.init()
    surface = pygame.Surface((1024, 600))
    Painter(arrange(1024, 600, Arrangement.FACING)).draw(surface, face)
    return pygame.image.tobytes(surface, "RGB")


def test_the_program_itself_is_ready_with_a_picture_that_says_it_and_goes_on(tmp_path: Path) -> None:
    options = ("--pins", "gpiod", "--screen", "window", "--fullscreen")
    with x_server(tmp_path) as display, notified(tmp_path, *options, DISPLAY=display) as (systemd, clock):
        with pytest.raises(PinUnavailable) as caught:
            opening.open_factory("gpiod")
        why = Diagnosis.of(caught.value)
        assert [systemd.recv(1000).decode() for _ in range(2)] == [f"STATUS=No pins,retrying: {why}", "READY=1"]
        expected = painted(tmp_path / "other", why)
        until(lambda: picture(display) == expected)
        assert clock.poll() is None
        clock.terminate()
        output, errors = clock.communicate(timeout=PATIENCE_S)
    assert (clock.returncode, errors) == (0, "")
    assert output.count("the pins are not available; trying again") == 1
