"""An LED display that is not there: the panel says which, where it was looked for and what is plugged in, until it is back; on the shipped board by any name."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardware import settings
from hardware.boards import board
from hardware.led.emulator import FakeLed
from rules.side import Side
from tests.firmware.screens.led.reading_off import read_off
from tests.firmware.shell.processes import ready
from tests.firmware.shell.rig import rig
from tests.firmware.shell.test_displays import News, notes
from tests.processes import until

BOARD = Path(board.__file__).with_name("shipped") / "two-display.toml"


def test_the_panel_says_which_displays_are_missing_while_no_time_runs_until_they_are_back(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    news, other = News(monkeypatch), tmp_path / "usb-Another-port0"
    other.touch()
    monkeypatch.setattr(settings, "_NAMES", (str(tmp_path / "usb-*"),))
    left, right = tmp_path / "led-left", tmp_path / "led-right"
    of_right = f"RIGHT on {tmp_path}/led-r* or {tmp_path}/nowhere. Plugged in: {other}"

    with FakeLed() as one, FakeLed() as two:

        def plug_in(port: Path, fake: FakeLed, *lost: Side) -> None:
            port.symlink_to(fake.port)
            news.until(*lost)

        with rig(
            monkeypatch, tmp_path / "journal.db", led__left=str(left), led__right=[f"{tmp_path}/led-r*", f"{tmp_path}/nowhere"]
        ) as table:
            table.play(
                [(table.at("1"), lambda: news.until(*Side))],
                table.press("5", "right"),
                table.press("10", "centre"),
                [(table.at("15"), lambda: plug_in(left, one, Side.RIGHT)), (table.at("20"), lambda: plug_in(right, two))],
                until="25",
            )
            both, one_left = f"NO LED DISPLAY LEFT on {left}, {of_right}", f"NO LED DISPLAY {of_right}"
            assert [table.face(at).notices for at in ("2", "6", "11", "16", "21")] == [(both,), (), (both,), (one_left,), ()]


def test_what_is_plugged_in_is_told_as_it_is_now_and_kept_in_the_journal_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    news, other = News(monkeypatch), tmp_path / "usb-Another-port0"
    monkeypatch.setattr(settings, "_NAMES", (str(tmp_path / "usb-*"),))
    with rig(monkeypatch, tmp_path / "journal.db", led__left=str(tmp_path / "led-left")) as table:
        table.play(
            [(table.at("1"), lambda: news.until(Side.LEFT)), (table.at("5"), other.touch), (table.at("6"), lambda: news.says(str(other)))],
            until="10",
        )
        assert [table.face(at).notices[0].rpartition(": ")[2] for at in ("2", "7")] == ["none", str(other)]
    assert [note.get("given_up") for note in notes(tmp_path / "journal.db")] == ["LED display left"]


def test_on_the_shipped_board_an_adaptor_that_comes_back_under_another_name_is_found(tmp_path: Path) -> None:
    # The board as it is shipped, with its devices below a folder in which a test may plug and pull.
    text = BOARD.read_text(encoding="utf-8")
    assert (text.count('"/dev/ttyAMA0"'), text.count('"/dev/ttyUSB*"')) == (1, 1)
    (tmp_path / "board.toml").write_text(text.replace('port = "/dev/', f'port = "{tmp_path}/'), encoding="utf-8")
    path, adaptor = tmp_path / "journal.db", tmp_path / "ttyUSB0"

    def kept() -> list[object]:
        return [key for note in notes(path) for key in ("given_up", "back") if note.get(key) == "LED display right"]

    with FakeLed() as uart, FakeLed() as before, FakeLed() as after:
        (tmp_path / "ttyAMA0").symlink_to(uart.port)
        adaptor.symlink_to(before.port)
        with ready(tmp_path, "--board", str(tmp_path / "board.toml"), "--journal", str(path)):
            assert all(fake.shows(lambda lit: read_off(lit) == "25:00") for fake in (uart, before))
            adaptor.unlink()
            before.unplug()
            until(lambda: kept() == ["given_up"])
            (tmp_path / "ttyUSB1").symlink_to(after.port)
            assert after.shows(lambda lit: read_off(lit) == "25:00")
            until(lambda: kept() == ["given_up", "back"])
