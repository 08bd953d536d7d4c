"""The menu speaks in the texts' words alone: events, before and after, in any language."""

from dataclasses import replace

import pytest

from firmware.menu.menu import Menu, page, preview
from firmware.texts import Texts, load_texts
from rules.duration import parse_instant
from tests.cells import each_cell
from tests.firmware.gestures.trains import setup
from tests.firmware.saying import event_of, play

EVENTS = {
    "adjust left seconds=60 when=now reason=ruling": "Give or take time, LEFT, +1:00, Now, ruling",
    "adjust right seconds=-71 when=end reason=ruling": "Give or take time, RIGHT, -1:11, At the end of the game, ruling",
    "neutralise": "Stop the clock",
    "neutralise reason=overdraw": "Stop the clock, overdraw",
    "infraction right": "Minor infraction, RIGHT",
    "window name=overdraw_decision": "Start a time frame, OVERDRAW",
    "challenge": "Challenge",
    "hold": "Hold",
    "end reason=resignation loser=left": "End the game, LEFT, resignation",
}
CHANGES = {
    "neutralise": ("LEFT's clock runs, then STOPPED",),
    "adjust right seconds=60 when=end reason=x": ("RIGHT 25:00 becomes 25:00, +1:00 at the end",),
    "infraction left": ("LEFT 24:55 becomes 24:55, 1 minor infraction",),
    "press left": ("LEFT's clock runs, then RIGHT's clock runs", "on turn: LEFT, then RIGHT"),
}


def _listed(*lines: str) -> str:
    return page(Menu("undo"), play("naspa-2017", *lines).record, setup(two_button=False), parse_instant("90")).options[0].text


def test_an_event_to_strike_is_named_as_the_menu_names_it_with_its_side_its_amount_and_its_reason() -> None:
    for cell in each_cell(EVENTS):
        with cell as line:
            assert _listed("0 press right", f"60 {line}") == f"3. 1:00 {EVENTS[line]}"


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (("0 late_start both",), "2. 0:00 Late: start the absent player's clock, BOTH"),
        (("0 press right", "4 challenge", "5 verdict acceptable=true words=2"), "4. 0:05 Verdict, ACCEPTABLE"),
        (("0 press right", "4 challenge", "5 verdict acceptable=false"), "4. 0:05 Verdict, UNACCEPTABLE"),
    ],
)
def test_both_absent_and_a_verdict_are_named_in_words_too(lines: tuple[str, ...], said: str) -> None:
    assert _listed(*lines) == said


@pytest.mark.parametrize("line", CHANGES)
def test_before_and_after_are_told_in_words(line: str) -> None:
    record = play("naspa-2017", "0 press right").record
    assert preview(record, event_of(line), parse_instant("5"), setup(two_button=False)) == CHANGES[line]


def test_what_is_owed_and_earned_stands_with_its_unit() -> None:
    record = play("naspa-2017-collins-5", "0 press right", "1560 challenge", "1561 verdict acceptable=true").record
    lines = preview(record, event_of("infraction left"), parse_instant("1570"), setup(two_button=False))
    assert lines == ("LEFT -1:00, -10 points becomes -1:00, -10 points, 1 minor infraction",)


def test_in_another_language_no_english_is_left_in_the_list_of_events_and_in_before_and_after() -> None:
    by_key = {key: text if "{" in text else "§" for key, text in load_texts().by_key.items()} | {
        "menu.phase": "{before} {after}",
        "menu.runs": "{side}",
    }
    at_table = replace(setup(two_button=False), texts=Texts("xx", by_key))
    record = play("naspa-2017", "0 press right", "4 infraction left").record
    listed = page(Menu("undo"), record, at_table, parse_instant("9")).options[0].text
    changed = preview(record, event_of("neutralise"), parse_instant("9"), at_table)
    assert not any(letter.isascii() and letter.isalpha() for letter in listed + "".join(changed))
