"""Rulebooks by id and by path: a director's own file, whole or extending a shipped one, and the check of those that the settings name."""

from pathlib import Path

import pytest

from appliance.finding import State
from rules.rulebooks import OvertimeBand, OvertimeLimit, OvertimeRule, load_rulebook, shipped_ids
from rules.rulebooks.load import check_rulebooks
from rules.rulebooks.model import HoldMaximum, Minute, TurnLimit
from tests.rules.rulebooks.own_files import OWN, refusal, shipped_text, written

S = 1_000_000_000


def test_a_copy_of_a_rulebook_is_played_by_path_and_read_anew_each_time(tmp_path: Path) -> None:
    # With a price of ten a word.
    text = shipped_text("club").replace('id = "club"', 'id = "ours"').replace("points_a_word = 0", "points_a_word = 10")
    rulebook = load_rulebook(written(tmp_path, text))
    assert (rulebook.id, rulebook.challenge.points_a_word) == ("ours", 10)
    # A file is read anew each time, so that a mended one counts.
    path = written(tmp_path, f'extends = "club"\n{OWN}[regulation]\ntime = "22:00"\nclause = "ours"\n')
    assert load_rulebook(path).regulation_ns == 22 * 60 * S
    written(tmp_path, f'extends = "club"\n{OWN}[regulation]\ntime = "20:30"\nclause = "ours"\n')
    assert load_rulebook(path).regulation_ns == (20 * 60 + 30) * S


def test_a_file_that_extends_overrides_whole_tables_and_single_windows_and_keeps_the_rest(tmp_path: Path) -> None:
    text = f'extends = "naspa-2017-collins-5"\n{OWN}[limit]\nreading = "none"\nclause = "ours"\n[windows.mixing]\nseconds = 7\nclause = "ours"\n'
    base, rulebook = load_rulebook("naspa-2017-collins-5"), load_rulebook(written(tmp_path, text))
    assert rulebook.limit is None
    assert rulebook.windows == dict(base.windows) | {"mixing": 7 * S}
    assert (rulebook.challenge, rulebook.regulation_ns) == (base.challenge, base.regulation_ns)
    # It takes conceding and the review from its base.
    challenge = load_rulebook(written(tmp_path, f'extends = "nzasp-2022"\n{OWN}')).challenge
    assert (challenge.may_concede, challenge.review) == (False, "appeal")


def test_a_whole_file_without_the_tables_that_later_editions_brought_has_their_defaults(tmp_path: Path) -> None:
    # It has no conceding, no review and no restart.
    tables = shipped_text("naspa-2017").split("\n\n")
    old = "\n\n".join(table for table in tables if not table.startswith(("[concession]", "[review]", "[restart]")))
    challenge = load_rulebook(written(tmp_path, old)).challenge
    assert (challenge.may_withdraw, challenge.may_concede, challenge.review, challenge.restart) == (True, False, None, None)
    # A whole file without the tables that later editions brought has their defaults.
    brought = ("[grace]", "[late]", "[end]", "[six_zeros]", "[minutes.", "[second_opinion]", "[first_word]", "[windows.disconnected]")
    tables = shipped_text("naspa-2017").split("\n\n")
    rulebook = load_rulebook(written(tmp_path, "\n\n".join(table for table in tables if not table.startswith(brought))))
    assert (rulebook.overtime, rulebook.late_started_by) == (load_rulebook("naspa-2017").overtime, "director")
    assert rulebook.first_arrival_owes
    assert (rulebook.six_zeros_by, rulebook.resignation_by, rulebook.six_zeros_at_zero_score) == ("players", "director", True)
    assert (rulebook.minutes, rulebook.second_opinion_here, rulebook.first_word_off_centre) == ({}, False, False)


def test_an_own_file_takes_what_other_codes_of_rules_need(tmp_path: Path) -> None:
    own = """
[regulation]
time = "20:00"
increment_seconds = 10
[turn]
seconds = 120
warnings = [30, 10]
[overtime]
bands = [{from_seconds = 0, points = 5, period_seconds = 60}, {from_seconds = 300, points = 10, period_seconds = 30}]
count = "completed"
cap = 200
[grace]
zero_reading_free = false
[limit]
reading = "-15:00"
penalty = 50
charge = "beside"
recount = true
wins_by_one = false
[forfeit]
minutes_late = 15
[late]
starts = "players"
both_absent = "left"
[hold]
maximum_seconds = 90
at_maximum = "release"
[challenge]
acceptable_loses_turn = false
points_a_word = 0
points_a_challenge = 10
points_are = "taken"
[minutes.wrong_board]
seconds = 30
by = "director"
[end]
six_zeros = "never"
resignation = "players"
[six_zeros]
at_zero_score = true
[second_opinion]
here = false
[first_word]
off_centre_comes_off = false
[windows.tile_decision]
seconds = 30
by = "director"
starts_clock = true
"""
    tables = own.strip().replace("\n[", '\nclause = "ours"\n[')
    rulebook = load_rulebook(written(tmp_path, f'extends = "club"\n{OWN}{tables}\nclause = "ours"\n'))
    assert (rulebook.regulation_ns, rulebook.increment_ns, rulebook.delay_ns) == (1200 * S, 10 * S, 0)
    assert rulebook.turn == TurnLimit(120 * S, (30 * S, 10 * S))
    assert rulebook.overtime == OvertimeRule(
        (OvertimeBand(0, 5, 60), OvertimeBand(300, 10, 30)), counts_completed=True, cap=200, zero_reading_free=False
    )
    assert rulebook.limit == OvertimeLimit(-900, 50, "beside", recount=True, wins_by=0)
    assert (rulebook.forfeit_late_ns, rulebook.late_started_by, rulebook.first_arrival_owes) == (900 * S, "players", False)
    assert rulebook.hold_maximum == HoldMaximum(90 * S, releases=True)
    assert (rulebook.challenge.points_a_challenge, rulebook.challenge.points_are) == (10, "taken")
    assert rulebook.minutes == {"clock_hit_in_error": Minute(60 * S, "players"), "wrong_board": Minute(30 * S, "director")}
    assert (rulebook.six_zeros_by, rulebook.resignation_by, rulebook.second_opinion_here) == ("never", "players", False)
    assert rulebook.six_zeros_at_zero_score
    assert not rulebook.first_word_off_centre
    assert rulebook.directors_windows == {"recount_warning", "tile_decision"}
    assert rulebook.clock_windows == {"overdraw_decision", "tiles_returned", "tile_decision"}


def test_an_unknown_id_is_told_with_all_known_ones_and_the_nearest() -> None:
    error = refusal("naspa-2071")
    assert (error.found, error.remedy) == ('"naspa-2071"', "Did you mean naspa-2017?")
    assert all(each in error.expected for each in shipped_ids())


@pytest.mark.parametrize("path", ["nowhere/ours.toml", "ours.toml", "./ours", "/", "nul\0.toml"])
def test_a_path_that_is_no_readable_file_is_told_with_the_path(path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert path.partition("\0")[0] in refusal(path).where


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"id = \xff", "text in UTF-8"),
        (b"id = ", "TOML"),
        (b"x = " + b"[" * 5000, "TOML with tables two deep at most"),
        (b"x = " + b"1" * 5000, "TOML"),
    ],
)
def test_a_file_that_is_no_toml_is_told_with_its_name(content: bytes, expected: str, tmp_path: Path) -> None:
    file = tmp_path / "ours.toml"
    file.write_bytes(content)
    error = refusal(str(file))
    assert (error.where, error.expected) == (str(file), expected)


def test_the_shipped_rulebooks_are_sound_and_each_that_cannot_be_used_is_a_failure_of_its_own(tmp_path: Path) -> None:
    (finding,) = check_rulebooks("naspa-2017", ())
    assert finding.state is State.OK
    assert finding.found.startswith(f"{len(shipped_ids())} shipped, 0 own; the settings name ")
    # Each rulebook that cannot be used is a failure of its own.
    own = tmp_path / "own.toml"
    own.write_text("no_such_key = 1\n")
    findings = list(check_rulebooks("naspa-1999", (str(own),)))
    assert [finding.name for finding in findings] == ["rulebook naspa-1999", f"rulebook {own}"]
    assert {finding.state for finding in findings} == {State.FAIL}
    assert 'found "naspa-1999"' in findings[0].found
    assert "no_such_key" in findings[1].found
