"""The pages at the end of a challenge, and those that hide it: verdict with consequence, withdrawal or concession, the calls, ``Still there?``.

Nothing here reads the words: they leave the screen at adjudication, and no page can show which of them failed.
"""

from types import MappingProxyType
from typing import Final

from appliance.texts import Texts
from kiosk.challenge.apply import asks_last_play, judges_again
from kiosk.challenge.flow import Flow, LastVerdict, Outcome
from kiosk.challenge.timeouts import of_table
from kiosk.context import ClockAnswer
from kiosk.events import Back, Consequence, Done, LastPlay, RepeatIt, Role, SecondOpinion
from kiosk.face.page import FUNCTION_KEYS, KEYS, SEPARATOR, Banner, Icon, Page, Target, Tone, director, done, footer, link_lines
from rules.rulebooks.model import RestartRule
from rules.side import Side


def following(consequence: Consequence, challenger: Side, texts: Texts) -> tuple[str, ...]:
    on_turn, lost, to = consequence.on_turn, consequence.turn_lost_by, consequence.points_to
    turn = "verdict.game_over" if on_turn is None else "verdict.stands" if lost is None else f"turn.{_side(lost, challenger)}"
    points = None if to is None else f"points.{_direction(consequence)}.{_side(to, challenger)}"
    # A player's own button starts the other player's clock, whoever is on turn.
    start = "verdict.no_clock" if on_turn is None else f"start.{_side(on_turn, challenger).other}"
    return (
        *(() if consequence.acceptable else (texts.say("verdict.off_board"),)),
        texts.say(turn),
        *(() if points is None else (texts.say(points, points=abs(consequence.points)),)),
        texts.say(start),
    )


def before(consequence: Consequence, texts: Texts) -> str | None:
    """Return the rulebook's condition for restarting the clock (2014 IV.J; 2017 IV.J.1.o, VI.B.1; NZ 6.13.6)."""
    rule = consequence.restart
    if rule is None:
        return None
    if not rule.seated:
        return texts.say("restart.reracked")
    needs = ", ".join(texts.say(f"restart.need.{need}") for need in restart_needs(rule, acceptable=consequence.acceptable))
    return texts.say("restart.first_or_late" if rule.delay else "restart.first", needs=needs)


def by_role(consequence: Consequence, texts: Texts) -> tuple[str, ...]:
    """Return ``consequence`` in terms of roles: for players at their table, not left and right of this screen."""
    over, to = consequence.on_turn is None, consequence.points_to
    return (
        texts.say("verdict.game_over" if over else f"judge.lost.{consequence.turn_lost_by or 'nobody'}"),
        *(() if to is None else (texts.say(f"judge.points.{_direction(consequence)}.{to}", points=abs(consequence.points)),)),
        texts.say("verdict.no_clock" if over else f"judge.starts.{consequence.on_turn}"),
    )


def restart_needs(rule: RestartRule, *, acceptable: bool) -> tuple[str, ...]:
    both = ("seated", "own_rack" if rule.own_rack else "uncovered" if rule.uncovered else "racks")
    if acceptable:
        return (*both, *(("score",) if rule.score_announced else ()), *(("tile",) if rule.tile_seen else ()))
    return (*both, "off", "blank") if rule.blank_erased else (*both, "off")


def _direction(consequence: Consequence) -> str:
    return "given" if consequence.points > 0 else "taken"


def _side(role: Role, challenger: Side) -> Side:
    return challenger if role is Role.CHALLENGER else challenger.other


SAID: Final = ("no_challenge", "other_challenge", "other_game", "has_verdict", "gone_on", "frozen", "not_by_rulebook")
"""The refusals that players can do something about; any other is shown by its name, for the director."""


def sent_line(flow: Flow, texts: Texts) -> tuple[str | None, bool]:
    """Return the sentence, and whether it says that the clock has taken the message; None: nothing was sent."""
    sent = flow.sent
    if sent is None:
        return None, False
    if sent.answer is not ClockAnswer.REFUSED:
        return texts.say(f"sent.{sent.answer}", table=flow.table or 0), sent.answer in (ClockAnswer.WAITING, ClockAnswer.TAKEN)
    if sent.reason in SAID:
        return texts.say(f"sent.{sent.reason}", table=flow.table or 0), False
    return texts.say("sent.refused", table=flow.table or 0, reason=sent.reason), False


def verdict_page(flow: Flow, outcome: Outcome, consequence: Consequence, texts: Texts) -> Page:
    sent, taken = sent_line(flow, texts)
    return Page(
        name="verdict",
        title=SEPARATOR.join((texts.say("words.declared", count=len(outcome.entry.words)), *link_lines(flow.link, texts))),
        footer=footer(flow.context, texts),
        banner=verdict_banner(texts, acceptable=consequence.acceptable),
        lines=following(consequence, flow.challenger or Side.LEFT, texts),
        aside=before(consequence, texts),
        notice=texts.say("verdict.unlogged") if outcome.row is None else sent,
        success=taken and outcome.row is not None,
        actions=(done(texts), *(last_play(flow, texts) if asks_last_play(flow) else ()), *_afterwards(flow, texts), director(texts)),
        keys={"return": Done()},
    )


def shown_again_page(flow: Flow, last: LastVerdict, texts: Texts) -> Page:
    """Return the page of a verdict that is shown once more: for the play, and by roles, because the players may stand the other way round now."""
    follows = last.consequence
    off = () if follows.acceptable else (texts.say("verdict.off_board"),)
    return Page(
        name="verdict.again",
        title=texts.say("shown_again.title"),
        footer=footer(flow.context, texts),
        banner=verdict_banner(texts, acceptable=follows.acceptable),
        lines=(*off, *by_role(follows, texts)),
        aside=before(follows, texts),
        actions=(done(texts), director(texts)),
        keys={"return": Done()},
    )


def closed_page(flow: Flow, outcome: Outcome, texts: Texts) -> Page:
    """Return the page of a challenge that ended without a look-up: withdrawn, or conceded by a player. The headline is the result, not who spoke."""
    follows = outcome.consequence
    kind = "conceded" if follows else "withdrawn"
    sent, taken = sent_line(flow, texts)
    return Page(
        name=f"closed.{kind}",
        title=texts.say(f"closed.title.{kind}"),
        footer=footer(flow.context, texts),
        banner=Banner(texts.say("closed.withdrawn"), Icon.BACK, Tone.PLAIN)
        if follows is None
        else verdict_banner(texts, acceptable=follows.acceptable, good="closed.stands", bad="closed.off_board"),
        lines=(texts.say("closed.nothing_follows"),) if follows is None else following(follows, flow.challenger or Side.LEFT, texts),
        aside=None if follows is None else before(follows, texts),
        notice=sent,
        success=taken,
        actions=(done(texts), director(texts)),
        keys={"return": Done()},
    )


def called_page(flow: Flow, texts: Texts) -> Page:
    """Return the page that calls the director from afar, to the players' table if they have entered it, and hides their challenge."""
    called = texts.say("director.banner") if flow.table is None else texts.say("director.table", table=flow.table)
    return Page(
        name="director",
        title=texts.say("director.title"),
        footer=footer(flow.context, texts),
        banner=Banner(called, Icon.PERSON, Tone.WARNING),
        lines=(texts.say("director.wait"), texts.say("director.kept")),
        actions=(Target("back", texts.say("director.back"), Back(), Icon.BACK),),
        keys={"escape": Back()},
    )


def still_there_page(flow: Flow, seconds: int, texts: Texts) -> Page:
    """Return the page that asks whether anybody is still there, with ``seconds`` until the challenge ends; the words are out of sight meanwhile."""
    return Page(
        name="still_there",
        title=texts.say("still_there.title"),
        footer=footer(flow.context, texts),
        banner=Banner(texts.say("still_there.banner"), Icon.CLOCK, Tone.WARNING),
        lines=(texts.say("director.kept"), texts.say("still_there.ends", seconds=seconds)),
        actions=(Target("back", texts.say("still_there.yes"), Back(), Icon.TICK, Tone.MAIN),),
        # Any key says that somebody is there.
        keys=MappingProxyType({name: Back() for name in KEYS if name != FUNCTION_KEYS["door"]}),
    )


def word_judge_page(flow: Flow, texts: Texts) -> Page:
    """Return the page that calls a word judge from afar. A second opinion follows a verdict, so the table is known."""
    return Page(
        name="word_judge",
        title=texts.say("word_judge.title"),
        footer=footer(flow.context, texts),
        banner=Banner(texts.say("word_judge.table", table=flow.digits), Icon.PERSON, Tone.WARNING),
        lines=(texts.say("word_judge.same"), texts.say("director.wait")),
        actions=(done(texts),),
        keys={"return": Done()},
    )


def last_play(flow: Flow, texts: Texts) -> tuple[Target, ...]:
    """Return the target that says that an acceptable play was the last one of its game, or takes that back."""
    was = bool(flow.last_play)
    return (Target("last_play", texts.say("last_play.no" if was else "last_play.yes"), LastPlay(not was)),)


def verdict_banner(texts: Texts, *, acceptable: bool, good: str = "verdict.acceptable", bad: str = "verdict.unacceptable") -> Banner:
    return Banner(texts.say(good), Icon.TICK, Tone.GOOD) if acceptable else Banner(texts.say(bad), Icon.CROSS, Tone.BAD)


def _afterwards(flow: Flow, texts: Texts) -> tuple[Target, ...]:
    """Return what players may still request: a repeat (2017 IV.J.1.j), a second opinion on the same words where the rulebook has one (IV.J.1.n)."""
    again = Target("opinion.here", texts.say("verdict.again"), SecondOpinion(here=True), Icon.REPEAT)
    judge = Target("opinion.judge", texts.say("verdict.judge"), SecondOpinion(here=False), Icon.PERSON)
    mistyped = Target("mistyped", texts.say("verdict.mistyped"), RepeatIt(), Icon.REPEAT)
    return (
        mistyped if of_table(flow.open, flow.table) else mistyped.replace(text=texts.say("verdict.mistyped_over"), tone=Tone.OFF),
        *((again,) if flow.context.rulebook.second_opinion_here else ()),
        *((judge,) if judges_again(flow) else ()),
    )
