"""What both halves say in every phase: where each player stands, what the player's button does, marks, details and window."""

import pytest

from firmware.face.value import Face
from firmware.face.view import face
from firmware.gestures.clock_state import ClockState, apply_event
from rules.duration import parse_instant
from tests.cells import each_cell
from tests.firmware.gestures.trains import setup
from tests.firmware.saying import event_of, new_game, play

START, WAIT_START = "Press to start your opponent's clock", "Wait: your opponent starts your clock, or press {bar}"
PASS, WAIT = (
    "Your press ends your turn · {bar}:\u00a0stop · held 2\u00a0s: challenge",
    "Wait · hold your button when your opponent says HOLD",
)
ANSWER = "Accept: hold your button 1\u00a0s. Challenge: hold {bar} 2\u00a0s"
SIGN = "Do not touch the clock until the slip is signed"
RUN = ("0 press right", "60 press left", "90 press right")


def at(t: str, *lines: str, rulebook: str = "naspa-2017", two_button: bool = False) -> Face:
    return face(ClockState(play(rulebook, *lines).record, setup(two_button=two_button)), parse_instant(t))


STANDS = [
    ("ready", (), "5", ("", ""), (START, START)),
    ("left's turn", RUN, "100", ("YOUR TURN", "WAITING"), (PASS, WAIT)),
    (
        "hold",
        (*RUN, "95 hold"),
        "100",
        ("YOU HOLD", "ON HOLD"),
        ("You hold: your clock runs · 0:10 and your opponent may draw", "Wait 0:10, then you may draw, tiles apart"),
    ),
    ("stopped", (*RUN, "95 neutralise"), "100", ("YOUR TURN NEXT", "OPPONENT'S TURN NEXT"), (WAIT_START, START)),
    ("stopped before any turn", ("0 press right", "1 neutralise"), "2", ("YOUR TURN NEXT", "OPPONENT'S TURN NEXT"), (WAIT_START, START)),
    (
        "deciding",
        (*RUN, "95 neutralise", "99 decide right"),
        "100",
        ("WAITING", "YOUR DECISION"),
        ("Your opponent decides", "Decide, then press {bar}"),
    ),
    (
        # The player on turn decides about an overdraw of the opponent: the own button would end a turn that has not been played (2017 IV.B.5.b).
        "deciding on the own turn",
        (*RUN, "95 neutralise", "99 decide left"),
        "100",
        ("YOUR DECISION", "WAITING"),
        ("Decide, then press {bar}", "Your opponent decides"),
    ),
    (
        "a decision to start",
        (*RUN, "95 neutralise", "96 window right name=overdraw_decision"),
        "115",
        None,
        ("Press to start your opponent's clock for the decision", "Wait: your opponent starts your clock for the decision"),
    ),
    (
        "out play",
        (*RUN, "95 out_play"),
        "100",
        ("YOU PLAYED OUT", "OPPONENT PLAYED OUT"),
        ("Your opponent has 0:15. HOLD? Press to start their clock", f"{ANSWER}. Or say HOLD"),
    ),
    (
        "out play held",
        (*RUN, "95 out_play", "97 press left"),
        "100",
        ("OUT PLAY HELD", "OUT PLAY HELD"),
        ("Your opponent holds your out play", ANSWER),
    ),
    (
        "out play, stopped",
        (*RUN, "95 out_play", "97 press left", "98 neutralise"),
        "100",
        ("YOU PLAYED OUT", "OPPONENT PLAYED OUT"),
        (START, ANSWER),
    ),
    (
        "challenge",
        (*RUN, "95 challenge"),
        "100",
        ("YOU CHALLENGE", "YOUR PLAY IS CHALLENGED"),
        ("Go to the station: you challenge", "Go to the station. You challenge? Hold your button 1\u00a0s"),
    ),
    (
        "an out play challenged",
        (*RUN, "95 out_play", "96 challenge"),
        "100",
        ("YOUR PLAY IS CHALLENGED", "YOU CHALLENGE"),
        ("Go to the station: your opponent challenges your out play", "Go to the station: you challenge"),
    ),
    ("verdict", (*RUN, "95 challenge", "99 verdict acceptable=true"), "100", ("YOU LOST THE TURN", "YOUR TURN NEXT"), (START, WAIT_START)),
    ("late", ("0 late_start left",), "5", ("ABSENT: TIME RUNS", "PRESENT"), ("Press when you are here", "Your opponent is late")),
    ("both late", ("0 late_start both",), "5", ("ABSENT", "ABSENT"), ("Press when you are here", "Press when you are here")),
    ("over", (*RUN, "95 end reason=x"), "100", ("", ""), (SIGN, SIGN)),
    ("resigned", (*RUN, "95 end reason=resignation loser=right"), "100", ("", "RESIGNED"), (SIGN, SIGN)),
    ("lost at the limit", ("0 press right",), "2200", ("LOST AT THE LIMIT", ""), None),
    ("forfeited", ("0 late_start left",), "1600", ("FORFEITED", ""), (SIGN, SIGN)),
    ("forfeited by the director", (*RUN, "95 end reason=forfeit loser=left"), "100", ("FORFEITED", ""), (SIGN, SIGN)),
]


@pytest.mark.parametrize("two_button", [False, True])
def test_each_half_tells_its_player_where_they_stand_and_what_their_button_does(*, two_button: bool) -> None:
    for cell in each_cell(STANDS, lambda stand: stand[0]):
        with cell as (_, lines, t, statuses, prompts):
            halves = at(t, *lines, two_button=two_button).halves
            if statuses is not None:
                assert (halves.left.status, halves.right.status) == statuses
            if prompts is not None:
                bar = "both\u00a0buttons" if two_button else "the\u00a0bar"
                assert (halves.left.prompt, halves.right.prompt) == tuple(prompt.replace("{bar}", bar) for prompt in prompts)
            assert (halves.left.name, halves.right.name) == ("LEFT", "RIGHT")


def test_of_two_late_players_in_new_zealand_the_first_sees_what_is_left_and_owes_nothing() -> None:
    late = at("480", "0 late_start both", "480 arrive right", rulebook="nzasp-2022").halves.right
    assert (late.reading, late.marks) == ("17:00", ("of 17:00",))
    playing = ("0 late_start both", "480 arrive right", "600 arrive left", "700 press left", "760 press right")
    assert at("760", *playing, rulebook="nzasp-2022").halves.right.marks == ("of 17:00",)


def test_the_new_zealand_out_player_is_told_how_long_to_wait_before_starting_the_opponents_clock() -> None:
    lines = (*RUN, "95 out_play")
    assert [at(t, *lines, rulebook="nzasp-2022").halves.left.prompt for t in ("95.5", "98", "99.999999999", "100")] == [
        *(f"In 0:0{left} you may start their clock" for left in (5, 2, 1)),
        START,
    ]


def test_only_the_running_half_runs_and_only_it_counts_down() -> None:
    shown = at("100.5", *RUN)
    assert [(half.runs, half.reading) for _, half in shown.halves.items()] == [(True, "23:50"), (False, "24:30")]
    assert shown.banner == ""


MARKS = [
    ((), "1", ("of 25:00",)),
    (RUN, "100", ()),
    (("0 press right",), "1500.5", ()),  # -0:00 is not overtime (2017 V.G.2)
    (("0 press right",), "1501", ("OVERTIME", "-10 points")),
    (("0 press right",), "1561", ("OVERTIME", "-20 points")),
    (("0 press right",), "2200", ("OVERTIME", "-100 points, game lost")),
    (("0 adjust left seconds=-60 when=end reason=x", "0 press right"), "5", ("-1:00 at the end",)),
    (("0 adjust left seconds=60 when=now reason=x", "0 press right"), "5", ("of 26:00",)),
    (("0 infraction left", "1 press right", "2 infraction left"), "5", ("2 minor infractions",)),
]


def test_marks_say_overtime_points_credits_infractions_and_an_allowance_that_is_not_regulation() -> None:
    for cell in each_cell(MARKS):
        with cell as (lines, t, marks):
            assert at(t, *lines).halves.left.marks == marks


def test_points_of_a_challenge_stand_on_the_half_of_the_player_who_earned_them() -> None:
    lines = (*RUN, "95 challenge", "99 verdict acceptable=true words=2")
    halves = at("100", *lines, rulebook="naspa-2017-collins-5").halves
    assert (halves.left.marks, halves.right.marks) == ((), ("+10 points",))


@pytest.mark.parametrize(
    ("lines", "t", "window"),
    [
        ((*RUN, "95 hold"), "100.5", ("HOLD", "0:10", "then the player on hold may draw, tiles apart", False)),
        ((*RUN, "95 hold"), "110", ("HOLD", "0:00", "the player on hold may draw now, tiles apart", True)),
        ((*RUN, "95 hold"), "120", None),
        ((*RUN, "95 out_play"), "100", ("OUT PLAY", "0:15", "hold or challenge, or the game ends", False)),
        ((*RUN, "95 window name=mixing"), "96", ("MIXING", "0:09", "mix the bag", False)),
        ((*RUN, "95 end reason=x", "99 window name=recount"), "100", ("RECOUNT", "0:59", "a recount may be asked for", False)),
        ((*RUN, "95 end reason=x", "99 window name=recount"), "159", ("RECOUNT", "0:00", "no recount any more", True)),
    ],
)
def test_a_window_says_how_long_and_what_it_allows(lines: tuple[str, ...], t: str, window: tuple[str, str, str, bool] | None) -> None:
    shown = at(t, *lines).window
    assert (None if shown is None else (shown.title, shown.reading, shown.text, shown.expired)) == window


@pytest.mark.parametrize(("two_button", "bar"), [(False, "the\u00a0bar"), (True, "both\u00a0buttons")])
def test_details_say_what_to_do_in_the_words_of_the_board(*, two_button: bool, bar: str) -> None:
    challenged = at("100", *RUN, "95 challenge", two_button=two_button)
    assert challenged.details == (f"Verdict: press {bar}", "No tracking, no study of board or rack")


def test_a_stop_says_its_reason_and_that_nobody_studies() -> None:
    assert at("100", *RUN, "95 neutralise").details == ("No tracking, no study of board or rack",)
    assert at("100", *RUN, '95 neutralise reason="overdraw"').details == ("Overdraw", "No tracking, no study of board or rack")


def test_every_third_infraction_calls_for_the_directors_decision() -> None:
    lines = [f"{t} infraction right" for t in (91, 92, 93)]
    assert at("94", *RUN, *lines).details == ("Minor infraction 3: the director decides on a minute",)
    assert at("94", *RUN, *lines[:2]).details == ()


def test_where_the_rulebook_has_no_minute_for_infractions_the_third_is_counted_and_calls_for_nothing() -> None:
    shown = at("94", *RUN, *(f"{t} infraction right" for t in (91, 92, 93)), rulebook="nzasp-2022")
    assert (shown.details, shown.halves.right.marks) == ((), ("3 minor infractions",))


def test_under_a_minute_is_low_and_a_minute_is_not() -> None:
    assert [at(t, "0 press right").halves.left.low for t in ("1440", "1440.000000001", "1501")] == [False, True, True]


def test_no_player_reads_left_or_right() -> None:
    for _, lines, t, *_ in STANDS:
        shown = at(t, *lines)
        said = [*shown.details, shown.hint, *(f"{half.status} {half.prompt} {' '.join(half.marks)}" for _, half in shown.halves.items())]
        assert not any(side in text for text in said for side in ("LEFT", "RIGHT"))


def test_the_next_game_keeps_the_ends_of_the_last_one_until_its_first_clock_starts() -> None:
    over = ClockState(play("naspa-2017", "0 press right", "1505 neutralise", "1506 end reason=resignation loser=left").record, setup())
    begun = apply_event(over, new_game("naspa-2017"), parse_instant("1600"))
    marks = [half.marks for _, half in face(begun, parse_instant("1601")).halves.items()]
    assert marks == [("of 25:00", "last game: -0:05, -10 points, RESIGNED"), ("of 25:00", "last game: 25:00")]
    set_up = apply_event(begun, new_game("naspa-2014"), parse_instant("1601"))
    assert [half.marks for _, half in face(set_up, parse_instant("1601")).halves.items()] == marks
    running = apply_event(begun, event_of("press right"), parse_instant("1602"))
    assert [half.marks for _, half in face(running, parse_instant("1603")).halves.items()] == [(), ()]
