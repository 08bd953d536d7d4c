"""What the test shows, on the whole screen: what to do now and for how long, what the last press came to, and at last the result with what to do."""

from typing import Final

from msgspec.structs import replace

from firmware.face.value import Face, MenuFace
from firmware.guided_test.course import BOTH, COLOURS, DIGITS, EDGES, LAMPS, SOUND, GuidedTest, Step
from firmware.texts import KeyedMessage, Texts
from records.device_test import DeviceTest, Failure, clock_remedy
from rules.duration import reading

PLAIN: Final = "plain"
TEST: Final = "test"
"""The last name among the ``figures`` of each page before the result."""
_ALL_LIT: Final = "88:88"


def with_test(face: Face, test: GuidedTest, texts: Texts, now: int) -> Face:
    """Return the face at ``now`` (ns) with the test in place of all else."""
    step = test.step
    page = _page(test, texts, now) if test.result is None else _result(test.result, texts, leaves=now >= (test.leaves_from or now))
    halves = face.halves.map(lambda half: replace(half, runs=step is not None and step.name == LAMPS, page=None))
    bare = replace(face, menu=page, halves=halves, fills=(), stop_asked=step is not None and step.name == SOUND)
    if step is None or step.name != DIGITS:
        return bare
    lit = halves.map(lambda half: replace(half, reading=_ALL_LIT, status="", prompt=page.sentence, note=page.title, marks=(), low=False))
    return replace(bare, menu=None, cue=DIGITS, halves=lit, banner="", details=(), window=None, notices=(), called="", hint="", code=())


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
