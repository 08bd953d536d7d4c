import re
import tomllib
from functools import partial
from importlib import resources
from operator import attrgetter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.rulebooks import (
    DEFAULT_RULEBOOK,
    WINDOW_NAMES,
    OvertimeBand,
    OvertimeLimit,
    OvertimeRule,
    load_rulebook,
    load_source,
    shipped_ids,
)
from rules.rulebooks.model import Minute, RestartRule, ResultRule
from tests.cells import each_cell

# --- overtime: by the begun or the completed period, in bands, up to a cap, and with or without the free reading -0:00
S = 1_000_000_000
TEN_A_MINUTE = (OvertimeBand(0, 10, 60),)
BANDS = (OvertimeBand(0, 5, 60), OvertimeBand(120, 10, 30))


rule = partial(OvertimeRule, TEN_A_MINUTE, counts_completed=False, cap=None, zero_reading_free=True)
banded = partial(OvertimeRule, BANDS, counts_completed=False, cap=None, zero_reading_free=True)

# The rule, the remaining ns, the points.
COSTS = [
    (rule(), 1, 0),
    (rule(), 0, 0),
    (rule(), -1, 0),  # -0:00
    (rule(), -S + 1, 0),
    (rule(), -S, 10),  # -0:01 (2017 V.G.2)
    (rule(), -61 * S + 1, 10),  # -1:00
    (rule(), -61 * S, 20),  # -1:01
    (rule(zero_reading_free=False), 0, 0),
    (rule(zero_reading_free=False), -1, 10),  # -0:00
    (rule(zero_reading_free=False), -60 * S + 1, 10),  # -0:59, the sixtieth second
    (rule(zero_reading_free=False), -60 * S, 20),  # -1:00, the sixty-first
    (rule(counts_completed=True), -60 * S + 1, 0),
    (rule(counts_completed=True), -60 * S, 10),
    (rule(counts_completed=True), -119 * S, 10),
    (rule(counts_completed=True), -120 * S, 20),
    (rule(counts_completed=True, zero_reading_free=False), -60 * S + 1, 0),
    (rule(counts_completed=True, zero_reading_free=False), -60 * S, 10),
    (banded(), -S, 5),
    (banded(), -120 * S, 10),
    (banded(), -121 * S, 20),
    (banded(), -151 * S, 30),
    (banded(counts_completed=True), -149 * S, 10),
    (banded(counts_completed=True), -150 * S, 20),
    (rule(cap=15), -S, 10),
    (rule(cap=15), -61 * S, 15),
    (rule(cap=0), -600 * S, 0),
]


def test_overtime_costs_what_the_rule_says() -> None:
    for cell in each_cell(COSTS):
        with cell as (overtime, remaining, points):
            assert overtime.penalty(remaining) == points


RULES = st.builds(
    OvertimeRule,
    st.sampled_from([TEN_A_MINUTE, BANDS]),
    counts_completed=st.booleans(),
    cap=st.none() | st.integers(0, 100),
    zero_reading_free=st.booleans(),
)


@given(RULES, st.integers(-(10**12), 10**12), st.integers(0, 10**11))
def test_less_time_never_costs_less(overtime: OvertimeRule, remaining: int, fewer: int) -> None:
    assert overtime.penalty(remaining - fewer) >= overtime.penalty(remaining) >= 0


# --- the shipped rulebooks
NASPA_2017_WINDOWS_S = {
    "courtesy_draw": 15,  # IV.I.2
    "out_play": 20,  # V.E
    "missed_press": 20,  # IV.G.2.a
    "return_to_table": 5,  # IV.L
    "overdraw_decision": 15,  # IV.B.5.b
    "tiles_returned": 15,  # IV.B.2
    "tile_decision": 60,  # IV.B.7-9, IV.E.2.b, IV.L
    "mixing": 10,  # IV.B.1
    "recount": 60,  # V.I
    "recount_warning": 60,  # V.I
    "late_start": 300,  # III.C
    "between_rounds": 600,  # III.C
    "disconnected": 20,  # III.G.5.7
}
TEN_REACHED = OvertimeLimit(-600, 100, "instead", recount=False, wins_by=1)  # 2012 V.F.3
TEN_REACHED_BY_A_HUNDRED = OvertimeLimit(-600, 100, "instead", recount=True, wins_by=100)  # WESPA 5.3.3, 5.5.1
TEN_EXCEEDED = OvertimeLimit(-601, 100, "instead", recount=False, wins_by=1)  # 2014 V.G, 2017 V.G.3

# What a shipped rulebook has unless it says otherwise below; the clauses are those of 2017.
COMMON: dict[str, Any] = {
    # Each side has 25 minutes, and 10 points are taken for each minute of overtime begun.
    "regulation_ns": 25 * 60 * S,
    "overtime": OvertimeRule((OvertimeBand(0, 10, 60),), counts_completed=False, cap=None, zero_reading_free=True),
    # No shipped rulebook has an increment, a delay, a time for one turn, a longest hold or a forfeit by minutes.
    "increment_ns": 0,
    "delay_ns": 0,
    "turn": None,
    "hold_maximum": None,
    "forfeit_late_ns": None,
    "challenge.points_a_challenge": 0,
    "challenge.points_are": "given",
    "six_zeros_by": "players",  # 2014 V.B, 2017 V.B, NZ 8.1.3
    "limit": TEN_EXCEEDED,
    "forfeit_remaining_s": -1,
    "out_play_ends_game": True,
    "recount_starts_itself": False,
    "challenge.acceptable_loses_turn": True,
    "challenge.points_a_word": 0,
    "challenge.may_withdraw": True,
    "challenge.may_concede": True,
    "challenge.review": "judges",
    "challenge.restart": RestartRule(seated=True, uncovered=False, blank_erased=True, tile_seen=True, delay=True),  # IV.J.1.o
    "windows": {name: s * S for name, s in NASPA_2017_WINDOWS_S.items()},
    "directors_windows": {"recount_warning"},  # V.I
    "clock_windows": {"overdraw_decision", "tiles_returned"},  # IV.B.5.b, IV.B.2
    "late_started_by": "director",
    "both_absent": "owed",  # III.C
    "late_forfeits_below_ns": None,
    "draw_from_press": False,  # IV.I.2
    "resignation_by": "players",  # I.B
    "six_zeros_at_zero_score": True,
    "minutes": {"clock_hit_in_error": Minute(60 * S, "players"), "wrong_board": Minute(60 * S, "players")},  # IV.E.1, III.G.6
    "second_opinion_here": True,  # IV.J.1.n
    "first_word_off_centre": True,  # III.G.1
    "result": ResultRule(forfeit_spread=50, forfeit_score="none", leaving_margin=50, bonus_words=False),  # V.K
    "infractions_a_minute": 3,  # II.F; 2012 III.F.4, IV.H.1: after three corrections
}
OF_2014 = {
    "recount_starts_itself": True,
    "challenge.restart": RestartRule(seated=True, uncovered=False, blank_erased=True, tile_seen=True, delay=False),  # IV.J
}
NO_RESTART = RestartRule(seated=False, uncovered=False, blank_erased=False, tile_seen=False, delay=False)


def _collins(points: int) -> dict[str, Any]:
    return {"challenge.acceptable_loses_turn": False, "challenge.points_a_word": points}


WESPA: dict[str, Any] = _collins(5) | {
    "limit": TEN_REACHED_BY_A_HUNDRED,
    "forfeit_remaining_s": 0,  # 2.3.5
    "late_forfeits_below_ns": 15 * 60 * S,  # 2.3.4
    "draw_from_press": True,  # 3.10.6
    "out_play_ends_game": False,  # 5.1.3
    "windows": {
        "courtesy_draw": 30 * S,  # 3.10.6
        "out_play": 5 * S,  # 5.1.3
        "overdraw_decision": 15 * S,  # 3.9.5
        "tiles_returned": 15 * S,  # 3.9.12
        "tile_decision": 60 * S,  # 3.13.2
    },
    "directors_windows": set(),
    "challenge.may_withdraw": False,  # 3.10.8
    "challenge.may_concede": False,  # 3.10.8
    "challenge.review": "director",  # 3.10.9
    "challenge.restart": RestartRule(
        seated=True, uncovered=False, blank_erased=False, tile_seen=False, delay=False, own_rack=True, score_announced=True
    ),  # 3.11
    "minutes": {},
    "both_absent": "left",  # 2.3.2
    "resignation_by": "director",  # 5.7
    "result": ResultRule(forfeit_spread=100, forfeit_score="none", leaving_margin=50, bonus_words=False),  # 2.3.6, 5.7
    "infractions_a_minute": None,
}
OWN: dict[str, dict[str, Any]] = {
    "naspa-2012": OF_2014 | {"limit": TEN_REACHED, "windows": COMMON["windows"] | {"overdraw_decision": 60 * S}},
    "naspa-2014": OF_2014,
    # VI changes nothing but the points.
    "naspa-2014-collins-5": OF_2014 | _collins(5),
    "naspa-2014-collins-10": OF_2014 | _collins(10),
    "naspa-2017": {},
    # VI.B.1
    "naspa-2017-collins-5": _collins(5) | {"challenge.restart": NO_RESTART},
    "naspa-2017-collins-10": _collins(10) | {"challenge.restart": NO_RESTART},
    "nzasp-2022": _collins(5)
    | {
        "limit": None,
        "forfeit_remaining_s": 0,
        "out_play_ends_game": False,
        "windows": {"out_play": 5 * S},
        "challenge.may_withdraw": False,
        "challenge.may_concede": False,
        "challenge.review": "appeal",
        # 6.13.6
        "challenge.restart": RestartRule(seated=True, uncovered=True, blank_erased=False, tile_seen=False, delay=False),
        "directors_windows": set(),
        "clock_windows": set(),
        "minutes": {},
        "second_opinion_here": False,
        # 4.2: at the call that starts the game; of a resignation it has nothing.
        "late_started_by": "players",
        "both_absent": "left",
        "resignation_by": "director",
        "result": ResultRule(forfeit_spread=50, forfeit_score="average", leaving_margin=None, bonus_words=True),  # 9.2, 10
        "first_word_off_centre": False,
        "infractions_a_minute": None,
    },
    "wespa-2021": WESPA,
    "wespa-2021-10": WESPA | _collins(10),
    "wespa-2021-turn-5": WESPA | _collins(0) | {"challenge.points_a_challenge": 5},
    "wespa-2021-turn-10": WESPA | _collins(0) | {"challenge.points_a_challenge": 10},
    "wespa-2021-double": WESPA | {"challenge.acceptable_loses_turn": True, "challenge.points_a_word": 0},
    "wespa-2021-free": WESPA | _collins(0),
    # General rules, on the end: "and the score is not zero-zero". 2014 V.B, 2017 V.B and NZ 8.1.3 speak of no score.
    "club": _collins(0) | {"limit": None, "six_zeros_at_zero_score": False},
}


@pytest.mark.parametrize("rulebook_id", OWN)
def test_every_value_of_a_shipped_rulebook_is_that_of_its_source_or_of_the_one_it_assumes(rulebook_id: str) -> None:
    rulebook = load_rulebook(rulebook_id)
    assert rulebook.id == rulebook_id, "so that a journal finds it again"
    expected = COMMON | OWN[rulebook_id]
    assert {name: attrgetter(name)(rulebook) for name in expected} == expected
    # What is assumed has the value and clause of a rulebook that assumes it from no other one.
    for name, (value, clause, assumed) in _cited(rulebook_id).items():
        if assumed not in (None, rulebook_id):
            assert _cited(assumed)[name] in ((value, clause, None), (value, clause, assumed)), name


CODES = {
    "naspa-2012": "2012",
    "naspa-2014": "2014",
    "naspa-2017": "2017",
    "nzasp-2022": "NZ",
    "wespa-2021": "WESPA",
    "club": "general rules",
}


@pytest.mark.parametrize("rulebook_id", OWN)
def test_each_value_has_a_clause_of_its_own_source_or_of_the_one_that_it_is_assumed_from(rulebook_id: str) -> None:
    for name, (_, clause, assumed) in _cited(rulebook_id).items():
        (code,) = (code for prefix, code in CODES.items() if (assumed or rulebook_id).startswith(prefix))
        assert set(re.findall(r"\b(?:20\d\d|NZ|WESPA|general rules)\b", clause)) == {code}, name


def test_exactly_these_rulebooks_are_shipped_with_the_default_first() -> None:
    assert set(shipped_ids()) == set(OWN)
    assert shipped_ids()[0] == DEFAULT_RULEBOOK == "naspa-2017"
    assert set(load_rulebook(DEFAULT_RULEBOOK).windows) == set(WINDOW_NAMES)
    # The windows of a rulebook cannot be changed by who loaded it.
    windows: Any = load_rulebook("club").windows
    with pytest.raises(TypeError):
        windows["out_play"] = 1
    # The club takes all but these from other rulebooks, as its source leaves it to the club.
    own = ["six_zeros.at_zero_score", "challenge.acceptable_loses_turn", "challenge.points_a_word"]
    assert [name for name, (_, _, assumed) in _cited("club").items() if assumed is None] == own


OF_TABLES = ("windows", "minutes")


def _raw(rulebook_id: str) -> dict[str, Any]:
    return tomllib.loads((resources.files("rules.rulebooks") / f"{rulebook_id}.toml").read_text())


def _rules(source: dict[str, Any]) -> dict[str, dict[str, Any]]:
    tables = {key: value for key, value in source.items() if isinstance(value, dict) and key not in OF_TABLES}
    return tables | {f"{key}.{name}": inner for key in OF_TABLES for name, inner in source.get(key, {}).items()}


def _cited(rulebook_id: str) -> dict[str, tuple[Any, str, str | None]]:
    """Return each value that a shipped file writes, with its clause and what it is assumed from."""
    cited = {}
    for table, rule in _rules(_raw(rulebook_id)).items():
        values = {key: value for key, value in rule.items() if key not in ("clause", "assumed")}
        for key, value in values.items():
            clause, assumed = (of.get(key) if isinstance(of, dict) else of for of in (rule["clause"], rule.get("assumed")))
            assert isinstance(clause, str)
            cited[f"{table}.{key}"] = (value, clause, assumed)
    return cited


def test_what_the_full_codes_assume() -> None:
    full = ("naspa-2017", "naspa-2017-collins-5", "naspa-2017-collins-10", "nzasp-2022", "wespa-2021")
    assert {(name, assumed) for code in full for name, (_, _, assumed) in _cited(code).items() if assumed} == {
        # III.G.6 gives the minute and names nobody who grants it; IV.E.1 names the opponent.
        ("minutes.wrong_board.by", "naspa-2017"),
        # New Zealand does not speak of the reading below zero (8.4), nor of a resignation.
        ("grace.zero_reading_free", "naspa-2017"),
        ("end.resignation", "wespa-2021"),
        # WESPA knows no bonus words, and does not say so.
        ("result.bonus_words", "naspa-2017"),
    }


def test_a_collins_variant_says_only_its_names_its_challenge_rule_and_when_the_clock_starts_again() -> None:
    # 2014 VI: "special rules may be announced concerning unsuccessful challenges".
    for base, says in (("naspa-2017", {"restart"}), ("naspa-2014", set())):
        for rulebook_id in (f"{base}-collins-5", f"{base}-collins-10"):
            assert set(_raw(rulebook_id)) == {"extends", "id", "title", "summary", "challenge"} | says
            assert load_source(rulebook_id).windows == load_source(base).windows
            assert (load_source(rulebook_id).restart == load_source(base).restart) is not bool(says)
