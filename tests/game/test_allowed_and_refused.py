"""Every event in every situation a game can stand in, against a table written from docs/spec/events.md."""

from functools import cache
from itertools import product

import pytest

from tests.cells import each_cell
from tests.firmware.saying import Told, play

# Each ends within 4 s of a new game, before its out play window or courtesy draw is over. LEFT is on turn, holds or made the out play.
SITUATIONS: dict[str, tuple[str, ...]] = {
    "ready": (),
    "late": ("1 late_start left",),
    "late_both": ("1 late_start both",),
    "running": ("1 press right",),
    "deciding": ("1 press right", "2 neutralise", "2 decide right"),
    "hold": ("1 press right", "2 hold"),
    "hold_pending": ("1 press right", "2 out_play", "2 challenge", "2 withdraw by=director", "3 press left"),
    "neutral": ("1 press right", "2 neutralise"),
    "neutral_no_turn": ("1 end reason=x", "2 reopen reason=x"),
    "deciding_hold": ("1 press right", "1 hold", "2 neutralise", "2 decide right"),
    "neutral_hold": ("1 press right", "2 hold", "3 neutralise"),
    "neutral_pending": ("1 press right", "2 out_play", "2 challenge", "3 withdraw by=director"),
    "neutral_pending_hold": ("1 press right", "2 out_play", "2 challenge", "2 withdraw by=director", "3 press left", "4 neutralise"),
    "out_play": ("1 press right", "2 out_play"),
    "adjudication": ("1 press right", "2 challenge"),
    "adjudication_pending": ("1 press right", "2 out_play", "3 challenge"),
    "over": ("1 press right", "2 end reason=x"),
    "over_recounted": ("1 press right", "2 end reason=x", "3 window name=recount"),
    "over_by_forfeit": ("1 press right", "2 end reason=forfeit loser=left"),
    "over_at_limit": ("1 press right", "2 adjust left seconds=-2200 when=now reason=x"),
}
OVER = {"over", "over_recounted", "over_by_forfeit", "over_at_limit"}
LATE = {"late", "late_both"}
NEUTRAL = {name for name in SITUATIONS if name.startswith("neutral")}
ADJUDICATION = {"adjudication", "adjudication_pending"}
BY_NEUTRALISE = {"neutral", "neutral_hold", "neutral_pending_hold"}
RUNNING = {"running", "deciding", "deciding_hold"}
HOLD = {"hold", "hold_pending"}
WINDOWS = {"ready"} | RUNNING | NEUTRAL | ADJUDICATION

ALLOWED: dict[str, set[str]] = {
    "press left": {"ready", "running", "hold", "out_play"} | NEUTRAL | ADJUDICATION,
    "press right": {"ready", "deciding", "deciding_hold", "hold_pending", "out_play"} | NEUTRAL | ADJUDICATION,
    "neutralise": RUNNING | HOLD,
    "neutralise reason=overdraw": RUNNING | HOLD,
    "reason reason=overdraw": BY_NEUTRALISE,
    "hold": {"running", "deciding", "out_play", "neutral"},
    "release": {"hold", "hold_pending", "neutral_hold", "neutral_pending", "neutral_pending_hold", "out_play"},
    "out_play": {"hold", "neutral", "neutral_hold"} | RUNNING,
    "not_out": {"out_play", "hold_pending", "neutral_pending", "neutral_pending_hold", "adjudication_pending"},
    "challenge": {"out_play"} | RUNNING | HOLD | (NEUTRAL - {"neutral_no_turn"}),
    "challenge left": {"out_play"} | RUNNING | HOLD | (NEUTRAL - {"neutral_no_turn"}),
    "challenge right": {"out_play", "adjudication"} | RUNNING | HOLD | (NEUTRAL - {"neutral_no_turn"}),
    "withdraw": ADJUDICATION,
    "withdraw by=director": ADJUDICATION,
    "verdict acceptable=true": ADJUDICATION,
    "verdict acceptable=false words=3": ADJUDICATION,
    "resume left": {"ready", "out_play"} | NEUTRAL | ADJUDICATION,
    "resume right": {"ready", "out_play"} | NEUTRAL | ADJUDICATION,
    "decide left": {"neutral", "neutral_hold"},
    "decide right": {"neutral", "neutral_hold"},
    "window name=mixing": WINDOWS | HOLD,
    "window name=missed_press": WINDOWS | HOLD,
    "window name=return_to_table": WINDOWS | HOLD,
    "window name=overdraw_decision": WINDOWS,
    "window name=tiles_returned right": WINDOWS,
    "window name=tile_decision left": WINDOWS,
    "window name=mixing left": set(),
    "window name=late_start": WINDOWS,
    "window name=courtesy_draw": set(),
    "window name=out_play": set(),
    "window name=recount": WINDOWS | {"over"},
    "window name=recount_warning": WINDOWS | {"over", "over_recounted"},
    "window name=between_rounds": WINDOWS | OVER,
    "window name=disconnected": {"over", "over_recounted"},
    "end reason=x": set(SITUATIONS) - OVER,
    "end reason=x loser=left": set(),
    "end reason=resignation": set(),
    "end reason=resignation loser=left": set(SITUATIONS) - OVER,
    "end reason=forfeit loser=right": set(SITUATIONS) - OVER,
    "reopen reason=x": OVER,
    "late_start left": {"ready"},
    "late_start right": {"ready"},
    "late_start both": {"ready"},
    "arrive left": LATE,
    "arrive right": {"late_both"},
    "adjust left seconds=60 when=now reason=x": set(SITUATIONS),
    "adjust right seconds=-60 when=end reason=x": set(SITUATIONS),
    "erase_overtime left reason=x": set(SITUATIONS) - {"over_at_limit"},
    "erase_overtime left to_seconds=-30 reason=x": set(SITUATIONS) - {"over_at_limit"},
    "points left points=-10 reason=x": set(SITUATIONS),
    "rulebook rulebook=naspa-2014 reason=x": {"ready"} | (NEUTRAL - {"neutral_pending", "neutral_pending_hold"}),
    "swap reason=x": {"ready"} | NEUTRAL,
    "call on=true": set(SITUATIONS),
    "call on=false": set(SITUATIONS),
    "infraction right": set(SITUATIONS) - OVER,
    "undo reason=x": set(SITUATIONS) - {"ready"},
    "undo reason=x event=1": set(),
    "undo reason=x by=players": set(SITUATIONS) - {"ready", "late", "late_both", "neutral_no_turn", "neutral_pending", "over_at_limit"},
    "adjust left seconds=60 when=now reason=x by=players": set(SITUATIONS),
    "adjust left seconds=60 when=end reason=x by=players": set(),
    "adjust left seconds=-60 when=now reason=x by=players": set(),
    "new_game rulebook=club": OVER | {"ready"},
}


# A cell of each table is an event in a situation, tried under one rulebook.
CELLS = list(product(SITUATIONS, ALLOWED))


@cache
def before(rulebook: str, situation: str) -> Told:
    """Return the game in the situation. Nothing changes it: it is a value."""
    return play(rulebook, *SITUATIONS[situation])


@pytest.mark.parametrize("rulebook", ["naspa-2017", "naspa-2012", "club"])
def test_an_event_is_allowed_exactly_where_the_table_says_and_else_changes_nothing(rulebook: str) -> None:
    # Its recount has started by itself.
    allowed = ALLOWED | ({"window name=recount": WINDOWS} if rulebook == "naspa-2012" else {})
    unreachable = {"club": "over_at_limit", "naspa-2012": "over_recounted"}.get(rulebook)
    for cell in each_cell(each for each in CELLS if each[0] != unreachable):
        with cell as (situation, event):
            stands = before(rulebook, situation)
            after = stands.then(f"5 {event}")
            assert (after.refused == ()) is (situation in allowed[event])
            if after.refused:
                assert after.record is stands.record
                assert after.face("5") == stands.face("5")


def test_a_club_game_has_no_overtime_limit_that_ends_it() -> None:
    assert before("club", "over_at_limit").states("5") == ("running", "left", "left")


NZ_DIFFERS = {
    "press left": ALLOWED["press left"] - {"out_play"},  # only once the 5 s are over
    **{event: set[str]() for event in ALLOWED if event.startswith("window ")},  # it has the out play's window only
    "withdraw": set[str](),  # only the director may (NZ 6.12.2.1)
    "withdraw by=director": ADJUDICATION,
    "adjust left seconds=60 when=now reason=x by=players": set[str](),
}


def test_new_zealand_refuses_other_windows_and_the_out_players_press_within_its_five_seconds() -> None:
    allowed = ALLOWED | NZ_DIFFERS
    for cell in each_cell(each for each in CELLS if each[0] not in ("over_at_limit", "over_recounted")):
        with cell as (situation, event):
            stands = before("nzasp-2022", situation)
            after = stands.then(f"5 {event}")
            assert (after.refused == ()) is (situation in allowed[event])
            if after.refused:
                assert after.record is stands.record


def test_the_situations_of_the_table_reach_every_phase() -> None:
    phases = {before("naspa-2017", situation).states("4")[0] for situation in SITUATIONS}
    assert phases == {"ready", "late", "running", "hold", "neutral", "out_play", "adjudication", "over"}
