"""The loop: it draws only what has changed, wakes only for what it has to do, and tells lamps and buzzer."""

import threading
from itertools import pairwise
from pathlib import Path

import pytest

from appliance.clocks import Clocks
from appliance.program import Inbox
from firmware.face.value import Face
from firmware.screens.layout import Arrangement
from firmware.screens.screen import ButtonEdge, Quit
from firmware.screens.window import WindowScreen
from firmware.settings.places import merge
from firmware.shell import assemble, machine
from firmware.shell.loop import Input
from hardware.boards.board import load_board
from hardware.pins.mock import MockBoard
from rules.duration import NS
from rules.side import Side
from tests.firmware.shell.rig import LONG_NS, PATIENCE_S, rig


def test_nothing_wakes_the_loop_while_nothing_can_change(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with rig(monkeypatch, tmp_path / "journal.db") as table:
        table.play(until="3600")
        # Once more at the start: what came while the screen was opened is not slept over.
        assert table.screen.asked == [None, None]
        assert table.screen.drawn == 1


def test_a_running_clock_draws_once_a_second_and_wakes_no_oftener_than_reading_and_mark_ask(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with rig(monkeypatch, tmp_path / "journal.db") as table:
        table.play(table.press("5.3", "right"), until="65.3")
        before = [drawn for drawn, _ in table.screen.faces if drawn < table.at("10")]
        assert len(table.screen.faces) - len(before) == 55
        # Four turns for the press itself, then a reading and a mark each second.
        assert len(table.screen.asked) <= 6 + 2 * 60
        assert all(
            drawn - table.at("5.3") - round((drawn - table.at("5.3")) / NS) * NS in range(2_000_000) for drawn, _ in table.screen.faces[5:]
        )


def test_a_stopped_clock_wakes_for_its_window_and_then_sleeps_for_good(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with rig(monkeypatch, tmp_path / "journal.db") as table:
        table.play(table.press("5", "right"), table.press("10", "centre"), until="600")
        assert table.screen.asked[-1] is None
        assert table.screen.faces[-1][0] < table.at("11")


def test_the_lamp_of_the_side_that_runs_is_lit(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with rig(monkeypatch, tmp_path / "journal.db") as table:
        lit: list[tuple[bool, bool]] = []
        looks = [(table.at(at), lambda: lit.append((table.board.lit("left"), table.board.lit("right")))) for at in ("4", "6", "11", "16")]
        table.play(looks, table.press("5", "right"), table.press("10", "left"), table.press("15", "centre"), until="20")
        assert lit == [(False, False), (True, False), (False, True), (False, False)]


@pytest.mark.parametrize(("enabled", "beeps"), [(True, 2), (False, 0)])
def test_the_buzzer_sounds_once_for_each_window_that_expires_and_only_where_it_was_asked_for(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, *, enabled: bool, beeps: int
) -> None:
    with rig(monkeypatch, tmp_path / "journal.db", buzzer__enabled=enabled) as table:
        sounded: list[int] = []
        buzzer = table.loop._pins._buzzer  # type: ignore[union-attr] # this clock has pins
        sound = buzzer.short

        def short() -> None:
            if buzzer._buzzer is not None:
                sounded.append(table.hand.now)
            sound()

        monkeypatch.setattr(buzzer, "short", short)
        # Two holds of 20 s and more each, one that is released in time.
        holds = [table.press(at, "right", held=LONG_NS) for at in ("10", "32", "40", "45", "50", "70")]
        table.play(table.press("5", "right"), *holds, until="80")
        assert len(sounded) == beeps
        assert [(at - table.at("25")) // NS for at in sounded] == [0, 40][:beeps]


def test_a_window_on_the_dummy_driver_is_drawn_by_the_loop_only_on_changes_and_ends_with_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    settings = merge([("test", {"journal.path": str(tmp_path / "journal.db"), "board.pins": "mock", "screen.fullscreen": False})]).settings
    board = MockBoard(load_board("full"))
    drawn = threading.Event()
    shown: list[tuple[bool, Face]] = []

    class Counted(WindowScreen):
        def draw(self, face: Face) -> bool:
            changed = super().draw(face)
            shown.append((changed, face))
            if face.halves.left.runs:
                drawn.set()
            return changed

    monkeypatch.setattr(machine, "open_screen", lambda _: Counted((640, 400), Arrangement.FACING, "Tileclock"))

    def fingers(inbox: Inbox[Input]) -> None:
        board.press("right")
        drawn.wait(PATIENCE_S)
        inbox.put(Quit())

    with assemble.assembled(settings, Clocks(), board.factory) as loop:
        threading.Thread(target=fingers, args=(loop.inbox,)).start()
        loop.run()
    assert drawn.is_set()
    faces = [face for changed, face in shown if changed]
    assert all(earlier != later for earlier, later in pairwise(faces))
    assert len(faces) <= 4


def test_a_click_whose_press_and_release_are_read_in_one_go_is_a_press(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with rig(monkeypatch, tmp_path / "journal.db", board__pins="none") as table:
        click = [ButtonEdge("right", down=True), ButtonEdge("right", down=False)]
        table.play([(table.at("5"), lambda: table.screen.inputs.extend(click))], until="10")
        assert table.used() == (0, 0)
        assert table.clock.table.record.game.running is Side.LEFT
