"""What stands on each player's module, for every face that a screen may have to show."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path

from firmware.face.value import Face
from firmware.screens.led import pictures
from firmware.screens.led.pictures import FOOT, reading_lit
from game.game import Phase
from hardware.led.emulator import drawn
from hardware.led.picture import Lit, Picture, cells, lit
from rules.side import BySide, Side
from tests.cells import each_cell
from tests.firmware.screens.faces import FACES
from tests.firmware.screens.led.reading_off import read_off

GOLDEN = Path(__file__).parent / "golden.txt"


def shown(picture: Picture) -> list[Lit]:
    return [frame.lit for frame in picture.frames]


def word(text: str) -> Lit:
    return lit(cells(text))


def words_on(name: str) -> BySide[list[str]]:
    """Return the words among the frames of both sides, by the words that there are."""
    from firmware.screens.led.pictures import WORDS  # noqa: PLC0415 - only what is looked for here

    return pictures(FACES[name]).map(lambda picture: [each for each in sorted(WORDS) if word(each) in shown(picture)])


def test_a_reading_on_a_module_is_the_reading_of_its_own_side() -> None:
    for cell in each_cell(FACES):
        with cell as name:
            face = FACES[name]
            for side, picture in pictures(face).items():
                for each in shown(picture):
                    assert (read_off(each) == face.halves.of(side).reading) is bool(each.points & FOOT)


def test_the_module_of_a_clock_that_runs_shows_its_reading_and_nothing_else() -> None:
    for cell in each_cell(FACES):
        with cell as name:
            face = FACES[name]
            for side, half in face.halves.items():
                if half.runs:
                    first, second = shown(pictures(face).of(side))
                    assert read_off(first) == read_off(second) == half.reading
                    assert (first.colon, second.colon) == (True, False)


def test_the_colon_of_a_clock_that_does_not_run_stands() -> None:
    for cell in each_cell([name for name, face in FACES.items() if face.menu is None and face.window is None and not face.fills]):
        with cell as name:
            face = FACES[name]
            for side, half in face.halves.items():
                if not half.runs:
                    picture = pictures(face).of(side)
                    assert picture.frames[0].lit == reading_lit(half.reading)
                    assert all(each.colon for each in shown(picture) if each.points & FOOT)


def test_before_the_start_and_while_a_turn_runs_readings_stand_alone() -> None:
    ready = pictures(FACES["ready"])
    assert all(len(picture.frames) == 1 for _, picture in ready.items())
    running = FACES["running"]
    waiting = next(side for side, half in running.halves.items() if not half.runs)
    assert shown(pictures(running).of(waiting)) == [reading_lit(running.halves.of(waiting).reading)]


def test_a_stop_shows_at_once_what_stands_on_both_clocks_and_then_who_presses() -> None:
    face = FACES["neutral"]
    for side, picture in pictures(face).items():
        standing = face.halves.of(side).status_key
        assert shown(picture)[:3] == [
            reading_lit(face.halves.of(side).reading),
            word("StoP"),
            word({"on_turn": "tUrn", "off_turn": "PrES"}[standing]),
        ]


def test_where_the_game_stands_is_a_word() -> None:
    for cell in each_cell(
        [
            ("late", "LAtE"),
            ("adjudication", "ACC?"),
            ("verdict", "UnAC"),
            ("verdict_points", "ACCE"),
            ("hold_stopped", "StoP"),
            ("over", "End"),
            ("limit", "LoSt"),
        ]
    ):
        with cell as (name, expected):
            said = words_on(name)
            assert expected in (*said.left, *said.right)


def test_the_hold_window_counts_on_the_module_of_the_player_who_waits_for_it() -> None:
    face = FACES["hold"]
    assert face.window is not None
    runner = next(side for side, half in face.halves.items() if half.runs)
    first, second = shown(pictures(face).of(runner.other))
    assert first.digits == second.digits == word(f"H{face.window.reading.replace(':', '')}").digits
    assert (first.colon, second.colon) == (True, False)


def test_a_window_that_nobody_acts_within_takes_turns_with_the_reading() -> None:
    face = FACES["over"]
    assert face.phase is Phase.OVER
    assert face.window is not None
    counted = word(f"r{face.window.reading.replace(':', '')}").digits
    for side, picture in pictures(face).items():
        first, *seconds = shown(picture)[:7]
        assert first == reading_lit(face.halves.of(side).reading)
        assert [(each.digits, each.colon) for each in seconds] == [(counted, True), (counted, False)] * 3


def test_the_menu_stands_on_every_module_but_that_of_a_clock_that_runs() -> None:
    face = FACES["menu"]
    assert face.menu is not None
    assert face.menu.chosen is not None
    for side, picture in pictures(replace(face, menu=replace(face.menu, made=""))).items():
        if face.halves.of(side).runs:
            assert read_off(picture.frames[0].lit) == face.halves.of(side).reading
        else:
            assert shown(picture)[0] == word(f"r{face.menu.chosen + 1:3d}")
            assert shown(picture)[1] == word(face.menu.rows[face.menu.chosen])


def test_a_question_of_the_menu_tells_what_would_change_before_it_is_taken() -> None:
    face = FACES["menu_confirm"]
    assert face.menu is not None
    assert face.menu.lines
    frames = shown(next(picture for side, picture in pictures(face).items() if not face.halves.of(side).runs))
    for line in (face.menu.title, *face.menu.lines):
        assert word(line).digits in [frame.digits for frame in frames]


def test_each_press_on_an_amount_is_answered_by_what_it_comes_to() -> None:
    face = FACES["menu"]
    assert face.menu is not None
    for made in ("+1:00", "+10:00", "-0:10"):
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
    for side, picture in pictures(face).items():
        assert shown(picture)[:3] == [reading_lit(face.halves.of(side).reading), word("ConF"), reading_lit(face.halves.of(side).reading)]
        assert shown(picture)[3] == word("POWE")
        assert shown(picture)[-1] == word("LOST")


def test_times_to_be_confirmed_never_blink_as_if_they_ran() -> None:
    running = FACES["running"]
    side = next(side for side, half in running.halves.items() if half.runs)
    frames = shown(pictures(replace(running, cue="confirm")).of(side))
    assert frames[0] == reading_lit(running.halves.of(side).reading)
    assert reading_lit(running.halves.of(side).reading, colon=False) not in frames


def test_notices_run_through_while_nobody_s_clock_runs_and_only_then() -> None:
    for name, said in (("neutral", True), ("running", False)):
        face = replace(FACES[name], notices=("RECORDING",))
        assert any((word("RECO") in shown(picture)) is said for _, picture in pictures(face).items())
        assert said or not any(word("RECO") in shown(picture) for _, picture in pictures(face).items())


def test_after_the_game_the_penalty_runs_through_beside_the_reading() -> None:
    face = FACES["over"]
    for side, half in face.halves.items():
        begun = [each.digits for each in shown(pictures(face).of(side))]
        assert all(word(mark[:4]).digits in begun for mark in half.marks)
    assert any(half.marks for _, half in face.halves.items())


def golden(name: str, face: Face) -> str:
    """Return the first second of both modules, left beside right."""
    left, right = (drawn(pictures(face).of(side).frames[0].lit).split("\n") for side in Side)
    rows = (f"{one:<20}{other}".rstrip() for one, other in zip(left, right, strict=True))
    words = " / ".join(" ".join(each) for _, each in words_on(name).items())
    return "\n".join((f"[{name}] {words}".rstrip(), *rows))


def test_the_first_picture_of_every_face_is_as_it_was() -> None:
    kept = GOLDEN.read_text(encoding="utf-8")
    names = re.findall(r"^\[(\w+)\]", kept, re.MULTILINE)
    drawings = "\n\n".join(golden(name, FACES[name]) for name in (*names, *FACES.keys() - names)) + "\n"
    if os.environ.get("TILECLOCK_UPDATE_GOLDEN"):
        GOLDEN.write_text(drawings, encoding="utf-8")
    assert drawings == GOLDEN.read_text(encoding="utf-8")


def test_a_held_press_fills_the_module_of_its_player_and_the_bars_fills_both() -> None:
    def bars(name: str) -> BySide[str]:
        drawings = {word("≡" * over + "_" * (4 - over)): "≡" * over for over in range(5)}
        return pictures(FACES[name]).map(lambda picture: drawings.get(picture.frames[0].lit, "none"))

    # Right's clock runs; left has held its own button for 0.6 of the second.
    assert bars("fill_own") == BySide("≡≡", "none")
    assert bars("fill_bar") == BySide("≡", "≡")


def test_a_call_for_the_director_stands_on_both_modules() -> None:
    assert words_on("called") == BySide(["PrES", "StoP", "dIrE"], ["StoP", "dIrE", "tUrn"])


def test_the_question_who_has_played_out_hides_the_window_and_what_the_buttons_mean_otherwise() -> None:
    asked = replace(FACES["called"], called="", cue="who_out", window=FACES["out_play"].window)
    for side, picture in pictures(asked).items():
        assert shown(picture)[-1] == word("oUt?"), side
        assert word("PrES") not in shown(picture)
