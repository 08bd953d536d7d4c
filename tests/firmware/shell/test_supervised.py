"""The clock as systemd's service: its beats come from the loop alone, it is ready when its picture stands, and the director switches the machine off."""

import os
import signal
import socket
from contextlib import suppress
from pathlib import Path

import pytest

from appliance.supervisor import Heartbeat, PowerOff, Supervisor
from game.journal.row import decode
from rules.duration import NS
from tests.firmware.shell.processes import running
from tests.firmware.shell.rig import PATIENCE_S, Hand, Rig, rig, rows_in

PERIOD_US = 400_000
CLOCK = ("run", "--pins", "mock", "--screen", "none")


class Told:
    """What systemd was told, and the instant."""

    def __init__(self, hand: Hand) -> None:
        self._hand = hand
        self.beats: list[int] = []

    def notify(self, state: str) -> None:
        assert state == "WATCHDOG=1"
        self.beats.append(self._hand.now)


def _watched(folder: Path, **environment: str) -> tuple[socket.socket, dict[str, str]]:
    told = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    told.bind(str(folder / "notify"))
    told.settimeout(PATIENCE_S)
    return told, {"NOTIFY_SOCKET": str(folder / "notify"), "WATCHDOG_USEC": str(PERIOD_US), **environment}


def test_a_clock_that_sleeps_beats_on_at_half_of_the_watchdogs_time(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    hand = Hand()
    told = Told(hand)
    heart = Heartbeat(told, {"WATCHDOG_USEC": "10000000"}, os.getpid())
    with rig(monkeypatch, tmp_path / "journal.db", hand, supervisor=Supervisor(heart)) as table:
        table.play(until="61")
        beats = [at - table.origin for at in told.beats]
    # It sleeps in whole milliseconds, rounded up.
    assert [beat // NS for beat in beats] == list(range(0, 61, 5))


def test_a_clock_that_runs_beats_no_more_often(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    hand = Hand()
    told = Told(hand)
    heart = Heartbeat(told, {"WATCHDOG_USEC": "10000000"}, os.getpid())
    with rig(monkeypatch, tmp_path / "journal.db", hand, supervisor=Supervisor(heart)) as table:
        table.play(table.press("2", "right"), until="61")
    gaps = [later - earlier for earlier, later in zip(told.beats, told.beats[1:], strict=False)]
    assert len(gaps) > 10
    assert all(5 * NS <= gap <= 6 * NS for gap in gaps)


def test_it_says_that_it_is_ready_after_its_first_picture_and_beats_from_then_on(tmp_path: Path) -> None:
    told, environment = _watched(tmp_path)
    with told, running(*CLOCK, "--journal", str(tmp_path / "journal.db"), **environment):
        heard = [told.recv(100) for _ in range(6)]
    # The picture's own turn of the loop beats.
    assert heard == [b"WATCHDOG=1", b"READY=1", *[b"WATCHDOG=1"] * 4]


def test_a_loop_that_hangs_beats_no_more_whatever_its_threads_do(tmp_path: Path) -> None:
    told, environment = _watched(tmp_path)
    with told, running(*CLOCK, "--journal", str(tmp_path / "journal.db"), **environment) as clock:
        while told.recv(100) != b"READY=1":
            pass
        os.kill(clock.pid, signal.SIGSTOP)
        told.settimeout(3 * PERIOD_US / 1e6)
        with suppress(TimeoutError):
            while told.recv(100):
                pass
        with pytest.raises(TimeoutError):
            told.recv(100)


def _switched_off(table: Rig) -> None:
    # The last row.
    table.play(table.turn("5", "key", on=True), table.presses("6", "up", "ok", "down", "ok"), until="40")


def test_the_director_has_the_machine_switched_off_by_the_menu(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    wish = PowerOff(tmp_path / "poweroff")
    with rig(monkeypatch, tmp_path / "journal.db", supervisor=Supervisor(power_off=wish)) as table:
        _switched_off(table)
        assert wish.path.exists()
        assert table.screen.face.notices[0] == "The machine is being switched off"
    notes = [decode(kept.row.body) for kept in rows_in(tmp_path / "journal.db") if kept.row.kind == "note"]
    assert {"power_off": "asked for in the menu"} in notes


def test_a_wish_that_cannot_be_left_is_said_on_the_screen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    wish = PowerOff(tmp_path / "gone" / "poweroff")
    with rig(monkeypatch, tmp_path / "journal.db", supervisor=Supervisor(power_off=wish)) as table:
        _switched_off(table)
        (notice,) = (each for each in table.screen.face.notices if "switch off" in each)
        assert notice.endswith("Use the power button.")


def test_a_clock_that_nobody_switches_off_has_no_such_row(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with rig(monkeypatch, tmp_path / "journal.db") as table:
        table.play(table.turn("5", "key", on=True), until="8")
        assert table.screen.face.menu is not None
        assert "Switch the machine off" not in table.screen.face.menu.rows
