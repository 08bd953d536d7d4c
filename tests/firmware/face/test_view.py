from pathlib import Path

import pytest
from msgspec.structs import replace

import game.history
from appliance.errors import Diagnosis
from firmware.face.value import Face
from firmware.face.view import face
from firmware.gestures.clock_state import ClockState, apply_event
from firmware.gestures.meaning import offer_key
from firmware.table_menu.actions import opened
from game.events import Verdict, Withdraw
from rules.duration import NS, parse_instant
from rules.rulebooks.model import WINDOW_NAMES
from rules.side import BySide, Side
from tests.cells import each_cell
from tests.firmware.gestures.trains import MS, Press, drive, setup, tick
from tests.firmware.saying import NASPA, NZ, event_of, new_game, own_rulebook, play
from tests.some import some

COLLINS = "naspa-2017-collins-5"
START, WAIT_START = "Press to start your opponent's clock", "Wait: your opponent starts your clock, or press {bar}"
GO_ON = "Go on? Press {bar}, or your opponent presses | Go on? Press to start your opponent's clock"
PASS, WAIT = (
    "Press to end your turn · HOLD:\u00a0only say it · With {bar}: stop, played out · 1\u00a0s:\u00a0menu · 2\u00a0s:\u00a0challenge",
    "Your opponent says HOLD? Hold your button 1\u00a0s",
)
ANSWER = "Accept:\u00a0hold your button 1\u00a0s · Challenge:\u00a0hold {bar} 2\u00a0s"
SIGN = "Keep the times until the slip is signed"
NO_STUDY = "No tracking, no study of board or rack"
RUN = "0 press right, 60 press left, 90 press right"
STOPPED = f"{RUN}, 95 neutralise"


def at(t: str, lines: str = "", rulebook: str = NASPA, *, two_button: bool = False, frozen: bool = False) -> Face:
    """Return the face at ``t`` after a script whose lines commas part; ``frozen``: its times are still to be confirmed."""
    now = parse_instant(t)
    table = ClockState(play(rulebook, *filter(None, lines.split(", "))).history, setup(two_button=two_button))
    return face(replace(table, frozen=now) if frozen else table, now)


def prompts(shown: Face) -> tuple[str, str]:
    return shown.halves.left.prompt, shown.halves.right.prompt


def marks(shown: Face) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return shown.halves.left.marks, shown.halves.right.marks


# The script and the instant; where left and right stand, and what their buttons do, an asterisk for what is not looked at.
STANDS = [
    ("", "5", "READY | READY", f"{START} | {START}"),
    (f"{RUN}", "100", "YOUR TURN | WAITING", f"{PASS} | {WAIT}"),
    (f"{RUN}, 95 hold", "100", "YOU HOLD | ON HOLD", "Your clock runs | Wait: then you may draw, tiles apart"),
    (f"{STOPPED}", "100", "YOUR TURN NEXT | OPPONENT'S TURN NEXT", GO_ON),
    ("0 press right, 1 neutralise", "2", "YOUR TURN NEXT | OPPONENT'S TURN NEXT", GO_ON),
    (f"{STOPPED}, 99 decide right", "100", "WAITING | YOUR DECISION", "Your opponent decides | Decide, then press {bar}"),
    (f"{STOPPED}, 99 decide left", "100", "YOUR DECISION | WAITING", "Decide, then press {bar} | Your opponent decides"),
    (
        f"{STOPPED}, 96 window right name=overdraw_decision",
        "115",
        "*",
        "Press to start your opponent's clock for the decision | Wait: your opponent starts your clock for the decision",
    ),
    (
        f"{RUN}, 95 out_play",
        "100",
        "YOU PLAYED OUT | OPPONENT PLAYED OUT",
        f"Your opponent has 0:15. Says HOLD? Press to start their clock | {ANSWER} · HOLD:\u00a0only say it",
    ),
    (f"{RUN}, 95 out_play, 97 press left", "100", "OUT PLAY HELD | OUT PLAY HELD", f"Your opponent holds your out play | {ANSWER}"),
    # No window counts: the out player's press is a hold, and no turn's end.
    (
        f"{RUN}, 95 out_play, 97 release, 99 undo reason=x",
        "100",
        "YOU PLAYED OUT | OPPONENT PLAYED OUT",
        f"Your opponent says HOLD? Press to start their clock | {ANSWER}",
    ),
    (f"{RUN}, 95 out_play, 97 press left, 98 neutralise", "100", "YOU PLAYED OUT | OPPONENT PLAYED OUT", f"{START} | {ANSWER}"),
    (
        f"{RUN}, 95 challenge",
        "100",
        "YOU CHALLENGE | YOUR PLAY IS CHALLENGED",
        "Go to the station: you challenge | Go to the station. Are you the challenger? Hold your button 2\u00a0s",
    ),
    (
        f"{RUN}, 95 out_play, 96 challenge",
        "100",
        "YOUR PLAY IS CHALLENGED | YOU CHALLENGE",
        "Go to the station: your opponent challenges your out play | Go to the station: you challenge",
    ),
    (f"{RUN}, 95 challenge, 99 withdraw", "100", "YOUR TURN NEXT | OPPONENT'S TURN NEXT", f"{WAIT_START} | {START}"),
    (f"{RUN}, 95 challenge, 99 verdict acceptable=true", "100", "YOU LOST THE TURN | YOUR TURN NEXT", f"{START} | {WAIT_START}"),
    ("0 end reason=x, 1 reopen reason=x", "2", " | ", f"{START} | {START}"),
    ("0 late_start left", "5", "ABSENT: TIME RUNS | PRESENT", "Press when you are here | Your opponent is late"),
    ("0 late_start both", "5", "ABSENT | ABSENT", "Press when you are here | Press when you are here"),
    (f"{RUN}, 95 end reason=x", "100", " | ", f"{SIGN} | {SIGN}"),
    (f"{RUN}, 95 end reason=resignation loser=right", "100", "OPPONENT RESIGNED | YOU RESIGNED", f"{SIGN} | {SIGN}"),
    ("0 press right", "2200", "LOST AT THE LIMIT | OPPONENT LOST AT THE LIMIT", "*"),
    ("0 late_start left", "1600", "FORFEITED | OPPONENT FORFEITED", f"{SIGN} | {SIGN}"),
    (f"{RUN}, 95 end reason=forfeit loser=left", "100", "FORFEITED | OPPONENT FORFEITED", f"{SIGN} | {SIGN}"),
]


@pytest.mark.parametrize(("two_button", "bar"), [(False, "the\u00a0bar"), (True, "both\u00a0buttons")])
def test_each_half_tells_its_player_where_they_stand_and_what_their_button_does(*, two_button: bool, bar: str) -> None:
    for cell in each_cell(STANDS):
        with cell as (lines, t, statuses, expected):
            shown = at(t, lines, two_button=two_button)
            halves = shown.halves
            assert statuses in ("*", f"{halves.left.status} | {halves.right.status}")
            assert expected == "*" or " | ".join(prompts(shown)) == expected.replace("{bar}", bar)
            assert (halves.left.name, halves.right.name) == ("LEFT", "RIGHT")
            said = [*shown.details, shown.hint, *(f"{half.status} {half.prompt} {' '.join(half.marks)}" for _, half in halves.items())]
            assert not any(side in text for text in said for side in ("LEFT", "RIGHT")), "no player reads left or right"


@pytest.mark.parametrize(("two_button", "bar"), [(False, "the\u00a0bar"), (True, "both\u00a0buttons")])
def test_details_say_what_to_do_in_the_words_of_the_board(*, two_button: bool, bar: str) -> None:
    assert at("100", f"{RUN}, 95 challenge", two_button=two_button).details == (
        f"Acceptable:\u00a0{bar} · Unacceptable or withdrawn:\u00a0one player's button",
        NO_STUDY,
    )


def test_of_two_late_players_in_new_zealand_the_first_sees_what_is_left_and_owes_nothing() -> None:
    late = at("480", "0 late_start both, 480 arrive right", NZ).halves.right
    assert (late.reading, late.marks) == ("17:00", ("allowed: 17:00",))
    playing = "0 late_start both, 480 arrive right, 600 arrive left, 700 press left, 760 press right"
    assert marks(at("760", playing, NZ))[1] == ("allowed: 17:00",)


def test_the_new_zealand_out_player_is_told_how_long_to_wait_before_starting_the_opponents_clock() -> None:
    waits = [prompts(at(t, f"{RUN}, 95 out_play", NZ))[0] for t in ("95.5", "98", "99.999999999", "100")]
    assert waits == [*(f"In 0:0{left} you may start their clock" for left in (5, 2, 1)), START]


@pytest.mark.parametrize(
    ("lines", "t", "expected"),
    [
        ("", "1", ("allowed: 25:00",)),
        (RUN, "100", ()),
        ("0 press right", "1500.5", ()),  # -0:00 is not overtime (2017 V.G.2)
        ("0 press right", "1501", ("OVERTIME", "-10 points")),
        ("0 press right", "1561", ("OVERTIME", "-20 points")),
        ("0 press right", "2200", ("OVERTIME", "-100 points, game lost")),
        ("0 adjust left seconds=-60 when=end reason=x, 0 press right", "5", ("-1:00 at the end",)),
        ("0 adjust left seconds=60 when=now reason=x, 0 press right", "5", ("allowed: 26:00",)),
        ("0 infraction left, 1 press right, 2 infraction left", "5", ("2 minor infractions",)),
    ],
)
def test_marks_say_overtime_points_credits_infractions_and_an_allowance_of_ones_own(lines: str, t: str, expected: tuple[str, ...]) -> None:
    assert marks(at(t, lines))[0] == expected


def test_both_allowances_stand_on_the_face_before_the_start_and_the_longer_one_on_its_own_half_later() -> None:
    medical = "naspa-2017 left_seconds=1800"
    assert (
        marks(at("1", rulebook=medical)) == marks(at("400", "300 late_start left", medical)) == (("allowed: 30:00",), ("allowed: 25:00",))
    )
    assert marks(at("100", RUN, medical)) == (("allowed: 30:00",), ())


def test_under_a_minute_is_low_a_minute_is_not_and_minus_nought_is_not_called_overtime() -> None:
    assert [at(t, "0 press right").halves.left.low for t in ("1440.9", "1441", "1501")] == [False, True, True]
    halves = [at(t, "0 press right").halves.left for t in ("1500.5", "1501")]
    assert [(half.reading, half.overtime) for half in halves] == [("-0:00", False), ("-0:01", True)]


def test_the_next_game_keeps_the_ends_of_the_last_one_until_its_first_clock_starts() -> None:
    over = ClockState(play(NASPA, "0 press right", "1505 neutralise", "1506 end reason=resignation loser=left").history, setup())
    begun = apply_event(over, new_game(NASPA), parse_instant("1600"))
    ends = (("allowed: 25:00", "last game: -0:05, -10 points, YOU RESIGNED"), ("allowed: 25:00", "last game: 25:00"))
    assert marks(face(begun, parse_instant("1601"))) == ends
    assert marks(face(apply_event(begun, new_game("naspa-2014"), parse_instant("1601")), parse_instant("1601"))) == ends
    running = apply_event(begun, event_of("press right"), parse_instant("1602"))
    assert marks(face(running, parse_instant("1603"))) == ((), ())


@pytest.mark.parametrize(
    ("lines", "t", "window"),
    [
        ("95 hold", "100.5", ("HOLD", "0:10", "then the player on hold may draw, tiles apart", False)),
        ("95 hold", "110", ("HOLD", "0:00", "the player on hold may draw now, tiles apart", True)),
        ("95 hold", "120", None),
        ("95 out_play", "100", ("OUT PLAY", "0:15", "hold or challenge, or the game ends", False)),
        ("95 window name=mixing", "96", ("MIXING", "0:09", "mix the bag", False)),
        ("95 end reason=x, 99 window name=recount", "100", ("RECOUNT", "0:59", "a recount may be asked for", False)),
        ("95 end reason=x, 99 window name=recount", "159", ("RECOUNT", "0:00", "too late for a recount", True)),
    ],
)
def test_a_window_says_how_long_and_what_it_allows(lines: str, t: str, window: tuple[str, str, str, bool] | None) -> None:
    shown = at(t, f"{RUN}, {lines}").window
    assert (None if shown is None else (shown.title, shown.reading, shown.text, shown.expired)) == window


AFTER_EXPIRY = {
    "missed_press": "too late for a hold or a challenge",
    "return_to_table": "too late for a hold or a challenge",
    "overdraw_decision": "time is up: the deciding player's clock may start",
    "tiles_returned": "time is up: the deciding player's clock may start",
    "tile_decision": "time is up",
    "mixing": "stop mixing",
    "recount": "too late for a recount",
    "recount_warning": "the recount has ended",
    "late_start": "time is up",
    "between_rounds": "the next round may start",
}


def test_an_expired_window_says_what_its_end_means() -> None:
    # The others start with a hold, an out play or an end.
    assert set(AFTER_EXPIRY) == set(WINDOW_NAMES) - {"courtesy_draw", "out_play", "disconnected"}
    for cell in each_cell(AFTER_EXPIRY):
        with cell as name:
            begun = f"0 window name={name}"
            length = play(NASPA, begun).game("0").rulebook.windows[name] // 10**9
            last, expired = at(f"{length - 1}.999999999", begun).window, at(str(length), begun).window
            assert last is not None
            assert expired is not None
            assert not last.expired
            assert (expired.text, expired.expired) == (AFTER_EXPIRY[name], True)


@pytest.mark.parametrize(
    ("begun", "beside"),
    [
        ("0 window name=late_start", ("Press to start your opponent's clock",) * 2),
        (
            f"{RUN}, 95 neutralise, 96 window right name=tile_decision",
            ("Go on? Press the\u00a0bar, or your opponent presses", "Go on? Press to start your opponent's clock"),
        ),
    ],
)
def test_once_time_is_over_that_only_the_director_goes_on_from_the_instruction_is_to_call(begun: str, beside: tuple[str, str]) -> None:
    counts, over = at("97", begun), at("301" if "late" in begun else "157", begun)
    assert some(over.window).expired
    assert not some(counts.window).expired
    assert {half.note for _, half in counts.halves.items()} == {""}
    assert prompts(over) == ("Call the director: hold the\u00a0bar 1\u00a0s",) * 2
    assert (over.halves.left.note, over.halves.right.note) == beside


def test_where_the_rulebook_lets_the_players_start_a_late_clock_the_window_sends_nobody_to_the_director(tmp_path: Path) -> None:
    shown = at("300", "0 window name=late_start", own_rulebook(tmp_path, '[late]\nstarts = "players"'))
    window = some(shown.window)
    assert (window.title, window.text) == ("LATE START", "the menu starts the absent player's clock")
    assert prompts(shown) == ("The menu starts the absent player's clock: hold the\u00a0bar 1\u00a0s",) * 2


@pytest.mark.parametrize(
    ("name", "you", "opponent"),
    [
        ("overdraw_decision", "you decide: look at the tiles", "your opponent looks at the tiles"),
        ("tile_decision", "you choose the tiles", "your opponent chooses the tiles"),
    ],
)
def test_while_a_decision_counts_each_player_reads_whose_it_is(name: str, you: str, opponent: str) -> None:
    window = some(at("97", f"{RUN}, 95 neutralise, 96 window right name={name}").window)
    assert [window.read_by(side).text for side in Side] == [opponent, you]


def test_in_new_zealand_the_end_of_the_out_play_window_is_not_said_to_end_the_game() -> None:
    assert some(at("103", f"{RUN}, 100 out_play", NZ).window).text == "accept, hold or challenge"


@pytest.mark.parametrize(
    ("rulebook", "t", "holder", "on_hold"),
    [
        (NASPA, "109.5", "Your clock runs", "Wait: then you may draw, tiles apart"),
        (NASPA, "110", "Your opponent may draw, tiles apart", "You may draw now, tiles apart"),
        (NASPA, "500", "Your opponent may draw, tiles apart", "You may draw now, tiles apart"),
        # No courtesy draw.
        (NZ, "110", "Your clock runs", "Wait: your opponent holds"),
    ],
)
def test_a_hold_names_who_called_it_who_may_draw_and_how_it_ends(rulebook: str, t: str, holder: str, on_hold: str) -> None:
    shown = at(t, f"{RUN}, 95 hold", rulebook)
    assert prompts(shown) == (holder, on_hold)
    assert shown.halves.map(lambda half: half.note) == BySide(
        "To release: say RELEASED · Your button ends your turn · Challenge: the\u00a0bar\u00a02\u00a0s",
        "Your opponent holds. Says RELEASED? Hold your button 1\u00a0s",
    )


def test_a_hold_that_stands_over_a_stop_or_a_decision_is_said_after_its_window_is_gone() -> None:
    held = f"{RUN}, 95 hold, 97 neutralise reason=x"
    assert at("150", held).window is None
    for lines in (held, f"{held}, 98 decide left", f"{held}, 98 decide right"):
        assert "The hold continues" in at("150", lines).details
    assert not any("hold" in detail for detail in at("150", f"{RUN}, 97 neutralise").details)
    assert at("150", f"{RUN}, 97 neutralise reason=x, 98 decide right").details == ()


def test_the_courtesy_draw_counts_on_in_the_instructions_under_another_window() -> None:
    mixing = at("106", f"{RUN}, 95 hold, 105 window name=mixing")
    assert (some(mixing.window).title, prompts(mixing)[1]) == ("MIXING", "Wait 0:04, then you may draw, tiles apart")


def test_in_new_zealand_an_out_play_on_which_the_opponents_clock_was_started_is_called_not_accepted_and_not_held() -> None:
    started = at("120", f"{RUN}, 95 out_play, 105 press left", NZ)
    assert {half.status for _, half in started.halves.items()} == {"OUT PLAY NOT ACCEPTED"}
    assert prompts(started) == ("Your opponent has not accepted your out play", ANSWER.replace("{bar}", "the\u00a0bar"))


@pytest.mark.parametrize(
    ("rulebook", "acceptable", "on_turn", "status"),
    [
        (NASPA, "true", Side.RIGHT, "YOU LOST THE TURN"),
        (COLLINS, "true", Side.LEFT, "OPPONENT'S TURN NEXT"),
        (NZ, "true", Side.LEFT, "OPPONENT'S TURN NEXT"),
        (NASPA, "false", Side.LEFT, "YOU LOST THE TURN"),
        (COLLINS, "false", Side.LEFT, "YOU LOST THE TURN"),
        (NZ, "false", Side.LEFT, "YOU LOST THE TURN"),
    ],
)
def test_after_a_verdict_the_face_says_who_restarts_whose_clock(rulebook: str, acceptable: str, on_turn: Side, status: str) -> None:
    halves = at("100", f"{RUN}, 95 challenge, 99 verdict acceptable={acceptable}", rulebook).halves
    assert halves.of(on_turn.other).prompt == START
    assert halves.of(on_turn).prompt == WAIT_START.replace("{bar}", "the\u00a0bar")
    assert halves.of(on_turn.other).status == status


NEXT, OTHERS_NEXT = "Then: YOUR TURN NEXT", "Then: OPPONENT'S TURN NEXT"


@pytest.mark.parametrize(
    ("rulebook", "lines", "offer", "said", "then"),
    [
        (NASPA, "", Withdraw(), "CHALLENGE WITHDRAWN?", (NEXT, OTHERS_NEXT)),
        (NASPA, "", Verdict(acceptable=True), "ACCEPTABLE?", ("Then: YOU LOST THE TURN", NEXT)),
        (NASPA, "", Verdict(acceptable=False), "UNACCEPTABLE?", (NEXT, "Then: YOU LOST THE TURN")),
        (COLLINS, "", Verdict(acceptable=True, words=1), "ACCEPTABLE, 1 word?", (NEXT, f"{OTHERS_NEXT}, +5 points")),
        (
            COLLINS,
            ", 98 points right points=-30 reason=x",
            Verdict(acceptable=True, words=3),
            "ACCEPTABLE, 3 words?",
            (NEXT, f"{OTHERS_NEXT}, +15 points"),
        ),
        (NASPA, ", 99 out_play", Verdict(acceptable=True), "ACCEPTABLE?", ("Then: GAME OVER", "Then: GAME OVER")),
    ],
)
def test_an_offer_is_large_with_what_follows_for_each(
    rulebook: str, lines: str, offer: Verdict | Withdraw, said: str, then: tuple[str, str]
) -> None:
    table, now = ClockState(play(rulebook, *f"{RUN}{lines}, 100 challenge".split(", ")).history, setup()), 101_000
    while table.offer != offer:
        now += 500
        table = drive(table, Press("left", now).edges(bouncy=False), now + 400)
    shown = face(table, (now + 5_000) * MS)
    line = "Other answers:\u00a0one player's button · 0:10 left"
    assert (prompts(shown), shown.details[0]) == ((f"{said} · Yes:\u00a0hold the\u00a0bar 1\u00a0s",) * 2, line)
    assert (shown.halves.left.note, shown.halves.right.note, shown.cue) == (*then, f"offer_{offer_key(offer)}")
    lapsed = tick(table, (now + 15_000) * MS)
    assert (lapsed.offer, lapsed.answers[-1].message.key) == (None, "closed.offer")


def test_without_buttons_both_halves_say_what_to_do_unless_a_clock_runs() -> None:
    why = Diagnosis("the pins are busy", "restart the clock")
    stopped, running = (ClockState(play(NASPA, *lines.split(", ")).history, setup()) for lines in (STOPPED, RUN))
    shown = face(stopped, 100 * NS, (), why)
    assert prompts(shown) == ("NO BUTTONS",) * 2
    assert shown.details[:2] == ("The pins are busy", "Restart the clock")
    assert replace(face(running, 100 * NS, (), why), no_buttons=False) == face(running, 100 * NS)


def test_in_the_menu_left_moves_up_and_right_down_but_beside_a_button_that_keeps_its_meaning() -> None:
    for lines, moves in ((STOPPED, BySide(-1, 1)), ("0 late_start left", BySide(0, 0))):
        table = ClockState(play(NASPA, *lines.split(", ")).history, setup())
        shown = face(replace(table, table_menu=opened(table.game_at(100 * NS))), 100 * NS)
        assert shown.halves.map(lambda half: some(half.page).own_move) == moves


def test_a_stop_says_its_reason_and_that_nobody_studies() -> None:
    assert at("100", STOPPED).details == (NO_STUDY,)
    assert at("100", f"{STOPPED} reason=overdraw").details == ("Reason: overdraw", NO_STUDY)
    assert NO_STUDY in at("101", f"{RUN}, 100 challenge").details
    # The opponent may look at an out play (2017 V.E).
    assert NO_STUDY not in at("101", f"{RUN}, 100 out_play").details


def test_a_stop_without_a_reason_asks_for_one_on_the_strip_and_after_a_hold_says_that_it_is_a_challenge() -> None:
    assert at("100", STOPPED).hint == "Why stopped? · Menu: hold the\u00a0bar 1\u00a0s"
    held = "After HOLD a stop is a challenge. Another reason? Hold the\u00a0bar 1\u00a0s"
    assert at("100", f"{RUN}, 95 hold, 97 neutralise").hint == held
    assert at("100", f"{STOPPED} reason=x").hint == ""
    assert at("100", f"{STOPPED}, 96 hold").hint == "Why stopped? · Menu: hold the\u00a0bar 1\u00a0s", (
        "a hold after the stop makes it no challenge"
    )
    assert at("100", f"{RUN}, 95 end reason=x").hint == "Menu: hold the\u00a0bar 1\u00a0s · Slip signed? Next game: 2\u00a0s"
    assert at("100", f"{RUN}, 95 out_play, 96 release").hint == "Menu: hold the\u00a0bar 1\u00a0s", "the next game waits 20 s"


@pytest.mark.parametrize("lines", [RUN, f"{RUN}, 95 hold", STOPPED, f"{RUN}, 95 challenge", f"{RUN}, 95 end reason=x", ""])
def test_until_the_times_are_confirmed_no_half_and_no_line_asks_a_player_to_press(lines: str) -> None:
    shown = at("100", lines, frozen=True)
    assert set(prompts(shown)) == {"The director confirms the times first"}
    assert not any(word in detail.lower() for detail in shown.details for word in ("press", "say why"))
    assert shown.hint == ""
    assert "The director confirms the times first" not in prompts(at("100", lines))


THIRD = f"{RUN}, 91 infraction left, 92 infraction left, 93 infraction left"
ASKED = "Minor infraction 3: the director decides on a minute"


def test_every_third_infraction_calls_for_the_directors_decision() -> None:
    assert at("94", THIRD).details == (ASKED,)
    assert at("94", f"{RUN}, 91 infraction left, 92 infraction left").details == ()
    # Where the rulebook has no minute for infractions the third is counted and calls for nothing.
    shown = at("94", THIRD, NZ)
    assert (shown.details, marks(shown)[0]) == ((), ("3 minor infractions",))


@pytest.mark.parametrize(
    ("before", "after", "asked"),
    [
        ("", ", 94 adjust left seconds=-60 when=now reason=x", False),
        ("", ", 94 adjust right seconds=60 when=end reason=x", False),
        ("", ", 94 press left", False),
        # Still the same turn.
        ("", ", 94 neutralise", True),
        ("", ", 94 neutralise, 95 resume left", True),
        ("", ", 94 adjust left seconds=60 when=now reason=x, 95 undo event=8 reason=x", True),
        # A minute before is not its answer, and the question follows a swap.
        (", 90.5 adjust left seconds=60 when=now reason=x", "", True),
        (", 90.5 adjust left seconds=60 when=now reason=x", ", 94 neutralise, 95 swap reason=x", True),
    ],
)
def test_the_director_is_asked_about_a_minute_until_it_is_given_or_the_next_turn_begins(before: str, after: str, asked: bool) -> None:
    assert (ASKED in at("96", f"{RUN}{before}{THIRD.removeprefix(RUN)}{after}").details) is asked


def test_no_picture_of_a_stop_goes_through_the_whole_game(monkeypatch: pytest.MonkeyPatch) -> None:
    # It would take longer with each turn.
    monkeypatch.setattr(game.history, "_Correction", None)
    notes = at("100", "1 press right, 60 press left, 95 neutralise").halves.map(lambda half: half.note)
    assert (notes.left, notes.right) == ("Played out? In the menu: hold the\u00a0bar 1\u00a0s", "You played out? Hold your button 1\u00a0s")


NOT_OUT = "A tile left? Not out, in the menu: hold the\u00a0bar 1\u00a0s"


@pytest.mark.parametrize(
    ("t", "lines", "details"),
    [
        ("1", "", ("Menu: hold the\u00a0bar 1\u00a0s",)),
        ("65.9", "0 late_start both", ("Both absent for 1:05",)),
        ("100.9", f"{RUN}, 95 end reason=x", ("X", "Disconnected tiles? In the menu:\u00a00:15", "Since the end: 0:05")),
        ("115", f"{RUN}, 95 end reason=x", ("X", "Since the end: 0:20")),
        ("200", f"{RUN}, 95 end reason=forfeit loser=left", ("No recount", "Since the end: 1:45")),
        ("130", f"{RUN}, 95 out_play", (NOT_OUT, "Out play", "Disconnected tiles? In the menu:\u00a00:05", "Since the end: 0:15")),
        # What both states say is not said once more. Disconnected tiles do not change a forfeit by itself, a resignation, a game of which nothing was played.
        ("1505", "0 late_start left", ("No recount", "Since the end: 0:04")),
        ("1505", "0 late_start both", ("Double forfeit", "No recount", "Since the end: 0:04")),
        ("100", f"{RUN}, 95 end reason=resignation loser=left", ("Since the end: 0:05",)),
        ("100", "95 end reason=x", ("X", "Since the end: 0:05")),
    ],
)
def test_the_end_says_how_long_tiles_may_be_called_disconnected_and_of_a_recount(t: str, lines: str, details: tuple[str, ...]) -> None:
    assert at(t, lines).details == details


def test_after_the_limit_there_is_no_recount_and_the_loser_reads_that_the_opponent_wins() -> None:
    limit = at("2110", "0 press right")
    assert limit.details == ("No recount", "Since the end: 0:09")
    assert prompts(limit) == ("Your opponent wins by one point at least", "You win by one point at least")


def test_under_wespa_the_limit_leaves_the_recount_and_the_margin_is_a_hundred_points() -> None:
    limit = at("2101", "0 press right", rulebook="wespa-2021")
    assert limit.details == ("Since the end: 0:01",)
    assert prompts(limit) == ("Your opponent wins by 100 points at least", "You win by 100 points at least")


def test_under_wespa_a_late_player_with_less_than_fifteen_minutes_reads_the_choice_before_the_game() -> None:
    choice = "Late, with less than 15:00 left: that player may forfeit. Tell the director"
    for minutes, offered in ((10, False), (11, True)):
        ready = at(str(minutes * 60 + 1), f"0 late_start left, {minutes * 60} arrive left", rulebook="wespa-2021")
        assert (choice in ready.details) is offered


@pytest.mark.parametrize(
    ("lines", "running", "banner"),
    [
        # What a passer-by reads: the half that runs, and the word for both halves.
        ("", None, ""),
        (RUN, Side.LEFT, ""),
        (f"{RUN}, 95 press left", Side.RIGHT, ""),
        (f"{STOPPED}, 96 decide right", Side.RIGHT, ""),
        (f"{RUN}, 95 hold", Side.LEFT, "HOLD"),
        ("0 late_start left", Side.LEFT, "LATE"),
        ("0 late_start both", None, "LATE"),
        (STOPPED, None, "STOPPED"),
        (f"{RUN}, 95 hold, 96 neutralise", None, "STOPPED"),
        (f"{RUN}, 95 out_play", None, "OUT PLAY"),
        (f"{RUN}, 95 out_play, 96 hold", Side.RIGHT, "HOLD"),
        (f"{RUN}, 95 challenge", None, "CHALLENGE"),
        (f"{RUN}, 95 challenge, 96 press left", Side.RIGHT, ""),
        (f"{RUN}, 95 challenge, 96 withdraw", None, "CHALLENGE WITHDRAWN"),
        (f"{RUN}, 95 challenge, 96 withdraw, 97 call on=true", None, "CHALLENGE WITHDRAWN"),
        (f"{RUN}, 95 out_play, 96 not_out", None, "NO OUT PLAY"),
        (f"{RUN}, 95 end reason=x, 96 reopen reason=x", None, "GAME REOPENED"),
        (f"{RUN}, 95 challenge, 96 verdict acceptable=true", None, "ACCEPTABLE"),
        (f"{RUN}, 95 challenge, 96 verdict acceptable=false", None, "UNACCEPTABLE"),
        (f"{RUN}, 95 end reason=x", None, "GAME OVER"),
    ],
)
def test_a_passer_by_sees_if_a_clock_runs_and_which_and_in_a_challenge_that_none_may(lines: str, running: Side | None, banner: str) -> None:
    now, later = at("100", lines), at("103", lines)
    expected = [] if running is None else [running]
    assert [half.side for _, half in now.halves.items() if half.runs] == expected
    assert [side for side in Side if now.halves.of(side).reading != later.halves.of(side).reading] == expected
    assert now.banner == banner
