"""The pages at the end of a challenge, and those that hide it: verdict with consequence, withdrawal or concession, the calls, ``Still there?``.

Nothing here reads the words: they leave the screen at adjudication, and no page can show which of them failed.
"""

from __future__ import annotations

from appliance.texts import Texts
from kiosk.challenge.after_verdict import judges_again
from kiosk.challenge.consequence import Consequence
from kiosk.challenge.events import Back, Mistyped, SecondOpinion
from kiosk.challenge.flow import Flow, LastVerdict, Outcome
from kiosk.face.following import before, by_role, following
from kiosk.face.footer import footer
from kiosk.face.page import Banner, Icon, Page, Target, Tone
from kiosk.face.sent import sent_line
from kiosk.face.targets import SEPARATOR, director, done, keys, link_lines
from rules.side import Side


def verdict_page(flow: Flow, outcome: Outcome, consequence: Consequence, texts: Texts) -> Page:
    """Return the page of a play's verdict with its consequence under the rulebook in force."""
    actions = (done(texts), *_afterwards(flow, texts), director(texts))
    told, taken = sent_line(flow, texts)
    return Page(
        name="verdict",
        title=SEPARATOR.join((texts.say("words.declared", count=len(outcome.entry.words)), *link_lines(flow.link, texts))),
        footer=footer(flow.context, texts),
        banner=_banner(texts, acceptable=consequence.acceptable),
        lines=following(consequence, _challenger(flow), texts),
        aside=before(consequence, texts),
        notice=texts.say("verdict.unlogged") if outcome.row is None else told,
        success=taken and outcome.row is not None,
        actions=actions,
        keys=keys(actions, {"return": actions[0].event}),
    )


def shown_again_page(flow: Flow, last: LastVerdict, texts: Texts) -> Page:
    """Return the page of a verdict that is shown once more: for the play, and by roles, because the players may stand the other way round now."""
    actions = (done(texts), director(texts))
    follows = last.consequence
    off = () if follows.acceptable else (texts.say("verdict.off_board"),)
    return Page(
        name="verdict.again",
        title=texts.say("shown_again.title"),
        footer=footer(flow.context, texts),
        banner=_banner(texts, acceptable=follows.acceptable),
        lines=(*off, *by_role(follows, texts)),
        aside=before(follows, texts),
        actions=actions,
        keys=keys(actions, {"return": actions[0].event}),
    )


def closed_page(flow: Flow, outcome: Outcome, texts: Texts) -> Page:
    """Return the page of a challenge that ended without a look-up: withdrawn, or conceded by a player."""
    actions = (done(texts), director(texts))
    follows = outcome.consequence
    kind = "closed.conceded" if follows else "closed.withdrawn"
    told, taken = sent_line(flow, texts)
    icon = Icon.BACK if follows is None else Icon.TICK if follows.acceptable else Icon.CROSS
    return Page(
        name=kind,
        title=texts.say("closed.title"),
        footer=footer(flow.context, texts),
        banner=Banner(texts.say(kind), icon, Tone.PLAIN),
        lines=_consequence_lines(flow, follows, texts),
        aside=None if follows is None else before(follows, texts),
        notice=told,
        success=taken,
        actions=actions,
        keys=keys(actions, {"return": actions[0].event}),
    )


def called_page(flow: Flow, texts: Texts) -> Page:
    """Return the page that calls the director from afar, to the players' table if they have entered it, and hides their challenge."""
    called = texts.say("director.banner") if flow.table is None else texts.say("director.table", table=flow.table)
    actions = (Target("back", texts.say("director.back"), Back(), Icon.BACK),)
    return Page(
        name="director",
        title=texts.say("director.title"),
        footer=footer(flow.context, texts),
        banner=Banner(called, Icon.PERSON, Tone.WARNING),
        lines=(texts.say("director.wait"), texts.say("director.kept")),
        actions=actions,
        keys=keys(actions, {"escape": Back()}),
    )


def still_there_page(flow: Flow, seconds: int, texts: Texts) -> Page:
    """Return the page that asks whether anybody is still there, with ``seconds`` until the challenge ends; the words are out of sight meanwhile."""
    actions = (Target("back", texts.say("still_there.yes"), Back(), Icon.TICK, Tone.MAIN),)
    return Page(
        name="still_there",
        title=texts.say("still_there.title"),
        footer=footer(flow.context, texts),
        banner=Banner(texts.say("still_there.banner"), Icon.CLOCK, Tone.WARNING),
        lines=(texts.say("director.kept"), texts.say("still_there.ends", seconds=seconds)),
        actions=actions,
        keys=keys(actions, {"return": Back(), "escape": Back(), "tab": Back()}),
    )


def word_judge_page(flow: Flow, texts: Texts) -> Page:
    """Return the page that calls a word judge from afar. A second opinion follows a verdict, so the table is known."""
    actions = (done(texts),)
    return Page(
        name="word_judge",
        title=texts.say("word_judge.title"),
        footer=footer(flow.context, texts),
        banner=Banner(texts.say("word_judge.table", table=flow.digits), Icon.PERSON, Tone.WARNING),
        lines=(texts.say("word_judge.same"), texts.say("director.wait")),
        actions=actions,
        keys=keys(actions, {"return": actions[0].event}),
    )


def _banner(texts: Texts, *, acceptable: bool) -> Banner:
    if acceptable:
        return Banner(texts.say("verdict.acceptable"), Icon.TICK, Tone.GOOD)
    return Banner(texts.say("verdict.unacceptable"), Icon.CROSS, Tone.BAD)


def _afterwards(flow: Flow, texts: Texts) -> tuple[Target, ...]:
    """Return what players may still request: a repeat (2017 IV.J.1.j), a second opinion on the same words where the rulebook has one (IV.J.1.n)."""
    again = Target("opinion.here", texts.say("verdict.again"), SecondOpinion(here=True), Icon.REPEAT)
    judge = Target("opinion.judge", texts.say("verdict.judge"), SecondOpinion(here=False), Icon.PERSON)
    return (
        Target("mistyped", texts.say("verdict.mistyped"), Mistyped(), Icon.REPEAT),
        *((again,) if flow.context.rulebook.second_opinion_here else ()),
        *((judge,) if judges_again(flow) else ()),
    )


def _consequence_lines(flow: Flow, consequence: Consequence | None, texts: Texts) -> tuple[str, ...]:
    if consequence is None:
        return (texts.say("closed.nothing_follows"),)
    # The consequence already says whether the play comes off.
    taken = "closed.taken_acceptable" if consequence.acceptable else "closed.taken_unacceptable"
    first = texts.say("verdict.off_board")
    return (texts.say(taken), *(line for line in following(consequence, _challenger(flow), texts) if line != first))


def _challenger(flow: Flow) -> Side:
    """Return the challenger's side, which is known long before the outcome."""
    return flow.challenger or Side.LEFT
