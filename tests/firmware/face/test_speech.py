from collections.abc import Iterable
from itertools import pairwise

from firmware.face.speech import ahead, asked, news, times
from firmware.face.value import Face
from firmware.face.view import face
from firmware.gestures.clock_state import ClockState
from firmware.texts import load_texts
from rules.duration import NS
from rules.side import Side
from tests.firmware.gestures.trains import MS, Press, drive, setup
from tests.firmware.saying import NASPA, play

SETUP = setup()
TEXTS = SETUP.texts


def seen(lines: str, at: int) -> Face:
    return face(ClockState(play(NASPA, *lines.split(", ")).history, SETUP), at * NS)


def said(lines: str, then: str, side: Side) -> tuple[str, ...]:
    """Return what ``then``, a further line, makes the clock say."""
    at = int(then.split(maxsplit=1)[0])
    return news(seen(lines, at), seen(f"{lines}, {then}", at), side, TEXTS)


def played(start: str, presses: Iterable[Press], instants: Iterable[int]) -> list[ClockState]:
    """Return the table at each instant (ms) of ``presses`` that begin after ``start``."""
    begun, edges = (
        ClockState(play(NASPA, *start.split(", ")).history, SETUP),
        [edge for press in presses for edge in press.edges(bouncy=True)],
    )
    return [drive(begun, [edge for edge in edges if edge.at <= at * MS], at) for at in instants]


def looks_at(start: str, presses: Iterable[Press], *instants: int) -> list[Face]:
    return [face(table, at * MS) for table, at in zip(played(start, presses, instants), instants, strict=True)]


def test_a_press_says_to_each_player_whose_turn_it_is_and_no_more() -> None:
    assert said("0 press right", "9 press left", Side.LEFT) == ("WAITING",)
    assert said("0 press right", "9 press left", Side.RIGHT) == ("YOUR TURN",)


def test_a_hold_says_to_each_player_what_to_do_and_how_long_the_time_frame_is() -> None:
    told = said("0 press right", "10 hold", Side.RIGHT)
    assert told[:2] == ("ON HOLD", "Wait: then you may draw, tiles apart")
    assert "HOLD 15 seconds" in told
    assert said("0 press right", "10 hold", Side.LEFT)[:2] == ("YOU HOLD", "Your clock runs")


def test_a_time_frame_says_its_end_and_nothing_while_it_counts() -> None:
    looks = ((at, seen("0 press right, 10 hold", at)) for at in range(10, 40))
    heard = [(at, news(before, after, Side.RIGHT, TEXTS)) for (_, before), (at, after) in pairwise(looks)]
    assert [each for each in heard if each[1]] == [(25, ("You may draw now, tiles apart", "the player on hold may draw now, tiles apart"))]


def test_a_stop_a_challenge_and_its_verdict_are_said_with_what_each_player_does_next() -> None:
    assert said("0 press right", "9 neutralise", Side.RIGHT)[:3] == (
        "STOPPED",
        "OPPONENT'S TURN NEXT",
        "Go on? Press to start your opponent's clock",
    )
    asks = "0 press right, 9 press left"
    assert said(asks, "12 challenge", Side.RIGHT)[:2] == ("YOU CHALLENGE", "Go to the station: you challenge")
    told = said(f"{asks}, 12 challenge", "20 verdict acceptable=false", Side.LEFT)
    assert told[:2] == ("UNACCEPTABLE", "YOU LOST THE TURN")


def test_the_end_of_an_answer_does_not_say_again_what_stood_before_it() -> None:
    looks = looks_at("0 press right, 1 hold", [Press("right", 3_000)], 2_900, 3_200, 6_000)
    assert news(looks[0], looks[1], Side.RIGHT, TEXTS) == ("You are on hold. Your opponent says RELEASED? Hold your button 1 second",)
    assert news(looks[1], looks[2], Side.RIGHT, TEXTS) == ()


def test_the_row_of_a_menu_is_said_as_the_cursor_moves_and_the_state_once_it_closes() -> None:
    presses = Press("centre", 2_000, 1_500), Press("left", 5_000)
    looks = looks_at("0 press right, 1 neutralise", presses, 1_900, 4_000, 5_200)
    opened, moved, closed = (news(before, after, Side.LEFT, TEXTS) for before, after in pairwise((*looks, looks[0])))
    rows = looks[1].halves.left.page
    assert rows is not None
    assert rows.rows[rows.chosen or 0] in opened
    assert len(moved) == 1
    assert moved[0] in rows.rows
    assert "STOPPED" in closed


def test_who_asks_hears_the_own_state_both_times_and_the_time_frame() -> None:
    looked = seen("0 press right, 10 hold", 12)
    assert times(looked, Side.LEFT, TEXTS)[:6] == ("YOU HOLD", "You", "24 minutes", "48 seconds", "Your opponent", "25 minutes")
    assert times(looked, Side.RIGHT, TEXTS)[-2:] == ("HOLD 13 seconds", "then the player on hold may draw, tiles apart")
    over = times(seen("0 press right", 1_561), Side.LEFT, TEXTS)
    assert over[1:5] == ("You", "minus", "1 minute", "1 second")
    assert "OVERTIME" in over


def test_points_lost_are_said_as_lost_in_each_language_since_some_voices_leave_out_a_sign() -> None:
    looked = seen("0 press right", 1_561)
    lost = {code: times(looked, Side.LEFT, load_texts(code))[-1] for code in ("en", "fr", "es", "ca")}
    assert lost == {"en": "minus 20 points", "fr": "moins 20 points", "es": "menos 20 points", "ca": "menys 20 points"}


def test_the_times_are_in_the_words_of_the_table_s_language() -> None:
    french = load_texts("fr")
    assert times(seen("0 press right", 61), Side.RIGHT, french)[1:] == (
        "Vous",
        "25\xa0minutes",
        "L'adversaire",
        "23\xa0minutes",
        "59\xa0secondes",
    )


def _asked(*presses: Press) -> list[Side]:
    return [side for before, after in pairwise(played("0 press right", presses, range(1_000, 5_000, 100))) for side in asked(before, after)]


def test_the_own_button_twice_within_a_second_asks_if_it_does_nothing_else() -> None:
    assert _asked(Press("right", 2_000), Press("right", 2_900)) == [Side.RIGHT]
    assert _asked(Press("right", 2_000), Press("right", 3_200)) == []
    assert _asked(Press("right", 2_000)) == []
    # The first press ends the turn; the next two answer.
    ends = Press("left", 2_000), Press("left", 2_400)
    assert _asked(*ends) == []
    assert _asked(*ends, Press("left", 2_800)) == [Side.LEFT]


def test_what_is_rendered_ahead_is_each_minute_and_second_and_every_sentence_without_a_value() -> None:
    clips = [*ahead(ClockState(play(NASPA).history, SETUP))]
    assert {"1 second", "59 minutes", "YOUR TURN", "Decide, then press the\xa0bar", "Why stopped?"} <= {*clips}
    assert not any("{" in each for each in clips)
    assert len(clips) == len({*clips})
    two = [*ahead(ClockState(play(NASPA).history, setup(two_button=True)))]
    assert "Decide, then press both\xa0buttons" in two
