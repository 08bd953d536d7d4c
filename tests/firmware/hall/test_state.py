from pathlib import Path

import pygame
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from appliance.texts import load_part
from firmware.face.value import Face, MessageTone
from firmware.face.view import face
from firmware.hall.orders import END_SHOWN_NS, SAID, HallState, HallTimer, VerdictRefused
from firmware.menu.actions import Menu
from firmware.screens.layout import Arrangement, Room, arrange
from firmware.screens.led import pictures
from firmware.screens.painter import Painter, _room
from hall.orders.sender import timer
from rules.duration import NS
from tests.appliance.display.fixtures import letters
from tests.appliance.display.pictures import PICTURED_IN, compare, renew
from tests.firmware.gestures.trains import table
from tests.firmware.hall.hall_faces import CODE, RUNNING, TIMER, VERDICT, decided, hall_faces, look, order
from tests.some import some
from wire.proposals import RefusalReason
from wire.reports import JoinRequest

__all__ = ["letters"]
KEPT = Path(__file__).parent / "golden"
SIZE = (1024, 600)
IN_THREE = ("stop", "joins", "updating", "verdict")
ASKS = JoinRequest("cambridge", "1234-5678", CODE)
DIGITS = "HALL cambridge: ADMIT 1234-5678"
OVER = (*RUNNING, "1400 end reason=x")


def test_the_refusals_with_words_are_those_that_the_players_read() -> None:
    keys = load_part("clock", "en").by_key
    assert {key for key in keys if key.startswith("hall.refusal.")} == {f"hall.refusal.{each}" for each in SAID}


def test_digits_and_code_are_shown_before_a_game_and_digits_beside_its_times_after_it_but_a_call_or_request_to_stop_first() -> None:
    face, plain = (look("1500", *OVER, joins=joins) for joins in (ASKS, None))
    assert (face.called, face.code, face.halves) == (DIGITS, (), plain.halves)
    called = look("1500", *OVER, "1450 call on=true", joins=ASKS)
    assert called.called == look("1500", *OVER, "1450 call on=true").called != ""
    asked = [look("400", *RUNNING, language=language, stop="").called for language in ("en", "fr")]
    assert asked == ["THE DIRECTOR ASKS YOU TO STOP: Please wait", "L'ARBITRE VOUS DEMANDE D'ARRÊTER\u00a0: Veuillez patienter"]
    face = look("0", joins=ASKS)
    assert (face.called, face.code) == (DIGITS, CODE)
    for lines in (RUNNING, (*RUNNING, "390 neutralise"), (*RUNNING, "390 challenge")):
        assert look("400", *lines, joins=ASKS) == look("400", *lines)


def test_a_stations_verdict_and_why_one_is_refused_stand_for_ten_seconds() -> None:
    lines = (*RUNNING, "390 challenge", "405 verdict acceptable=true words=2")
    for t, stands in (("414.999999999", True), ("415", False)):
        for shown in ({"verdict": VERDICT}, {"refused": VerdictRefused(min(SAID), VERDICT.at)}):
            assert (look(t, *lines, **shown) != look(t, *lines)) is stands


def test_names_stand_beside_the_page_where_players_sign_and_among_the_marks_elsewhere() -> None:
    sign, over = (hall_faces()[name].halves for name in ("sign", "set_up"))
    assert (
        [half.named for _, half in sign.items()] == [half.marks[-1] for _, half in over.items()] == ["Ana María Fernández", "Björn Šťastný"]
    )
    assert [half.named for _, half in over.items()] == ["", ""]


@pytest.mark.usefixtures("letters")
@pytest.mark.parametrize(
    ("name", "language"),
    [*((name, "en") for name in hall_faces()), *((name, language) for name in IN_THREE for language in PICTURED_IN[1:])],
)
def test_the_hall_looks_as_it_did(name: str, language: str, tmp_path: Path) -> None:
    picture = pygame.Surface(SIZE)
    Painter(arrange(*SIZE, Arrangement.FACING)).draw(picture, hall_faces(language)[name])
    renew(f"{language}-{name}", picture, KEPT)
    assert compare(f"{language}-{name}", picture, tmp_path, KEPT) == ""


TIMER_OVER = (*RUNNING, "900 end reason=x")


@pytest.mark.parametrize(
    ("t", "reading", "said"), [("990", "3:00", ""), ("1149.9", "0:31", ""), ("1150", "0:30", "Last 30 seconds"), ("1479", "0:00", "TIME")]
)
@pytest.mark.parametrize("lines", [(), TIMER_OVER])
def test_both_halves_show_one_large_countdown_and_say_what_it_is(lines: tuple[str, ...], t: str, reading: str, said: str) -> None:
    shown = look(t, *lines, timer=TIMER)
    for half in (shown.halves.left, shown.halves.right):
        assert (half.reading, half.status, half.prompt, half.runs) == (reading, "HALL TIMER", said or "Move 7", False)
        tone = MessageTone.ANSWERS if said else MessageTone.INSTRUCTS
        assert (half.low, half.tone, "Move 7" in half.marks) == (bool(said), tone, bool(said))
    assert (shown.details, shown.timer_calls) == (("Neither player's time runs",), t == "1150")
    assert shown.window is not None or _room(shown, ()) is Room.LARGE
    # A game whose slip is not signed keeps its times.
    assert ("last game: 18:46" in shown.halves.left.marks) is bool(lines)
    assert pictures(shown).left.frames[0] == pictures(shown).right.frames[0]


def test_it_goes_after_five_minutes_and_a_game_or_an_open_menu_does_not_show_it() -> None:
    assert look("1480", timer=TIMER) == look("1480")
    menu = replace(table("naspa-2017"), menu=Menu())
    plain = face(menu, 1_012 * NS)
    assert HallState(timer=TIMER).shown_on(plain, menu, 1_012 * NS).halves == plain.halves
    assert look("1012", *RUNNING, timer=TIMER) == look("1012", *RUNNING)
    for lines in (RUNNING, (*RUNNING, "900 neutralise"), ("5 late_start left",)):
        answer = decided(table("naspa-2017", *lines), order("timer", begins=0, seconds=180), 950)
        assert (answer.reason, answer.hall) == (RefusalReason.NOT_BETWEEN_GAMES, HallState())
        assert decided(table("naspa-2017", *lines), order("timer", begins=None), 950, HallState(timer=TIMER)).hall == HallState()


@given(st.integers(-10 * NS, (180 + 310) * NS), st.lists(st.integers(1, 179), unique=True, max_size=3), st.data())
def test_the_loop_wakes_when_the_face_changes_and_not_before(since: int, warnings: list[int], data: st.DataObject) -> None:
    timer = HallTimer(1_000 * NS, 180, tuple(sorted(warnings, reverse=True)))
    now = timer.begins + since
    due = HallState(timer=timer).next_due(now)
    until = now + 20 * NS if due is None else due
    between = data.draw(st.integers(now, until - 1))

    def shown(at: int) -> Face:
        return look(f"{at // NS}.{at % NS:09d}", timer=timer)

    assert shown(between) == shown(now)
    assert due is None or shown(due) != shown(due - 1)
    assert (due is None) is (now >= timer.ends + END_SHOWN_NS)


@given(st.integers(-(10**15), 10**15), st.integers(-(10**12), 10**12), st.integers(-5 * NS, 490 * NS))
def test_two_clocks_whose_machines_differ_show_the_same_reading_at_the_same_moment(first: int, second: int, since: int) -> None:
    begins, keys = 10**15, {"seconds": 180, "warnings": [30], "label": "Move 7"}
    sent = (order(**timer({"begins": begins // 1000, **keys}, offset)) for offset in (first, second))
    own = [some(decided(table("naspa-2017"), each, 10).hall.timer) for each in sent]
    shown = {
        (each.left(begins + since - offset), each.warned(begins + since - offset))
        for each, offset in zip(own, (first, second), strict=True)
    }
    assert len(shown) == 1
