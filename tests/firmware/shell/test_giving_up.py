"""What is not the game may fail: a screen, a lamp, a session, a stray key. The game goes on, and the journal says what was given up."""

from pathlib import Path

import gpiozero
import pytest

from appliance.errors import ScreenError
from firmware.screens.screen import Quit
from game.journal.row import Kind, decode
from hardware.buttons.board_pins import BoardPins
from tests.firmware.shell.rig import Rig, rig, rows_in


def notes(path: Path) -> list[dict[str, object]]:
    return [decode(kept.row.body) for kept in rows_in(path) if kept.row.kind == Kind.NOTE]


def lost(table: Rig) -> None:
    # Once its screen is gone the loop waits on its queue, where the rig's time does not move: so the end is in there already.
    table.loop.inbox.put(Quit())
    raise ScreenError(expected="the panel to stay connected", found="none")


@pytest.mark.parametrize("call", ["draw", "poll", "wait"])
def test_a_screen_that_is_lost_ends_no_game_that_is_played_on_pins(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, call: str) -> None:
    with rig(monkeypatch, tmp_path / "journal.db") as table:
        steps = [*table.press("5", "right"), (table.at("7"), lambda: setattr(table.screen, call, lambda *_: lost(table)))]
        table.play(steps, until="8")
        assert table.screen.closed
        assert table.clock.table.record.game.running is not None
        assert not table.clock.table.setup.screen, "a menu that nobody sees does not open"
    assert {"given_up": "screen", "why": "expected the panel to stay connected, found none."} in notes(tmp_path / "journal.db")


def test_without_pins_a_lost_screen_ends_the_program_with_all_in_the_journal(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with rig(monkeypatch, tmp_path / "journal.db", board__pins="none") as table:
        table.play([(table.at("5"), lambda: setattr(table.screen, "poll", lambda: lost(table)))], until="8")
        assert table.screen.closed
    assert notes(tmp_path / "journal.db")[-1]["given_up"] == "screen"


def test_a_lamp_that_fails_is_given_up_once_and_the_game_goes_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with rig(monkeypatch, tmp_path / "journal.db") as table:
        pins = table.loop._pins
        assert isinstance(pins, BoardPins)
        led = pins._lamps._leds["left"]

        def torn_off() -> None:
            raise gpiozero.PinSetInput("the wire is off")

        monkeypatch.setattr(led, "on", torn_off)
        table.play(table.press("5", "right"), table.press("10", "left"), table.press("15", "right"), until="20")
        assert [used // 1_000_000_000 for used in table.used()] == [5, 5]
    assert [note["given_up"] for note in notes(tmp_path / "journal.db") if "given_up" in note] == ["lamps"]


def test_one_stray_key_ends_no_game_while_somebodys_time_counts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with rig(monkeypatch, tmp_path / "journal.db") as table:
        escape = (table.at("10"), lambda: table.screen.inputs.append(Quit()))
        table.play(table.press("5", "right"), [escape], until="30")
        assert table.hand.now == table.at("30")
        assert table.face("11").notices == ("A game is in progress. Once more to leave it",)
        assert table.face("16").notices == ()


def test_one_stray_key_ends_no_stopped_game_either(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with rig(monkeypatch, tmp_path / "journal.db") as table:
        escape = (table.at("10"), lambda: table.screen.inputs.append(Quit()))
        table.play(table.press("5", "right"), table.press("8", "centre"), [escape], until="30")
        assert table.hand.now == table.at("30")
        assert table.face("11").notices == ("A game is in progress. Once more to leave it",)


def test_asked_twice_within_five_seconds_or_before_a_game_it_leaves(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def escape(table: Rig, at: str) -> tuple[int, object]:
        return table.at(at), lambda: table.screen.inputs.append(Quit())

    with rig(monkeypatch, tmp_path / "one.db") as table:
        table.play(table.press("5", "right"), [escape(table, "10"), escape(table, "14")], until="30")  # type: ignore[list-item] # a step
        assert table.hand.now == table.at("14")
    with rig(monkeypatch, tmp_path / "two.db") as table:
        table.play([escape(table, "10")], until="30")  # type: ignore[list-item] # a step
        assert table.hand.now == table.at("10")
