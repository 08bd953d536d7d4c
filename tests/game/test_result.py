"""The signed result as an event of the game (docs/spec/result.md)."""

import json
from typing import Any

from game.events import Result
from records.words import _description
from rules.side import BySide
from tests.firmware.saying import NASPA, NZ, Script, attempt, keys_of, play

OUT = ("0 press right, 30 out_play, 60 release", "60")


def result(scores: tuple[int, int], final: tuple[int, int], **others: Any) -> str:
    """Return the words of a result; the other keys as they stand in JSON."""
    keys = {"scores": scores, "final": final, "taken_off": False, "signed_ns": (2_500_000_000, 0), "names": ("Ada", "Bo")} | others
    said = {key: {"left": value[0], "right": value[1]} if isinstance(value, tuple) else value for key, value in keys.items()}
    return "result " + " ".join(f"{key}={json.dumps(value, separators=(',', ':'))}" for key, value in said.items())


def ended(rulebook: str, *lines: str) -> Script:
    return play(rulebook, "0 press right", *lines)


def refused(script: Script, t: str, what: str) -> bool:
    return script.then(f"{t} {what}").refused == (f"{t} {what}",)


def test_a_signed_result_stands_with_the_end_and_is_printed() -> None:
    script = ended(NASPA, "30 out_play", "45 release").then("60 " + result((412, 389), (412, 389), table=7))
    signed = script.game("61").result
    assert signed == Result(BySide(412, 389), False, BySide(412, 389), BySide(2_500_000_000, 0), BySide("Ada", "Bo"), None, 7)
    assert script.face("61")["final"] == {"left": 412, "right": 389}
    assert "final" not in ended(NASPA, "30 out_play", "45 release").face("61")


def test_only_what_the_game_says_can_be_signed_and_only_once_it_is_over() -> None:
    # Left is a minute and a second over time, right is not.
    over = ended(NASPA, "1561 out_play", "1562 release")
    assert over.game("1600").end is not None
    assert refused(over, "1600", result((412, 389), (412, 389)))
    assert refused(over, "1600", result((412, 389), (392, 389), taken_off=True))
    assert not refused(over, "1600", result((412, 389), (392, 389)))
    assert not refused(over, "1600", result((392, 389), (392, 389), taken_off=True))
    # Points of the director and of challenges belong to the sheets.
    given = over.then("1590 points right points=-10 reason=x")
    assert not refused(given, "1600", result((412, 389), (392, 389)))
    assert refused(ended(NASPA, "30 out_play"), "40", result((412, 389), (412, 389)))
    signed = over.then("1600 " + result((412, 389), (392, 389)))
    assert refused(signed, "1601", result((412, 389), (392, 389)))
    # A tile in the bag counts until both have signed (2017 V.C.3).
    assert refused(signed, "1601", "not_out")
    assert not refused(over, "1601", "not_out")
    assert refused(over, "1600", result((412, 389), (392, 389), by="director"))
    assert refused(over, "1600", result((412, 389), (392, 389), signed_ns=(1, 2)))


def test_the_limit_raises_the_winner_and_leaving_costs_the_margin() -> None:
    limit = ended(NASPA)
    assert limit.game("2200").reason == "overtime limit"
    assert not refused(limit, "2200", result((530, 389), (430, 431)))
    left = ended(NASPA, "30 end reason=resignation loser=right")
    assert not refused(left, "40", result((380, 389), (439, 389)))
    assert refused(left, "40", result((380, 389), (380, 389)))


def test_a_forfeit_has_nothing_to_sign() -> None:
    for rulebook, end in ((NASPA, "forfeit"), (NZ, "forfeit"), (NZ, "resignation")):
        words = {"words": (1, 2)} if rulebook == NZ else {}
        over = ended(rulebook, f"30 end reason={end} loser=left")
        assert refused(over, "40", result((412, 389), (412, 389), **words))
    absent = attempt(NASPA, "0 late_start left")
    assert refused(absent, "1600", result((412, 389), (412, 389)))


def test_bonus_words_are_signed_exactly_where_the_rulebook_counts_them() -> None:
    nz, naspa = (ended(rulebook, "30 end reason=x") for rulebook in (NZ, NASPA))
    assert not refused(nz, "40", result((412, 389), (412, 389), words=(2, 0)))
    assert refused(nz, "40", result((412, 389), (412, 389)))
    assert refused(naspa, "40", result((412, 389), (412, 389), words=(2, 0)))


def test_after_signing_the_players_change_nothing_and_only_the_director_reopens() -> None:
    over = ended(NASPA, "30 out_play", "32 release")
    signed = over.then("40 " + result((412, 389), (412, 389)))
    assert signed.refused == ()
    for what in ("undo reason=x by=players", "window name=recount", "window name=disconnected"):
        assert not refused(over, "45", what)
        assert refused(signed, "45", what)
    assert over.game("45").wait_to_leave(45 * 10**9) == 7 * 10**9
    assert not signed.game("45").wait_to_leave(45 * 10**9)
    assert signed.then("45 reopen reason=x").game("46").result is None
    assert signed.then("45 window name=between_rounds").game("46").result is not None


def test_the_directors_undo_strikes_the_result_before_the_end_and_players_may_sign_anew() -> None:
    signed = ended(NASPA, "30 out_play", "32 release", "40 " + result((412, 389), (412, 389)))
    struck = signed.then("50 undo reason=x")
    assert struck.game("51").result is None
    assert struck.game("51").reason == "out play"
    again = struck.then("60 " + result((411, 389), (411, 389)))
    assert again.game("61").result is not None


def test_a_result_drops_out_where_an_undo_changes_what_the_game_gives() -> None:
    # Left is on turn, stops the clock at 25:00 and ends the game 100 s later; without the stop left has used 26:40.
    script = ended(NASPA, "1500 neutralise", "1600 end reason=x", "1610 " + result((412, 389), (412, 389)))
    assert script.game("1611").result is not None
    changed = script.then("1620 undo reason=x event=3")
    assert changed.refused == ()
    assert changed.face("1621")["left"]["penalty"] == 20
    assert changed.game("1621").result is None
    # An undo that changes no penalty leaves it.
    kept = ended(NASPA, "20 infraction left", "30 end reason=x", "40 " + result((412, 389), (412, 389)), "50 undo reason=x event=3")
    assert kept.game("51").result is not None


def test_the_journal_says_a_result_as_a_slip_does_and_takes_anything_that_a_clock_of_the_hall_may_send() -> None:
    said = keys_of(result((412, 389), (392, 389), table=7, words=(2, 0)))
    assert _description("event", said) == "result signed by both: table 7, Ada 392 (412 entered), bonus words 2, Bo 389, bonus words 0"
    assert _description("event", {"do": "result", "final": 5, "names": None}) == "result signed by both: left None, right None"


def test_only_a_signed_result_is_disputed_once_and_the_face_and_the_journal_say_so() -> None:
    over = ended(NASPA, "30 out_play", "45 release")
    disputes = "call on=true disputes=true"
    assert refused(over, "61", disputes)
    signed = over.then("60 " + result((412, 389), (412, 389)))
    assert refused(signed, "61", "call on=false disputes=true")
    disputed = signed.then(f"61 {disputes}")
    assert (disputed.face("62")["disputed"], "disputed" in signed.face("62")) == (True, False)
    assert refused(disputed, "63", disputes)
    assert "disputed" in disputed.then("63 call on=false by=director").face("64")
    assert "disputed" not in disputed.then("63 reopen reason=x").face("64")
    assert _description("event", keys_of(disputes)) == "call: the signed result is disputed"
    assert _description("event", keys_of("call on=false")) == "call on: False"
