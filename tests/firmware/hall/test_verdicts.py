"""A station's verdict at the clock: it counts only for the very challenge that stands, and once."""

from dataclasses import replace
from typing import Any

import pytest

from firmware.gestures.clock_state import ClockState
from firmware.hall.orders import Decision
from firmware.hall.report import standing_challenge
from firmware.hall.state import HallState, StationVerdict
from game import events as ev
from game.record import accept
from rules.duration import NS
from rules.side import Side
from tests.firmware.gestures.trains import table
from tests.firmware.hall.hall_table import OTHER_STATION, STATION, decided, made, verdict
from tests.firmware.saying import event_of
from wire.proposals import RefusalReason, VerdictBody

CHALLENGED = ("1 press right", "2 challenge")
"""Left challenges: event 3."""
FIRST, SECOND = "1a" * 16, "2a" * 16


def after(start: ClockState, answer: Decision, at_s: float) -> ClockState:
    record = start.record
    for event, by in answer.events:
        record = accept(record, event, int(at_s * NS), by=by)
    return replace(start, record=record)


@pytest.mark.parametrize("acceptable", [True, False])
def test_a_verdict_on_the_standing_challenge_counts(acceptable: bool) -> None:
    answer = decided(table("naspa-2017-collins-5", *CHALLENGED), verdict(acceptable=acceptable, count=2, words=("QI", "ZA")), 9)
    assert made(answer) == [ev.Verdict(acceptable, 2)]
    assert answer.number == 4
    assert answer.hall.verdict == StationVerdict("0b" * 16, STATION, 4, 9 * NS, acceptable, 2, ("QI", "ZA"))


def test_a_corrected_challenger_is_no_other_challenge() -> None:
    corrected = table("naspa-2017", *CHALLENGED, "3 challenge right")
    assert standing_challenge(corrected.record, corrected.game_at(4 * NS)) == 3
    assert decided(corrected, verdict(), 9).reason is None


@pytest.mark.parametrize(
    ("by", "acceptable"), [("left", True), ("right", False)], ids=["the challenger concedes", "the challenged player concedes"]
)
def test_a_concession_is_a_verdict_against_who_concedes(by: str, acceptable: bool) -> None:
    standing = table("naspa-2017", *CHALLENGED)
    assert standing.record.game.challenger is Side.LEFT
    assert made(decided(standing, verdict("conceded", by=by), 9)) == [ev.Verdict(acceptable, 1)]


def test_a_withdrawal_needs_a_rulebook_that_allows_it() -> None:
    assert made(decided(table("naspa-2017", *CHALLENGED), verdict("withdrawn"), 9)) == [ev.Withdraw()]
    assert decided(table("nzasp-2022", *CHALLENGED), verdict("withdrawn"), 9).reason is RefusalReason.NOT_BY_RULEBOOK


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        (("1 press right",), RefusalReason.NO_CHALLENGE),
        ((*CHALLENGED, "3 withdraw"), RefusalReason.NO_CHALLENGE),
        ((*CHALLENGED, "3 resume right"), RefusalReason.NO_CHALLENGE),
        ((*CHALLENGED, "3 withdraw", "4 resume left", "5 challenge"), RefusalReason.OTHER_CHALLENGE),
        ((*CHALLENGED, "3 verdict acceptable=false"), RefusalReason.HAS_VERDICT),
        ((*CHALLENGED, "3 verdict acceptable=false", "4 resume left", "5 challenge"), RefusalReason.HAS_VERDICT),
        (("1 press right", "2 end reason=x"), RefusalReason.NO_CHALLENGE),
    ],
)
@pytest.mark.parametrize("body", [verdict(), verdict("conceded", by="left"), verdict("withdrawn")], ids=lambda body: body.do)
def test_a_verdict_on_anything_else_changes_nothing(lines: tuple[str, ...], reason: RefusalReason, body: VerdictBody) -> None:
    answer = decided(table("naspa-2017", *lines), body, 9)
    assert (answer.reason, answer.events, answer.hall) == (reason, (), HallState())


def test_a_restored_game_waits_for_the_director_first() -> None:
    frozen = replace(table("naspa-2017", *CHALLENGED), frozen=2 * NS)
    assert decided(frozen, verdict(), 9).reason is RefusalReason.FROZEN


def test_of_two_stations_the_first_counts() -> None:
    standing = table("naspa-2017", *CHALLENGED)
    first = decided(standing, verdict(), 9)
    second = verdict(name=SECOND, acceptable=False).model_copy(update={"station": OTHER_STATION})
    assert decided(after(standing, first, 9), second, 10, first.hall).reason is RefusalReason.HAS_VERDICT


def judged(acceptable: bool = True) -> tuple[ClockState, HallState]:
    standing = table("naspa-2017-collins-5", *CHALLENGED)
    first = decided(standing, verdict(name=FIRST, acceptable=acceptable), 9)
    return after(standing, first, 9), first.hall


def test_a_corrected_verdict_strikes_the_first_and_counts_itself() -> None:
    there, hall = judged()
    answer = decided(there, verdict(name=SECOND, acceptable=False, replaces=FIRST), 20, hall)
    assert made(answer) == [ev.Undo("corrected at the station", 4), ev.Verdict(acceptable=False)]
    game = after(there, answer, 20).game_at(20 * NS)
    assert (game.turn, game.points.right, answer.number) == (Side.LEFT, 0, 6)


def test_the_same_verdict_again_changes_nothing() -> None:
    there, hall = judged()
    answer = decided(there, verdict(name=SECOND, replaces=FIRST), 20, hall)
    assert (answer.reason, answer.events, answer.number) == (None, (), 4)
    # And can be corrected in its turn.
    assert made(decided(there, verdict(name="3a" * 16, acceptable=False, replaces=SECOND), 30, answer.hall)) != []


def test_a_correction_after_sixty_seconds_is_the_directors() -> None:
    there, hall = judged()
    correction = verdict(name=SECOND, acceptable=False, replaces=FIRST)
    assert decided(there, correction, 69, hall).reason is None
    assert decided(there, correction, 69.5, hall).reason is RefusalReason.GONE_ON


@pytest.mark.parametrize("line", ["12 resume left", "12 adjust left seconds=5 when=now reason=x"])
def test_a_correction_after_play_has_gone_on_or_the_director_has_acted_is_refused(line: str) -> None:
    there, hall = judged()
    gone_on = replace(there, record=accept(there.record, event_of(line.partition(" ")[2]), 12 * NS))
    assert decided(gone_on, verdict(name=SECOND, acceptable=False, replaces=FIRST), 20, hall).reason is RefusalReason.GONE_ON


@pytest.mark.parametrize("changes", [{"replaces": None}, {"replaces": "9a" * 16}, {"station": OTHER_STATION, "replaces": FIRST}])
def test_only_the_station_that_gave_a_verdict_corrects_it(changes: dict[str, Any]) -> None:
    there, hall = judged()
    correction = verdict(name=SECOND, acceptable=False).model_copy(update=changes)
    assert decided(there, correction, 20, hall).reason is RefusalReason.HAS_VERDICT


def test_a_verdict_that_the_players_have_taken_back_leaves_the_challenge_open() -> None:
    there, hall = judged()
    undone = replace(there, record=accept(there.record, ev.Undo("x"), 12 * NS, by=ev.By.PLAYERS))
    assert made(decided(undone, verdict(name=SECOND, acceptable=False, replaces=FIRST), 20, hall)) == [ev.Verdict(acceptable=False)]


def test_a_verdict_on_the_out_play_ends_the_game_by_the_rule() -> None:
    out = table("naspa-2017", "1 press right", "2 out_play", "3 challenge")
    game = after(out, decided(out, verdict(challenge=4), 9), 9).game_at(9 * NS)
    assert (game.phase.value, game.reason, game.loser) == ("over", "out play", None)
