import os
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from firmware.face.value import Face, WindowFace
from firmware.gestures.meaning import offer_key
from firmware.guided_test import COLOURS, Parts, begun
from firmware.guided_test import DIGITS as DIGITS_LIT
from firmware.screens.led import FOOT, LETTERS, REST_MS, STEP_MS, WORDS, marquee, pictures, reading_lit, window_frames, window_lit, words
from firmware.texts import load_texts
from game.events import Verdict, Withdraw
from game.game import Phase
from hardware.boards.board import BUTTONS
from hardware.led.picture import ALL_LIT, DARK, DIGITS, GLYPHS, Cell, Lit, cells, glyph, lit
from records.device_test import DeviceTest, Failure
from rules.duration import NS
from rules.rulebooks import load_rulebook, shipped_ids
from rules.side import BySide, Side
from tests.cells import each_cell
from tests.firmware.screens.faces import FACES
from tests.firmware.screens.led.reading_off import read_off, signs
from tools.led_displays import drawn

GOLDEN = Path(__file__).parent / "golden.txt"
DOCUMENTED = (Path(__file__).parents[4] / "docs" / "led.md").read_text(encoding="utf-8")


def shown(face: Face) -> BySide[list[Lit]]:
    return pictures(face).map(lambda picture: [frame.lit for frame in picture.frames])


def word(text: str) -> Lit:
    return lit(cells(text))


def words_on(name: str) -> BySide[list[str]]:
    return shown(FACES[name]).map(lambda frames: [each for each in sorted(WORDS) if word(each) in frames])


def runner(face: Face) -> Side:
    return next(side for side, half in face.halves.items() if half.runs)


# --- readings


def test_a_reading_on_a_module_is_that_of_its_own_side_alone_and_blinking_where_its_clock_runs() -> None:
    for cell in each_cell(FACES):
        with cell as name:
            face = FACES[name]
            for side, half in face.halves.items():
                frames = shown(face).of(side)
                assert all((read_off(each) == half.reading) is bool(each.points & FOOT) for each in frames)
                if half.runs:
                    first, second = frames
                    assert read_off(first) == read_off(second) == half.reading
                    assert (first.colon, second.colon) == (True, False)
                elif face.menu is None and face.window is None and not face.fills and not (half.page and half.page.figures):
                    assert frames[0] == reading_lit(half.reading)
                    assert all(each.colon for each in frames if each.points & FOOT)


def test_a_stop_shows_at_once_what_stands_on_both_clocks_and_then_who_presses() -> None:
    face = FACES["neutral"]
    for side, half in face.halves.items():
        who = {"on_turn": "tUrn", "off_turn": "PrES"}[half.status_key]
        assert shown(face).of(side)[:3] == [reading_lit(half.reading), word("StoP"), word(who)]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        *(("late", "LAtE"), ("adjudication", "ACC?"), ("verdict", "UnAC"), ("verdict_points", "ACCE"), ("hold_stopped", "StoP")),
        *(("over", "End"), ("limit", "LoSt")),
    ],
)
def test_where_the_game_stands_is_a_word(name: str, expected: str) -> None:
    assert expected in (*words_on(name).left, *words_on(name).right)


def test_a_call_for_the_director_stands_on_both_modules() -> None:
    assert words_on("called") == BySide(["PrES", "StoP", "dIrE"], ["StoP", "dIrE", "tUrn"])


def test_the_question_who_has_played_out_hides_the_window_and_what_the_buttons_mean_otherwise() -> None:
    asked = replace(FACES["called"], called="", cue="who_out", window=FACES["out_play"].window)
    for side, frames in shown(asked).items():
        assert frames[-1] == word("oUt?"), side
        assert word("PrES") not in frames


def test_a_score_that_is_entered_stands_on_its_players_module_alone_and_its_chosen_digit_blinks() -> None:
    own, other = shown(FACES["result_score"]).right, shown(FACES["result_score"]).left
    assert own == [word(" 389"), word(" 3 9")]
    assert other[0] == reading_lit(FACES["result_score"].halves.left.reading)


def test_each_player_reads_the_own_final_score_and_the_margin_to_sign() -> None:
    assert shown(FACES["result_sign"]) == BySide([word("SIGn"), word(" 392"), word(" +13")], [word("SIGn"), word(" 379"), word(" -13")])
    # Signed, they run through beside the reading.
    assert word("392 ").digits in [each.digits for each in shown(FACES["result_signed"]).left]


def test_the_guided_test_is_words_that_its_countdown_does_not_begin_anew() -> None:
    test, asked = begun(Parts(dict.fromkeys(BUTTONS, "GPIO5"), panel=True, sound=True, lamps=True), (), 0), {}
    for step in test.steps:
        first, later = (pictures(test.shown_on(FACES["running"], load_texts(), at * NS)) for at in (0, 3))
        assert first == later
        asked[step.name, step.held] = first.map(lambda picture: [frame.lit for frame in picture.frames])
        test = replace(test, steps=test.steps[1:])
    assert asked.pop((DIGITS_LIT, False)) == BySide([ALL_LIT, word("L")], [ALL_LIT, word("r")])
    own = {"left": "L", "right": "r", "centre": "bAr", "up": "UP", "down": "dn", "ok": "SEL", "ask_left": "AS-L", "ask_right": "AS-r"}
    looked = {**dict.fromkeys((*COLOURS, "edges"), "SEE?"), "both": "both", "sound": "bEP?", "lamps": "LIt?"}
    expected = {
        **{(name, False): ("PrES", each, "tESt") for name, each in own.items()},
        **{(name, True): ("HoLd", own[name], "tESt") for name in ("left", "right")},
        **{(name, False): (each, "tESt") for name, each in looked.items()},
    }
    assert asked == {key: BySide.both([*map(word, each)]) for key, each in expected.items()}


@pytest.mark.parametrize(("failed", "words"), [((), ["PASS", "9 of"]), (("right button", "power", "lamps"), ["FAIL", "r", "LIt?", "rIGH"])])
def test_its_result_is_a_word_with_the_buttons_and_parts_that_failed_and_then_what_to_do(failed: tuple[str, ...], words: list[str]) -> None:
    test = replace(begun(Parts({}), (), 0), result=DeviceTest(9, tuple(Failure(each, "", "") for each in failed)))
    frames = shown(test.shown_on(FACES["running"], load_texts(), NS)).left
    assert frames[: len(words)] == [*map(word, words)]


def test_after_the_game_the_penalty_runs_through_beside_the_reading() -> None:
    face = FACES["over"]
    for side, half in face.halves.items():
        assert all(word(mark[:4]).digits in [each.digits for each in shown(face).of(side)] for mark in half.marks)
    assert any(half.marks for _, half in face.halves.items())


def test_a_held_press_fills_the_module_of_its_player_and_the_bars_fills_both() -> None:
    drawings = {word("≡" * over + "_" * (4 - over)): "≡" * over for over in range(5)}
    bars = {name: shown(FACES[name]).map(lambda frames: drawings.get(frames[0], "none")) for name in ("fill_own", "fill_bar")}
    # Right's clock runs; left has held its own button for 0.6 of the second.
    assert bars == {"fill_own": BySide("≡≡", "none"), "fill_bar": BySide("≡", "≡")}


def golden(name: str, face: Face) -> str:
    left, right = (drawn(shown(face).of(side)[0]).split("\n") for side in Side)
    rows = (f"{one:<20}{other}".rstrip() for one, other in zip(left, right, strict=True))
    titles = " / ".join(" ".join(each) for _, each in words_on(name).items())
    return "\n".join((f"[{name}] {titles}".rstrip(), *rows))


def test_the_first_picture_of_every_face_is_as_it_was() -> None:
    names = re.findall(r"^\[(\w+)\]", GOLDEN.read_text(encoding="utf-8"), re.MULTILINE)
    drawings = "\n\n".join(golden(name, FACES[name]) for name in (*names, *FACES.keys() - names)) + "\n"
    if os.environ.get("TILECLOCK_UPDATE_GOLDEN"):
        GOLDEN.write_text(drawings, encoding="utf-8")
    assert drawings == GOLDEN.read_text(encoding="utf-8")


# --- time frames


def window(name: str, reading: str, *, expired: bool = False) -> WindowFace:
    return WindowFace(name, "", reading, "", expired)


def test_every_time_frame_of_every_rulebook_has_a_letter_of_its_own_that_is_documented() -> None:
    assert {name for rulebook in shipped_ids() for name in load_rulebook(rulebook).windows} <= LETTERS.keys()
    letters = {glyph(letter) for letter in LETTERS.values()}
    assert len(letters) == len(LETTERS)
    assert not letters & {glyph(numeral) for numeral in "0123456789-"}
    assert [letter for letter in LETTERS.values() if f"| `{letter}` | " not in DOCUMENTED] == []


def test_a_time_frame_is_its_letter_and_the_reading_of_the_face() -> None:
    assert window_lit(window("courtesy_draw", "0:15")) == Lit((glyph("H"), glyph("0"), glyph("1"), glyph("5")), colon=True)
    assert signs(window_lit(window("late_start", "5:00")))[1:] == "500"


@pytest.mark.parametrize(("reading", "minutes"), [("10:00", "10"), ("10:01", "11"), ("99:59", "99"), ("120:00", "99")])
def test_from_ten_minutes_on_a_time_frame_shows_the_minutes_that_are_begun(reading: str, minutes: str) -> None:
    frame = window_lit(window("between_rounds", reading))
    assert (signs(frame)[1:], frame.apostrophe, frame.colon) == (f"{minutes} ", True, False)


def test_a_time_frame_that_counts_blinks_its_colon_and_one_that_expired_flashes() -> None:
    on, off = window_frames(window("recount", "0:30"))
    assert (on.lit.colon, off.lit.colon, on.lit.digits == off.lit.digits) == (True, False, True)
    assert window_frames(window("recount", "0:00", expired=True))[1].lit == DARK


def test_no_two_time_frames_look_alike_at_any_instant() -> None:
    faces = [window(name, f"{s // 60}:{s % 60:02d}") for name in LETTERS for s in range(600)]
    frames = [window_lit(face, colon=colon) for face in faces for colon in (True, False)]
    assert len(set(frames)) == len(frames)


def test_the_hold_window_counts_on_the_module_of_the_player_who_waits_for_it() -> None:
    face = FACES["hold"]
    assert face.window is not None
    first, second = shown(face).of(runner(face).other)
    assert first.digits == second.digits == word(f"H{face.window.reading.replace(':', '')}").digits
    assert (first.colon, second.colon) == (True, False)


def test_a_window_that_nobody_acts_within_takes_turns_with_the_reading() -> None:
    face = FACES["over"]
    assert face.window is not None
    counted = word(f"r{face.window.reading.replace(':', '')}").digits
    for side, half in face.halves.items():
        first, *seconds = shown(face).of(side)[:7]
        assert first == reading_lit(half.reading)
        assert [(each.digits, each.colon) for each in seconds] == [(counted, True), (counted, False)] * 3


# --- the menu, notices, and times to be confirmed


def test_the_menu_stands_on_every_module_but_that_of_a_clock_that_runs() -> None:
    face = FACES["menu"]
    assert face.menu is not None
    assert face.menu.chosen is not None
    for side, frames in shown(replace(face, menu=replace(face.menu, made=""))).items():
        if face.halves.of(side).runs:
            assert read_off(frames[0]) == face.halves.of(side).reading
        else:
            assert frames[:2] == [word(f"r{face.menu.chosen + 1:3d}"), word(face.menu.rows[face.menu.chosen])]


def test_a_question_of_the_menu_tells_what_would_change_before_it_is_taken() -> None:
    face = FACES["menu_confirm"]
    assert face.menu is not None
    assert face.menu.sentence
    frames = next(frames for side, frames in shown(face).items() if not face.halves.of(side).runs)
    assert {word(line).digits for line in (face.menu.title, face.menu.sentence)} <= {frame.digits for frame in frames}


@pytest.mark.parametrize("made", ["+1:00", "+10:00", "-0:10"])
def test_each_press_on_an_amount_is_answered_by_what_it_comes_to(made: str) -> None:
    face = FACES["menu"]
    assert face.menu is not None
    waiting = next(side for side, half in face.halves.items() if not half.runs)
    picture = pictures(replace(face, menu=replace(face.menu, made=made))).of(waiting)
    assert picture.frames[0].lit.digits == word(made).digits
    assert made in picture.theme


def test_a_text_goes_on_while_what_it_says_changes_and_begins_anew_with_another_row() -> None:
    face = FACES["menu_confirm"]
    assert face.menu is not None
    stopped = replace(face, halves=face.halves.map(lambda half: replace(half, runs=False)))
    later = replace(stopped, menu=replace(face.menu, lines=("LEFT 20:00 becomes 20:01",)))
    moved = replace(stopped, menu=replace(face.menu, chosen=(face.menu.chosen or 0) + 1 - 2 * (face.menu.chosen or 0)))
    assert pictures(stopped).left.theme == pictures(later).left.theme != pictures(moved).left.theme


def test_after_a_power_cut_both_modules_ask_for_the_times_to_be_confirmed_and_say_why() -> None:
    face = replace(FACES["neutral"], cue="confirm", notices=("POWER WAS LOST",))
    for side, frames in shown(face).items():
        stands = reading_lit(face.halves.of(side).reading)
        assert [*frames[:4], frames[-1]] == [stands, word("ConF"), stands, word("POWE"), word("LOST")]
    running = FACES["running"]
    reading = running.halves.of(runner(running)).reading
    frames = shown(replace(running, cue="confirm")).of(runner(running))
    assert frames[0] == reading_lit(reading)
    assert reading_lit(reading, colon=False) not in frames, "as if it ran"


@pytest.mark.parametrize(("name", "expected"), [("neutral", True), ("running", False)])
def test_notices_run_through_while_nobody_s_clock_runs_and_only_then(name: str, *, expected: bool) -> None:
    frames = shown(replace(FACES[name], notices=("RECORDING",)))
    assert (word("RECO") in [*frames.left, *frames.right]) is expected


# --- words and running texts


def test_every_word_is_made_of_letters_that_there_are_like_no_other_and_documented() -> None:
    assert len({word(each) for each in WORDS}) == len(WORDS)
    for each in WORDS:
        assert len(cells(each)) <= DIGITS
        assert all(place.segments for place in cells(each))
        assert f"`{each}`" in DOCUMENTED


def test_every_cue_and_standing_has_its_words_or_none_on_purpose() -> None:
    cues = (
        {phase.value for phase in Phase}
        | {f"offer_{offer_key(each)}" for each in (None, Verdict(acceptable=True), Verdict(acceptable=False), Withdraw())}
        | {"confirm", "acceptable", "unacceptable"}
    )
    assert {cue for cue in cues if not words(cue, "none")} == {"ready", "running", "offer_none"}
    standings = {key.removeprefix("status.") for key in load_texts().by_key if key.startswith("status.")}
    worded = "out opponent_out on_turn off_turn lost_turn lost_limit forfeited"
    assert {each for each in standings if words("ready", each)} == set(worded.split())
    # No button is asked for until the times are confirmed.
    assert (words("confirm", "off_turn"), words("neutral", "off_turn")) == (("ConF",), ("StoP", "PrES"))


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


def test_a_short_text_stands_and_a_long_one_runs_through_once_to_its_last_point() -> None:
    assert [frame.ms for frame in marquee("StoP")] == [REST_MS]
    frames = list(marquee("Stop the clock"))
    assert [frame.ms for frame in frames] == [REST_MS, *[STEP_MS] * 9, REST_MS]
    assert (frames[0].lit, frames[-1].lit) == (word("Stop"), word("lock"))
    assert not list(marquee(""))
    assert list(marquee("Sure."))[-1].lit.points == 0b0100


@given(st.text())
def test_no_text_ever_lights_the_foot_of_a_reading(text: str) -> None:
    assert not any(frame.lit.points & FOOT for frame in marquee(text))
