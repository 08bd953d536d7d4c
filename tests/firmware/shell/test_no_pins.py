"""A clock whose pins are unavailable when it starts: as a service it shows why, and goes on by itself once they are there; by hand it ends with the sentence."""

from __future__ import annotations

import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pygame
import pytest

from appliance.clocks import Clocks
from appliance.errors import Diagnosis, PinUnavailable, ScreenError
from appliance.supervisor import Supervisor
from firmware.face.value import Face
from firmware.screens.layout import Arrangement, arrange
from firmware.screens.led import pictures
from firmware.screens.painter import Painter
from firmware.screens.screen import ButtonEdge
from firmware.settings.places import merge
from firmware.shell import assemble
from game.game import Phase
from game.journal.row import Kind, decode
from hardware.boards.board import load_board
from hardware.led.emulator import FakeLed
from hardware.led.picture import cells, lit
from hardware.pins import opening
from hardware.pins.mock import MockPins
from rules.duration import NS
from rules.side import Side
from tests.appliance.display.xserver import picture, x_server
from tests.firmware.shell.processes import running
from tests.firmware.shell.rig import PATIENCE_S, Hand, Rig, Step, rig, rows_in
from tests.hardware.waiting import Library, Systemd
from tests.processes import until

WHY = PinUnavailable(expected="to open the Pi's GPIO header", found="no gpiochip", remedy="End any other program that holds the pins")
SAID = (
    "Expected to open the Pi's GPIO header, found no gpiochip",
    "End any other program that holds the pins",
    "Tried again every 5\xa0s. The game is kept",
)


@contextmanager
def without(monkeypatch: pytest.MonkeyPatch, path: Path, systemd: Systemd | None = None, **more: Any) -> Iterator[tuple[Rig, Library]]:
    """Give a watched clock that has no pins, and the library that may come to have them."""
    library = Library(WHY)
    monkeypatch.setattr(opening, "open_factory", library.open)
    with rig(monkeypatch, path, supervisor=Supervisor(notifier=systemd or Systemd()), board__pins="gpiod", **more) as table:
        yield table, library


def come(table: Rig, library: Library, seconds: str) -> list[Step]:
    """Return the step in which the pins come to be there."""

    def do() -> None:
        library.there = table.board

    return [(table.at(seconds), do)]


def notes(path: Path) -> list[object]:
    return [decode(kept.row.body) for kept in rows_in(path) if kept.row.kind == Kind.NOTE]


def test_the_screen_says_why_until_the_pins_are_there_and_then_a_press_counts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    systemd = Systemd()
    with without(monkeypatch, tmp_path / "journal.db", systemd) as (table, library):
        before = (table.loop.outlives_session, table.loop.plays_without_a_screen)
        table.play(come(table, library, "12"), table.press("20", "right"), table.press("30.5", "left"), until="40")
        for seconds in ("1", "14.9"):
            assert (table.face(seconds).banner, table.face(seconds).details) == ("NO BUTTONS", SAID)
            assert all(half.prompt == "" for _, half in table.face(seconds).halves.items())
        ready = table.face("16")
        assert (ready.no_buttons, ready.banner, ready.details) == (False, "READY", ("Menu: hold the\u00a0bar 1\u00a0s",))
        assert all(half.prompt for _, half in ready.halves.items())
        assert table.used() == (10_500_000_000, 0)
        assert before == (True, False)
        assert (table.loop.outlives_session, table.loop.plays_without_a_screen) == (True, True)
    # At the start, after 5, 10 and 15 s; and no more.
    assert library.tried == 4
    assert systemd.heard == [f"STATUS=No pins,retrying: {WHY}", "STATUS="]
    assert notes(table.path) == [{"given_up": "buttons", "why": str(WHY)}, {"back": "buttons"}]


def test_lamps_are_lit_by_pins_that_came_late_and_they_are_given_back_at_the_end(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with without(monkeypatch, tmp_path / "journal.db") as (table, library):
        lit_then: list[bool] = []
        look = [(table.at("12"), lambda: lit_then.append(table.board.lit("left")))]
        table.play(come(table, library, "2"), table.press("10", "right"), look, until="15")
        assert lit_then == [True]
    assert not table.board.factory.pins


def test_a_pin_that_is_held_alone_keeps_all_of_them_away_and_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with without(monkeypatch, tmp_path / "journal.db") as (table, library):
        factory: Any = table.board.factory
        give = factory.pin

        def busy(name: str) -> Any:
            if name == "GPIO4":
                raise OSError(16, "Device or resource busy")
            return give(name)

        monkeypatch.setattr(factory, "failures", (OSError,))
        monkeypatch.setattr(factory, "pin", busy)
        free = [(table.at("12"), lambda: monkeypatch.setattr(factory, "pin", give))]
        table.play(come(table, library, "2"), table.press("8", "right"), free, table.press("20", "right"), until="30")
        assert table.face("9").phase is Phase.READY
        assert (
            table.face("9")
            .details[0]
            .startswith("Board full: expected GPIO4 (header pin 7) for buttons.centre, found device or resource busy")
        )
        assert table.face("9").details[1].startswith("Turn 1-Wire off in config.txt, end the program that holds the pin")
        assert table.face("21").phase is Phase.RUNNING


def test_a_buzzer_whose_pin_is_held_keeps_no_button_away(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    # The director's desk may have switched it on, at a clock that uses the pin for something else.
    give, name = MockPins.pin, load_board("full").buzzer

    def busy(factory: MockPins, wanted: str) -> Any:
        if name is not None and wanted == name.name:
            raise OSError(16, "Device or resource busy")
        return give(factory, wanted)

    monkeypatch.setattr(MockPins, "failures", (OSError,))
    monkeypatch.setattr(MockPins, "pin", busy)
    with rig(monkeypatch, tmp_path / "journal.db", buzzer__enabled=True) as table:
        table.play(table.press("5", "right"), table.press("15", "left"), until="20")
        assert table.used() == (10 * NS, 0)
    (note,) = notes(table.path)
    assert isinstance(note, dict)
    assert note["given_up"] == "buzzer"
    assert "found device or resource busy" in note["why"]


def test_a_button_that_is_down_when_the_pins_come_is_no_press_and_a_key_that_is_on_opens_the_menu(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with without(monkeypatch, tmp_path / "journal.db") as (table, library):
        board = table.board
        held = [(table.at("1"), lambda each=each: board.down(each, table.at("1"))) for each in ("left", "key")]
        off, up = [(table.at("10"), lambda: board.up("key", table.at("10")))], [(table.at("12"), lambda: board.up("left", table.at("12")))]
        table.play(held, come(table, library, "2"), off, up, table.press("20", "left"), until="30")
        assert table.face("6").menu is not None
        assert table.face("11").notices == ("LEFT button is stuck down: free it",)
        assert (table.face("13").menu, table.face("13").notices, table.face("13").phase) == (None, (), Phase.READY)
        assert table.face("21").phase is Phase.RUNNING


def test_a_game_that_was_interrupted_is_kept_and_told_and_confirmed_once_the_pins_are_there(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "journal.db"
    with rig(monkeypatch, path) as table:
        table.play(table.press("5", "right"), until="20", cut=True)
    with without(monkeypatch, path, hand=Hand(table.hand.now, boot="second boot")) as (table, library):
        turned = table.turn("20", "key", on=True)
        table.play(come(table, library, "12"), table.press("17", "left"), turned, table.presses("21", "ok"), until="30")
        waiting = table.face("10")
        assert waiting.banner == "NO BUTTONS"
        assert waiting.notices[0].startswith("POWER WAS LOST")
        assert table.face("18").notices[0].startswith("POWER WAS LOST")
        assert table.face("18").halves == table.face("16").halves
        assert not table.face("25").notices
        assert table.face("25").phase is Phase.NEUTRAL


def test_the_keyboard_of_a_screen_plays_as_ever_and_says_meanwhile_that_there_are_no_buttons(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with without(monkeypatch, tmp_path / "journal.db") as (table, _):
        down, up = ButtonEdge("right", down=True), ButtonEdge("right", down=False)
        keys: list[Step] = [
            (table.at("5"), lambda: table.screen.inputs.append(down)),
            (table.at("5.1"), lambda: table.screen.inputs.append(up)),
        ]
        table.play(keys, until="20")
        assert (table.face("10").phase, table.face("10").banner, table.face("10").notices) == (Phase.RUNNING, "", ("NO BUTTONS",))
        assert not pictures(table.face("10")).left.theme


def test_led_displays_say_it_in_a_word_and_why_in_running_text(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with without(monkeypatch, tmp_path / "journal.db") as (table, _):
        table.play(until="2")
        for picture in (pictures(table.face("1")).of(side) for side in Side):
            frames = [frame.lit for frame in picture.frames]
            assert frames[1] == lit(cells("nobU"))
            assert lit(cells("NO B")) in frames
            assert lit(cells("chip")) in frames


def test_where_the_screen_is_lost_too_the_program_ends_to_be_started_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def lost() -> list[Any]:
        raise ScreenError(expected="the display", found="none")

    with without(monkeypatch, tmp_path / "journal.db") as (table, _):
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


def test_the_program_itself_is_ready_with_a_picture_that_says_it_and_goes_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with x_server(tmp_path) as display, watched(tmp_path, "--screen", "window", "--fullscreen", DISPLAY=display) as (clock, heard):
        status, *more = heard
        with pytest.raises(PinUnavailable) as caught:
            opening.open_factory("gpiod")
        why = Diagnosis.of(caught.value)
        assert status == f"STATUS=No pins,retrying: {why}"
        assert more == ["READY=1"]
        expected = painted(said_for(monkeypatch, tmp_path / "other.db", why))
        until(lambda: picture(display) == expected)
        assert clock.poll() is None
        clock.terminate()
        output, errors = clock.communicate(timeout=PATIENCE_S)
    assert (clock.returncode, errors) == (0, "")
    assert output.count("no pins,retrying") == 1


def said_for(monkeypatch: pytest.MonkeyPatch, path: Path, why: Diagnosis) -> Face:
    """Return the face of a clock whose pins are unavailable for that reason."""
    with without(monkeypatch, path) as (table, _):
        table.clock.no_buttons(table.hand.now, why)
        face = table.clock.face(table.hand.now)
    assert face.banner == "NO BUTTONS"
    assert face.details[0][1:] == why.problem[1:]
    return face


def painted(face: Face) -> bytes:
    pygame.font.init()
    surface = pygame.Surface((1024, 600))
    Painter(arrange(1024, 600, Arrangement.FACING)).draw(surface, face)
    return pygame.image.tobytes(surface, "RGB")


def test_the_program_with_led_displays_alone_is_ready_and_says_it_there(tmp_path: Path) -> None:
    with FakeLed() as led, watched(tmp_path, "--screen", "none", "--led-left", led.port) as (clock, _):
        assert led.shows(lambda shown: shown == lit(cells("nobU")), PATIENCE_S)
        clock.terminate()
        _, errors = clock.communicate(timeout=PATIENCE_S)
    assert (clock.returncode, errors) == (0, "")


@contextmanager
def watched(folder: Path, *arguments: str, **environment: str) -> Iterator[tuple[subprocess.Popen[str], list[str]]]:
    """Start ``tileclock run`` with systemd's socket on pins that this machine has not; give it once it is ready, and what it has said to systemd."""
    name, heard = folder / "notify", list[str]()
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as told:
        told.bind(str(name))
        told.settimeout(PATIENCE_S)
        chosen = ("run", "--pins", "gpiod", "--journal", str(folder / "journal.db"), *arguments)
        with running(*chosen, NOTIFY_SOCKET=str(name), **environment) as process:
            while "READY=1" not in heard:
                heard.append(told.recv(1000).decode())
            yield process, heard
