"""Words, time frames and running texts on four digits."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.face.value import WindowFace
from firmware.gestures.lapsing import OfferKind
from firmware.screens.led.pictures import FOOT, LETTERS, REST_MS, STEP_MS, WORDS, marquee, window_frames, window_lit, words
from firmware.texts import load_texts
from game.game import Phase
from hardware.led.picture import DARK, DIGITS, GLYPHS, Cell, Lit, cells, glyph, lit
from rules.rulebooks import load_rulebook, shipped_ids
from tests.firmware.screens.led.reading_off import signs


def word(text: str) -> Lit:
    return lit(cells(text))


def window(name: str, reading: str, *, expired: bool = False) -> WindowFace:
    return WindowFace(name, "", reading, "", expired)


def test_every_time_frame_of_every_rulebook_has_a_letter_of_its_own() -> None:
    named = {name for rulebook in shipped_ids() for name in load_rulebook(rulebook).windows}
    assert named <= LETTERS.keys()
    assert len({glyph(letter) for letter in LETTERS.values()}) == len(LETTERS)
    assert not {glyph(letter) for letter in LETTERS.values()} & {glyph(numeral) for numeral in "0123456789-"}


def test_a_time_frame_is_its_letter_and_the_reading_of_the_face() -> None:
    assert window_lit(window("courtesy_draw", "0:15")) == Lit((glyph("H"), glyph("0"), glyph("1"), glyph("5")), colon=True)
    assert signs(window_lit(window("late_start", "5:00")))[1:] == "500"


@pytest.mark.parametrize(("reading", "minutes"), [("10:00", "10"), ("10:01", "11"), ("99:59", "99"), ("120:00", "99")])
def test_from_ten_minutes_on_a_time_frame_shows_the_minutes_that_are_begun(reading: str, minutes: str) -> None:
    shown = window_lit(window("between_rounds", reading))
    assert signs(shown)[1:] == f"{minutes} "
    assert shown.apostrophe
    assert not shown.colon


def test_a_time_frame_that_counts_blinks_its_colon_and_one_that_expired_flashes() -> None:
    on, off = window_frames(window("recount", "0:30"))
    assert (on.lit.colon, off.lit.colon, on.lit.digits == off.lit.digits) == (True, False, True)
    assert window_frames(window("recount", "0:00", expired=True))[1].lit == DARK


def test_no_two_time_frames_look_alike_at_any_instant() -> None:
    shown = [
        window_lit(window(name, f"{s // 60}:{s % 60:02d}"), colon=colon) for name in LETTERS for s in range(600) for colon in (True, False)
    ]
    assert len(set(shown)) == len(shown)


def test_no_two_words_look_alike_whatever_is_dark_between_them() -> None:
    assert len({word(each) for each in WORDS}) == len(WORDS)


def test_every_word_is_made_of_letters_that_there_are() -> None:
    for each in WORDS:
        places = cells(each)
        assert len(places) <= DIGITS
        assert all(place.segments for place in places)


def test_every_cue_and_standing_has_its_words_or_none_on_purpose() -> None:
    cues = {phase.value for phase in Phase} | {f"offer_{offer.value}" for offer in OfferKind} | {"confirm", "acceptable", "unacceptable"}
    silent = {cue for cue in cues if not words(cue, "none")}
    assert silent == {"ready", "running", "offer_none"}
    standings = {key.removeprefix("status.") for key in load_texts().by_key if key.startswith("status.")}
    assert {each for each in standings if words("ready", each)} == {
        "out",
        "opponent_out",
        "on_turn",
        "off_turn",
        "lost_turn",
        "lost_limit",
        "forfeited",
    }


def test_no_button_is_asked_for_until_the_times_are_confirmed() -> None:
    assert words("confirm", "off_turn") == ("ConF",)
    assert words("neutral", "off_turn") == ("StoP", "PrES")


def test_no_two_characters_look_alike_but_those_that_seven_segments_cannot_tell_apart() -> None:
    alike: dict[int, str] = {}
    for character, segments in GLYPHS.items():
        alike[segments] = alike.get(segments, "") + character
    assert {each for each in alike.values() if len(each) > 1} == {"0O", "5S", "C("}


def test_texts_are_folded_to_letters_that_there_are() -> None:
    assert cells("é") == cells("e") == cells("E")
    assert cells("1:05") == (Cell(glyph("1"), point=True), Cell(glyph("0")), Cell(glyph("5")))
    assert cells(":x") == (Cell(0, point=True), Cell(glyph("x")))
    assert cells("漢")[0].segments == 0


def test_a_short_text_stands_and_a_long_one_runs_through_once() -> None:
    assert [frame.ms for frame in marquee("StoP")] == [REST_MS]
    frames = list(marquee("Stop the clock"))
    assert [frame.ms for frame in frames] == [REST_MS, *[STEP_MS] * 9, REST_MS]
    assert frames[0].lit == word("Stop")
    assert frames[-1].lit == word("lock")
    assert not list(marquee(""))


@given(st.text())
def test_no_text_ever_lights_the_foot_of_a_reading(text: str) -> None:
    assert not any(frame.lit.points & FOOT for frame in marquee(text))


def test_a_point_at_the_end_is_seen_after_all() -> None:
    assert list(marquee("Sure."))[-1].lit.points == 0b0100
