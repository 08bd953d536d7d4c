"""The guided test by edges alone: what each step takes for done, what it notes as failed, and that it always goes on to a result."""

from collections.abc import Iterable
from typing import Final

import pytest
from msgspec.structs import replace

from appliance.errors import fail, note, ok
from firmware.face.value import MenuFace
from firmware.face.view import face
from firmware.gestures.contacts import KEY
from firmware.guided_test import GuidedTest, Parts, begun, steps_of
from firmware.texts import load_texts, message
from records.device_test import Failure, Presses
from rules.contact import MS
from rules.duration import NS, reading
from tests.firmware.gestures.trains import table
from tests.some import some

UPTIME = 4_000_000 * MS
PINS = {"left": "GPIO5", "right": "GPIO6", "centre": "GPIO13", "key": "GPIO26"}
FULL = Parts(PINS, panel=True, sound=True, lamps=True)
BARE = Parts({"left": "GPIO5", "right": "GPIO6"})


def start(parts: Parts = BARE, down: Iterable[str] = ()) -> GuidedTest:
    return begun(parts, down, UPTIME)


def at(test: GuidedTest, ms: int, *edges: tuple[str, int, bool], until: int = 0) -> GuidedTest:
    """Return the test after ``edges``, in ms from ``ms`` on, and then at ``until``."""
    for button, after, down in edges:
        test = test.edge(button, UPTIME + (ms + after) * MS, down=down)
    return test.until(UPTIME + (until or ms + max((after for _, after, _ in edges), default=0) + 40) * MS)


def press(test: GuidedTest, ms: int, *buttons: str, held: int = 70) -> GuidedTest:
    return at(test, ms, *((each, 0, True) for each in buttons), *((each, held, False) for each in buttons))


def pressed_through(test: GuidedTest) -> GuidedTest:
    """Return the test with every step done in order, half a minute apart or less."""
    ms = 0
    while (step := test.step) is not None:
        test = press(test, ms, *(step.buttons or ("right",)), held=2_050 if step.held else 150)
        ms += 5_000
    return test


def names(parts: Parts) -> list[str]:
    return [f"{step.name} held" if step.held else step.name for step in steps_of(parts)]


def test_it_asks_for_each_button_of_the_board_short_and_held_for_both_and_for_what_this_clock_has() -> None:
    assert names(BARE) == ["left", "left held", "right", "right held", "both", "digits"]
    colours = ["red", "green", "blue", "white", "black"]
    assert names(FULL) == [*names(BARE)[:5], "centre", *colours, "edges", "digits", "sound", "lamps"]


def test_a_sound_clock_passes_with_contact_times_and_no_step_is_left() -> None:
    test = pressed_through(start(FULL))
    assert (test.step, test.result, test.failed) == (None, None, ())
    result = some(test.examined((ok("power", "fine"), note("battery", "none")), UPTIME + 90_000 * MS).result)
    assert (result.checks, result.failed) == (len(steps_of(FULL)) + 2, ())
    assert result.buttons["left"] == Presses((150, 2_050, 150))
    assert result.words == f"{result.checks} of {result.checks} passed"


def test_a_missing_button_is_noted_once_and_the_rest_goes_on_without_it() -> None:
    test = start().until(UPTIME + 9_999 * MS)
    assert some(test.step).name == "left"
    test = test.until(UPTIME + 10_000 * MS)
    assert [step.name for step in test.steps] == ["right", "right", "digits"]
    (missing,) = test.failed
    assert missing == Failure(
        "left button", "no press within 10 s", "Check the button's two wires, one to GPIO5, one to ground, and try again."
    )


def test_with_nothing_at_all_it_ends_with_a_result_by_itself() -> None:
    test = start(FULL).until(UPTIME + 10 * 60_000 * MS)
    result = some(test.result)
    assert [each.what for each in result.failed[:4]] == ["left button", "right button", "centre button", "red"]
    assert result.failed[-1].what == "self-test"
    assert len(result.failed) == result.checks


def test_bounces_are_counted_and_are_no_second_press() -> None:
    bounces = ((0, True), (1, False), (2, True), (90, False), (93, True), (94, False))
    test = at(start(), 500, *(("left", after, down) for after, down in bounces))
    assert [step.held for step in test.steps][:2] == [True, False]
    assert test.buttons == {"left": Presses((90,), bounces=4)}
    assert test.said == message("test.pressed", button="left", ms=90, bounces=4)


def test_a_spike_is_no_press_and_is_counted() -> None:
    test = at(start(), 500, ("left", 0, True), ("left", 1, False), until=600)
    assert some(test.step).name == "left"
    assert press(test, 700, "left").buttons == {"left": Presses((70,), touches=1)}


def test_held_too_short_is_asked_for_again_and_fails_if_it_stays_so() -> None:
    test = press(press(start(), 100, "left"), 500, "left", held=1_999)
    assert (some(test.step).held, test.said) == (True, message("test.too_short"))
    assert press(test, 4_000, "left", held=2_000).steps[0].name == "right"
    assert test.until(UPTIME + 11_000 * MS).failed[0].found == "not held for 2 s without a break"


def test_while_it_is_held_it_says_when_to_let_go() -> None:
    test = at(press(start(), 100, "left"), 500, ("left", 0, True), until=600)
    assert test.held_enough_at == UPTIME + 2_500 * MS
    assert test.held_enough_at in test.dues(UPTIME + 600 * MS)


def test_both_are_pressed_only_if_they_are_down_together_as_for_the_bar() -> None:
    test = start()
    for step, ms in zip(test.steps[:4], range(0, 20_000, 5_000), strict=True):
        test = press(test, ms, *step.buttons, held=2_050)
    assert some(test.step).name == "both"
    one_by_one = press(press(test, 20_000, "left"), 20_300, "right")
    assert some(one_by_one.step).name == "both"
    briefly = at(one_by_one, 21_000, ("left", 0, True), ("right", 60, True), ("left", 159, False), ("right", 200, False))
    assert briefly.said == message("test.not_together")
    assert some(press(briefly, 22_000, "left", "right", held=100).step).name == "digits"
    assert some(briefly.until(UPTIME + 30_000 * MS).failed)[0].what == "both"


def test_a_button_that_is_down_at_the_start_must_come_up_first() -> None:
    test = at(start(down=["left"]), 0, ("left", 300, False), until=400)
    assert some(test.step).name == "left"
    stuck = start(down=["left"]).until(UPTIME + 10_000 * MS)
    assert stuck.failed[0].found == "it is down and did not come up within 10 s"


def test_another_button_in_its_place_names_the_plugs() -> None:
    test = press(start(), 200, "right").until(UPTIME + 10_000 * MS)
    assert test.failed[0].fix == "Swap the plugs of left and right."
    since_the_menu = at(start(FULL, down=["centre"]), 50, ("centre", 0, False)).until(UPTIME + 10_000 * MS)
    assert since_the_menu.failed[0].found == "no press within 10 s"


def test_what_is_seen_fails_if_nobody_confirms_it_and_any_button_confirms() -> None:
    test = pressed_through(start(Parts({"left": "GPIO5", "right": "GPIO6"}, lamps=True)))
    assert test.failed == ()
    last = start()
    while some(last.step).name != "digits":
        last = press(last, (last.since - UPTIME) // MS + 100, *some(last.step).buttons, held=2_050)
    silent = last.until(last.since + 15_000 * MS)
    assert [(each.what, each.found) for each in silent.failed] == [("digits", "not confirmed by a press")]


def test_the_key_ends_it_without_a_result_and_any_press_leaves_the_result() -> None:
    off = at(start(FULL), 900, ("key", 0, False))
    assert (off.over, off.result) == (True, None)
    done = pressed_through(start(FULL)).examined((fail("power", "too low", "Use another."),), UPTIME + 90_000 * MS)
    assert (done.over, [each.what for each in some(done.result).failed]) == (False, ["power"])
    assert press(done, 95_000, "centre").over


@pytest.mark.parametrize("parts", [FULL, BARE], ids=["full", "two-button"])
def test_both_buttons_held_for_five_seconds_leave_it_at_any_step_and_are_not_down_afterwards(parts: Parts) -> None:
    for begun_anew in (start(parts), press(start(parts), 100, "left")):
        both = at(begun_anew, 3_000, ("left", 0, True), ("right", 400, True), until=8_399)
        assert (both.over, UPTIME + 8_400 * MS in both.dues(UPTIME + 8_000 * MS)) == (False, True)
        left = both.until(UPTIME + 8_400 * MS)
        assert (left.over, left.result, left.down) == (True, None, frozenset())
    let_go = at(both, 8_399, ("left", 0, False), ("left", 200, True), until=13_598)
    assert not let_go.over
    assert not press(start(parts), 100, "left", held=9_000).over


ENGLISH: Final = load_texts()
SPOKEN: Final = replace(ENGLISH, by_key={**{key: key for key in ENGLISH.by_key}, "closed.in": ENGLISH.by_key["closed.in"]})
"""Texts that say their keys, and readings."""
HELD: Final = {"test.press": 150, "test.hold": 2_050, "test.both": 150}
"""How long (ms) a button is held of which a page says so; any button passes what all other pages show."""
READY: Final = face(table("naspa-2017"), UPTIME)


def page(test: GuidedTest, now: int) -> MenuFace:
    shown = test.shown_on(READY, SPOKEN, now)
    half = shown.halves.left
    return shown.menu or MenuFace(half.note, (), None, "", sentence=half.prompt)


@pytest.mark.parametrize("parts", [FULL, BARE], ids=["full", "two-button"])
def test_each_page_does_what_it_says_and_shows_for_how_long_it_still_asks(parts: Parts) -> None:
    test, compared = start(parts), set[str]()
    buttons = {button for button in parts.buttons if button != KEY}
    while (step := test.step) is not None:
        shown, since, lapses = page(test, test.since + NS), (test.since - UPTIME) // MS, some(test.deadline)
        compared.add(shown.sentence)
        assert reading(lapses - test.since - NS) in shown.title
        for other in buttons - {*step.buttons} if step.buttons else ():
            assert press(test, since + 500, other, held=2_050).steps == test.steps
        lapsed, ended = test.until(lapses), test.edge(KEY, test.since + NS, down=False)
        assert (len(lapsed.failed), len(lapsed.steps) < len(test.steps)) == (len(test.failed) + 1, True), "nothing: noted as a fault"
        assert (ended.over, ended.result) == (True, None), "key off: no result"
        for chosen in [step.buttons] if step.buttons else [(button,) for button in sorted(buttons)]:
            done = press(test, since + 500, *chosen, held=HELD.get(shown.sentence, 150))
            assert (done.steps, done.failed) == (test.steps[1:], test.failed)
        test = done
    assert compared >= HELD.keys()


def test_no_press_that_was_meant_for_the_last_step_takes_the_result_away_and_the_page_says_when_one_does() -> None:
    done = pressed_through(start(FULL)).examined((), UPTIME + 90_000 * MS)
    for after, leaves in ((1, False), (2_999, False), (3_000, True), (9_000, True)):
        assert press(done, 90_000 + after, "left").over is leaves
        assert (page(done, UPTIME + (90_000 + after) * MS).hint == "test.leave") is leaves
    assert not press(press(done, 90_100, "left"), 90_900, "left").over
    assert press(press(done, 90_100, "left"), 93_100, "left").over
    assert UPTIME + 93_000 * MS in done.dues(UPTIME + 90_000 * MS)


def test_the_picture_changes_each_second_until_the_step_is_too_late() -> None:
    test, now, seen = start(), UPTIME, []
    while (now := min(test.dues(now))) < UPTIME + 10_000 * MS:
        seen.append((now - UPTIME) // MS)
    assert seen == [1_000 * each for each in range(1, 10)]
