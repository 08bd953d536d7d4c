"""The shipped rulebooks against a table read from the sources, apart from the files."""

import tomllib
from importlib import resources
from typing import Any, TypeAlias

import pytest

from rules.rulebooks import DEFAULT_RULEBOOK, WINDOW_NAMES, OvertimeLimit, ReviewBy, Rulebook, load_rulebook, load_source, shipped_ids
from rules.rulebooks.model import RestartRule

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
}
TEN_REACHED = OvertimeLimit(reading_s=-600, penalty=100)  # 2012 V.F.3
TEN_EXCEEDED = OvertimeLimit(reading_s=-601, penalty=100)  # 2014 V.G, 2017 V.G.3

# id: limit, forfeit at s remaining, out play ends the game, recount by itself, turn lost, points a word, may withdraw, may concede, review, windows
Row: TypeAlias = tuple[OvertimeLimit | None, int, bool, bool, bool, int, bool, bool, ReviewBy | None, dict[str, int]]
EXPECTED: dict[str, Row] = {
    "naspa-2012": (TEN_REACHED, -1, True, True, True, 0, True, True, "judges", NASPA_2017_WINDOWS_S | {"overdraw_decision": 60}),
    "naspa-2014": (TEN_EXCEEDED, -1, True, True, True, 0, True, True, "judges", NASPA_2017_WINDOWS_S),
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


def _raw(rulebook_id: str) -> dict[str, Any]:
    return tomllib.loads((resources.files("rules.rulebooks") / f"{rulebook_id}.toml").read_text())


def _rules(source: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Every table of a rulebook's file by its dotted name."""
    tables = {key: value for key, value in source.items() if isinstance(value, dict) and key != "windows"}
    return tables | {f"windows.{name}": window for name, window in source.get("windows", {}).items()}


# id: seated, uncovered will do, blank erased, new tile seen, at once where a player delays
RESTARTS: dict[str, tuple[bool, bool, bool, bool, bool]] = {
    "naspa-2012": (True, False, True, True, False),  # 2014 IV.J
    "naspa-2014": (True, False, True, True, False),  # IV.J
    "naspa-2017": (True, False, True, True, True),  # IV.J.1.o
    "naspa-2017-collins-5": (False, False, False, False, False),  # VI.B.1
    "naspa-2017-collins-10": (False, False, False, False, False),
    "nzasp-2022": (True, True, False, False, False),  # 6.13.6
    "club": (True, False, True, True, True),
}


@pytest.mark.parametrize("rulebook_id", EXPECTED)
def test_what_must_be_so_before_the_clock_starts_again_is_what_the_source_says(rulebook_id: str) -> None:
    assert load_rulebook(rulebook_id).challenge.restart == RestartRule(*RESTARTS[rulebook_id])


def test_exactly_the_seven_rulebooks_are_shipped_with_the_default_first() -> None:
    assert set(shipped_ids()) == set(EXPECTED)
    assert shipped_ids()[0] == DEFAULT_RULEBOOK == "naspa-2017"


@pytest.mark.parametrize("rulebook_id", EXPECTED)
def test_every_value_of_a_shipped_rulebook_is_that_of_its_source(rulebook_id: str) -> None:
    assert _row(load_rulebook(rulebook_id)) == EXPECTED[rulebook_id]


@pytest.mark.parametrize("rulebook_id", EXPECTED)
def test_every_shipped_rulebook_gives_25_minutes_and_takes_10_points_for_each_minute_of_overtime_begun(rulebook_id: str) -> None:
    rulebook = load_rulebook(rulebook_id)
    assert rulebook.regulation_ns == 25 * 60 * S
    assert (rulebook.overtime_points, rulebook.overtime_period_s) == (10, 60)


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
def test_the_full_codes_assume_nothing(rulebook_id: str) -> None:
    assert not [name for name, rule in _rules(_raw(rulebook_id)).items() if "assumed" in rule]


def test_the_club_takes_everything_but_the_challenge_from_other_rulebooks_as_its_source_leaves_it_to_the_club() -> None:
    assert [name for name, rule in _rules(_raw("club")).items() if "assumed" not in rule] == ["challenge"]


@pytest.mark.parametrize("rulebook_id", ["naspa-2017-collins-5", "naspa-2017-collins-10"])
def test_a_collins_variant_says_only_its_names_its_challenge_rule_and_when_the_clock_starts_again(rulebook_id: str) -> None:
    assert set(_raw(rulebook_id)) == {"extends", "id", "title", "summary", "challenge", "restart"}
    assert load_source(rulebook_id).windows == load_source("naspa-2017").windows
