"""Which rows the table menu offers: the table of docs/spec/events.md, "Rows by phase", and the time frames of the players."""

from dataclasses import replace
from pathlib import Path

import pytest

from firmware.face.schedule import next_change
from rules.contact import MS
from rules.duration import NS, reading
from rules.rulebooks import load_rulebook
from tests.cells import each_cell
from tests.firmware.saying import RULEBOOKS
from tests.firmware.table_menu.player import Players, players

RUNNING = ("0 press right",)
STOPPED = ("0 press right", "4 neutralise")
MINUTES = ["clock_hit_in_error", "wrong_board"]

ROWS = [
    ("naspa-2017", (), 20, ["allowance", "frames", "call", "close"]),
    ("naspa-2017", ("0 late_start left",), 20, ["call", "close"]),
    ("naspa-2017", ("0 late_start both", "3 arrive left"), 20, ["call", "take_back", "close"]),
    (
        "naspa-2017",
        STOPPED,
        20,
        ["challenge", "reason", "frames", "out_play", "take_back", "infraction", *MINUTES, "call", "six_zeros", "resignation", "close"],
    ),
    ("nzasp-2022", STOPPED, 20, ["challenge", "reason", "out_play", "take_back", "call", "six_zeros", "close"]),
    ("nzasp-2022", (), 20, ["allowance", "late_clock", "call", "close"]),
    (
        "naspa-2017",
        (*STOPPED, "5 call on=true"),
        20,
        [
            "challenge",
            "reason",
            "frames",
            "out_play",
            "take_back",
            "infraction",
            *MINUTES,
            "call_answered",
            "six_zeros",
            "resignation",
            "close",
        ],
    ),
    ("naspa-2017", ("0 press right", "4 out_play"), 10, ["challenge", "hold", "not_out", "take_back", "call", "close"]),
    (
        "naspa-2017",
        ("0 press right", "4 out_play", "5 hold", "6 neutralise"),
        20,
        ["challenge", "reason", "not_out", "take_back", "call", "close"],
    ),
    ("nzasp-2022", ("0 press right", "4 out_play"), 20, ["challenge", "hold", "not_out", "take_back", "call", "close"]),
    ("naspa-2017", ("0 press right", "4 out_play", "5 challenge"), 20, ["not_out", "take_back", "infraction", "call", "close"]),
    (
        "naspa-2017",
        ("0 press right", "4 out_play", "5 challenge", "9 withdraw"),
        20,
        ["challenge", "not_out", "take_back", "call", "close"],
    ),
    ("naspa-2017", ("0 press right", "4 challenge"), 20, ["take_back", "infraction", "call", "close"]),
    ("naspa-2017-collins-5", ("0 press right", "4 challenge"), 20, ["words", "take_back", "infraction", "call", "close"]),
    ("nzasp-2022", ("0 press right", "4 challenge"), 20, ["words", "take_back", "call", "close"]),
    ("naspa-2017", ("0 press right", "4 end reason=x"), 70, ["next_game", "recount", "frames", "allowance", "call", "close"]),
    ("naspa-2017", ("0 press right", "4 end reason=x"), 20, ["next_game", "recount", "frames", "allowance", "take_back", "call", "close"]),
    ("naspa-2014", ("0 press right", "4 end reason=x"), 70, ["next_game", "frames", "allowance", "call", "close"]),
    ("nzasp-2022", ("0 press right", "4 end reason=x"), 70, ["next_game", "allowance", "call", "close"]),
    ("naspa-2017", ("0 press right", "4 end reason=forfeit loser=left"), 70, ["next_game", "frames", "allowance", "call", "close"]),
    ("naspa-2017", ("0 end reason=x", "1 reopen reason=x"), 20, ["call", "frames", "close"]),
]


@pytest.mark.parametrize("two_button", [False, True], ids=["full", "two-button"])
def test_the_rows_of_each_phase_in_their_order(two_button: bool) -> None:
    for cell in each_cell(ROWS):
        with cell as (rulebook, start, at, rows):
            both = players(rulebook, *start, at=at * 1000, two_button=two_button)
            both.open()
            assert list(both.rows) == rows


def test_from_a_running_clock_the_bar_stops_it_so_the_rows_are_those_of_the_stop() -> None:
    for cell in each_cell([RUNNING, ("0 press right", "4 hold")]):
        with cell as start:
            both = players("naspa-2017", *start, at=90_000)
            both.open()
            assert both.rows[:3] == ("challenge", "reason", "frames")
            assert "take_back" not in both.rows, "older than a minute"


FRAMES = [
    (STOPPED, ["missed_press", "return_to_table", "mixing", "overdraw_decision", "tiles_returned", "tile_decision"]),
    (
        ("0 press right", "3 hold", "4 neutralise"),
        ["missed_press", "return_to_table", "mixing", "overdraw_decision", "tiles_returned", "tile_decision"],
    ),
    (("0 end reason=x", "1 reopen reason=x"), ["overdraw_decision", "tiles_returned", "tile_decision"]),
    ((), ["late_start", "between_rounds"]),
    (("0 press right", "4 end reason=x"), ["between_rounds", "disconnected"]),
]


def test_the_time_frames_of_each_phase_and_only_those_of_the_rulebook() -> None:
    for cell in each_cell([(rulebook, *row) for rulebook in RULEBOOKS for row in FRAMES]):
        with cell as (rulebook, start, names):
            has = load_rulebook(rulebook).windows
            both = players(rulebook, *start, at=10_000)
            both.open()
            offered = [name for name in names if name in has]
            assert ("frames" in both.rows) is bool(offered)
            if offered:
                both.take("frames")
                assert list(both.rows) == [*offered, "back"]


HOW_LONG_AGO = [
    ("missed_press", STOPPED, "How long ago was the draw?", ["Just now", "5 s ago", "10 s ago", "15 s ago", "Back"]),
    (
        "late_start",
        (),
        "How long ago did the round begin?",
        ["Just now", "1 min ago", "2 min ago", "3 min ago", "4 min ago", "Back"],
    ),
]


def test_a_missed_press_and_a_late_start_ask_how_long_ago_it_was() -> None:
    for cell in each_cell(HOW_LONG_AGO, name=lambda each: each[0]):
        with cell as (frame, start, title, rows):
            both = players("naspa-2017", *start)
            both.open()
            both.path("frames", frame)
            texts = both.table.setup.texts
            assert both.page.title.said(texts) == title
            assert [row.message.said(texts) for row in both.page.rows] == rows
            both.take("back")
            assert both.rows[0] == frame


def in_round(began_s: float | None, at_s: float, *lines: str) -> Players:
    """Return two players whose clock knows from the desk when the round began."""
    both = players("naspa-2017", *lines, at=int(at_s * 1000))
    began = None if began_s is None else int(began_s * NS)
    both.table = replace(both.table, setup=replace(both.table.setup, round_began=began))
    both.open()
    both.take("frames")
    return both


def test_where_the_desk_has_sent_when_the_round_began_a_late_start_says_what_is_left_and_asks_nothing() -> None:
    both = in_round(-98.5, 0)
    row = both.page.rows[0]
    left = 300 * NS - (both.now * MS + 98_500 * MS)
    assert row.message.said(both.table.setup.texts) == f"Late start: {reading(left)} left"
    both.take("late_start")
    assert both.table.table_menu is None
    window = both.game.window
    assert window is not None
    # Whole seconds: at most one later, never earlier than 5 minutes after the start.
    assert 0 <= window.starts + 98_500 * MS < NS
    assert both.presses <= 4


def test_a_start_of_the_round_that_is_unknown_ahead_or_five_minutes_past_leaves_the_question() -> None:
    for cell in each_cell([None, 60, -300]):
        with cell as began:
            both = in_round(began, 1)
            assert both.page.rows[0].message.said(both.table.setup.texts) == "Late start: 5:00"
            both.take("late_start")
            assert both.rows == ("0", *(str(minutes * 60 * NS) for minutes in range(1, 5)), "back")


def test_what_is_left_of_a_late_start_counts_down_on_the_open_page() -> None:
    both = in_round(-98.5, 0)
    left = [both.page.rows[0].message.said(both.table.setup.texts)]
    now = both.now * MS
    change = next_change(both.table, now)
    assert change is not None
    assert 0 < change - now <= NS
    both.wait((change - now) // MS + 1)
    left.append(both.page.rows[0].message.said(both.table.setup.texts))
    assert left[0] != left[1]


def test_an_answer_for_which_the_time_would_be_over_is_not_there(tmp_path: Path) -> None:
    file = tmp_path / "ours.toml"
    file.write_text(
        'id = "ours"\ntitle = "Ours"\nsummary = "A shorter time."\nextends = "naspa-2017"\n'
        '[windows.late_start]\nseconds = 120\nclause = "ours"\n',
        "utf-8",
    )
    both = players(str(file))
    both.open()
    both.path("frames", "late_start")
    assert both.rows == ("0", str(60 * NS), "back")


def test_disconnected_tiles_are_offered_for_twenty_seconds_after_the_end() -> None:
    both = players("naspa-2017", "0 press right", "4 end reason=x", at=24_000)
    both.open()
    both.take("frames")
    assert both.rows == ("between_rounds", "back")


def test_disconnected_tiles_are_not_offered_after_a_resignation_or_before_anything_was_played() -> None:
    for cell in each_cell([("0 press right", "14 end reason=resignation loser=left"), ("14 end reason=x",)]):
        with cell as start:
            both = players("naspa-2017", *start)
            both.open()
            both.take("frames")
            assert both.rows == ("between_rounds", "back")


def test_the_rulebooks_are_offered_where_the_director_allows_it() -> None:
    both = players("naspa-2017", players_choose_rulebook=True)
    both.open()
    assert both.rows[:2] == ("allowance", "rulebook")
    both.take("rulebook")
    assert set(both.rows) == {*RULEBOOKS, "back"}


def test_reasons_are_the_rules_reasons_without_those_that_are_rows_of_their_own() -> None:
    both = players("naspa-2017", *STOPPED)
    both.open()
    both.take("reason")
    assert "score discrepancy" in both.rows
    assert not {"challenge", "six zeros"} & set(both.rows)


def test_the_times_begin_with_the_present_one_go_up_by_the_minute_and_wrap_round() -> None:
    both = players("naspa-2017")
    both.open()
    both.path("allowance", "left")
    *times, back = both.rows
    assert [int(ns) // (60 * 10**9) for ns in times] == [*range(25, 61), *range(5, 25)]
    assert back == "back"


def test_after_a_game_the_times_begin_with_the_regulation_and_not_with_what_was_given_or_left_in_this_one() -> None:
    late = ("0 late_start both", "480 arrive right", "600 arrive left", "700 press left", "720 end reason=x")
    given = ("0 press right", "10 adjust right seconds=60 when=now reason=x", "20 end reason=x")
    own = (*given, "25 new_game rulebook=naspa-2017 right_seconds=1800", "30 press right", "40 end reason=x")
    for cell in each_cell([("nzasp-2022", late, 740, 25), ("naspa-2017", given, 60, 25), ("naspa-2017", own, 60, 25)]):
        with cell as (rulebook, lines, at, minutes):
            both = players(rulebook, *lines, at=at * 1000)
            both.open()
            both.path("allowance", "right")
            assert both.rows[0] == str(minutes * 60 * 10**9)


def test_back_leads_to_the_page_before() -> None:
    both = players("naspa-2017", *STOPPED)
    both.open()
    first = both.rows
    for cell in each_cell(["reason", "frames"]):
        with cell as name:
            both.take(name)
            assert both.rows != first
            both.take("back")
            assert both.rows == first
