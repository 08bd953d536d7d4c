"""What a clock reports: enough for everybody else to compute its readings until the next report."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.gestures.clock_state import ClockState, apply_event
from firmware.hall.report import ReportStamp, clock_report
from game.table import Assignment, next_game
from rules.duration import NS
from rules.side import BySide, Side
from tests.firmware.gestures.trains import table
from tests.firmware.hall.hall_table import decided, order
from tests.firmware.saying import RULEBOOKS
from wire.reports import ClockReport, OfferedSetUp

STAMP = ReportStamp("boot", "0011223344556677")
PLACE = Assignment(12, BySide("Ann", "Bo"))
GAMES = (
    (),
    ("5 press right",),
    ("5 press right", "65.5 press left"),
    ("5 press right", "20 hold", "30 release"),
    ("5 press right", "20 press left", "22 challenge"),
    ("5 press right", "20 press left", "22 challenge", "40 verdict acceptable=true words=2"),
    ("5 press right", "20 neutralise reason=x", "60 resume left"),
    ("5 press right", "20 call on=true"),
    ("5 press right", "1400 press left"),
    ("5 press right", "20 press left", "30 end reason=x"),
)


def reported(at: ClockState, now_s: float, game: int = 1) -> ClockReport:
    return clock_report(at, PLACE, game, STAMP, int(now_s * NS))


def computed(report: ClockReport, side: Side, at: int) -> int:
    """Return what somebody else computes from a report."""
    account = report.left if side is Side.LEFT else report.right
    return account.remaining_ns - (max(0, at - report.at) if report.running == side.value else 0)


@given(
    st.sampled_from(GAMES), st.sampled_from(RULEBOOKS), st.integers(0, 4000 * NS), st.integers(0, 4000 * NS), st.integers(-(10**13), 10**13)
)
def test_a_report_gives_every_later_reading_until_the_next_one(
    lines: tuple[str, ...], rulebook: str, since: int, later: int, offset: int
) -> None:
    played = table(rulebook, *lines)
    now = max(since, played.record.at)
    # The hands' time is another one than the game's after a restart.
    moved = replace(played, offset=offset)
    report = clock_report(moved, PLACE, 1, STAMP, now - offset)
    game, after = played.game_at(now), played.game_at(now + later)
    # A timed transition in between makes a report of its own.
    if game == after:
        for side in Side:
            assert computed(report, side, now + later - offset) == after.remaining(side, now + later)


def test_a_report_names_the_challenge_that_a_verdict_has_to_name() -> None:
    report = reported(table("naspa-2017", "5 press right", "20 press left", "22 challenge"), 30)
    assert report.challenge is not None
    assert (report.phase, report.challenge.number, report.challenge.challenger) == ("adjudication", 4, report.turn)
    assert (report.table, report.names.right, report.epoch, report.number) == (12, "Bo", "0011223344556677", 4)
    assert reported(table("naspa-2017", "5 press right"), 30).challenge is None


@pytest.mark.parametrize(
    ("lines", "between"),
    [
        ((), True),
        (("5 press right",), False),
        (("5 press right", "9 press left", "30 end reason=x"), True),
        (("5 points left points=-5 reason=x",), True),
    ],
)
def test_names_may_come_in_between_games_only(lines: tuple[str, ...], between: bool) -> None:
    assert reported(table("naspa-2017", *lines), 40).between_games is between
    # Until the director confirms the times after a power cut, nothing may.
    frozen = replace(table("naspa-2017", *lines), frozen=40 * NS)
    assert not reported(frozen, 40).between_games


def test_a_report_has_the_next_game_until_it_begins() -> None:
    over = table("naspa-2017", "5 press right", "30 end reason=x")
    assert reported(over, 40).offered is None
    answer = decided(over, order("setup", number=3, rulebook="nzasp-2022", left_seconds=1200, right_seconds=None), 35)
    set_up = replace(over, setup=replace(over.setup, offered=answer.offered))
    assert reported(set_up, 40).offered == OfferedSetUp(rulebook="nzasp-2022", left=1200 * NS, right=1500 * NS)
    begun = apply_event(set_up, next_game(set_up.record, set_up.setup.offered), 50 * NS)
    assert reported(begun, 60).offered is None
