"""The wall's time: worth a word in the self-test, and never a failure."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from appliance.clocks import is_dated
from appliance.finding import State
from appliance.wall_time import Timekeeper, check_timekeeper, check_wall, find_timekeeper, synchronised
from tests.cells import each_cell


@pytest.mark.parametrize(
    ("year", "synchronised", "state", "said"),
    [
        (2026, True, State.OK, "synchronised"),
        (2026, False, State.NOTE, "not synchronised; only the log's dates go by it"),
        (2026, None, State.NOTE, "cannot be asked"),
        (1970, True, State.NOTE, "1970-01-01 00:00 UTC cannot be right; only the log's dates are wrong with it"),
    ],
)
def test_the_walls_time_is_never_more_than_a_note(year: int, *, synchronised: bool | None, state: State, said: str) -> None:
    (finding,) = check_wall(datetime(year, 1, 1, tzinfo=UTC), synchronised, "the log's dates")
    assert finding.state is state
    assert said in finding.found


@pytest.mark.parametrize(
    ("kept_by", "state", "said"),
    [
        (Timekeeper("timesyncd", chip=False), State.OK, "timesyncd; no clock chip: a start begins at the last time that was noted"),
        (Timekeeper("chrony", chip=True), State.OK, "chrony; a clock chip, which needs a battery of its own"),
        (Timekeeper("", chip=True), State.NOTE, "no service; a clock chip, which needs a battery of its own"),
        (
            Timekeeper(None, chip=False),
            State.NOTE,
            "no service that can be asked for; no clock chip: a start begins at the last time that was noted",
        ),
    ],
)
def test_who_keeps_the_time_is_told_and_is_no_failure_either(kept_by: Timekeeper, state: State, said: str) -> None:
    (finding,) = check_timekeeper(kept_by)
    assert (finding.name, finding.state, finding.found) == ("time keeper", state, said)


@pytest.fixture
def system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder that alone is on the PATH: programs of a system made up here go into it."""
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path


def _program(folder: Path, name: str, answer: str, wanted: str) -> None:
    path = folder / name
    path.write_text(f'#!/bin/sh\n[ "$*" = "{wanted}" ] || exit 9\n{answer}\n')
    path.chmod(0o755)


@pytest.mark.parametrize(
    ("answer", "by"),
    [
        ("echo active; echo inactive; echo inactive; exit 3", "timesyncd"),
        ("echo inactive; echo active; echo inactive; exit 3", "chrony"),
        ("echo active; echo active; echo inactive; exit 3", "timesyncd, chrony"),
        ("echo inactive; echo failed; echo inactive; exit 3", ""),
        ("exit 1", None),
    ],
)
def test_who_keeps_the_time_is_the_service_that_runs(system: Path, answer: str, by: str | None) -> None:
    _program(system, "systemctl", answer, "is-active systemd-timesyncd.service chrony.service ntpsec.service")
    (system / "rtc0").touch()
    assert find_timekeeper(system / "rtc0") == Timekeeper(by, chip=True)


def test_without_systemd_nobody_can_be_asked_and_a_chip_that_is_missing_is_told(system: Path) -> None:
    assert find_timekeeper(system / "rtc0") == Timekeeper(None, chip=False)
    assert synchronised() is None


@pytest.mark.parametrize(("answer", "there"), [("echo yes", True), ("echo no", False), ("exit 1", None), ("echo perhaps", None)])
def test_whether_it_is_synchronised_is_what_the_system_says(system: Path, answer: str, *, there: bool | None) -> None:
    _program(system, "timedatectl", answer, "show --property=NTPSynchronized --value")
    assert synchronised() is there


def test_a_wall_time_is_a_date_where_it_can_be_read_and_is_no_older_than_the_program() -> None:
    for cell in each_cell(
        [
            ("2026-11-21T10:00:00.000+00:00", True),
            ("2025-01-01T00:00:00+00:00", True),
            ("2025-01-01T00:59:59+01:00", False),
            ("1970-01-01T00:00:12.345+00:00", False),
            ("2026-11-21T10:00:00", False),
            ("yesterday", False),
            ("", False),
        ]
    ):
        with cell as (wall, dated):
            assert is_dated(wall) is dated
