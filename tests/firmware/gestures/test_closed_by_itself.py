"""Laws of docs/spec/rules.md, "At the clock": what closes by itself, and that no press which was meant for it starts a clock; rows keep their places."""

from collections.abc import Callable
from functools import partial
from typing import Final

import pytest

from firmware.face.schedule import answers_at
from firmware.gestures.clock_state import CLOSED_NS, ClockState, apply_event
from firmware.gestures.hands import Hands
from firmware.table_menu.pages import page
from game.events import Challenge, Verdict, Withdraw
from rules.rulebooks import load_rulebook
from tests.cells import each_cell
from tests.firmware.gestures import states
from tests.firmware.gestures.states import edges
from tests.firmware.gestures.trains import MS, drive, table
from tests.firmware.saying import NASPA, NZ, RULEBOOKS

MENU = "centre@7000+1200"
Closes = Callable[[ClockState, int], ClockState]


def by(event: Challenge | Verdict | Withdraw) -> Closes:
    """Return what makes ``event`` from outside the table."""
    return lambda state, at: Hands(state, at).change(partial(apply_event, event=event, at=at), at).shown


def by_time(state: ClockState, at: int) -> ClockState:
    return drive(state, [], at // MS)


CLOSING: Final[list[tuple[str, tuple[str, ...], str, int, Closes]]] = [
    # What was open, from where, by which presses, when (ms) it closes, and by what.
    ("menu", states.ADJUDICATION, MENU, 9_350, by(Verdict(acceptable=False))),
    ("menu", states.ADJUDICATION, f"{MENU}, right@9000", 9_350, by(Withdraw())),
    ("menu", states.STOPPED, MENU, 9_350, by(Challenge())),
    ("menu", states.OUT, MENU, 24_000, by_time),
    ("director", states.STOPPED, "left@7000+5200, right@7000+5200", 312_000, by_time),
    ("door", states.STOPPED, "left@7000+5200, right@7000+5200", 32_000, by_time),
]


@pytest.mark.parametrize("pressed", ["left", "right", "bar"])
@pytest.mark.parametrize("late", [1, 2_995, 3_950], ids=lambda each: f"{each} ms after")
def test_no_press_so_soon_after_a_page_has_closed_by_itself_starts_a_clock_or_makes_an_event(pressed: str, late: int) -> None:
    for cell in each_cell(CLOSING, name=lambda each: f"{each[0]} {each[1]}"):
        with cell as (what, start, presses, closes, make):
            two_button = what != "menu"
            opened = drive(table(NASPA, *start, two_button=two_button, code=what == "door"), edges(presses), closes - 50)
            assert any((opened.table_menu, opened.menu, opened.door))
            closed = make(opened, closes * MS)
            assert not any((closed.table_menu, closed.menu, closed.door))
            button = pressed if pressed != "bar" else "left@{0}, right@{0}" if two_button else "centre"
            at = closes + late
            after = drive(closed, edges(button.format(at) if "{" in button else f"{button}@{at}"), at + 300)
            # During a challenge the bar may offer a verdict, which records nothing.
            assert after.history is closed.history
            assert after.offer is not None or answers_at(after, (at + 299) * MS)


def test_afterwards_the_same_press_does_what_it_says_again() -> None:
    opened = drive(table(NASPA, *states.ADJUDICATION), edges(MENU), 9_300)
    closed = by(Verdict(acceptable=False))(opened, 9_350 * MS)
    pressed = edges(f"right@{9_350 + CLOSED_NS // MS}")
    assert drive(closed, pressed, 14_000).history is not closed.history


PHASES = (
    states.READY,
    states.LATE,
    states.BOTH_LATE,
    states.STOPPED,
    states.STOPPED_HOLD,
    states.ADJUDICATION,
    states.HOLD,
    states.OVER,
)


def test_rows_keep_their_places_while_the_menu_is_open_and_each_that_is_refused_says_why() -> None:
    for cell in each_cell([(rulebook, start) for rulebook in RULEBOOKS for start in PHASES], name=lambda each: f"{each[0]} {each[1]}"):
        with cell as (rulebook, start):
            opened = drive(table(rulebook, *start, players_choose_rulebook=True), edges(MENU), 8_500)
            menu = opened.table_menu
            assert menu is not None
            shown = []
            for now in (8_600, 24_000, 63_000, 64_001, 67_000, 310_000, 4_000_000):
                state = drive(opened, [], now)
                if state.table_menu is None:
                    break
                rows = page(menu, state.history, state.setup, state.instant(now * MS)).rows
                shown.append([row.name for row in rows])
                assert all(dict(row.refused.values).get("why") or row.refused.key != "table_menu.refused" for row in rows if row.refused)
            assert shown
            assert all(names == shown[0] for names in shown)


@pytest.mark.parametrize("rulebook", [NASPA, NZ])
def test_the_frames_of_a_phase_are_those_of_the_rulebook_whatever_the_game_refuses(rulebook: str) -> None:
    opened = drive(table(rulebook, *states.OVER), edges(MENU), 8_500)
    assert opened.table_menu is not None
    names = [row.name for row in page(opened.table_menu, opened.history, opened.setup, opened.instant(9_000 * MS)).rows]
    has = {"between_rounds", "disconnected"} & set(load_rulebook(rulebook).windows)
    assert ("frames" in names) is bool(has)
