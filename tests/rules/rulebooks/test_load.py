import contextlib
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st
from msgspec.inspect import DictType, StructType, Type, UnionType, type_info

from appliance.errors import State
from faults.validation import InvalidTable
from rules.rulebooks import OvertimeBand, OvertimeLimit, OvertimeRule, RulebookError, load_rulebook, shipped_ids
from rules.rulebooks.load import check_rulebooks
from rules.rulebooks.model import HoldMaximum, Minute, ResultRule, TurnLimit
from rules.rulebooks.schema import RulebookSource
from tests.cells import each_cell
from tests.rules.rulebooks.own_files import OWN, refusal, shipped_text, written

S = 1_000_000_000


def test_a_copy_of_a_rulebook_is_played_by_path_and_read_anew_each_time(tmp_path: Path) -> None:
    # With a price of ten a word.
    text = shipped_text("club").replace('id = "club"', 'id = "ours"').replace("points_a_word = 0", "points_a_word = 10")
    rulebook = load_rulebook(written(tmp_path, text))
    assert (rulebook.id, rulebook.challenge.points_a_word) == ("ours", 10)
    # A file is read anew each time, so that a corrected one counts.
    for time, seconds in (("22:00", 1320), ("20:30", 1230)):
        path = written(tmp_path, f'extends = "club"\n{OWN}[regulation]\ntime = "{time}"\nclause = "ours"\n')
        assert load_rulebook(path).regulation_ns == seconds * S


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
    tables = shipped_text("naspa-2017").split("\n\n")
    # It has no conceding, no review and no restart.
    old = "\n\n".join(table for table in tables if not table.startswith(("[concession]", "[review]", "[restart]")))
    challenge = load_rulebook(written(tmp_path, old)).challenge
    assert (challenge.may_withdraw, challenge.may_concede, challenge.review, challenge.restart) == (True, False, None, None)
    # Of the others it has the defaults.
    brought = (
        "[grace]",
        "[late]",
        "[end]",
        "[six_zeros]",
        "[minutes.",
        "[second_opinion]",
        "[first_word]",
        "[result]",
        "[result.clause]",
        "[windows.disconnected]",
    )
    rulebook = load_rulebook(written(tmp_path, "\n\n".join(table for table in tables if not table.startswith(brought))))
    assert rulebook.overtime == load_rulebook("naspa-2017").overtime
    assert (rulebook.late_started_by, rulebook.both_absent) == ("director", "owed")
    assert (rulebook.six_zeros_by, rulebook.resignation_by, rulebook.six_zeros_at_zero_score) == ("players", "director", True)
    assert (rulebook.minutes, rulebook.second_opinion_here, rulebook.first_word_off_centre) == ({}, False, False)
    assert rulebook.result == ResultRule(forfeit_spread=50, forfeit_score="none", leaving_margin=50, bonus_words=False)


def test_an_own_file_takes_what_other_codes_of_rules_need(tmp_path: Path) -> None:
    own = """
[regulation]
time = "20:00"
increment_seconds = 10
[turn]
seconds = 120
warnings = [30, 10]
[turns]
most = 12
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
both_absent = "halved"
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
[result]
forfeit_spread = 75
forfeit_score = "average"
leaving_margin = 40
bonus_words = true
[windows.tile_decision]
seconds = 30
by = "director"
starts_clock = true
"""
    tables = own.strip().replace("\n[", '\nclause = "ours"\n[')
    rulebook = load_rulebook(written(tmp_path, f'extends = "club"\n{OWN}{tables}\nclause = "ours"\n'))
    assert (rulebook.regulation_ns, rulebook.increment_ns, rulebook.delay_ns) == (1200 * S, 10 * S, 0)
    assert (rulebook.turn, rulebook.turns) == (TurnLimit(120 * S, (30 * S, 10 * S)), 12)
    assert rulebook.overtime == OvertimeRule(
        (OvertimeBand(0, 5, 60), OvertimeBand(300, 10, 30)), counts_completed=True, cap=200, zero_reading_free=False
    )
    assert rulebook.limit == OvertimeLimit(-900, 50, "beside", recount=True, wins_by=0)
    assert (rulebook.forfeit_late_ns, rulebook.late_started_by, rulebook.both_absent) == (900 * S, "players", "halved")
    assert rulebook.hold_maximum == HoldMaximum(90 * S, releases=True)
    assert (rulebook.challenge.points_a_challenge, rulebook.challenge.points_are) == (10, "taken")
    assert rulebook.minutes == {"clock_hit_in_error": Minute(60 * S, "players"), "wrong_board": Minute(30 * S, "director")}
    assert (rulebook.six_zeros_by, rulebook.resignation_by, rulebook.second_opinion_here) == ("never", "players", False)
    assert (rulebook.six_zeros_at_zero_score, rulebook.first_word_off_centre) == (True, False)
    assert rulebook.result == ResultRule(forfeit_spread=75, forfeit_score="average", leaving_margin=40, bonus_words=True)
    assert rulebook.directors_windows == {"recount_warning", "tile_decision"}
    assert rulebook.clock_windows == {"overdraw_decision", "tiles_returned", "tile_decision"}


TWO = '[late]\nstarts = "players"\nboth_absent = "left"\n'
CITED_WRONGLY = [
    ('clause = {starts = "a"}', "late.clause.both_absent", "one line of text: the value's source", "nothing", "Add it"),
    ('clause = {starts = "a", both_absent = ""}', "late.clause.both_absent", "one line of text: the value's source", '""', "Correct it"),
    ('clause = {starts = "a", both_absent = "b\\n"}', "late.clause.both_absent", "one line of text", '"b\\n"', "Correct it"),
    (
        'clause = {starts = "a", both_absent = "b", start = "c"}',
        "late.clause",
        "one of the keys starts, both_absent",
        '"start"',
        "Did you mean starts?",
    ),
    ("clause = {}", "late.clause.starts", "one line of text: the value's source", "nothing", "Add it"),
    ("clause = 1", "late.clause", "one line of text: the source of all values, or a table with that of each", "1", "Correct it"),
    (
        'clause = "a"\nassumed = {starts = "club"}',
        "late.assumed",
        "some of the values, beside a clause for each",
        '{"starts": "club"}',
        "Correct it",
    ),
    (
        'clause = {starts = "a", both_absent = "b"}\nassumed = {}',
        "late.assumed",
        "some of the values, beside a clause for each",
        "{}",
        "Correct it",
    ),
    (
        'clause = {starts = "a", both_absent = "b"}\nassumed = {by = "club"}',
        "late.assumed",
        "one of the keys starts, both_absent",
        '"by"',
        "Remove it",
    ),
    (
        'clause = {starts = "a", both_absent = "b"}\nassumed = {starts = "clubs"}',
        *("late.assumed.starts", f"the id of a shipped rulebook ({', '.join(shipped_ids())})", '"clubs"', "Did you mean club?"),
    ),
]


def test_a_clause_that_is_missing_or_of_no_value_is_told_with_the_value(tmp_path: Path) -> None:
    for cell in each_cell(CITED_WRONGLY):
        with cell as (cited, where, expected, found, remedy):
            path = written(tmp_path, f'extends = "club"\n{OWN}{TWO}{cited}\n')
            error = refusal(path)
            assert (error.where, error.expected, error.found, error.remedy) == (f"{path}: {where}", expected, found, remedy)


def test_an_absent_player_forfeits_at_any_reading_below_the_regulation_but_minus_zero(tmp_path: Path) -> None:
    for reading, remaining_s in (("24:59", 1499), ("10:00", 600), ("0:01", 1), ("0:00", 0), ("-0:01", -1)):
        own = f'extends = "naspa-2017"\n{OWN}[forfeit]\nreading = "{reading}"\nclause = "ours"\n'
        assert load_rulebook(written(tmp_path, own)).forfeit_remaining_s == remaining_s
    # The regulation of one's own counts.
    short = f'extends = "naspa-2017"\n{OWN}[regulation]\ntime = "%s"\nclause = "ours"\n[forfeit]\nreading = "10:00"\nclause = "ours"\n'
    assert load_rulebook(written(tmp_path, short % "10:01")).forfeit_remaining_s == 600
    assert refusal(written(tmp_path, short % "10:00")).expected == "a reading below 10:00, the time of regulation"


def test_an_unknown_id_a_path_that_is_no_readable_file_and_a_file_that_is_no_toml_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    error = refusal("naspa-2071")
    assert (error.found, error.remedy) == ('"naspa-2071"', "Did you mean naspa-2017?")
    assert all(each in error.expected for each in shipped_ids())
    monkeypatch.chdir(tmp_path)
    for path in ("nowhere/ours.toml", "ours.toml", "./ours", "/", "nul\0.toml"):
        assert path.partition("\0")[0] in refusal(path).where
    file = tmp_path / "ours.toml"
    for content in (b"id = \xff", b"id = ", b"x = " + b"[" * 5000, b"x = " + b"1" * 5000):
        file.write_bytes(content)
        error = refusal(str(file))
        assert (error.where, error.expected) == (str(file), "TOML in UTF-8")


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


_SECONDS = "a whole number of seconds from 1 to 86400"


def _with(table: str, line: str) -> tuple[str, str]:
    return f"[{table}]\n", f"[{table}]\n{line}\n"


_ONE_A_TURN = "a whole number of seconds from 0 to 600"
_FROM_5 = "a whole number of seconds from 5 to 3600"
_BANDS = "bands = [{from_seconds = 0, points = 10, period_seconds = 60}, {from_seconds = %s, points = 20, period_seconds = 60}]"
_BAND = "bands = [{from_seconds = %s, points = %s, period_seconds = 1}]"
_TURN = '[turn]\nclause = "ours"\n'
_HOLD = '[hold]\nclause = "ours"\n'
_GRACE = "[grace]\nzero_reading_free = true"
_OVERTIME = "points = 10\nperiod_seconds = 60"
_OUT = 'clause = "2017 V.E"'
_RECOUNT = '[recount]\nstarts_itself = false\nclause = "2017 V.I"\n'
_FORFEIT = '[forfeit]\nreading = "-0:01"'
NEW_FAULTS = [
    (*_with("regulation", "increment_seconds = 601"), "regulation.increment_seconds", _ONE_A_TURN, "601"),
    (*_with("regulation", "delay_seconds = 1.5"), "regulation.delay_seconds", _ONE_A_TURN, "1.5"),
    (*_with("regulation", "increment_seconds = 5\ndelay_seconds = 5"), "regulation", "increment_seconds or delay_seconds", "both"),
    (_GRACE, f"{_TURN}seconds = 4\n\n{_GRACE}", "turn.seconds", _FROM_5, "4"),
    (_GRACE, f"{_TURN}seconds = 60\nwarnings = [10, 30]\n\n{_GRACE}", "turn.warnings", "warnings below seconds, each below", "[10, 30]"),
    (_GRACE, f"{_TURN}seconds = 60\nwarnings = [60]\n\n{_GRACE}", "turn.warnings", "warnings below seconds, each below", "[60]"),
    (_GRACE, f"{_TURN}seconds = 60\nwarnings = 10\n\n{_GRACE}", "turn.warnings", "a list of seconds", "10"),
    (_GRACE, "[grace]\nzero_reading_free = 1", "grace.zero_reading_free", "true or false", "1"),
    (*_with("overtime", 'count = "half"'), "overtime.count", '"begun" or "completed"', '"half"'),
    (*_with("overtime", "cap = -1"), "overtime.cap", 'a whole number of points from 0 to 10000, or "none"', "-1"),
    (*_with("overtime", _BANDS % 60), "overtime", "points and period_seconds, or bands alone", "points, period_seconds, bands"),
    ("points = 10\n", "", "overtime", "points and period_seconds, or bands alone", "period_seconds"),
    (_OVERTIME, _BANDS % 0, "overtime.bands", "bands with from_seconds rising from 0", "[0, 0]"),
    (_OVERTIME, _BAND % (1, 1), "overtime.bands", "bands with from_seconds rising", "[1]"),
    (_OVERTIME, _BAND % (0, -1), "overtime.bands.0.points", "a whole number of points", "-1"),
    (_OVERTIME, "bands = 5", "overtime.bands", "a list of tables with from_seconds", "5"),
    ("penalty = 100", 'penalty = 100\ncharge = "none"', "limit.penalty", "penalty beside every reading but", "100"),
    ("penalty = 100", 'penalty = 100\ncharge = "all"', "limit.charge", '"instead", "beside" or "none"', '"all"'),
    (_FORFEIT, f"{_FORFEIT}\nminutes_late = 15", "forfeit", "either reading or minutes_late", "reading, minutes_late"),
    (_FORFEIT, "[forfeit]\nminutes_late = 121", "forfeit.minutes_late", "a whole number of minutes from 1 to 120", "121"),
    (_FORFEIT, "[forfeit]", "forfeit", "either reading or minutes_late", "neither"),
    ('starts = "director"', 'starts = "anyone"', "late.starts", '"players" or "director"', '"anyone"'),
    ('both_absent = "owed"', 'both_absent = "lost"', "late.both_absent", '"owed", "left" or "halved"', '"lost"'),
    (_GRACE, f"{_HOLD}maximum_seconds = 3601\n\n{_GRACE}", "hold.maximum_seconds", _FROM_5, "3601"),
    (_GRACE, f'{_HOLD}maximum_seconds = 60\nat_maximum = "stop"\n\n{_GRACE}', "hold.at_maximum", '"say" or "release"', '"stop"'),
    ("points_a_word = 0", "points_a_word = 5\npoints_a_challenge = 5", "challenge", "points_a_word or points_a_challenge above 0", "both"),
    ("points_a_word = 0", 'points_a_word = 5\npoints_are = "lost"', "challenge.points_are", '"given" or "taken"', '"lost"'),
    ('six_zeros = "players"', 'six_zeros = "anyone"', "end.six_zeros", '"players", "director" or "never"', '"anyone"'),
    ("[minutes.wrong_board]", "[minutes.wrong_bored]", "minutes", "one of the keys clock_hit_in_error, wrong_board", '"wrong_bored"'),
    (
        'by = "players" # III.G.6 does not say who grants it',
        'by = "anyone"',
        "minutes.wrong_board.by",
        '"players" or "director"',
        '"anyone"',
    ),
    (*_with("windows.mixing", 'by = "anyone"'), "windows.mixing.by", '"players" or "director"', '"anyone"'),
    (*_with("windows.mixing", "starts_clock = true"), "windows.mixing.starts_clock", "starts_clock = true only in", "it in windows.mixing"),
]
FAULTS = [
    ("title =", "titel =", "", "one of the keys id, title, summary", '"titel"'),
    ("[windows.mixing]", "[windows.mixin]", "windows", "one of the keys between_rounds", '"mixin"'),
    ("[windows.mixing]\nseconds", "[windows.mixing]\nsecs", "windows.mixing", "one of the keys seconds, by", '"secs"'),
    ('[regulation]\ntime = "25:00"', "[regulation]", "regulation.time", 'minutes and seconds like "25:00"', "nothing"),
    ("seconds = 10\n", "seconds = 10.0\n", "windows.mixing.seconds", _SECONDS, "10.0"),
    ("seconds = 10\n", "seconds = true\n", "windows.mixing.seconds", _SECONDS, "true"),
    ("seconds = 10\n", f"seconds = 0x{'F' * 5000}\n", "windows.mixing.seconds", _SECONDS, "a number too long to show"),
    ("points = 10", "points = -10", "overtime.points", "a whole number of points from 0 to 1000", "-10"),
    ("ends_game = true", "ends_game = 1", "out_play.ends_game", "true or false", "1"),
    ('"25:00"', '"25:60"', "regulation.time", 'minutes and seconds like "25:00"', '"25:60"'),
    ('"25:00"', '"0:00"', "regulation.time", 'minutes and seconds like "25:00"', '"0:00"'),
    ('"-10:01"', '"10:01"', "limit.reading", '"0:00", a reading in overtime like "-10:01", or "none"', '"10:01"'),
    ('"-10:01"', '"-0:00"', "limit.reading", '"0:00", a reading in overtime like "-10:01", or "none"', '"-0:00"'),
    ('"-10:01"', '"-१०:01"', "limit.reading", '"0:00", a reading in overtime like "-10:01", or "none"', '"-१०:01"'),
    ('"-0:01"', '"-0:00"', "forfeit.reading", 'a reading like "10:00" or "-0:01", but not "-0:00"', '"-0:00"'),
    ('"-0:01"', '"25:00"', "forfeit.reading", "a reading below 25:00, the time of regulation", '"25:00"'),
    ('"-0:01"', '"25:01"', "forfeit.reading", "a reading below 25:00, the time of regulation", '"25:01"'),
    ('"-10:01"', '"none"', "limit.penalty", 'penalty beside every reading but "none"', "100"),
    ("penalty = 100\n", "", "limit.penalty", 'penalty beside every reading but "none"', "nothing"),
    ("[windows.recount]\n", "[windows.courtesy_draw.x]\n", "windows.courtesy_draw", "one of the keys seconds", '"x"'),
    (_RECOUNT, "", "windows.recount", "the tables recount and windows.recount together", "one of them"),
    ('[windows.out_play]\nseconds = 20\nclause = "2017 V.E"\n', "", "windows", "the table windows.out_play", "none"),
    (_OUT, 'clause = ""', "out_play.clause", "one line of text", '""'),
    (_OUT, 'clause = "a\\u001b[2Jb"', "out_play.clause", "one line of text", '"a\\u001b[2Jb"'),
    (_OUT, f'{_OUT}\nassumed = "naspa-1998"', "out_play.assumed", "the id of a shipped rulebook", '"naspa-1998"'),
    ('by = "judges"', 'by = "referee"', "review.by", '"judges", "director" or "appeal"', '"referee"'),
    ('by = "judges"', "by = 2", "review.by", '"judges", "director" or "appeal"', "2"),
    ("seated = true", "seated = false", "restart.seated", "every other key false where seated is false", "one that is true"),
    *NEW_FAULTS,
    ('id = "naspa-2017"', 'id = "NASPA 2017"', "id", "lower-case letters, digits and hyphens", '"NASPA 2017"'),
    ('id = "naspa-2017"', 'id = "ours"\nextends = "./other.toml"', "extends", "the id of a shipped rulebook", '"./other.toml"'),
    ('id = "naspa-2017"', 'id = "ours"\nextends = ["club"]', "extends", "the id of a shipped rulebook", '["club"]'),
]


def test_a_fault_is_told_with_file_key_value_and_what_is_allowed(tmp_path: Path) -> None:
    for cell in each_cell(FAULTS, lambda fault: f"{fault[0]!r} -> {fault[1][:60]!r}"):
        with cell as (old, new, where, expected, found):
            text = shipped_text("naspa-2017")
            assert old in text
            path = written(tmp_path, text.replace(old, new))
            error = refusal(path)
            assert (error.where, error.found) == (f"{path}: {where}" if where else path, found)
            assert error.expected.startswith(expected)
            assert where != "limit.penalty" or error.remedy == ("Add it" if found == "nothing" else "Remove it")
            assert "\n" not in str(error)
            assert "pydantic" not in str(error)
    # A slip in a key is answered with the nearest in a sentence.
    path = written(tmp_path, shipped_text("naspa-2017").replace("[windows.mixing]\nseconds", "[windows.mixing]\nsecs"))
    why = 'windows.mixing: expected one of the keys seconds, by, starts_clock, counts_from, clause, assumed, found "secs". Did you mean seconds?'
    assert str(refusal(path)) == f"{path}: {why}"


def test_a_file_that_extends_has_an_id_a_title_and_a_summary_of_its_own_and_tables_that_are_some(tmp_path: Path) -> None:
    for key in ("id", "title", "summary"):
        own = "".join(line for line in OWN.splitlines(keepends=True) if not line.startswith(key))
        error = refusal(written(tmp_path, f'extends = "club"\n{own}'))
        assert (error.where.endswith(f": {key}"), error.found) == (True, "nothing")
    # A value in place of a table is an error, also where tables are merged.
    for line, expected, found in (("windows = 5", "a table with courtesy_draw", "5"), ("limit = []", "a table with reading", "[]")):
        error = refusal(written(tmp_path, f'extends = "club"\n{OWN}{line}\n'))
        assert (error.expected.startswith(expected), error.found) == (True, found)


# --- with any key removed, renamed or given another value it is a rulebook or one line that names the key
def _places(table: dict[str, Any], path: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    below = [place for key, value in table.items() if isinstance(value, dict) for place in _places(value, (*path, key))]
    return [(*path, key) for key in table] + below


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_toml(key)} = {_toml(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return '"' + "".join(f"\\U{ord(letter):08x}" for letter in value) + '"'
    return str(value)


# each example writes its file anew, so the folder may be shared
ON_ONE_FOLDER = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
BASE = tomllib.loads(shipped_text("naspa-2014"))
KNOWN = {key for place in _places(BASE) for key in place} | {*RulebookSource.__struct_fields__}
OPTIONAL = {"assumed"}
MAY_GO = [
    "grace",
    "late",
    "infractions",
    "minutes",
    "end",
    "six_zeros",
    "concession",
    "review",
    "restart",
    "second_opinion",
    "first_word",
    "result",
]
MAY_LACK = "late.starts late.both_absent result.forfeit_spread result.forfeit_score result.leaving_margin result.bonus_words six_zeros.at_zero_score minutes.clock_hit_in_error minutes.wrong_board end.six_zeros end.resignation"
OPTIONAL_PLACES = {
    *(("windows", name) for name in BASE["windows"] if name not in ("out_play", "recount")),
    *((name,) for name in MAY_GO),
    *(tuple(each.split(".")) for each in MAY_LACK.split()),
}
NAMES = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
MAY_BE_EMPTY = {("minutes",)}
WRONG = st.one_of(
    st.just([]), st.just({}), st.floats(), NAMES.map(lambda name: {name: 1}), st.integers(max_value=-1), st.just("\n"), st.dates()
)


def _write_changed(folder: Path, place: tuple[str, ...], *, rename: str | None = None, value: Any = None) -> str:
    whole = tomllib.loads(shipped_text("naspa-2014"))
    table = whole
    for step in place[:-1]:
        table = table[step]
    old = table.pop(place[-1])
    if rename is not None:
        table[rename] = old
    if value is not None:
        table[place[-1]] = value
    return written(folder, "".join(f"{_toml(key)} = {_toml(each)}\n" for key, each in whole.items()))


def _keys_at_fault(error: RulebookError) -> set[str]:
    assert isinstance(error.__cause__, InvalidTable)
    return {fault.key for fault in error.__cause__.faults}


def test_a_file_without_one_of_its_keys_is_refused(tmp_path: Path) -> None:
    for cell in each_cell([each for each in _places(BASE) if OPTIONAL.isdisjoint(each) and each not in OPTIONAL_PLACES]):
        with cell as place:
            assert place[-1] in str(refusal(_write_changed(tmp_path, place))) or place[-1] == "windows"


@ON_ONE_FOLDER
@example(place=("concession",), name="#")
@example(place=("minutes", "wrong_board", "clause", "seconds"), name="\x1f")
@given(place=st.sampled_from(_places(BASE)), name=NAMES.filter(lambda name: name not in KNOWN))
def test_a_key_renamed_to_an_unknown_one_is_refused_in_one_line(place: tuple[str, ...], name: str, tmp_path: Path) -> None:
    error = refusal(_write_changed(tmp_path, place, rename=name))
    assert "\n" not in str(error)
    # What is missing because of the name is no fault elsewhere.
    assert _keys_at_fault(error) <= {".".join((*place[:-1], each)) for each in (name, place[-1])}


@ON_ONE_FOLDER
@given(place=st.sampled_from(_places(BASE)), name=st.sampled_from(sorted(KNOWN)))
def test_a_key_renamed_to_another_known_one_gives_a_rulebook_or_a_rulebook_error_and_nothing_else(
    place: tuple[str, ...], name: str, tmp_path: Path
) -> None:
    with contextlib.suppress(RulebookError):
        assert load_rulebook(_write_changed(tmp_path, place, rename=name)).id == "naspa-2014"


@ON_ONE_FOLDER
@given(place=st.sampled_from(_places(BASE)), value=WRONG)
@example(place=("limit", "clause"), value={"\n": 1})
def test_a_value_of_the_wrong_kind_gives_a_rulebook_error_that_names_its_key(place: tuple[str, ...], value: Any, tmp_path: Path) -> None:
    assume(value != {} or place not in MAY_BE_EMPTY)
    error = refusal(_write_changed(tmp_path, place, value=value))
    assert place[-1] in str(error)
    assert "\n" not in str(error)
    assert value == {} or all(key.startswith(".".join(place)) for key in _keys_at_fault(error))


def _keys(source: Type, name: str) -> Iterator[str]:
    """Yield each key below a table, as the contract names it."""
    match source:
        case StructType(fields=fields):
            yield from (f"{name}.{each.encode_name}" for each in fields if each.encode_name not in {"clause", "assumed"})
        case UnionType(types=types):
            yield from (key for each in types for key in _keys(each, name))
        case DictType(value_type=value):
            yield from _keys(value, f"{name}.NAME")
        case _:
            return


def test_the_contract_has_a_row_for_each_key_of_a_rulebooks_tables() -> None:
    contract = (Path(__file__).parents[3] / "docs" / "spec" / "rules.md").read_text("utf-8")
    named = set[str]()
    for row in re.findall(r"^\| (`[a-z_]+\..+?) \|", contract, re.MULTILINE):
        first, *others = re.findall(r"`([A-Za-z_.]+)`", row)
        named |= {first, *(f"{first.rpartition('.')[0]}{each}" if each.startswith(".") else each for each in others)}
    source = type_info(RulebookSource)
    assert isinstance(source, StructType)
    keys = {key for each in source.fields for key in _keys(each.type, each.encode_name)}
    # Only the courtesy draw counts from something.
    assert keys - named == {"windows.NAME.counts_from"}
