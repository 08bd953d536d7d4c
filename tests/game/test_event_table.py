"""Events in the words of the script format, there and back, and in every situation a game can stand in (docs/spec/events.md)."""

import re
from decimal import Decimal
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game import events
from game.event_table import BY_NAME, KEYS, format_event, parse_by, parse_event, usual_maker
from game.exact_json import Malformed
from game.game import Phase
from game.script import BUTTONS
from hardware.boards import board
from rules.duration import NS, format_seconds, parse_instant
from rules.rulebooks import load_rulebook
from rules.side import BySide
from tests.cells import each_cell
from tests.firmware.any_event import REASONS, any_event
from tests.firmware.saying import RULEBOOKS, Script, play

AMOUNTS = st.integers(-(10**13), 10**13)
ALLOWANCES = st.none() | st.integers(0, 10**13)
NEW_GAMES = st.builds(
    lambda rulebook, left, right: events.NewGame(load_rulebook(rulebook), rulebook, BySide(left, right)),
    st.sampled_from(RULEBOOKS),
    ALLOWANCES,
    ALLOWANCES,
)
EVENTS: st.SearchStrategy[events.Event] = NEW_GAMES | any_event(REASONS, AMOUNTS, st.integers(1, 10**6))


@given(event=EVENTS, by=st.none() | st.sampled_from(events.By))
def test_every_event_comes_back_from_its_own_words_and_who_made_it_where_that_is_not_the_usual_one(
    event: events.Event, by: events.By | None
) -> None:
    words = format_event(event, by)
    assert parse_event(words, load_rulebook) == event
    assert (parse_by(words) or usual_maker(event)) is (by or usual_maker(event))
    assert ("by" in words) is (by is not None and by is not usual_maker(event))


@given(ns=st.integers(0, 10**15))
def test_an_instant_is_read_exactly_with_any_number_of_decimals_up_to_nine(ns: int) -> None:
    assert parse_instant(f"{ns // NS}.{ns % NS:09d}") == parse_instant(format_seconds(ns)) == ns


def test_an_instant_is_digits_with_at_most_nine_decimals() -> None:
    for cell in each_cell(["", ".5", "1.", "-1", "+1", "1e3", "1,5", "1.0000000001", "0x1", " 1", "1_0", "1.2.3", "NaN", "\u0661"]):
        with cell as text, pytest.raises(ValueError, match="expected seconds"):
            parse_instant(text)


MALFORMED: list[dict[str, Any]] = [
    {},
    {"do": None},
    {"do": ["press"]},
    {"do": "pres", "side": "left"},
    {"do": "press"},
    {"do": "press", "side": "middle"},
    {"do": "press", "side": None},
    {"do": "press", "side": "left", "when": "now"},
    {"do": "hold", "side": "left"},
    {"do": "neutralise", "reason": 5},
    {"do": "verdict"},
    {"do": "verdict", "acceptable": 1},
    {"do": "verdict", "acceptable": True, "words": 0},
    {"do": "window", "name": "tea_break"},
    {"do": "window"},
    {"do": "end", "reason": ""},
    {"do": "end", "reason": "a\nb"},
    {"do": "end", "reason": "x" * 201},
    {"do": "end", "reason": "forfeit", "loser": "both"},
    {"do": "points", "side": "left", "points": 0, "reason": "x"},
    {"do": "points", "side": "left", "points": 1001, "reason": "x"},
    {"do": "points", "side": "left", "points": Decimal("1.5"), "reason": "x"},
    {"do": "rulebook", "rulebook": "club"},
    {"do": "call", "on": 1},
    {"do": "window", "name": "missed_press", "ago": -1},
    {"do": "window", "name": "missed_press", "ago": Decimal("1.5")},
    {"do": "window", "name": "missed_press", "ago": True},
    {"do": "window", "name": "between_rounds", "seconds": 299},
    {"do": "window", "name": "between_rounds", "seconds": 601},
    {"do": "window", "name": "between_rounds", "seconds": Decimal("300.5")},
    {"do": "erase_overtime", "side": "left", "reason": "x", "to_seconds": 1},
    {"do": "erase_overtime", "side": "left", "reason": "x", "to_seconds": Decimal("-0.5")},
    {"do": "new_game", "rulebook": "naspa-2017", "edition": 2},
    {"do": "new_game", "rulebook": "naspa-2017", "edition": True},
    {"do": "late_start", "side": "none"},
    {"do": "adjust", "side": "left", "seconds": "60", "when": "now", "reason": "x"},
    {"do": "adjust", "side": "left", "seconds": True, "when": "now", "reason": "x"},
    {"do": "adjust", "side": "left", "seconds": 60, "when": "later", "reason": "x"},
    {"do": "adjust", "side": "left", "seconds": Decimal("0.0000000001"), "when": "now", "reason": "x"},
    {"do": "undo", "reason": "x", "event": "3"},
    {"do": "undo", "reason": "x", "event": True},
    {"do": "new_game", "rulebook": 2017},
    {"do": "new_game", "rulebook": "naspa-2017", "left_seconds": -1},
]


def test_what_is_not_of_the_format_is_malformed_and_said_in_one_line() -> None:
    for cell in each_cell(MALFORMED):
        with cell as fields:
            with pytest.raises(Malformed) as caught:
                parse_event(fields, load_rulebook)
            assert "\n" not in str(caught.value)
    for do, known in (("withdraw", "no other key"), ("verdict", "the keys acceptable, words")):
        with pytest.raises(Malformed, match=f"{do}: expected {known}, found 'side'"):
            parse_event({"do": do, "side": "left"}, load_rulebook)
    # Who makes an event is the players or the director.
    for made in each_cell(["both", "left", None, True, ["players"], ""]):
        with made as by, pytest.raises(Malformed, match="press: by"):
            parse_by({"do": "press", "side": "left", "by": by})


_SPEC = Path(__file__).parents[2] / "docs" / "spec" / "events.md"
_PHASE_WORDS = {each.value for each in Phase}
_PRINTED = ("show", "edge")
"""Lines of a script that are no events."""


def test_the_contract_lists_each_event_of_the_table_with_its_keys_and_phases() -> None:
    keys: dict[str, tuple[set[str], set[str]]] = {}
    phases: dict[str, set[str]] = {}
    name = ""
    for line in _SPEC.read_text(encoding="utf-8").split("| `do` and keys |")[1].split("\n\n")[0].splitlines()[2:]:
        form, allowed = line.strip("|").split("|")[:2]
        required, _, others = form.split("(not ")[0].partition("[")
        named = re.findall(r"`(\w+)`", required)
        if named:
            # A row without a name goes on with the one before.
            name = named[0]
            keys[name] = (set(named[1:]), set(re.findall(r"`(\w+)`", others)) & set(KEYS[BY_NAME[name].kind] if name in BY_NAME else ()))
        words = {word for word in re.findall(r"`(\w+)`", allowed) if word in _PHASE_WORDS}
        phases.setdefault(name, set()).update(_PHASE_WORDS - words if allowed.strip().startswith("all but") else words)
    assert [each for each in keys if each not in _PRINTED] == list(BY_NAME)
    for do, spec in BY_NAME.items():
        optional = {key for key, each in KEYS[spec.kind].items() if each.optional}
        assert keys[do] == (KEYS[spec.kind].keys() - optional, optional), do
        if len(spec.phases) < len(Phase):
            assert phases[do] == {phase.value for phase in spec.phases}, do


# --- every event in every situation, against a table written from docs/spec/events.md
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
    "over_by_out_play": ("1 press right", "2 out_play", "3 release"),
    "over_by_forfeit": ("1 press right", "2 end reason=forfeit loser=left"),
    "over_at_limit": ("1 press right", "2 adjust left seconds=-2200 when=now reason=x"),
}
OVER = {"over", "over_recounted", "over_by_out_play", "over_by_forfeit", "over_at_limit"}
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
    "not_out": {"out_play", "hold_pending", "neutral_pending", "neutral_pending_hold", "adjudication_pending", "over_by_out_play"},
    "challenge": {"out_play"} | RUNNING | HOLD | (NEUTRAL - {"neutral_no_turn"}),
    # The out player, LEFT, never challenges the own out play.
    "challenge left": (RUNNING | HOLD | (NEUTRAL - {"neutral_no_turn"})) - {"hold_pending", "neutral_pending", "neutral_pending_hold"},
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
    "window name=recount": WINDOWS | {"over", "over_by_out_play"},
    "window name=recount_warning": WINDOWS | {"over", "over_recounted", "over_by_out_play"},
    "window name=between_rounds": WINDOWS | OVER,
    "window name=disconnected": {"over", "over_recounted", "over_by_out_play"},
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
def before(rulebook: str, situation: str) -> Script:
    return play(rulebook, *SITUATIONS[situation])


DIFFERS: dict[str, dict[str, set[str]]] = {
    "naspa-2017": {},
    "naspa-2012": {"window name=recount": WINDOWS},  # it has started by itself
    "club": {},
    "nzasp-2022": {
        "press left": ALLOWED["press left"] - {"out_play"},  # only once the 5 s are over
        **{event: set() for event in ALLOWED if event.startswith("window ")},  # it has the out play's window only
        "withdraw": set(),  # only the director may (NZ 6.12.2.1)
        "adjust left seconds=60 when=now reason=x by=players": set(),
    },
}
UNREACHABLE = {"club": {"over_at_limit"}, "naspa-2012": {"over_recounted"}, "nzasp-2022": {"over_at_limit", "over_recounted"}}


@pytest.mark.parametrize("rulebook", DIFFERS)
def test_an_event_is_allowed_exactly_where_the_table_says_and_else_changes_nothing(rulebook: str) -> None:
    allowed = ALLOWED | DIFFERS[rulebook]
    for cell in each_cell(each for each in CELLS if each[0] not in UNREACHABLE.get(rulebook, ())):
        with cell as (situation, event):
            stands = before(rulebook, situation)
            after = stands.then(f"5 {event}")
            assert (after.refused == ()) is (situation in allowed[event])
            if after.refused:
                assert after.history is stands.history
                assert after.face("5") == stands.face("5")


def test_the_situations_of_the_table_reach_every_phase_but_no_limit_under_the_club() -> None:
    phases = {before("naspa-2017", situation).states("4")[0] for situation in SITUATIONS}
    assert phases == {each.value for each in Phase}
    # A club game has no overtime limit that ends it.
    assert before("club", "over_at_limit").states("5") == ("running", "left", "left")


def test_the_format_knows_the_buttons_that_a_game_asks_for_and_no_other() -> None:
    assert (*BUTTONS, *board.ASKING) == board.BUTTONS, "one list, written twice so that the core asks no hardware"
