"""No display when the clock starts: with pins and LED displays it plays without one and says so, else nobody could play, and it says that."""

from __future__ import annotations

from pathlib import Path

import pytest

from appliance.clocks import Clocks
from appliance.errors import ScreenError
from firmware.settings.places import merge
from firmware.shell import assemble, machine
from game.journal.row import Kind, decode
from hardware.led.emulator import FakeLed
from tests.firmware.shell.processes import ready, running
from tests.firmware.shell.rig import rows_in

WINDOW = ("--screen", "window")


def test_a_clock_with_pins_and_an_led_display_plays_without_a_window_and_log_and_journal_say_so(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with FakeLed() as led, ready(tmp_path, *WINDOW, "--journal", str(path), "--led-left", led.port) as process:
        process.terminate()
        output, errors = process.communicate(timeout=20)
    assert (process.returncode, errors) == (0, "")
    assert "given up, the clock goes on with its LED displays" in output
    (note,) = [decode(kept.row.body) for kept in rows_in(path) if kept.row.kind == Kind.NOTE]
    assert note["given_up"] == "screen"
    assert note["why"].startswith("expected a display for the window")


@pytest.mark.parametrize("more", [("--pins", "mock"), ("--pins", "none", "--led-left", "/dev/null")])
def test_without_pins_or_without_an_led_display_the_clock_does_not_start_blind(tmp_path: Path, more: tuple[str, ...]) -> None:
    with running("run", *WINDOW, "--journal", str(tmp_path / "journal.db"), *more) as process:
        output, errors = process.communicate(timeout=20)
    assert process.returncode == 2
    assert "tileclock: expected a display for the window" in errors
    assert "Traceback" not in output + errors
    assert not (tmp_path / "journal.db").exists()


def test_led_displays_that_are_switched_off_are_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def none(_: object) -> None:
        raise ScreenError(expected="a display", found="none", remedy="Connect one")

    monkeypatch.setattr(machine, "open_screen", none)
    chosen = {"journal.path": str(tmp_path / "journal.db"), "board.pins": "mock", "led.left": "/dev/null", "led.enabled": False}
    with pytest.raises(ScreenError), assemble.assembled(merge([("test", chosen)]).settings, Clocks()):
        pass
