"""What the machine itself has to tell at the table: settings that are not in force, power that is too weak, a date that nobody set. No game is touched by any."""

import re
import threading
from pathlib import Path

import pytest

from appliance import voltage as power
from appliance.errors import Diagnosis
from appliance.program import Inbox
from appliance.settings.layers import RejectedSettings
from appliance.voltage import Power
from firmware.shell import assemble
from firmware.shell.loop import Input
from game.game import Phase
from game.journal.reading import reading, verify
from game.journal.row import Kind, decode
from tests.appliance.checks.test_voltage import system
from tests.firmware.shell.rig import BEGAN, PATIENCE_S, Hand, Rig, Step, ns, rig, rows_in

WHY = Diagnosis("/boot/firmware/tileclock.toml: screen.width: expected greater than or equal to 320, found 2", "Correct it")
KEPT = f"OLD SETTINGS IN FORCE. Director, correct: {WHY}"
WEAK = "POWER TOO WEAK: give this clock the supply made for it"
WAS_WEAK = "The power was too weak for a time: give this clock the supply made for it"
UNSET = "1970-01-01T00:{:02d}:00.000+00:00"


def _power(table: Rig, at: str, *, low: bool) -> list[Step]:
    return [(table.at(at), lambda: table.loop.inbox.put(Power(low)))]


def _notes(path: Path) -> list[object]:
    return [decode(kept.row.body) for kept in rows_in(path) if kept.row.kind == Kind.NOTE]


def test_settings_that_are_not_in_force_are_told_until_the_director_has_been_at_the_menu_and_never_while_time_runs(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with rig(monkeypatch, tmp_path / "journal.db") as table:
        table.clock.refused(BEGAN, RejectedSettings(WHY, last_good=True))
        table.play(
            table.press("5", "right"),
            table.press("15", "centre"),
            table.turn("25", "key", on=True),
            table.turn("30", "key", on=False),
            until="40",
        )
        assert [table.face(at).notices for at in ("1", "6", "16", "26", "31")] == [(KEPT,), (), (KEPT,), (KEPT,), ()]
        assert table.used() == (ns("10"), 0)
    assert _notes(table.path) == [{"settings": str(WHY)}]


def test_where_none_were_ever_kept_it_is_said_that_they_are_left_out(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with rig(monkeypatch, tmp_path / "journal.db") as table:
        table.clock.refused(BEGAN, RejectedSettings(WHY, last_good=False))
        table.play(until="5")
        assert table.face("1").notices == (f"SETTINGS LEFT OUT. Director, correct: {WHY}",)


def test_power_that_is_too_weak_is_told_at_once_and_that_it_was_at_the_next_stop_and_each_change_is_in_the_journal(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with rig(monkeypatch, tmp_path / "journal.db") as table:
        table.play(
            table.press("5", "right"),
            _power(table, "10", low=True),
            _power(table, "80", low=False),
            table.press("95", "centre"),
            table.turn("100", "key", on=True),
            table.turn("105", "key", on=False),
            until="110",
        )
        assert [table.face(at).notices for at in ("9", "11", "79", "81", "96", "101", "106")] == [
            *((), (WEAK,), (WEAK,)),
            *((), (WAS_WEAK,), (WAS_WEAK,), ()),
        ]
        assert table.used() == (ns("90"), 0)
    assert _notes(table.path) == [{"power": "too weak"}, {"power": "right again"}]


def test_the_firmwares_alarm_reaches_the_screen_of_a_live_clock(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(power, "SYSTEM", system(tmp_path / "sys", "1\n"))
    heard = threading.Event()

    class Heard(Inbox[Input]):
        def put(self, item: Input) -> None:
            super().put(item)
            if isinstance(item, Power):
                heard.set()

    monkeypatch.setattr(assemble, "Inbox", Heard)
    with rig(monkeypatch, tmp_path / "journal.db") as table:
        table.play([(table.at("0.3"), lambda: heard.wait(PATIENCE_S))], until="1")
        assert table.face("0.5").notices == (WEAK,)


def test_without_a_date_a_game_is_timed_kept_and_brought_back_to_the_nanosecond_and_no_time_of_day_is_claimed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "journal.db"
    with rig(monkeypatch, path, Hand(wall=lambda: UNSET.format(3))) as table:
        table.play(table.press("5", "right"), table.press("15.5", "left"), until="30", cut=True)
    # The clock on the wall begins anew: it runs behind what is recorded.
    with rig(monkeypatch, path, Hand(BEGAN + ns("7"), lambda: UNSET.format(0), "second boot")) as table:
        table.play(
            table.turn("5", "key", on=True),
            table.presses("6", "ok"),
            table.turn("9", "key", on=False),
            table.press("20", "left"),
            until="21",
        )
        (notice,) = table.face("1").notices
        assert re.match(r"POWER WAS LOST\. Recorded to a time that is not known; if recording, up to [12]\xa0s missing\.", notice)
        assert table.face("1").phase is Phase.NEUTRAL
        used = table.used()
    assert used[0] == ns("10.5")
    assert ns("13") <= used[1] <= ns("15.5")
    with reading(path) as connection:
        assert verify(connection).fault is None
    assert {kept.row.wall[:4] for kept in rows_in(path)} == {"1970"}


def test_a_date_that_is_set_in_the_middle_of_a_game_changes_nothing_but_the_dates(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    hand = Hand()
    hand.wall = lambda: UNSET.format(1) if hand.now < BEGAN + ns("10") else "2026-11-21T10:00:00.000+00:00"
    with rig(monkeypatch, tmp_path / "journal.db", hand) as table:
        table.play(table.press("5", "right"), table.press("15.5", "left"), table.press("26", "centre"), until="30")
        assert table.used() == (ns("10.5"), ns("10.5"))
    with reading(table.path) as connection:
        assert verify(connection).fault is None
