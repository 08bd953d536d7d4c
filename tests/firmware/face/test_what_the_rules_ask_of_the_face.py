"""Sentences of the rulebooks that ask the clock to say something: allowances, what a window's end means, reasons, who restarts whom."""

from pathlib import Path

import pytest

from firmware.face.value import Face
from firmware.face.view import face
from firmware.gestures.clock_state import ClockState
from firmware.gestures.lapsing import Offer, OfferKind
from firmware.gestures.presses import tick
from firmware.menu.menu import Menu
from rules.duration import parse_instant
from rules.rulebooks.model import WINDOW_NAMES
from rules.side import Side
from tests.cells import each_cell
from tests.firmware.gestures.trains import MS, Press, drive, setup
from tests.firmware.saying import play

RUN = ("0 press right", "60 press left", "90 press right")
AFTER_EXPIRY = {
    "missed_press": "no hold or challenge any more",
    "return_to_table": "no hold or challenge any more",
    "overdraw_decision": "time is up: the other player presses",
    "tiles_returned": "time is up: the other player presses",
    "tile_decision": "time is up: call the director",
    "mixing": "stop mixing",
    "recount": "no recount any more",
    "recount_warning": "the recount is ended",
    "late_start": "call the director",
    "between_rounds": "the next round may start",
}


def at(t: str, *lines: str, rulebook: str = "naspa-2017") -> Face:
    return face(ClockState(play(rulebook, *lines).record, setup(two_button=False)), parse_instant(t))


def test_both_allowances_stand_on_the_face_before_the_start_and_the_longer_one_on_its_own_half_later() -> None:
    medical = "naspa-2017 left_seconds=1800"
    before, later = at("1", rulebook=medical).halves, at("100", *RUN, rulebook=medical).halves
    assert (before.left.marks, before.right.marks) == (("of 30:00",), ("of 25:00",))
    assert (later.left.marks, later.right.marks) == (("of 30:00",), ())


def test_both_allowances_still_stand_on_the_face_while_an_absent_players_clock_runs() -> None:
    halves = at("400", "300 late_start left", rulebook="naspa-2017 left_seconds=1800").halves
    assert (halves.left.marks, halves.right.marks) == (("of 30:00",), ("of 25:00",))


@pytest.mark.parametrize("two_button", [False, True])
def test_a_page_of_the_menu_is_handed_over_whole_with_the_row_that_is_chosen(*, two_button: bool) -> None:
    at_table = setup(two_button=two_button)
    menu = face(ClockState(play("naspa-2017").record, at_table, menu=Menu(cursor=-1)), parse_instant("1")).menu
    assert menu is not None
    assert menu.rows[menu.chosen or 0] == "New game"
    assert menu.rows[0] == "Late: start the absent player's clock"


def test_an_expired_window_says_what_its_end_means() -> None:
    for cell in each_cell(AFTER_EXPIRY):
        with cell as name:
            begun = f"0 window name={name}"
            length = play("naspa-2017", begun).game("0").rulebook.windows[name] // 10**9
            last, expired = at(f"{length - 1}.999999999", begun).window, at(str(length), begun).window
            assert last is not None
            assert expired is not None
            assert not last.expired
            assert (expired.text, expired.expired) == (AFTER_EXPIRY[name], True)


def test_where_the_rulebook_lets_the_players_start_a_late_clock_the_window_sends_nobody_to_the_director(tmp_path: Path) -> None:
    own = tmp_path / "ours.toml"
    late = '[late]\nstarts = "players"\nclause = "ours"\n'
    own.write_text(f'id = "ours"\ntitle = "Ours"\nsummary = "Late clocks."\nextends = "naspa-2017"\n{late}', "utf-8")
    window = at("300", "0 window name=late_start", rulebook=str(own)).window
    assert window is not None
    assert (window.title, window.text) == ("LATE START", "the menu starts the absent player's clock")


def test_every_window_but_those_that_start_with_a_hold_or_an_out_play_is_among_them() -> None:
    assert set(AFTER_EXPIRY) == set(WINDOW_NAMES) - {"courtesy_draw", "out_play", "disconnected"}


@pytest.mark.parametrize(
    ("rulebook", "acceptable", "on_turn", "status"),
    [
        ("naspa-2017", "true", Side.RIGHT, "YOU LOST THE TURN"),
        ("naspa-2017-collins-5", "true", Side.LEFT, "OPPONENT'S TURN NEXT"),
        ("nzasp-2022", "true", Side.LEFT, "OPPONENT'S TURN NEXT"),
        ("naspa-2017", "false", Side.LEFT, "YOU LOST THE TURN"),
        ("naspa-2017-collins-5", "false", Side.LEFT, "YOU LOST THE TURN"),
        ("nzasp-2022", "false", Side.LEFT, "YOU LOST THE TURN"),
    ],
)
def test_after_a_verdict_the_face_says_who_restarts_whose_clock(rulebook: str, acceptable: str, on_turn: Side, status: str) -> None:
    halves = at("100", *RUN, "95 challenge", f"99 verdict acceptable={acceptable}", rulebook=rulebook).halves
    assert halves.of(on_turn.other).prompt == "Press to start your opponent's clock"
    assert halves.of(on_turn).prompt == "Wait: your opponent starts your clock, or press the\u00a0bar"
    assert halves.of(on_turn.other).status == status


def test_minus_nought_is_not_called_overtime_and_the_second_after_it_is() -> None:
    assert at("1500.5", "0 press right").halves.left.reading == "-0:00"
    assert not at("1500.5", "0 press right").halves.left.overtime
    assert at("1501", "0 press right").halves.left.overtime


def test_in_new_zealand_the_end_of_the_out_play_window_is_not_said_to_end_the_game() -> None:
    windows = {rulebook: at("103", *RUN, "100 out_play", rulebook=rulebook).window for rulebook in ("naspa-2017", "nzasp-2022")}
    texts = {rulebook: window.text for rulebook, window in windows.items() if window is not None}
    assert texts == {"naspa-2017": "hold or challenge, or the game ends", "nzasp-2022": "accept, hold or challenge"}


@pytest.mark.parametrize(
    ("rulebook", "lines", "offer", "said", "then"),
    [
        ("naspa-2017", (), Offer(OfferKind.BACK), "NO CHALLENGE?", ["YOUR TURN NEXT", "OPPONENT'S TURN NEXT"]),
        ("naspa-2017", (), Offer(OfferKind.ACCEPTABLE), "ACCEPTABLE?", ["YOU LOST THE TURN", "YOUR TURN NEXT"]),
        ("naspa-2017", (), Offer(OfferKind.UNACCEPTABLE), "UNACCEPTABLE?", ["YOUR TURN NEXT", "YOU LOST THE TURN"]),
        (
            "naspa-2017-collins-5",
            (),
            Offer(OfferKind.ACCEPTABLE, 1),
            "ACCEPTABLE, 1 word?",
            ["YOUR TURN NEXT", "OPPONENT'S TURN NEXT, +5 points"],
        ),
        (
            "naspa-2017-collins-5",
            (),
            Offer(OfferKind.ACCEPTABLE, 3),
            "ACCEPTABLE, 3 words?",
            ["YOUR TURN NEXT", "OPPONENT'S TURN NEXT, +15 points"],
        ),
        ("naspa-2017", ("99 out_play",), Offer(OfferKind.ACCEPTABLE), "ACCEPTABLE?", ["GAME OVER", "GAME OVER"]),
    ],
)
def test_an_offer_is_said_large_with_what_follows_for_each_player(
    rulebook: str, lines: tuple[str, ...], offer: Offer, said: str, then: list[str]
) -> None:
    table, at = ClockState(play(rulebook, *RUN, *lines, "100 challenge").record, setup(two_button=False)), 101_000
    while table.offer != offer:
        at += 500
        table = drive(table, Press("centre", at).edges(bouncy=False), at + 400)
    shown = face(table, (at + 5_000) * MS)
    line = "The\u00a0bar: next verdict · held 1\u00a0s: take it · lapses in 0:10"
    assert (shown.banner, shown.details[0]) == (said, line)
    lapsed = tick(table, (at + 15_000) * MS)
    assert (lapsed.offer.event, lapsed.answers[-1].message.key) == (None, "closed.offer")
    assert [half.prompt for _, half in shown.halves.items()] == [f"Then: {what}" for what in then]


ONLOOKERS = [
    # What a passer-by reads: the half that runs, and the word over both halves.
    ((), None, "READY"),
    (RUN, Side.LEFT, ""),
    ((*RUN, "95 press left"), Side.RIGHT, ""),
    ((*RUN, "95 neutralise", "96 decide right"), Side.RIGHT, ""),
    ((*RUN, "95 hold"), Side.LEFT, "HOLD"),
    (("0 late_start left",), Side.LEFT, "LATE"),
    (("0 late_start both",), None, "LATE"),
    ((*RUN, "95 neutralise"), None, "STOPPED"),
    ((*RUN, "95 hold", "96 neutralise"), None, "STOPPED"),
    ((*RUN, "95 out_play"), None, "OUT PLAY"),
    ((*RUN, "95 out_play", "96 hold"), Side.RIGHT, "HOLD"),
    ((*RUN, "95 challenge"), None, "CHALLENGE"),
    ((*RUN, "95 challenge", "96 press left"), Side.RIGHT, ""),
    ((*RUN, "95 challenge", "96 withdraw"), None, "STOPPED"),
    ((*RUN, "95 challenge", "96 verdict acceptable=true"), None, "ACCEPTABLE"),
    ((*RUN, "95 challenge", "96 verdict acceptable=false"), None, "UNACCEPTABLE"),
    ((*RUN, "95 end reason=x"), None, "GAME OVER"),
]


def test_whoever_passes_sees_whether_a_clock_runs_and_which_and_in_a_challenge_that_none_may() -> None:
    for cell in each_cell(ONLOOKERS):
        with cell as (lines, running, banner):
            now, later = at("100", *lines), at("103", *lines)
            assert [half.side for _, half in now.halves.items() if half.runs] == ([] if running is None else [running])
            assert [side for side in Side if now.halves.of(side).reading != later.halves.of(side).reading] == (
                [] if running is None else [running]
            )
            assert now.banner == banner


@pytest.mark.parametrize("stop", ["100 neutralise", "100 challenge"])
def test_while_the_clock_is_stopped_nobody_tracks_or_studies(stop: str) -> None:
    assert "No tracking, no study of board or rack" in at("101", *RUN, stop).details


def test_the_opponent_of_an_out_play_is_not_told_not_to_look_at_it() -> None:
    assert "No tracking, no study of board or rack" not in at("101", *RUN, "100 out_play").details  # 2017 V.E
