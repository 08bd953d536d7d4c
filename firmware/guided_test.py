"""The guided test of a clock, from the director's menu: each button, what eyes and ears confirm, and what the clock examines by itself. Pure.

It is a value that goes one step after the other, fed by edges with their instants (ns). A step that gets nothing is noted as failed and the test goes on, so that a missing button does not block it. No edge of the test reaches the game. Its pages cover the
whole screen: what to do now and for how long, what the last press came to, and at last the result with what to do.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from appliance.errors import Finding, fail
from firmware.face.value import Face, MenuFace
from firmware.gestures.contacts import CHORD_NS, KEY, PLAYER_BUTTONS
from firmware.texts import KeyedMessage, Texts, message
from hardware.buttons.watch import Watch, begin, press_finding
from records.device_test import DeviceTest, Failure, Presses, clock_remedy
from rules.contact import MS
from rules.duration import NS, reading

BOTH: Final = "both"
COLOURS: Final = ("red", "green", "blue", "white", "black")
EDGES: Final = "edges"
DIGITS, SOUND, LAMPS = "digits", "sound", "lamps"
HOLD_NS: Final = 2 * NS
PRESS_WITHIN_NS: Final = 10 * NS
SEEN_WITHIN_NS: Final = 15 * NS
TOO_SHORT: Final = message("test.too_short")
READ_NS: Final = 3 * NS
"""How long the result takes no press: it comes by itself, and one that was meant for the last step would take it away unread."""
LEAVE_NS: Final = 5 * NS
"""Both player buttons held for so long end the test: whoever plays on this clock has no key."""
EXAMINES_NS: Final = 60 * NS
"""After this time the examination has failed: a disk may never answer."""


class Parts(Struct, frozen=True):
    buttons: Mapping[str, str]
    """The pin of each, by its name."""
    panel: bool = False
    sound: bool = False
    lamps: bool = False


NO_PARTS: Final = Parts({})


class Step(Struct, frozen=True):
    name: str
    """A button, ``both``, or what is to be seen or heard."""
    buttons: tuple[str, ...] = ()
    """To be pressed; none: a press of any button says that all is well."""
    held: bool = False


def steps_of(parts: Parts) -> tuple[Step, ...]:
    others = (button for button in parts.buttons if button not in (*PLAYER_BUTTONS, KEY))
    seen = (*((*COLOURS, EDGES) if parts.panel else ()), DIGITS, *((SOUND,) if parts.sound else ()), *((LAMPS,) if parts.lamps else ()))
    return (
        *(Step(button, (button,), held) for button in PLAYER_BUTTONS for held in (False, True)),
        Step(BOTH, tuple(PLAYER_BUTTONS)),
        *(Step(button, (button,)) for button in others),
        *(Step(name) for name in seen),
    )


class GuidedTest(Struct, frozen=True):
    parts: Parts
    since: int
    """The beginning of the step, or of the examination behind the last one."""
    steps: tuple[Step, ...]
    """Those to come, the present one first."""
    watches: tuple[Watch, ...] = ()
    down: frozenset[str] = frozenset()
    both_since: int | None = None
    count: int = 0
    failed: tuple[Failure, ...] = ()
    buttons: Mapping[str, Presses] = field(default_factory=dict)
    said: KeyedMessage | None = None
    """What the last press came to."""
    result: DeviceTest | None = None
    over: bool = False

    @property
    def step(self) -> Step | None:
        return self.steps[0] if self.steps else None

    @property
    def deadline(self) -> int | None:
        """When the step, or the examination, has failed; None: there is a result."""
        if self.result is not None:
            return None
        step = self.step
        return self.since + (EXAMINES_NS if step is None else PRESS_WITHIN_NS if step.buttons else SEEN_WITHIN_NS)

    @property
    def leaves_from(self) -> int | None:
        return None if self.result is None else self.since + READ_NS

    @property
    def held_enough_at(self) -> int | None:
        """From when on a button that is to be held may be let go; None: it is not held."""
        began = self.watches[0].contact.began_at if self.step is not None and self.step.held else None
        return None if began is None else began + HOLD_NS

    def edge(self, button: str, at: int, *, down: bool) -> GuidedTest:
        test = self.until(at)
        held = test.down | {button} if down else test.down - {button}
        test = replace(test, down=held, both_since=(test.both_since or at) if held.issuperset(PLAYER_BUTTONS) else None)
        if button == KEY:
            return replace(test, over=test.over or not down)
        # Another button that comes up was down since the menu, or since the step before.
        watches = (watch.with_edge(button, at, down=down) if down or button == watch.button else watch for watch in test.watches)
        return replace(test, watches=tuple(watches))

    def until(self, now: int) -> GuidedTest:
        if self.both_since is not None and now >= self.both_since + LEAVE_NS:
            # Those that leave it are neither pressed nor stuck afterwards.
            return replace(self, over=True, down=self.down.difference(PLAYER_BUTTONS))
        test = _pressed(replace(self, watches=tuple(watch.until(now) for watch in self.watches)), now)
        while (deadline := test.deadline) is not None and deadline <= now:
            test = _too_late(test, deadline)
        return test

    def examined(self, findings: Iterable[Finding], now: int) -> GuidedTest:
        """Return the test with what the clock has found by itself, and so with the result."""
        if self.step is not None or self.result is not None:
            return self
        found = tuple(findings)
        failed = (*self.failed, *(Failure(each.name, each.found, each.fix) for each in found if each.fix))
        return _watching(replace(self, result=DeviceTest(self.count + len(found), failed, self.buttons)), now)

    def dues(self, now: int) -> Iterator[int]:
        """Yield when the test goes on or its page changes, if no edge comes."""
        yield from (watch.contact.due for watch in self.watches if watch.press is None and watch.contact.due is not None)
        if self.held_enough_at is not None:
            yield self.held_enough_at
        if self.both_since is not None:
            yield self.both_since + LEAVE_NS
        if self.leaves_from is not None:
            yield self.leaves_from
        if self.deadline is not None:
            yield self.deadline - (self.deadline - now - 1) // NS * NS

    def shown_on(self, face: Face, texts: Texts, now: int) -> Face:
        """Return the face at ``now`` (ns) with the test in place of all else."""
        step = self.step
        page = _page(self, texts, now) if self.result is None else _result(self.result, texts, leaves=now >= (self.leaves_from or now))
        halves = face.halves.map(lambda half: replace(half, runs=step is not None and step.name == LAMPS, page=None))
        bare = replace(face, menu=page, halves=halves, fills=(), stop_asked=step is not None and step.name == SOUND)
        if step is None or step.name != DIGITS:
            return bare
        lit = halves.map(
            lambda half: replace(half, reading=_ALL_LIT, status="", prompt=page.sentence, note=page.title, marks=(), low=False)
        )
        return replace(bare, menu=None, cue=DIGITS, halves=lit, banner="", details=(), window=None, notices=(), called="", hint="", code=())


def begun(parts: Parts, down: Iterable[str], at: int) -> GuidedTest:
    return _watching(GuidedTest(parts, at, steps_of(parts), down=frozenset(down)), at)


def _watching(test: GuidedTest, at: int) -> GuidedTest:
    """Return the test from ``at`` on; a button that is down must be released first."""
    step = test.step
    asked = step.buttons if step is not None and step.buttons else tuple(each for each in test.parts.buttons if each != KEY)
    return replace(test, since=at, watches=tuple(begin(each, down=each in test.down) for each in asked))


def _next(test: GuidedTest, at: int) -> GuidedTest:
    """Go on at ``at``; a button that has failed is not asked for again."""
    missing = {each.what.removesuffix(" button") for each in test.failed}
    steps = tuple(step for step in test.steps[1:] if not missing & {*step.buttons})
    return _watching(replace(test, steps=steps, count=test.count + 1), at)


def _again(test: GuidedTest, said: KeyedMessage | None) -> GuidedTest:
    return replace(test, said=said, watches=tuple(begin(each.button, down=each.button in test.down) for each in test.watches))


def _pressed(test: GuidedTest, now: int) -> GuidedTest:
    presses = [watch.press for watch in test.watches if watch.press is not None]
    if not presses:
        return test
    step = test.step
    if step is None:
        leaves = test.leaves_from is not None and presses[0].at >= test.leaves_from
        return replace(test, over=True) if leaves else _again(test, test.said)
    if not step.buttons:
        return _next(test, now)
    if len(presses) < len(step.buttons):
        # The other one may have begun too late.
        waits = any(watch.contact.began_at is not None for watch in test.watches if watch.press is None)
        return test if waits else _again(test, None)
    test = _measured(test)
    if step.held and presses[0].held_ns < HOLD_NS:
        return _again(test, TOO_SHORT)
    if len(presses) > 1 and min(each.at + each.held_ns for each in presses) < max(each.at for each in presses) + CHORD_NS:
        return _again(test, message("test.not_together"))
    return _next(test, now)


def _measured(test: GuidedTest) -> GuidedTest:
    buttons, said = dict(test.buttons), test.said
    for watch in test.watches:
        before, press = buttons.get(watch.button, Presses()), watch.press
        buttons[watch.button] = replace(before, touches=before.touches + watch.spikes)
        if press is not None:
            down_ms = press.held_ns // MS
            buttons[watch.button] = Presses((*before.down_ms, down_ms), before.bounces + press.bounces, before.touches + watch.spikes)
            said = message("test.pressed", button=watch.button, ms=down_ms, bounces=press.bounces)
    return replace(test, buttons=buttons, said=said)


def _too_late(test: GuidedTest, at: int) -> GuidedTest:
    step = test.step
    if step is None:
        return test.examined((fail("self-test", "it did not end within 60 s", "Run `tileclock doctor`."),), at)
    failure = _failure(test, step)
    measured = _measured(test) if step.buttons else test
    return _next(replace(measured, failed=(*measured.failed, failure), said=None), at)


def _failure(test: GuidedTest, step: Step) -> Failure:
    if not step.buttons:
        return Failure(step.name, "not confirmed by a press", "Look at it again, and replace the part if it fails again.")
    if step.name == BOTH:
        return Failure(BOTH, "not pressed together", "Look for a short between the wires of the two buttons.")
    what = f"{step.name} button"
    if test.said == TOO_SHORT:
        return Failure(what, f"not held for {HOLD_NS // NS} s without a break", "Check the button and its wires for a loose contact.")
    finding = press_finding(test.watches[0], test.parts.buttons[step.name], f"within {PRESS_WITHIN_NS // NS} s")
    return Failure(what, finding.found, finding.fix)


PLAIN: Final = "plain"
TEST: Final = "test"
"""The last name among the ``figures`` of each page before the result."""
_ALL_LIT: Final = "88:88"


def _page(test: GuidedTest, texts: Texts, now: int) -> MenuFace:
    step, left = test.step, max(0, (test.deadline or now) - now)
    title = texts.say(
        "closed.in",
        title=texts.say("test.step", step=test.count + bool(test.steps), count=test.count + len(test.steps)),
        reading=reading(left),
    )
    if step is None:
        return MenuFace(title, (), None, "", sentence=texts.say("test.checking"), figures=(TEST,), pattern=PLAIN)
    said = "" if test.said is None else _said(test.said, texts)
    pattern = step.name if step.name in (*COLOURS, EDGES) else PLAIN
    asked = _asked(test, step, now)
    named = {} if len(asked) == 1 else {"button": texts.say(f"button.{step.name}")}
    sentence, lines = texts.say(f"test.{asked[0]}", **named), (said,) if said else ()
    return MenuFace(title, (), None, texts.say("test.hint"), lines, sentence=sentence, figures=(*asked, TEST), pattern=pattern)


def _said(said: KeyedMessage, texts: Texts) -> str:
    values = dict(said.values)
    named = {"button": texts.say(f"button.{values['button']}")} if "button" in values else {}
    return texts.say(said.key, **{**values, **named})


def _asked(test: GuidedTest, step: Step, now: int) -> tuple[str, ...]:
    if not step.buttons or step.name == BOTH:
        return (step.name,)
    if test.held_enough_at is not None and test.held_enough_at <= now:
        return ("let_go",)
    return "hold" if step.held else "press", step.name


def _result(result: DeviceTest, texts: Texts, *, leaves: bool) -> MenuFace:
    title = texts.say("test.title", passed=result.checks - len(result.failed), count=result.checks)
    came_to, remedies = "failed" if result.failed else "passed", tuple(dict.fromkeys(clock_remedy(each, texts) for each in result.failed))
    hint, sentence = texts.say("test.leave") if leaves else "", texts.say(f"test.{came_to}")
    return MenuFace(
        title, (), None, hint, remedies, sentence=sentence, figures=(came_to, *(_part(each) for each in result.failed)), pattern=PLAIN
    )


def _part(failure: Failure) -> str:
    return failure.what.removesuffix(" button")
