"""Power that was too weak lately is told from the journal of the clock itself."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from appliance.finding import State
from appliance.voltage import Power
from firmware.doctor.examine import Machine, check_weak_power, examine
from firmware.settings.places import merge
from tests.firmware.shell.rig import Hand, rig

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


def _journal(monkeypatch: pytest.MonkeyPatch, path: Path, *walls: str, low: bool = True) -> Path:
    """Play on a clock whose voltage changes at those times of day."""
    on_the_wall = ["2026-11-19T09:00"]
    with rig(monkeypatch, path, Hand(wall=lambda: f"{on_the_wall[-1]}:10.000+00:00")) as table:

        def change(wall: str) -> None:
            on_the_wall.append(wall)
            table.loop.inbox.put(Power(low))

        table.play([(table.at(str(place)), lambda wall=wall: change(wall)) for place, wall in enumerate(walls, 1)], until="20")  # type: ignore[misc] # a lambda's default
    return path


def test_that_the_voltage_was_too_low_in_the_last_day_is_noted_with_when_and_what_to_do(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = _journal(monkeypatch, tmp_path / "journal.db", "2026-11-20T11:59", "2026-11-20T12:01", "2026-11-21T11:30", "2026-11-21T12:01")
    (finding,) = check_weak_power(path, NOW)
    assert (finding.name, finding.state) == ("power lately", State.NOTE)
    assert finding.found.startswith(
        "the voltage was too low 2 times in the last 24 hours, most recently 2026-11-21 11:30 UTC, according to the journal. Use the "
    )


def test_a_voltage_that_was_right_again_or_never_low_is_no_word_worth(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert list(check_weak_power(_journal(monkeypatch, tmp_path / "journal.db", "2026-11-21T11:30", low=False), NOW)) == []


def test_a_journal_that_is_not_there_or_none_is_told_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "journal.db").write_text("a shopping list")
    for name in ("journal.db", "nowhere.db"):
        assert list(check_weak_power(tmp_path / name, NOW)) == []


def test_the_self_test_tells_it_beside_what_is_so_just_now(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = _journal(monkeypatch, tmp_path / "journal.db", "2026-11-21T11:30")
    layered = merge([("test", {"board.pins": "none", "screen.kind": "none", "journal.path": str(path)})])
    names = [finding.name for finding in examine(layered, machine=Machine(wall=lambda: NOW))]
    assert names[names.index("power") + 1] == "power lately"
