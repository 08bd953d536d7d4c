"""The shipped rulebooks against a table read from the sources, apart from the files."""

import tomllib
from importlib import resources
from typing import Any, TypeAlias

import pytest

from rules.rulebooks import (
    DEFAULT_RULEBOOK,
    WINDOW_NAMES,
    OvertimeBand,
    OvertimeLimit,
    OvertimeRule,
    ReviewBy,
    Rulebook,
    load_rulebook,
    load_source,
    shipped_ids,
)
from rules.rulebooks.model import Minute, RestartRule

S = 1_000_000_000
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
TEN_REACHED = OvertimeLimit(-600, 100, "instead", recount=False, wins_by_one=True)  # 2012 V.F.3
TEN_EXCEEDED = OvertimeLimit(-601, 100, "instead", recount=False, wins_by_one=True)  # 2014 V.G, 2017 V.G.3

# id: limit, forfeit at s remaining, out play ends the game, recount by itself, turn lost, points a word, may withdraw, may concede, review, windows
Row: TypeAlias = tuple[OvertimeLimit | None, int, bool, bool, bool, int, bool, bool, ReviewBy | None, dict[str, int]]
EXPECTED: dict[str, Row] = {
    "naspa-2012": (TEN_REACHED, -1, True, True, True, 0, True, True, "judges", NASPA_2017_WINDOWS_S | {"overdraw_decision": 60}),
    "naspa-2014": (TEN_EXCEEDED, -1, True, True, True, 0, True, True, "judges", NASPA_2017_WINDOWS_S),
    "naspa-2014-collins-5": (TEN_EXCEEDED, -1, True, True, False, 5, True, True, "judges", NASPA_2017_WINDOWS_S),
    "naspa-2014-collins-10": (TEN_EXCEEDED, -1, True, True, False, 10, True, True, "judges", NASPA_2017_WINDOWS_S),
    "naspa-2017": (TEN_EXCEEDED, -1, True, False, True, 0, True, True, "judges", NASPA_2017_WINDOWS_S),
    "naspa-2017-collins-5": (TEN_EXCEEDED, -1, True, False, False, 5, True, True, "judges", NASPA_2017_WINDOWS_S),
    "naspa-2017-collins-10": (TEN_EXCEEDED, -1, True, False, False, 10, True, True, "judges", NASPA_2017_WINDOWS_S),
    "nzasp-2022": (None, 0, False, False, False, 5, False, False, "appeal", {"out_play": 5}),
    "club": (None, -1, True, False, False, 0, True, True, "judges", NASPA_2017_WINDOWS_S),
}


def _row(rulebook: Rulebook) -> Row:
    return (
        rulebook.limit,
        rulebook.forfeit_remaining_s,
        rulebook.out_play_ends_game,
        rulebook.recount_starts_itself,
        rulebook.challenge.acceptable_loses_turn,
        rulebook.challenge.points_a_word,
        rulebook.challenge.may_withdraw,
        rulebook.challenge.may_concede,
        rulebook.challenge.review,
        {name: ns // S for name, ns in rulebook.windows.items()},
    )


OF_TABLES = ("windows", "minutes")


def _raw(rulebook_id: str) -> dict[str, Any]:
    return tomllib.loads((resources.files("rules.rulebooks") / f"{rulebook_id}.toml").read_text())


def _rules(source: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Every table of a rulebook's file by its dotted name."""
    tables = {key: value for key, value in source.items() if isinstance(value, dict) and key not in OF_TABLES}
    return tables | {f"{key}.{name}": inner for key in OF_TABLES for name, inner in source.get(key, {}).items()}


# id: seated, uncovered will do, blank erased, new tile seen, at once where a player delays
RESTARTS: dict[str, tuple[bool, bool, bool, bool, bool]] = {
    "naspa-2012": (True, False, True, True, False),  # 2014 IV.J
    "naspa-2014": (True, False, True, True, False),  # IV.J
    "naspa-2014-collins-5": (True, False, True, True, False),  # IV.J: VI changes nothing but the points
    "naspa-2014-collins-10": (True, False, True, True, False),
    "naspa-2017": (True, False, True, True, True),  # IV.J.1.o
    "naspa-2017-collins-5": (False, False, False, False, False),  # VI.B.1
    "naspa-2017-collins-10": (False, False, False, False, False),
    "nzasp-2022": (True, True, False, False, False),  # 6.13.6
    "club": (True, False, True, True, True),
}


@pytest.mark.parametrize("rulebook_id", EXPECTED)
def test_what_must_be_so_before_the_clock_starts_again_is_what_the_source_says(rulebook_id: str) -> None:
    assert load_rulebook(rulebook_id).challenge.restart == RestartRule(*RESTARTS[rulebook_id])


def test_exactly_the_nine_rulebooks_are_shipped_with_the_default_first() -> None:
    assert set(shipped_ids()) == set(EXPECTED)
    assert shipped_ids()[0] == DEFAULT_RULEBOOK == "naspa-2017"


@pytest.mark.parametrize("rulebook_id", EXPECTED)
def test_every_value_of_a_shipped_rulebook_is_that_of_its_source(rulebook_id: str) -> None:
    assert _row(load_rulebook(rulebook_id)) == EXPECTED[rulebook_id]


@pytest.mark.parametrize("rulebook_id", EXPECTED)
def test_every_shipped_rulebook_gives_25_minutes_and_takes_10_points_for_each_minute_of_overtime_begun(rulebook_id: str) -> None:
    rulebook = load_rulebook(rulebook_id)
    assert rulebook.regulation_ns == 25 * 60 * S
    assert rulebook.overtime == OvertimeRule((OvertimeBand(0, 10, 60),), counts_completed=False, cap=None, zero_reading_free=True)


@pytest.mark.parametrize("rulebook_id", EXPECTED)
def test_no_shipped_rulebook_has_an_increment_a_delay_a_time_for_one_turn_a_longest_hold_or_a_forfeit_by_minutes(rulebook_id: str) -> None:
    rulebook = load_rulebook(rulebook_id)
    assert (rulebook.increment_ns, rulebook.delay_ns, rulebook.turn, rulebook.hold_maximum) == (0, 0, None, None)
    assert (rulebook.forfeit_late_ns, rulebook.challenge.points_a_challenge, rulebook.challenge.points_are) == (None, 0, "given")


@pytest.mark.parametrize("rulebook_id", EXPECTED)
def test_who_ends_a_game_by_six_zeros_or_a_resignation_and_who_starts_a_late_players_clock(rulebook_id: str) -> None:
    # 2014 V.B, 2017 V.B, NZ 8.1.3; 2017 III.C, NZ 4.2 (at the call that starts the game); 2017 I.B, of which NZ has nothing.
    rulebook = load_rulebook(rulebook_id)
    others = ("players", "director") if rulebook_id == "nzasp-2022" else ("director", "players")
    assert (rulebook.six_zeros_by, rulebook.late_started_by, rulebook.resignation_by) == ("players", *others)


@pytest.mark.parametrize("rulebook_id", EXPECTED)
def test_six_zeros_end_a_game_whatever_its_score_but_in_the_club_not_at_nothing_each(rulebook_id: str) -> None:
    # General rules, on the end: "and the score is not zero-zero". 2014 V.B, 2017 V.B and NZ 8.1.3 speak of no score.
    assert load_rulebook(rulebook_id).six_zeros_at_zero_score is (rulebook_id != "club")


@pytest.mark.parametrize("rulebook_id", EXPECTED)
def test_the_first_of_two_late_players_owes_the_time_at_the_end_but_in_new_zealand_starts_without_it(rulebook_id: str) -> None:
    # 2017 III.C; NZ 4.2.
    assert load_rulebook(rulebook_id).first_arrival_owes is (rulebook_id != "nzasp-2022")


@pytest.mark.parametrize("rulebook_id", EXPECTED)
def test_two_minutes_need_no_director_and_the_station_looks_again_but_in_new_zealand(rulebook_id: str) -> None:
    # 2017 IV.E.1, III.G.6; IV.J.1.n.
    rulebook, new_zealand = load_rulebook(rulebook_id), rulebook_id == "nzasp-2022"
    minutes = {} if new_zealand else {"clock_hit_in_error": Minute(60 * S, "players"), "wrong_board": Minute(60 * S, "players")}
    assert rulebook.minutes == minutes
    assert rulebook.second_opinion_here is not new_zealand


@pytest.mark.parametrize("rulebook_id", EXPECTED)
def test_a_first_word_off_the_centre_square_comes_off_when_challenged_but_in_new_zealand_which_has_no_such_clause(rulebook_id: str) -> None:
    # 2017 III.G.1.
    assert load_rulebook(rulebook_id).first_word_off_centre is (rulebook_id != "nzasp-2022")


@pytest.mark.parametrize("rulebook_id", EXPECTED)
def test_only_the_directors_recount_warning_is_not_the_players_and_two_decisions_start_a_clock(rulebook_id: str) -> None:
    rulebook, new_zealand = load_rulebook(rulebook_id), rulebook_id == "nzasp-2022"
    assert rulebook.directors_windows == (set() if new_zealand else {"recount_warning"})  # 2017 V.I
    assert rulebook.clock_windows == (set() if new_zealand else {"overdraw_decision", "tiles_returned"})  # 2017 IV.B.5.b, IV.B.2


@pytest.mark.parametrize("rulebook_id", EXPECTED)
def test_the_director_decides_on_a_minute_after_every_third_infraction_but_in_new_zealand(rulebook_id: str) -> None:
    # 2017 II.F; 2012 III.F.4, IV.H.1: after three corrections.
    assert load_rulebook(rulebook_id).infractions_a_minute == (None if rulebook_id == "nzasp-2022" else 3)


@pytest.mark.parametrize("rulebook_id", EXPECTED)
def test_a_shipped_rulebook_has_the_id_of_its_file_so_that_a_journal_finds_it_again(rulebook_id: str) -> None:
    assert load_rulebook(rulebook_id).id == rulebook_id


def test_the_windows_of_a_rulebook_cannot_be_changed_by_who_loaded_it() -> None:
    windows: Any = load_rulebook("club").windows
    with pytest.raises(TypeError):
        windows["out_play"] = 1


def test_the_default_rulebook_has_every_window_that_there_is() -> None:
    assert set(load_rulebook(DEFAULT_RULEBOOK).windows) == set(WINDOW_NAMES)


@pytest.mark.parametrize("rulebook_id", EXPECTED)
def test_what_is_assumed_has_the_value_and_clause_of_a_rulebook_that_does_not_itself_assume_it(rulebook_id: str) -> None:
    for name, rule in _rules(_raw(rulebook_id)).items():
        if "assumed" in rule:
            assert _rules(_raw(rule["assumed"]))[name] == {key: value for key, value in rule.items() if key != "assumed"}, name


@pytest.mark.parametrize("rulebook_id", ["naspa-2017", "naspa-2017-collins-5", "naspa-2017-collins-10", "nzasp-2022"])
def test_the_full_codes_assume_nothing_but_that_new_zealand_does_not_speak_of_the_reading_below_zero(rulebook_id: str) -> None:
    assumed = ["grace"] if rulebook_id == "nzasp-2022" else []  # NZ 8.4
    assert [name for name, rule in _rules(_raw(rulebook_id)).items() if "assumed" in rule] == assumed


def test_the_club_takes_everything_but_the_challenge_and_six_zeros_from_other_rulebooks_as_its_source_leaves_it_to_the_club() -> None:
    assert [name for name, rule in _rules(_raw("club")).items() if "assumed" not in rule] == ["six_zeros", "challenge"]


@pytest.mark.parametrize("rulebook_id", ["naspa-2017-collins-5", "naspa-2017-collins-10"])
def test_a_collins_variant_says_only_its_names_its_challenge_rule_and_when_the_clock_starts_again(rulebook_id: str) -> None:
    assert set(_raw(rulebook_id)) == {"extends", "id", "title", "summary", "challenge", "restart"}
    assert load_source(rulebook_id).windows == load_source("naspa-2017").windows


@pytest.mark.parametrize("rulebook_id", ["naspa-2014-collins-5", "naspa-2014-collins-10"])
def test_a_collins_variant_of_2014_says_only_its_names_and_what_an_unsuccessful_challenge_costs(rulebook_id: str) -> None:
    # 2014 VI: "special rules may be announced concerning unsuccessful challenges".
    assert set(_raw(rulebook_id)) == {"extends", "id", "title", "summary", "challenge"}
    assert load_source(rulebook_id).restart == load_source("naspa-2014").restart
